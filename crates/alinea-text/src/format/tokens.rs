//! Words: where a line is cut, and what counts as the same word.
//!
//! Text is expected to be tokenized: words are separated by blanks and tabs, and by nothing else. A no-break space
//! (U+00A0), an ideographic space (U+3000) or any other character that some program takes for white space is part of
//! a word, so that positions here are positions in `line.split(' ')`. Other text is cut by one of these rules:
//!
//! | [`Tokenize`] | words |
//! |---|---|
//! | `none` | what stands between blanks and tabs |
//! | `whitespace` | what stands between white space of all kinds ([`blanks`]), as Python's `line.split()` |
//! | `unicode` | those of Unicode Standard Annex 29, which needs no dictionary: it cuts Han and Hiragana at every character and keeps Thai in one piece |
//! | `script` | letters and digits in a row, all else singly, for tags and labels that begin anywhere ([`script`]) |
//! | `dictionary` | as `unicode`, but Chinese, Japanese, Thai, Lao, Khmer and Burmese by dictionaries ([`dictionary`]) |
//! | `sentencepiece:MODEL` | the pieces of a SentencePiece model ([`subwords`]) |
//!
//! Words are compared after [`fold_case`], the lower case of Unicode. [`GluedPunctuation`] tells text that was not
//! tokenized by its words with punctuation stuck to a letter.
//!
//! ```
//! use alinea::format::tokens::{self, Tokenize};
//!
//! let words: Vec<_> = tokens::split(b"  the\tr\xC3\xA9sum\xC3\xA9 . ").collect();
//! assert_eq!(words, [&b"the"[..], "résumé".as_bytes(), b"."]);
//!
//! let mut spans = Vec::new();
//! tokens::spans("Das Été, bref", Tokenize::Unicode, &mut spans);
//! let words: Vec<_> = spans.iter().map(|span| &"Das Été, bref"[span.bytes.clone()]).collect();
//! assert_eq!(words, ["Das", "Été", ",", "bref"]);
//! assert_eq!((spans[3].bytes.start, spans[3].chars.start), (11, 9));
//! ```

mod blank;
mod case;
pub mod dictionary;
mod glued;
pub mod script;
pub mod subwords;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use unicode_segmentation::UnicodeSegmentation;

pub use self::blank::{Split, is_blank, split};
pub(crate) use self::blank::{for_each_place, for_each_split};
pub use self::case::fold_case;
pub(crate) use self::case::fold_text;
pub use self::glued::GluedPunctuation;
pub use self::subwords::SubwordModel;
use crate::error::{Error, Result};
use crate::format::blanks;

/// How a line is cut into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Tokenize {
    /// At blanks and tabs.
    #[default]
    None,
    /// At white space of all kinds.
    Whitespace,
    /// At the word boundaries of Unicode Standard Annex 29; pieces of white space are dropped.
    Unicode,
    /// By scripts: letters and digits in a row, all else singly.
    Script,
    /// As `Unicode`, with dictionaries for scripts without blanks.
    Dictionary,
    /// Into the pieces of a SentencePiece model.
    SentencePiece(SubwordModel),
}

impl Tokenize {
    /// Those that need no model.
    pub const RULES: [Self; 5] = [Self::None, Self::Whitespace, Self::Unicode, Self::Script, Self::Dictionary];

    /// Its name; that of a SentencePiece model is not part of it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Whitespace => "whitespace",
            Self::Unicode => "unicode",
            Self::Script => "script",
            Self::Dictionary => "dictionary",
            Self::SentencePiece(_) => "sentencepiece",
        }
    }

    /// The rule of a name, of those that need no model.
    ///
    /// # Errors
    /// `Config` for other names.
    pub fn rule(name: &str) -> Result<Self> {
        let allowed = "none, whitespace, unicode, script or dictionary";
        let rule = Self::RULES.into_iter().find(|rule| rule.name() == name);
        rule.ok_or_else(|| Error::config("tokenize", name, allowed))
    }

    /// A number of words that a line does not exceed. O(1), with a model O(bytes).
    pub(crate) fn most_words(self, line: &str) -> usize {
        match self {
            Self::None | Self::Whitespace => line.len().div_ceil(2),
            Self::Unicode | Self::Script | Self::Dictionary => line.len(),
            Self::SentencePiece(model) => model.most_pieces(line),
        }
    }
}

impl fmt::Display for Tokenize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// By name; `sentencepiece:MODEL` reads the file.
impl FromStr for Tokenize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Some(path) = text.strip_prefix("sentencepiece:") {
            return SubwordModel::open(path).map(Self::SentencePiece);
        }
        let allowed = "none, whitespace, unicode, script, dictionary or sentencepiece:MODEL";
        Self::rule(text).map_err(|_| Error::config("tokenize", text, allowed))
    }
}

/// Where a word stands in its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSpan {
    /// In bytes.
    pub bytes: Range<usize>,
    /// In characters (Unicode scalar values).
    pub chars: Range<usize>,
}

/// Calls `visit` with each word of a line.
pub fn for_each(line: &str, tokenize: Tokenize, mut visit: impl FnMut(&[u8])) {
    match tokenize {
        Tokenize::None => for_each_split(line.as_bytes(), visit),
        _ => for_each_token(line, tokenize, |word, _| visit(word.as_bytes())),
    }
}

/// The number of words of a line.
pub fn count(line: &str, tokenize: Tokenize) -> usize {
    let mut count = 0;
    for_each(line, tokenize, |_| count += 1);
    count
}

/// Replaces `spans` by the places of the words of a line: in order, none overlapping. They are not empty, but for pieces
/// of SentencePiece that stand for no character of the line, such as a `▁` alone.
pub fn spans(line: &str, tokenize: Tokenize, spans: &mut Vec<TokenSpan>) {
    spans.clear();
    for_each_span(line, tokenize, |_, span| spans.push(span));
}

/// Calls `visit` with each word of a line, and its place.
pub fn for_each_span(line: &str, tokenize: Tokenize, mut visit: impl FnMut(&str, TokenSpan)) {
    let (mut end, mut chars) = (0, 0);
    for_each_token(line, tokenize, |word, bytes| {
        let first = chars + line[end..bytes.start].chars().count();
        chars = first + line[bytes.clone()].chars().count();
        end = bytes.end;
        visit(word, TokenSpan { bytes, chars: first..chars });
    });
}

/// The places of [`spans`] in bytes alone.
pub fn places(line: &str, tokenize: Tokenize) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    for_each_token(line, tokenize, |_, place| places.push(place));
    places
}

/// Calls `visit` with each word of a line, and its place in bytes. A word is what stands there, but for pieces of
/// SentencePiece.
fn for_each_token(line: &str, tokenize: Tokenize, mut visit: impl FnMut(&str, Range<usize>)) {
    let mut place = |place: Range<usize>| visit(&line[place.clone()], place);
    match tokenize {
        Tokenize::None => {
            let mut words = split(line.as_bytes());
            while let Some(word) = words.next() {
                place(words.offset() - word.len()..words.offset());
            }
        }
        Tokenize::Whitespace => {
            let words = line.split(blanks::separates).filter(|word| !word.is_empty());
            words.for_each(|word| {
                let start = word.as_ptr().addr() - line.as_ptr().addr();
                place(start..start + word.len());
            });
        }
        Tokenize::Unicode => line.split_word_bound_indices().for_each(|(start, word)| {
            if !word.chars().all(char::is_whitespace) {
                place(start..start + word.len());
            }
        }),
        Tokenize::Script => script::for_each(line, place),
        Tokenize::Dictionary => dictionary::for_each(line, place),
        Tokenize::SentencePiece(model) => model.for_each(line, visit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(line: &str, tokenize: Tokenize) -> Vec<String> {
        let mut spans_of_line = Vec::new();
        spans(line, tokenize, &mut spans_of_line);
        let by_span: Vec<String> = spans_of_line.iter().map(|span| line[span.bytes.clone()].to_owned()).collect();
        let mut visited = Vec::new();
        for_each(line, tokenize, |word| visited.push(String::from_utf8(word.to_vec()).unwrap()));
        assert_eq!(visited, by_span);
        assert_eq!(count(line, tokenize), by_span.len());
        by_span
    }

    #[test]
    fn only_blanks_and_tabs_separate() {
        assert_eq!(words(" \t a  b\tc ", Tokenize::None), ["a", "b", "c"]);
        let odd = "a\u{A0}b\u{3000}c\u{85}d\u{2028}e\u{B}f\rg\0h";
        assert_eq!(words(odd, Tokenize::None), [odd]);
        assert_eq!(words("\u{A0}", Tokenize::None), ["\u{A0}"]);
        assert_eq!(words(" \t", Tokenize::None), [""; 0]);
    }

    #[test]
    fn white_space_of_all_kinds_separates() {
        let odd = "\u{A0}a\u{A0}b\u{3000}c\u{85}d\u{2028}\u{2029}e\u{B}f\rg\0h\u{1C}i\u{200B}j";
        assert_eq!(words(odd, Tokenize::Whitespace), ["a", "b", "c", "d", "e", "f", "g\0h", "i\u{200B}j"]);
        assert_eq!(words(" \u{3000}", Tokenize::Whitespace), [""; 0]);
    }

    #[test]
    fn rules_have_names() {
        for rule in Tokenize::RULES {
            assert_eq!(rule.to_string().parse::<Tokenize>().unwrap(), rule);
        }
        let error = "moses".parse::<Tokenize>().unwrap_err().to_string();
        assert!(
            error.ends_with("must be none, whitespace, unicode, script, dictionary or sentencepiece:MODEL"),
            "{error}"
        );
        let error = "sentencepiece:/no/such.model".parse::<Tokenize>().unwrap_err().to_string();
        assert!(error.starts_with("/no/such.model: "), "{error}");
    }

    #[test]
    fn unicode_words_leave_white_space_out() {
        assert_eq!(
            words("Don't stop, 3.14!\u{A0}x\u{3000}y", Tokenize::Unicode),
            ["Don't", "stop", ",", "3.14", "!", "x", "y"]
        );
        assert_eq!(words("東京タワー", Tokenize::Unicode), ["東", "京", "タワー"]);
        assert_eq!(words("  ", Tokenize::Unicode), [""; 0]);
    }

    proptest! {
        #[test]
        fn spans_point_at_their_words(line in "[ab é東\t\u{A0},.']{0,30}|\\PC{0,20}") {
            for tokenize in Tokenize::RULES {
                let expected = words(&line, tokenize);
                let mut found = Vec::new();
                spans(&line, tokenize, &mut found);
                let characters: Vec<char> = line.chars().collect();
                let by_character: Vec<String> =
                    found.iter().map(|span| characters[span.chars.clone()].iter().collect()).collect();
                prop_assert_eq!(by_character, expected);
            }
        }

    }
}
