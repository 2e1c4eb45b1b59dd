//! Metrics of translations, made of their settings, their significance and correlation, and tokenizers by name.
//!
//! `bound_metric` has the class that counts and scores, and BLEU, chrF and TER; `words` and `trees` the functions that make the
//! others; `coefficients` agreement with human judgments.

mod bound_metric;
mod coefficients;
mod significance;
mod tokenizer;
mod trees;
mod words;

use std::path::PathBuf;

use alinea::error::Error;
use alinea::format::lines::{LineReader, Utf8};
use alinea::progress::check;
use pyo3::prelude::*;

pub(crate) use self::bound_metric::BoundMetric;
pub(crate) use self::coefficients::{correlate, correlation};
pub(crate) use self::significance::{bootstrap, bootstrap_scores, paired_bootstrap, paired_randomization};
pub(crate) use self::tokenizer::NamedTokenizer;
pub(crate) use self::trees::{
    dependency_path_metric, explain_dependency_paths, path_disparity, path_encoding, tree_edit_metric,
};
pub(crate) use self::words::{
    gleu_metric, lepor_metric, lr_metric, meteor_metric, nist_metric, order_metric, ribes_metric,
};
use crate::text::file;
use crate::work::{BATCH, run};

/// The lines of a file, plain or compressed.
#[pyfunction]
pub(crate) fn read_lines(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let path = file(path);
    run(py, move |observer| {
        let mut reader = LineReader::open(&path, Utf8::Strict)?;
        let mut lines = Vec::new();
        while let Some(line) = reader.read()? {
            lines.push(line.to_owned());
            if lines.len() % BATCH == 0 {
                check(observer)?;
            }
        }
        Ok::<_, Error>(lines)
    })
}
