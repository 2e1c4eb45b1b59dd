//! An evaluation for people and for programs.
//!
//! A [`Report`] serializes to JSON, with fractions and sentences numbered from 1, and displays as a table in percent.

use std::fmt;

use serde::Serialize;

use super::{Counts, Evaluation, Intervals, Panel, Scores};
use crate::numeric::Estimate;

/// The columns of tables: AER, precision, recall, F.
pub(super) const COLUMNS: usize = 4;

/// What an evaluation says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Every choice that changes the numbers.
    pub signature: String,
    /// The weight of precision in F.
    pub alpha: f64,
    /// The number of sentences.
    pub sentences: usize,
    /// The annotators; none if there is one gold standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
    /// The counts of the corpus.
    pub counts: Counts,
    /// Links that are not even possible.
    pub wrong: u64,
    /// Sure links that are missing.
    pub missed: u64,
    /// The scores of the corpus, from pooled counts.
    pub corpus: Scores,
    /// The mean of each score over the sentences that have it.
    pub mean_over_sentences: Scores,
    /// The confidence of the intervals; none without them.
    pub confidence: Option<f64>,
    /// Intervals of the corpus scores.
    pub intervals: Option<Intervals>,
    /// The sentences with most errors, the worst first.
    pub worst: Vec<WorstSentence>,
}

/// A sentence with many errors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WorstSentence {
    /// Its number, from 1.
    pub sentence: usize,
    /// Its links that are not even possible.
    pub wrong: u64,
    /// Its sure links that are missing.
    pub missed: u64,
    /// Its counts.
    pub counts: Counts,
    /// Its scores.
    pub scores: Scores,
}

impl Report {
    pub(super) fn new(evaluation: &Evaluation, worst: usize) -> Self {
        let alpha = evaluation.options.alpha;
        let worst = evaluation.worst(worst).into_iter().map(|sentence| {
            let counts = evaluation.sentences[sentence];
            let (wrong, missed) = (counts.wrong(), counts.missed());
            WorstSentence { sentence: sentence + 1, wrong, missed, counts, scores: counts.scores(alpha) }
        });
        Self {
            signature: evaluation.signature(),
            alpha,
            sentences: evaluation.sentences.len(),
            panel: evaluation.panel,
            counts: evaluation.counts,
            wrong: evaluation.counts.wrong(),
            missed: evaluation.counts.missed(),
            corpus: evaluation.scores,
            mean_over_sentences: evaluation.mean_over_sentences,
            confidence: evaluation.options.bootstrap.map(|bootstrap| bootstrap.confidence),
            intervals: evaluation.intervals,
            worst: worst.collect(),
        }
    }

    /// The counts of the hypothesis in words.
    pub(super) fn links(&self) -> String {
        let Counts { hypothesis, in_sure, .. } = self.counts;
        let only_possible = self.counts.in_only_possible();
        let (wrong, missed) = (self.wrong, self.missed);
        format!(
            "{hypothesis} links: {in_sure} sure, {only_possible} only possible, {wrong} wrong; {missed} sure missed"
        )
    }

    /// The line about the annotators, if there are several.
    pub(super) fn write_panel(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Panel { annotators, annotations, .. }) = self.panel else { return Ok(()) };
        writeln!(f, "annotators           {annotators}, with {annotations} annotations")
    }

    pub(super) fn corpus_cells(&self) -> [String; COLUMNS] {
        cells(self.corpus)
    }
}

/// A table in percent.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sure, only_possible) = (self.counts.sure, self.counts.only_possible());
        writeln!(f, "sentences            {}", self.sentences)?;
        self.write_panel(f)?;
        writeln!(f, "gold                 {sure} sure links, {only_possible} only possible")?;
        writeln!(f, "hypothesis           {}", self.links())?;
        writeln!(f)?;
        heading(f, self.alpha)?;
        line(f, "corpus", self.corpus_cells())?;
        if let (Some(intervals), Some(confidence)) = (self.intervals, self.confidence) {
            let Intervals { precision, recall, f: weighted, aer } = intervals;
            let estimates = [aer, precision, recall, weighted];
            let cells = |value: &dyn Fn(&Estimate) -> Option<f64>| -> [String; COLUMNS] {
                std::array::from_fn(|column| percent(value(&estimates[column])))
            };
            let confidence = confidence_label(confidence);
            line(f, &format!("{confidence} from"), cells(&|estimate| estimate.interval.map(|i| i.low)))?;
            line(f, &format!("{confidence} to"), cells(&|estimate| estimate.interval.map(|i| i.high)))?;
            line(f, "standard error", cells(&|estimate| estimate.standard_error))?;
        }
        line(f, "mean over sentences", cells(self.mean_over_sentences))?;
        writeln!(f)?;
        if !self.worst.is_empty() {
            writeln!(f, "worst sentences        wrong    missed       AER")?;
            for worst in &self.worst {
                let WorstSentence { sentence, wrong, missed, scores, .. } = worst;
                writeln!(f, "{sentence:>15}  {wrong:>10}{missed:>10}{:>10}", percent(scores.aer))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "{}", self.signature)
    }
}

pub(super) fn heading(f: &mut fmt::Formatter<'_>, alpha: f64) -> fmt::Result {
    #[expect(clippy::float_cmp, reason = "the default is written as this literal")]
    let weighted = if alpha == 0.5 { "F".to_owned() } else { format!("F({alpha})") };
    line(f, "percent", ["AER".to_owned(), "precision".to_owned(), "recall".to_owned(), weighted])
}

pub(super) fn line(f: &mut fmt::Formatter<'_>, label: &str, cells: [String; COLUMNS]) -> fmt::Result {
    write!(f, "{label:<19}")?;
    for cell in cells {
        write!(f, "  {cell:>9}")?;
    }
    writeln!(f)
}

/// `95 %` of 0.95, with at most four decimals.
pub(super) fn confidence_label(confidence: f64) -> String {
    format!("{} %", (confidence * 1e6).round() / 1e4)
}

pub(super) fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.2}", value * 100.0))
}

pub(super) fn signed_percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:+.2}", value * 100.0))
}

fn cells(scores: Scores) -> [String; COLUMNS] {
    [scores.aer, scores.precision, scores.recall, scores.f].map(percent)
}
