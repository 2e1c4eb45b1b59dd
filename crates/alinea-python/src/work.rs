//! Long work without Python's lock, that Ctrl-C can end.
//!
//! Python runs signal handlers in the main thread only, and only when that thread asks. So the work gets a thread of
//! its own, and the thread that called from Python waits for it and asks a few times a second. A handler that raises,
//! as that of Ctrl-C does, makes the observer tell the library to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use alinea::error::Result;
use alinea::progress::Observer;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::to_python;

/// How often signals are looked for.
const INTERVAL: Duration = Duration::from_millis(50);

/// Says stop once it has been told to.
#[derive(Default)]
struct Stop(AtomicBool);

impl Observer for Stop {
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs `work` while other Python threads go on.
///
/// An exception raised by a signal handler ends the work and comes back. A panic, which would be a bug of the library,
/// becomes a `RuntimeError`.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&dyn Observer) -> Result<T> + Send) -> PyResult<T> {
    let stop = Stop::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (running, finished) = mpsc::channel::<()>();
            let stop = &stop;
            let worker = scope.spawn(move || {
                let result = work(stop);
                drop(running);
                result
            });
            let mut raised = None;
            while finished.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is not general enough")]
                let checked = Python::attach(|py| py.check_signals());
                if let Err(error) = checked {
                    stop.0.store(true, Ordering::Relaxed);
                    raised = Some(error);
                    break;
                }
            }
            let outcome = worker.join();
            if let Some(error) = raised {
                return Err(error);
            }
            outcome
                .map_err(|_| PyRuntimeError::new_err("internal error in alinea; please report it"))?
                .map_err(to_python)
        })
    })
}
