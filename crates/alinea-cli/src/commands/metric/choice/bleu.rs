//! The options of BLEU.

use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::smoothing::Smoothing;

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
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=32))]
    max_order: u8,
    /// Leave out orders that a text is too short for; always so with --segments
    #[arg(long)]
    effective_order: bool,
}

impl BleuArgs {
    /// The metric.
    pub(super) fn metric(&self, words: &WordArgs, segments: bool) -> anyhow::Result<Bleu> {
        let config = BleuConfig {
            weights: vec![1.0 / f64::from(self.max_order); usize::from(self.max_order)],
            smoothing: Smoothing::by_name(&self.smoothing, self.smoothing_value)?,
            effective_order: self.effective_order || segments,
            lowercase: words.lowercase,
            tokenizer: words.tokenizer()?,
        };
        Ok(Bleu::new(config)?)
    }
}
