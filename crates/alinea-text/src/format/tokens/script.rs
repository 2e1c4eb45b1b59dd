//! Words for tags and labels, which begin and end wherever people let them: `Anna` in `Anna's`, `Allemagne` in `l'Allemagne`.
//!
//! Text is cut between characters as readers see them (grapheme clusters, so that accents and vowel signs stay with their
//! letters), as follows:
//!
//! * white space separates words, and is in none;
//! * letters and digits that follow each other are a word, which ends before a capital behind a small letter (`fieldName`);
//! * a character of a script without blanks is a word: Han, Hiragana, Thai, Lao, Khmer, Myanmar; but Katakana that follow each other are one;
//! * everything else, such as punctuation, is a word for each character.
//!
//! ```
//! use alinea::format::tokens::{Tokenize, places};
//!
//! let words = |text: &'static str| -> Vec<&str> {
//!     places(text, Tokenize::Script).into_iter().map(|place| &text[place]).collect()
//! };
//! assert_eq!(words("l'été: 3.5"), ["l", "'", "été", ":", "3", ".", "5"]);
//! assert_eq!(words("タブを開く"), ["タブ", "を", "開", "く"]);
//! ```

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

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

/// Calls `visit` with the place of each word.
pub(super) fn for_each(text: &str, mut visit: impl FnMut(Range<usize>)) {
    let mut word: Option<Range<usize>> = None;
    let mut before = Kind::Blank;
    for (start, character) in text.grapheme_indices(true) {
        let kind = character.chars().next().map_or(Kind::Blank, Kind::of);
        let end = start + character.len();
        if before.goes_on(kind) {
            word = word.map(|word| word.start..end);
        } else {
            word.take().into_iter().for_each(&mut visit);
            word = (kind != Kind::Blank).then_some(start..end);
        }
        before = kind;
    }
    word.into_iter().for_each(visit);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Tokenize, places};

    fn cut(text: &str) -> Vec<&str> {
        places(text, Tokenize::Script).into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn marks_belong_to_their_letters() {
        assert_eq!(cut("Cafe\u{301} na\u{303}o"), ["Cafe\u{301}", "na\u{303}o"]);
        assert_eq!(cut("हिन्दी भाषा"), ["हिन्दी", "भाषा"]);
        assert_eq!(cut("서울에서\u{3000}왔다!"), ["서울에서", "왔다", "!"]);
        assert_eq!(cut("👩‍🔬 a_b c\r\nd…"), ["👩‍🔬", "a", "_", "b", "c", "d", "…"]);
        assert_eq!(cut(" \t\u{a0}\n"), [""; 0]);
    }

    proptest! {
        #[test]
        fn all_but_white_space_is_in_a_word(text in "[a-cA1 '.,\u{301}\u{93f}東あカก\n👩\u{200d}]{0,24}") {
            let words = places(&text, Tokenize::Script);
            prop_assert!(words.windows(2).all(|two| two[0].end <= two[1].start));
            prop_assert!(words.iter().all(|word| !word.is_empty() && text.get(word.clone()).is_some()));
            let between = words.iter().fold((0, String::new()), |(at, mut rest), word| {
                rest.push_str(&text[at..word.start]);
                (word.end, rest)
            });
            let rest = between.1 + &text[between.0..];
            // A mark may stand on white space, and is left out with it.
            prop_assert!(rest.chars().all(|c| c.is_whitespace() || "\u{301}\u{93f}\u{200d}".contains(c)), "{:?}", rest);
        }
    }
}
