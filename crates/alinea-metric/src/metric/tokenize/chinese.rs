//! `zh`: each Chinese character is a token, and what stands between them is treated as by [`13a`](super::ThirteenA),
//! though without its entities, and without blanks around the line.
//!
//! sacreBLEU has its ranges from the program of the NLPCC and WMT evaluations of Chinese. Two of them have code points of
//! five digits behind an escape that takes four, so that they are other ranges: what is meant as the ideographs of
//! Extension B, U+20000 to U+2A6D6, is U+2001 to U+2A6D, and the supplement of compatibility ideographs, U+2F800 to
//! U+2FA1D, is U+2F81 to U+2FA1. So dashes, quotation marks, arrows and mathematical signs are set apart, and rare
//! ideographs are not.
//!
//! [`Chinese`] does the same, so that scores can be compared. [`ChineseFixed`] has the ranges that were meant, and those
//! of the extensions that have come since. In both, digits and full stops of ASCII at the ends of a line are as sacreBLEU
//! has them: nothing is set apart there that wants a neighbor (`1.` at the end is one token).
//!
//! The ranges are those of sacreBLEU's `tokenizer_zh` (see NOTICE).

use super::scan::{Class, Rules, scan};
use super::thirteen_a::western;
use super::{Tokenizer, Tokens, is_blank};
use crate::error::Result;

/// Ranges of both, first and last character.
const COMMON: [(char, char); 16] = [
    ('\u{2e80}', '\u{2eff}'), // radicals, supplement
    ('\u{2f00}', '\u{2fdf}'), // radicals of the Kangxi dictionary
    ('\u{2ff0}', '\u{2fff}'), // descriptions of characters
    ('\u{3000}', '\u{303f}'), // punctuation
    ('\u{3100}', '\u{312f}'), // Bopomofo
    ('\u{31a0}', '\u{31bf}'), // Bopomofo, extended
    ('\u{31c0}', '\u{31ef}'), // strokes
    ('\u{3200}', '\u{33ff}'), // enclosed letters, units
    ('\u{3400}', '\u{4db5}'), // ideographs, extension A
    ('\u{4e00}', '\u{9fbb}'), // ideographs
    ('\u{f900}', '\u{fa2d}'), // compatibility ideographs
    ('\u{fa30}', '\u{fa6a}'),
    ('\u{fa70}', '\u{fad9}'),
    ('\u{fe10}', '\u{fe1f}'), // vertical forms
    ('\u{fe30}', '\u{fe4f}'), // compatibility forms
    ('\u{ff00}', '\u{ffef}'), // full and half width
];

/// Miscellaneous symbols and dingbats, which are within the first range that went wrong.
const SYMBOLS: (char, char) = ('\u{2600}', '\u{27bf}');

/// What sacreBLEU has in place of ideographs beyond the first plane.
const AS_FOUND: [(char, char); 2] = [('\u{2001}', '\u{2a6d}'), ('\u{2f81}', '\u{2fa1}')];

/// What is meant, with the characters that Unicode has added to these blocks, and the extensions C to J.
const AS_MEANT: [(char, char); 5] = [
    ('\u{4db6}', '\u{4dbf}'),
    ('\u{9fbc}', '\u{9fff}'),
    ('\u{20000}', '\u{2ffff}'),
    ('\u{30000}', '\u{3ffff}'),
    SYMBOLS,
];

/// sacreBLEU's `zh`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Chinese;

/// `zh` with the ranges that were meant: `zh-fixed`, which sacreBLEU does not have.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChineseFixed;

const CLASSES: [Class; 256] = western(Class::Ask);

fn class_of(character: char, more: &[(char, char)]) -> Class {
    if is_blank(character) {
        Class::Blank
    } else if COMMON.iter().chain(more).any(|&(first, last)| (first..=last).contains(&character)) {
        Class::Separate
    } else {
        Class::Plain
    }
}

impl Tokenizer for Chinese {
    fn name(&self) -> &'static str {
        "zh"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.hold(line.trim_matches(is_blank));
        scan(self, tokens);
        Ok(())
    }
}

impl Tokenizer for ChineseFixed {
    fn name(&self) -> &'static str {
        "zh-fixed"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.hold(line.trim_matches(is_blank));
        scan(self, tokens);
        Ok(())
    }
}

impl Rules for Chinese {
    const BLANKS_AROUND: bool = false;

    fn classes(&self) -> &[Class; 256] {
        &CLASSES
    }

    fn class_of(&self, character: char) -> Class {
        class_of(character, &AS_FOUND)
    }
}

impl Rules for ChineseFixed {
    const BLANKS_AROUND: bool = false;

    fn classes(&self) -> &[Class; 256] {
        &CLASSES
    }

    fn class_of(&self, character: char) -> Class {
        class_of(character, &AS_MEANT)
    }
}
