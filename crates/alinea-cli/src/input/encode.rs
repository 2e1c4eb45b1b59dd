//! Which pairs of a text are encoded (`--encode`), and their vectors.
//!
//! All pairs of a text that is not large are encoded; of others evenly spaced ones, or those of which a model is least certain.
//! The latter has to be trained first, and is joined with the vectors afterwards.

use alinea::align::{Checkpoint, EncodedPairs, Trained, TrainingData};
use alinea::bitext::Bitext;
use alinea::error::Result;
use alinea::format::bitext::KeptText;
use alinea::model::Model;
use alinea::parallel::Work;
use alinea::word_vectors::WordVectors;

use crate::input::encoder::{EncoderArgs, TextEncoder};

/// The option for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Encoder")]
pub(crate) struct EncodeArgs {
    /// Pairs that are encoded: all, N evenly spaced ones, or P%: the least certain ones, up to P% of the words [default: all
    /// of up to 20000 pairs, otherwise 5000]
    ///
    /// 20000 pairs take about five minutes of CPU time with a small encoder. Encoder and model decide together about the
    /// links of encoded pairs; the model is then trained again, and learns from these links for all other pairs. For P% a
    /// model is trained first to find the pairs. With --model-file, only the links of encoded pairs change.
    #[arg(long, value_name = "all|N|P%", requires = "encoder")]
    encode: Option<EncodedPairs>,
}

impl EncodeArgs {
    /// Opens the encoder, with which there cannot be a checkpoint.
    pub(crate) fn open<'a>(
        &self,
        encoder: &'a EncoderArgs,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Option<PairEncoder<'a>>> {
        match checkpoint {
            Some(checkpoint) if encoder.is_given() => Err(checkpoint.refused_with_vectors()),
            _ => Ok(encoder.open()?.map(|encoder| PairEncoder { encoder, pairs: self.encode })),
        }
    }
}

/// An encoder, and which pairs it is to encode.
#[derive(Debug)]
pub(crate) struct PairEncoder<'a> {
    encoder: TextEncoder<'a>,
    pairs: Option<EncodedPairs>,
}

/// The lines of a text, as they were written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenText<'a> {
    pub(crate) lines: &'a KeptText,
    /// The numbers of those, in order, that were skipped for their length.
    pub(crate) skipped: &'a [usize],
}

impl PairEncoder<'_> {
    /// The share of the words that is encoded, in the pairs of which a model is least certain, if that was asked for.
    pub(crate) fn share(&self) -> Option<f64> {
        match self.pairs {
            Some(EncodedPairs::LeastCertain(share)) => Some(share),
            _ => None,
        }
    }

    /// The numbers of the pairs of a text that are encoded, where no model decides about that; nothing for all.
    pub(crate) fn spaced(&self, text: &Bitext) -> Option<Vec<usize>> {
        self.pairs.unwrap_or_else(|| EncodedPairs::of_text(text.len())).spaced(text)
    }

    /// Joins a model with the vectors of the pairs of which it is least certain, if that was asked for; given is the saved model
    /// that it was adapted from, if it was.
    pub(crate) fn join_least_certain(
        &self,
        (trained, data): (Trained, TrainingData),
        adapted: Option<&Model>,
        text: WrittenText<'_>,
        work: Work<'_>,
    ) -> Result<(Trained, TrainingData)> {
        let Some(share) = self.share() else { return Ok((trained, data)) };
        let numbers = trained.least_certain(&data, share, work)?;
        let data = data.with_vectors(self.encode(text, Some(&numbers), work)?)?;
        Ok((trained.join(adapted, &data, work)?, data))
    }

    /// The vectors of both sides of the pairs of a text with these numbers, in order, or of all.
    pub(crate) fn encode(
        &self,
        WrittenText { lines, skipped }: WrittenText<'_>,
        numbers: Option<&[usize]>,
        work: Work<'_>,
    ) -> Result<[WordVectors; 2]> {
        let all = lines.source.len();
        let is_encoded = |n: &usize| {
            skipped.binary_search(n).is_err() && numbers.is_none_or(|numbers| numbers.binary_search(n).is_ok())
        };
        let numbers: Vec<usize> = (0..all).filter(is_encoded).collect();
        let vectors = self.encoder.encode(lines, &numbers, work)?;
        Ok(if numbers.len() == all { vectors } else { vectors.map(|some| spread(&some, &numbers, all)) })
    }
}

/// Vectors of all lines of a text, from those of the lines with these numbers, in order: the others have none.
fn spread(some: &WordVectors, numbers: &[usize], lines: usize) -> WordVectors {
    let mut all = WordVectors::new(some.origin(), some.width());
    let mut left = numbers.iter().enumerate().peekable();
    for n in 0..lines {
        match left.next_if(|&(_, &number)| number == n) {
            Some((place, _)) => all.push_halves(some.halves(place)),
            None => all.push_halves(&[]),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_not_encoded_have_no_vectors() {
        let mut some = WordVectors::new("toy.1", 2);
        some.push_halves(&[1, 2]);
        some.push_halves(&[3, 4, 5, 6]);
        let all = spread(&some, &[1, 3], 5);
        assert_eq!(all.origin(), "toy.1");
        let lines: Vec<&[u16]> = (0..all.len()).map(|n| all.halves(n)).collect();
        let expected: [&[u16]; 5] = [&[], &[1, 2], &[], &[3, 4, 5, 6], &[]];
        assert_eq!(lines, expected);
    }
}
