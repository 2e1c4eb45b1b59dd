//! Text of one language, a sentence a line, read by the rules for a side of parallel text.
//!
//! [`read_text`] interns the words and counts in a [`TextReport`] what it met: empty lines, lines made empty for their
//! length, lines not in UTF-8, glued punctuation, and white space other than blanks and tabs. Sentence n is line n,
//! empty or not. The lines themselves are not kept.

use super::{ReadOptions, read_side};
use crate::bitext::Text;
use crate::error::Result;
use crate::format::blanks::ForeignBlanks;
use crate::format::source::Input;
use crate::format::tokens::GluedPunctuation;

/// Text of one language, and what was met on the way.
#[derive(Debug)]
pub struct ReadText {
    /// The text as numbers.
    pub text: Text,
    /// What was met.
    pub report: TextReport,
}

/// What was met while text of one language was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextReport {
    /// Lines, all of them.
    pub lines: u64,
    /// Lines without words; those counted by `skipped_long` are not among them.
    pub empty: u64,
    /// The lines, numbered from 0 and in order, that were made empty because they were too long.
    pub skipped_long: Vec<usize>,
    /// Lines in which U+FFFD stands for something that was not UTF-8.
    pub replaced_utf8: u64,
    /// Words with punctuation glued to them, in the first lines.
    pub glued: GluedPunctuation,
    /// White space other than blanks and tabs inside of words, unless words are cut there.
    pub foreign_blanks: Option<ForeignBlanks>,
    /// (Decompressed) bytes read.
    pub bytes: u64,
}

/// Reads text of one language, a sentence a line, as a side of parallel text is read. Lines are not kept.
///
/// ```
/// use alinea::format::bitext::{ReadOptions, read_text};
/// use alinea::format::source::Input;
///
/// let read = read_text(Input::from_bytes("text.en", "The house\n\nthe flower\n"), &ReadOptions::default())?;
/// assert_eq!((read.report.lines, read.report.empty, read.text.vocabulary().len()), (3, 1, 3));
/// # Ok::<(), alinea::error::Error>(())
/// ```
///
/// # Errors
/// `Io`; `InvalidUtf8`; `TooLong` unless such lines are skipped; `Config` if the greatest length is 0.
pub fn read_text(input: Input, options: &ReadOptions) -> Result<ReadText> {
    options.validate()?;
    let options = ReadOptions { keep_text: false, ..options.clone() };
    let mut side = read_side(input, &options)?;
    side.text.shrink_to_fit();
    let text = side.text;
    let empty = (0..text.len()).filter(|&n| text.sentence(n).is_empty()).count() - side.long.len();
    let report = TextReport {
        lines: text.len() as u64,
        empty: empty as u64,
        skipped_long: side.long,
        replaced_utf8: side.replaced,
        glued: side.glued,
        foreign_blanks: side.foreign_blanks,
        bytes: side.bytes,
    };
    Ok(ReadText { text, report })
}
