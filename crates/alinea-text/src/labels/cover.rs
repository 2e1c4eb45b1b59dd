//! The words that a stretch of characters is in.

use std::ops::Range;

/// The words that a stretch touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// By number from 0; at least one.
    pub words: Range<usize>,
    /// Whether the stretch begins or ends within one of them.
    pub is_wider: bool,
}

impl Cover {
    /// The words, given in order as stretches of bytes of the text, that a stretch of bytes has part of; nothing if there are none.
    /// O(log words).
    ///
    /// ```
    /// use alinea::labels::Cover;
    ///
    /// let words = [0..4, 4..6, 7..12];
    /// assert_eq!(Cover::of(&words, &(0..5)), Some(Cover { words: 0..2, is_wider: true }));
    /// assert_eq!(Cover::of(&words, &(6..12)), Some(Cover { words: 2..3, is_wider: false }));
    /// assert_eq!(Cover::of(&words, &(6..7)), None);
    /// ```
    pub fn of(words: &[Range<usize>], bytes: &Range<usize>) -> Option<Self> {
        let first = words.partition_point(|word| word.end <= bytes.start);
        let last = words.partition_point(|word| word.start < bytes.end);
        let touched = words.get(first..last).filter(|touched| !touched.is_empty())?;
        let is_wider = touched[0].start < bytes.start || bytes.end < touched[touched.len() - 1].end;
        Some(Self { words: first..last, is_wider })
    }

    /// The bytes from the first of some words to the last.
    ///
    /// # Panics
    /// If there are no such words.
    pub fn bytes(words: &[Range<usize>], numbers: &Range<usize>) -> Range<usize> {
        words[numbers.start].start..words[numbers.end - 1].end
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_words_are_those_that_share_a_byte(
            parts in prop::collection::vec((0..3_usize, 1..4_usize), 0..6), start in 0..20_usize, length in 1..8_usize,
        ) {
            let mut at = 0;
            let words: Vec<Range<usize>> = parts.into_iter().map(|(gap, length)| {
                let word = at + gap..at + gap + length;
                at = word.end;
                word
            }).collect();
            let bytes = start..start + length;
            let touched: Vec<usize> =
                (0..words.len()).filter(|&n| bytes.clone().any(|byte| words[n].contains(&byte))).collect();
            let found = Cover::of(&words, &bytes);
            prop_assert_eq!(found.clone().map_or(Vec::new(), |cover| cover.words.collect()), touched);
            if let Some(Cover { words: numbers, is_wider }) = found {
                let covered = Cover::bytes(&words, &numbers);
                prop_assert_eq!(is_wider, covered.start < bytes.start || bytes.end < covered.end);
                prop_assert_eq!(Cover::of(&words, &covered), Some(Cover { words: numbers, is_wider: false }));
            }
        }
    }
}
