//! Sibling swaps: which of two siblings comes first (Jehl, de Gispert, Hopkins and Byrne 2014, *Source-side Preordering for
//! Translation using Logistic Regression and Depth-first Branch-and-Bound Search*).
//!
//! The parts of a node, its dependents with all below them and its own word, are put into an order, node by node. For each
//! two parts a logistic regression says how probable it is that they are exchanged; the order of a node is that with the
//! greatest sum of log odds over its pairs, found exactly up to eight parts. It is learned from the pairs of all nodes: what of
//! the words of the one and of the other is in the wrong order if they stay, and what if they are exchanged
//! ([`Precedence`](super::precedence::Precedence)), decides which is right. Pairs of which nothing is known teach nothing.
//!
//! Trees are those of [`Constituents`]: dependencies, or brackets. What features look at are [`SiblingsConfig::templates`].
//!
//! Differences from the paper: search is a program over subsets in place of branch and bound, and weights have a
//! Gaussian prior; a pair counts as much as the root of the number of pairs of words that it decides; where arcs cross, words
//! are moved up in the tree.
//!
//! ```
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//! use alinea::reorder::engine::Layer;
//! use alinea::reorder::example::Example;
//! use alinea::reorder::siblings::{Siblings, SiblingsConfig, SiblingsSearch};
//! use alinea::reorder::{Engine, Sentence};
//! use alinea::tree::{DependencyTree, Roots};
//!
//! // The object goes before its verb.
//! let sentence = |words: [&str; 3]| -> alinea::error::Result<Sentence> {
//!     let relations = ["nsubj", "root", "obj"].map(str::to_owned).to_vec();
//!     let tree = DependencyTree::new(vec![Some(1), None, Some(1)], Roots::One).expect("a tree");
//!     Sentence::new(words.map(str::to_owned).to_vec()).with_layer(Layer::Relations, relations)?.with_tree(tree)
//! };
//! let links = [(0, 0), (1, 2), (2, 1)].into();
//! let examples = vec![Example::of_links(sentence(["I", "see", "houses"])?, links)?; 9];
//! let config = SiblingsConfig::new(&["relations".parse()?]);
//! let model = Siblings::train(&examples, &config, None, &Parallelism::serial(), &Silent)?;
//! let order = model.engine(SiblingsSearch::Best).order(&sentence(["they", "read", "books"])?)?;
//! assert_eq!(order.places(), [0, 2, 1]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod arrange;
mod pairs;
mod posterior;
mod template;

pub(super) use self::arrange::Arranger;
use self::pairs::Pairs;
use self::template::Templates;
use super::beliefs::{Beliefs, Decision};
use super::constituents::{Constituents, Node};
use super::engine::{Engine, Sentence, by_stretches};
use super::example::{Example, pieces, shuffled};
use super::feature_weights::FeatureWeights;
use super::features::Column;
pub use super::logistic::LogisticConfig;
use super::logistic::LogisticLearner;
use crate::error::{ErrorKind, Result};
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::{Observer, check};
use crate::storage::{Container, ContainerWriter};

/// How a model is learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SiblingsConfig {
    /// What features look at.
    pub columns: Vec<Column>,
    /// The features: conjunctions such as `side&a.relations&b.relations&h.tags`, where `a` and `b` are the siblings in the order of
    /// the source, `h` the word of the node and `g` that of the node above; `a<` and `a>` are the first and the last word
    /// of `a`, `before`, `between` and `after` the words of the parts around. Beside columns there are `a.label`, `b.label` and
    /// `h.label` of brackets, `side` (where the word of the node is), `distance`, `punctuation`, `parts`, `lengths` and
    /// `longer`. A template is left out of a pair for which one of its words is not known.
    pub templates: Vec<String>,
    /// How weights are learned.
    pub learning: LogisticConfig,
}

alinea_text::configurable!(SiblingsConfig);

impl SiblingsConfig {
    /// The features that can be had from these columns.
    pub fn new(columns: &[Column]) -> Self {
        let templates = template::standard(columns);
        Self { columns: columns.to_vec(), templates, learning: LogisticConfig::default() }
    }

    /// The same for trees of two parts a node, neither of which is the head, as [`induction`](super::induction) finds them.
    pub fn of_bracketings(columns: &[Column]) -> Self {
        Self { templates: template::bracketing(columns), ..Self::new(columns) }
    }
}

/// How the order of a sentence is found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum SiblingsSearch {
    /// Node by node the best order of its parts.
    #[default]
    Best,
    /// From there, that with the highest expected scores.
    Consensus(Decision),
}

/// A model of siblings.
#[derive(Debug)]
pub struct Siblings {
    columns: Vec<Column>,
    texts: Vec<String>,
    templates: Templates,
    weights: FeatureWeights<1>,
}

/// What a sentence teaches: the features of pairs, one behind the other, where those of each end, how probable it is that they
/// are exchanged, and how much they count.
#[derive(Default)]
struct Lesson {
    keys: Vec<u64>,
    pairs: Vec<(usize, f64, f64)>,
}

impl Siblings {
    /// Learns a model, from the weights of `start` if there is one. The same examples give the same model, whatever the number of
    /// threads.
    ///
    /// # Errors
    /// `Config` for templates that are none, `Inconsistent` if an example lacks a layer or a tree, or none says
    /// anything of siblings, `Cancelled`.
    pub fn train(
        examples: &[Example],
        config: &SiblingsConfig,
        start: Option<&Self>,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let templates = Templates::parse(&config.templates, &config.columns)?;
        let mut learner = LogisticLearner::new(&config.learning, start.map(|start| &start.weights));
        let pieces = pieces(examples);
        for pass in 1..=config.learning.passes.max(1) {
            let order = shuffled(pieces.len(), pass as u64);
            observer.started(&format!("pass {pass}"), pieces.len() as u64);
            let (mut lost, mut pairs) = (0.0, 0);
            let teach = |lesson: Lesson| {
                let mut start = 0;
                for (end, exchanged, weight) in lesson.pairs {
                    lost += learner.visit(&lesson.keys[start..end], exchanged, weight);
                    start = end;
                    pairs += 1;
                }
                observer.advance(1);
                check(observer)
            };
            let lesson = |(): &mut (), place: usize| lesson(&pieces[order[place]], &templates, &config.columns);
            parallelism.map_ordered(order.len(), || (), lesson, teach)?;
            if pairs == 0 {
                let message = "nothing to learn from: no two siblings have a known order".to_owned();
                return Err(ErrorKind::Inconsistent(message).into());
            }
            observer.finished(&format!("{:.3} nats a pair of siblings", lost / f64::from(pairs)));
        }
        let weights = learner.finish();
        Ok(Self { columns: config.columns.clone(), texts: config.templates.clone(), templates, weights })
    }

    /// What features look at.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.weights.len()
    }

    /// For each two parts of a node how probable it is that they are exchanged, as log odds.
    fn weigh(&self, pairs: &Pairs<'_>, node: &Node, arranger: &mut Arranger, keys: &mut Vec<u64>) {
        for second in 1..node.parts().len() {
            for first in 0..second {
                pairs.keys(node, first, second, keys);
                arranger.set(second, first, self.weights.log_odds(keys));
            }
        }
    }

    /// The buffers of a thread.
    pub fn engine(&self, search: SiblingsSearch) -> SiblingsEngine<'_> {
        SiblingsEngine { model: self, search, arranger: Arranger::default(), keys: Vec::new() }
    }

    /// Puts the model into a file; what is only numbers.
    pub(super) fn add_to(&self, writer: &mut ContainerWriter<'_>) {
        self.weights.add_to("siblings", writer);
    }

    /// The columns and templates, for the text of a file.
    pub fn description(&self) -> (Vec<String>, Vec<String>) {
        (self.columns.iter().map(Column::to_string).collect(), self.texts.clone())
    }

    /// Reads a model that was put into a file.
    ///
    /// # Errors
    /// `Config` for columns or templates that are none, `Model` for a file that is not as it was written.
    pub(super) fn read(container: &Container, columns: &[String], templates: &[String]) -> Result<Self> {
        let columns = columns.iter().map(|column| column.parse()).collect::<Result<Vec<Column>>>()?;
        let parsed = Templates::parse(templates, &columns)?;
        let weights = FeatureWeights::read("siblings", container)?;
        Ok(Self { columns, texts: templates.to_vec(), templates: parsed, weights })
    }
}

fn lesson(example: &Example, templates: &Templates, columns: &[Column]) -> Result<Lesson> {
    let sentence = example.sentence();
    let tree = Constituents::of_sentence(sentence)?;
    let pairs = Pairs::new(templates, columns, sentence, &tree)?;
    let gold = example.precedence(0.0);
    let mut lesson = Lesson::default();
    let mut keys = Vec::new();
    for node in tree.nodes() {
        for second in 1..node.parts().len() {
            for first in 0..second {
                let [kept, exchanged] = gold.between(node.parts()[first].range(), node.parts()[second].range());
                let sum = kept + exchanged;
                if sum > LEAST_COST {
                    pairs.keys(node, first, second, &mut keys);
                    lesson.keys.extend_from_slice(&keys);
                    lesson.pairs.push((lesson.keys.len(), kept / sum, sum.sqrt()));
                }
            }
        }
    }
    Ok(lesson)
}

/// Below, nothing is known: sums of rectangles are exact only to rounding.
const LEAST_COST: f64 = 1e-6;

/// A model in use.
#[derive(Debug)]
pub struct SiblingsEngine<'m> {
    model: &'m Siblings,
    search: SiblingsSearch,
    arranger: Arranger,
    keys: Vec<u64>,
}

impl SiblingsEngine<'_> {
    /// The pairwise order marginals of the words: one is exchanged with another if the siblings are that separate them.
    /// That one follows the other directly is as probable as the exponentials of the scores of orders make it.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer or a tree.
    pub fn beliefs(&mut self, sentence: &Sentence) -> Result<Beliefs> {
        Ok(self.believe(sentence)?.0)
    }

    /// Also the best order, node by node.
    pub(super) fn believe(&mut self, sentence: &Sentence) -> Result<(Beliefs, Vec<u32>)> {
        let tree = Constituents::of_sentence(sentence)?;
        let Self { model, arranger, keys, .. } = self;
        let pairs = Pairs::new(&model.templates, &model.columns, sentence, &tree)?;
        arranger.beliefs(&tree, |arranger, node| model.weigh(&pairs, node, arranger, keys))
    }

    fn best(&mut self, sentence: &Sentence) -> Result<Vec<u32>> {
        let tree = Constituents::of_sentence(sentence)?;
        let Self { model, arranger, keys, .. } = self;
        let pairs = Pairs::new(&model.templates, &model.columns, sentence, &tree)?;
        arranger.order(&tree, |arranger, node| model.weigh(&pairs, node, arranger, keys))
    }
}

impl Engine for SiblingsEngine<'_> {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        if sentence.len() < 2 {
            return Ok(Permutation::identity(sentence.len()));
        }
        match self.search {
            SiblingsSearch::Best => Permutation::from_order(&self.best(sentence)?),
            SiblingsSearch::Consensus(decision) => {
                let [order] = by_stretches(sentence, |piece| {
                    let (beliefs, best) = self.believe(piece)?;
                    Ok([beliefs.decide(best, decision)?])
                })?;
                Ok(order)
            }
        }
    }
}

#[cfg(test)]
mod tests;
