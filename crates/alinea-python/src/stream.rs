//! Text that a model aligns part by part.
//!
//! A thread of its own keeps the workers and the other threads, takes one part after another, and ends with the stream. A
//! process that was forked from the one where the stream began does not have that thread, and starts another. What the user
//! should know about the text is told once, not for each part.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

use alinea::align::{self, FoundLink, SavedAligner, Wants, Warning};
use alinea::bitext::Bitext;
use alinea::error::Result;
use alinea::model::Model;
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Observer;
use pyo3::prelude::*;

use crate::align::{FoundColumn, found_column};
use crate::error::to_python;
use crate::text::{TextOptions, TextParts};
use crate::work::{Watch, answer, internal_error};

/// The links of each pair of a part.
type Links = Vec<Vec<FoundLink>>;

/// Aligns text part by part.
#[pyclass(name = "ModelStream", module = "alinea._native")]
pub(crate) struct ModelStream {
    model: Arc<Model>,
    decoding: align::Decoding,
    options: TextOptions,
    threads: usize,
    texts: TextParts,
    /// Whether a part was aligned.
    begun: bool,
    running: Option<Running>,
}

impl ModelStream {
    /// Nothing runs before the first part.
    pub(crate) fn new(model: Arc<Model>, decoding: align::Decoding, options: TextOptions, threads: usize) -> Self {
        Self { model, decoding, options, threads, texts: TextParts::default(), begun: false, running: None }
    }
}

#[pymethods]
impl ModelStream {
    /// The links of the next part.
    fn align<'py>(&mut self, source: &Bound<'py, PyAny>, target: &Bound<'py, PyAny>) -> PyResult<FoundColumn<'py>> {
        let py = source.py();
        let [source, target] = self.texts.read([source, target], self.options)?;
        let bitext = Bitext::new(source, target).map_err(to_python)?;
        let mut running = match self.running.take() {
            Some(running) if running.process == process::id() => running,
            other => {
                // Its thread is in another process, where nobody wakes it from here.
                std::mem::forget(other);
                Running::start(Arc::clone(&self.model), self.decoding, self.threads)?
            }
        };
        let is_first = !std::mem::replace(&mut self.begun, true);
        let links = running.links(py, bitext, is_first)?;
        self.running = Some(running);
        found_column(py, &links)
    }

    /// There are no more parts.
    fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        self.running = None;
        self.texts.end(py, self.options)
    }
}

/// A part of the text.
struct Part {
    bitext: Bitext,
    is_first: bool,
    watch: Arc<Watch>,
}

/// The thread that aligns, which ends when this is dropped.
struct Running {
    /// The process that it is in.
    process: u32,
    parts: Sender<Part>,
    found: Mutex<Receiver<Result<Links>>>,
}

impl Running {
    fn start(model: Arc<Model>, decoding: align::Decoding, threads: usize) -> PyResult<Self> {
        let parallelism = Parallelism::new(threads).map_err(to_python)?;
        let (parts, next) = mpsc::channel();
        let (links, found) = mpsc::channel();
        thread::Builder::new().spawn(move || run(&model, decoding, &parallelism, &next, &links))?;
        Ok(Self { process: process::id(), parts, found: Mutex::new(found) })
    }

    /// Has a part aligned.
    fn links(&mut self, py: Python<'_>, bitext: Bitext, is_first: bool) -> PyResult<Links> {
        let watch = Arc::new(Watch::default());
        // If the thread has ended, there is no answer either.
        let _ = self.parts.send(Part { bitext, is_first, watch: Arc::clone(&watch) });
        let found = self.found.get_mut().unwrap_or_else(PoisonError::into_inner);
        match answer(py, &watch, found)? {
            Some(links) => links.map_err(to_python),
            None => Err(internal_error()),
        }
    }
}

/// Aligns part after part until there are no more, or nobody wants their links.
fn run(
    model: &Model,
    mut decoding: align::Decoding,
    parallelism: &Parallelism,
    parts: &Receiver<Part>,
    found: &Sender<Result<Links>>,
) {
    let aligner = match SavedAligner::new(model, Wants::of(decoding.rule)) {
        Ok(aligner) => aligner,
        Err(error) => {
            // The answer to the first part; if nobody waits for it, nobody is to be told.
            let _ = found.send(Err(error));
            return;
        }
    };
    while let Ok(Part { bitext, is_first, watch }) = parts.recv() {
        let unknown = if is_first { Warning::of_unknown_words(model, &bitext) } else { None };
        if let Some(warning) = unknown {
            watch.warn(&warning.to_string());
        }
        let work = Work { parallelism, observer: &*watch };
        let text = model.read(&bitext);
        let settled = aligner.settle(&mut decoding, &text, work);
        if found.send(settled.and_then(|_| aligner.links(&text, decoding, work))).is_err() {
            return;
        }
    }
}
