//! IBM Models 1 to 5, each direction for itself: the textbook models as Brown, Della Pietra, Della Pietra and Mercer (1993)
//! define them, in double precision, for texts of any size.
//!
//! **What they are.** Each word f_j of the generated side comes from one position a_j of the conditioning side e_1..e_I, or
//! from the empty word e_0. The models differ in what they know of a:
//!
//! ```text
//! 1         P(f, a | e) ~ prod_j t(f_j | e_aj)
//! 2         ... a(a_j | j, I, J): positions by place and lengths
//! diagonal  ... positions along the diagonal (Dyer, Chahuneau and Smith 2013)
//! 3         ... n(φ_i | e_i), how many words a word generates; d(j | a_j, I, J), where they lie
//! 4         ... where they lie relative to those of the word before, by word classes
//! 5         ... the same, over the places that are vacant
//! ```
//!
//! A [`IbmSchedule`] is a chain of models, each of which starts from what the one before has learned: `ibm1:5,hmm:5,
//! ibm3:3,ibm4:3` is what GIZA++ made popular. Model 1 begins, and an HMM may follow, for which the chain takes the
//! [textbook model](super::AlignerConfig::hmm). Models 3 to 5 sum over the neighborhood of the best alignment that a
//! climb finds; it starts from the best one of the pass before. With pegging they sum over the neighborhoods of many such
//! alignments, one for each link that is possible.
//!
//! ```
//! use alinea::bitext::{Bitext, RankedBitext, Text};
//! use alinea::model::ibm::{IbmAligner, IbmConfig};
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//!
//! let (mut source, mut target) = (Text::default(), Text::default());
//! for (s, t) in [("the house", "la maison"), ("the flower", "la fleur"), ("a house", "une maison")] {
//!     source.push_sentence(s.split(' ').map(str::as_bytes));
//!     target.push_sentence(t.split(' ').map(str::as_bytes));
//! }
//! let bitext = RankedBitext::new(Bitext::new(source, target)?);
//! let config = IbmConfig::new("ibm1:5,ibm2:3,ibm3:3".parse()?);
//! let aligner = IbmAligner::train(&bitext, &config, &Parallelism::serial(), &Silent)?;
//! let [forward, reverse] = aligner.paths(1);
//! assert_eq!((forward.to_string(), reverse.to_string()), ("0-0 1-1".to_owned(), "0-0 1-1".to_owned()));
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! [`IbmAligner::paths`] are best alignments, [`IbmAligner::worker`] has posteriors: of Models 1 and 2 and the diagonal one
//! exact, of Models 3 to 5 over the alignments that a pass sums over.
//!
//! **Cost.** A pass of Models 1, 2 and the diagonal one takes O(cells); of Model 3 O(steps × (I J + J²)) for each pair, of
//! Model 4 some three times that. With pegging
//! a pair takes up to I J times as long. Memory: 16 bytes for each distinct pair of words, 4 bytes for each word of the text.
//!
//! **Rooms.** `side` one pair in one direction; `translation` t; `word_by_word` Models 1, 2 and the diagonal one, with
//! `positions` and `shapes`; `fertile` Models 3 to 5, with `search` for the climb, `sample` for
//! what is counted, `fertility`, and the order of words in `absolute`, `relative` and `vacancies`; `schedule` chains; `aligner` training and its
//! result; `worker` posteriors.

mod absolute;
mod aligner;
mod directed;
mod fertile;
mod fertile_tables;
mod fertility;
mod paths;
mod positions;
mod relative;
mod sample;
mod schedule;
mod search;
mod shapes;
mod shared_counts;
mod side;
mod translation;
mod vacancies;
mod word_by_word;
mod worker;

#[cfg(test)]
mod tests;

pub use aligner::{IbmAligner, IbmConfig};
pub use paths::Paths;
pub use schedule::{IbmModel, IbmSchedule, Passes};
pub use worker::IbmWorker;

/// No probability is lower, so that nothing that was seen becomes impossible.
pub const MIN_PROBABILITY: f64 = 1e-12;

/// Sentence pairs that a thread takes at a time.
const PAIRS_PER_CHUNK: usize = 256;
