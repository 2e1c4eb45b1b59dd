//! The metrics that compare dependency trees, made of their settings: dependency paths and tree edit distance.
//!
//! Both take all their settings, since the defaults are those of the Python classes, and among them how words without
//! given links are matched. Segments are strings: the lines of a sentence in CoNLL-U, with its links, if they are
//! known, in a comment.
//!
//! `explain_dependency_paths` says why a segment has its score: the reference that was taken, score, order and
//! coverage, the links, and the edges of the spanning tree, or of the whole graph, with the costs of their path pairs.
//! `path_encoding` and `path_disparity` give the parts of the definition: the labels of a path up and down with its
//! direction, and the cost of a pair of paths with the most that it could be.

use std::collections::BTreeMap;
use std::sync::Arc;

use alinea::error::ErrorKind;
use alinea::format::conllu;
use alinea::metric::dependency_path::{
    DependencyPath, DependencyPathConfig, Disparity, Encoding, ExplainedEdge, ExplainedPath, Explanation,
};
use alinea::metric::labeled_tree::Relations;
use alinea::metric::meteor::Synonyms;
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::metric::word_matching::MatchingConfig;
use alinea::tree::Roots;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use super::bound_metric::BoundMetric;
use crate::arguments::natural;
use crate::error::to_python;
use crate::work::run;

/// How words without links are matched.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Matching {
    lemmas: bool,
    context: bool,
    beam: i64,
    /// Sets of words.
    synonyms: Option<Vec<Vec<PyBackedStr>>>,
}

fn matching(given: Matching) -> PyResult<MatchingConfig> {
    let Matching { lemmas, context, beam, synonyms } = given;
    let synonyms = synonyms.map(|sets| {
        let mut synonyms = Synonyms::default();
        for set in sets {
            synonyms.insert(&set.iter().map(|word| &**word).collect::<Vec<_>>());
        }
        Arc::new(synonyms)
    });
    let beam = natural("beam", beam, 1, "1 or more").map_err(to_python)?;
    Ok(MatchingConfig::default().with(|c| {
        c.lemmas = lemmas;
        c.context = context;
        c.beam = beam;
        c.synonyms = synonyms;
    }))
}

/// What decides the score of dependency paths.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PathSettings {
    tie_order: PyBackedStr,
    nodes: PyBackedStr,
    relaxed: bool,
    subtypes: bool,
    coverage_exponent: f64,
    pooled: bool,
}

fn dependency_path(settings: PathSettings, matching: Matching) -> PyResult<DependencyPath> {
    let PathSettings { tie_order, nodes, relaxed, subtypes, coverage_exponent, pooled } = settings;
    let tie_order = tie_order.parse().map_err(to_python)?;
    let orientation = nodes.parse().map_err(to_python)?;
    let matching = self::matching(matching)?;
    let metric = DependencyPath::new(DependencyPathConfig::default().with(|c| {
        c.tie_order = tie_order;
        c.orientation = orientation;
        c.relaxed = relaxed;
        c.subtypes = subtypes;
        c.coverage_exponent = coverage_exponent;
        c.pooled = pooled;
        c.matching = matching;
    }));
    metric.map_err(to_python)
}

/// Dependency paths.
#[pyfunction]
pub(crate) fn dependency_path_metric(settings: PathSettings, matching: Matching) -> PyResult<BoundMetric> {
    BoundMetric::new(Ok(dependency_path(settings, matching)?))
}

/// Two words, from 0, how they are written, and the path between them.
type Path = ((u32, u32), (String, String), String);

/// The number of the reference; score, order and coverage; cost and the most that it could be; links; and for each edge
/// cost, most, whether it is in the spanning tree, and the paths.
type Explained = (usize, (f64, f64, f64), (u64, u64), Vec<(u32, u32)>, Vec<Edge>);

type Edge = (u32, u32, bool, Option<Path>, Option<Path>);

/// Why a sentence has its score by dependency paths: the edges of the spanning tree, or of the whole graph.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn explain_dependency_paths(
    py: Python<'_>,
    settings: PathSettings,
    matching: Matching,
    hypothesis: PyBackedStr,
    references: Vec<PyBackedStr>,
    graph: bool,
) -> PyResult<Explained> {
    let metric = dependency_path(settings, matching)?;
    let references: Vec<&str> = references.iter().map(|reference| &**reference).collect();
    let found = run(py, |_| {
        if graph {
            metric.explain_segment_graph(&hypothesis, &references)
        } else {
            metric.explain_segment(&hypothesis, &references)
        }
    })?;
    let Explanation { reference, links, comparison, edges } = found;
    let links = links.iter().map(|link| (link.source, link.target)).collect();
    let path = |path: ExplainedPath| (path.words, path.forms, path.encoding);
    let edge = |edge: ExplainedEdge| {
        let (one, other) = (edge.reference.map(path), edge.hypothesis.map(path));
        (edge.disparity.cost, edge.disparity.most, edge.spanning, one, other)
    };
    let scores = (comparison.score, comparison.order, comparison.coverage);
    Ok((reference, scores, (comparison.cost, comparison.most), links, edges.into_iter().map(edge).collect()))
}

/// The labels of a path on the way up, whether it leads to the right, and the labels on the way down.
type Encoded = (Vec<String>, bool, Vec<String>);

/// The path between two words, from 0, of a sentence in CoNLL-U.
#[pyfunction]
pub(crate) fn path_encoding(sentence: &str, first: i64, last: i64) -> PyResult<Encoded> {
    let found = conllu::parse(sentence, "sentence", Roots::Many).map_err(to_python)?;
    let [sentence] = found.as_slice() else {
        let message = format!("sentence: expected one sentence, not {}", found.len());
        return Err(to_python(ErrorKind::Inconsistent(message).into()));
    };
    let mut relations = Relations::default();
    let tree = relations.of_sentence(sentence).map_err(to_python)?;
    let word = |name: &'static str, word: i64| {
        let inside = u32::try_from(word).ok().filter(|&word| (word as usize) < tree.len());
        inside.ok_or_else(|| {
            let message = format!("{name} = {word}: the sentence has the words 0 to {}", tree.len() - 1);
            to_python(ErrorKind::Inconsistent(message).into())
        })
    };
    let found = Encoding::of(&tree, word("first", first)?, word("last", last)?);
    let names = |labels: &[u32]| labels.iter().map(|&label| relations.name(label).to_owned()).collect();
    Ok((names(&found.up), found.rightward, names(&found.down)))
}

/// How different two paths are, and the most that they could be.
#[pyfunction]
pub(crate) fn path_disparity(one: Encoded, other: Encoded) -> (u32, u32) {
    let mut numbers = BTreeMap::new();
    let [one, other] = [one, other].map(|(up, rightward, down)| {
        let mut number = |labels: Vec<String>| -> Vec<u32> {
            let number = |label| {
                let next = numbers.len() as u32;
                *numbers.entry(label).or_insert(next)
            };
            labels.into_iter().map(number).collect()
        };
        Encoding { up: number(up), rightward, down: number(down) }
    });
    let Disparity { cost, most } = one.disparity(&other);
    (cost, most)
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
    BoundMetric::new(TreeEdit::new(TreeEditConfig::default().with(|c| {
        c.splice = splice;
        c.head_leaf = head_leaf;
        c.relations = relations;
        c.subtypes = subtypes;
        c.pooled = pooled;
        c.matching = matching;
    })))
}
