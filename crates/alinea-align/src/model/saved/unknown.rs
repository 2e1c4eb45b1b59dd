//! Words of a text that a saved model does not know: it is probably for other languages, or for text that is tokenized otherwise,
//! or source and target are swapped.

use std::fmt;

use crate::bitext::Text;
use crate::model::saved::open::Model;

/// Of fewer words on either side a share says little.
const FEWEST_WORDS: usize = 100;

/// That many words of a text are unknown to a saved model; displays as one line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnknownWords {
    /// Which shares of the source and of the target words.
    pub shares: [f64; 2],
    /// Whether the model knows more if source and target change places.
    pub swapped: bool,
}

impl UnknownWords {
    /// Those of a source and a target text, if they are more than a share `most` of either; nothing of a few words. O(tokens).
    pub fn of(model: &Model, [source, target]: [&Text; 2], most: f64) -> Option<Self> {
        if source.token_count().min(target.token_count()) < FEWEST_WORDS {
            return None;
        }
        let greater = |[source, target]: [f64; 2]| source.max(target);
        let shares = model.unknown_shares_of([source, target]);
        let swapped = || greater(model.unknown_shares_of([target, source])) < 0.5 * greater(shares);
        (greater(shares) > most).then(|| Self { shares, swapped: swapped() })
    }
}

impl fmt::Display for UnknownWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guess = if self.swapped {
            "source and target seem to be swapped"
        } else {
            "is it for other languages, or for text that is tokenized otherwise?"
        };
        let [source, target] = self.shares.map(|share| 100.0 * share);
        write!(
            f,
            "the model does not know {source:.0} % of the source words and {target:.0} % of the target words: {guess}"
        )
    }
}
