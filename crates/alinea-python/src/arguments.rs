//! Numbers that Python gives, which has no unsigned ones.

use alinea::error::{Error, Result};
use alinea::numeric::Bootstrap;
use pyo3::prelude::*;

/// The argument `field`, at least so much.
///
/// # Errors
/// `Config` for other numbers.
pub(crate) fn natural(field: &'static str, value: i64, least: usize, allowed: &'static str) -> Result<usize> {
    let natural = usize::try_from(value).ok().filter(|value| *value >= least);
    natural.ok_or_else(|| Error::config(field, value, allowed))
}

/// How samples are drawn, and how sure intervals are.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Sampling {
    samples: i64,
    seed: u64,
    confidence: f64,
}

impl Sampling {
    /// The bootstrap.
    ///
    /// # Errors
    /// `Config` without samples, or for a confidence that is none.
    pub(crate) fn read(self) -> Result<Bootstrap> {
        let Self { samples, seed, confidence } = self;
        let samples = natural("samples", samples, 1, "1 or more")?;
        let bootstrap = Bootstrap::new(samples, seed, confidence);
        bootstrap.validate()?;
        Ok(bootstrap)
    }
}

/// A number of threads, 0 for one on each core.
///
/// # Errors
/// `Config` for negative numbers.
pub(crate) fn threads(value: i64) -> Result<usize> {
    natural("threads", value, 0, "0 to 256")
}

/// The most words a sentence may have.
///
/// # Errors
/// `Config` for numbers below 1.
pub(crate) fn max_length(value: i64) -> Result<usize> {
    natural("max_length", value, 1, "1 or more")
}
