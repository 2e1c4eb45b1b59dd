//! `13a`: the tokenization of mteval-v13a, by which most published scores of Western languages were computed.
//!
//! `<skipped>` and hyphens before line breaks go, four entities become characters, then
//!
//! ```text
//! 1  ASCII punctuation but ' , - . is set apart
//! 2  . and , are set apart where no digit stands before them
//! 3  . and , are set apart where no digit stands after them
//! 4  - is set apart where a digit stands before it
//! ```
//!
//! by one [pass](super::scan). All of it is decided by ASCII characters; others are looked at only where they may be
//! blanks.
//!
//! The classes of characters are those of sacreBLEU's `tokenizer_13a` and `tokenizer_re` (see NOTICE).

use std::borrow::Cow;

use super::scan::{Class, Rules, asking_for_blanks, classes, scan};
use super::{Tokenizer, Tokens, is_blank};
use crate::error::Result;

/// sacreBLEU's default.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThirteenA;

impl Tokenizer for ThirteenA {
    fn name(&self) -> &'static str {
        "13a"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.hold(&unescape(line));
        scan(self, tokens);
        Ok(())
    }
}

/// What mteval does to lines before it looks for tokens.
fn unescape(line: &str) -> Cow<'_, str> {
    if memchr::memchr3(b'<', b'\n', b'&', line.as_bytes()).is_none() {
        return Cow::Borrowed(line);
    }
    let mut line = Cow::Borrowed(line);
    let steps =
        [("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];
    for (from, to) in steps {
        if line.contains(from) {
            line = Cow::Owned(line.replace(from, to));
        }
    }
    line
}

/// The classes of ASCII characters, and one for all others.
pub(super) const fn western(others: Class) -> [Class; 256] {
    let mut classes = classes(others);
    let mut byte = 0;
    while byte < 0x80 {
        match byte as u8 {
            b'!'..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~' => {
                classes[byte] = Class::Separate;
            }
            b'0'..=b'9' => classes[byte] = Class::Number,
            b'.' | b',' => classes[byte] = Class::Stop,
            b'-' => classes[byte] = Class::Hyphen,
            _ => {}
        }
        byte += 1;
    }
    classes
}

const WESTERN: [Class; 256] = asking_for_blanks(western(Class::Plain));

impl Rules for ThirteenA {
    const BLANKS_AROUND: bool = true;

    fn classes(&self) -> &[Class; 256] {
        &WESTERN
    }

    fn class_of(&self, character: char) -> Class {
        if is_blank(character) { Class::Blank } else { Class::Plain }
    }
}
