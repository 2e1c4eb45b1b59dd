//! The time of some of the tasks that a computation tells an observer of.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use alinea::progress::Observer;

/// Adds up the time of the tasks whose name begins so.
pub(crate) struct Clock {
    task: &'static str,
    state: Mutex<(Option<Instant>, Duration, u32)>,
}

impl Clock {
    pub(crate) fn new(task: &'static str) -> Self {
        Self { task, state: Mutex::default() }
    }

    /// The mean time of a task.
    pub(crate) fn mean(self) -> Duration {
        let (_, time, tasks) = self.state.into_inner().expect("no thread panics with the clock");
        time / tasks
    }
}

impl Observer for Clock {
    fn started(&self, task: &str, _: u64) {
        let mut state = self.state.lock().expect("no thread panics with the clock");
        state.0 = task.starts_with(self.task).then(Instant::now);
    }

    fn finished(&self, _: &str) {
        let mut state = self.state.lock().expect("no thread panics with the clock");
        if let Some(start) = state.0.take() {
            state.1 += start.elapsed();
            state.2 += 1;
        }
    }
}
