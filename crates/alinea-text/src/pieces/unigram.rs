//! The most probable segmentation by a unigram model (Kudo 2018, section 3.2), by Viterbi's algorithm.
//!
//! Scores are logarithms of probabilities. Sums have the precision of the scores, so that nearly equal segmentations are
//! decided as by the program whose pieces are wanted: SentencePiece adds in single precision, `tokenizers` in double. Of equal
//! segmentations the one found first stays, whose last piece begins first.

use std::ops::{Add, Range};

use super::Trie;

/// The best segmentation up to a place.
#[derive(Debug, Clone, Copy)]
struct Best<S> {
    score: S,
    start: usize,
    piece: Option<u32>,
}

/// The most probable segmentation of a text: the bytes of each piece, and its number. `score` says what a piece counts, given its
/// number and its length in bytes; nothing if text cannot have it. A character that cannot be a piece counts `unknown`, and has no
/// number.
pub fn most_probable<S: Copy + PartialOrd + Default + Add<Output = S>>(
    trie: &Trie,
    text: &str,
    score: impl Fn(u32, usize) -> Option<S>,
    unknown: S,
) -> Vec<(Range<usize>, Option<u32>)> {
    let mut best: Vec<Option<Best<S>>> = vec![None; text.len() + 1];
    for (start, character) in text.char_indices() {
        let so_far = best[start].map_or_else(S::default, |best| best.score);
        let mut consider = |length: usize, piece: Option<u32>, score: S| {
            let (score, end) = (score + so_far, start + length);
            if best[end].is_none_or(|best| score > best.score) {
                best[end] = Some(Best { score, start, piece });
            }
        };
        let mut is_piece = false;
        for (length, number) in trie.prefixes(&text.as_bytes()[start..]) {
            if let Some(score) = score(number, length) {
                consider(length, Some(number), score);
                is_piece |= length == character.len_utf8();
            }
        }
        if !is_piece {
            consider(character.len_utf8(), None, unknown);
        }
    }
    let mut pieces = Vec::new();
    let mut end = text.len();
    while let Some(Best { start, piece, .. }) = best[end] {
        pieces.push((start..end, piece));
        end = start;
    }
    pieces.reverse();
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sums_have_the_precision_of_the_scores() {
        let trie = Trie::new([("a", 0), ("b", 1), ("ab", 2)].into_iter());
        let numbers = |pieces: Vec<(Range<usize>, Option<u32>)>| pieces.into_iter().map(|piece| piece.1);
        // In single precision there is no 2^24 + 3: it becomes 2^24 + 4, and so both segmentations are equal.
        let scores: [f64; 3] = [-16_777_218.0, -1.0, -16_777_220.0];
        let double = most_probable(&trie, "ab", |number, _| Some(scores[number as usize]), -1e9);
        assert!(numbers(double).eq([Some(0), Some(1)]));
        let single = most_probable(&trie, "ab", |number, _| Some(scores[number as usize] as f32), -1e9);
        assert!(numbers(single).eq([Some(2)]));
    }

    proptest! {
        /// Against all segmentations. Pieces with the lowest scores are such that text cannot have.
        #[test]
        fn no_segmentation_is_more_probable(
            text in "[abé]{0,7}",
            pieces in proptest::collection::btree_map("[abé]{1,3}", -20..0, 0..9),
        ) {
            let unknown = -30;
            let usable = |part: &str| pieces.get(part).copied().filter(|&score| score > -16);
            let sum = |parts: &[&str]| {
                let score = |part: &&str| usable(part).or((part.chars().count() == 1).then_some(unknown));
                parts.iter().map(score).sum::<Option<i32>>()
            };
            let texts: Vec<&str> = pieces.keys().map(String::as_str).collect();
            let trie = Trie::new(texts.iter().copied().zip(0..));
            let found = most_probable(&trie, &text, |number, _| usable(texts[number as usize]), unknown);
            let parts: Vec<&str> = found.iter().map(|(range, _)| &text[range.clone()]).collect();
            prop_assert_eq!(parts.concat(), text.as_str());
            for (part, (range, number)) in parts.iter().zip(&found) {
                prop_assert_eq!(range.len(), part.len());
                prop_assert_eq!(number.map(|number| texts[number as usize]), usable(part).map(|_| *part));
            }
            let cuts: Vec<usize> = text.char_indices().map(|(place, _)| place).skip(1).collect();
            let all = (0..1u32 << cuts.len()).filter_map(|chosen| {
                let (mut parts, mut start) = (Vec::new(), 0);
                let chosen = cuts.iter().enumerate().filter(|&(n, _)| chosen >> n & 1 == 1).map(|(_, &cut)| cut);
                for end in chosen.chain((!text.is_empty()).then_some(text.len())) {
                    parts.push(&text[start..end]);
                    start = end;
                }
                sum(&parts)
            });
            prop_assert_eq!(sum(&parts), all.max());
        }
    }
}
