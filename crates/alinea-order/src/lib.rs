//! Syntax and word order: [`project`] carries links over dependency trees, [`reorder`] learns what order words have in another
//! language. Users name the crate `alinea`, which has both under the same names.

#![doc(test(attr(deny(warnings))))]

pub(crate) use alinea_metric::metric;
pub(crate) use alinea_text::{
    alignment, bitext, error, format, limits, numeric, parallel, permutation, progress, storage, symmetrize, tree,
};

pub mod project;
pub mod reorder;
mod rule_line;
