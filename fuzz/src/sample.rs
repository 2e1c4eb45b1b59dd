//! A small text: what models are asked about. Some of its words the models of the seeds know.

use alinea::bitext::Bitext;
use alinea::format::bitext::{self, ReadOptions};
use alinea::tree::{ParsedSentence, Roots};

/// Sentence pairs; the seeds are trained on these.
pub const TEXT: &str = include_str!("../seeds/sample.txt");

/// Sentences with trees; the seeds of word order are trained on these.
pub const TREES: &str = include_str!("../seeds/sample.conllu");

/// The pairs as numbers.
pub fn bitext() -> Bitext {
    bitext::read_joint(crate::input(TEXT.as_bytes()), &ReadOptions::default()).expect("it is well formed").bitext
}

/// The sentences with trees.
pub fn parses() -> Vec<ParsedSentence> {
    alinea::format::conllu::parse(TREES, "sample.conllu", Roots::One).expect("they are well formed")
}
