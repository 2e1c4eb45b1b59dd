//! GLEU (Wu et al. 2016, *Google's Neural Machine Translation System*, section 4.3): a score of single sentences.
//!
//! All n-grams of 1 to 4 words go into one bag. The score is the smaller one of precision and recall:
//!
//! ```text
//! GLEU = matches / max(n-grams of the hypothesis, n-grams of the reference)
//! ```
//!
//! Of several references that counts by which the score of the segment is best; of a text both numbers are summed before
//! they are divided. 0 to 1; scores are those of NLTK to the last bit.
//!
//! ```
//! use alinea::metric::gleu::{Gleu, GleuConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let gleu = Gleu::new(GleuConfig::default())?;
//! let mut segments = Segments::new(1);
//! segments.push(&["the the the the the the the"], &["the cat is on the mat"]);
//! let sums = measure(&gleu, &segments, &Parallelism::serial())?[0].sums();
//! // 7 + 6 + 5 + 4 n-grams in the hypothesis, of which 2 match.
//! assert_eq!(gleu.score(&sums), 2.0 / 22.0);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::ops::RangeInclusive;

use super::ngrams::Ngrams;
use super::tokenize::{ThirteenA, Tokenizer};
use super::words::{WordReader, sign_words};
use super::{Measurer, Metric, Signature};
use crate::error::{Error, Result};

/// The most words of an n-gram that can be asked for.
const MOST_ORDERS: usize = 32;

/// Everything that decides a score.
#[derive(Debug)]
#[non_exhaustive]
pub struct GleuConfig {
    /// Words of the shortest n-grams; 1 in the paper.
    pub shortest: usize,
    /// Words of the longest n-grams; 4 in the paper.
    pub longest: usize,
    /// Whether upper and lower case are the same.
    pub lowercase: bool,
    /// What makes words of lines.
    pub tokenizer: Box<dyn Tokenizer>,
}

alinea_text::configurable!(GleuConfig);

/// The paper's orders, and words by 13a.
impl Default for GleuConfig {
    fn default() -> Self {
        Self { shortest: 1, longest: 4, lowercase: false, tokenizer: Box::new(ThirteenA) }
    }
}

/// The metric.
#[derive(Debug)]
pub struct Gleu {
    config: GleuConfig,
}

impl Gleu {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if there are no orders, or more than 32.
    pub fn new(config: GleuConfig) -> Result<Self> {
        if !(1..=MOST_ORDERS).contains(&config.longest) {
            return Err(Error::config("longest n-gram", config.longest, "1 to 32"));
        }
        if !(1..=config.longest).contains(&config.shortest) {
            return Err(Error::config("shortest n-gram", config.shortest, "1 to the longest"));
        }
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &GleuConfig {
        &self.config
    }

    /// Counts in sentences whose words are numbers already.
    pub fn counter(&self) -> GleuCounter {
        let orders = self.config.shortest..=self.config.longest;
        GleuCounter { orders, references: Vec::new(), used: 0, matches: vec![0.0; self.config.longest] }
    }
}

impl Metric for Gleu {
    fn name(&self) -> String {
        "GLEU".to_owned()
    }

    fn signature(&self) -> Signature {
        let mut signature = Signature::default();
        sign_words(&mut signature, &*self.config.tokenizer, self.config.lowercase);
        signature.push("order", "n", format!("{}-{}", self.config.shortest, self.config.longest));
        signature
    }

    /// Matches, and n-grams of the longer sentence.
    fn width(&self) -> usize {
        2
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        let reader = WordReader::new(&*self.config.tokenizer, self.config.lowercase);
        Box::new(GleuMeasurer { reader, counter: self.counter() })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        if sums[1] > 0.0 { sums[0] / sums[1] } else { 0.0 }
    }
}

/// Counts in sentences whose words are numbers already; made by [`Gleu::counter`].
#[derive(Debug)]
pub struct GleuCounter {
    orders: RangeInclusive<usize>,
    /// The length and the n-grams of each reference, of the first `used`; the others are room.
    references: Vec<(usize, Ngrams)>,
    used: usize,
    matches: Vec<f64>,
}

impl GleuCounter {
    /// The orders that are counted.
    pub fn orders(&self) -> &RangeInclusive<usize> {
        &self.orders
    }

    fn ngrams_of(&self, length: usize) -> usize {
        self.orders.clone().map(|n| (length + 1).saturating_sub(n)).sum()
    }

    /// Replaces the references.
    ///
    /// ```
    /// use alinea::metric::gleu::{Gleu, GleuConfig};
    ///
    /// let gleu = Gleu::new(GleuConfig::default())?;
    /// let mut counter = gleu.counter();
    /// counter.read_references([&[1, 2, 3, 4, 1, 5][..]].into_iter());
    /// // Two of the 7 + 6 + 5 + 4 n-grams match.
    /// assert_eq!(counter.count(&[1; 7]), [2.0, 22.0]);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    pub fn read_references<'r>(&mut self, references: impl Iterator<Item = &'r [u32]>) {
        self.used = 0;
        for reference in references {
            if self.references.len() == self.used {
                self.references.push((0, Ngrams::new(*self.orders.end())));
            }
            let (length, ngrams) = &mut self.references[self.used];
            *length = reference.len();
            ngrams.read_references(std::iter::once(reference));
            self.used += 1;
        }
    }

    /// Matches, and n-grams of the longer sentence, with the reference that gives the best score; zeros if there are none.
    /// O(words * orders) for each reference.
    pub fn count(&mut self, hypothesis: &[u32]) -> [f64; 2] {
        let total = self.ngrams_of(hypothesis.len());
        let (mut best, mut counts) = (f64::NEG_INFINITY, [0.0; 2]);
        for reference in 0..self.used {
            let most = total.max(self.ngrams_of(self.references[reference].0)) as f64;
            if most == 0.0 {
                continue;
            }
            let ngrams = &mut self.references[reference].1;
            ngrams.matches(hypothesis, &mut self.matches);
            let matched: f64 = self.matches[self.orders.start() - 1..].iter().sum();
            if matched / most > best {
                best = matched / most;
                counts = [matched, most];
            }
        }
        counts
    }
}

struct GleuMeasurer<'g> {
    reader: WordReader<'g>,
    counter: GleuCounter,
}

impl Measurer for GleuMeasurer<'_> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.reader.read_references(references)?;
        self.counter.read_references(self.reader.references());
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        self.reader.read_hypothesis(hypothesis)?;
        statistics.copy_from_slice(&self.counter.count(self.reader.hypothesis()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_that_are_none_are_refused() {
        let error = |shortest, longest| {
            Gleu::new(GleuConfig { shortest, longest, ..GleuConfig::default() }).unwrap_err().to_string()
        };
        assert_eq!(error(1, 0), "longest n-gram = 0: must be 1 to 32");
        assert_eq!(error(1, 33), "longest n-gram = 33: must be 1 to 32");
        assert_eq!(error(5, 4), "shortest n-gram = 5: must be 1 to the longest");
        assert_eq!(error(0, 4), "shortest n-gram = 0: must be 1 to the longest");
    }
}
