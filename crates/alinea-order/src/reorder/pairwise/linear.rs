//! Which of two words comes first.
//!
//! A logistic regression: `B[l][r]`, the log odds of the word `l` coming before `r`, is the sum of the weights of the features of the
//! pair, and what is made likely are the pairs whose order the gold standard knows, each for itself. Pairs whose order hardly
//! matters count as little as in [`Precedence`]. The order is that of [`linear::search`].

use super::learner::Objective;
use super::pair_features::pair;
use super::scorer::{PairwiseConfig, Scorer};
use crate::error::Result;
use crate::numeric::{sigmoid, softplus};
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::Observer;
use crate::reorder::beliefs::Beliefs;
use crate::reorder::engine::{Engine, Sentence, by_stretches};
use crate::reorder::example::Example;
use crate::reorder::linear::{self, Preferences};
use crate::reorder::precedence::Precedence;

/// What pairs count of which less is said, by rounding.
const LEAST: f64 = 1e-6;

/// A model of which of two words comes first.
#[derive(Debug)]
pub struct Linear {
    scorer: Scorer<1>,
}

impl Linear {
    /// Learns a model, from the weights of `start` if there is one, of all sentences of which any two words have an order. The same examples give the same model, whatever the
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
        Ok(Self { scorer: Scorer::train::<GoldPrecedence>(examples, config, start, parallelism, observer)? })
    }

    /// The buffers of a thread.
    pub fn engine(&self) -> LinearEngine<'_> {
        LinearEngine { scorer: &self.scorer, scores: Vec::new() }
    }

    /// A model of what was learned before.
    pub(in crate::reorder) fn new(scorer: Scorer<1>) -> Self {
        Self { scorer }
    }

    /// What was learned.
    pub(in crate::reorder) fn scorer(&self) -> &Scorer<1> {
        &self.scorer
    }
}

/// A [`Linear`] model in use.
#[derive(Debug)]
pub struct LinearEngine<'m> {
    scorer: &'m Scorer<1>,
    /// Log odds of pairs being exchanged.
    scores: Vec<[f64; 1]>,
}

impl LinearEngine<'_> {
    /// Marginals of which word comes before which; none of which word directly follows which. O(words²).
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer.
    pub fn beliefs(&mut self, sentence: &Sentence) -> Result<Beliefs> {
        self.scorer.score(sentence, false, &mut self.scores)?;
        let mut beliefs = Beliefs::new(sentence.len());
        for right in 0..sentence.len() {
            for left in 0..right {
                beliefs.set_before(left, right, sigmoid(-self.scores[pair(left, right)][0]));
            }
        }
        Ok(beliefs)
    }

    fn preferences(&mut self, sentence: &Sentence) -> Result<Preferences> {
        self.scorer.score(sentence, false, &mut self.scores)?;
        let words = sentence.len();
        let mut gains = vec![0.0; words * words];
        for right in 0..words {
            for left in 0..right {
                let exchanged = self.scores[pair(left, right)][0];
                gains[left * words + right] = -exchanged;
                gains[right * words + left] = exchanged;
            }
        }
        Preferences::new(words, gains)
    }
}

impl Engine for LinearEngine<'_> {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        let [order] = by_stretches(sentence, |piece| {
            Ok([linear::search(&self.preferences(piece)?, (0..piece.len() as u32).collect())])
        })?;
        Ok(order)
    }
}

/// What is known of a sentence.
struct GoldPrecedence(Precedence);

impl Objective<1> for GoldPrecedence {
    const BORDERS: bool = false;

    fn of(example: &Example) -> Option<Self> {
        Some(example.precedence(0.0)).filter(|precedence| !precedence.is_empty()).map(Self)
    }

    fn wanted(&self, left: usize, right: usize) -> bool {
        self.gain(left, right).abs() > LEAST
    }

    fn slopes(&self, scores: &[[f64; 1]], slopes: &mut [[f64; 1]]) -> f64 {
        let mut lost = 0.0;
        for right in 0..self.0.words() {
            for left in (0..right).filter(|&left| self.wanted(left, right)) {
                let (gain, number) = (self.gain(left, right), pair(left, right));
                // The log odds of what is right.
                let odds = scores[number][0] * gain.signum();
                lost += gain.abs() * softplus(-odds);
                slopes[number][0] -= gain * sigmoid(-odds);
            }
        }
        lost
    }
}

impl GoldPrecedence {
    /// What is gained if two words are exchanged.
    fn gain(&self, left: usize, right: usize) -> f64 {
        let [kept, exchanged] = self.0.cost_of_pair(left, right);
        kept - exchanged
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_slopes;
    use super::*;

    #[test]
    fn slopes_are_those_of_what_is_lost() {
        let sentence = Sentence::new(["a", "b", "c", "d"].map(str::to_owned).to_vec());
        // `c` has no link; `a` and `b` have the same; `d` comes around the others.
        let links = [(0, 1), (1, 1), (3, 0), (3, 5)].into();
        let known = GoldPrecedence::of(&Example::of_links(sentence, links).unwrap()).unwrap();
        assert!(known.wanted(0, 1) && !known.wanted(1, 2) && known.wanted(0, 3));
        check_slopes(&known, 6);
        let places = vec![Some(1), None, Some(0)];
        let sentence = Sentence::new(["a", "b", "c"].map(str::to_owned).to_vec());
        let known = GoldPrecedence::of(&Example::of_places(sentence, places).unwrap()).unwrap();
        // One pair, exchanged: log(1 + exp(-2)).
        let mut slopes = [[0.0]; 3];
        let lost = known.slopes(&[[0.3], [2.0], [0.7]], &mut slopes);
        assert!((lost - 0.126_928_011_042_972_5).abs() < 1e-12, "{lost}");
        assert!((slopes[1][0] + 0.119_202_922_022_117_6).abs() < 1e-12);
        assert!(slopes[0][0].abs() + slopes[2][0].abs() < 1e-12);
    }
}
