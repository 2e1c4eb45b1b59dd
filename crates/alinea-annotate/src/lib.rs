//! Annotation of word alignments: [`annotate`] keeps what people link, learns from it and chooses what comes next; [`workbench`] has it
//! in the browser. Users name the crate `alinea`, which has both under the same names.

#![doc(test(attr(deny(warnings))))]

pub(crate) use alinea_align::{align, decision, model};
pub(crate) use alinea_text::{alignment, bitext, error, evaluate, format, numeric, parallel, progress, word_vectors};

pub mod annotate;
pub mod workbench;
