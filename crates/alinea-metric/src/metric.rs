//! Metrics: how close are translations to references?
//!
//! **What it is.** A [`Metric`] reduces each segment, a hypothesis and its references, to a few numbers, its *sufficient
//! statistics*, and computes the score of any set of segments from their sums. So the score of a corpus, of a single
//! segment, and of each resample of a significance test are one computation, and a test costs additions only.
//!
//! ```text
//! lines ── tokenize ──► tokens ── ngrams, ... ──► statistics of a segment ── sums ──► score
//! ```
//!
//! ```
//! use alinea::metric::bleu::{Bleu, BleuConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let mut segments = Segments::new(1);
//! segments.push(&["the cat sat on the mat"], &["the cat sat on a mat"]);
//! segments.push(&["it was raining today"], &["it rained today", "it was raining"]);
//! let bleu = Bleu::new(BleuConfig::default())?;
//! let statistics = &measure(&bleu, &segments, &Parallelism::serial())?[0];
//! assert_eq!(format!("{:.2}", bleu.score(&statistics.sums())), "51.49");
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **Rooms.** [`segments`] what is scored, and [`oddities`] that it should not have; [`statistics`] the numbers of all segments, counted by several threads;
//! [`signature`] the choices that a score depends on; [`tokenize`] lines to tokens; [`ngrams`] matches of all orders;
//! [`bleu`] and its [`smoothing`]; [`chrf`]; [`ter`]; [`gleu`], [`nist`], [`ribes`], [`meteor`] with [`porter`]'s stems,
//! [`lepor`] and the scores of [`order`], which read sentences as numbers of words (`words`); [`dependency_path`] and
//! [`tree_edit`], which compare [`labeled_tree`]s of [`parsed_segments`], aligned by [`word_matching`]; [`significance`]
//! intervals and tests; [`correlation`] how well scores agree with those of people.

pub mod bleu;
pub mod chrf;
pub mod correlation;
pub mod dependency_path;
pub mod gleu;
pub mod labeled_tree;
pub mod lepor;
pub mod meteor;
pub mod ngrams;
pub mod nist;
pub mod oddities;
pub mod order;
pub mod parsed_segments;
pub mod porter;
pub mod ribes;
pub mod segments;
pub mod signature;
pub mod significance;
pub mod smoothing;
pub mod statistics;
pub mod ter;
pub mod tokenize;
pub mod tree_edit;
pub mod word_matching;
mod words;

use std::fmt;

pub use self::segments::Segments;
pub use self::signature::Signature;
pub use self::statistics::{Statistics, measure, measure_range};
use crate::error::Result;

/// A way to score hypotheses by references. Immutable; the buffers of a thread are its [`Measurer`].
pub trait Metric: fmt::Debug + Send + Sync {
    /// What tables and score lines call it: `BLEU`, `chrF2++`.
    fn name(&self) -> String;

    /// The choices that change scores, but the number of references, which the text decides.
    fn signature(&self) -> Signature;

    /// How many numbers a segment is reduced to.
    fn width(&self) -> usize;

    /// How many of these numbers, at the end of the row, are not added up: those of the last segment stand for all, which is
    /// how NLTK has some scores of corpora. [`Statistics`] knows it.
    fn of_last(&self) -> usize {
        0
    }

    /// The buffers of one thread.
    fn measurer(&self) -> Box<dyn Measurer + '_>;

    /// The score of segments whose statistics have these sums; `sums.len()` is the [`width`](Self::width).
    fn score(&self, sums: &[f64]) -> f64;

    /// The score of a resample, where sums and what is computed from them are in single precision: so sacreBLEU's tests
    /// compute. The same as [`score`](Self::score) but for rounding.
    fn score_of_resample(&self, sums: &[f32]) -> f64 {
        let sums: Vec<f64> = sums.iter().map(|&sum| f64::from(sum)).collect();
        self.score(&sums)
    }

    /// Whether sacreBLEU has this score of a resample in single precision. Where it has all of them so, their means and
    /// differences are, too.
    fn has_in_single(&self, _score: f64) -> bool {
        false
    }

    /// What stands behind the score in a line for people; may be empty.
    fn details(&self, _sums: &[f64]) -> String {
        String::new()
    }

    /// The mean share of words, 0 to 1, that the score is about, by their sums; none if it is about all, or falls with those
    /// that it is not about. A score of few words says little, however high it is.
    fn coverage(&self, sums: &[f64]) -> Option<f64> {
        let _ = sums;
        None
    }

    /// Whether scores are percentages, so that one decimal is enough for people.
    fn in_percent(&self) -> bool {
        false
    }

    /// Whether better translations have higher scores.
    fn higher_is_better(&self) -> bool {
        true
    }
}

/// Counts the statistics of segments, one after another.
pub trait Measurer: Send {
    /// Reads the references of a segment, which stay until the next ones; at least one.
    ///
    /// # Errors
    /// If a tokenizer that is a program of others fails; `OverLimit` for lines that would take more time or memory than
    /// [`limits`](crate::limits) allows; what is wrong with lines that are to have a certain form.
    fn read_references(&mut self, references: &[&str]) -> Result<()>;

    /// Writes the statistics of a hypothesis for these references; `statistics.len()` is the metric's width.
    ///
    /// # Errors
    /// As [`read_references`](Self::read_references).
    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()>;
}
