//! Long work without Python's lock, that Ctrl-C can end and that says how far it is.
//!
//! Python runs signal handlers in the main thread only, and only when that thread asks. So the work gets a thread of
//! its own, and the thread that called from Python waits for it and asks a few times a second. A handler that raises,
//! as that of Ctrl-C does, makes the observer tell the library to stop. At the same times the waiting thread draws the
//! bars of [`Progress`]: no Python code is ever run by the threads that work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use alinea::error::Result;
use alinea::progress::Observer;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::to_python;

/// Segments, or lines, between two questions whether to stop.
pub(crate) const BATCH: usize = 4096;

/// How often signals are looked for, and bars are drawn.
const INTERVAL: Duration = Duration::from_millis(50);

/// What the work reports, until the waiting thread takes it.
enum Event {
    Started(String, u64),
    Advanced(u64),
    Finished,
}

/// Says stop once it has been told to, and keeps reports if somebody wants them.
#[derive(Default)]
pub(crate) struct Watch {
    stop: AtomicBool,
    events: Option<Mutex<Vec<Event>>>,
    warnings: Mutex<Vec<String>>,
}

impl Watch {
    fn report(&self, event: Event) {
        let Some(events) = &self.events else { return };
        let mut events = events.lock().unwrap_or_else(PoisonError::into_inner);
        match (events.last_mut(), &event) {
            (Some(Event::Advanced(sum)), Event::Advanced(more)) => *sum += more,
            _ => events.push(event),
        }
    }

    fn take(&self) -> Vec<Event> {
        let take =
            |events: &Mutex<Vec<Event>>| std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner));
        self.events.as_ref().map(take).unwrap_or_default()
    }
}

impl Observer for Watch {
    fn started(&self, task: &str, units: u64) {
        self.report(Event::Started(task.to_owned(), units));
    }

    fn advance(&self, units: u64) {
        self.report(Event::Advanced(units));
    }

    fn finished(&self, _summary: &str) {
        self.report(Event::Finished);
    }

    fn warn(&self, message: &str) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(message.to_owned());
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Bars as those of tqdm: what makes them, called with `desc` and `total`, and the one that is open.
#[derive(Default)]
pub(crate) struct Progress {
    make: Option<Py<PyAny>>,
    open: Option<Py<PyAny>>,
}

impl FromPyObject<'_, '_> for Progress {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Ok(Self { make: (!object.is_none()).then(|| object.to_owned().unbind()), open: None })
    }
}

impl Progress {
    /// Draws what was reported.
    fn show(&mut self, py: Python<'_>, events: Vec<Event>) -> PyResult<()> {
        let Self { make: Some(make), open } = self else { return Ok(()) };
        for event in events {
            match event {
                Event::Started(task, units) => {
                    close(py, open)?;
                    let keywords = PyDict::new(py);
                    keywords.set_item("desc", task)?;
                    keywords.set_item("total", (units > 0).then_some(units))?;
                    *open = Some(make.call(py, (), Some(&keywords))?);
                }
                Event::Advanced(units) => {
                    if let Some(bar) = open {
                        bar.call_method1(py, "update", (units,))?;
                    }
                }
                Event::Finished => close(py, open)?,
            }
        }
        Ok(())
    }
}

fn close(py: Python<'_>, bar: &mut Option<Py<PyAny>>) -> PyResult<()> {
    bar.take().map_or(Ok(()), |bar| bar.call_method0(py, "close").map(drop))
}

/// Runs `work` while other Python threads go on; nobody is told how far it is.
///
/// # Errors
/// As [`run_shown`].
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&dyn Observer) -> Result<T> + Send) -> PyResult<T> {
    run_shown(py, Progress::default(), work)
}

/// Runs `work` while other Python threads go on, and draws its bars.
///
/// # Errors
/// An exception raised by a signal handler or a bar ends the work and comes back. A panic, which would be a bug of the
/// library, becomes a `RuntimeError`.
pub(crate) fn run_shown<T: Send>(
    py: Python<'_>,
    mut progress: Progress,
    work: impl FnOnce(&dyn Observer) -> Result<T> + Send,
) -> PyResult<T> {
    let watch = Watch { events: progress.make.as_ref().map(|_| Mutex::default()), ..Watch::default() };
    let done = py.detach(|| {
        thread::scope(|scope| {
            let (running, mut finished) = mpsc::channel::<()>();
            let watch = &watch;
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let result = work(watch);
                drop(running);
                result
            })?;
            let mut look = || Python::attach(|py| py.check_signals().and_then(|()| progress.show(py, watch.take())));
            let mut looked = wait(watch, &mut finished, &mut look).map(drop);
            let outcome = worker.join();
            if looked.is_ok() && watch.events.is_some() {
                looked = look();
            }
            // What went wrong before is more than a bar that cannot be closed.
            let closed = Python::attach(|py| close(py, &mut progress.open));
            looked?;
            let outcome = outcome.map_err(|_| internal_error())?;
            let outcome = outcome.map_err(to_python)?;
            closed.map(|()| outcome)
        })
    })?;
    warn(py, watch.warnings.into_inner().unwrap_or_else(PoisonError::into_inner))?;
    Ok(done)
}

/// What a thread finds that goes on afterwards and watches `watch`, while other Python threads go on. Nothing if it has ended.
///
/// # Errors
/// An exception raised by a signal handler, after the thread was told to stop and has answered.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself is not general enough")]
pub(crate) fn answer<T: Send>(py: Python<'_>, watch: &Watch, answers: &mut Receiver<T>) -> PyResult<Option<T>> {
    let found = py.detach(move || wait(watch, answers, || Python::attach(|py| py.check_signals())))?;
    warn(py, std::mem::take(&mut *watch.warnings.lock().unwrap_or_else(PoisonError::into_inner)))?;
    Ok(found)
}

/// Waits for what another thread sends, and looks a few times a second whether it should stop, until `look` has failed; nothing
/// if the thread has ended without.
fn wait<T>(watch: &Watch, answers: &mut Receiver<T>, mut look: impl FnMut() -> PyResult<()>) -> PyResult<Option<T>> {
    let mut looked = Ok(());
    loop {
        match answers.recv_timeout(INTERVAL) {
            Ok(found) => return looked.map(|()| Some(found)),
            Err(RecvTimeoutError::Disconnected) => return looked.map(|()| None),
            Err(RecvTimeoutError::Timeout) if looked.is_ok() => {
                looked = look();
                watch.stop.store(looked.is_err(), Ordering::Relaxed);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// A panic of a thread that works, which would be a bug of the library.
pub(crate) fn internal_error() -> PyErr {
    PyRuntimeError::new_err("internal error in alinea; please report it")
}

/// Warns whoever called the package.
pub(crate) fn warn(py: Python<'_>, warnings: impl IntoIterator<Item = String>) -> PyResult<()> {
    let mut warnings = warnings.into_iter().peekable();
    if warnings.peek().is_none() {
        return Ok(());
    }
    let warn = py.import("alinea._warnings")?.getattr("warn")?;
    warnings.try_for_each(|text| warn.call1((text,)).map(drop))
}
