//! How long work says what it is doing, and how it is asked to stop.
//!
//! The library never prints. A caller who wants to know passes an [`Observer`]; the default, [`Silent`], does nothing.
//! A task is announced once, advances by units of work from any thread, and is finished once. At every chunk the
//! library asks [`Observer::cancelled`]; the answer `true` ends the call with
//! [`ErrorKind::Cancelled`].
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

/// Receives reports about long work. Called from several threads.
pub trait Observer: Sync {
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
