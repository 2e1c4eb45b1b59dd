//! What becomes of tags.

use std::ops::Range;

use alinea_text::format::markup::Place;

/// Why a pair of tags was not placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loss {
    /// None of its words has a link.
    Unlinked,
    /// Links are too improbable.
    Weak,
    /// The words that it is linked to belong to other pairs.
    Taken,
    /// What it is in was not placed.
    Inside,
    /// It is in too many others.
    Deep,
    /// Its tags would have been in the wrong order.
    Crossing,
}

impl Loss {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Unlinked, Self::Weak, Self::Taken, Self::Inside, Self::Deep, Self::Crossing];

    /// What to call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unlinked => "unlinked",
            Self::Weak => "weak",
            Self::Taken => "taken",
            Self::Inside => "inside",
            Self::Deep => "deep",
            Self::Crossing => "crossing",
        }
    }
}

/// What became of a tag that stands alone, or of a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Fate {
    /// The tag, by number; the first of a pair.
    pub tag: usize,
    /// The other one.
    pub close: Option<usize>,
    /// Its words in the source; nothing between two words if it has none.
    pub source: Range<usize>,
    /// Its words in the target; none if it was dropped.
    pub target: Option<Range<usize>>,
    /// How probable it is that a word in it has a link into it, on average, from 0 to 1; 0 without words.
    pub confidence: f32,
    /// Why it was not placed by its words.
    pub lost: Option<Loss>,
}

/// Where the tags of a segment go.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlacedMarkup {
    /// The tags with their places, in order.
    pub places: Vec<Place>,
    /// What became of each, in the order of the source.
    pub fates: Vec<Fate>,
}
