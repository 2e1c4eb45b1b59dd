//! Word order, for `alinea.reorder`.
//!
//! `source` has the sentences and what is known of them, `orders` the arrays of orders, and gold orders of links; `standard`
//! judges, `model` learns and predicts, `rules` are those that people read, `corpus` has the files of the shared task,
//! and `submission` its archives.

mod corpus;
mod model;
mod orders;
mod rules;
mod source;
mod standard;
mod submission;

pub(crate) use corpus::TaskCorpus;
pub(crate) use model::{ReorderModel, reorder_engines};
pub(crate) use orders::{export_orders, gold_orders, gold_ranks};
pub(crate) use rules::{ReorderRules, verb_final_rules};
pub(crate) use source::ReorderSource;
pub(crate) use standard::{GoldStandard, order_scores};
pub(crate) use submission::{check_submission, rank_submissions, write_submission};

use alinea::error::{Error, ErrorKind, Result};

/// An error about the sentence of a number, from 0, of the argument `name`.
fn located(name: &str, number: usize, error: Error) -> Error {
    error.within(format_args!("{name}[{number}]"))
}

fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}

/// Refuses an argument that has more or fewer sentences than the source.
fn check_length(name: &str, length: usize, sentences: usize) -> Result<()> {
    if length == sentences {
        return Ok(());
    }
    Err(Error::unequal_lengths("source", sentences as u64, name, length as u64))
}
