//! Tree edit distance: how many words of one dependency tree must be deleted, inserted or replaced to have the other?
//!
//! **What it is.** Trees are ordered: dependents stand as in the sentence. Two words are the same if they are linked, and
//! the distance is the least number of nodes to delete (their dependents move up), to insert and to replace, such that the
//! order of what is kept stays (Zhang and Shasha 1989). It is the idea of DTED (McCaffery and Nederhof 2016, *DTED:
//! Evaluation of Machine Translation Structure Using Dependency Parsing and Tree Edit Distance*), to judge word order alone;
//! of that only the abstract was at hand, so the variants are those of this library, and figures cannot be compared.
//!
//! ```text
//! score = 1 - distance / (nodes of the one tree + nodes of the other)        0 to 1
//! ```
//!
//! **Variants.** `splice` leaves out words that are not linked, whose dependents move up, so that they cost nothing. A tree
//! does not say where a head stands among its dependents: with `head_leaf` each head stands there once more, as a leaf.
//! With `relations` linked words whose relations differ are not the same.
//!
//! The hypothesis *a Sherlock becomes the detective* against *the detective is becoming a Sherlock Holmes*, see
//! [`dependency_path`](super::dependency_path), has distance 6 and score 0.5; spliced 4 and 0.6.
//!
//! ```
//! use alinea::metric::labeled_tree::Relations;
//! use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
//! use alinea::tree::{DependencyTree, Roots};
//!
//! let mut relations = Relations::default();
//! let mut tree = |heads: &[u32]| {
//!     let heads: Vec<Option<u32>> = heads.iter().map(|head| head.checked_sub(1)).collect();
//!     let names = vec!["dep"; heads.len()];
//!     DependencyTree::new(heads, Roots::One).map(|tree| relations.label(tree, &names))
//! };
//! let (reference, hypothesis) = (tree(&[2, 4, 4, 0, 7, 7, 4])?, tree(&[2, 3, 0, 5, 3])?);
//! let links = [(0, 3), (1, 4), (3, 2), (4, 0), (5, 1)].into();
//! let found = TreeEdit::new(TreeEditConfig::default())?.compare(&reference, &hypothesis, &links)?;
//! assert_eq!((found.distance, found.sizes, found.score), (6, [7, 5], 0.5));
//! let spliced = TreeEditConfig::default().with(|c| c.splice = true);
//! let found = TreeEdit::new(spliced)?.compare(&reference, &hypothesis, &links)?;
//! assert_eq!((found.distance, found.sizes, found.score), (4, [5, 5], 0.6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sentences of the [`Metric`] are strings as [parsed segments](crate::metric::parsed_segments) have them; of several
//! references that counts which gives the most, and the score of a text is the mean over its sentences, or (`pooled`) 1 less
//! the quotient of the sums over all.

mod distance;
mod ordered;

use self::distance::{cells, distance};
use self::ordered::{OrderedTree, matches};
use super::labeled_tree::LabeledTree;
use super::parsed_segments::{ParsedMeasurer, TreeScorer};
use super::word_matching::{MatchingConfig, WordMatcher};
use super::{Measurer, Metric, Signature};
use crate::alignment::Alignment;
use crate::error::{Error, Result};
use crate::limits;

/// Everything that decides a score.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
#[non_exhaustive]
pub struct TreeEditConfig {
    /// Whether words that are not linked are left out.
    pub splice: bool,
    /// Whether heads stand among their dependents once more.
    pub head_leaf: bool,
    /// Whether linked words must have the same relation.
    pub relations: bool,
    /// Whether `nmod:of` and `nmod` are two relations.
    pub subtypes: bool,
    /// Whether the score of a text is computed from the sums over all sentences, instead of the mean of their scores.
    pub pooled: bool,
    /// How hypotheses without links are aligned.
    pub matching: MatchingConfig,
}

alinea_text::configurable!(TreeEditConfig);

/// Whole trees, word order alone.
impl Default for TreeEditConfig {
    fn default() -> Self {
        let matching = MatchingConfig::default();
        Self { splice: false, head_leaf: false, relations: false, subtypes: true, pooled: false, matching }
    }
}

/// The metric.
#[derive(Debug)]
pub struct TreeEdit {
    config: TreeEditConfig,
}

/// How far two trees are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeDistance {
    /// The number of edits.
    pub distance: u32,
    /// The numbers of nodes, of the reference and the hypothesis.
    pub sizes: [usize; 2],
    /// 0 to 1; 1 for two trees without nodes.
    pub score: f64,
}

impl TreeEdit {
    /// The metric with these settings.
    ///
    /// # Errors
    /// As [`MatchingConfig::validate`].
    pub fn new(config: TreeEditConfig) -> Result<Self> {
        config.matching.validate()?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &TreeEditConfig {
        &self.config
    }

    /// Compares two trees whose relations are numbered alike. `links` have words of the reference as their sources, words
    /// of the hypothesis as their targets. O(n² min(depth, leaves)²) time, where depth counts first or last dependents only if
    /// they have others beside them, whichever takes less; O(n²) memory.
    ///
    /// # Errors
    /// `Inconsistent` for links to words that there are not; `OverLimit` for trees that take more than
    /// [`limits::TREE_EDIT_PAIRS`] or [`limits::TREE_EDIT_CELLS`].
    pub fn compare(
        &self,
        reference: &LabeledTree,
        hypothesis: &LabeledTree,
        links: &Alignment,
    ) -> Result<TreeDistance> {
        if let Some(link) = links.first_outside(reference.len(), hypothesis.len()) {
            return Err(Error::link_outside(link, "the trees", [reference.len(), hypothesis.len()], "words"));
        }
        let targets = links.targets();
        let kept = |word: u32| !self.config.splice || !links.of_source(word).is_empty();
        let kept_other = |word: u32| !self.config.splice || targets.binary_search(&word).is_ok();
        let [straight, turned] = [false, true].map(|turned| {
            let one = OrderedTree::new(reference, kept, self.config.head_leaf, turned);
            (one, OrderedTree::new(hypothesis, kept_other, self.config.head_leaf, turned))
        });
        let (one, other) =
            if cells(&turned.0, &turned.1) < cells(&straight.0, &straight.1) { turned } else { straight };
        limits::TREE_EDIT_PAIRS.check(one.leftmost.len() * other.leftmost.len())?;
        limits::TREE_EDIT_CELLS.check(cells(&one, &other))?;
        let same =
            |word: u32, candidate: u32| !self.config.relations || reference.label(word) == hypothesis.label(candidate);
        let distance = distance(&one, &other, &matches([&one, &other], links, same));
        let sizes = [one.nodes.len(), other.nodes.len()];
        let nodes = sizes.iter().sum::<usize>();
        let score = if nodes == 0 { 1.0 } else { 1.0 - f64::from(distance) / nodes as f64 };
        Ok(TreeDistance { distance, sizes, score })
    }
}

/// Numbers of a segment: score, distance, nodes of both trees, and 1.
const WIDTH: usize = 4;

impl Metric for TreeEdit {
    fn name(&self) -> String {
        "TreeEdit".to_owned()
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        let yes = |set: bool| if set { "yes" } else { "no" };
        signature.push("unaligned", "un", if config.splice { "splice" } else { "keep" });
        signature.push("headleaf", "hl", yes(config.head_leaf));
        signature.push("relations", "re", yes(config.relations));
        signature.push("subtypes", "su", yes(config.subtypes));
        signature.push("mean", "m", if config.pooled { "pooled" } else { "sentences" });
        config.matching.sign(&mut signature);
        signature
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        let matcher = WordMatcher::new(self.config.matching.clone());
        if self.config.relations {
            Box::new(ParsedMeasurer::new(WithRelations(self), matcher, self.config.subtypes))
        } else {
            Box::new(ParsedMeasurer::new(self, matcher, self.config.subtypes))
        }
    }

    fn score(&self, sums: &[f64]) -> f64 {
        let &[score, distance, nodes, segments] = sums else { return 0.0 };
        if segments <= 0.0 {
            0.0
        } else if self.config.pooled && nodes > 0.0 {
            1.0 - distance / nodes
        } else {
            score / segments
        }
    }

    fn details(&self, sums: &[f64]) -> String {
        let &[_, distance, nodes, _] = sums else { return String::new() };
        format!("distance = {distance} of {nodes}")
    }
}

impl TreeScorer for &TreeEdit {
    const RELATIONS: bool = false;

    fn score(
        &mut self,
        [reference, hypothesis]: [&LabeledTree; 2],
        links: &Alignment,
        statistics: &mut [f64],
    ) -> Result<()> {
        let TreeDistance { distance, sizes, score } = self.compare(reference, hypothesis, links)?;
        statistics.copy_from_slice(&[score, f64::from(distance), (sizes[0] + sizes[1]) as f64, 1.0]);
        Ok(())
    }
}

/// The metric where words must have relations.
struct WithRelations<'t>(&'t TreeEdit);

impl TreeScorer for WithRelations<'_> {
    const RELATIONS: bool = true;

    fn score(&mut self, trees: [&LabeledTree; 2], links: &Alignment, statistics: &mut [f64]) -> Result<()> {
        TreeScorer::score(&mut self.0, trees, links, statistics)
    }
}
