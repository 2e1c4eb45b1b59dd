//! What learning saves, with a gold standard in the place of the annotator.
//!
//! The annotator takes the sentences in an [`Order`], and corrects the suggestions until all sure links are there and no link that is not
//! even possible, one source word after another: links that are missing first, then those that are wrong. A correction is a link added
//! or removed. They are counted with suggestions that learn and without ([`Corrections`]). What learning does for the sentences
//! that are left is their AER.

use std::collections::BTreeSet;

use super::learner::{Learner, Teaching};
use super::queue::{Queue, QueueWeights};
use super::suggestions::Suggestions;
use crate::alignment::{AnnotatedWords, GoldAlignment, Link};
use crate::error::{Error, Result};
use crate::evaluate::{Counts, Options};
use crate::numeric::Generator;
use crate::parallel::Work;
use crate::progress::check;

/// Which sentence comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// As the text stands.
    Text,
    /// At random, with this seed.
    Random(u64),
    /// The one that teaches most.
    Queue(QueueWeights),
}

/// How annotation is simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simulation {
    /// Which sentence comes next.
    pub order: Order,
    /// What is learned from.
    pub teaching: Teaching,
    /// How many sentences are confirmed between two trainings.
    pub batch: usize,
    /// How many sentences are confirmed in all.
    pub sentences: usize,
}

/// What was done when so many sentences were confirmed.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulationPoint {
    /// The sentences, in the order in which they were confirmed.
    pub confirmed: Vec<usize>,
    /// The words of both sides of these.
    pub words: u64,
    /// Links that were added or removed.
    pub corrections: Corrections,
    /// The links of all other sentences by suggestions that learn, counted by sentence.
    pub rest: Vec<(usize, Counts)>,
    /// Those of the same sentences by suggestions made before the first.
    pub rest_before: Vec<(usize, Counts)>,
}

/// Links that were added or removed in the confirmed sentences, by what was suggested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Corrections {
    /// What was learned from all sentences before, and from the links of the sentence that were already made by hand.
    pub learning: u64,
    /// What was learned from all sentences before.
    pub between_sentences: u64,
    /// What was suggested before the first sentence.
    pub fixed: u64,
    /// Nothing: every sure link is one.
    pub nothing: u64,
}

impl Simulation {
    /// Runs it on a text with gold links, of which the learner must know. A point before the first sentence, and one after each
    /// training.
    ///
    /// Time for a training a batch.
    ///
    /// # Errors
    /// `UnequalLengths` if there are more or fewer gold links than pairs; `Config` for a batch of no sentence; those of
    /// [`Learner::suggest`].
    pub fn run(&self, learner: &mut Learner, gold: &[GoldAlignment], work: Work<'_>) -> Result<Vec<SimulationPoint>> {
        let pairs = learner.data().pairs();
        if gold.len() != pairs {
            return Err(Error::unequal_lengths("text", pairs as u64, "gold", gold.len() as u64));
        }
        if self.batch == 0 {
            return Err(Error::config("batch", self.batch, "1 or more"));
        }
        let options = Options::default().with(|options| options.annotated_only = self.teaching.annotated_only);
        let before = learner.suggest(&[], self.teaching, work)?;
        let counts = |suggestions: &Suggestions, n: usize| options.count(&gold[n], &suggestions.links(n));
        let rest = |suggestions: &Suggestions, done: &BTreeSet<usize>| {
            (0..pairs).filter(|n| !done.contains(n)).map(|n| (n, counts(suggestions, n))).collect::<Vec<_>>()
        };
        let mut now = before.clone();
        let mut done = BTreeSet::new();
        let mut point = SimulationPoint {
            confirmed: Vec::new(),
            words: 0,
            corrections: Corrections::default(),
            rest: rest(&now, &done),
            rest_before: rest(&before, &done),
        };
        let mut points = vec![point.clone()];
        let order = self.order_of(pairs);
        while point.confirmed.len() < self.sentences.min(pairs) {
            check(work.observer)?;
            let number = self.batch.min(self.sentences.min(pairs) - point.confirmed.len());
            let chosen: Vec<usize> = match (self.order, &order) {
                (Order::Queue(weights), _) => {
                    Queue::new(learner.data().text().bitext(), &now, &done, weights).take(number).collect()
                }
                (_, order) => order[point.confirmed.len()..][..number].to_vec(),
            };
            for n in chosen {
                point.corrections.learning += corrections(&now, n, &gold[n], self.teaching.annotated_only);
                point.corrections.between_sentences += counts(&now, n).errors();
                point.corrections.fixed += counts(&before, n).errors();
                point.corrections.nothing += gold[n].sure().len() as u64;
                point.words += learner.data().text().pair(n).lengths().iter().sum::<usize>() as u64;
                point.confirmed.push(n);
                done.insert(n);
            }
            let known: Vec<_> = done.iter().map(|&n| (n, gold[n].clone())).collect();
            now = learner.suggest(&known, self.teaching, work)?;
            (point.rest, point.rest_before) = (rest(&now, &done), rest(&before, &done));
            points.push(point.clone());
        }
        Ok(points)
    }

    /// All pairs in an order that nothing changes; as the text stands for the queue.
    fn order_of(&self, pairs: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..pairs).collect();
        if let Order::Random(seed) = self.order {
            shuffle(&mut order, &mut Generator::new(seed, 0));
        }
        order
    }
}

/// How many links of a sentence are corrected, one after another, if suggestions follow.
fn corrections(suggestions: &Suggestions, n: usize, gold: &GoldAlignment, annotated_only: bool) -> u64 {
    let annotated = annotated_only.then(|| AnnotatedWords::of(gold.possible()));
    let is_judged = |link: Link| annotated.as_ref().is_none_or(|words| words.both(link));
    let (mut made, mut removed) = (Vec::new(), BTreeSet::new());
    loop {
        let mut links: BTreeSet<Link> = suggestions.links_beside(n, &made).iter().collect();
        links.extend(&made);
        links.retain(|link| !removed.contains(link));
        let missing = gold.sure().iter().filter(|link| !links.contains(link)).map(|link| (link.source, 0, link.target));
        let is_wrong = |link: Link| is_judged(link) && !gold.possible().contains(link);
        let wrong = links.iter().filter(|&&link| is_wrong(link)).map(|link| (link.source, 1, link.target));
        match missing.chain(wrong).min() {
            Some((source, 0, target)) => made.push(Link::new(source, target)),
            Some((source, _, target)) => _ = removed.insert(Link::new(source, target)),
            None => return (made.len() + removed.len()) as u64,
        }
    }
}

/// Fisher and Yates.
fn shuffle(order: &mut [usize], generator: &mut Generator) {
    for last in (1..order.len()).rev() {
        let bound = std::num::NonZeroU64::MIN.saturating_add(last as u64);
        order.swap(last, generator.below(bound) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::WeightedLink;

    #[test]
    fn a_link_that_takes_the_words_of_a_wrong_one_is_one_correction() {
        let suggested = |cells: &[((u32, u32), f32)]| {
            let cells = cells.iter().map(|&((s, t), weight)| WeightedLink { link: Link::new(s, t), weight });
            Suggestions { threshold: 0.5, cells: vec![cells.collect()], ..Suggestions::default() }
        };
        let gold = GoldAlignment::from_parts([(0, 0), (1, 1)].into(), &[(2, 2)].into());
        for (cells, expected) in [
            (&[][..], 2),
            (&[((0, 0), 0.6), ((1, 1), 0.6), ((2, 2), 0.6)][..], 0),
            (&[((0, 2), 0.6), ((1, 1), 0.6)][..], 1),
            (&[((0, 2), 0.99), ((1, 1), 0.6)][..], 2),
            // Without anything to add, each has to be removed.
            (&[((0, 0), 0.6), ((0, 2), 0.6), ((1, 1), 0.6), ((2, 0), 0.6)][..], 2),
            // A link that is right may go, too.
            (&[((0, 0), 0.6), ((2, 1), 0.6), ((2, 2), 0.6), ((3, 0), 0.4)][..], 2),
        ] {
            assert_eq!(corrections(&suggested(cells), 0, &gold, false), expected, "{cells:?}");
        }
    }
}
