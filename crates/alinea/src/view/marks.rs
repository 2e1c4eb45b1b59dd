//! What links are to the eye: right, wrong or missed, as characters, terminal colors and colors of pictures.
//!
//! | against the gold standard | sure | only possible | neither |
//! |---|---|---|---|
//! | in the alignment | `Sure` ■ | `Possible` □ | `Wrong` × |
//! | not in it | `SureMissed` ○ | `PossibleMissed` ◦ | `Nothing` · |
//!
//! Without a gold standard there is nothing to compare with: a link is a `Link` ■. Each mark has a character of its own, also in ASCII, so text needs no
//! color. Colors of pictures are from the palette of Okabe and Ito (2008), which people with any color vision can tell
//! apart.

use super::style::{Marks, Style};
use crate::alignment::{Alignment, GoldAlignment, Link};

/// What there is to say about a pair of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Nothing,
    Link,
    Sure,
    Possible,
    Wrong,
    SureMissed,
    PossibleMissed,
}

impl Mark {
    /// What links are marked with against a gold standard, in the order of legends.
    pub(super) const LINKS: [Self; 5] =
        [Self::Sure, Self::Possible, Self::Wrong, Self::SureMissed, Self::PossibleMissed];

    /// What to say about the two words of `link`.
    pub(super) fn of(link: Link, alignment: &Alignment, gold: Option<&GoldAlignment>) -> Self {
        let linked = alignment.contains(link);
        let Some(gold) = gold else {
            return if linked { Self::Link } else { Self::Nothing };
        };
        match (linked, gold.possible().contains(link), gold.sure().contains(link)) {
            (true, _, true) => Self::Sure,
            (true, true, false) => Self::Possible,
            (true, false, false) => Self::Wrong,
            (false, _, true) => Self::SureMissed,
            (false, true, false) => Self::PossibleMissed,
            (false, false, false) => Self::Nothing,
        }
    }

    pub(super) fn character(self, marks: Marks) -> char {
        let (unicode, ascii) = match self {
            Self::Nothing => ('·', '.'),
            Self::Link | Self::Sure => ('■', '#'),
            Self::Possible => ('□', '+'),
            Self::Wrong => ('×', 'x'),
            Self::SureMissed => ('○', 'O'),
            Self::PossibleMissed => ('◦', 'o'),
        };
        if marks == Marks::Unicode { unicode } else { ascii }
    }

    /// The parameter of the ANSI escape "select graphic rendition".
    pub(super) fn color(self) -> &'static str {
        match self {
            Self::Nothing => "2",
            Self::Link | Self::Sure => "32",
            Self::Possible => "36",
            Self::Wrong => "31",
            Self::SureMissed | Self::PossibleMissed => "33",
        }
    }

    /// Writes the mark as a style has it.
    pub(super) fn push(self, style: &Style, out: &mut String) {
        let character = self.character(style.marks);
        if style.color {
            out.extend(["\x1b[", self.color(), "m"]);
            out.push(character);
            *out += "\x1b[0m";
        } else {
            out.push(character);
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "no link",
            Self::Link => "link",
            Self::Sure => "sure",
            Self::Possible => "possible",
            Self::Wrong => "wrong",
            Self::SureMissed => "missed",
            Self::PossibleMissed => "missed (possible)",
        }
    }

    /// The color in pictures for the screen and for paper, as CSS and Graphviz both write it: of the palette of Okabe and
    /// Ito (2008), whose colors people with any color vision tell apart.
    pub(super) fn paint(self) -> &'static str {
        match self {
            Self::Nothing => "#999999",
            Self::Link | Self::Sure => "#009E73",
            Self::Possible => "#0072B2",
            Self::Wrong => "#D55E00",
            Self::SureMissed | Self::PossibleMissed => "#E69F00",
        }
    }

    /// Whether the link is not in the alignment: such lines are dashed.
    pub(super) fn is_missed(self) -> bool {
        matches!(self, Self::SureMissed | Self::PossibleMissed)
    }
}
