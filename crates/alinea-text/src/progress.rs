//! How long work says what it is doing, and how it is asked to stop.
//!
//! The library never prints. A caller who wants to know passes an [`Observer`]; the default, [`Silent`], does nothing.
//! A task is announced once, advances by units of work from any thread, and is finished once. At every chunk the
//! library asks [`Observer::cancelled`]; the answer `true` ends the call with
//! [`ErrorKind::Cancelled`]. Work of many tasks is planned first ([`Observer::planned`]), so that one estimate can be
//! made of the whole.
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use alinea::progress::Observer;
//!
//! #[derive(Default)]
//! struct Counter(AtomicU64);
//! impl Observer for Counter {
//!     fn advance(&self, units: u64) { self.0.fetch_add(units, Ordering::Relaxed); }
//! }
//! let counter = Counter::default();
//! counter.advance(3);
//! assert_eq!(counter.0.into_inner(), 3);
//! ```

use crate::error::{ErrorKind, Result};

/// A task that is to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it will be called when it begins.
    pub task: String,
    /// What it takes in proportion to other tasks: a pass of Model 1 over a text takes 1.
    pub cost: u64,
}

impl Step {
    /// A task and what it takes.
    pub fn new(task: impl Into<String>, cost: u64) -> Self {
        Self { task: task.into(), cost }
    }
}

/// Receives reports about long work. Called from several threads.
pub trait Observer: Sync {
    /// These tasks are to come, in any order, and others among them that nobody has planned. A task that is planned
    /// again before it has begun is the same task.
    fn planned(&self, steps: &[Step]) {
        let _ = steps;
    }

    /// A task begins; `units` is its length where that is known (0 where not).
    fn started(&self, task: &str, units: u64) {
        let _ = (task, units);
    }

    /// The task got `units` further.
    fn advance(&self, units: u64) {
        let _ = units;
    }

    /// The task is done; `summary` is one line for people, perhaps empty.
    fn finished(&self, summary: &str) {
        let _ = summary;
    }

    /// Something the user should know; one line.
    fn warn(&self, message: &str) {
        let _ = message;
    }

    /// Something worth a line that is no warning.
    fn note(&self, message: &str) {
        let _ = message;
    }

    /// Whether the caller wants the work to end.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Ends the work with an error if the observer wants it to end.
///
/// # Errors
/// `Cancelled` if [`Observer::cancelled`] says so.
pub fn check(observer: &dyn Observer) -> Result<()> {
    if observer.cancelled() { Err(ErrorKind::Cancelled.into()) } else { Ok(()) }
}

/// The observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Says of each task what it is a part of: `model 2 of 4, btg, pass 1`.
pub struct Within<'o> {
    whole: String,
    observer: &'o dyn Observer,
}

impl<'o> Within<'o> {
    /// Tells an observer of the parts of something.
    pub fn new(whole: impl Into<String>, observer: &'o dyn Observer) -> Self {
        Self { whole: whole.into(), observer }
    }

    fn name(&self, task: &str) -> String {
        format!("{}, {task}", self.whole)
    }
}

impl Observer for Within<'_> {
    fn planned(&self, steps: &[Step]) {
        let steps: Vec<Step> = steps.iter().map(|step| Step::new(self.name(&step.task), step.cost)).collect();
        self.observer.planned(&steps);
    }

    fn started(&self, task: &str, units: u64) {
        self.observer.started(&self.name(task), units);
    }

    fn advance(&self, units: u64) {
        self.observer.advance(units);
    }

    fn finished(&self, summary: &str) {
        self.observer.finished(summary);
    }

    fn warn(&self, message: &str) {
        self.observer.warn(message);
    }

    fn note(&self, message: &str) {
        self.observer.note(message);
    }

    fn cancelled(&self) -> bool {
        self.observer.cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Recorder(Mutex<Vec<String>>);

    impl Observer for Recorder {
        fn planned(&self, steps: &[Step]) {
            self.0.lock().unwrap().extend(steps.iter().map(|step| format!("planned {} {}", step.task, step.cost)));
        }

        fn started(&self, task: &str, units: u64) {
            self.0.lock().unwrap().push(format!("{task} {units}"));
        }

        fn warn(&self, message: &str) {
            self.0.lock().unwrap().push(message.to_owned());
        }

        fn cancelled(&self) -> bool {
            true
        }
    }

    #[test]
    fn tasks_are_told_with_what_they_are_part_of() {
        let recorder = Recorder::default();
        let outer = Within::new("without fifth 1", &recorder);
        let inner = Within::new("model 2 of 4", &outer);
        inner.planned(&[Step::new("pass 1", 4)]);
        inner.started("pass 1", 7);
        inner.warn("w");
        assert!(inner.cancelled());
        let pass = "without fifth 1, model 2 of 4, pass 1";
        let expected = [format!("planned {pass} 4"), format!("{pass} 7"), "w".to_owned()];
        assert_eq!(recorder.0.into_inner().unwrap(), expected);
    }
}
