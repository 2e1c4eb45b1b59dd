//! What of a word counts for a decision, in every language: its kind, its length, its spelling.

use crate::bitext::fnv_1a;
use crate::lexicon::WordKind;

/// Words of more letters count as having so many.
const MOST_LETTERS: usize = 12;

/// A word as a decision sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    pub(super) kind: WordKind,
    letters: u8,
    /// Of the word in lower case.
    pub(super) spelling: u64,
}

impl Word {
    /// A word that so many words of its language are more frequent than.
    pub fn new(word: &[u8], rank: usize) -> Self {
        let text = std::str::from_utf8(word).ok();
        let letters = text.map_or(word.len(), |text| text.chars().count()).min(MOST_LETTERS) as u8;
        let spelling = match text {
            Some(text) => fnv_1a(text.to_lowercase().bytes()),
            None => fnv_1a(word.iter().copied()),
        };
        Self { kind: WordKind::of(word, rank), letters, spelling }
    }

    /// 1 for half of the most letters that count.
    pub(super) fn length(self) -> f32 {
        f32::from(self.letters) / (MOST_LETTERS as f32 / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_is_that_of_lower_case() {
        let word = |word: &str| Word::new(word.as_bytes(), 0);
        assert_eq!(word("Été"), word("été"));
        assert_ne!(word("été").spelling, word("ete").spelling);
        assert_eq!([word("été").letters, word("Rindfleischetikettierung").letters], [3, 12]);
        assert_eq!(Word::new(b"\xff\xfe", 0).letters, 2);
    }
}
