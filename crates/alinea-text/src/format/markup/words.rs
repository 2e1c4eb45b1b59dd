//! Words of text that is not tokenized, as links of segments count them.
//!
//! By [`WordRule::Script`], the default, text is cut between characters as readers see them (grapheme clusters, so that accents and vowel signs stay
//! with their letters), as follows:
//!
//! * white space separates words, and is in none;
//! * letters and digits that follow each other are a word, which ends before a capital behind a small letter (`fieldName`);
//! * a character of a script without blanks is a word: Han, Hiragana, Thai, Lao, Khmer, Myanmar; but Katakana that follow each other are one;
//! * everything else, such as punctuation, is a word for each character.
//!
//! The other rules are those of [`tokens`]: blanks, or Unicode Standard Annex 29.
//!
//! ```
//! use alinea::format::markup::words::{WordRule, spans};
//!
//! let words = |text: &'static str| -> Vec<&str> {
//!     spans(text, WordRule::Script).into_iter().map(|span| &text[span]).collect()
//! };
//! assert_eq!(words("l'été: 3.5"), ["l", "'", "été", ":", "3", ".", "5"]);
//! assert_eq!(words("タブを開く"), ["タブ", "を", "開", "く"]);
//! ```

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use unicode_segmentation::UnicodeSegmentation;

use crate::error::{Error, Result};
use crate::format::tokens::{self, Tokenize};

/// How text is cut into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WordRule {
    /// By scripts, as the head of the module says.
    #[default]
    Script,
    /// At the word boundaries of Unicode Standard Annex 29.
    Unicode,
    /// At blanks and tabs.
    None,
}

impl WordRule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Script, Self::Unicode, Self::None];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Unicode => "unicode",
            Self::None => "none",
        }
    }
}

impl fmt::Display for WordRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for WordRule {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|rule| rule.name() == name);
        known.ok_or_else(|| Error::config("tokenize", name, "script, unicode or none"))
    }
}

/// What a character does to words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Capital,
    Letter,
    Small,
    Katakana,
    Single,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' => Self::Small,
            'A'..='Z' => Self::Capital,
            '\u{30A1}'..='\u{30FA}' | '\u{30FC}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}' => Self::Katakana,
            // Thai and Lao, Myanmar, Khmer; Hiragana; Han, with iteration mark and zero.
            '\u{E00}'..='\u{EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{3041}'..='\u{309F}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}' => Self::Single,
            _ if character.is_whitespace() => Self::Blank,
            _ if character.is_lowercase() => Self::Small,
            _ if character.is_uppercase() => Self::Capital,
            _ if character.is_alphanumeric() => Self::Letter,
            _ => Self::Single,
        }
    }

    /// Whether a word goes on with another character behind one of this kind.
    fn goes_on(self, next: Self) -> bool {
        match (self, next) {
            (Self::Small, Self::Capital) | (Self::Blank | Self::Single, _) => false,
            (Self::Katakana, next) => next == Self::Katakana,
            (Self::Small | Self::Capital | Self::Letter, next) => {
                matches!(next, Self::Small | Self::Capital | Self::Letter)
            }
        }
    }
}

/// The words of a text, in bytes.
pub fn spans(text: &str, rule: WordRule) -> Vec<Range<usize>> {
    let tokenize = match rule {
        WordRule::Script => return by_script(text),
        WordRule::Unicode => Tokenize::Unicode,
        WordRule::None => Tokenize::None,
    };
    let mut found = Vec::new();
    tokens::spans(text, tokenize, &mut found);
    found.into_iter().map(|span| span.bytes).collect()
}

fn by_script(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut before = Kind::Blank;
    for (start, character) in text.grapheme_indices(true) {
        let kind = character.chars().next().map_or(Kind::Blank, Kind::of);
        let end = start + character.len();
        match words.last_mut() {
            Some(last) if before.goes_on(kind) => last.end = end,
            _ if kind == Kind::Blank => {}
            _ => words.push(start..end),
        }
        before = kind;
    }
    words
}

/// Cuts words at places, which are in order.
pub(super) fn cut(words: Vec<Range<usize>>, places: &[usize]) -> Vec<Range<usize>> {
    if places.is_empty() {
        return words;
    }
    let mut places = places.iter().copied().peekable();
    let mut cut = Vec::with_capacity(words.len());
    for Range { mut start, end } in words {
        while let Some(place) = places.next_if(|&place| place < end) {
            if place > start {
                cut.push(start..place);
                start = place;
            }
        }
        cut.push(start..end);
    }
    cut
}
