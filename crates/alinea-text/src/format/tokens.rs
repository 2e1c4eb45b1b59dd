//! Words: where a line is cut, and what counts as the same word.
//!
//! Text is expected to be tokenized: words are separated by blanks and tabs, and by nothing else. A no-break space
//! (U+00A0), an ideographic space (U+3000) or any other character that some program takes for white space is part of
//! a word, so that positions here are positions in `line.split(' ')`; [`blanks`](super::blanks) knows those of `line.split()`. For text that is not tokenized,
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

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::error::{Error, Result};

/// How a line is cut into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokenize {
    /// At blanks and tabs.
    #[default]
    None,
    /// At the word boundaries of Unicode Standard Annex 29; pieces of white space are dropped.
    Unicode,
}

impl Tokenize {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::None, Self::Unicode];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Unicode => "unicode",
        }
    }
}

impl fmt::Display for Tokenize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tokenize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = Self::ALL.into_iter().find(|tokenize| tokenize.name() == text);
        named.ok_or_else(|| Error::config("tokenize", text, "none or unicode"))
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
        let mut start = self.at;
        while is_blank(*self.line.get(start)?) {
            start += 1;
        }
        let word = &self.line[start..];
        let length = find_blank(word).unwrap_or(word.len());
        self.at = start + length;
        Some(&word[..length])
    }
}

/// The high bit of each of eight bytes.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Where the first blank is. Eight bytes at a time: words are short, and a loop over their bytes would end at an
/// unforeseeable place, which processors dislike.
fn find_blank(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let eight = u64::from_le_bytes(*eight);
        let blanks = equal_bytes(eight, b' ') | equal_bytes(eight, b'\t');
        if blanks != 0 {
            return Some(at + blanks.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    bytes[at..].iter().position(|&byte| is_blank(byte)).map(|place| at + place)
}

/// The high bit of each of the eight bytes that equals `byte`, exactly.
const fn equal_bytes(eight: u64, byte: u8) -> u64 {
    let difference = eight ^ (byte as u64 * 0x0101_0101_0101_0101);
    !(((difference & !HIGH_BITS) + !HIGH_BITS) | difference) & HIGH_BITS
}

/// Calls `visit` with each word of a line.
pub fn for_each(line: &str, tokenize: Tokenize, mut visit: impl FnMut(&[u8])) {
    match tokenize {
        Tokenize::None => for_each_split(line.as_bytes(), visit),
        Tokenize::Unicode => unicode_words(line).for_each(|(_, word)| visit(word.as_bytes())),
    }
}

/// As [`split`], for long lines faster: the blanks of 64 bytes are found together.
pub(crate) fn for_each_split(line: &[u8], mut visit: impl FnMut(&[u8])) {
    let mut start = 0;
    let mut visit_until = |end: usize| {
        if end > start {
            visit(&line[start..end]);
        }
        start = end + 1;
    };
    let (blocks, rest) = line.as_chunks::<64>();
    for (number, block) in blocks.iter().enumerate() {
        let mut blanks = blank_mask(block);
        while blanks != 0 {
            visit_until(number * 64 + blanks.trailing_zeros() as usize);
            blanks &= blanks - 1;
        }
    }
    let mut last = [b'!'; 64];
    last[..rest.len()].copy_from_slice(rest);
    let mut blanks = blank_mask(&last);
    while blanks != 0 {
        visit_until(blocks.len() * 64 + blanks.trailing_zeros() as usize);
        blanks &= blanks - 1;
    }
    visit_until(line.len());
}

/// One bit for each byte, set for blanks.
fn blank_mask(block: &[u8; 64]) -> u64 {
    // Multiplied so, the high bits of eight bytes meet in the topmost byte, in order and without carries.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let (eights, _) = block.as_chunks::<8>();
    eights.iter().enumerate().fold(0, |mask, (place, eight)| {
        let eight = u64::from_le_bytes(*eight);
        let blanks = equal_bytes(eight, b' ') | equal_bytes(eight, b'\t');
        mask | (blanks.wrapping_mul(GATHER) >> 56) << (8 * place)
    })
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
    match std::str::from_utf8(token) {
        Ok(text) => fold_text(text, folded),
        Err(_) => {
            for chunk in token.utf8_chunks() {
                fold_text(chunk.valid(), folded);
                folded.extend_from_slice(chunk.invalid());
            }
        }
    }
}

/// Appends the lower case of `text`, a word or a line: a blank ends the neighborhood that a sigma looks at.
pub(crate) fn fold_text(text: &str, folded: &mut Vec<u8>) {
    let start = folded.len();
    folded.extend_from_slice(text.as_bytes());
    folded[start..].make_ascii_lowercase();
    // What is left to do is often nothing, or done in place.
    let mut at = 0;
    while let Some(step) = find_non_ascii(&text.as_bytes()[at..]) {
        at += step;
        let (width, lower) = lower_of_first(&text[at..]);
        match lower {
            Lower::Same => {}
            Lower::AsWide(character) => {
                character.encode_utf8(&mut folded[start + at..start + at + width]);
            }
            Lower::Other => {
                folded.truncate(start + at);
                return fold_slowly(text, at, folded);
            }
        }
        at += width;
    }
}

/// Where the first byte above 127 is.
fn find_non_ascii(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let high = u64::from_le_bytes(*eight) & HIGH_BITS;
        if high != 0 {
            return Some(at + high.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    bytes[at..].iter().position(|byte| !byte.is_ascii()).map(|place| at + place)
}

/// What lower case makes of a character.
enum Lower {
    Same,
    /// Another character of as many bytes.
    AsWide(char),
    /// Something else, or something that depends on its neighbors.
    Other,
}

/// The width of the first character of `text`, which is not ASCII, and its lower case.
fn lower_of_first(text: &str) -> (usize, Lower) {
    // What has no case, or is small already, in the scripts that are met most.
    match *text.as_bytes() {
        // U+0080 to U+00BF; à to ÿ; а to п; р to я; U+05C0 to U+07FF, Hebrew, Arabic and their neighbors.
        [0xC2, _, ..]
        | [0xC3, 0x9F..=0xBF, ..]
        | [0xD0, 0xB0..=0xBF, ..]
        | [0xD1, 0x80..=0x8F, ..]
        | [0xD7..=0xDF, ..] => {
            return (2, Lower::Same);
        }
        // U+0800 to U+0FFF and U+3000 to U+9FFF: the scripts of India, Thai, Chinese characters, Kana.
        [0xE0 | 0xE3..=0xE9, ..] => return (3, Lower::Same),
        _ => {}
    }
    let character = text.chars().next().unwrap_or_default();
    let width = character.len_utf8();
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) if lower.len_utf8() == width && character != 'Σ' => {
            (width, if lower == character { Lower::Same } else { Lower::AsWide(lower) })
        }
        _ => (width, Lower::Other),
    }
}

/// Appends the lower case of `text[at..]`.
fn fold_slowly(text: &str, at: usize, folded: &mut Vec<u8>) {
    // Only the capital sigma needs to see its neighbors, also those before `at`.
    if text[at..].contains('Σ') {
        folded.truncate(folded.len() - text[..at].len());
        folded.extend_from_slice(text.to_lowercase().as_bytes());
        return;
    }
    let mut utf8 = [0; 4];
    for lower in text[at..].chars().flat_map(char::to_lowercase) {
        folded.extend_from_slice(lower.encode_utf8(&mut utf8).as_bytes());
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
    fn blanks_are_found_at_every_place() {
        for length in 0..20 {
            for place in 0..length {
                for blank in [b' ', b'\t'] {
                    let mut bytes = vec![b'!'; length];
                    bytes[place] = blank;
                    assert_eq!(find_blank(&bytes), Some(place));
                    assert_eq!(find_non_ascii(&bytes), None);
                    bytes[place] = blank | 0x80;
                    assert_eq!(find_non_ascii(&bytes), Some(place));
                    assert_eq!(find_blank(&bytes), None);
                }
            }
        }
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
    fn every_character_folds_as_in_the_standard_library() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            assert_eq!(folded(text.as_bytes()), text.to_lowercase().into_bytes(), "{character:?}");
        }
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
        fn a_line_folds_as_its_words(line in "[ΣσςΑÀ×ÖİſKéa'. \t]{0,24}|\\PC{0,20}") {
            let mut whole = Vec::new();
            fold_text(&line, &mut whole);
            let by_line: Vec<Vec<u8>> = split(&whole).map(<[u8]>::to_vec).collect();
            let by_word: Vec<Vec<u8>> = split(line.as_bytes()).map(folded).collect();
            prop_assert_eq!(by_line, by_word);
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
        fn any_bytes_split_and_fold(
            bytes in proptest::collection::vec(prop_oneof![Just(b' '), Just(b'\t'), any::<u8>()], 0..200),
        ) {
            let joined: Vec<u8> = split(&bytes).flatten().copied().collect();
            let expected: Vec<u8> = bytes.iter().copied().filter(|&b| !is_blank(b)).collect();
            prop_assert_eq!(joined, expected);
            let mut visited = Vec::new();
            for_each_split(&bytes, |word| visited.push(word.to_vec()));
            prop_assert_eq!(visited, split(&bytes).map(<[u8]>::to_vec).collect::<Vec<_>>());
            let _ = folded(&bytes);
        }
    }
}
