//! Word order by dependency paths: do words stand in the same relations as in the reference, and on the same side?
//!
//! **What it is.** The metric DERP of McCaffery (2017, *The mat sat on the cat*, sections 5.1 to 5.4.1). Two words of a
//! sentence are related by the path between them in the dependency tree: the [`Encoding`] of a path is the labels on the way
//! up, α if the path leads to the right and β if to the left, and the labels on the way down. Two words that are aligned
//! with two words of the other sentence give a pair of paths, and its *disparity*: the edit distance of the ways up, plus
//! that of the ways down, plus 1 for another direction. The aligned words with these as weights are the [`MetaGraph`]; its
//! least spanning tree relates each of them with all others, no two of them twice, and explains the differences in the
//! mildest way: where a noun is in the wrong place its determiner, which went with it, is not blamed once more.
//!
//! ```text
//! order = 1 - sum of L / sum of most      over the edges of the tree; L the disparity, and most the most that it could be
//! score = order × coverage^γ              coverage: harmonic mean of the aligned shares of both sentences
//! ```
//!
//! Without an aligned word the order is 0; where there is nothing to be in the wrong order it is 1: so a hypothesis of one
//! aligned word has order 1. With γ = 0, which is the default, the order alone counts, as in the thesis: with few aligned words
//! it is high by nature, so look at both ([`Metric::coverage`]), or set γ to 1. Of several references
//! that counts which gives the most. The score of a text is the mean over its sentences, or (`pooled`) 1 less the quotient
//! of the sums over all, times the mean coverage to the power of γ.
//!
//! **An example.** *a Sherlock becomes the detective* for *the detective is becoming a Sherlock Holmes*; `is` and `Holmes`
//! are not aligned.
//!
//! ```text
//!      DET   NSUBJ    AUX             DET  CMP  DOBJ          DET   NSUBJ          DET   DOBJ
//!      ┌─┐ ┌────────────┐             ┌─────────┐             ┌─┐ ┌────────┐       ┌─┐
//!     the detective is becoming       a  Sherlock Holmes       a Sherlock becomes the detective
//!                       └──────────────── DOBJ ───┘                        └── DOBJ ───┘
//!
//!     detective becoming   NSUBJ, α, –     and  DOBJ, β, –        2 of 2
//!     becoming a           –, α, DOBJ DET  and  –, β, NSUBJ DET   2 of 3
//!     a Sherlock           DET, α, CMP     and  DET, α, –         1 of 3
//!     the detective        DET, α, –       and  DET, α, –         0 of 2       order 1 - 5 / 10
//! ```
//!
//! What is printed of the example in the thesis leaves it open whether `a` depends on `Holmes`, as here, or on `Sherlock`:
//! then its tree has *becoming Sherlock* (3 of 3) and *a Sherlock* (0 of 2) in place of the two in the middle, and
//! the order is 1 - 5 / 9. All weights of the graph under both readings:
//!
//! ```text
//!                        a under Holmes   a under Sherlock
//!     the detective          0 of 2            0 of 2
//!     the becoming           2 of 3            2 of 3
//!     the a                  3 of 5            4 of 6
//!     the Sherlock           4 of 5            4 of 5
//!     detective becoming     2 of 2            2 of 2
//!     detective a            3 of 4            4 of 5
//!     detective Sherlock     4 of 4            4 of 4
//!     becoming a             2 of 3            3 of 4
//!     becoming Sherlock      3 of 3            3 of 3
//!     a Sherlock             1 of 3            0 of 2
//! ```
//!
//! ```
//! use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
//! use alinea::metric::labeled_tree::Relations;
//! use alinea::tree::{DependencyTree, Roots};
//!
//! let mut relations = Relations::default();
//! let mut tree = |heads: &[u32], names: &[&str]| {
//!     let heads = heads.iter().map(|head| head.checked_sub(1)).collect();
//!     DependencyTree::new(heads, Roots::One).map(|tree| relations.label(tree, names))
//! };
//! let reference = ["DET", "NSUBJ", "AUX", "ROOT", "DET", "CMP", "DOBJ"];
//! let under_holmes = tree(&[2, 4, 4, 0, 7, 7, 4], &reference)?;
//! let under_sherlock = tree(&[2, 4, 4, 0, 6, 7, 4], &reference)?;
//! let hypothesis = tree(&[2, 3, 0, 5, 3], &["DET", "NSUBJ", "ROOT", "DET", "DOBJ"])?;
//! let links = [(0, 3), (1, 4), (3, 2), (4, 0), (5, 1)].into();
//!
//! let metric = DependencyPath::new(DependencyPathConfig::default())?;
//! let found = metric.compare(&under_holmes, &hypothesis, &links)?;
//! assert_eq!((found.cost, found.most, found.order), (5, 10, 0.5));
//! let found = metric.compare(&under_sherlock, &hypothesis, &links)?;
//! assert_eq!((found.cost, found.most), (5, 9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Which tree.** The graph is over the sentence none of whose words has two counterparts ([`Orientation`]); the other one
//! would give the same least weight. If both have such words the alignment is *relaxed*: an edge takes the counterparts that
//! make its weight the least, and words that share a counterpart are joined at no cost, which does not count as right order.
//!
//! **Sentences** of the [`Metric`] are strings as [parsed segments](crate::metric::parsed_segments) have them: lines of
//! CoNLL-U. Links between hypothesis and reference stand in a comment, or are [made](crate::metric::word_matching).

mod encoding;
mod explanation;
mod meta_graph;
mod prefix_distances;

use std::fmt;
use std::str::FromStr;

pub use self::encoding::{Disparity, Encoding, levenshtein};
pub use self::explanation::{ExplainedEdge, ExplainedPath, Explanation};
pub use self::meta_graph::{MetaGraph, PathPair, TieOrder};
use super::labeled_tree::LabeledTree;
use super::parsed_segments::{ParsedMeasurer, TreeScorer};
use super::word_matching::{MatchingConfig, WordMatcher};
use super::words::check_exponent;
use super::{Measurer, Metric, Signature};
use crate::alignment::Alignment;
use crate::error::{Error, ErrorKind, Result};

/// Which sentence's words are the nodes of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// The reference, unless only the hypothesis has no word with two counterparts.
    #[default]
    Auto,
    /// The reference.
    Reference,
    /// The hypothesis.
    Hypothesis,
}

impl Orientation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Reference, Self::Hypothesis];

    /// `auto`, `reference`, `hypothesis`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Reference => "reference",
            Self::Hypothesis => "hypothesis",
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Orientation {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|orientation| orientation.name() == name);
        found.ok_or_else(|| Error::config("orientation", name, "auto, reference, hypothesis"))
    }
}

/// Everything that decides a score.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DependencyPathConfig {
    /// Which of several least spanning trees is taken.
    pub tie_order: TieOrder,
    /// Which sentence's words are the nodes.
    pub orientation: Orientation,
    /// Whether words that are nodes may have several counterparts; if not, such alignments are refused.
    pub relaxed: bool,
    /// Whether `nmod:of` and `nmod` are two relations.
    pub subtypes: bool,
    /// γ, the exponent of the coverage; at least 0.
    pub coverage_exponent: f64,
    /// Whether the score of a text is computed from the sums over all sentences, instead of the mean of their scores.
    pub pooled: bool,
    /// How hypotheses without links are aligned.
    pub matching: MatchingConfig,
}

alinea_text::configurable!(DependencyPathConfig);

impl Default for DependencyPathConfig {
    fn default() -> Self {
        Self {
            tie_order: TieOrder::Local,
            orientation: Orientation::Auto,
            relaxed: true,
            subtypes: true,
            coverage_exponent: 0.0,
            pooled: false,
            matching: MatchingConfig::default(),
        }
    }
}

/// The metric.
#[derive(Debug)]
pub struct DependencyPath {
    config: DependencyPathConfig,
}

/// How a hypothesis compares with a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Whether the nodes of the graph are words of the hypothesis.
    pub exchanged: bool,
    /// The spanning tree, its edges by cost, the least first.
    pub edges: Vec<PathPair>,
    /// The sum of the costs of the edges.
    pub cost: u64,
    /// The most that they could cost.
    pub most: u64,
    /// 0 to 1.
    pub order: f64,
    /// 0 to 1.
    pub coverage: f64,
    /// 0 to 1.
    pub score: f64,
}

impl DependencyPath {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if the exponent of the coverage is negative or no finite number, or as
    /// [`MatchingConfig::validate`] has it.
    pub fn new(config: DependencyPathConfig) -> Result<Self> {
        check_exponent("coverage exponent", config.coverage_exponent)?;
        config.matching.validate()?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &DependencyPathConfig {
        &self.config
    }

    /// The graph of all path pairs of two trees whose relations are numbered alike, and whether its nodes are words of the
    /// hypothesis. `links` have words of the reference as their sources, words of the hypothesis as their targets.
    ///
    /// # Errors
    /// As [`MetaGraph::new`], and `Inconsistent` if nodes have several counterparts and may not.
    pub fn meta_graph(
        &self,
        reference: &LabeledTree,
        hypothesis: &LabeledTree,
        links: &Alignment,
    ) -> Result<(bool, MetaGraph)> {
        let [one_each, one_each_inverted] = [links.clone(), links.inverted()]
            .map(|links| links.links().windows(2).all(|pair| pair[0].source != pair[1].source));
        let exchanged = match self.config.orientation {
            Orientation::Auto => !one_each && one_each_inverted,
            Orientation::Reference => false,
            Orientation::Hypothesis => true,
        };
        let strict = if exchanged { one_each_inverted } else { one_each };
        if !strict && !self.config.relaxed {
            let side = if exchanged { "hypothesis" } else { "reference" };
            let message = format!("a word of the {side} has two counterparts, in {links}");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let graph = if exchanged {
            MetaGraph::new(hypothesis, reference, &links.inverted())?
        } else {
            MetaGraph::new(reference, hypothesis, links)?
        };
        Ok((exchanged, graph))
    }

    /// Compares two trees whose relations are numbered alike. `links` have words of the reference as their sources, words
    /// of the hypothesis as their targets. O(n² + links × depth² / 64).
    ///
    /// # Errors
    /// As [`meta_graph`](Self::meta_graph).
    pub fn compare(&self, reference: &LabeledTree, hypothesis: &LabeledTree, links: &Alignment) -> Result<Comparison> {
        let (exchanged, graph) = self.meta_graph(reference, hypothesis, links)?;
        let edges = graph.spanning_tree(self.config.tie_order);
        let [cost, most] = [|edge: &PathPair| edge.disparity.cost, |edge: &PathPair| edge.disparity.most]
            .map(|number| edges.iter().map(number).map(u64::from).sum::<u64>());
        let order = order(graph.nodes().is_empty(), cost, most);
        let coverage = coverage(links, reference.len(), hypothesis.len());
        let score = order * coverage.powf(self.config.coverage_exponent);
        Ok(Comparison { exchanged, edges, cost, most, order, coverage, score })
    }
}

fn order(nothing_aligned: bool, cost: u64, most: u64) -> f64 {
    match most {
        _ if nothing_aligned => 0.0,
        0 => 1.0,
        _ => 1.0 - cost as f64 / most as f64,
    }
}

/// The harmonic mean of the shares of aligned words.
fn coverage(links: &Alignment, reference: usize, hypothesis: usize) -> f64 {
    let sources = links.links().chunk_by(|one, other| one.source == other.source).count();
    let shares = [sources as f64 / reference as f64, links.targets().len() as f64 / hypothesis as f64];
    if links.is_empty() { 0.0 } else { 2.0 * shares[0] * shares[1] / (shares[0] + shares[1]) }
}

/// Numbers of a segment: score, order, coverage, cost, most, and 1.
const WIDTH: usize = 6;

impl Metric for DependencyPath {
    fn name(&self) -> String {
        "DPath".to_owned()
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        signature.push("tie", "t", config.tie_order.name());
        signature.push("nodes", "n", config.orientation.name());
        signature.push("relaxed", "r", if config.relaxed { "yes" } else { "no" });
        signature.push("subtypes", "su", if config.subtypes { "yes" } else { "no" });
        signature.push("gamma", "ga", config.coverage_exponent.to_string());
        signature.push("mean", "m", if config.pooled { "pooled" } else { "sentences" });
        config.matching.sign(&mut signature);
        signature
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        Box::new(ParsedMeasurer::new(self, WordMatcher::new(self.config.matching.clone()), self.config.subtypes))
    }

    fn score(&self, sums: &[f64]) -> f64 {
        let &[score, _, coverage, cost, most, segments] = sums else { return 0.0 };
        if segments <= 0.0 {
            0.0
        } else if self.config.pooled && most > 0.0 {
            (1.0 - cost / most) * (coverage / segments).powf(self.config.coverage_exponent)
        } else {
            score / segments
        }
    }

    fn details(&self, sums: &[f64]) -> String {
        let &[_, order, coverage, cost, most, segments] = sums else { return String::new() };
        let mean = |sum: f64| if segments > 0.0 { sum / segments } else { 0.0 };
        format!("order = {:.4} coverage = {:.4} cost = {cost} of {most}", mean(order), mean(coverage))
    }

    fn coverage(&self, sums: &[f64]) -> Option<f64> {
        let &[_, _, coverage, _, _, segments] = sums else { return None };
        (segments > 0.0 && self.config.coverage_exponent <= 0.0).then(|| coverage / segments)
    }
}

impl TreeScorer for &DependencyPath {
    const RELATIONS: bool = true;

    fn score(
        &mut self,
        [reference, hypothesis]: [&LabeledTree; 2],
        links: &Alignment,
        statistics: &mut [f64],
    ) -> Result<()> {
        let Comparison { score, order, coverage, cost, most, .. } = self.compare(reference, hypothesis, links)?;
        statistics.copy_from_slice(&[score, order, coverage, cost as f64, most as f64, 1.0]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for order in TieOrder::ALL {
            assert_eq!(order.to_string().parse::<TieOrder>().unwrap(), order);
        }
        for orientation in Orientation::ALL {
            assert_eq!(orientation.to_string().parse::<Orientation>().unwrap(), orientation);
        }
        let error = "best".parse::<TieOrder>().unwrap_err().to_string();
        assert_eq!(error, "tie order = best: must be local, generous, index");
        assert!("both".parse::<Orientation>().is_err());
    }

    #[test]
    fn the_exponent_is_checked() {
        let config = DependencyPathConfig { coverage_exponent: -1.0, ..DependencyPathConfig::default() };
        let error = DependencyPath::new(config).unwrap_err().to_string();
        assert_eq!(error, "coverage exponent = -1: must be finite numbers, at least 0");
    }
}
