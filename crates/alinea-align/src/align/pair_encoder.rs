//! Learning and aligning with an encoder: which pairs of a text it encodes, and when.
//!
//! A [`PairEncoder`] is a function that encodes pairs of a text by number, and the choice of these ([`EncodedPairs`]). All
//! pairs, or evenly spaced ones, are encoded first, and a model is trained with their vectors ([`Trained::train`]). Where the
//! pairs are those of which a model is least certain, that is trained first, and joined with the vectors afterwards
//! ([`Trained::join`]). A saved model is joined as it is ([`SavedAligner::join`]).
//!
//! ```
//! use alinea::align::{EncodedPairs, PairEncoder, Request, TrainingData};
//! use alinea::bitext::{Bitext, Text};
//! use alinea::parallel::{Parallelism, Work};
//! use alinea::progress::Silent;
//! use alinea::word_vectors::WordVectors;
//!
//! let text = |lines: [&str; 3]| {
//!     let mut text = Text::default();
//!     lines.iter().for_each(|line| text.push_sentence(line.split(' ').map(str::as_bytes)));
//!     text
//! };
//! let source = text(["the house", "the flower", "a house"]);
//! let target = text(["la maison", "la fleur", "une maison"]);
//! let data = TrainingData::of(Bitext::new(source, target)?)?.build()?;
//! // Two words a sentence, and vectors of three numbers.
//! let encode = |numbers: &[usize], _: Work<'_>| {
//!     let mut vectors = WordVectors::new("toy.1", 3);
//!     numbers.iter().for_each(|_| vectors.push(&[1.0, 0.0, 0.5, 0.0, 1.0, 0.5]));
//!     Ok([vectors.clone(), vectors])
//! };
//! let encoder = PairEncoder::new(Some(EncodedPairs::Spaced(2)), encode);
//! let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
//! let (trained, _) = encoder.train(&Request::default().recipe()?, data, work)?;
//! assert!(trained.signature().ends_with("|encoder:toy.1|encoded:2"));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::collections::BTreeSet;

use super::data::TrainingData;
use super::encoded::{EncodedPairs, evenly_spaced};
use super::guidelines::Guidelines;
use super::joined::JoinedEvidence;
use super::request::Recipe;
use super::saved_aligner::SavedAligner;
use super::trained::Trained;
use super::whole_text::{chains_refused, check_joinable, plan_least_certain};
use crate::error::{Error, Result};
use crate::model::{Model, NewText};
use crate::parallel::Work;
use crate::word_vectors::WordVectors;

/// What encodes pairs of a text, and which of them it is to encode.
#[derive(Debug, Clone, Copy)]
pub struct PairEncoder<E> {
    pairs: Option<EncodedPairs>,
    encode: E,
}

impl<E: Fn(&[usize], Work<'_>) -> Result<[WordVectors; 2]>> PairEncoder<E> {
    /// Encodes these pairs, by default those of [`EncodedPairs::of_text`]. The function returns the vectors of the words of pairs
    /// whose numbers, in ascending order, it is given: for each number one sentence of each side.
    pub fn new(pairs: Option<EncodedPairs>, encode: E) -> Self {
        Self { pairs, encode }
    }

    /// Trains on a text with the vectors of some or all of its pairs; returns the data with these vectors, too.
    ///
    /// # Errors
    /// Those of [`Trained::train`] and of the encoder; `Unsupported` if the model is of a kind that is not joined with vectors.
    ///
    /// # Panics
    /// If the encoder returns the vectors of fewer sentences than it was asked for.
    pub fn train(&self, recipe: &Recipe, data: TrainingData, work: Work<'_>) -> Result<(Trained, TrainingData)> {
        let Recipe::Joint(config) = recipe else { return Err(chains_refused()) };
        check_joinable(config)?;
        self.learn(data, None, |data| Trained::first(data.begin(config.clone(), work)?, work), work)
    }

    /// Adapts a saved model to a text in so many passes, as [`train`](Self::train) trains one.
    ///
    /// # Errors
    /// Those of [`Trained::adapt`] and of the encoder; `Unsupported` if the model is of a kind that is not joined with vectors.
    ///
    /// # Panics
    /// As [`train`](Self::train).
    pub fn adapt(
        &self,
        model: &Model,
        passes: u32,
        data: TrainingData,
        work: Work<'_>,
    ) -> Result<(Trained, TrainingData)> {
        check_joinable(model.config())?;
        self.learn(data, Some(model), |data| Trained::first(data.begin_adapting(model, passes, work)?, work), work)
    }

    /// The vectors of a text that do not depend on a model, for [`TrainingData::with_vectors`].
    ///
    /// # Errors
    /// Those of the encoder; `Config` if it is a model that says which pairs are encoded.
    ///
    /// # Panics
    /// As [`train`](Self::train).
    pub fn encode(&self, data: &TrainingData, work: Work<'_>) -> Result<[WordVectors; 2]> {
        let refused =
            |share| Err(Error::config("pairs", EncodedPairs::LeastCertain(share), "all, or a number of them"));
        let numbers = with_gold(self.numbers(data.lengths(), refused)?, data);
        self.vectors(&numbers, data.pairs(), work)
    }

    /// Learns what the vectors of pairs of a text say about its links, for a saved model that has [read](Model::read) it; nothing
    /// of a text in which all pairs have an empty side.
    ///
    /// # Errors
    /// Those of [`SavedAligner::join`] and of the encoder.
    ///
    /// # Panics
    /// As [`train`](Self::train).
    pub fn join(
        &self,
        aligner: &SavedAligner<'_>,
        text: &NewText<'_>,
        work: Work<'_>,
    ) -> Result<Option<JoinedEvidence>> {
        let lengths = (0..text.len()).map(|n| text.pair(n).lengths());
        let numbers = self.numbers(lengths, |share| aligner.least_certain(text, share, work))?;
        if numbers.is_empty() {
            return Ok(None);
        }
        aligner.join(text, self.vectors(&numbers, text.len(), work)?, work).map(Some)
    }

    /// Trains with vectors. `adapted` is the saved model that is adapted, if one is; `first` is the training without vectors,
    /// before or after which they are made.
    fn learn(
        &self,
        data: TrainingData,
        adapted: Option<&Model>,
        first: impl Fn(&TrainingData) -> Result<Trained>,
        work: Work<'_>,
    ) -> Result<(Trained, TrainingData)> {
        let mut trained: Option<Trained> = None;
        let least_certain = |share| {
            plan_least_certain(work.observer);
            let without = data.without_gold();
            let data = without.as_ref().unwrap_or(&data);
            trained.insert(first(data)?).least_certain(data, share, work)
        };
        let numbers = with_gold(self.numbers(data.lengths(), least_certain)?, &data);
        let vectors = self.vectors(&numbers, data.pairs(), work)?;
        let data = data.with_vectors(vectors)?;
        let known = adapted.map_or_else(|| Ok(Guidelines::default()), Guidelines::of)?;
        let train = |data: &TrainingData| {
            // What was trained to choose pairs is not trained again.
            trained.take().map_or_else(|| first(data), Ok)?.join(adapted, data, work)
        };
        Ok((Trained::with_gold(&data, known, train, work)?, data))
    }

    /// The numbers of the pairs that are encoded, ascending; given are the lengths of all pairs, and what says of which pairs a
    /// model is least certain.
    fn numbers(
        &self,
        lengths: impl ExactSizeIterator<Item = [usize; 2]>,
        least_certain: impl FnOnce(f64) -> Result<Vec<usize>>,
    ) -> Result<Vec<usize>> {
        match self.pairs.unwrap_or_else(|| EncodedPairs::of_text(lengths.len())) {
            EncodedPairs::All => Ok(evenly_spaced(lengths, usize::MAX)),
            EncodedPairs::Spaced(some) => Ok(evenly_spaced(lengths, some)),
            EncodedPairs::LeastCertain(share) => least_certain(share),
        }
    }

    /// The vectors of all pairs of a text: those with these numbers are encoded, the others have none.
    fn vectors(&self, numbers: &[usize], pairs: usize, work: Work<'_>) -> Result<[WordVectors; 2]> {
        let vectors = (self.encode)(numbers, work)?;
        Ok(if numbers.len() == pairs { vectors } else { vectors.map(|some| spread(&some, numbers, pairs)) })
    }
}

/// The numbers of pairs, and those of pairs with gold links, from which most is learned; only those with words on both sides.
fn with_gold(numbers: Vec<usize>, data: &TrainingData) -> Vec<usize> {
    let has_words = |n: &usize| !data.text().pair(*n).has_empty_side();
    let gold = data.gold().pairs.iter().map(|&(n, _)| n).filter(has_words);
    let all: BTreeSet<usize> = numbers.into_iter().chain(gold).collect();
    all.into_iter().collect()
}

/// Vectors of all pairs of a text, from those of the pairs with these numbers: the others have none.
fn spread(some: &WordVectors, numbers: &[usize], pairs: usize) -> WordVectors {
    let mut all = WordVectors::new(some.origin(), some.width());
    let mut left = numbers.iter().enumerate().peekable();
    for n in 0..pairs {
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
    fn pairs_that_are_not_encoded_have_no_vectors() {
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
