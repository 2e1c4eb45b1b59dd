//! `flores101`, `flores200`, `spBLEU-1K`: subwords, as SentencePiece finds them by a model (Kudo and Richardson 2018).
//!
//! A line is normalized, blanks become `▁`, and pieces of the model's vocabulary are put together again: by the most
//! probable segmentation (models of the kind *unigram*, Kudo 2018), or by the merges of byte pair encoding (*BPE*, Sennrich,
//! Haddow and Birch 2016). Pieces are equal to those of the Python package `sentencepiece`; which model it is decides what
//! the score means, so users name it, and give the file that sacreBLEU downloads:
//!
//! | name | file |
//! |---|---|
//! | `spm`, `flores101` | <https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model> |
//! | `flores200` | <https://tinyurl.com/flores200sacrebleuspm> |
//! | `spBLEU-1K` | <https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model> |
//!
//! **Rooms.** `model` the file; `normalizer`; `unigram` and `bpe` the two searches. Pieces by their beginnings, the table of
//! replaced characters and the most probable segmentation are `alinea_text::pieces`.

mod bpe;
mod model;
mod normalizer;
mod unigram;

use std::path::Path;

use self::model::{Kind, Model};
use self::normalizer::Normalizer;
use super::{Tokenizer, Tokens, is_blank};
use crate::error::Result;
use crate::format::source;
use crate::pieces::Trie;

/// What SentencePiece writes for a blank.
const BLANK: &str = "\u{2581}";

/// A tokenizer by a model of SentencePiece.
#[derive(Debug)]
pub struct SentencePiece {
    name: String,
    model: Model,
    /// All pieces that text can have, but single bytes.
    pieces: Trie,
    normalizer: Normalizer,
}

/// A piece of a normalized line: where it ends, and its number in the model if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    end: usize,
    number: Option<u32>,
}

impl SentencePiece {
    /// Reads a model, which signatures call by `name`.
    ///
    /// # Errors
    /// `Io` if the file cannot be read, `Model` if it is none of SentencePiece, or one of words or characters.
    pub fn open(path: impl AsRef<Path>, name: &str) -> Result<Self> {
        let path = path.as_ref();
        Self::from_bytes(&source::open(path)?.read_all()?, path, name)
    }

    /// The same from the content of a file; `path` is for messages.
    ///
    /// # Errors
    /// `Model` as above.
    pub fn from_bytes(bytes: &[u8], path: impl AsRef<Path>, name: &str) -> Result<Self> {
        let model = Model::parse(bytes, path.as_ref())?;
        let pieces = Trie::new(model.text_pieces());
        let normalizer = Normalizer::new(&model, path.as_ref())?;
        Ok(Self { name: name.to_owned(), model, pieces, normalizer })
    }

    /// The pieces of a line, with neighbors joined that the model does not have.
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

impl Tokenizer for SentencePiece {
    fn name(&self) -> &str {
        &self.name
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        let text = self.normalizer.normalize(line);
        tokens.clear();
        let mut start = 0;
        for Piece { end, number } in self.pieces(&text) {
            let piece = &text[start..end];
            start = end;
            if number.is_none() && self.model.byte_fallback {
                for byte in piece.bytes() {
                    tokens.push(&format!("<0x{byte:02X}>"));
                }
            } else if piece.contains(is_blank) {
                tokens.push_split(piece);
            } else {
                tokens.push(piece);
            }
        }
        Ok(())
    }
}
