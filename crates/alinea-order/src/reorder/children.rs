//! The most frequent order of the children of a node (Visweswariah, Navratil, Sorensen, Chenthamarakshan and Kambhatla 2010,
//! *Syntax Based Reordering with Automatically Derived Rules for Improved Statistical Machine Translation*).
//!
//! A node is known by the labels of its parts, from left to right: its *sequence*. In training, each node whose parts have an order in the
//! translation counts for that order of its sequence; a new node takes the most frequent order of its sequence, if the
//! sequence was met often enough. If not, it is asked again with coarser labels, and at last pair by pair: the order with which most pairs of parts agree,
//! each with the share of the cases in which its two labels were exchanged.
//!
//! The labels of dependents are their relation and tag, of the head its tag; then the relation alone, without
//! its subtype; where there are no such layers, the tag. The labels of brackets are as they stand, then without what follows `-`
//! or `=`. The label of the node itself is part of the sequence.
//!
//! Parts that cannot be ordered, since a word of one stands between words of the other in the translation or since one has no links, are
//! put where the fewest pairs of words are in the wrong order, and otherwise stay.
//!
//! ```
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//! use alinea::reorder::children::{Children, ChildrenConfig};
//! use alinea::reorder::constituents::Constituents;
//! use alinea::reorder::example::Example;
//! use alinea::reorder::{Engine, Sentence};
//!
//! let sentence = |line: &str| -> alinea::error::Result<Sentence> {
//!     let words = alinea::reorder::brackets::words(line).expect("well formed").into_iter().map(str::to_owned).collect();
//!     Sentence::new(words).with_constituents(Constituents::of_brackets(line).expect("well formed"))
//! };
//! let example = Example::of_links(sentence("(S (NP I) (VP (VB see) (NP houses)))")?, [(0, 0), (1, 2), (2, 1)].into())?;
//! let config = ChildrenConfig::default();
//! let model = Children::train(&vec![example; 5], &config, &Parallelism::serial(), &Silent)?;
//! let order = model.engine().order(&sentence("(S (NP they) (VP (VB read) (NP books)))")?)?;
//! assert_eq!(order.places(), [0, 2, 1]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod labels;

use std::collections::BTreeMap;

use self::labels::{LEVELS, Labels};
use super::beliefs::Beliefs;
use super::constituents::{Constituents, Node};
use super::engine::{Engine, Sentence};
use super::example::{Example, pieces};
use super::precedence::Precedence;
use super::siblings::Arranger;
use crate::error::{ErrorKind, Result};
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::{Observer, check};
use crate::storage::{Container, ContainerWriter};

/// How a model is learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChildrenConfig {
    /// How often a sequence must be met, at least 1.
    pub least: u32,
    /// How many of these must have the most frequent order, from 0 to 1; otherwise coarser labels are asked.
    pub share: f64,
}

alinea_text::configurable!(ChildrenConfig);

impl Default for ChildrenConfig {
    fn default() -> Self {
        Self { least: 3, share: 0.8 }
    }
}

/// The most frequent orders.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Children {
    /// By the key of a sequence, its order, and the share of the cases in which it had it, as log odds.
    orders: BTreeMap<u64, (Vec<u8>, f32)>,
    /// By the key of two labels and that of their node, the share of the cases in which they were exchanged, as log odds.
    pairs: BTreeMap<u64, f32>,
}

/// What was counted of a sequence.
type Orders = BTreeMap<Vec<u8>, u32>;

/// Nodes with more parts are asked pair by pair.
const MOST_PARTS: usize = 16;

/// What a node taught.
struct Lesson {
    /// Keys of its sequence, level by level, and its order.
    sequence: Option<([u64; LEVELS], Vec<u8>)>,
    /// Keys of pairs of labels, and how probable it is that they are exchanged.
    pairs: Vec<(u64, f64)>,
}

impl Children {
    /// Learns a model. The same examples give the same model. Time is linear in the pairs of parts, but for nodes of many parts.
    ///
    /// # Errors
    /// `Inconsistent` if an example has no tree, or no node has an order; `Cancelled`.
    pub fn train(
        examples: &[Example],
        config: &ChildrenConfig,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let mut orders: BTreeMap<u64, Orders> = BTreeMap::new();
        let mut pairs: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
        let pieces = pieces(examples);
        observer.started("children", pieces.len() as u64);
        let lessons = |arranger: &mut Arranger, number: usize| lessons(&pieces[number], arranger);
        parallelism.map_ordered(pieces.len(), Arranger::default, lessons, |lessons| {
            for Lesson { sequence, pairs: taught } in lessons {
                for (key, exchanged) in taught {
                    let counts = pairs.entry(key).or_default();
                    counts[0] += 1.0 - exchanged;
                    counts[1] += exchanged;
                }
                let Some((keys, order)) = sequence else { continue };
                for key in keys {
                    *orders.entry(key).or_default().entry(order.clone()).or_default() += 1;
                }
            }
            observer.advance(1);
            check(observer)
        })?;
        if pairs.is_empty() {
            let message = "nothing to learn from: no two siblings have a known order".to_owned();
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let orders: BTreeMap<u64, (Vec<u8>, f32)> =
            orders.into_iter().filter_map(|(key, counts)| Some((key, config.choose(counts)?))).collect();
        observer.finished(&format!("{} sequences", orders.len()));
        Ok(Self { orders, pairs: pairs.into_iter().map(|(key, counts)| (key, log_odds(counts))).collect() })
    }

    /// The number of sequences, on all levels.
    pub fn sequences(&self) -> usize {
        self.orders.len()
    }

    /// The number of sequences and pairs, on all levels.
    pub fn features(&self) -> usize {
        self.orders.len() + self.pairs.len()
    }

    /// The model as an engine.
    pub fn engine(&self) -> ChildrenEngine<'_> {
        ChildrenEngine { model: self, arranger: Arranger::default() }
    }

    /// For each two parts of a node how probable it is that they are exchanged, as log odds: by the order of its sequence, or else
    /// pair by pair.
    fn weigh(&self, labels: &Labels, node: &Node, arranger: &mut Arranger) {
        let count = node.parts().len();
        if count <= MOST_PARTS
            && let Some((order, odds)) = labels.sequence(node).iter().find_map(|key| self.orders.get(key))
            && order.len() == count
        {
            for (place, &after) in order.iter().enumerate() {
                for &before in &order[..place] {
                    let (first, second) = (before.min(after), before.max(after));
                    let exchanged = if first == after { *odds } else { -odds };
                    arranger.set(second.into(), first.into(), exchanged.into());
                }
            }
            return;
        }
        for second in 1..count {
            for first in 0..second {
                let known = labels.pair(node, first, second).iter().find_map(|key| self.pairs.get(key));
                arranger.set(second, first, f64::from(known.copied().unwrap_or(0.0)));
            }
        }
    }

    /// Puts the model into a file; what is only numbers.
    pub(super) fn add_to(&self, writer: &mut ContainerWriter<'_>) {
        writer.add_owned("children.sequences", self.orders.keys().copied().collect::<Vec<u64>>());
        let orders = || self.orders.values().map(|(order, _)| order);
        writer.add_owned("children.lengths", orders().map(|order| order.len() as u32).collect::<Vec<u32>>());
        writer.add_owned("children.orders", orders().flatten().copied().collect::<Vec<u8>>());
        writer.add_owned("children.shares", self.orders.values().map(|&(_, odds)| odds).collect::<Vec<f32>>());
        writer.add_owned("children.pairs", self.pairs.keys().copied().collect::<Vec<u64>>());
        writer.add_owned("children.odds", self.pairs.values().copied().collect::<Vec<f32>>());
    }

    /// Reads a model that was put into a file.
    ///
    /// # Errors
    /// `Model` for a file that is not as it was written.
    pub(super) fn read(container: &Container) -> Result<Self> {
        let keys = container.section::<u64>("children.sequences")?;
        let lengths = container.section_of::<u32>("children.lengths", keys.len())?;
        let all = container.section::<u8>("children.orders")?;
        let shares = container.section_of::<f32>("children.shares", keys.len())?;
        let pairs = container.section::<u64>("children.pairs")?;
        let odds = container.section_of::<f32>("children.odds", pairs.len())?;
        let mut rest = &all[..];
        let mut orders = BTreeMap::new();
        let mut sound = odds.iter().chain(shares.iter()).all(|odds| odds.is_finite());
        for ((&key, &length), &share) in keys.iter().zip(lengths.iter()).zip(shares.iter()) {
            let Some((order, behind)) = rest.split_at_checked(length as usize) else {
                sound = false;
                break;
            };
            rest = behind;
            sound &= Permutation::from_order(&order.iter().map(|&part| u32::from(part)).collect::<Vec<_>>()).is_ok();
            sound &= orders.insert(key, (order.to_vec(), share)).is_none();
        }
        if !sound || !rest.is_empty() {
            return Err(container.error("orders of children".to_owned(), "others".to_owned()));
        }
        Ok(Self { orders, pairs: pairs.iter().copied().zip(odds.iter().copied()).collect() })
    }
}

impl ChildrenConfig {
    /// The most frequent order, of equally frequent ones that which is nearest to the source's; none if it is not frequent enough.
    fn choose(&self, counts: Orders) -> Option<(Vec<u8>, f32)> {
        let sum: u32 = counts.values().sum();
        // Of equal ones the last counts, so the first comes last.
        let (order, count) = counts.into_iter().rev().max_by_key(|&(_, count)| count)?;
        let chosen = sum >= self.least && f64::from(count) >= self.share * f64::from(sum);
        // However many orders there are, this is the most probable.
        chosen.then(|| (order, log_odds([f64::from(sum - count), f64::from(count)]).max(LEAST_ODDS)))
    }
}

/// Of what was counted against something and for it; half a case each way keeps odds finite.
fn log_odds([against, for_it]: [f64; 2]) -> f32 {
    ((for_it + 0.5) / (against + 0.5)).ln() as f32
}

/// What the nodes of a sentence teach.
fn lessons(example: &Example, arranger: &mut Arranger) -> Result<Vec<Lesson>> {
    let tree = Constituents::of_sentence(example.sentence())?;
    let labels = Labels::new(example.sentence());
    let gold = example.precedence(0.0);
    tree.nodes()
        .iter()
        .filter(|node| node.parts().len() > 1)
        .map(|node| lesson(node, &labels, &gold, arranger))
        .collect()
}

fn lesson(node: &Node, labels: &Labels, gold: &Precedence, arranger: &mut Arranger) -> Result<Lesson> {
    let count = node.parts().len();
    let mut pairs = Vec::new();
    arranger.reset(count);
    for second in 1..count {
        for first in 0..second {
            let [kept, exchanged] = gold.between(node.parts()[first].range(), node.parts()[second].range());
            arranger.set(second, first, kept - exchanged);
            if kept + exchanged > LEAST_COST {
                let share = kept / (kept + exchanged);
                pairs.extend(labels.pair(node, first, second).into_iter().map(|key| (key, share)));
            }
        }
    }
    let sequence = if count > MOST_PARTS || pairs.is_empty() {
        None
    } else {
        let order = arranger.arrange()?.into_iter().map(|part| part as u8).collect();
        Some((labels.sequence(node), order))
    };
    Ok(Lesson { sequence, pairs })
}

/// What the most frequent order has at least, as log odds.
const LEAST_ODDS: f32 = 1e-3;

/// Below, nothing is known: sums of rectangles are exact only to rounding.
const LEAST_COST: f64 = 1e-6;

/// A model in use.
#[derive(Debug)]
pub struct ChildrenEngine<'m> {
    model: &'m Children,
    arranger: Arranger,
}

impl ChildrenEngine<'_> {
    /// The pairwise order marginals of the words: one is exchanged with another if the parts are that separate them. The order
    /// of a sequence is as probable as it was frequent, for each two of its parts.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a tree.
    pub fn beliefs(&mut self, sentence: &Sentence) -> Result<Beliefs> {
        let tree = Constituents::of_sentence(sentence)?;
        let labels = Labels::new(sentence);
        let Self { model, arranger } = self;
        Ok(arranger.beliefs(&tree, |arranger, node| model.weigh(&labels, node, arranger))?.0)
    }
}

impl Engine for ChildrenEngine<'_> {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        let tree = Constituents::of_sentence(sentence)?;
        let labels = Labels::new(sentence);
        let Self { model, arranger } = self;
        Permutation::from_order(&arranger.order(&tree, |arranger, node| model.weigh(&labels, node, arranger))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::reorder::engine::Layer;
    use crate::tree::{DependencyTree, Roots};

    fn example(relations: [&str; 3], places: [u32; 3]) -> Example {
        let layer = |tokens: [&str; 3]| tokens.map(str::to_owned).to_vec();
        let sentence = Sentence::new(layer(["a", "b", "c"]))
            .with_layer(Layer::Relations, layer(relations))
            .unwrap()
            .with_layer(Layer::Tags, layer(["X", "V", "Y"]))
            .unwrap()
            .with_tree(DependencyTree::new(vec![Some(1), None, Some(1)], Roots::One).unwrap())
            .unwrap();
        Example::of_places(sentence, places.map(Some).to_vec()).unwrap()
    }

    fn train(examples: &[Example]) -> Children {
        Children::train(examples, &ChildrenConfig::default(), &Parallelism::serial(), &Silent).unwrap()
    }

    fn order(model: &Children, relations: [&str; 3]) -> Vec<u32> {
        let order = model.engine().order(example(relations, [0, 1, 2]).sentence()).unwrap();
        order.inverse().places().to_vec()
    }

    #[test]
    fn the_most_frequent_order_is_taken() {
        let rare = example(["nsubj", "root", "obj"], [0, 1, 2]);
        let usual = example(["nsubj", "root", "obj"], [0, 2, 1]);
        let model = train(&[rare, usual.clone(), usual.clone(), usual.clone(), usual]);
        assert_eq!(order(&model, ["nsubj", "root", "obj"]), [0, 2, 1]);
        // The subtype is unknown, the coarser label is not.
        assert_eq!(order(&model, ["nsubj:pass", "root", "obj"]), [0, 2, 1]);
        // This sequence is unknown, but not that an object goes before its verb.
        assert_eq!(order(&model, ["advmod", "root", "obj"]), [0, 2, 1]);
        assert_eq!(order(&model, ["nsubj", "root", "obl"]), [0, 1, 2]);
    }

    #[test]
    fn orders_are_believed_in_as_they_are_frequent() {
        let rare = example(["nsubj", "root", "obj"], [0, 1, 2]);
        let usual = example(["nsubj", "root", "obj"], [0, 2, 1]);
        let model = train(&[rare, usual.clone(), usual.clone(), usual.clone(), usual.clone()]);
        let beliefs = model.engine().beliefs(usual.sentence()).unwrap();
        // Four cases of five, and half a case each way: 4.5 to 1.5.
        assert!((beliefs.before(2, 1) - 0.75).abs() < 1e-6, "{}", beliefs.before(2, 1));
        assert!((beliefs.before(0, 1) - 0.75).abs() < 1e-6 && (beliefs.before(0, 2) - 0.75).abs() < 1e-6);
        // An order weighs the product of its odds: 27 for the usual one, 9 or 3 with one or two pairs of three otherwise.
        let orders = [("usual", 27.0), ("0 1 2", 9.0), ("2 0 1", 9.0), ("1 0 2", 3.0), ("2 1 0", 3.0), ("1 2 0", 1.0)];
        let sum: f64 = orders.iter().map(|(_, weight)| weight).sum();
        // 2 directly before 1 in `0 2 1` and `2 1 0`.
        assert!((beliefs.next(2, 1) - 30.0 / sum).abs() < 1e-6, "{}", beliefs.next(2, 1));
    }

    #[test]
    fn equally_frequent_orders_leave_things_alone() {
        let [one, other] = [[0, 1, 2], [2, 1, 0]].map(|places| example(["a", "b", "c"], places));
        let model = train(&[one.clone(), other.clone(), one, other]);
        assert_eq!(order(&model, ["a", "b", "c"]), [0, 1, 2]);
    }

    #[test]
    fn models_are_read_as_written() {
        let model = train(&vec![example(["nsubj", "root", "obj"], [0, 2, 1]); 4]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        let write = |model: &Children| {
            let mut writer = ContainerWriter::new(String::new());
            model.add_to(&mut writer);
            writer.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
            Children::read(&Container::open(&path).unwrap())
        };
        assert_eq!(write(&model).unwrap(), model);
        let broken = Children { orders: [(1, (vec![0, 0], 1.0))].into(), ..model };
        assert!(write(&broken).unwrap_err().to_string().contains("expected orders of children"));
    }

    /// All pairs of these words would take 80 GB, of what a gold standard says of them 160.
    #[test]
    fn long_sentences_take_no_room_for_all_pairs() {
        const WORDS: usize = 100_000;
        let model = train(&vec![example(["nsubj", "root", "obj"], [0, 2, 1]); 4]);
        let column = |name: &str| vec![name.to_owned(); WORDS];
        let sentence = |heads: Vec<Option<u32>>| {
            let sentence = Sentence::new(column("a")).with_layer(Layer::Relations, column("obj")).unwrap();
            let sentence = sentence.with_layer(Layer::Tags, column("V")).unwrap();
            sentence.with_tree(DependencyTree::new(heads, Roots::One).unwrap()).unwrap()
        };
        // One node of all words stays as it is.
        let flat = sentence((0..WORDS as u32).map(|word| (word > 0).then_some(0)).collect());
        assert_eq!(model.engine().order(&flat).unwrap(), Permutation::identity(WORDS));
        let places: Vec<Option<u32>> = (0..WORDS as u32).rev().map(Some).collect();
        let example = Example::of_places(flat, places).unwrap();
        assert!(example.says());
        // Nodes of two words do not.
        let chain = sentence((0..WORDS as u32).map(|word| word.checked_sub(1)).collect());
        assert_eq!(model.engine().order(&chain).unwrap().places()[..1], [WORDS as u32 - 1]);
    }

    #[test]
    fn without_orders_there_is_nothing_to_learn() {
        let sentence = example(["a", "b", "c"], [0, 1, 2]).sentence().clone();
        let silent = Example::of_places(sentence, vec![None; 3]).unwrap();
        let error =
            Children::train(&[silent], &ChildrenConfig::default(), &Parallelism::serial(), &Silent).unwrap_err();
        assert!(error.to_string().starts_with("nothing to learn from"), "{error}");
    }
}
