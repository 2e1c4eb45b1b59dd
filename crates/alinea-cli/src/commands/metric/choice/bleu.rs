//! The options of BLEU.

use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::smoothing::{ChenCherry, Smoothing};
use anyhow::bail;

use super::words::WordArgs;

/// How BLEU counts.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "BLEU")]
pub(super) struct BleuArgs {
    /// What is done where nothing matches: exp, floor, add-k, none, or method0 to method7 of Chen and Cherry (2014)
    #[arg(short, long, value_name = "NAME", default_value = "exp")]
    smoothing: String,
    /// The parameter of the smoothing: added counts of floor, add-k and method1, alpha of method6, k of method4 and method7
    #[arg(long, value_name = "NUMBER")]
    smoothing_value: Option<f64>,
    /// Longest n-grams
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_order: usize,
    /// Leave out orders that a text is too short for; always so with --segments
    #[arg(long)]
    effective_order: bool,
}

impl BleuArgs {
    /// The metric.
    pub(super) fn metric(&self, words: &WordArgs, segments: bool) -> anyhow::Result<Bleu> {
        let config = BleuConfig {
            weights: vec![1.0 / self.max_order as f64; self.max_order],
            smoothing: self.smoothing()?,
            effective_order: self.effective_order || segments,
            lowercase: words.lowercase,
            tokenizer: words.tokenizer()?,
        };
        Ok(Bleu::new(config)?)
    }

    fn smoothing(&self) -> anyhow::Result<Smoothing> {
        let value = self.smoothing_value;
        let smoothing = match self.smoothing.as_str() {
            "none" => Smoothing::None,
            "exp" => Smoothing::Exp,
            "floor" => Smoothing::Floor(value.unwrap_or(0.1)),
            "add-k" => Smoothing::AddK(value.unwrap_or(1.0)),
            name => match name.strip_prefix("method").and_then(|number| number.parse().ok()) {
                Some(method @ 0..=7) => Smoothing::ChenCherry(chen_cherry(method, value)),
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
}

fn chen_cherry(method: u8, value: Option<f64>) -> ChenCherry {
    let mut technique = ChenCherry::new(method);
    match (method, value) {
        (1, Some(value)) => technique.epsilon = value,
        (4 | 7, Some(value)) => technique.k = value,
        (6, Some(value)) => technique.alpha = value,
        _ => {}
    }
    technique
}
