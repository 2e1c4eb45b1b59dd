//! Alignments of Bible translations in JSON: records that name words by where they stand.
//!
//! ```text
//! {"format":"alignment","version":"0.3","groups":[{"type":"translation","documents":[{"docid":"A","scheme":"BCVWP"},...],
//! "roles":["source","target"],"records":[{"meta":{"id":"40001001.001"},"source":["n40001001001"],"target":["40001001001"]}]}]}
//! ```
//!
//! A [`WordId`] has two digits for the book (40 is Matthew), three each for chapter, verse and word, from 1; perhaps a digit for
//! a part of a word, and a letter before it: `o` for the Old Testament, `n` for the New. All words of a [`Record`] belong together, each
//! source word with each target word. Read are version 0.3 of the alignment standard of Scripture Burrito and older files that have
//! `references` in place of `source` and `target`; the files of ClearAligner, which have `type`, `meta` and `records` outermost; and
//! several groups. [`write()`] writes the first and ([`Layout::Flat`]) those of ClearAligner.
//!
//! A [`Numbering`] has the ids of the words of verses, and finds the words of ids. In a bridge of verses all words have the number of the
//! first verse; words of parts of a verse are counted through. [`linked_groups`] makes records of links.
//!
//! ```
//! use alinea::format::burrito::{self, Layout, Numbering, Record, linked_groups};
//! use alinea::format::source::Input;
//!
//! let verse = "MAT 1:1".parse().unwrap();
//! let numbering = Numbering::new([(verse, 3)])?;
//! let words = |words: &[u32]| words.iter().map(|&word| numbering.id(0, word as usize)).collect::<Vec<_>>();
//! let records: Vec<Record> = linked_groups(&[(0, 1), (2, 0), (2, 1)].into())
//!     .iter()
//!     .map(|[source, target]| Record { id: None, source: words(source), target: words(target) })
//!     .collect();
//! assert_eq!(records.len(), 1, "all of them are connected");
//! let file = burrito::write(&records, ["A", "B"], Layout::Groups);
//! let read = burrito::read(Input::from_bytes("links.json", file))?;
//! assert_eq!(read[0].source, records[0].source);
//! assert_eq!(read[0].source[1].to_string(), "40001001003");
//! assert_eq!(numbering.find(&read[0].source[1]), Some((0, 2)));
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod json;
mod numbering;
#[cfg(test)]
mod tests;
mod word_id;

pub use json::{Layout, Record, read, write};
pub use numbering::{Numbering, linked_groups};
pub use word_id::{NoWordId, WordId};
