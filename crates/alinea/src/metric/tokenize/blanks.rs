//! `none`: the text has its tokens already, between blanks.

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
        tokens.clear();
        tokens.push_split(line);
        Ok(())
    }
}

impl Tokens {
    /// Adds what stands between blanks.
    pub(super) fn push_split(&mut self, line: &str) {
        for token in line.split(is_blank).filter(|token| !token.is_empty()) {
            self.push(token);
        }
    }
}
