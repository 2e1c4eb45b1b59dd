//! The most probable segmentation by a unigram model (Kudo 2018, section 3.2), by Viterbi's algorithm.
//!
//! A character that is no piece has the lowest score of all pieces, less 10. A piece that users want whole has a score
//! that no other pieces reach together. Sums are kept in single precision, as SentencePiece keeps them, so that nearly
//! equal segmentations are decided alike; of equal ones the one found first stays, whose last piece begins first.

use super::Piece;
use super::model::{Model, Role};
use crate::pieces::Trie;

/// How much less a character costs that is no piece than the least likely piece.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The best segmentation up to a place.
#[derive(Debug, Clone, Copy)]
struct Best {
    score: f32,
    start: usize,
    number: Option<u32>,
}

pub(super) fn pieces(model: &Model, trie: &Trie, text: &str) -> Vec<Piece> {
    let unknown = model.lowest_score - UNKNOWN_PENALTY;
    let mut best: Vec<Option<Best>> = vec![None; text.len() + 1];
    for (start, character) in text.char_indices() {
        let so_far = best[start].map_or(0.0, |best| best.score);
        let mut single = false;
        for (length, number) in trie.prefixes(&text.as_bytes()[start..]) {
            let piece = &model.pieces[number as usize];
            let score = match piece.role {
                Role::Unused | Role::Other => continue,
                Role::UserDefined => length as f32 * model.highest_score - 0.1,
                Role::Normal => piece.score,
            };
            let candidate = score + so_far;
            let end = start + length;
            if best[end].is_none_or(|best| candidate > best.score) {
                best[end] = Some(Best { score: candidate, start, number: Some(number) });
            }
            single |= length == character.len_utf8();
        }
        let end = start + character.len_utf8();
        if !single && best[end].is_none_or(|best| unknown + so_far > best.score) {
            best[end] = Some(Best { score: unknown + so_far, start, number: None });
        }
    }
    let mut pieces = Vec::new();
    let mut end = text.len();
    while let Some(Best { start, number, .. }) = best[end] {
        pieces.push(Piece { end, number });
        end = start;
    }
    pieces.reverse();
    pieces
}
