//! Shards: `K/N`, the K-th of N parts of a text, counted by different processes or machines.
//!
//! A shard is a contiguous range of the chunks that the E step works in: from ⌊(K-1)C/N⌋ to ⌊KC/N⌋ of C chunks. For a
//! given N every chunk is in exactly one shard. Expected counts are integers, so the merged counts of all shards are
//! identical to those of a single process. A shard limits the counting alone: each process reads the whole text, as
//! vocabularies and the index of pairs depend on all of it.
//!
//! `Training::count` takes a shard; on the command line it is `alinea train --shard K/N`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::{Error, Result};

/// One of the parts of a text of about the same size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// The `number`-th, from 1, of so many.
    ///
    /// # Errors
    /// `Config` if there is no such part.
    pub fn new(number: usize, of: usize) -> Result<Self> {
        if number == 0 || number > of {
            return Err(Error::config("shard", format!("{number}/{of}"), "K/N with K from 1 to N"));
        }
        Ok(Self { number, of })
    }

    /// Its part of so many chunks.
    pub(in crate::model) fn part(self, chunks: usize) -> Range<usize> {
        let end = |number: usize| (number as u128 * chunks as u128 / self.of as u128) as usize;
        end(self.number - 1)..end(self.number)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let (number, of) = numbers.ok_or_else(|| Error::config("shard", text, "K/N with K from 1 to N"))?;
        Self::new(number, of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_once() {
        for of in [1, 2, 3, 7, 50] {
            for chunks in [0, 1, 5, 50, 51] {
                let parts: Vec<usize> =
                    (1..=of).flat_map(|number| Shard::new(number, of).unwrap().part(chunks)).collect();
                assert!(parts.into_iter().eq(0..chunks), "{chunks} {of}");
            }
        }
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("2/3".parse::<Shard>().unwrap(), Shard::new(2, 3).unwrap());
        for bad in ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", ""] {
            assert!(bad.parse::<Shard>().unwrap_err().to_string().contains("K/N with K from 1 to N"), "{bad}");
        }
    }
}
