//! Options for how intervals and tests are drawn.

use alinea::numeric::Bootstrap;

use crate::input::kind::Rare as _;

/// How sure the numbers are.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Intervals")]
pub(crate) struct ResamplingArgs {
    /// Number of bootstrap samples for intervals and comparison; 0 for no intervals
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().samples)]
    bootstrap: usize,
    /// Random seed of the samples
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed, rare = true)]
    seed: u64,
    /// Confidence level of the intervals, between 0 and 1
    #[arg(long, value_name = "SHARE", default_value_t = Bootstrap::default().confidence, rare = true)]
    confidence: f64,
}

impl ResamplingArgs {
    /// How to resample; nothing for 0 samples.
    pub(crate) fn bootstrap(&self) -> Option<Bootstrap> {
        let &Self { bootstrap: samples, seed, confidence } = self;
        (samples > 0).then_some(Bootstrap::new(samples, seed, confidence))
    }
}
