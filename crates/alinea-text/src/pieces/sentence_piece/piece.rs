//! A piece of a line, and the mark of blanks.

/// What SentencePiece writes for a blank.
pub(super) const BLANK: &str = "\u{2581}";

/// A piece of a normalized line: where it ends, and its number in the model if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) end: usize,
    pub(super) number: Option<u32>,
}
