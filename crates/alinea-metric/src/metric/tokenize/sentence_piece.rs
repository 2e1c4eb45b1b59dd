//! `flores101`, `flores200`, `spBLEU-1K`: subwords, as SentencePiece finds them by a model (Kudo and Richardson 2018).
//!
//! Pieces are equal to those of the Python package `sentencepiece` (`alinea_text::pieces`); which model it is decides what
//! the score means, so users name it, and give the file that sacreBLEU downloads:
//!
//! | name | file |
//! |---|---|
//! | `spm`, `flores101` | <https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model> |
//! | `flores200` | <https://tinyurl.com/flores200sacrebleuspm> |
//! | `spBLEU-1K` | <https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model> |

use std::path::Path;

use super::{Tokenizer, Tokens, is_blank};
use crate::error::Result;
use crate::format::source;
use crate::pieces::SentencePieceModel;

/// A tokenizer by a model of SentencePiece.
#[derive(Debug)]
pub struct SentencePiece {
    name: String,
    model: SentencePieceModel,
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
        Ok(Self { name: name.to_owned(), model: SentencePieceModel::from_bytes(bytes, path)? })
    }
}

impl Tokenizer for SentencePiece {
    fn name(&self) -> &str {
        &self.name
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.clear();
        self.model.for_each_piece(line, |piece| {
            if piece.contains(is_blank) {
                tokens.push_split(piece);
            } else {
                tokens.push(piece);
            }
        });
        Ok(())
    }
}
