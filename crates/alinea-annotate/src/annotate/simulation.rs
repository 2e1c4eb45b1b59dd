//! What learning saves, with a gold standard in the place of the annotator.
//!
//! The annotator takes the sentences in an [`Order`], and corrects the suggestions until all sure links are there and no link that is not
//! even possible. A correction is a link added or removed. They are counted three times: with suggestions that are learned
//! from all sentences before, with those that were made before the first, and without any, where every sure link is one. What
//! all that does for the sentences that are left is their AER.

use std::collections::BTreeSet;

use super::learner::{Learner, Teaching};
use super::queue::{Queue, QueueWeights};
use super::suggestions::Suggestions;
use crate::alignment::GoldAlignment;
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
    /// Links that were added or removed: in suggestions that learn, in those made before the first sentence, and without suggestions.
    pub corrections: [u64; 3],
    /// The links of all other sentences by suggestions that learn, counted by sentence.
    pub rest: Vec<(usize, Counts)>,
    /// Those of the same sentences by suggestions made before the first.
    pub rest_before: Vec<(usize, Counts)>,
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
            corrections: [0; 3],
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
                point.corrections[0] += counts(&now, n).errors();
                point.corrections[1] += counts(&before, n).errors();
                point.corrections[2] += gold[n].sure().len() as u64;
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

/// Fisher and Yates.
fn shuffle(order: &mut [usize], generator: &mut Generator) {
    for last in (1..order.len()).rev() {
        let bound = std::num::NonZeroU64::MIN.saturating_add(last as u64);
        order.swap(last, generator.below(bound) as usize);
    }
}
