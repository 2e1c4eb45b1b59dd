//! What is known while a record is written.

use std::ops::Range;

use super::{Placed, Translation};
use crate::format::offsets::OffsetTable;
use crate::labels::Cover;

/// A translation, and how places in it are counted.
pub(super) struct Writer<'w, 'a> {
    pub(super) translation: &'w Translation<'a>,
    pub(super) table: OffsetTable<'a>,
}

impl Writer<'_, '_> {
    /// The bytes of a label.
    pub(super) fn bytes(&self, placed: &Placed) -> Range<usize> {
        Cover::bytes(self.translation.words, &placed.words)
    }
}
