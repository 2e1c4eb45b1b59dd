//! The metrics that compare trees, made of their settings.

use std::sync::Arc;

use alinea::metric::dependency_path::{
    DependencyPath, DependencyPathConfig, ExplainedEdge, ExplainedPath, Explanation,
};
use alinea::metric::meteor::Synonyms;
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::metric::word_matching::MatchingConfig;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use super::BoundMetric;
use super::words::bound;
use crate::align::natural;
use crate::error::to_python;
use crate::work::run;

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

/// What decides the score of dependency paths: order of ties, nodes, whether relaxed, whether with subtypes, exponent of the
/// coverage, whether pooled.
type Paths = (PyBackedStr, PyBackedStr, bool, bool, f64, bool);

fn dependency_path(settings: Paths, matching: Matching) -> PyResult<DependencyPath> {
    let (tie_order, nodes, relaxed, subtypes, coverage_exponent, pooled) = settings;
    let metric = DependencyPath::new(DependencyPathConfig {
        tie_order: tie_order.parse().map_err(to_python)?,
        orientation: nodes.parse().map_err(to_python)?,
        relaxed,
        subtypes,
        coverage_exponent,
        pooled,
        matching: self::matching(matching)?,
    });
    metric.map_err(to_python)
}

/// Dependency paths.
#[pyfunction]
pub(crate) fn dependency_path_metric(settings: Paths, matching: Matching) -> PyResult<BoundMetric> {
    bound(Ok(dependency_path(settings, matching)?))
}

/// Two words, from 0, how they are written, and the path between them.
type Path = ((u32, u32), (String, String), String);

/// The number of the reference; score, order and coverage; cost and the most that it could be; links; and for each edge
/// cost, most, and the paths.
type Explained = (usize, (f64, f64, f64), (u64, u64), Vec<(u32, u32)>, Vec<(u32, u32, Option<Path>, Option<Path>)>);

/// Why a sentence has its score by dependency paths.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn explain_dependency_paths(
    py: Python<'_>,
    settings: Paths,
    matching: Matching,
    hypothesis: PyBackedStr,
    references: Vec<PyBackedStr>,
) -> PyResult<Explained> {
    let metric = dependency_path(settings, matching)?;
    let references: Vec<&str> = references.iter().map(|reference| &**reference).collect();
    let found = run(py, |_| metric.explain_segment(&hypothesis, &references))?;
    let Explanation { reference, links, comparison, edges } = found;
    let links = links.iter().map(|link| (link.source, link.target)).collect();
    let path = |path: ExplainedPath| (path.words, path.forms, path.encoding);
    let edge = |edge: ExplainedEdge| {
        (edge.disparity.cost, edge.disparity.most, edge.reference.map(path), edge.hypothesis.map(path))
    };
    let scores = (comparison.score, comparison.order, comparison.coverage);
    Ok((reference, scores, (comparison.cost, comparison.most), links, edges.into_iter().map(edge).collect()))
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
