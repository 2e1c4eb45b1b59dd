//! Kinds of words, told by frequency and characters alone: the roughest parts of speech, the same for every language.
//!
//! Words without a letter or digit are punctuation. Of all others the most frequent ones are articles, prepositions,
//! particles, auxiliaries; those that follow are mostly such words too; the rest has content.
//!
//! ```
//! use alinea_align::lexicon::{WordKind, word_kinds};
//!
//! let words = ["the", ",", "of"].map(str::as_bytes);
//! assert_eq!(word_kinds(words), [WordKind::Frequent, WordKind::Punctuation, WordKind::Frequent]);
//! ```

/// What a word is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// No letter and no digit.
    Punctuation,
    /// Of the ten most frequent words.
    Frequent,
    /// Of the hundred most frequent words.
    Common,
    /// All others.
    Rare,
}

impl WordKind {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::Punctuation, Self::Frequent, Self::Common, Self::Rare];

    /// How many kinds there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The kind of a word that so many words are more frequent than. Words that are not UTF-8 count as having letters.
    pub fn of(word: &[u8], rank: usize) -> Self {
        let punctuation = std::str::from_utf8(word).is_ok_and(|word| !word.chars().any(char::is_alphanumeric));
        match rank {
            _ if punctuation => Self::Punctuation,
            rank if rank < RANKS[0] => Self::Frequent,
            rank if rank < RANKS[1] => Self::Common,
            _ => Self::Rare,
        }
    }
}

/// How many of the most frequent words, punctuation among them, are [`Frequent`](WordKind::Frequent), and how many at
/// most [`Common`](WordKind::Common).
const RANKS: [usize; 2] = [10, 100];

/// The kinds of words, which come by falling frequency.
pub fn word_kinds<'w>(words: impl IntoIterator<Item = &'w [u8]>) -> Vec<WordKind> {
    words.into_iter().enumerate().map(|(rank, word)| WordKind::of(word, rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_characters_decide() {
        let words: Vec<String> =
            (0..200).map(|n| if n % 7 == 3 { "«…»".to_owned() } else { format!("x{n}") }).collect();
        let kinds = word_kinds(words.iter().map(String::as_bytes));
        for (n, kind) in kinds.into_iter().enumerate() {
            let expected = match n {
                n if n % 7 == 3 => WordKind::Punctuation,
                ..10 => WordKind::Frequent,
                10..100 => WordKind::Common,
                _ => WordKind::Rare,
            };
            assert_eq!(kind, expected, "{n}");
        }
        assert_eq!(word_kinds([&b"\xff"[..]]), [WordKind::Frequent]);
    }
}
