//! The verbs. Each has its options in `Args` and does its work in `run`.

pub(crate) mod agreement;
pub(crate) mod align;
pub(crate) mod annotate;
pub(crate) mod bible;
pub(crate) mod bitext;
pub(crate) mod classes;
pub(crate) mod completions;
pub(crate) mod concordance;
pub(crate) mod convert;
pub(crate) mod correlate;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod lexicon;
pub(crate) mod manual;
pub(crate) mod merge_counts;
pub(crate) mod metric;
pub(crate) mod model;
pub(crate) mod parts;
pub(crate) mod phrases;
pub(crate) mod project;
pub(crate) mod reorder;
pub(crate) mod report;
pub(crate) mod sentence_align;
pub(crate) mod symmetrize;
pub(crate) mod train;
pub(crate) mod view;
