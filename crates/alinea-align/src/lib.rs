//! Word alignment: from parallel text to links.
//!
//! [`align`] is alignment from what is asked to what comes out, over the models of [`model`]; [`lexicon`] keeps millions of
//! pairs of words, [`classes`] puts words into classes, [`embedding`] reads links off word vectors, [`decision`] decides which cells
//! are links; [`sentences`] says which sentences belong together. Users name the crate `alinea`, which has all of it under the same names.

#![doc(test(attr(deny(warnings))))]

pub(crate) use alinea_text::{
    alignment, bitext, error, format, numeric, parallel, progress, sentence_align, storage, symmetrize, word_vectors,
};

pub mod align;
pub mod classes;
pub mod decision;
pub mod embedding;
pub mod lexicon;
pub mod model;
pub mod sentences;
mod shared_sum;
