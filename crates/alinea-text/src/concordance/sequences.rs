//! Translations and phrases: keys of words in their order, with gaps, each sequence with a number.
//!
//! A sequence is a string of bytes in a vocabulary: a key k is k + 1 in groups of seven bits, the lowest first, of which all but the
//! last have the high bit; 0 is a gap.

use super::keys::Keys;
use super::pair::End;
use crate::bitext::{Vocabulary, WordId};

/// What stands in a translation for words that are not linked.
pub const GAP: &str = "...";

/// A gap.
const GAP_CODE: u64 = 0;

/// Adds a key to a sequence.
pub(super) fn push_key(key: u32, bytes: &mut Vec<u8>) {
    push(u64::from(key) + 1, bytes);
}

fn push(mut code: u64, bytes: &mut Vec<u8>) {
    while code >= 0x80 {
        bytes.push(code as u8 | 0x80);
        code >>= 7;
    }
    bytes.push(code as u8);
}

/// Replaces `bytes` by the sequence of the words that links lead to; says whether all have a key.
pub(super) fn of_ends(ends: &[End], keys: &[Option<u32>], bytes: &mut Vec<u8>) -> bool {
    bytes.clear();
    let mut before = None;
    for end in ends {
        if before.is_some_and(|before: u32| before + 1 < end.to) {
            push(GAP_CODE, bytes);
        }
        before = Some(end.to);
        let Some(key) = keys[end.to as usize] else { return false };
        push_key(key, bytes);
    }
    true
}

/// The keys of a sequence, and nothing for a gap.
pub(super) fn keys(sequences: &Vocabulary, number: u32) -> impl Iterator<Item = Option<u32>> + '_ {
    let mut bytes = sequences.word(WordId::from_index(number as usize)).iter();
    std::iter::from_fn(move || {
        let (mut code, mut shift) = (0, 0);
        loop {
            let byte = *bytes.next()?;
            code |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 {
                return Some(code.checked_sub(1).map(|key| key as u32));
            }
        }
    })
}

/// The text of a sequence.
pub(super) fn text(sequences: &Vocabulary, number: u32, words: &Keys) -> String {
    let words: Vec<&str> = keys(sequences, number).map(|key| key.map_or(GAP, |key| words.shown(key))).collect();
    words.join(" ")
}
