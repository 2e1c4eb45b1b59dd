//! alinea is a toolkit for parallel text: it aligns words, judges alignments, and scores translations.
//!
//! The way of the data, and so the order of the rooms: bytes become numbers in [`mod@format`], which fills a
//! [`bitext::Bitext`]; a [`model`] turns that into posteriors and directional links; [`symmetrize`] joins two
//! directions into an [`alignment::Alignment`]; [`evaluate`] compares it with a gold standard, [`mod@phrase`] extracts phrases
//! from it, [`view`] draws it. Beside that way lies [`metric`], which scores translations by references.
//! `ARCHITECTURE.md` walks through the rooms.

#![doc(test(attr(deny(warnings))))]

pub mod error;
pub mod limits;
pub mod parallel;
pub mod progress;
pub mod storage;
pub mod terminal;

pub mod align;
pub mod alignment;
pub mod bitext;
pub mod classes;
pub mod evaluate;
pub mod format;
pub mod lexicon;
pub mod metric;
pub mod model;
pub mod numeric;
pub mod permutation;
pub mod phrase;
pub mod project;
pub mod reorder;
pub mod sentence_align;
pub mod symmetrize;
pub mod tree;
pub mod view;
