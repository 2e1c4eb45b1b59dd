//! How much a single input may ask for: every budget that the library has, in one place.
//!
//! A file decides what reading it costs, and a damaged or malicious one asks for everything: a line of three gigabytes in three
//! megabytes of gzip, an archive that says of itself that it is larger than the machine, a tree of a hundred thousand words for
//! something that looks at all pairs of them. Where work or memory cannot be bounded by what has been read so far, there is a
//! [`Limit`]. It is checked *before* the memory is taken, and never by what a file claims of itself; who asks for more gets
//! an error that names the place, the limit, and what was found.
//!
//! Limits are far above anything in real text, and below what a machine of a few gigabytes stands: lines have bytes by the
//! thousand, not by the million, and a sentence of a thousand words is a list. Other things are bounded without being refused:
//! engines that order words cut sentences into stretches and leave nodes of very many
//! parts as they are, and texts to align have a limit of tokens that is an option
//! ([`ReadOptions`](crate::format::bitext::ReadOptions)).
//!
//! ```
//! use alinea::limits;
//!
//! assert!(limits::LINE.check(1 << 20).is_ok());
//! let error = limits::LINE.check(1u64 << 40).unwrap_err().at("text.en:3");
//! assert_eq!(
//!     error.to_string(),
//!     "text.en:3: bytes of a line: 1099511627776, more than the limit of 67108864"
//! );
//! ```

use std::fmt;

use crate::error::{Error, ErrorKind, Result};

/// The most that there may be of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// What is counted.
    pub name: &'static str,
    /// The most that is allowed.
    pub most: u64,
}

/// A line of any text, decompressed, without its line break: 64 MiB. [`LineReader`](crate::format::lines::LineReader) stops
/// reading there.
pub const LINE: Limit = Limit::new("bytes of a line", 1 << 26);

/// A sentence that has many lines, a row for each word, with all that stands in them: 64 MiB, or half a million words.
pub const SENTENCE: Limit = Limit::new("bytes of the lines of a sentence", 1 << 26);

/// A tag of XML, a comment, or text between tags: 64 MiB. Parsers have it in memory as a whole.
pub const MARKUP: Limit = Limit::new("bytes of a tag or a stretch of text", 1 << 26);

/// Elements of XML within each other. Translation memories have about ten.
pub const NESTING: Limit = Limit::new("elements within each other", 1000);

/// The directory of an archive that is read file by file: 64 MiB, or half a million names.
pub const DIRECTORY: Limit = Limit::new("bytes of the directory of an archive", 1 << 26);

/// A file that is read as a whole, decompressed: JSON to make tables of, an archive, a dictionary of MeCab, a model of
/// SentencePiece. 1 GiB.
pub const FILE: Limit = Limit::new("bytes of a file that is read as a whole", 1 << 30);

/// What stands beside the weights of an encoder, its configuration or the index of its files, and the header of weights: 16 MiB. Those
/// of 24 layers have 50 kB.
pub const ENCODER_DESCRIPTION: Limit = Limit::new("bytes of a description of an encoder", 1 << 24);

/// The `tokenizer.json` of an encoder: 64 MiB. Those of 250,000 pieces have 9 to 17 MB.
pub const ENCODER_TOKENIZER: Limit = Limit::new("bytes of the tokenizer of an encoder", 1 << 26);

/// A book of the Bible in USFM: 64 MiB. The longest, with all links and what is said of each word, has some 20 MB. What is known of its
/// words takes some thirty times as much.
pub const BOOK: Limit = Limit::new("bytes of a book", 1 << 26);

/// Links between words that a book of the Bible or a file of alignment records has: some hundred megabytes. A whole Bible has a million.
pub const BOOK_LINKS: Limit = Limit::new("links of words", 1 << 24);

/// A file in an archive, unpacked: 256 MiB.
pub const ARCHIVED_FILE: Limit = Limit::new("unpacked bytes of a file in an archive", 1 << 28);

/// All files of an archive, unpacked: 1 GiB.
pub const ARCHIVE: Limit = Limit::new("unpacked bytes of an archive", 1 << 30);

/// Words of all phrase pairs of a sentence pair, counted as often as they occur: with 2^26 the text of the phrases takes some
/// hundred megabytes. Pairs of 100,000 words that are linked one by one have 6 million in phrases of up to 7 words.
pub const PHRASE_WORDS: Limit = Limit::new("words of all phrase pairs of a sentence pair", 1 << 26);

/// Links of a sentence pair that links between other tokens become: with 2^24 they take 400 MiB. A link between two words of 4,000
/// characters has so many between their characters.
pub const LINKS: Limit = Limit::new("links of a sentence pair", 1 << 24);

/// Pairs of words that links of a sentence pair propose where they are carried along trees: dependents of linked words, each with
/// each. With 2^22, whose reasons take half a gigabyte, both of two linked words may have 2,000.
pub const PROPOSALS: Limit = Limit::new("pairs of dependents of linked words", 1 << 22);

/// Words of a sentence whose bracketing trees are wanted, with or without a beam: time and memory grow with their third power, to
/// 0.4 GB. Orders of longer sentences are found in stretches.
pub const BRACKETED_WORDS: Limit = Limit::new("words of a sentence whose bracketing trees are wanted", 500);

/// Words of a sentence of a pair over which a tree is carried: tables of all pairs of words take half a gigabyte.
pub const PROJECTED_TREE_WORDS: Limit = Limit::new("words of a sentence that a tree is carried over", 3_000);

/// Parts of speech of a text over which trees are carried, which tables have a row and a column for: Universal Dependencies has 17.
pub const PARTS_OF_SPEECH: Limit = Limit::new("parts of speech in a text", 256);

/// Cells of the tables of TER, words of the hypothesis times words of the reference: tables take up to 200 MiB, and shifts some
/// seconds. Lines of 11,585 words.
pub const TER_CELLS: Limit = Limit::new("words of the hypothesis times words of the reference, for TER", 1 << 27);

/// Pairs of equal words, one of each side, where words that come again are told apart one pair at a time (RIBES, LEPOR, scores of
/// orders): some seconds. Lines of 100,000 words with the frequencies of real text have fewer.
pub const EQUAL_WORDS: Limit = Limit::new("pairs of equal words in two lines", 1 << 28);

/// Steps of the search that matches words of a hypothesis with those of a reference, where several are equal: words times
/// words times the beam. Some seconds.
pub const MATCHING_STEPS: Limit = Limit::new("steps to match words with equal ones", 1 << 31);

/// Path pairs of two trees, of which `dpath` looks at each once: pairs of links. Some seconds; sentences of 23,000 words.
pub const PATH_PAIRS: Limit = Limit::new("pairs of paths in two trees", 1 << 28);

/// Blocks of 24 bytes in the tables of distances of `dpath`, links times depths: half a gigabyte.
pub const PATH_BLOCKS: Limit = Limit::new("blocks of tables for two trees, links times depths", (1 << 29) / 24);

/// Pairs of nodes of two trees, for `ted`, which take nine bytes each: 600 MiB. Sentences of 8,192 words.
pub const TREE_EDIT_PAIRS: Limit = Limit::new("pairs of nodes of two trees", 1 << 26);

/// Cells that the edit distance of two trees computes: some seconds. Sentences of a hundred words have less than a million.
pub const TREE_EDIT_CELLS: Limit = Limit::new("cells of the edit distance of two trees", 1 << 31);

impl Limit {
    /// The most of what is called `name`: a noun in the plural.
    pub const fn new(name: &'static str, most: u64) -> Self {
        Self { name, most }
    }

    /// Checks a number against the limit.
    ///
    /// # Errors
    /// `OverLimit`, of no place; [`Error::at`] gives it one.
    pub fn check(&self, found: impl TryInto<u64>) -> Result<()> {
        let found = found.try_into().unwrap_or(u64::MAX);
        if found > self.most { Err(self.exceeded(found)) } else { Ok(()) }
    }

    /// That there are more than allowed, how many is not known.
    pub fn unbounded(&self) -> Error {
        self.exceeded(format_args!("{} or more", self.most + 1))
    }

    fn exceeded(&self, found: impl fmt::Display) -> Error {
        ErrorKind::OverLimit { place: String::new(), limit: *self, found: found.to_string() }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_is_allowed() {
        let limit = Limit::new("eggs", 6);
        assert!(limit.check(6u64).is_ok());
        assert_eq!(limit.check(7usize).unwrap_err().to_string(), "eggs: 7, more than the limit of 6");
        assert_eq!(
            limit.check(u128::MAX).unwrap_err().to_string(),
            format!("eggs: {}, more than the limit of 6", u64::MAX)
        );
        let error = limit.unbounded().at("basket").at("kitchen");
        assert_eq!(error.to_string(), "basket: eggs: 7 or more, more than the limit of 6");
    }
}
