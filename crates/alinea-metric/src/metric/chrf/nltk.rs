//! chrF as NLTK computes it: the mean over segments and orders, as the program of the metric's author does.
//!
//! ```text
//! F_n = (1 + beta^2) P_n R_n / (beta^2 P_n + R_n)
//! ```
//!
//! for each segment and each order n of characters; 1e-16 where nothing matches. The score is the mean of F_n over
//! segments, and of that over orders. It is no function of summed counts, so the statistics of a segment are its F_n.
//!
//! Scores are those of `nltk.translate.chrf_score` of NLTK 3.10, from 0 to 1, to the last bit under versions of Python
//! before 3.12, whose `sum` adds without compensation. NLTK has one reference a segment; of several, the one with the best
//! mean counts here.
//!
//! ```
//! use alinea::metric::chrf::nltk::{NltkChrf, NltkChrfConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let mut segments = Segments::new(1);
//! segments.push(&["the cats sat"], &["the cat sat"]);
//! let chrf = NltkChrf::new(NltkChrfConfig::default())?;
//! let statistics = &measure(&chrf, &segments, &Parallelism::serial())?[0];
//! assert_eq!(format!("{:.4}", chrf.score(&statistics.sums())), "0.7589");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::{Characters, EPSILON, MOST_ORDERS, validate_beta};
use crate::error::{Error, Result};
use crate::metric::{Measurer, Metric, Signature};

/// Everything that decides a score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NltkChrfConfig {
    /// The shortest n-grams, from 1.
    pub shortest: usize,
    /// The longest n-grams, up to 32.
    pub longest: usize,
    /// How many times as important as precision recall is, from 0.
    pub beta: f64,
    /// Whether blanks are characters.
    pub whitespace: bool,
}

alinea_text::configurable!(NltkChrfConfig);

/// What NLTK does without options.
impl Default for NltkChrfConfig {
    fn default() -> Self {
        Self { shortest: 1, longest: 6, beta: 3.0, whitespace: false }
    }
}

/// The metric.
#[derive(Debug, Clone)]
pub struct NltkChrf {
    config: NltkChrfConfig,
}

impl NltkChrf {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if the orders are not 1 to 32 or there is none, or beta is negative or no finite number.
    pub fn new(config: NltkChrfConfig) -> Result<Self> {
        if !(1..=MOST_ORDERS).contains(&config.longest) {
            return Err(Error::config("longest n-grams", config.longest, "1 to 32"));
        }
        if !(1..=config.longest).contains(&config.shortest) {
            return Err(Error::config("shortest n-grams", config.shortest, "1 to the longest"));
        }
        validate_beta(config.beta)?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &NltkChrfConfig {
        &self.config
    }

    /// Scores segments one after another. It has a table of all characters, of which only what is touched takes memory;
    /// making it takes much longer than to score a sentence.
    pub fn scorer(&self) -> NltkChrfScorer {
        let every: fn(char) -> bool = |_| true;
        NltkChrfScorer {
            references: 0,
            characters: Characters::new(
                self.config.longest,
                if self.config.whitespace { every } else { |character| !character.is_whitespace() },
            ),
            counts: vec![0.0; 3 * self.config.longest],
            fs: vec![0.0; self.orders()],
            chrf: self.clone(),
        }
    }

    fn orders(&self) -> usize {
        self.config.longest - self.config.shortest + 1
    }

    /// F of an order.
    fn f(&self, row: &[f64]) -> f64 {
        let [in_hypothesis, in_reference, matches] = [row[0], row[1], row[2]];
        if matches == 0.0 {
            return EPSILON;
        }
        let (precision, recall) = (matches / in_hypothesis, matches / in_reference);
        let factor = self.config.beta * self.config.beta;
        (1.0 + factor) * (precision * recall) / (factor * precision + recall)
    }
}

impl Metric for NltkChrf {
    fn name(&self) -> String {
        format!("NLTK-chrF{}", self.config.beta)
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        signature.push("average", "a", "segments");
        signature.push("nc", "nc", format!("{}-{}", config.shortest, config.longest));
        signature.push("space", "s", if config.whitespace { "yes" } else { "no" });
        signature
    }

    /// F of each order, then a one, which counts segments.
    fn width(&self) -> usize {
        self.orders() + 1
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        Box::new(self.scorer())
    }

    /// 0 to 1, and 0 without segments.
    fn score(&self, sums: &[f64]) -> f64 {
        let (fs, segments) = sums.split_at(self.orders());
        if segments[0] > 0.0 { fs.iter().sum::<f64>() / self.orders() as f64 / segments[0] } else { 0.0 }
    }
}

/// Scores segments one after another: a [`Measurer`] that can be kept; made by [`NltkChrf::scorer`].
#[derive(Debug)]
pub struct NltkChrfScorer {
    chrf: NltkChrf,
    references: usize,
    characters: Characters,
    counts: Vec<f64>,
    /// F of each order for the reference at hand.
    fs: Vec<f64>,
}

impl NltkChrfScorer {
    /// The metric.
    pub fn metric(&self) -> &NltkChrf {
        &self.chrf
    }
}

impl Measurer for NltkChrfScorer {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.references = references.len();
        self.characters.clear();
        for reference in references {
            self.characters.add_reference(reference);
        }
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        let (best, segments) = statistics.split_at_mut(self.chrf.orders());
        segments[0] = 1.0;
        self.characters.read_hypothesis(hypothesis);
        for reference in 0..self.references {
            self.characters.ngrams.count(reference, &mut self.counts);
            let rows = self.counts.chunks_exact(3).skip(self.chrf.config.shortest - 1);
            for (f, row) in self.fs.iter_mut().zip(rows) {
                *f = self.chrf.f(row);
            }
            if reference == 0 || self.fs.iter().sum::<f64>() > best.iter().sum::<f64>() {
                best.copy_from_slice(&self.fs);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        let message = |config: NltkChrfConfig| NltkChrf::new(config).unwrap_err().to_string();
        let default = NltkChrfConfig::default;
        assert!(message(NltkChrfConfig { longest: 0, ..default() }).contains("1 to 32"));
        assert!(message(NltkChrfConfig { longest: 33, ..default() }).contains("1 to 32"));
        assert!(message(NltkChrfConfig { shortest: 0, ..default() }).contains("1 to the longest"));
        assert!(message(NltkChrfConfig { shortest: 7, ..default() }).contains("1 to the longest"));
        assert!(message(NltkChrfConfig { beta: f64::INFINITY, ..default() }).contains("beta"));
    }

    #[test]
    fn no_segments() {
        let chrf = NltkChrf::new(NltkChrfConfig::default()).expect("valid");
        assert_eq!(chrf.score(&[0.0; 7]).to_bits(), 0);
    }
}
