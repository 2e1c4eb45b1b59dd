//! The words of a side as they are compared, and as they are shown.
//!
//! Each way in which a word is written has a *key*, the same for all that count as one word. A key is shown as it is written most
//! often; of several equally frequent ways, as it was written first.

use crate::bitext::{Vocabulary, WordId};
use crate::format::tokens::fold_case;

/// The words of a side.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// Whether words that differ in case have different keys.
    case: bool,
    written: Vocabulary,
    /// Words in lower case; empty if case makes a difference.
    folded: Vocabulary,
    /// The key of each written word.
    key: Vec<u32>,
    /// How often it is written so.
    uses: Vec<u64>,
    /// How each key is written most often.
    best: Vec<WordId>,
    buffer: Vec<u8>,
}

impl Keys {
    pub(super) fn new(case: bool) -> Self {
        Self { case, ..Self::default() }
    }

    /// Counts a word, and returns its key.
    pub(super) fn count(&mut self, word: &str) -> u32 {
        let written = self.written.intern(word.as_bytes()).index();
        if written == self.key.len() {
            let key = self.new_key(word, written);
            self.key.push(key);
            self.uses.push(0);
        }
        self.uses[written] += 1;
        self.key[written]
    }

    fn new_key(&mut self, word: &str, written: usize) -> u32 {
        if self.case {
            return written as u32;
        }
        self.buffer.clear();
        fold_case(word.as_bytes(), &mut self.buffer);
        self.folded.intern(&self.buffer).index() as u32
    }

    /// The key of a word that was counted.
    pub(super) fn get(&self, word: &str) -> Option<u32> {
        self.written.id(word.as_bytes()).map(|written| self.key[written.index()])
    }

    /// The number of keys.
    pub(super) fn len(&self) -> usize {
        if self.case { self.written.len() } else { self.folded.len() }
    }

    /// A key as it is compared.
    pub(super) fn text(&self, key: u32) -> &str {
        let words = if self.case { &self.written } else { &self.folded };
        std::str::from_utf8(words.word(WordId::from_index(key as usize))).unwrap_or_default()
    }

    /// Says how each key is shown; to be called when all words are counted.
    pub(super) fn settle(&mut self) {
        let mut best: Vec<Option<usize>> = vec![None; self.len()];
        for (written, &key) in self.key.iter().enumerate() {
            let best = &mut best[key as usize];
            if best.is_none_or(|best| self.uses[written] > self.uses[best]) {
                *best = Some(written);
            }
        }
        self.best = best.into_iter().map(|written| WordId::from_index(written.unwrap_or_default())).collect();
    }

    /// A key as it is shown.
    pub(super) fn shown(&self, key: u32) -> &str {
        std::str::from_utf8(self.written.word(self.best[key as usize])).unwrap_or_default()
    }
}
