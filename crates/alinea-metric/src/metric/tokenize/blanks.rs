//! `none`: the text has its tokens already, between blanks. `char`: each character is one, except blanks.
//!
//! A blank is what Python's `str.split()` splits at: the white space of Unicode, and the information separators U+001C
//! to U+001F ([`is_blank`]). That makes the tokens those of sacreBLEU under these names. Characters are Unicode scalar
//! values, so a letter and a combining mark are two tokens.

use super::scan::{Class, Rules, asking_for_blanks, classes, scan};
use super::{Tokenizer, Tokens};
use crate::error::Result;

/// Whether Python's `str.split()` splits at a character: the Unicode property White_Space, and the four information
/// separators.
pub fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

/// Splits at blanks; sacreBLEU's `none`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Blanks;

impl Tokenizer for Blanks {
    fn name(&self) -> &'static str {
        "none"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.hold(line);
        scan(self, tokens);
        Ok(())
    }
}

const BLANKS: [Class; 256] = asking_for_blanks(classes(Class::Plain));

impl Rules for Blanks {
    const BLANKS_AROUND: bool = true;

    fn classes(&self) -> &[Class; 256] {
        &BLANKS
    }

    fn class_of(&self, character: char) -> Class {
        if is_blank(character) { Class::Blank } else { Class::Plain }
    }
}

/// Each character that is no blank; sacreBLEU's `char`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Characters;

impl Tokenizer for Characters {
    fn name(&self) -> &'static str {
        "char"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.hold(line);
        let Tokens { text, spans, .. } = tokens;
        spans.extend(
            text.char_indices()
                .filter(|(_, character)| !is_blank(*character))
                .map(|(start, character)| (start, start + character.len_utf8())),
        );
        Ok(())
    }
}
