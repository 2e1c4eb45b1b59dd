//! The verbs. Each has its options in `Args` and does its work in `run`.

pub(crate) mod agreement;
pub(crate) mod align;
pub(crate) mod classes;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod correlate;
pub(crate) mod demo;
pub(crate) mod dictionary_format;
pub(crate) mod evaluate;
pub(crate) mod lexicon;
pub(crate) mod line_links;
pub(crate) mod manual;
pub(crate) mod merge_counts;
pub(crate) mod metric;
pub(crate) mod model;
pub(crate) mod paths;
pub(crate) mod phrases;
pub(crate) mod project;
pub(crate) mod reorder;
pub(crate) mod report;
mod resampling;
pub(crate) mod sentence_align;
pub(crate) mod symmetrize;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod train;
pub(crate) mod training;
pub(crate) mod trees;
pub(crate) mod view;

use std::process::ExitCode;

use crate::failure;

/// How a verb ended that was no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// All is well.
    Success,
    /// The question was answered, and the answer is no.
    #[allow(dead_code, reason = "only verbs that judge say no")]
    Negative,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Self::SUCCESS,
            Status::Negative => Self::from(failure::EXIT_NEGATIVE),
        }
    }
}
