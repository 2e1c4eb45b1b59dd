//! The metrics that compare trees, made of their settings.

use std::sync::Arc;

use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
use alinea::metric::meteor::Synonyms;
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::metric::word_matching::MatchingConfig;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use super::BoundMetric;
use super::words::bound;
use crate::align::natural;
use crate::error::to_python;

/// How words without links are matched: whether by lemmas, by context, the beam, and sets of synonyms.
type Matching = (bool, bool, i64, Option<Vec<Vec<PyBackedStr>>>);

fn matching((lemmas, context, beam, sets): Matching) -> PyResult<MatchingConfig> {
    let synonyms = sets.map(|sets| {
        let mut synonyms = Synonyms::default();
        for set in sets {
            synonyms.insert(&set.iter().map(|word| &**word).collect::<Vec<_>>());
        }
        Arc::new(synonyms)
    });
    let beam = natural("beam", beam, 1, "1 or more").map_err(to_python)?;
    Ok(MatchingConfig { lemmas, context, beam, synonyms, ..MatchingConfig::default() })
}

/// Dependency paths.
#[pyfunction]
#[pyo3(signature = (*, tie_order, nodes, relaxed, subtypes, coverage_exponent, pooled, matching))]
pub(crate) fn dependency_path_metric(
    tie_order: &str,
    nodes: &str,
    relaxed: bool,
    subtypes: bool,
    coverage_exponent: f64,
    pooled: bool,
    matching: Matching,
) -> PyResult<BoundMetric> {
    bound(DependencyPath::new(DependencyPathConfig {
        tie_order: tie_order.parse().map_err(to_python)?,
        orientation: nodes.parse().map_err(to_python)?,
        relaxed,
        subtypes,
        coverage_exponent,
        pooled,
        matching: self::matching(matching)?,
    }))
}

/// Tree edit distance.
#[pyfunction]
#[pyo3(signature = (*, splice, head_leaf, relations, subtypes, pooled, matching))]
#[expect(clippy::fn_params_excessive_bools, reason = "they are the arguments of the Python function")]
pub(crate) fn tree_edit_metric(
    splice: bool,
    head_leaf: bool,
    relations: bool,
    subtypes: bool,
    pooled: bool,
    matching: Matching,
) -> PyResult<BoundMetric> {
    let matching = self::matching(matching)?;
    bound(TreeEdit::new(TreeEditConfig { splice, head_leaf, relations, subtypes, pooled, matching }))
}
