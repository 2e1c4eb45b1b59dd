//! `intl`: the tokenization of mteval-v14 for text in any script.
//!
//! ```text
//! 1  punctuation is set apart where no number stands before it
//! 2  punctuation is set apart where no number stands after it
//! 3  symbols are set apart
//! ```
//!
//! by the Unicode categories P, N and S. Nothing is set apart at the ends of a line that wants a neighbor there: a year and
//! its full stop at the end are one token.
//!
//! The substitutions are those of sacreBLEU's `tokenizer_intl` (see NOTICE).

use std::sync::LazyLock;

use super::categories::{CATEGORIES, Categories};
use super::scan::{Class, Rules, classes, scan};
use super::{Tokenizer, Tokens, is_blank};
use crate::error::Result;

/// sacreBLEU's `intl`, with the categories of Unicode 18.
#[derive(Debug, Clone, Copy)]
pub struct International {
    categories: &'static Categories,
    classes: &'static [Class; 256],
}

static CLASSES: LazyLock<[Class; 256]> = LazyLock::new(|| {
    let mut classes = classes(Class::Ask);
    for (byte, class) in classes.iter_mut().enumerate().take(0x80).filter(|(_, class)| **class == Class::Plain) {
        *class = CATEGORIES.class(char::from(byte as u8));
    }
    classes
});

impl Default for International {
    fn default() -> Self {
        Self { categories: &CATEGORIES, classes: &CLASSES }
    }
}

impl Tokenizer for International {
    fn name(&self) -> &'static str {
        "intl"
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.hold(line);
        scan(self, tokens);
        Ok(())
    }
}

impl Rules for International {
    const BLANKS_AROUND: bool = false;

    fn classes(&self) -> &[Class; 256] {
        self.classes
    }

    fn class_of(&self, character: char) -> Class {
        match self.categories.class(character) {
            Class::Plain if is_blank(character) => Class::Blank,
            class => class,
        }
    }
}
