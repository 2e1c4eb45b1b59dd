//! `tercom`: the tokens of TER, as the program Tercom makes them (Snover et al. 2006).
//!
//! Without options lines become lower case and are split at blanks. `normalized` sets punctuation apart nearly as
//! [`ThirteenA`](super::ThirteenA) does, and `'s`; with `asian_support` also each Chinese character and mark of
//! punctuation. `no_punctuation` deletes `. , ? : ; ! " ( )` instead of setting them apart; with `asian_support` also what
//! stands for them in Chinese and Japanese. Only these two look at `asian_support`.
//!
//! The program has rules for runs of kana too, but they ask for a line that begins with kana, and a normalized line begins
//! with a blank; so kana stay together.

use super::{Tokenizer, Tokens};
use crate::error::Result;

/// What [`Ter`](crate::metric::ter::Ter) makes tokens with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "options of the program, which do not depend on each other")]
pub struct Tercom {
    /// Whether punctuation is set apart.
    pub normalized: bool,
    /// Whether punctuation is deleted.
    pub no_punctuation: bool,
    /// Whether the two above support Chinese and Japanese.
    pub asian_support: bool,
    /// Whether upper and lower case are different.
    pub case_sensitive: bool,
}

impl Tokenizer for Tercom {
    fn name(&self) -> &'static str {
        "tercom"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.clear();
        if line.is_empty() {
            return Ok(());
        }
        let lowered;
        let mut line = line;
        if !self.case_sensitive && !is_lower(line) {
            lowered = line.to_lowercase();
            line = &lowered;
        }
        if self.normalized || self.no_punctuation {
            tokens.push_split(&self.punctuation(line));
        } else {
            tokens.push_split(line);
        }
        Ok(())
    }
}

impl Tercom {
    /// Sets punctuation apart and deletes it.
    fn punctuation(self, line: &str) -> String {
        let mut line = if self.normalized { normalize(line) } else { line.to_owned() };
        if self.normalized && self.asian_support {
            line = set_apart(&line);
        }
        if self.no_punctuation {
            line.retain(|character| {
                !(is_punctuation(character) || self.asian_support && is_wide_punctuation(character))
            });
        }
        line
    }
}

fn is_lower(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
}

/// Line breaks, entities, punctuation, `'s`, stops and commas beside what is no digit, hyphens after digits.
fn normalize(line: &str) -> String {
    let line = unescape_entities(&line.replace("\n-", "").replace('\n', " "));
    let mut from = vec![b' '];
    for &byte in line.as_bytes() {
        if is_separate(byte) {
            from.extend_from_slice(&[b' ', byte, b' ']);
        } else {
            from.push(byte);
        }
    }
    from.push(b' ');
    let mut to = Vec::new();
    possessives(&from, &mut to);
    pairs(
        &to,
        &mut from,
        |first, second| !first.is_ascii_digit() && is_stop(second),
        |first, second| [first, b' ', second, b' '],
    );
    pairs(
        &from,
        &mut to,
        |first, second| is_stop(first) && !second.is_ascii_digit(),
        |first, second| [b' ', first, b' ', second],
    );
    pairs(
        &to,
        &mut from,
        |first, second| first.is_ascii_digit() && second == b'-',
        |first, second| [first, b' ', second, b' '],
    );
    String::from_utf8(from).expect("blanks beside ASCII characters leave UTF-8 what it is")
}

/// Four entities become characters.
fn unescape_entities(line: &str) -> String {
    line.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
}

/// One pass: each pair of neighbors that matches, from the left, becomes four bytes.
fn pairs(from: &[u8], to: &mut Vec<u8>, matches: impl Fn(u8, u8) -> bool, replace: impl Fn(u8, u8) -> [u8; 4]) {
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

fn is_separate(byte: u8) -> bool {
    matches!(byte, b' '..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~')
}

fn is_stop(byte: u8) -> bool {
    matches!(byte, b'.' | b',')
}

/// Sets `'s` apart where a blank follows.
fn possessives(from: &[u8], to: &mut Vec<u8>) {
    for (place, &byte) in from.iter().enumerate() {
        if from[place..].starts_with(b"'s ") {
            to.push(b' ');
        }
        to.push(byte);
    }
}

/// Sets Chinese characters and punctuation apart.
fn set_apart(line: &str) -> String {
    let mut apart = String::with_capacity(line.len());
    for character in line.chars() {
        if is_character_by_itself(character) || is_wide_punctuation(character) {
            apart.extend([' ', character, ' ']);
        } else {
            apart.push(character);
        }
    }
    apart
}

/// CJK ideographs and their compatibility forms, strokes, radicals, enclosed letters and months. The last range goes on
/// into other blocks, as it does in sacreBLEU.
fn is_character_by_itself(character: char) -> bool {
    matches!(character,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{31c0}'..='\u{31ef}' | '\u{2e80}'..='\u{2eff}'
        | '\u{3300}'..='\u{33ff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}'
        | '\u{3200}'..='\u{3f22}')
}

fn is_punctuation(character: char) -> bool {
    matches!(character, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
}

fn is_wide_punctuation(character: char) -> bool {
    matches!(character,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{ff61}'..='\u{ff65}' | '\u{30fb}'
        | '\u{ff0e}' | '\u{ff0c}' | '\u{ff1f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff01}' | '\u{ff02}' | '\u{ff08}' | '\u{ff09}')
}
