//! The options that choose metrics.

use std::path::PathBuf;

use alinea::metric::Metric;
use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::smoothing::{ChenCherry, Smoothing};
use alinea::metric::tokenize::{Blanks, ThirteenA, Tokenizer};
use anyhow::bail;
use clap::ValueEnum;

/// A metric by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Name {
    /// n-grams of words (Papineni et al. 2002)
    Bleu,
}

/// Which metrics, and how they count.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Metrics")]
pub(super) struct ChoiceArgs {
    /// The metrics
    #[arg(short = 'm', long = "metric", value_name = "NAME", value_enum, num_args = 1.., default_value = "bleu")]
    names: Vec<Name>,
    /// Languages, such as en-zh: the second one chooses the tokenizer
    #[arg(short, long, value_name = "SRC-TGT")]
    language_pair: Option<String>,
    /// What cuts lines into tokens for BLEU: 13a or none [default: as the language has it, otherwise 13a]
    #[arg(short, long, value_name = "NAME")]
    tokenize: Option<String>,
    /// Upper and lower case are the same (BLEU)
    #[arg(long)]
    lowercase: bool,
    /// What BLEU does where nothing matches: exp, floor, add-k, none, or method0 to method7 of Chen and Cherry (2014)
    #[arg(short, long, value_name = "NAME", default_value = "exp")]
    smoothing: String,
    /// The parameter of the smoothing: added counts of floor, add-k and method1, alpha of method6, k of method4 and method7
    #[arg(long, value_name = "NUMBER")]
    smoothing_value: Option<f64>,
    /// Longest n-grams of BLEU
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_order: usize,
    /// BLEU leaves out orders that a text is too short for; always so with --segments
    #[arg(long)]
    effective_order: bool,
}

impl ChoiceArgs {
    /// The metrics, in the order of their names.
    pub(super) fn metrics(&self, _references: &[PathBuf], segments: bool) -> anyhow::Result<Vec<Box<dyn Metric>>> {
        let mut metrics: Vec<Box<dyn Metric>> = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            if self.names[..number].contains(name) {
                bail!("metric = {name:?}: given twice");
            }
            metrics.push(match name {
                Name::Bleu => Box::new(self.bleu(segments)?),
            });
        }
        Ok(metrics)
    }

    fn bleu(&self, segments: bool) -> anyhow::Result<Bleu> {
        let config = BleuConfig {
            weights: vec![1.0 / self.max_order as f64; self.max_order],
            smoothing: self.smoothing()?,
            effective_order: self.effective_order || segments,
            lowercase: self.lowercase,
            tokenizer: self.tokenizer()?,
        };
        Ok(Bleu::new(config)?)
    }

    fn tokenizer(&self) -> anyhow::Result<Box<dyn Tokenizer>> {
        Ok(match self.tokenize.as_deref() {
            None | Some("13a") => Box::new(ThirteenA),
            Some("none") => Box::new(Blanks),
            Some(name) => bail!("tokenize = {name}: allowed is 13a or none"),
        })
    }

    fn smoothing(&self) -> anyhow::Result<Smoothing> {
        let value = self.smoothing_value;
        let smoothing = match self.smoothing.as_str() {
            "none" => Smoothing::None,
            "exp" => Smoothing::Exp,
            "floor" => Smoothing::Floor(value.unwrap_or(0.1)),
            "add-k" => Smoothing::AddK(value.unwrap_or(1.0)),
            name => match name.strip_prefix("method").and_then(|number| number.parse().ok()) {
                Some(method @ 0..=7) => {
                    let mut method = ChenCherry::new(method);
                    match (method.method, value) {
                        (1, Some(value)) => method.epsilon = value,
                        (4 | 7, Some(value)) => method.k = value,
                        (6, Some(value)) => method.alpha = value,
                        _ => {}
                    }
                    Smoothing::ChenCherry(method)
                }
                _ => bail!("smoothing = {name}: allowed is exp, floor, add-k, none, or method0 to method7"),
            },
        };
        let without = match smoothing {
            Smoothing::None | Smoothing::Exp => true,
            Smoothing::ChenCherry(method) => !matches!(method.method, 1 | 4 | 6 | 7),
            Smoothing::Floor(_) | Smoothing::AddK(_) => false,
        };
        if let Some(value) = value
            && without
        {
            bail!("smoothing-value = {value}: {} has no parameter", self.smoothing);
        }
        Ok(smoothing)
    }

    /// Whether a tokenizer was asked for by name.
    pub(super) fn names_tokenizer(&self) -> bool {
        self.tokenize.is_some()
    }
}
