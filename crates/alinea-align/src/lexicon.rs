//! Pairs of words that occur together, and what is known of each: indices, counts, stems, spelling.
//!
//! A sentence pair of I source and J target words has I·J cells, and each cell belongs to a pair of word types. The
//! number of distinct pairs P is far below the number of cells, but a table of I·J-shaped ids for a million sentence
//! pairs would be larger than everything else together. So [`PairIndex`] stores each pair once, and finds the ids of a
//! sentence's cells again whenever it is visited, without hashing:
//!
//! * Words are frequency ranks. A pair belongs to the row of its *rarer* word; its partners are then exactly the words
//!   up to some rank on the other side, the row's *universe*.
//! * The row of a frequent word has met most of its universe, so each word of that gets an id: the row's start plus the
//!   partner's rank.
//! * The row of a word in between is a bitmap over the universe with running counts: one load and a population count.
//! * The row of a rare word is a short sorted list, walked side by side with the sentence's words.
//!
//! Partners are kept once, as a bitmap or as a list, whichever takes less: about two and a half bytes a pair.
//!
//! Cells of one rare word lie side by side in memory, and cells of two frequent words lie in the few rows that stay in
//! cache, so visiting a sentence costs about as many cache misses as it has rare words, not as it has cells.
//!
//! [`PairTable`] holds the probabilities, and expected counts in fixed point, so that sums do not depend on order.
//! [`Stems`] and [`StemPairs`] are the coarser levels of the lexicon, [`Vowels`] what some of them leave out;
//! [`similarity`] compares spellings, [`characters`] learns how words are spelled in the other language. [`WordKind`]
//! is the coarsest thing to know about a word; [`dictionary_pairs`] finds what is known beforehand. [`LinkCounts`] and
//! [`LexicalTable`] are another thing: translations of words counted by links that are given.

mod ascending;
pub mod characters;
mod dictionary;
mod kinds;
mod lexical_table;
mod link_counts;
mod pair_index;
mod pair_table;
pub mod similarity;
mod sparse;
mod stem_list;
mod stem_pairs;
mod stems;
mod vowels;

pub use dictionary::dictionary_pairs;
pub(crate) use dictionary::fingerprint;
pub use kinds::{WordKind, word_kinds};
pub use lexical_table::{LexicalTable, TableChoice, Translation};
pub use link_counts::LinkCounts;
pub use pair_index::PairIndex;
pub(crate) use pair_index::{IdsInFile, SomePairs};
pub use pair_table::{CountSink, FEW, PairCell, PairTable, Probabilities, UNIT, few_to_units, from_units, to_units};
pub use sparse::SparseValues;
pub use stem_list::StemPairList;
pub use stem_pairs::StemPairs;
pub(crate) use stems::stems_of;
pub use stems::{Affix, Letters, StemCutter, StemRule, Stems};
pub use vowels::Vowels;
