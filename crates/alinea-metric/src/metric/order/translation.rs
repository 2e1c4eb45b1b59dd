//! Word order of translations: an [`OrderScore`] of the words that hypothesis and reference share.
//!
//! Words are aligned as for RIBES. The places of the aligned words in the reference, as they come in the hypothesis,
//! are ranked, where equal places keep the order of the hypothesis. These ranks are scored:
//!
//! ```text
//! score · p1^alpha · BP^beta        p1 = m / c,   BP = min(1, exp(1 - r / c))
//! ```
//!
//! with m of the c hypothesis words aligned, and r words in the reference. Without aligned words the score is 0. By
//! default alpha is 0 and beta is 1, as Birch and Osborne have it. The best of several references counts; the score of
//! a text is the mean over its segments.

use super::OrderScore;
use crate::bitext::Vocabulary;
use crate::error::Result;
use crate::metric::bleu::brevity_penalty;
use crate::metric::ribes::RankAligner;
use crate::metric::tokenize::{ThirteenA, Tokenizer};
use crate::metric::words::{
    BestReference, MEAN_WIDTH, PairScorer, WordReader, check_equal_words, check_exponent, mean, sign_words,
};
use crate::metric::{Measurer, Metric, Signature};
use crate::permutation::Permutation;

/// Everything that decides a score.
#[derive(Debug)]
#[non_exhaustive]
pub struct OrderConfig {
    /// How orders are compared.
    pub score: OrderScore,
    /// The exponent of the precision, the share of the words of the hypothesis that are aligned; at least 0. At 0 only
    /// hypotheses without any aligned word suffer.
    pub alpha: f64,
    /// The exponent of the brevity penalty; at least 0.
    pub beta: f64,
    /// Whether upper and lower case are the same.
    pub lowercase: bool,
    /// What makes words of lines.
    pub tokenizer: Box<dyn Tokenizer>,
}

alinea_text::configurable!(OrderConfig);

impl OrderConfig {
    /// The order of the aligned words alone, times the brevity penalty, as Birch and Osborne have it; words by 13a.
    pub fn new(score: OrderScore) -> Self {
        Self { score, alpha: 0.0, beta: 1.0, lowercase: false, tokenizer: Box::new(ThirteenA) }
    }
}

/// An order score of translations: `score p1^alpha BP^beta`, where words are aligned, and precision and brevity penalty
/// computed, as for [RIBES](crate::metric::ribes). Two words that are aligned with one keep the order of the hypothesis.
/// 0 for a hypothesis without aligned words. Of several references that counts which gives the most; the score of a text is
/// the mean over its segments.
///
/// ```
/// use alinea::metric::order::{Order, OrderConfig, OrderScore};
/// use alinea::metric::{Metric, Segments, measure};
/// use alinea::parallel::Parallelism;
///
/// let mut segments = Segments::new(1);
/// segments.push(&["yesterday Bob hit John"], &["Bob hit John yesterday"]);
/// let order = Order::new(OrderConfig::new(OrderScore::Ulam))?;
/// let sums = measure(&order, &segments, &Parallelism::serial())?[0].sums();
/// assert_eq!(order.score(&sums), 0.75);
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Order {
    config: OrderConfig,
}

impl Order {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if an exponent is negative or no finite number.
    pub fn new(config: OrderConfig) -> Result<Self> {
        check_exponent("alpha", config.alpha)?;
        check_exponent("beta", config.beta)?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &OrderConfig {
        &self.config
    }
}

impl Metric for Order {
    fn name(&self) -> String {
        format!("order-{}", self.config.score)
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        sign_words(&mut signature, &*config.tokenizer, config.lowercase);
        signature.push("alpha", "al", config.alpha.to_string());
        signature.push("beta", "be", config.beta.to_string());
        signature.push("order", "o", config.score.name());
        signature
    }

    /// The score of the best reference, and 1.
    fn width(&self) -> usize {
        MEAN_WIDTH
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        let reader = WordReader::new(&*self.config.tokenizer, self.config.lowercase);
        let scorer = OrderScorer { config: &self.config, aligner: RankAligner::default(), ranks: Vec::new() };
        Box::new(BestReference { reader, scorer })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        mean(sums)
    }
}

struct OrderScorer<'o> {
    config: &'o OrderConfig,
    aligner: RankAligner,
    ranks: Vec<u32>,
}

impl PairScorer for OrderScorer<'_> {
    fn score(&mut self, reference: &[u32], hypothesis: &[u32], words: &Vocabulary) -> Result<f64> {
        check_equal_words(reference, hypothesis, words.len())?;
        self.aligner.align(reference, hypothesis, words.len(), &mut self.ranks);
        if self.ranks.is_empty() {
            return Ok(0.0);
        }
        let (length, reference) = (hypothesis.len() as f64, reference.len() as f64);
        let precision = self.ranks.len() as f64 / length;
        let order = self.config.score.of_ranks(&Permutation::ranks(&self.ranks));
        let brevity = brevity_penalty(length, reference);
        Ok(order * precision.powf(self.config.alpha) * brevity.powf(self.config.beta))
    }
}
