//! How text is read: what separates words, what becomes of case, of bytes that are not UTF-8 and of long lines, and which
//! lines are kept.

use crate::error::{Error, Result};
use crate::format::blanks::Blanks;
use crate::format::lines::{LineReader, Utf8};
use crate::format::pairs::cut::Cut;
use crate::format::source::Input;
use crate::format::tokens::Tokenize;

/// How text is read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Whether words are compared in lower case.
    pub lowercase: bool,
    /// What happens to bytes that are not UTF-8.
    pub utf8: Utf8,
    /// How lines are cut into words.
    pub tokenize: Tokenize,
    /// Which blanks words are cut at, before anything else.
    pub blanks: Blanks,
    /// The most words a line may have. The default, 2000, is far above any sentence and keeps a file without line
    /// breaks from asking for all memory.
    pub max_length: usize,
    /// Whether a pair with a longer line becomes empty instead of being an error.
    pub skip_long: bool,
    /// Whether the lines are kept as they were.
    pub keep_text: bool,
}

crate::configurable!(ReadOptions);

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            lowercase: true,
            utf8: Utf8::Strict,
            tokenize: Tokenize::None,
            blanks: Blanks::Ascii,
            max_length: 2000,
            skip_long: false,
            keep_text: false,
        }
    }
}

impl ReadOptions {
    /// Checks the values.
    ///
    /// # Errors
    /// `Config` if `max_length` is 0.
    pub fn validate(&self) -> Result<()> {
        if self.max_length == 0 {
            return Err(Error::config("max_length", self.max_length, "1 or more"));
        }
        Ok(())
    }

    /// Reads the lines of an input so. Where they are cut in two, blanks inside of words are not looked for yet.
    pub(super) fn lines(&self, input: Input, cut: Option<Cut>) -> LineReader<Input> {
        let lines = LineReader::from_input(input, self.utf8);
        match (cut, self.blanks) {
            (None, blanks) | (Some(Cut::Joint), blanks @ Blanks::Unicode) => lines.of_sentences(blanks),
            (Some(Cut::Joint), Blanks::Ascii) => lines.of_sentence_pairs(),
            (Some(Cut::Columns(..)), Blanks::Ascii) => lines,
            (Some(Cut::Columns(..)), Blanks::Unicode) => lines.of_words(Blanks::Unicode),
        }
    }
}
