//! Blanks beyond the blank and the tab.
//!
//! Words are cut at blanks and tabs alone ([`tokens`](super::tokens)), and many programs cut at more: no-break spaces,
//! ideographic spaces, line breaks of all kinds. Where such characters stand inside of words, positions there and here are
//! not the same. So a reader of words counts them ([`ForeignBlanks`]), and cuts there too if it is told so
//! ([`Blanks::Unicode`]).
//!
//! They are the characters that Python's `str.split()` cuts at, but for the blank, the tab and the newline: those that the
//! Unicode Character Database calls white space, and U+001C to U+001F, which its bidirectional classes B, S and WS have
//! besides.
//!
//! ```
//! use alinea::format::blanks;
//!
//! assert_eq!(blanks::find(b"la\tmaison bleue"), None);
//! assert_eq!(blanks::find("la maison\u{a0}!".as_bytes()), Some(9));
//! let mut line = String::new();
//! blanks::replace("東京\u{3000}タワー\u{b}.", &mut line);
//! assert_eq!(line, "東京 タワー .");
//! ```

use std::fmt;

use crate::error::Position;

/// Where words are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blanks {
    /// At blanks and tabs.
    #[default]
    Ascii,
    /// At all characters that Python's `str.split()` cuts at.
    Unicode,
}

/// Blanks inside of words: how many, and where the first is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignBlanks {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub character: char,
    /// Where that is.
    pub first: Position,
}

impl ForeignBlanks {
    /// Those of a line, if it has any; the column of `line`, the place of the line, is set to that of the first.
    pub fn of_line(text: &str, line: impl FnOnce() -> Position) -> Option<Self> {
        let at = find(text.as_bytes())?;
        let first = Position { column: at as u64 + 1, ..line() };
        Some(Self { count: count(text), character: text[at..].chars().next().unwrap_or_default(), first })
    }

    /// Adds those that follow.
    pub fn add(sum: &mut Option<Self>, next: Option<Self>) {
        match (sum, next) {
            (Some(sum), Some(next)) => sum.count += next.count,
            (sum, next) => *sum = sum.take().or(next),
        }
    }
}

/// `3 whitespace characters other than space and tab inside words, the first at text.fr:1:10 (U+00A0)`.
impl fmt::Display for ForeignBlanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, character, first } = self;
        let character = u32::from(*character);
        if *count == 1 {
            write!(f, "a word contains whitespace other than space and tab, at {first}")?;
        } else {
            write!(f, "{count} whitespace characters other than space and tab inside words, the first at {first}")?;
        }
        write!(f, " (U+{character:04X})")
    }
}

/// Whether a character is white space: a blank, a tab, a newline, or one of the others.
pub fn separates(character: char) -> bool {
    character.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&character)
}

/// The byte that the first such blank begins at.
pub fn find(line: &[u8]) -> Option<usize> {
    // Without branches, so that compilers take many bytes at a time: nearly all lines have none.
    let (second, third) = (line.get(1..).unwrap_or_default(), line.get(2..).unwrap_or_default());
    let any = line.iter().zip(second).zip(third).fold(false, |any, ((&a, &b), &c)| any | begins(a, b, c));
    let from = if any { 0 } else { line.len().saturating_sub(2) };
    let at = |place: usize| line.get(place).copied().unwrap_or_default();
    (from..line.len()).find(|&place| begins(at(place), at(place + 1), at(place + 2)))
}

/// Puts a line with blanks in the place of such characters into `out`. It has as many characters.
pub fn replace(line: &str, out: &mut String) {
    out.clear();
    let mut rest = line;
    while let Some(at) = find(rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = &rest[at + width(rest.as_bytes()[at])..];
    }
    out.push_str(rest);
}

fn count(line: &str) -> u64 {
    let mut count = 0;
    let mut rest = line.as_bytes();
    while let Some(at) = find(rest) {
        count += 1;
        rest = &rest[at + width(rest[at])..];
    }
    count
}

/// Whether such a blank begins with these bytes of UTF-8.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "without branches whole lines are looked at in vectors")]
fn begins(a: u8, b: u8, c: u8) -> bool {
    // U+000B to U+000D and U+001C to U+001F; U+0085, U+00A0; U+1680; U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F; U+3000.
    let control = (a.wrapping_sub(0x0B) < 3) | (a.wrapping_sub(0x1C) < 4);
    let general = (b == 0x80) & ((c.wrapping_sub(0x80) < 0x0B) | (c == 0xA8) | (c == 0xA9) | (c == 0xAF));
    control
        | ((a == 0xC2) & ((b == 0x85) | (b == 0xA0)))
        | ((a == 0xE1) & (b == 0x9A) & (c == 0x80))
        | ((a == 0xE2) & (general | ((b == 0x81) & (c == 0x9F))))
        | ((a == 0xE3) & (b == 0x80) & (c == 0x80))
}

/// The bytes of a character that begins with this one.
fn width(first: u8) -> usize {
    match first {
        0x00..0x80 => 1,
        0x80..0xE0 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What CPython 3.11 says: `[c for c in range(0x110000) if not chr(c).strip()]`.
    const PYTHON: [u32; 29] = [
        9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200,
        8201, 8202, 8232, 8233, 8239, 8287, 12288,
    ];

    fn is_foreign(character: char) -> bool {
        PYTHON.contains(&u32::from(character)) && !" \t\n".contains(character)
    }

    #[test]
    fn every_character_is_judged_as_by_python() {
        for character in '\0'..=char::MAX {
            let found = find(character.to_string().as_bytes());
            assert_eq!(found, is_foreign(character).then_some(0), "{character:?}");
            assert_eq!(separates(character), PYTHON.contains(&u32::from(character)), "{character:?}");
            if u32::from(character) % 64 < 16 || is_foreign(character) {
                let line = format!("é{character}ab");
                assert_eq!(find(line.as_bytes()), is_foreign(character).then_some(2), "{character:?}");
            }
        }
    }

    #[test]
    fn they_are_counted_and_placed() {
        let place = || Position::new("f", 3, 0);
        assert_eq!(ForeignBlanks::of_line("a\tb c", place), None);
        let mut sum = None;
        for line in ["a b", "é\u{a0}b\u{2009}c", "\u{b}", ""] {
            ForeignBlanks::add(&mut sum, ForeignBlanks::of_line(line, place));
        }
        assert_eq!(
            sum.unwrap().to_string(),
            "3 whitespace characters other than space and tab inside words, the first at f:3:3 (U+00A0)"
        );
        let one = ForeignBlanks::of_line("東\u{3000}", place).unwrap();
        assert_eq!(one.to_string(), "a word contains whitespace other than space and tab, at f:3:4 (U+3000)");
    }

    proptest! {
        #[test]
        fn blanks_take_their_places(line in "[ab é東’。\t\u{a0}\u{b}\u{1d}\u{85}\u{1680}\u{2009}\u{200b}\u{202f}\u{3000}]{0,70}") {
            let expected: String = line.chars().map(|c| if is_foreign(c) { ' ' } else { c }).collect();
            let mut replaced = String::new();
            replace(&line, &mut replaced);
            prop_assert_eq!(replaced, expected);
            prop_assert_eq!(count(&line), line.chars().filter(|&c| is_foreign(c)).count() as u64);
            prop_assert_eq!(find(line.as_bytes()), line.find(is_foreign));
        }
    }
}
