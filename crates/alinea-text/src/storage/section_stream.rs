//! Arrays that are read number by number, for those who need little of what is large.
//!
//! A [`SectionStream`] has a small piece of an array in memory. Its checksum is known at the end only: what was read before
//! [`finish`](SectionStream::finish) may be damaged, and must not lead anywhere that it should not.
//!
//! ```
//! use alinea_text::storage::{Container, ContainerWriter, SectionStream};
//!
//! let mut writer = ContainerWriter::new("squares".to_owned());
//! writer.add_owned("squares", (0u64..1000).map(|n| n * n).collect());
//! let mut bytes = Vec::new();
//! writer.write(&mut bytes).unwrap();
//! let file = Container::of_bytes("memory".to_owned(), bytes)?;
//! let mut squares = SectionStream::<u64>::open(&file, "squares")?;
//! assert_eq!((squares.len(), squares.at(3)?, squares.at(30)?, squares.at(1000)?), (1000, Some(9), Some(900), None));
//! squares.finish()?;
//! # Ok::<(), alinea_text::error::Error>(())
//! ```

use std::fmt;
use std::hash::Hasher as _;

use twox_hash::XxHash3_64;

use super::container::Container;
use super::element::{Element, in_a_piece};
use crate::error::Result;

/// An array in a file, read from its first number to its last.
pub struct SectionStream<'f, T> {
    file: &'f Container,
    name: String,
    /// Where in the arrays the next piece begins.
    place: usize,
    len: usize,
    /// The numbers that were read last, and how many come before them.
    piece: Vec<T>,
    before: usize,
    sum: XxHash3_64,
    next: usize,
}

impl<T> fmt::Debug for SectionStream<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SectionStream").field("name", &self.name).field("next", &self.next).finish_non_exhaustive()
    }
}

impl<'f, T: Element> SectionStream<'f, T> {
    /// An array by name, of which nothing is read yet.
    ///
    /// # Errors
    /// `Model` if there is none, or it is of other numbers.
    pub fn open(file: &'f Container, name: &str) -> Result<Self> {
        let info = file.info_of::<T>(name)?;
        let (place, len) = (info.data_offsets.0, info.shape[0]);
        let (piece, sum) = (Vec::new(), XxHash3_64::new());
        Ok(Self { file, name: name.to_owned(), place, len, piece, before: 0, sum, next: 0 })
    }

    /// The same of a known length.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if it has another length.
    pub fn of_len(file: &'f Container, name: &str, len: usize) -> Result<Self> {
        let stream = Self::open(file, name)?;
        file.check_len(name, len, stream.len)?;
        Ok(stream)
    }

    /// How many elements the array has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Which element is next.
    pub fn position(&self) -> usize {
        self.next
    }

    /// The next element; none at the end.
    ///
    /// # Errors
    /// `Io`; `Model` if the file was changed.
    pub fn read(&mut self) -> Result<Option<T>> {
        self.at(self.next)
    }

    /// The `n`-th element, which is none of those before the last that was read; none beyond the end.
    ///
    /// # Errors
    /// `Io`; `Model` if the file was changed.
    ///
    /// # Panics
    /// If it is far before the last one.
    pub fn at(&mut self, n: usize) -> Result<Option<T>> {
        while n >= self.before + self.piece.len() {
            if !self.read_piece()? {
                return Ok(None);
            }
        }
        self.next = n + 1;
        Ok(Some(self.piece[n - self.before]))
    }

    /// Reads the rest, and refuses an array that is not as it was written.
    ///
    /// # Errors
    /// `Io`; `Model` if it is damaged.
    pub fn finish(mut self) -> Result<()> {
        while self.read_piece()? {}
        self.file.check_sum(&self.name, self.sum.finish())
    }

    /// Goes to the next piece, if there is one.
    fn read_piece(&mut self) -> Result<bool> {
        let before = self.before + self.piece.len();
        let len = in_a_piece::<T>().min(self.len - before);
        if len == 0 {
            return Ok(false);
        }
        self.piece.resize(len, T::zeroed());
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.piece);
        self.file.read_at(self.place, bytes)?;
        self.sum.write(bytes);
        self.place += bytes.len();
        self.before = before;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::ContainerWriter;

    const LEN: usize = 50_000;

    fn numbers() -> Vec<[u32; 3]> {
        (0..LEN as u32).map(|n| [n, n.wrapping_mul(2_654_435_761), !n]).collect()
    }

    fn written() -> Vec<u8> {
        let mut writer = ContainerWriter::new("numbers".to_owned());
        writer.add_owned("first", vec![1u64, 2]);
        writer.add_owned("numbers", numbers());
        writer.add_owned("none", Vec::<f32>::new());
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn numbers_are_those_of_the_section() {
        let file = Container::of_bytes("memory".to_owned(), written()).unwrap();
        let mut stream = SectionStream::<[u32; 3]>::of_len(&file, "numbers", LEN).unwrap();
        let mut found = Vec::new();
        while let Some(number) = stream.read().unwrap() {
            found.push(number);
        }
        assert!(found == numbers());
        stream.finish().unwrap();
        let mut stream = SectionStream::<[u32; 3]>::open(&file, "numbers").unwrap();
        let places = [0, 0, 7, 5461, 5462, 20_000, LEN - 1];
        assert_eq!(places.map(|n| stream.at(n).unwrap().unwrap()), places.map(|n| numbers()[n]));
        assert_eq!((stream.at(LEN).unwrap(), stream.at(2 * LEN).unwrap()), (None, None));
        let mut none = SectionStream::<f32>::open(&file, "none").unwrap();
        assert_eq!((none.read().unwrap(), none.is_empty()), (None, true));
        none.finish().unwrap();
    }

    #[test]
    fn damage_and_other_arrays_are_refused() {
        let mut bytes = written();
        let file = Container::of_bytes("memory".to_owned(), bytes.clone()).unwrap();
        for (error, expected) in [
            (SectionStream::<u32>::open(&file, "numbers").unwrap_err(), "expected `numbers` of type U32 [n]"),
            (SectionStream::<u32>::open(&file, "others").unwrap_err(), "expected an array `others`"),
            (
                SectionStream::<u64>::of_len(&file, "first", 3).unwrap_err(),
                "expected `first` of length 3, found length 2",
            ),
        ] {
            assert!(error.to_string().contains(expected), "{error}");
        }
        let last = bytes.len() - 1;
        for place in [last, last - 12 * (LEN - 1)] {
            bytes[place] ^= 1;
            let file = Container::of_bytes("memory".to_owned(), bytes.clone()).unwrap();
            let mut stream = SectionStream::<[u32; 3]>::open(&file, "numbers").unwrap();
            assert!(stream.at(100).unwrap().is_some());
            let error = stream.finish().unwrap_err().to_string();
            assert!(error.ends_with("expected `numbers` as it was written, found damage"), "{error}");
            bytes[place] ^= 1;
        }
        SectionStream::<u64>::open(&file, "first").unwrap().finish().unwrap();
    }
}
