//! Whether a system is better than a baseline, by paired bootstrap resampling.
//!
//! Both are evaluated against the same gold standard. Each sample draws sentences with replacement, the same for both,
//! and gives a difference, system minus baseline, in precision, recall, F and AER. From the samples come its interval,
//! its standard error and a two-sided p-value; `numeric::Bootstrap` has the definitions. For AER a negative difference
//! is in favor of the system, for the other scores a positive one.
//!
//! A [`Comparison`] has both evaluations, the differences, and the gains of the system over the baseline.
//! A [`ComparisonReport`] is what is shown of it: a table in percent, or JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::report::{COLUMNS, Report, confidence_label, heading, line, percent, signed_percent};
use super::{Counts, Evaluation, Gains, Options, evaluate, gains};
use crate::alignment::{Alignment, GoldAlignment};
use crate::error::Result;
use crate::numeric::{Bootstrap, Difference, Statistics};
use crate::parallel::Parallelism;

/// Two hypotheses against the same gold standard.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The evaluation of the baseline.
    pub baseline: Evaluation,
    /// The evaluation of the system.
    pub system: Evaluation,
    /// How the corpus scores were resampled.
    pub bootstrap: Bootstrap,
    /// System minus baseline, and how sure that is.
    pub differences: Differences,
    /// What the system gains over the baseline.
    pub gains: Gains,
    /// Whether both have the same counts in every sentence.
    pub identical: bool,
}

/// Differences of corpus scores, system minus baseline. For AER a negative difference says that the system is better,
/// for the others a positive one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Differences {
    /// Of precision.
    pub precision: Difference,
    /// Of recall.
    pub recall: Difference,
    /// Of F.
    pub f: Difference,
    /// Of the alignment error rate.
    pub aer: Difference,
}

/// Compares a system with a baseline by paired bootstrap resampling of their sentences ([`Bootstrap::compare`]); without
/// [`Options::bootstrap`] with its default.
///
/// # Errors
/// Those of [`evaluate`], for either hypothesis.
pub fn compare(
    gold: &[GoldAlignment],
    baseline: &[Alignment],
    system: &[Alignment],
    options: &Options,
) -> Result<Comparison> {
    let baseline = evaluate(gold, baseline, options)?;
    let system = evaluate(gold, system, options)?;
    Comparison::of(baseline, system, options)
}

impl Comparison {
    /// Compares evaluations of the same sentences.
    pub(super) fn of(baseline: Evaluation, system: Evaluation, options: &Options) -> Result<Self> {
        let bootstrap = options.bootstrap.unwrap_or_default();
        let rows = |evaluation: &Evaluation| Statistics::from_rows(evaluation.sentences.iter().map(Counts::row));
        let score = |sums: &[u64]| Counts::from_row(sums).scores(options.alpha).array();
        let [precision, recall, f, aer] =
            bootstrap.compare(&rows(&system), &rows(&baseline), score, &Parallelism::serial())?;
        let differences = Differences { precision, recall, f, aer };
        let gains = gains(&baseline.sentences, &system.sentences, options.alpha, &bootstrap)?;
        let identical = baseline.sentences == system.sentences;
        Ok(Self { baseline, system, bootstrap, differences, gains, identical })
    }

    /// A human-readable report (its `Display`) and a machine-readable one (its JSON), with the `worst` worst sentences of each.
    pub fn report(&self, worst: usize) -> ComparisonReport {
        ComparisonReport {
            signature: Options { bootstrap: Some(self.bootstrap), ..self.system.options }
                .signature_with(self.system.panel),
            bootstrap: self.bootstrap,
            baseline: self.baseline.report(worst),
            system: self.system.report(worst),
            differences: self.differences,
            gains: self.gains,
            identical: self.identical,
        }
    }
}

/// A report of a comparison, human-readable and as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonReport {
    /// Every choice that changes the numbers.
    pub signature: String,
    /// How the sentences were resampled.
    pub bootstrap: Bootstrap,
    /// The baseline.
    pub baseline: Report,
    /// The system.
    pub system: Report,
    /// System minus baseline.
    pub differences: Differences,
    /// What the system gains over the baseline.
    pub gains: Gains,
    /// Whether both have the same counts in every sentence.
    pub identical: bool,
}

/// A table in percent (p-values: fractions).
impl fmt::Display for ComparisonReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Differences { precision, recall, f: weighted, aer } = self.differences;
        let differences = [aer, precision, recall, weighted];
        let cells = |cell: &dyn Fn(&Difference) -> String| -> [String; COLUMNS] {
            std::array::from_fn(|column| cell(&differences[column]))
        };
        writeln!(f, "sentences            {}", self.system.sentences)?;
        self.system.write_panel(f)?;
        writeln!(f, "baseline             {}", self.baseline.links())?;
        writeln!(f, "system               {}", self.system.links())?;
        writeln!(f)?;
        heading(f, self.system.alpha)?;
        line(f, "baseline", self.baseline.corpus_cells())?;
        line(f, "system", self.system.corpus_cells())?;
        line(f, "system - baseline", cells(&|d| signed_percent(d.difference)))?;
        let confidence = confidence_label(self.bootstrap.confidence);
        line(f, &format!("{confidence} from"), cells(&|d| signed_percent(d.interval.map(|i| i.low))))?;
        line(f, &format!("{confidence} to"), cells(&|d| signed_percent(d.interval.map(|i| i.high))))?;
        line(f, "standard error", cells(&|d| percent(d.standard_error)))?;
        let Gains { precision, recall, f: weighted, aer } = self.gains;
        let gains = [aer, precision, recall, weighted];
        line(f, "relative", std::array::from_fn(|column| signed_percent(gains[column].relative.value)))?;
        line(f, "p-value", cells(&|d| d.p_value.map_or_else(|| "-".to_owned(), |p| format!("{p:.4}"))))?;
        writeln!(f)?;
        if self.identical {
            writeln!(f, "identical: both have the same counts in every sentence")?;
            writeln!(f)?;
        }
        writeln!(f, "{}", self.signature)
    }
}
