//! `13a`: the tokenization of mteval-v13a, by which most published scores of Western languages were computed.
//!
//! In this order: `<skipped>` and hyphens before line breaks go, four entities become characters, then
//!
//! ```text
//! 1  ASCII punctuation but ' , - . is set apart
//! 2  . and , are set apart where no digit stands before them
//! 3  . and , are set apart where no digit stands after them
//! 4  - is set apart where a digit stands before it
//! ```
//!
//! each by one pass from left to right, as a substitution by regular expressions goes: what a match has consumed is not
//! looked at again. All of them are decided by ASCII characters, so bytes can be looked at in place of characters.

use super::{Tokenizer, Tokens};
use crate::error::Result;

/// sacreBLEU's default.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThirteenA;

impl Tokenizer for ThirteenA {
    fn name(&self) -> &'static str {
        "13a"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.clear();
        if line.contains(['<', '\n', '&']) {
            separate_punctuation(&unescape(line), tokens);
        } else {
            separate_punctuation(line, tokens);
        }
        Ok(())
    }
}

fn unescape(line: &str) -> String {
    unescape_entities(&line.replace("<skipped>", "").replace("-\n", "").replace('\n', " "))
}

/// Four entities become characters.
pub(super) fn unescape_entities(line: &str) -> String {
    line.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
}

/// The four passes, and the split at blanks.
pub(super) fn separate_punctuation(line: &str, tokens: &mut Tokens) {
    let [mut from, mut to] = std::mem::take(&mut tokens.scratch);
    from.clear();
    from.push(b' ');
    for &byte in line.as_bytes() {
        if is_separate(byte) {
            from.extend_from_slice(&[b' ', byte, b' ']);
        } else {
            from.push(byte);
        }
    }
    from.push(b' ');
    if line.contains(['.', ',']) {
        pairs(
            &from,
            &mut to,
            |first, second| !first.is_ascii_digit() && is_stop(second),
            |first, second| [first, b' ', second, b' '],
        );
        pairs(
            &to,
            &mut from,
            |first, second| is_stop(first) && !second.is_ascii_digit(),
            |first, second| [b' ', first, b' ', second],
        );
    }
    if line.contains('-') {
        pairs(
            &from,
            &mut to,
            |first, second| first.is_ascii_digit() && second == b'-',
            |first, second| [first, b' ', second, b' '],
        );
        std::mem::swap(&mut from, &mut to);
    }
    let text = std::str::from_utf8(&from).expect("blanks beside ASCII characters leave UTF-8 what it is");
    tokens.push_split(text);
    tokens.scratch = [from, to];
}

/// One pass: each pair of neighbors that matches, from the left, becomes four bytes.
pub(super) fn pairs(
    from: &[u8],
    to: &mut Vec<u8>,
    matches: impl Fn(u8, u8) -> bool,
    replace: impl Fn(u8, u8) -> [u8; 4],
) {
    to.clear();
    let mut place = 0;
    while let Some(&first) = from.get(place) {
        match from.get(place + 1) {
            Some(&second) if matches(first, second) => {
                to.extend_from_slice(&replace(first, second));
                place += 2;
            }
            _ => {
                to.push(first);
                place += 1;
            }
        }
    }
}

pub(super) fn is_separate(byte: u8) -> bool {
    matches!(byte, b' '..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~')
}

pub(super) fn is_stop(byte: u8) -> bool {
    matches!(byte, b'.' | b',')
}
