//! What labels are carried over.

use alinea_text::alignment::WeightedLink;
use alinea_text::labels::LabeledSpan;

use crate::project::check::check_links;

/// The probability of a link of which nobody says how probable it is.
pub const UNWEIGHTED: f32 = 0.9;

/// A sentence pair whose source has labels.
#[derive(Debug, Clone)]
pub struct LabeledPair<'a> {
    /// The source words.
    pub source: Vec<&'a str>,
    /// The target words.
    pub target: Vec<&'a str>,
    /// The labels of the source.
    pub spans: &'a [LabeledSpan],
    /// Links with their probabilities; best are all candidates from 0.01 on; [`UNWEIGHTED`] for a link without one.
    pub links: &'a [WeightedLink],
}

impl LabeledPair<'_> {
    /// Says what is wrong with it.
    pub(super) fn check(&self) -> Result<(), String> {
        let lengths = [self.source.len(), self.target.len()];
        for LabeledSpan { words, label } in self.spans {
            if words.start >= words.end || words.end > lengths[0] {
                return Err(format!(
                    "{label} of words {} to {} in a sentence of {}",
                    words.start, words.end, lengths[0]
                ));
            }
        }
        check_links(self.links, lengths)
    }
}
