//! Training in parts that each know only their own text: on several machines, or one after another in little memory.
//!
//! A pass of expectation maximization needs the text for its first half alone, and what that finds are whole numbers, whose
//! sums do not depend on where they were counted. So a text may lie in parts in different places. In turn:
//!
//! | step | of a part | of the whole |
//! |---|---|---|
//! | words | [`PartWords::of`]: its words, and how often they occur | [`WholeText::join`]: ranks by frequency, in the order of the parts |
//! | pairs of words | [`PartPairs::of`]: those that occur together, by rank | [`TrainingState::begin`]: the index of all, and the model before the first pass |
//! | each pass | [`PartText::count`]: expected counts under a state in a file | [`Counts::merged`], in any order, and [`TrainingState::maximize`]: the next state |
//! | the end | | [`TrainingState::finish`]: the model |
//!
//! Each step has files for what it leaves to the next. A part keeps for itself what each of its sentence pairs added to the counts of the
//! last pass ([`OwnCounts`]), which leave-one-out asks for; only the model gets it in the end. **The model is the one that
//! training on the joined text gives**, to the byte.
//!
//! What a part has in memory is its text, the words of the whole, and what the state says of its own pairs of words: it reads the rest
//! of the file of a state ([`StoredState`]) and forgets it. The steps of the whole have 20 bytes for
//! each pair of words, however many parts there are: what these have found is read from their files side by side.
//!
//! ```
//! use alinea::bitext::{Bitext, Dictionary, RankedBitext, Text};
//! use alinea::model::{Aligner, AlignerConfig, TextForm};
//! use alinea::model::parts::{PartPairs, PartText, PartWords, StoredState, TrainingState, WholeText};
//! use alinea::parallel::{Parallelism, Work};
//! use alinea::progress::Silent;
//!
//! let text = |lines: &[(&str, &str)]| {
//!     let (mut source, mut target) = (Text::default(), Text::default());
//!     for (s, t) in lines {
//!         source.push_sentence(s.split(' ').map(str::as_bytes));
//!         target.push_sentence(t.split(' ').map(str::as_bytes));
//!     }
//!     Bitext::new(source, target).unwrap()
//! };
//! let lines = [("the house", "la maison"), ("the flower", "la fleur"), ("a house", "une maison")];
//! let parts = [text(&lines[..1]), text(&lines[1..])];
//! let (serial, form) = (Parallelism::serial(), TextForm::default());
//! let work = Work { parallelism: &serial, observer: &Silent };
//!
//! let words = parts.clone().map(|part| PartWords::of(part, 1.0, form).unwrap());
//! let whole = WholeText::join(&words)?;
//! let texts = [0, 1].map(|n| PartText::new(parts[n].clone(), n, &whole).unwrap());
//! let pairs = texts.each_ref().map(|part| PartPairs::of(part, work).unwrap());
//! let mut state = TrainingState::begin(whole, pairs.into(), AlignerConfig::default(), &Dictionary::default(), work)?;
//! let mut own = [None, None];
//! let directory = tempfile::tempdir().unwrap();
//! let path = directory.path().join("state");
//! while state.next_pass().is_some() {
//!     state.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
//!     let stored = StoredState::open(&path)?;
//!     let mut counts = Vec::new();
//!     for (text, own) in texts.iter().zip(&mut own) {
//!         let (of_part, kept) = text.count(&stored, own.take(), &[], None, work)?;
//!         (*own, counts) = (Some(kept), [counts, vec![of_part]].concat());
//!     }
//!     let merged = counts.into_iter().reduce(|one, other| one.merged(other).unwrap()).unwrap();
//!     state = state.maximize(merged, None, work)?;
//! }
//! let mut model = Vec::new();
//! state.finish(own.into_iter().flatten().collect())?.write(&mut model).unwrap();
//!
//! let joined = RankedBitext::new(text(&lines));
//! let mut expected = Vec::new();
//! Aligner::train(&joined, AlignerConfig::default(), &serial, &Silent)?.save(&joined, form, &mut expected).unwrap();
//! assert!(model == expected);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod count;
mod identity;
mod memory;
mod own_counts;
mod pairs;
mod part_text;
mod prune;
mod prune_limit;
mod restricted;
mod state;
mod state_file;
mod stored_state;
mod words;

pub use memory::MemoryLimit;
pub use own_counts::OwnCounts;
pub use pairs::PartPairs;
pub use part_text::PartText;
pub use prune_limit::PruneLimit;
pub use state::{TrainedInParts, TrainingState};
pub use stored_state::StoredState;
pub use words::{PartWords, WholeText};

#[cfg(doc)]
use crate::model::Counts;

#[cfg(test)]
mod tests;
