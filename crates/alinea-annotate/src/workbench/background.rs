//! Learning while people work.
//!
//! One thread trains whenever the links that are learned from have changed. A training that is out of date is given up, but not
//! twice in a row, so that there are new suggestions also where somebody confirms sentences faster than a model learns. If there
//! is an encoder, another thread makes vectors meanwhile, and suggestions go without them until they are there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::desk::Desk;
use super::vectors::LineEncoder;
use crate::align::Request;
use crate::alignment::{Alignment, GoldAlignment};
use crate::annotate::{Learner, Project, Queue, QueueWeights, Suggestions, Teaching};
use crate::error::{ErrorKind, Result};
use crate::parallel::{Parallelism, Work};
use crate::progress::Observer;
use crate::word_vectors::WordVectors;

/// How long a change may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// What pages are told of a panic.
const FAULT: &str = "the program has a fault";

/// Word vectors that are being made.
type Vectors = Receiver<Result<[WordVectors; 2]>>;

/// The thread.
#[derive(Debug)]
pub(super) struct Background(JoinHandle<()>);

/// What suggestions follow from.
#[derive(Debug, Clone, PartialEq)]
struct Wanted {
    known: Vec<(usize, GoldAlignment)>,
    teaching: Teaching,
}

impl Background {
    /// Starts to learn, until the desk is closed.
    pub(super) fn start(desk: Arc<Desk>, parallelism: Parallelism, encoder: Option<LineEncoder>) -> Self {
        Self(std::thread::spawn(move || {
            // Whoever waits for suggestions must hear of a fault of ours, too.
            let ended = catch_unwind(AssertUnwindSafe(|| learn(&desk, &parallelism, encoder)));
            match ended {
                Ok(Ok(())) => {}
                Ok(Err(error)) if matches!(error.kind(), ErrorKind::Cancelled) => {}
                Ok(Err(error)) => fail(&desk, error.to_string()),
                Err(_) => fail(&desk, FAULT.to_owned()),
            }
        }))
    }

    /// Waits for its end.
    pub(super) fn join(self) {
        // A panic has been printed, and changes nothing that was saved.
        let _ = self.0.join();
    }
}

/// Tells all pages that there are no new suggestions, and why.
fn fail(desk: &Desk, fault: String) {
    desk.set_now(|now| {
        now.is_learning = false;
        now.fault = Some(fault);
    });
}

fn learn(desk: &Desk, parallelism: &Parallelism, encoder: Option<LineEncoder>) -> Result<()> {
    let project = desk.project();
    let request = Request::default().with(|request| request.model = project.settings().model);
    let (text, model, given) = (project.text().clone(), project.saved_model()?, project.suggested()?);
    // What a snapshot shares is copied when there is a step.
    drop(project);
    let until_closed = Until(|| desk.is_closed());
    let learner = Learner::new(text, &request, model, Work { parallelism, observer: &until_closed })?;
    let data = learner.data().with_links(Vec::new())?;
    std::thread::scope(|scope| {
        let vectors = encoder.map(|encoder| {
            let (sender, receiver) = channel();
            let threads = parallelism.threads();
            // Nobody listens once the desk is closed.
            scope.spawn(move || sender.send(encoder.encode(desk, &data, threads)).is_ok());
            receiver
        });
        follow(desk, learner, vectors, &given, parallelism)
    })
}

/// Makes new suggestions whenever what is learned from has changed, and once there are vectors.
fn follow(
    desk: &Desk,
    mut learner: Learner,
    mut vectors: Option<Vectors>,
    given: &[(usize, Alignment)],
    parallelism: &Parallelism,
) -> Result<()> {
    let mut done: Option<(u64, Wanted)> = None;
    let mut is_patient = false;
    while !desk.is_closed() {
        if let Some(arrived) = arrived(desk, &mut vectors) {
            let until_closed = Until(|| desk.is_closed());
            learner = learner.with_vectors(arrived, Work { parallelism, observer: &until_closed })?;
            done = None;
        }
        let revision = desk.revision();
        if done.as_ref().is_some_and(|(known, _)| *known == revision) {
            std::thread::sleep(PATIENCE);
            continue;
        }
        let wanted = Wanted::of(&desk.project());
        if let Some((known, last)) = &mut done
            && *last == wanted
        {
            *known = revision;
            is_patient = false;
            if desk.now().is_learning {
                // What was confirmed was taken back.
                desk.set_now(|now| now.is_learning = false);
            }
            continue;
        }
        desk.set_now(|now| now.is_learning = true);
        let observer = Until(|| desk.is_closed() || !is_patient && desk.revision() != revision);
        match learner.suggest(&wanted.known, wanted.teaching, Work { parallelism, observer: &observer }) {
            Ok(suggestions) => {
                publish(desk, &learner, suggestions.with_given(given));
                done = Some((revision, wanted));
                is_patient = false;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Cancelled) => is_patient = true,
            Err(error) => {
                fail(desk, error.to_string());
                done = Some((revision, wanted));
            }
        }
    }
    Ok(())
}

/// The vectors, once they are there. Without them, where they cannot be made, suggestions go on as before.
fn arrived(desk: &Desk, vectors: &mut Option<Vectors>) -> Option<[WordVectors; 2]> {
    let found = match vectors.as_ref()?.try_recv() {
        Ok(found) => found.map_err(|error| error.to_string()),
        Err(TryRecvError::Disconnected) => Err(FAULT.to_owned()),
        Err(TryRecvError::Empty) => return None,
    };
    *vectors = None;
    desk.set_now(|now| {
        now.encoding = None;
        now.is_learning |= found.is_ok();
        now.encoder_fault = found.as_ref().err().cloned();
    });
    found.ok()
}

/// Hands new suggestions to all pages, with the order of the sentences that are left.
fn publish(desk: &Desk, learner: &Learner, suggestions: Suggestions) {
    // Suggestions may be switched off; what is confirmed is done all the same.
    let confirmed = desk.project().known().into_iter().map(|(n, _)| n).collect();
    let queue = Queue::new(learner.data().text().bitext(), &suggestions, &confirmed, QueueWeights::default());
    let queue = Arc::new(queue.collect());
    desk.set_now(|now| {
        now.number += 1;
        now.suggestions = Some(Arc::new(suggestions));
        now.queue = queue;
        now.is_learning = false;
        now.fault = None;
    });
}

impl Wanted {
    fn of(project: &Project) -> Self {
        let settings = project.settings();
        let known = if settings.learning { project.known() } else { Vec::new() };
        Self { known, teaching: Teaching { by_guideline: settings.follow, ..Teaching::default() } }
    }
}

/// Asks a function whether work is to end.
struct Until<F>(F);

impl<F: Fn() -> bool + Sync> Observer for Until<F> {
    fn cancelled(&self) -> bool {
        self.0()
    }
}
