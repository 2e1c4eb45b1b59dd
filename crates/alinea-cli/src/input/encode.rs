//! Which pairs of a text are encoded (`--encode`), and the encoder that does it.
//!
//! The library decides what follows from it and when pairs are encoded (`PairEncoder`); here are the option, and the lines of
//! the text as they were written.

use std::time::Duration;

use alinea::align::{Checkpoint, EncodedPairs, PairEncoder};
use alinea::error::Result;
use alinea::format::bitext::KeptText;
use alinea::parallel::Work;
use alinea::word_vectors::WordVectors;

use crate::input::encoder::{EncoderArgs, TextEncoder};
use crate::input::kind::Rare as _;

/// Why lines were kept.
pub(crate) const LINES: &str = "the lines of a text are kept for an encoder";

/// The option for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Encoder")]
pub(crate) struct EncodeArgs {
    /// Pairs to encode: all, N evenly spaced ones, or P%: the least certain ones, with at least P% of the words [default: all
    /// of up to 20000 pairs, otherwise 5000]
    ///
    /// 20000 pairs take about five minutes of CPU time with a small encoder. Encoder and model decide together about the
    /// links of encoded pairs; the model is then trained again, and learns from these links for all other pairs. For P% a
    /// model is trained first to find the pairs. With --model-file and without --adapt, only the links
    /// of encoded pairs change.
    #[arg(long, value_name = "all|N|P%", requires = "encoder", rare = true)]
    encode: Option<EncodedPairs>,
}

impl EncodeArgs {
    /// Opens the encoder, with which there cannot be a checkpoint.
    pub(crate) fn open<'a>(
        &self,
        encoder: &'a EncoderArgs,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Option<LineEncoder<'a>>> {
        match checkpoint {
            Some(checkpoint) if encoder.is_given() => Err(Checkpoint::refused_with_two_trainings(checkpoint.path())),
            _ => Ok(encoder.open()?.map(|encoder| LineEncoder { encoder, pairs: self.encode })),
        }
    }
}

/// An encoder, and which pairs of a text it is to encode.
#[derive(Debug)]
pub(crate) struct LineEncoder<'a> {
    encoder: TextEncoder<'a>,
    pairs: Option<EncodedPairs>,
}

impl LineEncoder<'_> {
    /// How long it has encoded so far.
    pub(crate) fn time(&self) -> Duration {
        self.encoder.time()
    }

    /// What encodes pairs of the text that has these lines.
    pub(crate) fn of(&self, lines: &KeptText) -> PairEncoder<impl Fn(&[usize], Work<'_>) -> Result<[WordVectors; 2]>> {
        PairEncoder::new(self.pairs, move |numbers: &[usize], work: Work<'_>| self.encoder.encode(lines, numbers, work))
    }
}
