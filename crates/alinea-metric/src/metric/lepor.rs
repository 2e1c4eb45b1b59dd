//! LEPOR (Han, Wong and Chao 2012, *LEPOR: A Robust Evaluation Metric for Machine Translation with Augmented Factors*):
//! length, order, precision and recall.
//!
//! ```text
//! LEPOR = LP exp(-NPD) (alpha + beta) / (alpha / R + beta / P)
//! LP = exp(1 - longer length / shorter length),   P = m / c,   R = m / r
//! NPD = 1 / c * sum over the m aligned words of |place in the hypothesis / c - place in the reference / r|
//! ```
//!
//! Places count from 1. m of the c words of the hypothesis are aligned with words of the reference, which has r: a word that
//! occurs there once with that one; of several those count first that have the same word on their left, or on their right, as
//! the hypothesis has; of those the nearest, and of equally near ones the first. alpha and beta are 1. Of several references
//! that counts which gives the most; the score of a text is the mean over its segments. 0 to 1, and 0 if a sentence is empty.
//!
//! Two words of the hypothesis are not aligned with one of the reference, of which the paper says nothing: else recall could
//! be more than 1.
//!
//! **[NLTK](LeporKind::Nltk) computes something else**: LP is `exp(1 - shorter / longer)`, and so grows where lengths differ;
//! of several words it takes the farthest; a word at the beginning of either sentence is no neighbor; the place in the
//! hypothesis is counted over the aligned words alone; one word of the reference can be aligned several times. There scores
//! can be more than 1. Those of NLTK 3.10 are had to the last bit.
//!
//! ```
//! use alinea::metric::lepor::{Lepor, LeporConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let mut segments = Segments::new(1);
//! segments.push(&["the cat sat"], &["the cat sat down"]);
//! let lepor = Lepor::new(LeporConfig::default())?;
//! let sums = measure(&lepor, &segments, &Parallelism::serial())?[0].sums();
//! let distance = (1.0 / 3.0 - 1.0 / 4.0) + (2.0 / 3.0 - 2.0 / 4.0) + (3.0 / 3.0 - 3.0 / 4.0);
//! let expected = (1.0 - 4.0 / 3.0_f64).exp() * (-distance / 3.0_f64).exp() * (2.0 / (4.0 / 3.0 + 3.0 / 3.0));
//! assert!((lepor.score(&sums) - expected).abs() < 1e-12);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::tokenize::{ThirteenA, Tokenizer};
use super::words::{
    BestReference, MEAN_WIDTH, PairScorer, Places, WordReader, check_equal_words, check_exponent, mean, sign_words,
};
use super::{Measurer, Metric, Signature};
use crate::bitext::Vocabulary;
use crate::error::{Error, Result};

/// Whose definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LeporKind {
    /// The paper's.
    #[default]
    Paper,
    /// That of NLTK 3.10.
    Nltk,
}

/// Everything that decides a score.
#[derive(Debug)]
#[non_exhaustive]
pub struct LeporConfig {
    /// The weight of recall; at least 0.
    pub alpha: f64,
    /// The weight of precision; at least 0, and not both.
    pub beta: f64,
    /// Whose definition.
    pub kind: LeporKind,
    /// Whether upper and lower case are the same.
    pub lowercase: bool,
    /// What makes words of lines.
    pub tokenizer: Box<dyn Tokenizer>,
}

alinea_text::configurable!(LeporConfig);

/// The paper's definition, weights of 1, words by 13a.
impl Default for LeporConfig {
    fn default() -> Self {
        Self { alpha: 1.0, beta: 1.0, kind: LeporKind::Paper, lowercase: false, tokenizer: Box::new(ThirteenA) }
    }
}

/// The metric.
#[derive(Debug)]
pub struct Lepor {
    config: LeporConfig,
}

impl Lepor {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if a weight is negative or no finite number, or both are 0.
    pub fn new(config: LeporConfig) -> Result<Self> {
        check_exponent("alpha", config.alpha)?;
        check_exponent("beta", config.beta)?;
        if config.alpha + config.beta == 0.0 {
            return Err(Error::config("alpha + beta", 0, "more than 0"));
        }
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &LeporConfig {
        &self.config
    }

    /// Scores sentences whose words are numbers already.
    pub fn scorer(&self) -> LeporScorer<'_> {
        LeporScorer { config: &self.config, places: Places::default(), taken: Vec::new(), pairs: Vec::new() }
    }
}

impl Metric for Lepor {
    fn name(&self) -> String {
        "LEPOR".to_owned()
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        sign_words(&mut signature, &*config.tokenizer, config.lowercase);
        signature.push("alpha", "al", config.alpha.to_string());
        signature.push("beta", "be", config.beta.to_string());
        let kind = match config.kind {
            LeporKind::Paper => "paper",
            LeporKind::Nltk => "nltk",
        };
        signature.push("kind", "k", kind);
        signature
    }

    /// The score of the best reference, and 1.
    fn width(&self) -> usize {
        MEAN_WIDTH
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        let reader = WordReader::new(&*self.config.tokenizer, self.config.lowercase);
        Box::new(BestReference { reader, scorer: self.scorer() })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        mean(sums)
    }
}

/// Which places of the reference the words of the hypothesis are aligned with, by NLTK's definition: pairs of places in the
/// hypothesis and in the reference, in the order of the hypothesis. Words are numbers below `words`. Time grows with the
/// number of pairs of equal words.
///
/// ```
/// use alinea::metric::lepor::align_as_nltk;
///
/// assert_eq!(align_as_nltk(&[0, 1, 0], &[0], 2)?, [(0, 2)]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
///
/// # Errors
/// `OverLimit` for too many pairs of equal words ([`limits::EQUAL_WORDS`](crate::limits::EQUAL_WORDS)).
///
/// # Panics
/// If a word is not below `words`.
pub fn align_as_nltk(reference: &[u32], hypothesis: &[u32], words: usize) -> Result<Vec<(usize, usize)>> {
    check_equal_words(reference, hypothesis, words)?;
    let config = LeporConfig { kind: LeporKind::Nltk, ..LeporConfig::default() };
    let mut scorer = LeporScorer { config: &config, places: Places::default(), taken: Vec::new(), pairs: Vec::new() };
    scorer.places.read(reference, words);
    scorer.align(reference, hypothesis);
    Ok(scorer.pairs)
}

/// Scores sentences whose words are numbers already, one after another; made by [`Lepor::scorer`].
#[derive(Debug)]
pub struct LeporScorer<'l> {
    config: &'l LeporConfig,
    places: Places,
    taken: Vec<bool>,
    /// Places in the hypothesis and in the reference.
    pairs: Vec<(usize, usize)>,
}

impl PairScorer for LeporScorer<'_> {
    fn score(&mut self, reference: &[u32], hypothesis: &[u32], words: &Vocabulary) -> Result<f64> {
        self.score_numbers(reference, hypothesis, words.len())
    }
}

impl LeporScorer<'_> {
    /// The score of a hypothesis by one reference; all words are below `words`. Time grows with the number of pairs of equal
    /// words.
    ///
    /// ```
    /// use alinea::metric::lepor::{Lepor, LeporConfig};
    ///
    /// let lepor = Lepor::new(LeporConfig::default())?;
    /// assert_eq!(lepor.scorer().score_numbers(&[0, 1, 2], &[0, 1, 2], 3)?, 1.0);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// `OverLimit` for too many pairs of equal words ([`limits::EQUAL_WORDS`](crate::limits::EQUAL_WORDS)).
    ///
    /// # Panics
    /// If a word is not below `words`.
    pub fn score_numbers(&mut self, reference: &[u32], hypothesis: &[u32], words: usize) -> Result<f64> {
        if reference.is_empty() || hypothesis.is_empty() {
            return Ok(0.0);
        }
        check_equal_words(reference, hypothesis, words)?;
        self.places.read(reference, words);
        self.align(reference, hypothesis);
        let penalty = length_penalty(self.config.kind, hypothesis.len(), reference.len());
        let distance = self.distance(hypothesis.len(), reference.len());
        Ok(penalty * (-distance).exp() * self.harmonic(hypothesis.len(), reference.len()))
    }

    fn align(&mut self, reference: &[u32], hypothesis: &[u32]) {
        self.pairs.clear();
        self.taken.clear();
        self.taken.resize(reference.len(), false);
        for (place, &word) in hypothesis.iter().enumerate() {
            let candidates = self.places.of(word).iter().map(|&other| other as usize);
            let chosen = match self.config.kind {
                // Of equal keys this takes the first.
                LeporKind::Paper => candidates
                    .filter(|&other| !self.taken[other])
                    .min_by_key(|&other| (!beside(hypothesis, place, reference, other, 0), place.abs_diff(other))),
                // Of equal keys this takes the last, so the first comes last.
                LeporKind::Nltk => candidates
                    .rev()
                    .max_by_key(|&other| (beside(hypothesis, place, reference, other, 1), place.abs_diff(other))),
            };
            if let Some(other) = chosen {
                self.taken[other] = true;
                self.pairs.push((place, other));
            }
        }
    }

    /// NPD.
    fn distance(&self, hypothesis: usize, reference: usize) -> f64 {
        let (hypothesis, reference) = (hypothesis as f64, reference as f64);
        let mut sum = 0.0;
        for (number, &(place, other)) in self.pairs.iter().enumerate() {
            let place = match self.config.kind {
                LeporKind::Paper => place,
                LeporKind::Nltk => number,
            };
            sum += ((place + 1) as f64 / hypothesis - (other + 1) as f64 / reference).abs();
        }
        sum / hypothesis
    }

    fn harmonic(&self, hypothesis: usize, reference: usize) -> f64 {
        let LeporConfig { alpha, beta, kind, .. } = *self.config;
        let matches = self.pairs.len() as f64;
        let epsilon = match kind {
            LeporKind::Paper if matches == 0.0 => return 0.0,
            LeporKind::Paper => 0.0,
            LeporKind::Nltk => f64::EPSILON,
        };
        let (precision, recall) = (matches / hypothesis as f64, matches / reference as f64);
        (alpha + beta) / (alpha / (recall + epsilon) + beta / (precision + epsilon))
    }
}

/// Whether two places have equal neighbors on their left, or on their right; places before `first` have no neighbors.
fn beside(hypothesis: &[u32], place: usize, reference: &[u32], other: usize, first: usize) -> bool {
    let left = place > first && other > first && hypothesis[place - 1] == reference[other - 1];
    let right = hypothesis.get(place + 1).is_some_and(|next| reference.get(other + 1) == Some(next));
    left || right
}

/// LP.
fn length_penalty(kind: LeporKind, hypothesis: usize, reference: usize) -> f64 {
    if hypothesis == reference {
        return 1.0;
    }
    let (shorter, longer) = (hypothesis.min(reference) as f64, hypothesis.max(reference) as f64);
    match kind {
        LeporKind::Paper => (1.0 - longer / shorter).exp(),
        LeporKind::Nltk => (1.0 - shorter / longer).exp(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn align(kind: LeporKind, reference: &[u32], hypothesis: &[u32]) -> Vec<(usize, usize)> {
        let config = LeporConfig { kind, ..LeporConfig::default() };
        let mut scorer =
            LeporScorer { config: &config, places: Places::default(), taken: Vec::new(), pairs: Vec::new() };
        scorer.places.read(reference, 9);
        scorer.align(reference, hypothesis);
        scorer.pairs
    }

    #[test]
    fn of_several_words_the_nearest_with_a_neighbor() {
        // 1 stands at 0, 3 and 6; on the left of 1 is 5 only at 6.
        let reference = [1, 2, 3, 1, 4, 5, 1];
        assert_eq!(align(LeporKind::Paper, &reference, &[7, 7, 5, 1]), [(2, 5), (3, 6)]);
        assert_eq!(align(LeporKind::Paper, &reference, &[7, 7, 8, 1]), [(3, 3)]);
        assert_eq!(align(LeporKind::Paper, &reference, &[1, 7]), [(0, 0)]);
        assert_eq!(align(LeporKind::Nltk, &reference, &[7, 7, 8, 1]), [(3, 0)]);
        // Each word of the reference is used once.
        assert_eq!(align(LeporKind::Paper, &reference, &[5, 5]), [(0, 5)]);
        assert_eq!(align(LeporKind::Nltk, &reference, &[5, 5]), [(0, 5), (1, 5)]);
    }

    #[test]
    fn weights_are_checked() {
        let error =
            |alpha, beta| Lepor::new(LeporConfig { alpha, beta, ..LeporConfig::default() }).unwrap_err().to_string();
        assert_eq!(error(0.0, 0.0), "alpha + beta = 0: must be more than 0");
        assert_eq!(error(-1.0, 0.0), "alpha = -1: must be finite numbers, at least 0");
    }
}
