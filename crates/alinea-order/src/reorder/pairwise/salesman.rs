//! Which word comes directly behind which.
//!
//! For each word, and for the start of the sentence, one of the other words or the end comes next: with probability
//! `exp(s(i, j)) / Σ over k of exp(s(i, k))`, where `s(i, j)` is the sum of the weights of the features of the two words. What is made
//! likely is that the gold order has the words that it has one behind the other; the others are no candidates. `-log` of the
//! probability is the cost of a step, and the order is the cheapest path through all words ([`salesman::shortest_path`]).
//!
//! A pair of words has its features in common for both directions, so that each is looked up once and has two weights.

use super::learner::Objective;
use super::pair_features::pair;
use super::scorer::{PairwiseConfig, Scorer};
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::Observer;
use crate::reorder::beliefs::Beliefs;
use crate::reorder::engine::{Engine, Sentence, by_stretches};
use crate::reorder::example::Example;
use crate::reorder::salesman::{self, Costs};

/// A model of which word comes directly behind which.
#[derive(Debug)]
pub struct Salesman {
    scorer: Scorer<2>,
}

impl Salesman {
    /// Learns a model, from the weights of `start` if there is one, of all sentences that have two words with places. The same examples give the same model, whatever the
    /// number of threads.
    ///
    /// # Errors
    /// `Config` for templates that are none or numbers out of range; `Inconsistent` if an example lacks a layer, or none says
    /// anything of order; `Cancelled`.
    pub fn train(
        examples: &[Example],
        config: &PairwiseConfig,
        start: Option<&Self>,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let start = start.map(|start| &start.scorer);
        Ok(Self { scorer: Scorer::train::<GoldAdjacency>(examples, config, start, parallelism, observer)? })
    }

    /// The buffers of a thread.
    pub fn engine(&self) -> SalesmanEngine<'_> {
        SalesmanEngine { scorer: &self.scorer, scores: Vec::new() }
    }

    /// A model of what was learned before.
    pub(in crate::reorder) fn new(scorer: Scorer<2>) -> Self {
        Self { scorer }
    }

    /// What was learned.
    pub(in crate::reorder) fn scorer(&self) -> &Scorer<2> {
        &self.scorer
    }
}

/// A [`Salesman`] model in use.
#[derive(Debug)]
pub struct SalesmanEngine<'m> {
    scorer: &'m Scorer<2>,
    scores: Vec<[f64; 2]>,
}

impl SalesmanEngine<'_> {
    /// Marginals of which word directly follows which; none of which word comes before which. O(words²).
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer.
    pub fn beliefs(&mut self, sentence: &Sentence) -> Result<Beliefs> {
        self.scorer.score(sentence, true, &mut self.scores)?;
        let words = sentence.len();
        let mut beliefs = Beliefs::new(words);
        for from in 1..=words {
            for (to, log) in self.steps(words, from) {
                if to <= words {
                    beliefs.add_next(from - 1, to - 1, log.exp());
                }
            }
        }
        Ok(beliefs)
    }

    fn costs(&mut self, sentence: &Sentence) -> Result<Costs> {
        self.scorer.score(sentence, true, &mut self.scores)?;
        let words = sentence.len();
        // There the start stands behind the words.
        let row = |position: usize| position.checked_sub(1).unwrap_or(words);
        let column = |position: usize| if position > words { words + 1 } else { position - 1 };
        let mut costs = vec![0.0; (words + 2) * (words + 2)];
        for from in 0..=words {
            for (to, log) in self.steps(words, from) {
                costs[row(from) * (words + 2) + column(to)] = -log;
            }
        }
        Costs::new(words, costs)
    }

    /// The logarithms of the probabilities of all positions to come behind one.
    fn steps(&self, words: usize, from: usize) -> Vec<(usize, f64)> {
        let candidates = (1..=words + 1).filter(|&to| to != from && (from > 0 || to <= words || words == 0));
        log_probabilities(&self.scores, from, candidates)
    }
}

impl Engine for SalesmanEngine<'_> {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        let [order] = by_stretches(sentence, |piece| Ok([salesman::shortest_path(&self.costs(piece)?)]))?;
        Ok(order)
    }
}

/// Where the score of a step is: the number of the pair, and the label.
fn step(from: usize, to: usize) -> (usize, usize) {
    if from < to { (pair(from, to), 0) } else { (pair(to, from), 1) }
}

/// Candidates with the logarithms of their probabilities.
fn log_probabilities(scores: &[[f64; 2]], from: usize, candidates: impl Iterator<Item = usize>) -> Vec<(usize, f64)> {
    let scored = candidates.map(|to| {
        let (number, label) = step(from, to);
        (to, scores[number][label])
    });
    let mut scored: Vec<(usize, f64)> = scored.collect();
    let highest = scored.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scored.iter().map(|(_, score)| (score - highest).exp()).sum();
    for (_, score) in &mut scored {
        *score -= highest + sum.ln();
    }
    scored
}

/// What is known of a sentence: from the start to the end, as positions, and who is among them.
struct GoldAdjacency {
    path: Vec<usize>,
    among: Vec<bool>,
}

impl Objective<2> for GoldAdjacency {
    const BORDERS: bool = true;

    fn of(example: &Example) -> Option<Self> {
        let order = example.order();
        if order.len() < 2 {
            return None;
        }
        let last = example.sentence().len() + 1;
        let words = order.iter().map(|&word| word as usize + 1);
        let path: Vec<usize> = std::iter::once(0).chain(words).chain([last]).collect();
        let mut among = vec![false; last + 1];
        for &position in &path {
            among[position] = true;
        }
        Some(Self { path, among })
    }

    fn wanted(&self, left: usize, right: usize) -> bool {
        let ends = left == 0 && right + 1 == self.among.len();
        self.among[left] && self.among[right] && !ends
    }

    fn slopes(&self, scores: &[[f64; 2]], slopes: &mut [[f64; 2]]) -> f64 {
        let mut lost = 0.0;
        for next in self.path.windows(2) {
            let (from, right) = (next[0], next[1]);
            let candidates = (1..self.among.len()).filter(|&to| to != from && self.wanted(from.min(to), from.max(to)));
            for (to, log) in log_probabilities(scores, from, candidates) {
                let (number, label) = step(from, to);
                slopes[number][label] += log.exp();
                if to == right {
                    slopes[number][label] -= 1.0;
                    lost -= log;
                }
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_slopes;
    use super::*;

    #[test]
    fn slopes_are_those_of_what_is_lost() {
        let sentence = Sentence::new(["a", "b", "c", "d"].map(str::to_owned).to_vec());
        // `b` has no place: `d` comes first, then `a`, `c`.
        let links = [(0, 1), (2, 2), (3, 0)].into();
        let known = GoldAdjacency::of(&Example::of_links(sentence, links).unwrap()).unwrap();
        assert_eq!(known.path, [0, 4, 1, 3, 5]);
        assert!(!known.wanted(0, 2) && !known.wanted(0, 5) && known.wanted(0, 1) && known.wanted(3, 5));
        check_slopes(&known, 15);
        // All steps are as likely: one of three from the start, one of two words and the end from each word.
        let lost = known.slopes(&[[0.0; 2]; 15], &mut [[0.0; 2]; 15]);
        assert!((lost - 4.0 * 3.0f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn probabilities_add_up_to_one() {
        let scores: Vec<[f64; 2]> = (0..15).map(|n| [f64::from(n), 700.0 - f64::from(n)]).collect();
        for from in 0..5 {
            let all = log_probabilities(&scores, from, (1..6).filter(|&to| to != from));
            assert!((all.iter().map(|(_, log)| log.exp()).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
