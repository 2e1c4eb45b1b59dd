//! alinea is a toolkit for parallel text: it aligns words, evaluates alignments, and scores translations.
//!
//! The way of the data, and so the order of the rooms: bytes become numbers in [`mod@format`], which fills a
//! [`bitext::Bitext`]; a [`model`] turns that into posteriors and directional links; [`symmetrize`] joins two
//! directions into an [`alignment::Alignment`]; [`evaluate`] compares it with a gold standard, [`mod@phrase`] extracts phrases
//! from it, [`view`] draws it. Beside that way lies [`metric`], which scores translations by references.
//! `ARCHITECTURE.md` walks through the rooms.
//!
//! The features `align`, `encoder`, `metric` and `order` are on by default; `annotate`, which brings a web server, is not. Whoever needs one part compiles no other with
//! `default-features = false, features = ["metric"]`: formats, symmetrization and evaluation are always there, pages and
//! pictures ([`view`]) with `metric`.

#![doc(test(attr(deny(warnings))))]

#[cfg(feature = "align")]
pub use alinea_align::{align, classes, decision, embedding, model, sentences};
#[cfg(feature = "annotate")]
pub use alinea_annotate::{annotate, workbench};
#[cfg(feature = "encoder")]
pub use alinea_encoder as encoder;
#[cfg(feature = "metric")]
pub use alinea_metric::metric;
#[cfg(feature = "order")]
pub use alinea_order::{project, reorder};
pub use alinea_text::{
    alignment, bitext, concordance, error, evaluate, format, labels, limits, parallel, permutation, phrase, progress,
    sentence_align, symmetrize, terminal, token_map, tree, word_vectors,
};

/// The lexicon of a model, and lexical tables made from links.
#[cfg(feature = "align")]
pub mod lexicon {
    pub use alinea_align::lexicon::{
        Affix, Letters, LexicalTable, LinkCounts, PairIndex, Probabilities, StemRule, TableChoice, Translation,
        WordKind,
    };
}

/// Files that alinea wrote.
pub mod storage {
    pub use alinea_text::storage::FileCheck;
}

/// Resampling: intervals of scores, and tests of their differences.
pub mod numeric {
    pub use alinea_text::numeric::{
        Bootstrap, Difference, Estimate, FEWEST_SENTENCES, FEWEST_SYSTEMS, Generator, Interval, Statistics,
    };
}

#[cfg(feature = "metric")]
pub mod view;

/// The Rust of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
