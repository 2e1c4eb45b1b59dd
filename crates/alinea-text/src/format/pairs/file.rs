//! What every format of sentence pairs gives: the next pair, where it stands, and what was met.

use crate::error::{Position, Result};

/// The lines of a pair: source and target.
pub(super) type Lines = [String; 2];

/// What was met in a file of sentence pairs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PairReport {
    /// Pairs that were read.
    pub pairs: u64,
    /// Units that have no text in one of the languages, and were skipped.
    pub untranslated: u64,
    /// Units that have neither language, and were skipped.
    pub other_languages: u64,
    /// Lines in which U+FFFD stands for something that was not UTF-8.
    pub replaced_utf8: u64,
    /// The languages of the first pair, as the file spells them, in formats that tell.
    pub languages: Option<[String; 2]>,
}

/// A file in one of the formats.
pub(super) trait PairFile {
    /// Puts the next pair into `pair`; says whether there was one.
    fn read(&mut self, pair: &mut Lines) -> Result<bool>;

    /// Where the pair that was read last begins; the column is 0 where it is not known.
    fn position(&self) -> Position;

    /// What was met so far; the number of pairs is counted by the caller.
    fn report(&self) -> PairReport;

    /// (Decompressed) bytes read so far.
    fn bytes(&self) -> u64;
}
