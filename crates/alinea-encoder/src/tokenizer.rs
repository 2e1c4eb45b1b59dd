//! From the text of a word to pieces of a vocabulary, by the file `tokenizer.json` of Hugging Face's library
//! `tokenizers`.
//!
//! Two kinds are read; the error names any other.
//!
//! * `Unigram`, of XLM-RoBERTa and the models made from it: characters are replaced by a table (`Precompiled`), blanks
//!   become `▁`, one is put in front (`Metaspace`), and the most probable segmentation is found by Viterbi's algorithm
//!   (Kudo 2018, section 3.2). A run of characters that no piece has is one unknown piece.
//! * `WordPiece`, of BERT: text is cleaned, lowercased and stripped of accents as the file says (`BertNormalizer`), cut
//!   at white space and around punctuation (`BertPreTokenizer`), and each part is divided from the left into the
//!   longest pieces (Wu et al. 2016); a part that cannot be is one unknown piece.
//!
//! The pieces are those of `tokenizers`, with one difference: what looks like a special piece, such as `<s>`, is
//! ordinary text.
//!
//! **Places.** Each piece says which bytes of the original text it stands for: from the first to the last of what its
//! characters were made of. Where several characters become one (`e` and an accent), or one becomes several (`ﬁ`), each
//! of the new ones stands for all of the old ones. The `▁` in front stands for an empty range.
//!
//! **Rooms.** `file` the JSON; `base64`; `normalized` text with the places its characters are from; `unigram`;
//! `word_piece`, with the categories of `characters`.

mod base64;
mod characters;
mod file;
mod normalized;
#[cfg(test)]
mod tests;
mod unigram;
mod word_piece;

use std::path::Path;

use alinea_text::limits::ENCODER_TOKENIZER;
use twox_hash::XxHash3_64;

use self::file::{File, Unusable, Vocabulary};
use self::unigram::Unigram;
use self::word_piece::WordPiece;
use crate::error::{ErrorKind, Result};
use crate::folder::read_within;

/// A vocabulary, and how text is divided into its pieces.
#[derive(Debug)]
pub(crate) struct Tokenizer {
    kind: Kind,
    begin: u32,
    end: u32,
    unknown: u32,
    vocabulary: usize,
    identity: u64,
}

#[derive(Debug)]
enum Kind {
    Unigram(Unigram),
    WordPiece(WordPiece),
}

/// A piece of a text: its number in the vocabulary, and the bytes of the text it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) id: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// `Io` if the file cannot be read, `OverLimit` if it is too large, `Model` if it is none, or one of another kind.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let bytes = read_within(path, ENCODER_TOKENIZER)?;
        Self::from_bytes(&bytes).map_err(|Unusable { expected, found }| {
            ErrorKind::Model { path: path.display().to_string(), expected: expected.to_owned(), found }.into()
        })
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Unusable> {
        let file = File::parse(bytes)?;
        let (unknown, vocabulary) = file.vocabulary()?;
        let [begin, end] = file.ends()?;
        let mut special = file.special();
        special.extend([begin, end, unknown]);
        special.sort_unstable();
        let ordinary = |id: u32| special.binary_search(&id).is_err();
        let (kind, greatest) = match vocabulary {
            Vocabulary::Scores(pieces) => {
                let unigram = Unigram::new(&file, pieces, unknown, ordinary)?;
                (Kind::Unigram(unigram), pieces.len().saturating_sub(1) as u32)
            }
            Vocabulary::Numbers(pieces) => {
                let word_piece = WordPiece::new(&file, pieces, unknown, ordinary)?;
                (Kind::WordPiece(word_piece), pieces.iter().map(|piece| piece.1).max().unwrap_or(0))
            }
        };
        Ok(Self {
            kind,
            begin,
            end,
            unknown,
            vocabulary: greatest.max(begin).max(end) as usize + 1,
            identity: XxHash3_64::oneshot(bytes),
        })
    }

    /// Appends the pieces of a text that has no blanks inside, as if it stood alone in a line. They are never special
    /// pieces but the unknown one, whatever the text is.
    pub(crate) fn pieces(&self, text: &str, pieces: &mut Vec<Piece>) {
        match &self.kind {
            Kind::Unigram(unigram) => unigram.pieces(text, pieces),
            Kind::WordPiece(word_piece) => word_piece.pieces(text, pieces),
        }
    }

    /// The piece in front of a sentence, `<s>` or `[CLS]`.
    pub(crate) fn begin(&self) -> u32 {
        self.begin
    }

    /// The piece behind a sentence, `</s>` or `[SEP]`.
    pub(crate) fn end(&self) -> u32 {
        self.end
    }

    /// The piece of what has no other.
    pub(crate) fn unknown(&self) -> u32 {
        self.unknown
    }

    /// The piece `▁` alone, if there is one.
    pub(crate) fn blank(&self) -> Option<u32> {
        match &self.kind {
            Kind::Unigram(unigram) => unigram.blank(),
            Kind::WordPiece(_) => None,
        }
    }

    /// The greatest number of a piece, and one more.
    pub(crate) fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// Tells this tokenizer from others.
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }
}
