//! Pieces of a SentencePiece model as words, for links that count what a model of translation sees.
//!
//! They are the pieces that `spm_encode --model MODEL` writes, `▁` and all, and as many. Each stands for a stretch of the line,
//! without the blank that `▁` is for: where characters were replaced before pieces were sought (half-width Katakana, say), for
//! all that its characters were made of. A piece for which nothing is left, such as a `▁` alone or the second byte of a
//! character, has an empty stretch.
//!
//! A saved model of alinea has the SentencePiece model in it, so that it aligns other text as it was trained.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::is_blank;
use crate::error::Result;
use crate::format::source;
use crate::pieces::SentencePieceModel;

/// A SentencePiece model to cut words by. Copies are the same model, which stays in memory until the process ends; one that is
/// read again is not kept twice.
#[derive(Clone, Copy)]
pub struct SubwordModel(&'static SentencePieceModel);

/// All models that were read.
static MODELS: Mutex<Vec<&'static SentencePieceModel>> = Mutex::new(Vec::new());

impl SubwordModel {
    /// Reads a model.
    ///
    /// # Errors
    /// `Io` if the file cannot be read, `Model` if it is none of SentencePiece, or one of words or characters.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::from_bytes(&source::open(path)?.read_all()?, path)
    }

    /// The same from the content of a file; `path` is for messages.
    ///
    /// # Errors
    /// `Model` as above.
    pub fn from_bytes(bytes: &[u8], path: impl AsRef<Path>) -> Result<Self> {
        let mut models = MODELS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = models.iter().find(|known| known.bytes() == bytes) {
            return Ok(Self(known));
        }
        let model: &'static SentencePieceModel = Box::leak(Box::new(SentencePieceModel::from_bytes(bytes, path)?));
        models.push(model);
        Ok(Self(model))
    }

    /// The content of its file.
    pub fn bytes(self) -> &'static [u8] {
        self.0.bytes()
    }

    /// Calls `visit` with each piece, and the place of the line that it stands for. O(bytes times the length of the longest
    /// piece).
    pub(super) fn for_each(self, line: &str, mut visit: impl FnMut(&str, Range<usize>)) {
        self.0.for_each(line, |piece, place| {
            if !piece.bytes().any(is_blank) {
                return visit(piece, place);
            }
            // Words have no blanks; a piece that has some is as many words.
            let mut words = piece.split([' ', '\t']).filter(|word| !word.is_empty());
            if let Some(first) = words.next() {
                visit(first, place.clone());
            }
            words.for_each(|word| visit(word, place.end..place.end));
        });
    }

    /// A number of pieces that a line does not exceed.
    pub(super) fn most_pieces(self, line: &str) -> usize {
        self.0.normalized_len(line)
    }
}

/// Whether they are the same: models of the same content are.
impl PartialEq for SubwordModel {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for SubwordModel {}

impl fmt::Debug for SubwordModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SubwordModel({} bytes)", self.bytes().len())
    }
}
