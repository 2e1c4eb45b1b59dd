//! Where links come from.

use std::fmt;

use crate::symmetrize::Method;

/// How links are read off what a model says of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LinkRule {
    /// Mean posteriors of at least so much.
    Threshold {
        /// The least mean posterior.
        least: f32,
        /// The same of pairs that are new to a saved model, where it is another.
        of_new: Option<f32>,
    },
    /// The best paths of both directions, joined.
    Paths(Method),
}

impl fmt::Display for LinkRule {
    /// As signatures have it: `posterior>=0.45`, `grow-diag`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threshold { least, of_new: None } => write!(f, "posterior>={least}"),
            Self::Threshold { least, of_new: Some(new) } => write!(f, "posterior>={least}(new:{new})"),
            Self::Paths(method) => method.fmt(f),
        }
    }
}
