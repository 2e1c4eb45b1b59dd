//! Bytes in, bytes out: the two edges of everything here.
//!
//! Text becomes numbers once, when it is read, and numbers become text once, when they are written. In between,
//! nobody sees a byte. Floors, each knowing only those above it in this list:
//!
//! * [`source`] and [`sink`] open and close: `-` for the standard streams, compression, outputs that appear under
//!   their name only when they are complete;
//! * [`lines`] cuts bytes into lines, [`tokens`] cuts lines into words, [`blanks`] knows where other programs cut;
//! * [`bitext`] fills a [`Bitext`](crate::bitext::Bitext) from two files, from `source ||| target` lines, or from
//!   two columns of a table;
//! * [`offsets`] counts as other programs count; [`columns`], [`conllu_field`],
//!   [`span_json`] and [`brat`] have labels of words and of characters;
//! * [`pairs`] reads sentence pairs from one file in the formats of other programs: TMX, XLIFF, JSON lines, tables, archives;
//! * [`paragraphs`] reads text whose sentences are not aligned yet, [`sentence_groups`] which of them belong together;
//! * [`alignment`] reads and writes alignments in six formats; [`dictionary`] translations of words; [`classes`] their
//!   classes; [`annotators`] who did which sentence; [`conllu`] sentences with dependency trees; [`rsmt`] sentences
//!   and the order that their words take in another language; [`markup`] segments with inline tags; [`usfm`] books of the
//!   Bible, and [`burrito`] records of their alignment; [`archive`] files in one file.
//!
//! Everything that is refused is refused with file, line and column, and nothing is shortened in silence: a compressed
//! file that ends early, a file shorter than its partner, an invalid byte are errors.
//!
//! ```
//! use alinea::format::bitext::{self, ReadOptions};
//! use alinea::format::source::Input;
//!
//! let lines = Input::from_bytes("<memory>", "The house ||| La maison\n");
//! let read = bitext::read_joint(lines, &ReadOptions::default())?;
//! assert_eq!(read.report.pairs, 1);
//! assert_eq!(read.bitext.target.vocabulary().word(read.bitext.pair(0).target[0]), b"la");
//! # Ok::<(), alinea::error::Error>(())
//! ```

pub mod alignment;
pub mod annotators;
pub mod archive;
pub mod bitext;
pub mod blanks;
pub mod brat;
pub mod burrito;
pub mod classes;
pub mod columns;
pub mod conllu;
pub mod conllu_field;
pub mod dictionary;
pub mod lines;
pub mod markup;
pub mod offsets;
mod other;
pub mod pairs;
pub mod paragraphs;
pub mod preordering;
pub mod rsmt;
pub mod sentence_groups;
pub mod sink;
pub mod source;
pub mod span_json;
pub mod tokens;
pub mod usfm;
