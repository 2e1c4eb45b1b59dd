//! RIBES (Isozaki, Hirao, Duh, Sudoh and Tsukada 2010, *Automatic Evaluation of Translation Quality for Distant Language
//! Pairs*): are the words that hypothesis and reference share in the same order?
//!
//! ```text
//! RIBES = tau' p1^alpha BP^beta,   tau' = (tau + 1) / 2,   p1 = m / c,   BP = min(1, exp(1 - r / c))
//! ```
//!
//! m of the c words of the hypothesis are [aligned](word_rank_alignment) with the reference, which has r. tau is Kendall's,
//! of the places in the reference that the aligned words have, as they come in the hypothesis: twice the share of pairs that
//! rise, less one. With fewer than two words tau' is 0. Of several references that counts which gives the most; the score of
//! a text is the mean over its segments. 0 to 1; alpha is 0.25 and beta 0.1 unless told otherwise.
//!
//! ```
//! use alinea::metric::ribes::{Ribes, RibesConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! // The example (H1, R1) of the paper: all words are there, three of six pairs rise.
//! let mut segments = Segments::new(1);
//! segments.push(&["Bob hit John yesterday"], &["John hit Bob yesterday"]);
//! let ribes = Ribes::new(RibesConfig::default())?;
//! let sums = measure(&ribes, &segments, &Parallelism::serial())?[0].sums();
//! assert_eq!(ribes.score(&sums), 0.5);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! Scores are those of NLTK 3.10 to the last bit.

mod rank_alignment;

pub(super) use self::rank_alignment::RankAligner;
pub use self::rank_alignment::word_rank_alignment;
use super::tokenize::{ThirteenA, Tokenizer};
use super::words::{BestReference, MEAN_WIDTH, PairScorer, WordReader, check_equal_words, mean, sign_words};
use super::{Measurer, Metric, Signature};
use crate::bitext::Vocabulary;
use crate::error::Result;
use crate::permutation::{Permutation, rising_pairs};

/// What is said of the order of the aligned words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Correlation {
    /// Kendall's tau: [`kendall_tau`].
    #[default]
    Kendall,
    /// Spearman's rho of the ranks of the places: [`spearman_rho`].
    Spearman,
    /// NLTK's `spearman_rho`, of the places themselves: [`spearman_rho_of_places`]. Scores begin at -1.
    SpearmanOfPlaces,
}

/// Everything that decides a score.
#[derive(Debug)]
#[non_exhaustive]
pub struct RibesConfig {
    /// The exponent of the precision; at least 0.
    pub alpha: f64,
    /// The exponent of the brevity penalty; at least 0.
    pub beta: f64,
    /// What is said of the order.
    pub correlation: Correlation,
    /// Whether upper and lower case are the same.
    pub lowercase: bool,
    /// What makes words of lines.
    pub tokenizer: Box<dyn Tokenizer>,
}

alinea_text::configurable!(RibesConfig);

/// The exponents of the authors' program, and words by 13a.
impl Default for RibesConfig {
    fn default() -> Self {
        Self {
            alpha: 0.25,
            beta: 0.1,
            correlation: Correlation::Kendall,
            lowercase: false,
            tokenizer: Box::new(ThirteenA),
        }
    }
}

/// The metric.
#[derive(Debug)]
pub struct Ribes {
    config: RibesConfig,
}

impl Ribes {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if an exponent is negative or no finite number.
    pub fn new(config: RibesConfig) -> Result<Self> {
        super::words::check_exponent("alpha", config.alpha)?;
        super::words::check_exponent("beta", config.beta)?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &RibesConfig {
        &self.config
    }

    /// For callers who have numbers for words.
    pub fn scorer(&self) -> RibesScorer<'_> {
        RibesScorer { config: &self.config, aligner: RankAligner::default(), ranks: Vec::new(), scratch: Vec::new() }
    }
}

impl Metric for Ribes {
    fn name(&self) -> String {
        "RIBES".to_owned()
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        sign_words(&mut signature, &*config.tokenizer, config.lowercase);
        signature.push("alpha", "al", config.alpha.to_string());
        signature.push("beta", "be", config.beta.to_string());
        let correlation = match config.correlation {
            Correlation::Kendall => "tau",
            Correlation::Spearman => "rho",
            Correlation::SpearmanOfPlaces => "rho-nltk",
        };
        signature.push("cor", "cor", correlation);
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

/// Scores sentences whose words are numbers already, one after another; made by [`Ribes::scorer`].
#[derive(Debug)]
pub struct RibesScorer<'r> {
    config: &'r RibesConfig,
    aligner: RankAligner,
    ranks: Vec<u32>,
    scratch: Vec<u32>,
}

impl PairScorer for RibesScorer<'_> {
    fn score(&mut self, reference: &[u32], hypothesis: &[u32], words: &Vocabulary) -> Result<f64> {
        self.score_numbers(reference, hypothesis, words.len())
    }
}

impl RibesScorer<'_> {
    /// The score of a hypothesis by one reference; all words are below `words`. Takes the time of
    /// [`word_rank_alignment`].
    ///
    /// ```
    /// use alinea::metric::ribes::{Ribes, RibesConfig};
    ///
    /// let ribes = Ribes::new(RibesConfig::default())?;
    /// assert_eq!(ribes.scorer().score_numbers(&[0, 1, 2, 3], &[2, 1, 0, 3], 4)?, 0.5);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// `OverLimit` for too many pairs of equal words ([`limits::EQUAL_WORDS`](crate::limits::EQUAL_WORDS)).
    ///
    /// # Panics
    /// If a word is not below `words`.
    pub fn score_numbers(&mut self, reference: &[u32], hypothesis: &[u32], words: usize) -> Result<f64> {
        if hypothesis.is_empty() {
            return Ok(0.0);
        }
        check_equal_words(reference, hypothesis, words)?;
        self.aligner.align(reference, hypothesis, words, &mut self.ranks);
        let aligned = self.ranks.len();
        let correlation = match self.config.correlation {
            _ if aligned < 2 => 0.0,
            Correlation::Kendall => normalized(tau(&mut self.ranks, &mut self.scratch)),
            Correlation::Spearman => normalized(spearman_rho(&self.ranks)),
            Correlation::SpearmanOfPlaces => normalized(spearman_rho_of_places(&self.ranks)),
        };
        let length = hypothesis.len() as f64;
        let brevity = (1.0 - reference.len() as f64 / length).exp().min(1.0);
        let precision = aligned as f64 / length;
        // Rho of places alone can be below -1, and then NLTK has -1.
        Ok((correlation * precision.powf(self.config.alpha) * brevity.powf(self.config.beta)).max(-1.0))
    }
}

/// From -1 to 1 into 0 to 1.
fn normalized(correlation: f64) -> f64 {
    f64::midpoint(correlation, 1.0)
}

/// Of at least two places, which are sorted.
fn tau(places: &mut [u32], scratch: &mut Vec<u32>) -> f64 {
    let words = places.len() as u64;
    let pairs = words * (words - 1) / 2;
    (2 * rising_pairs(places, scratch)) as f64 / pairs as f64 - 1.0
}

/// Kendall's tau of places against their order: twice the share of pairs that rise, less one; -1 to 1, and -1 for fewer
/// than two. O(n log n).
///
/// ```
/// use alinea::metric::ribes::kendall_tau;
///
/// assert_eq!(kendall_tau(&[2, 1, 0, 3]), 0.0);
/// ```
pub fn kendall_tau(places: &[u32]) -> f64 {
    if places.len() < 2 { -1.0 } else { tau(&mut places.to_vec(), &mut Vec::new()) }
}

/// Spearman's rho of the ranks of places against their order, `1 - 6 sum d^2 / (n^3 - n)`; -1 to 1, and -1 for fewer than
/// two. Of equal places the first has the lower rank. O(n log n).
///
/// ```
/// use alinea::metric::ribes::spearman_rho;
///
/// assert_eq!((spearman_rho(&[3, 5, 9]), spearman_rho(&[9, 5, 3])), (1.0, -1.0));
/// ```
pub fn spearman_rho(places: &[u32]) -> f64 {
    spearman_rho_of_places(Permutation::ranks(places).places())
}

/// NLTK's `spearman_rho`: the same formula, with the places in the reference where ranks should be. The two agree if all
/// words of the reference are aligned; if not, this one may be far below -1. It is -1 for fewer than two words, for which
/// NLTK has no value.
pub fn spearman_rho_of_places(places: &[u32]) -> f64 {
    let words = places.len() as u64;
    if words < 2 {
        return -1.0;
    }
    let squares: u64 = (0..).zip(places).map(|(here, &there)| u64::from(there).abs_diff(here).pow(2)).sum();
    1.0 - squares as f64 / ((words + 1) * words * (words - 1) / 6) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_checked() {
        let error = Ribes::new(RibesConfig { alpha: -0.5, ..RibesConfig::default() }).unwrap_err();
        assert_eq!(error.to_string(), "alpha = -0.5: must be finite numbers, at least 0");
        assert!(Ribes::new(RibesConfig { beta: f64::NAN, ..RibesConfig::default() }).is_err());
    }
}
