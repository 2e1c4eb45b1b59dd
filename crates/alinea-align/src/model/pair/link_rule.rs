//! How links are read off a model: by posteriors or by best paths.
//!
//! `Threshold` makes a link wherever the mean of the forward and the reverse posterior is at least a threshold. `Paths`
//! takes the best path of each direction and joins them by a symmetrization heuristic (Koehn, Och and Marcu 2003). By
//! default, models trained in agreement use the former, textbook models the latter with `grow-diag-final-and`. The displayed
//! form is what signatures contain.

use std::fmt;

use crate::symmetrize::Method;

/// How links are read off what a model says of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LinkRule {
    /// Mean posteriors, or what was decided in place of them, of at least so much.
    Threshold(f32),
    /// The best paths of both directions, joined.
    Paths(Method),
}

impl fmt::Display for LinkRule {
    /// As signatures have it: `posterior>=0.45`, `grow-diag`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threshold(least) => write!(f, "posterior>={least}"),
            Self::Paths(method) => method.fmt(f),
        }
    }
}
