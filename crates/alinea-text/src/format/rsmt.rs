//! The files of the shared task on learning word order from alignments (RSMT, 2012).
//!
//! A corpus is a handful of files beside each other, parallel by sentence:
//!
//! | file | content |
//! |---|---|
//! | `.conll` | the *aligned* words only, a word a line, ten columns with tabs between them, an empty line after each sentence |
//! | `.txt` | the whole sentence, words separated by blanks |
//! | `.pos` | `TAG (word) TAG (word) …` for the whole sentence |
//! | `.parse` | one bracketed parse a line |
//! | `.align.info` | `0(I) 2(going) 3(home)`: which words of the whole sentence, from 0, the rows are |
//!
//! The ten columns are in the order of CoNLL-X: 1 the number of the row, from 1; 2 the word; 4 its coarse and 5 its fine tag;
//! 7 the *previous index*, the number of the word that stands before this one in the new order, 0 for the word that comes
//! first. The others are empty (`-` or `_`), and kept as they are. Column 7 must make one chain of all words
//! ([`order_from_previous`]); where it is `-`, `_` or `0` throughout, the order is unknown, which is allowed where a reader
//! is told so ([`Unknown`]).
//!
//! A sentence without any aligned word has no rows, for an empty block is none: its line in `.align.info` is empty.
//! Test data come without `.align.info`; then rows are found in the sentence from left to right ([`find_rows`]).
//!
//! ```
//! use alinea::format::rsmt::{self, Unknown};
//!
//! // `I am going home` becomes `I home going`; `am` is not aligned.
//! let file = "1\tI\t-\tP\tPRP\t-\t0\t-\t-\t-\n2\tgoing\t-\tV\tVBG\t-\t3\t-\t-\t-\n3\thome\t-\tN\tNN\t-\t1\t-\t-\t-\n\n";
//! let blocks = rsmt::parse(file, "en_hi.en.trn.conll", Unknown::Refused)?;
//! let order = blocks[0].order().expect("it is known").inverse();
//! assert_eq!(order.places(), [0, 2, 1]);
//! let mut written = Vec::new();
//! blocks[0].write(&mut written);
//! assert_eq!(written, file.as_bytes());
//!
//! let circle = file.replace("\t0\t-", "\t2\t-");
//! let error = rsmt::parse(&circle, "x.conll", Unknown::Refused).unwrap_err();
//! let expected = "x.conll:1:15: expected in sentence 1 one chain over all words, but words 1 ← 2 ← 3 ← 1 form a cycle, \
//!                 found `2`";
//! assert_eq!(error.to_string(), expected);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **Rooms.** `block` the rows of a sentence, and their reader; `previous` the chain of column 7; `beside` the lines of the
//! other files; `corpus` all files together.

mod beside;
mod block;
mod corpus;
mod previous;

pub use self::beside::{KeptWord, parse_info, parse_tags, write_info, write_tags};
pub use self::block::{Block, Missing, NewRow, Reader, Unknown, parse, read};
pub use self::corpus::{Corpus, Found, Paths, Sentence, find_rows};
pub use self::previous::{BrokenChain, order_from_previous, previous_from_order};
