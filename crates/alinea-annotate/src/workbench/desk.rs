//! What all requests share: the project, the suggestions of the moment, and who works on what.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

use crate::annotate::{Annotator, Project, Suggestions};

/// For how long a sentence is kept for the one who was sent to it.
const HELD: Duration = Duration::from_secs(600);

/// What all requests share.
#[derive(Debug)]
pub(super) struct Desk {
    project: Mutex<Project>,
    now: Mutex<Arc<Now>>,
    held: Mutex<BTreeMap<usize, (String, Instant)>>,
    /// A number that grows with each change of what is learned from.
    revision: AtomicU64,
    /// A number that grows with each change that pages should know of.
    version: watch::Sender<u64>,
    closed: watch::Sender<bool>,
}

/// What is suggested at the moment.
#[derive(Debug, Clone, Default)]
pub(super) struct Now {
    /// How many times suggestions were made.
    pub(super) number: u64,
    /// None before they were made for the first time.
    pub(super) suggestions: Option<Arc<Suggestions>>,
    /// The pairs that nobody has confirmed, in the order of the queue.
    pub(super) queue: Arc<Vec<usize>>,
    /// Whether new ones are being made.
    pub(super) is_learning: bool,
    /// Why the last ones could not be made.
    pub(super) fault: Option<String>,
    /// How many percent of the text have word vectors, while they are being made.
    pub(super) encoding: Option<u8>,
    /// Why they could not be made.
    pub(super) encoder_fault: Option<String>,
}

impl Desk {
    pub(super) fn new(project: Project) -> Self {
        Self {
            project: Mutex::new(project),
            // The first suggestions are made from the start on.
            now: Mutex::new(Arc::new(Now { is_learning: true, ..Now::default() })),
            held: Mutex::default(),
            revision: AtomicU64::new(0),
            version: watch::Sender::new(first_version()),
            closed: watch::Sender::new(false),
        }
    }

    /// The project as it is now. However long it is read, nobody waits for it.
    pub(super) fn project(&self) -> Project {
        self.locked().snapshot()
    }

    /// The project, to change it; all others wait. Whoever panicked while holding it had not begun to change it, or was done: steps
    /// are taken after they were checked.
    pub(super) fn locked(&self) -> MutexGuard<'_, Project> {
        self.project.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is suggested at the moment.
    pub(super) fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes what is suggested, and tells all pages.
    pub(super) fn set_now(&self, change: impl FnOnce(&mut Now)) {
        change(Arc::make_mut(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner)));
        self.tell();
    }

    /// A number that grows with each change of what is learned from.
    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Says that what is learned from has changed.
    pub(super) fn revise(&self) {
        self.revision.fetch_add(1, Ordering::Release);
    }

    /// Tells all pages that something is new.
    pub(super) fn tell(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// The number of the last change, and those that follow.
    pub(super) fn versions(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Ends the service.
    pub(super) fn close(&self) {
        self.closed.send_replace(true);
    }

    /// Whether it ended.
    pub(super) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Whether it ended, and when it does.
    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.closed.subscribe()
    }

    /// The sentence that an annotator should link next, after another one; none if all is done. It is kept for the annotator for
    /// a while.
    pub(super) fn next(&self, name: &str, after: Option<usize>) -> Option<usize> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, project) = (self.now(), self.project());
        held.retain(|_, (holder, since)| since.elapsed() < HELD && holder != name);
        let free = |n: usize| {
            Some(n) != after && is_for(&project, name, n) && (project.is_shared(n) || !held.contains_key(&n))
        };
        let done_by_others = |n: usize| {
            project.annotators().any(|other| other.name() != name && other.state(n).is_confirmed()) && free(n)
        };
        let due = is_shared_due(&project, name).then(|| (0..project.len()).find(|&n| done_by_others(n))).flatten();
        // Before the first suggestions there is no queue.
        let queued = || now.queue.iter().copied().find(|&n| free(n));
        let found = due.or_else(queued).or_else(|| (0..project.len()).find(|&n| free(n)))?;
        held.insert(found, (name.to_owned(), Instant::now()));
        Some(found)
    }
}

/// The version that a process begins with: more than any of the one before it, of which pages that are still open know.
fn first_version() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Whether an annotator has linked less than the share of sentences that all link.
fn is_shared_due(project: &Project, name: &str) -> bool {
    let Some(annotator) = project.annotator(name) else { return false };
    let (mut done, mut shared) = (0_u32, 0_u32);
    for n in annotator.confirmed() {
        done += 1;
        shared += u32::from(project.is_shared(n));
    }
    f64::from(shared) < project.settings().shared * f64::from(done + 1)
}

/// Whether a sentence is one that an annotator should link: not done, and either one of those that all link, or one that nobody
/// else has begun.
fn is_for(project: &Project, name: &str, n: usize) -> bool {
    let [source, target] = project.words(n);
    let is_done = project.annotator(name).is_none_or(|annotator| annotator.state(n).is_confirmed());
    if is_done || source.is_empty() || target.is_empty() {
        return false;
    }
    let began = |other: &Annotator| other.name() != name && other.state(n).has_links();
    project.is_shared(n) || !project.annotators().any(began)
}
