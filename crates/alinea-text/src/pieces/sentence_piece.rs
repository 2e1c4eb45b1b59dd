//! A model of SentencePiece (Kudo and Richardson 2018): its file, and the pieces it makes of a line.
//!
//! A line is normalized, blanks become `▁`, and pieces of the model's vocabulary are put together again: by the most
//! probable segmentation (models of the kind *unigram*, Kudo 2018), or by the merges of byte pair encoding (*BPE*, Sennrich,
//! Haddow and Birch 2016). Pieces are equal to those of the Python package `sentencepiece`.
//!
//! **Rooms.** `model` the file; `normalizer`; `unigram` and `bpe` the two searches.

mod bpe;
mod model;
mod normalizer;
mod piece;
mod unigram;

use std::ops::Range;
use std::path::Path;

use self::model::{Kind, Model};
use self::normalizer::Normalizer;
use self::piece::{BLANK, Piece};
use super::Trie;
use crate::error::Result;

/// A model of SentencePiece.
#[derive(Debug)]
pub struct SentencePieceModel {
    bytes: Vec<u8>,
    model: Model,
    /// All pieces that text can have, but single bytes.
    pieces: Trie,
    normalizer: Normalizer,
}

impl SentencePieceModel {
    /// A model from the content of its file; `path` is for messages.
    ///
    /// # Errors
    /// `Model` if it is none of SentencePiece, or one of words or characters.
    pub fn from_bytes(bytes: &[u8], path: impl AsRef<Path>) -> Result<Self> {
        let model = Model::parse(bytes, path.as_ref())?;
        let pieces = Trie::new(model.text_pieces());
        let normalizer = Normalizer::new(&model, path.as_ref())?;
        Ok(Self { bytes: bytes.to_vec(), model, pieces, normalizer })
    }

    /// The content of its file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Calls `visit` with each piece of a line, as SentencePiece writes it: characters that the model does not have are one
    /// piece, or, if it has bytes, as many as they have bytes (`<0xE2>`).
    pub fn for_each_piece(&self, line: &str, mut visit: impl FnMut(&str)) {
        let text = self.normalizer.normalize(line, |_, _| {});
        self.for_each_normalized(&text, |piece, _| visit(piece));
    }

    /// The same with the bytes of the line that each piece stands for, in order and without overlaps, and without the blanks
    /// that `▁` is for. A piece for which nothing is left has an empty stretch. Where several pieces stand for one character,
    /// the last one has it, as in SentencePiece.
    pub fn for_each(&self, line: &str, mut visit: impl FnMut(&str, Range<usize>)) {
        let mut origins: Vec<(usize, usize)> = Vec::new();
        let text = self.normalizer.normalize(line, |length, from| origins.push((length, from)));
        let mut next = 0;
        let mut origin = |place: usize| {
            while origins.get(next + 1).is_some_and(|origin| origin.0 <= place) {
                next += 1;
            }
            origins.get(next).map_or(0, |origin| origin.1)
        };
        self.for_each_normalized(&text, |piece, Range { start, end }| {
            let bare = text[start..end].trim_start_matches(BLANK);
            let start = origin(end - bare.len());
            let end = origin(end - (bare.len() - bare.trim_end_matches(BLANK).len()));
            visit(piece, start..end);
        });
    }

    /// How many bytes a line has before it is divided.
    pub fn normalized_len(&self, line: &str) -> usize {
        self.normalizer.normalize(line, |_, _| {}).len()
    }

    /// Calls `visit` with the pieces of a normalized line, and where in it they stand.
    fn for_each_normalized(&self, text: &str, mut visit: impl FnMut(&str, Range<usize>)) {
        let mut start = 0;
        for Piece { end, number } in self.pieces(text) {
            let piece = &text[start..end];
            if number.is_none() && self.model.byte_fallback {
                // The last byte stands for the character.
                for (before, byte) in piece.bytes().enumerate() {
                    let end = if before + 1 < piece.len() { start } else { end };
                    visit(&format!("<0x{byte:02X}>"), start..end);
                }
            } else {
                visit(piece, start..end);
            }
            start = end;
        }
    }

    /// The pieces of a normalized line, with neighbors joined that the model does not have.
    fn pieces(&self, text: &str) -> Vec<Piece> {
        let found = match self.model.kind {
            Kind::Unigram => unigram::pieces(&self.model, &self.pieces, text),
            Kind::Bpe => bpe::pieces(&self.model, &self.pieces, text),
        };
        let mut joined: Vec<Piece> = Vec::with_capacity(found.len());
        for piece in found {
            match joined.last_mut() {
                Some(last) if piece.number.is_none() && last.number.is_none() && !self.model.byte_fallback => {
                    last.end = piece.end;
                }
                _ => joined.push(piece),
            }
        }
        joined
    }
}
