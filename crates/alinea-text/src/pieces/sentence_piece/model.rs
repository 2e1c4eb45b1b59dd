//! The file of a model: a message `ModelProto` in the encoding of Protocol Buffers.
//!
//! ```text
//! ModelProto       1 pieces (repeated)   2 trainer_spec   3 normalizer_spec
//! piece            1 text   2 score   3 type
//! trainer_spec     3 model_type   24 treat_whitespace_as_suffix   35 byte_fallback
//! normalizer_spec  2 precompiled_charsmap   3 add_dummy_prefix   4 remove_extra_whitespaces   5 escape_whitespaces
//! ```
//!
//! Fields that are absent have the defaults that the format documents; unknown ones are skipped.

use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

/// How a model finds pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Unigram,
    Bpe,
}

/// What a piece is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Normal,
    /// A word that users want whole.
    UserDefined,
    /// It may be merged from others, but not be left.
    Unused,
    /// Unknown, control characters, bytes: never in text.
    Other,
}

#[derive(Debug)]
pub(super) struct ModelPiece {
    pub(super) text: String,
    pub(super) score: f32,
    pub(super) role: Role,
}

/// Everything that decides the pieces of a text.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the settings of the format, each by itself")]
pub(super) struct Model {
    pub(super) kind: Kind,
    pub(super) pieces: Vec<ModelPiece>,
    /// Of normal pieces.
    pub(super) lowest_score: f32,
    pub(super) highest_score: f32,
    /// Whether characters without a piece become bytes.
    pub(super) byte_fallback: bool,
    pub(super) blank_as_suffix: bool,
    pub(super) characters_map: Vec<u8>,
    pub(super) add_blank: bool,
    pub(super) remove_extra_blanks: bool,
    pub(super) escape_blanks: bool,
}

impl Model {
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Self> {
        let wrong = |expected: &str, found: String| -> Error {
            ErrorKind::Model { path: path.display().to_string(), expected: expected.to_owned(), found }.into()
        };
        let malformed = || wrong("a model of SentencePiece", "other data, or a truncated file".to_owned());
        let mut model = Self {
            kind: Kind::Unigram,
            pieces: Vec::new(),
            lowest_score: f32::MAX,
            highest_score: f32::MIN,
            byte_fallback: false,
            blank_as_suffix: false,
            characters_map: Vec::new(),
            add_blank: true,
            remove_extra_blanks: true,
            escape_blanks: true,
        };
        let mut kind = 1;
        for field in Fields(bytes) {
            match field.ok_or_else(malformed)? {
                (1, Value::Bytes(piece)) => model.pieces.push(read_piece(piece).ok_or_else(malformed)?),
                (2, Value::Bytes(training)) => kind = model.read_training(training).ok_or_else(malformed)?,
                (3, Value::Bytes(normalizer)) => model.read_normalizer(normalizer).ok_or_else(malformed)?,
                _ => {}
            }
        }
        for piece in model.pieces.iter().filter(|piece| piece.role == Role::Normal) {
            model.lowest_score = model.lowest_score.min(piece.score);
            model.highest_score = model.highest_score.max(piece.score);
        }
        model.kind = match kind {
            1 => Kind::Unigram,
            2 => Kind::Bpe,
            3 => return Err(wrong("a model of the kind unigram or BPE", "one of words".to_owned())),
            _ => return Err(wrong("a model of the kind unigram or BPE", "one of characters".to_owned())),
        };
        if model.text_pieces().next().is_none() {
            return Err(wrong("a model of SentencePiece", "no pieces".to_owned()));
        }
        Ok(model)
    }

    /// Pieces that text can have, with their numbers; each text once.
    pub(super) fn text_pieces(&self) -> impl Iterator<Item = (&str, u32)> {
        (0..)
            .zip(&self.pieces)
            .filter(|(_, piece)| piece.role != Role::Other && !piece.text.is_empty())
            .map(|(number, piece)| (piece.text.as_str(), number))
    }

    fn read_training(&mut self, bytes: &[u8]) -> Option<u64> {
        let mut kind = 1;
        for field in Fields(bytes) {
            match field? {
                (3, Value::Number(number)) => kind = number,
                (24, Value::Number(number)) => self.blank_as_suffix = number != 0,
                (35, Value::Number(number)) => self.byte_fallback = number != 0,
                _ => {}
            }
        }
        Some(kind)
    }

    fn read_normalizer(&mut self, bytes: &[u8]) -> Option<()> {
        for field in Fields(bytes) {
            match field? {
                (2, Value::Bytes(map)) => self.characters_map = map.to_vec(),
                (3, Value::Number(number)) => self.add_blank = number != 0,
                (4, Value::Number(number)) => self.remove_extra_blanks = number != 0,
                (5, Value::Number(number)) => self.escape_blanks = number != 0,
                _ => {}
            }
        }
        Some(())
    }
}

fn read_piece(bytes: &[u8]) -> Option<ModelPiece> {
    let mut piece = ModelPiece { text: String::new(), score: 0.0, role: Role::Normal };
    for field in Fields(bytes) {
        match field? {
            (1, Value::Bytes(text)) => std::str::from_utf8(text).ok()?.clone_into(&mut piece.text),
            (2, Value::Fixed(bits)) => piece.score = f32::from_bits(bits),
            (3, Value::Number(role)) => {
                piece.role = match role {
                    1 => Role::Normal,
                    4 => Role::UserDefined,
                    5 => Role::Unused,
                    _ => Role::Other,
                }
            }
            _ => {}
        }
    }
    piece.score.is_finite().then_some(piece)
}

#[derive(Debug, Clone, Copy)]
enum Value<'b> {
    Number(u64),
    Fixed(u32),
    Bytes(&'b [u8]),
    Skipped,
}

/// The fields of a message: number and value; `None` where the encoding is broken, once.
struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn field(&mut self) -> Option<(u64, Value<'b>)> {
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => self.take(8).map(|_| Value::Skipped)?,
            2 => {
                let length = usize::try_from(self.number()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Fixed(u32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Option<(u64, Value<'b>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}
