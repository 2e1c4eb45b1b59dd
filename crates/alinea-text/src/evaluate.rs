//! How good an alignment is, measured against what people linked.
//!
//! For one sentence pair let `A` be the links of a hypothesis, `S` the sure and `P` the possible links of the gold
//! standard, `S ⊆ P`. Och and Ney 2003, *A systematic comparison of various statistical alignment models*, define
//!
//! ```text
//! precision = |A ∩ P| / |A|        recall = |A ∩ S| / |S|
//! AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
//! ```
//!
//! and Fraser and Marcu 2007, *Measuring word alignment quality for statistical machine translation*, weigh the first
//! two: `F_α = 1 / (α / precision + (1 - α) / recall)`, 0 if either is 0. All are fractions from 0 to 1; for AER, the
//! alignment error rate, 0 is best. A ratio of zero to zero has no value ([`None`]).
//!
//! The score of a corpus pools the counts ([`Counts`] add up) and then divides. The mean over sentences is another
//! number and has another name, [`Evaluation::mean_over_sentences`]. How far a corpus score may be off because of the
//! choice of sentences is answered by resampling ([`Options::bootstrap`]), and so is whether two hypotheses differ
//! ([`compare`]).
//!
//! Where several people linked the same sentences [`Annotations`] keeps what each of them did, [`evaluate_annotations`]
//! judges by all of them, and [`Annotations::agreement`] says how far they agree. [`Correspondences`] tells what types of
//! correspondences links make, [`breakdown`] where the errors are, [`gains`] what a system gains over a baseline.
//!
//! ```
//! use alinea::alignment::{Alignment, GoldAlignment};
//! use alinea::evaluate::{Options, evaluate};
//!
//! let sure: Alignment = [(0, 0), (1, 1)].into();
//! let gold = [GoldAlignment::from_parts(sure, &[(1, 2)].into())];
//! let hypotheses: [Alignment; 1] = [[(0, 0), (1, 2), (2, 2)].into()];
//! let evaluation = evaluate(&gold, &hypotheses, &Options::default())?;
//! assert_eq!(evaluation.scores.precision, Some(2.0 / 3.0));
//! assert_eq!(evaluation.scores.recall, Some(1.0 / 2.0));
//! assert_eq!(evaluation.scores.aer, Some(1.0 - 3.0 / 5.0));
//! println!("{}", evaluation.report(10));
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod agreement;
mod annotations;
mod breakdown;
mod comparison;
mod correspondence;
mod counts;
mod gains;
mod report;
mod size;
mod table;
mod weighted;

pub use agreement::{Agreement, AgreementOptions, LinkKinds, Overlap, PairAgreement};
pub use annotations::{
    Annotation, Annotations, Instance, Panel, References, compare_annotations, evaluate_annotations,
};
pub use breakdown::{Attribute, Breakdown, Bucket, breakdown};
pub use comparison::{Comparison, ComparisonReport, Differences, compare};
pub use correspondence::{AnnotatorTypes, Correspondences, Nulls, TypeShares};
pub use counts::{Counts, Scores};
pub use gains::{Gain, GainEstimate, Gains, gains};
pub use report::{Report, WorstSentence};
pub use size::{CorpusSize, PairLengths};
pub use table::{Table, TableStyle, html_page};
pub use weighted::{Reliability, ReliabilityBin, ThresholdPoint, reliability, threshold_curve};

use std::borrow::Cow;
use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::alignment::{Alignment, GoldAlignment};
use crate::error::{Error, ErrorKind, Result};
use crate::numeric::{Bootstrap, Estimate, Statistics};
use crate::parallel::Parallelism;

/// How to evaluate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Options {
    /// Count only links between words that both have a gold link
    /// ([`GoldAlignment::restrict_to_annotated`]): for gold standards that left words out on purpose. Default no.
    pub annotated_only: bool,
    /// The weight `α` of precision in F, from 0 to 1. Default 0.5, the harmonic mean; Fraser and Marcu (2007)
    /// advise smaller ones where translation is the aim.
    pub alpha: f64,
    /// How to resample for intervals; `None` leaves them out. Default: 1000 samples, 95 %.
    pub bootstrap: Option<Bootstrap>,
}

crate::configurable!(Options);

impl Default for Options {
    fn default() -> Self {
        Self { annotated_only: false, alpha: 0.5, bootstrap: Some(Bootstrap::default()) }
    }
}

impl Options {
    /// Says whether the fields have allowed values.
    ///
    /// # Errors
    /// `Config` names the field, its value and what is allowed.
    pub fn validate(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.alpha) {
            return Err(Error::config("alpha", self.alpha, "0 to 1"));
        }
        self.bootstrap.map_or(Ok(()), |bootstrap| bootstrap.validate())
    }

    /// One line that names every choice.
    pub fn signature(&self) -> String {
        self.signature_with(None)
    }

    /// The same where there are several annotators.
    fn signature_with(&self, panel: Option<Panel>) -> String {
        let panel = panel.map_or_else(String::new, |Panel { references, annotators, .. }| {
            format!("|references:{references}|annotators:{annotators}")
        });
        let annotated = if self.annotated_only { "yes" } else { "no" };
        let bootstrap = self.bootstrap.map_or_else(|| "bootstrap:no".to_owned(), |bootstrap| bootstrap.signature());
        format!("alignment{panel}|annotated-only:{annotated}|alpha:{}|{bootstrap}", self.alpha)
    }

    /// The counts of one sentence pair. O(links).
    pub fn count(&self, gold: &GoldAlignment, hypothesis: &Alignment) -> Counts {
        Counts::of(gold, &self.counted(gold, hypothesis))
    }

    /// The links of a hypothesis that count.
    fn counted<'h>(&self, gold: &GoldAlignment, hypothesis: &'h Alignment) -> Cow<'h, Alignment> {
        if self.annotated_only { Cow::Owned(gold.restrict_to_annotated(hypothesis)) } else { Cow::Borrowed(hypothesis) }
    }
}

/// What an evaluation found.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// How it was done.
    pub options: Options,
    /// The annotators, if there was more than one gold standard.
    pub panel: Option<Panel>,
    /// The counts of every sentence, in order.
    pub sentences: Vec<Counts>,
    /// Their sum.
    pub counts: Counts,
    /// The scores of the corpus: those of the sum.
    pub scores: Scores,
    /// The mean of each score over the sentences that have it.
    pub mean_over_sentences: Scores,
    /// Intervals and standard errors of the corpus scores; none if not asked for.
    pub intervals: Option<Intervals>,
}

/// How sure the scores of a corpus are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// Of precision.
    pub precision: Estimate,
    /// Of recall.
    pub recall: Estimate,
    /// Of F.
    pub f: Estimate,
    /// Of the alignment error rate.
    pub aer: Estimate,
}

impl Evaluation {
    /// The (at most) `n` sentences with most errors, by number from 0. An error is a link that is not even possible, or
    /// a sure link that is missing; of sentences with as many errors the first comes first. Sentences without errors
    /// are left out. O(sentences × log sentences).
    pub fn worst(&self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sentences.len()).filter(|&s| self.sentences[s].errors() > 0).collect();
        order.sort_by_key(|&sentence| (Reverse(self.sentences[sentence].errors()), sentence));
        order.truncate(n);
        order
    }

    /// One line that names every choice.
    pub fn signature(&self) -> String {
        self.options.signature_with(self.panel)
    }

    /// A human-readable report (its `Display`), also as JSON, with the `worst` worst sentences.
    pub fn report(&self, worst: usize) -> Report {
        Report::new(self, worst)
    }
}

/// Compares hypotheses with a gold standard, sentence by sentence.
///
/// O(links) for the scores, O(samples × sentences) for the intervals.
///
/// # Errors
/// `UnequalLengths` if there are more or fewer hypotheses than gold alignments, `Empty` if there are none, `Config` for
/// options that are not allowed.
pub fn evaluate(gold: &[GoldAlignment], hypotheses: &[Alignment], options: &Options) -> Result<Evaluation> {
    options.validate()?;
    if gold.len() != hypotheses.len() {
        let lengths = [gold.len() as u64, hypotheses.len() as u64];
        return Err(Error::unequal_lengths("gold", lengths[0], "hypothesis", lengths[1]));
    }
    if gold.is_empty() {
        return Err(ErrorKind::Empty("no sentences to evaluate".to_owned()).into());
    }
    let sentences = gold.iter().zip(hypotheses).map(|(gold, hypothesis)| options.count(gold, hypothesis)).collect();
    evaluation(sentences, options, None)
}

/// The evaluation of what was counted, sentence by sentence.
fn evaluation(sentences: Vec<Counts>, options: &Options, panel: Option<Panel>) -> Result<Evaluation> {
    let counts: Counts = sentences.iter().copied().sum();
    let intervals = options.bootstrap.map(|bootstrap| intervals(&sentences, &bootstrap, options.alpha)).transpose()?;
    Ok(Evaluation {
        options: *options,
        panel,
        counts,
        scores: counts.scores(options.alpha),
        mean_over_sentences: mean(&sentences, options.alpha),
        intervals,
        sentences,
    })
}

fn intervals(sentences: &[Counts], bootstrap: &Bootstrap, alpha: f64) -> Result<Intervals> {
    let statistics = Statistics::from_rows(sentences.iter().map(Counts::row));
    let score = |sums: &[u64]| Counts::from_row(sums).scores(alpha).array();
    let [precision, recall, f, aer] = bootstrap.estimate(&statistics, score, &Parallelism::serial())?;
    Ok(Intervals { precision, recall, f, aer })
}

fn mean(sentences: &[Counts], alpha: f64) -> Scores {
    let mut sums = [(0.0, 0u64); 4];
    for counts in sentences {
        for (sum, score) in sums.iter_mut().zip(counts.scores(alpha).array()) {
            if let Some(score) = score {
                *sum = (sum.0 + score, sum.1 + 1);
            }
        }
    }
    Scores::from_array(sums.map(|(sum, number)| (number > 0).then(|| sum / number as f64)))
}

#[cfg(test)]
mod tests;
