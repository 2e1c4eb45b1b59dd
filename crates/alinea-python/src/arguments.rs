//! Numbers that Python gives, which has no unsigned ones.

use alinea::error::{Error, Result};

/// The argument `field`, at least so much.
///
/// # Errors
/// `Config` for other numbers.
pub(crate) fn natural(field: &'static str, value: i64, least: usize, allowed: &'static str) -> Result<usize> {
    let natural = usize::try_from(value).ok().filter(|value| *value >= least);
    natural.ok_or_else(|| Error::config(field, value, allowed))
}

/// A number of threads, 0 for one on each core.
///
/// # Errors
/// `Config` for negative numbers.
pub(crate) fn threads(value: i64) -> Result<usize> {
    natural("threads", value, 0, "0 or more")
}

/// The most words a sentence may have.
///
/// # Errors
/// `Config` for numbers below 1.
pub(crate) fn max_length(value: i64) -> Result<usize> {
    natural("max_length", value, 1, "1 or more")
}
