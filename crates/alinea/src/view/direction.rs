//! In which direction sentences and words run: from left to right, or from right to left as in Hebrew and Arabic.
//!
//! The first letter decides (Unicode Standard Annex 9, rules P2 and P3). A word without letters, such as a bracket,
//! runs as its sentence does. Letters that run from right to left are those of a few blocks; what else stands in these
//! blocks (digits, marks, punctuation) decides nothing.
//!
//! Terminals order a line as a whole, digits and marks beside a word included, so words in a terminal are *isolated*:
//! put between `U+2067` (or `U+2066`) and `U+2069`, so that nothing outside moves. Words from left to right need no
//! isolation, and are written as they are.

use unicode_width::UnicodeWidthChar;

const LEFT_TO_RIGHT_ISOLATE: char = '\u{2066}';
const RIGHT_TO_LEFT_ISOLATE: char = '\u{2067}';
const END_OF_ISOLATE: char = '\u{2069}';

/// The direction of a sentence or a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Direction {
    #[default]
    LeftToRight,
    RightToLeft,
}

impl Direction {
    /// The direction of a sentence.
    pub(super) fn of<W: AsRef<str>>(words: &[W]) -> Self {
        words.iter().find_map(|word| of_first_letter(word.as_ref())).unwrap_or_default()
    }

    /// The direction of a word in a sentence of this direction.
    pub(super) fn of_word(self, word: &str) -> Self {
        of_first_letter(word).unwrap_or(self)
    }

    pub(super) fn is_right_to_left(self) -> bool {
        self == Self::RightToLeft
    }

    /// A word in a sentence of this direction, isolated from what stands beside it if that is needed.
    pub(super) fn isolated(self, word: &str) -> String {
        self.of_word(word).isolate(word)
    }

    /// A word of this direction, isolated if that is needed.
    pub(super) fn isolate(self, word: &str) -> String {
        let isolate = match self {
            Self::RightToLeft => RIGHT_TO_LEFT_ISOLATE,
            Self::LeftToRight if word.chars().any(is_from_right) => LEFT_TO_RIGHT_ISOLATE,
            Self::LeftToRight => return word.to_owned(),
        };
        format!("{isolate}{word}{END_OF_ISOLATE}")
    }

    /// Positions in the order in which they stand from left to right.
    pub(super) fn visual_order(self, positions: std::ops::Range<usize>) -> Vec<usize> {
        if self.is_right_to_left() { positions.rev().collect() } else { positions.collect() }
    }
}

fn of_first_letter(text: &str) -> Option<Direction> {
    // Marks over letters count as alphabetic, but have no width.
    let letter = text.chars().find(|c| c.is_alphabetic() && c.width() != Some(0))?;
    Some(if is_from_right(letter) { Direction::RightToLeft } else { Direction::LeftToRight })
}

/// Whether a character is of the blocks of Hebrew, Arabic and other scripts that run from right to left.
fn is_from_right(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}'
        | '\u{1E800}'..='\u{1EFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes L, R and AL of the Unicode Character Database, and what has none of them.
    #[test]
    fn the_first_letter_decides() {
        let direction = |text: &str| Direction::of(&text.split(' ').collect::<Vec<_>>());
        for from_right in
            ["שלום עולם", "كتاب", "« كتاب book", "12 ٣ ؟ هل", "ܐ", "ߊ", "\u{FB2A}", "\u{FEFB}", "\u{1E900}"]
        {
            assert_eq!(direction(from_right), Direction::RightToLeft, "{from_right}");
        }
        // Digits (AN, EN), marks (NSM) and commas (CS) of Arabic decide nothing.
        for from_left in ["book كتاب", "", "( 12", "٣ ، ab", "\u{64B}a", "日本", "कि", "α", "\u{200E}"] {
            assert_eq!(direction(from_left), Direction::LeftToRight, "{from_left}");
        }
    }

    #[test]
    fn words_are_isolated_where_they_would_move_others() {
        use Direction::{LeftToRight, RightToLeft};
        assert_eq!(LeftToRight.isolated("book"), "book");
        assert_eq!(RightToLeft.isolated("book"), "book");
        assert_eq!(LeftToRight.isolated("שלום"), "\u{2067}שלום\u{2069}");
        assert_eq!(LeftToRight.isolated("bookשלום"), "\u{2066}bookשלום\u{2069}");
        assert_eq!(LeftToRight.isolated("("), "(");
        assert_eq!(RightToLeft.isolated("("), "\u{2067}(\u{2069}");
    }

    #[test]
    fn positions_are_read_from_their_side() {
        assert_eq!(Direction::LeftToRight.visual_order(2..5), [2, 3, 4]);
        assert_eq!(Direction::RightToLeft.visual_order(2..5), [4, 3, 2]);
    }
}
