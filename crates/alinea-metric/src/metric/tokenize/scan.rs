//! The pass from left to right that most tokenizers share: they differ in the [`Class`] of each character.
//!
//! As published, these tokenizers are substitutions, one after another over the whole line. With N a number and P a stop:
//!
//! ```text
//! 1  separate characters are set apart               c   →  _c_
//! 2  stops that follow no number are set apart      ¬N P → ¬N_P_
//! 3  stops that no number follows are set apart      P ¬N → _P_¬N
//! 4  hyphens that follow a number are set apart      N - →  N_-_
//! ```
//!
//! A stop is not a number either, and what a match has consumed is not looked at again. So in a row of k stops the second
//! substitution takes the character before it with the first stop if that is no number, and then stops two by two: the
//! last one is left over if k is even behind another character, or odd behind a number. A stop that is left over stays with
//! a number that follows; if it is the only one of its row, with the number before it too, as in `1.5`. All others stand
//! alone. That is all that there is to know of neighbors, and one pass finds the same tokens.

use super::Tokens;

/// What becomes of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Class {
    /// It is a part of a token.
    Plain,
    /// It is, and stops and hyphens beside it are treated in their own way.
    Number,
    /// It ends tokens and is in none.
    Blank,
    /// It is a token.
    Separate,
    /// It is a token, but for some beside numbers.
    Stop,
    /// It is a token behind a number, and otherwise a part of one.
    Hyphen,
    /// A byte that does not tell what its character is.
    Ask,
}

/// The classes of a tokenizer's characters.
pub(super) trait Rules {
    /// Whether the line has blanks before its first and behind its last character. If not, there is nothing there, and the
    /// substitutions that want a neighbor do not happen.
    const BLANKS_AROUND: bool;

    /// Classes by the first byte of a character; those of further bytes are `Plain`.
    fn classes(&self) -> &[Class; 256];

    /// The class of a character whose first byte has the class `Ask`.
    fn class_of(&self, character: char) -> Class;
}

/// Those of the bytes of ASCII by a function, and one for all others.
pub(super) const fn classes(others: Class) -> [Class; 256] {
    let mut classes = [others; 256];
    let mut byte = 0;
    while byte < 0xc0 {
        // ASCII, and bytes within characters.
        classes[byte] = if is_ascii_blank(byte as u8) { Class::Blank } else { Class::Plain };
        byte += 1;
    }
    classes
}

const fn is_ascii_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b'\x1c'..=b' ')
}

/// The same, where the first bytes of all blanks beyond ASCII ask for their character.
pub(super) const fn asking_for_blanks(mut classes: [Class; 256]) -> [Class; 256] {
    classes[0xc2] = Class::Ask;
    classes[0xe1] = Class::Ask;
    classes[0xe2] = Class::Ask;
    classes[0xe3] = Class::Ask;
    classes
}

/// Adds the tokens of the text that `tokens` holds.
pub(super) fn scan<R: Rules>(rules: &R, tokens: &mut Tokens) {
    let Tokens { text, spans, .. } = tokens;
    let mut scan = Scan { rules, classes: rules.classes(), text, spans, start: 0 };
    let bytes = text.as_bytes();
    let mut place = 0;
    while let Some(plain) = bytes[place..].iter().position(|&byte| scan.classes[usize::from(byte)] > Class::Number) {
        place += plain;
        let (class, width) = scan.class_at(place);
        let next = place + width;
        place = match class {
            Class::Blank => scan.end_token(place, next),
            Class::Separate => scan.token(place, next),
            Class::Hyphen if place > 0 && scan.number_before(place) => scan.token(place, next),
            Class::Stop => scan.stops(place, next),
            Class::Plain | Class::Number | Class::Hyphen | Class::Ask => next,
        };
    }
    scan.end_token(bytes.len(), bytes.len());
}

struct Scan<'t, R> {
    rules: &'t R,
    classes: &'t [Class; 256],
    text: &'t str,
    spans: &'t mut Vec<(usize, usize)>,
    /// Where the token begins that is being read.
    start: usize,
}

impl<R: Rules> Scan<'_, R> {
    /// The class and the length of the character at a place where there is one.
    #[inline]
    fn class_at(&self, place: usize) -> (Class, usize) {
        match self.classes[usize::from(self.text.as_bytes()[place])] {
            Class::Ask => {
                let character = self.text[place..].chars().next().unwrap_or_default();
                (self.rules.class_of(character), character.len_utf8())
            }
            class => (class, 1),
        }
    }

    /// Ends the token that is being read; the next one begins at `next`.
    #[inline]
    fn end_token(&mut self, place: usize, next: usize) -> usize {
        if self.start < place {
            self.spans.push((self.start, place));
        }
        self.start = next;
        next
    }

    /// What stands from `place` to `next` is a token.
    #[inline]
    fn token(&mut self, place: usize, next: usize) -> usize {
        self.end_token(place, next);
        self.spans.push((place, next));
        next
    }

    /// Whether a number stands before a place, or nothing where blanks are not around.
    fn number_before(&self, place: usize) -> bool {
        match self.text[..place].chars().next_back() {
            Some(character) => self.class_at(place - character.len_utf8()).0 == Class::Number,
            None => !R::BLANKS_AROUND,
        }
    }

    /// Whether a number stands at a place, or nothing where blanks are not around.
    fn number_at(&self, place: usize) -> bool {
        if place < self.text.len() { self.class_at(place).0 == Class::Number } else { !R::BLANKS_AROUND }
    }

    /// The row of stops whose first one stands from `place` to `next`; the end of the row.
    fn stops(&mut self, place: usize, next: usize) -> usize {
        let number_before = self.number_before(place);
        let (mut last, mut end, mut count) = (place, next, 1);
        while end < self.text.len() {
            let (Class::Stop, width) = self.class_at(end) else { break };
            // The one before is not the last one.
            if count == 1 {
                self.end_token(place, place);
            }
            self.spans.push((last, end));
            (last, end) = (end, end + width);
            count += 1;
        }
        if count > 1 {
            self.start = last;
        }
        let left_over = number_before == (count % 2 == 1);
        if left_over && self.number_at(end) { end } else { self.token(last, end) }
    }
}
