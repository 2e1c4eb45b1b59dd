//! What tags are carried over.

use alinea_text::alignment::WeightedLink;
use alinea_text::format::markup::{Segment, Translation};
use alinea_text::format::tokens::Tokenize;

/// A segment with tags and its translation.
#[derive(Debug, Clone)]
pub struct MarkedPair<'a> {
    /// The segment.
    pub source: &'a Segment,
    /// Its translation.
    pub target: &'a Translation,
    /// Links between their words, with probabilities; best are all candidates from 0.01 on.
    pub links: &'a [WeightedLink],
    /// Which words these links count.
    pub words: Tokenize,
}
