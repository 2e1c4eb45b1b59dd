//! The kind *unigram*: the most probable segmentation (Kudo 2018, section 3.2).
//!
//! A character that is no piece has the lowest score of all pieces, less 10. A piece that users want whole has a score
//! that no other pieces reach together. Sums are kept in single precision, as SentencePiece keeps them.

use super::model::{Model, Role};
use super::piece::Piece;
use crate::pieces::{Trie, most_probable};

/// How much less a character costs that is no piece than the least likely piece.
const UNKNOWN_PENALTY: f32 = 10.0;

pub(super) fn pieces(model: &Model, trie: &Trie, text: &str) -> Vec<Piece> {
    let score = |number: u32, length: usize| {
        let piece = &model.pieces[number as usize];
        match piece.role {
            Role::Unused | Role::Other => None,
            Role::UserDefined => Some(length as f32 * model.highest_score - 0.1),
            Role::Normal => Some(piece.score),
        }
    };
    let found = most_probable(trie, text, score, model.lowest_score - UNKNOWN_PENALTY);
    found.into_iter().map(|(range, number)| Piece { end: range.end, number }).collect()
}
