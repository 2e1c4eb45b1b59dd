//! Reading and writing alignments.
//!
//! | format | a pair is | counts from | tells besides links |
//! |---|---|---|---|
//! | [`Pharaoh`](AlignmentFormat::Pharaoh) | a line `0-0 1p2` | 0 | kinds, weights |
//! | [`Talp`](AlignmentFormat::Talp) | a line `1-1 2p3` | 1 | kinds, weights |
//! | [`Naacl`](AlignmentFormat::Naacl) | lines `12 1 1 S` | 1 | kinds, weights |
//! | [`GizaA3`](AlignmentFormat::GizaA3) | three lines | – | words, score |
//! | [`Comtrans`](AlignmentFormat::Comtrans) | three lines: words, words, `0-0 1-2` | 0 | words |
//! | [`JsonLines`](AlignmentFormat::JsonLines) | an object | 0 | everything |
//! | [`OpusTrainer`](AlignmentFormat::OpusTrainer) | a line: words, words, `0-0 1-2` | 0 | words, kinds, weights |
//! | [`SimAlign`](AlignmentFormat::SimAlign) | a line: number, `0-0 1-2` | 0 | weights |
//! | [`Serval`](AlignmentFormat::Serval) | an object | 0 | words, weights |
//! | [`Bal`](AlignmentFormat::Bal) | three lines | – | words, both directions |
//!
//! All of them are read into, and all but the last written from, one [`PairRecord`], whose positions always count from 0. An
//! [`AlignmentReader`] fills the caller's record pair by pair, an [`AlignmentWriter`] takes records; [`convert`] joins
//! them and counts what the second format cannot hold. Memory stays constant except where a format forbids it: NAACL
//! lines may come in any order, and the parts of an A3 file have to be put back.
//!
//! ```
//! use alinea::format::alignment::{AlignmentFormat, AlignmentReader, AlignmentWriter, LinkReadOptions};
//! use alinea::format::alignment::{LinkWriteOptions, PairRecord};
//! use alinea::format::lines::{LineReader, Utf8};
//!
//! let lines = LineReader::new(&b"0-0 1p2\n\n2-1\n"[..], "<memory>", Utf8::Strict);
//! let mut reader = AlignmentReader::new(vec![lines], AlignmentFormat::Pharaoh, &LinkReadOptions::default())?;
//! let options = LinkWriteOptions::default();
//! let mut writer = AlignmentWriter::new(Vec::new(), "<memory>", AlignmentFormat::Naacl, &options)?;
//! let mut pair = PairRecord::default();
//! while reader.read_into(&mut pair)? {
//!     writer.write(&pair)?;
//! }
//! assert_eq!(writer.into_inner(), b"1 1 1 S\n1 2 3 P\n3 3 2 S\n");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod bal;
mod comtrans;
mod convert;
mod fault;
mod giza;
mod json_lines;
mod line_links;
mod links;
mod naacl;
mod options;
mod opus_trainer;
mod per_line;
mod reader;
mod recognition;
mod record;
mod serval;
mod simalign;
mod writer;

pub use convert::{ConvertReport, convert};
pub(crate) use fault::push_number;
pub use line_links::LineLinks;
pub use links::parse_links;
pub use options::{AlignmentFormat, Base, GizaDirection, LinkReadOptions, LinkWriteOptions, Sentences};
pub use reader::{AlignmentReader, LinkReadReport, read_alignments, read_gold, read_records};
pub use record::{LinkKind, LinkRecord, PairRecord, TokenList};
pub use writer::{AlignmentWriter, LinkWriteReport};

#[cfg(test)]
mod tests;
