//! Words: where a line is cut, and what counts as the same word.
//!
//! Text is expected to be tokenized: words are separated by blanks and tabs, and by nothing else. A no-break space
//! (U+00A0), an ideographic space (U+3000) or any other character that some program takes for white space is part of
//! a word, so that positions here are positions in `line.split(' ')`. For text that is not tokenized,
//! [`Tokenize::Unicode`] cuts at the word boundaries of Unicode Standard Annex 29 and drops white space. (That annex
//! needs no dictionary: it cuts Han and Hiragana at every character and keeps Thai in one piece.)
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

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// How a line is cut into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tokenize {
    /// At blanks and tabs.
    #[default]
    None,
    /// At the word boundaries of Unicode Standard Annex 29; pieces of white space are dropped.
    Unicode,
}

/// Where a word stands in its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSpan {
    /// In bytes.
    pub bytes: Range<usize>,
    /// In characters (Unicode scalar values).
    pub chars: Range<usize>,
}

/// Whether a byte separates words.
pub const fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The words of a line, cut at blanks and tabs; there are no empty words.
pub fn split(line: &[u8]) -> Split<'_> {
    Split { line, at: 0 }
}

/// Iterator of [`split`].
#[derive(Debug, Clone)]
pub struct Split<'a> {
    line: &'a [u8],
    at: usize,
}

impl Split<'_> {
    /// Where the next search begins: just behind the word returned last.
    pub fn offset(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = &self.line[self.at..];
        let start = rest.iter().position(|&byte| !is_blank(byte))?;
        let word = &rest[start..];
        let length = word.iter().position(|&byte| is_blank(byte)).unwrap_or(word.len());
        self.at += start + length;
        Some(&word[..length])
    }
}

/// Calls `visit` with each word of a line.
pub fn for_each(line: &str, tokenize: Tokenize, mut visit: impl FnMut(&[u8])) {
    match tokenize {
        Tokenize::None => split(line.as_bytes()).for_each(visit),
        Tokenize::Unicode => unicode_words(line).for_each(|(_, word)| visit(word.as_bytes())),
    }
}

/// The number of words of a line.
pub fn count(line: &str, tokenize: Tokenize) -> usize {
    match tokenize {
        Tokenize::None => split(line.as_bytes()).count(),
        Tokenize::Unicode => unicode_words(line).count(),
    }
}

/// Replaces `spans` by the places of the words of a line.
pub fn spans(line: &str, tokenize: Tokenize, spans: &mut Vec<TokenSpan>) {
    spans.clear();
    let mut push = |start: usize, word: &str| {
        let (bytes, chars) = spans.last().map_or((0, 0), |last: &TokenSpan| (last.bytes.end, last.chars.end));
        let first = chars + line[bytes..start].chars().count();
        let last = first + word.chars().count();
        spans.push(TokenSpan { bytes: start..start + word.len(), chars: first..last });
    };
    match tokenize {
        Tokenize::None => {
            let mut words = split(line.as_bytes());
            while let Some(word) = words.next() {
                let start = words.offset() - word.len();
                push(start, &line[start..words.offset()]);
            }
        }
        Tokenize::Unicode => unicode_words(line).for_each(|(start, word)| push(start, word)),
    }
}

fn unicode_words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_word_bound_indices().filter(|(_, word)| !word.chars().all(char::is_whitespace))
}

/// Appends the lower case of `token` to `folded`: `str::to_lowercase`, with the final sigma where it belongs. Bytes
/// that are not UTF-8 stay as they are.
pub fn fold_case(token: &[u8], folded: &mut Vec<u8>) {
    if token.is_ascii() {
        let start = folded.len();
        folded.extend_from_slice(token);
        folded[start..].make_ascii_lowercase();
        return;
    }
    for chunk in token.utf8_chunks() {
        fold_text(chunk.valid(), folded);
        folded.extend_from_slice(chunk.invalid());
    }
}

fn fold_text(text: &str, folded: &mut Vec<u8>) {
    // Only the capital sigma needs to see its neighbors.
    if text.contains('Σ') {
        folded.extend_from_slice(text.to_lowercase().as_bytes());
        return;
    }
    let mut utf8 = [0; 4];
    for character in text.chars() {
        if character.is_ascii() {
            folded.push((character as u8).to_ascii_lowercase());
        } else {
            for lower in character.to_lowercase() {
                folded.extend_from_slice(lower.encode_utf8(&mut utf8).as_bytes());
            }
        }
    }
}

/// Counts words in which a punctuation mark follows a letter, as in `house,`. Tokenized text has few (abbreviations),
/// other text has one in seven or so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GluedPunctuation {
    /// Words seen.
    pub tokens: u64,
    /// Words that end in a letter and a punctuation mark.
    pub glued: u64,
}

impl GluedPunctuation {
    /// A share above this says that the text is probably not tokenized.
    pub const SUSPICIOUS: f64 = 0.05;

    /// Looks at one more word.
    pub fn observe(&mut self, token: &[u8]) {
        self.tokens += 1;
        self.glued += u64::from(is_glued(token));
    }

    /// The share of words with glued punctuation; 0 if there are no words.
    pub fn share(&self) -> f64 {
        if self.tokens == 0 { 0.0 } else { self.glued as f64 / self.tokens as f64 }
    }
}

fn is_glued(token: &[u8]) -> bool {
    const MARKS: &str = ".,;:!?…)]\"”»。、，．！？；：）」』،؛؟۔।॥";
    let Ok(text) = std::str::from_utf8(token) else { return false };
    let mut backwards = text.chars().rev();
    match (backwards.next(), backwards.next()) {
        (Some(last), Some(before)) => MARKS.contains(last) && before.is_alphabetic(),
        _ => false,
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

    fn folded(token: &[u8]) -> Vec<u8> {
        let mut folded = b"x".to_vec();
        fold_case(token, &mut folded);
        folded.split_off(1)
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
    fn unicode_words_leave_white_space_out() {
        assert_eq!(
            words("Don't stop, 3.14!\u{A0}x\u{3000}y", Tokenize::Unicode),
            ["Don't", "stop", ",", "3.14", "!", "x", "y"]
        );
        assert_eq!(words("東京タワー", Tokenize::Unicode), ["東", "京", "タワー"]);
        assert_eq!(words("  ", Tokenize::Unicode), [""; 0]);
    }

    #[test]
    fn case_is_folded_as_unicode_says() {
        assert_eq!(folded("ÉTÉ".as_bytes()), "été".as_bytes());
        assert_eq!(folded("ΟΔΥΣΣΕΥΣ".as_bytes()), "οδυσσευς".as_bytes());
        assert_eq!(folded("İ".as_bytes()), "i\u{307}".as_bytes());
        assert_eq!(folded(b"A\xFFB\xC3"), b"a\xFFb\xC3");
    }

    #[test]
    fn glued_punctuation_is_counted() {
        let mut glued = GluedPunctuation::default();
        split("It is late, he said. Mr. X ( 3.14 ) . … été」".as_bytes()).for_each(|word| glued.observe(word));
        assert_eq!(glued, GluedPunctuation { tokens: 13, glued: 4 });
        assert!(glued.share() > GluedPunctuation::SUSPICIOUS);
        assert!(GluedPunctuation::default().share().abs() < f64::EPSILON);
    }

    proptest! {
        #[test]
        fn folding_is_that_of_the_standard_library(text in "\\PC{0,12}|[ΣσςΑa' ]{0,8}") {
            prop_assert_eq!(folded(text.as_bytes()), text.to_lowercase().into_bytes());
        }

        #[test]
        fn spans_point_at_their_words(line in "[ab é東\t\u{A0},.']{0,30}|\\PC{0,20}") {
            for tokenize in [Tokenize::None, Tokenize::Unicode] {
                let expected = words(&line, tokenize);
                let mut found = Vec::new();
                spans(&line, tokenize, &mut found);
                let characters: Vec<char> = line.chars().collect();
                let by_character: Vec<String> =
                    found.iter().map(|span| characters[span.chars.clone()].iter().collect()).collect();
                prop_assert_eq!(by_character, expected);
            }
        }

        #[test]
        fn any_bytes_split_and_fold(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let joined: Vec<u8> = split(&bytes).flatten().copied().collect();
            let expected: Vec<u8> = bytes.iter().copied().filter(|&b| !is_blank(b)).collect();
            prop_assert_eq!(joined, expected);
            let _ = folded(&bytes);
        }
    }
}
