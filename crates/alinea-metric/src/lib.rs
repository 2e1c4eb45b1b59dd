//! Scores of translations: see [`metric`]. Users name the crate `alinea`, which has it under the same name.

#![doc(test(attr(deny(warnings))))]

pub(crate) use alinea_text::{
    alignment, bitext, error, format, limits, numeric, parallel, permutation, pieces, progress, tree,
};

pub mod metric;
