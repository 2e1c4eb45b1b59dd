//! The ground that alinea stands on: parallel text, links and trees, their formats, and what is done with links.
//!
//! [`error`], [`limits`], [`progress`], [`parallel`], [`numeric`], [`storage`] and [`terminal`] know nothing of language;
//! [`bitext`], [`mod@alignment`], [`permutation`], [`tree`] and [`word_vectors`] are the nouns; [`mod@format`] reads and
//! writes them; [`symmetrize`], [`evaluate`], [`mod@phrase`], [`concordance`], [`sentence_align`] and [`token_map`] are what is done with them. Users name the
//! crate `alinea`, which has all of it under the same names.

#![doc(test(attr(deny(warnings))))]

pub mod alignment;
pub mod bitext;
pub mod concordance;
mod configurable;
pub mod error;
pub mod evaluate;
pub mod format;
pub mod labels;
pub mod limits;
pub mod numeric;
pub mod parallel;
pub mod permutation;
pub mod phrase;
#[doc(hidden)]
pub mod pieces;
pub mod progress;
pub mod sentence_align;
pub mod storage;
pub mod symmetrize;
pub mod terminal;
pub mod token_map;
pub mod tree;
pub mod word_vectors;
