//! IBM Models 1 to 5 as textbooks train them, over tables that the caller owns.
//!
//! [`ibm`](super::ibm) has the same models for use: it makes its own tables, smooths them, and counts in integers, so that
//! threads may add in any order. This module is for callers who know these models from a textbook or from another program
//! and want what that has to the last digits: nothing is smoothed, sums are sums of doubles in a fixed order, and tables
//! come from the caller and go back to them. `alinea.nltk` of the Python package is one.
//!
//! **Texts** are [`PairedText`]s: sentences of numbers, whatever words these stand for. The pairs of words that occur
//! together are its *cells*, and t, the translation table, is an array with a value for each. The pairs of lengths that
//! occur have *grids*, with a cell for each generated word and each of its states: a conditioning word, or 0, the empty
//! word.
//!
//! **Models 1 and 2** are [`WordByWord`]:
//!
//! ```
//! use alinea::model::textbook::{NumberedSide, PairedText, WordByWord, best_states};
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//!
//! // the house / das Haus, the book / das Buch, a book / ein Buch: conditioning words count from 1.
//! let (mut words, mut conditions) = (NumberedSide::default(), NumberedSide::default());
//! for (sentence, translation) in [([0, 1], [1, 2]), ([0, 2], [1, 3]), ([3, 2], [4, 3])] {
//!     sentence.into_iter().for_each(|word| words.push(word));
//!     translation.into_iter().for_each(|word| conditions.push(word));
//!     words.end_sentence();
//!     conditions.end_sentence();
//! }
//! let threads = Parallelism::serial();
//! let text = PairedText::new(words, conditions, &threads);
//! let mut model = WordByWord::uniform(&text, 0.25);
//! model.train(&text, 20, &threads, &Silent)?;
//! // t(book | Buch) after 20 passes, and the alignment of all words to positions from 1.
//! let cell = text.row(2).find(|&cell| text.columns()[cell] == 3).unwrap();
//! assert!((model.translation[cell] - 0.999).abs() < 1e-3);
//! assert_eq!(best_states(&text, &model.translation, None, &threads), [1, 2, 1, 2, 1, 2]);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **Models 3 to 5** are [`Fertile`]. A sum over all alignments is out of reach; a pass sums over a sample, which climbing
//! finds from the best alignment of Model 2, with each link that could be pegged in turn.
//!
//! Source: Brown, Della Pietra, Della Pietra and Mercer 1993, *The mathematics of statistical machine translation*,
//! Computational Linguistics 19(2), section 4.
//!
//! **Rooms.** `text` texts and their cells; `expectation` Models 1 and 2; `fertile` a pass of Models 3 to 5, with `search`
//! for the alignments that it looks at; `tables` what these models are given, with `layout` for where the tables of word
//! order keep their values; the order of words in `cepts` and `vacancies`.

mod cepts;
mod expectation;
mod fertile;
mod layout;
mod search;
mod tables;
mod text;
mod vacancies;

#[cfg(test)]
mod tests;

pub use self::expectation::{WordByWord, best_states};
pub use self::fertile::{Fertile, FertileCounts, Sample};
pub use self::layout::{Layout, LayoutRow, RowKey, WordClasses};
pub use self::tables::{Displacements, FertilityRows, WordOrder};
pub use self::text::{Lengths, NumberedSide, PairedText};
pub use super::ibm::MIN_PROBABILITY;
