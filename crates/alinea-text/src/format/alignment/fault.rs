//! What the alignment formats share below the level of lines: parse errors, numbers, weights and words.
//!
//! A `Fault` is a parse error that knows its byte in the line, but neither line nor file. The parser of a line returns
//! it, and the reader, which knows the place, makes an error of it (`Fault::at`). `Fault::shifted` moves the byte if
//! the parsed text was only part of a line.
//!
//! A number is ASCII digits, without a sign; one that is too large is refused and never wraps around. A weight is any
//! finite number that Rust reads as an `f32`, and is written with a fixed number of decimals or with as few digits as
//! read back to the same `f32`. `check_word` refuses words that would not be read back as one: empty ones, and those
//! with a blank, a tab or a line break.

use std::borrow::Cow;
use std::io::Write as _;

use super::{Base, TokenList};
use crate::error::{Error, ErrorKind, Hint, Position, Result, Snippet};
use crate::format::tokens;

/// A parse error without its file and line.
#[derive(Debug)]
pub(super) struct Fault {
    /// The byte in the line, from 1.
    column: usize,
    expected: Cow<'static, str>,
    found: Vec<u8>,
    hint: Option<Hint>,
}

impl Fault {
    /// `found` begins at the byte `offset` of the line, from 0.
    #[cold]
    pub(super) fn new(offset: usize, expected: impl Into<Cow<'static, str>>, found: &[u8]) -> Self {
        Self { column: offset + 1, expected: expected.into(), found: found.to_vec(), hint: None }
    }

    /// A position 0 where positions count from 1.
    #[cold]
    pub(super) fn position_zero(offset: usize, found: &[u8]) -> Self {
        Self { hint: Some(Hint::CountsFromZero), ..Self::new(offset, "positions from 1", found) }
    }

    /// The same fault in a line that this one is a part of, beginning at `offset`.
    pub(super) fn shifted(mut self, offset: usize) -> Self {
        self.column += offset;
        self
    }

    /// The error, at the line of `position`.
    pub(super) fn at(self, position: Position) -> Error {
        let position = Position { column: self.column as u64, ..position };
        let (expected, found) = (self.expected.into_owned(), Snippet::new(&self.found));
        ErrorKind::Parse { position, expected, found, hint: self.hint }.into()
    }
}

/// The words of a line with the bytes they begin at.
pub(super) fn fields(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut words = tokens::split(line.as_bytes());
    std::iter::from_fn(move || {
        let length = words.next()?.len();
        let start = words.offset() - length;
        Some((start, &line[start..start + length]))
    })
}

/// The number that `text` begins with, and how many digits it has. Nothing if it has none or is too large.
pub(super) fn leading_number<N: TryFrom<u64>>(text: &[u8]) -> Option<(N, usize)> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut number = 0u64;
    for digit in &text[..digits] {
        number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    let number = N::try_from(number).ok()?;
    (digits > 0).then_some((number, digits))
}

/// The number that all of `text` is.
pub(super) fn whole_number<N: TryFrom<u64>>(text: &str) -> Option<N> {
    leading_number(text.as_bytes()).filter(|&(_, digits)| digits == text.len()).map(|(number, _)| number)
}

/// A weight: any finite number.
pub(super) fn weight(text: &str) -> Option<f32> {
    text.parse().ok().filter(|weight: &f32| weight.is_finite())
}

impl Base {
    /// The position from 0 of a written one; nothing for 0 in a file that counts from 1.
    pub(super) fn position(self, written: u32) -> Option<u32> {
        match self {
            Self::Zero => Some(written),
            Self::One => written.checked_sub(1),
        }
    }

    /// The written form of a position.
    pub(super) fn written(self, position: u32) -> u64 {
        u64::from(position) + u64::from(self == Self::One)
    }
}

/// Appends a number in decimal.
#[inline]
pub(crate) fn push_number(number: u64, out: &mut Vec<u8>) {
    let digit = |number: u64| b'0' + (number % 10) as u8;
    match number {
        // Positions of words, nearly always.
        0..10 => out.push(digit(number)),
        10..100 => out.extend_from_slice(&[digit(number / 10), digit(number)]),
        _ => {
            push_number(number / 100, out);
            out.extend_from_slice(&[digit(number / 10), digit(number)]);
        }
    }
}

/// Refuses a word that would not be one word again when its line is read; `format` names the format.
pub(super) fn check_word(word: &str, pair: u64, format: &str) -> Result<()> {
    if word.is_empty() || word.contains([' ', '\t', '\n', '\r']) {
        return Err(bad_word(word, pair, format));
    }
    Ok(())
}

/// The error for a word that a format cannot keep.
pub(super) fn bad_word(word: &str, pair: u64, format: &str) -> Error {
    ErrorKind::Inconsistent(format!("pair {pair}: the word {word:?} cannot stand in the {format} format")).into()
}

/// Appends words with blanks between them, and the end of the line.
pub(super) fn push_words(words: &TokenList, out: &mut Vec<u8>) {
    for (n, word) in words.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b" " } else { b"" });
        out.extend_from_slice(word.as_bytes());
    }
    out.push(b'\n');
}

/// Appends a weight with this many decimals, or with as many as it takes to read the same number again.
pub(super) fn push_weight(weight: f32, digits: Option<usize>, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = match digits {
        Some(digits) => write!(out, "{weight:.digits$}"),
        None => write!(out, "{weight}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_digits_and_nothing_else() {
        assert_eq!(whole_number::<u32>("0012"), Some(12));
        assert_eq!(whole_number::<u32>("4294967295"), Some(u32::MAX));
        for bad in ["", "+1", "-1", "1 ", "4294967296", "99999999999999999999", "1.0", "٣"] {
            assert_eq!(whole_number::<u32>(bad), None, "{bad}");
        }
        assert_eq!(leading_number::<u64>(b"18446744073709551615)"), Some((u64::MAX, 20)));
        let mut out = Vec::new();
        for number in [0, 9, 10, u64::MAX] {
            push_number(number, &mut out);
            out.push(b' ');
        }
        assert_eq!(out, b"0 9 10 18446744073709551615 ");
    }

    #[test]
    fn weights_are_finite() {
        assert_eq!(weight("0.25"), Some(0.25));
        assert_eq!(weight("-1e-3"), Some(-0.001));
        for bad in ["", "nan", "inf", "1e99", "0,5"] {
            assert_eq!(weight(bad), None, "{bad}");
        }
    }
}
