//! Writing containers: arrays are collected by name and then written in one pass, as `container` reads them.
//!
//! Arrays are sorted by the width of their numbers, widest first, otherwise in the order in which they were added, and
//! the header is padded with blanks to a multiple of 8 bytes. So every array is aligned to its numbers. The header has
//! one text only, because the order of several would not be fixed. The same arrays, added in the same order, always
//! give the same bytes.
//!
//! Checksums stand before the arrays that they cover, so all arrays must be at hand before writing begins: borrowed
//! (`add`), owned (`add_owned`), copied from another container and verified (`copy`), or made twice, a piece at a time
//! (`add_made`, `add_tried`). Numbers are little-endian; on a big-endian processor writing is an error.

use std::fmt;
use std::io::{self, Write};

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

use super::checksum::{CHECKSUMS, checksum_of_pieces, of_header};
use super::container::{Container, TEXT};
use super::element::{Element, in_a_piece};
use crate::error::Result;

/// Headers fill whole words, so that every array is aligned.
const ALIGNMENT: usize = 8;

/// Arrays on their way into a file.
pub struct ContainerWriter<'a> {
    text: String,
    arrays: Vec<Array<'a>>,
}

struct Array<'a> {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    /// How many bytes it has.
    bytes: usize,
    /// Hands them out.
    visit: Box<dyn Fn(Visit<'_>) -> io::Result<()> + 'a>,
}

/// What takes the bytes of an array, piece by piece.
type Visit<'v> = &'v mut dyn FnMut(&[u8]) -> io::Result<()>;

impl fmt::Debug for ContainerWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.arrays.iter().map(|array| (&array.name, &array.shape))).finish()
    }
}

impl<'a> ContainerWriter<'a> {
    /// No arrays, and the text that says what the file is.
    pub fn new(text: String) -> Self {
        Self { text, arrays: Vec::new() }
    }

    /// Adds an array that lives elsewhere.
    pub fn add<T: Element>(&mut self, name: impl Into<String>, array: &'a [T]) {
        self.push::<T>(name.into(), array.len(), move |visit| visit(bytemuck::cast_slice(array)));
    }

    /// Adds an array that was made for the file.
    pub fn add_owned<T: Element + 'a>(&mut self, name: impl Into<String>, array: Vec<T>) {
        self.push::<T>(name.into(), array.len(), move |visit| visit(bytemuck::cast_slice(&array)));
    }

    /// Adds an array that is made when it is wanted, in little memory: to be counted here, for its checksum, and to be
    /// written. Each time `numbers` gives the same ones.
    pub fn add_made<T: Element, N: Iterator<Item = T>>(
        &mut self,
        name: impl Into<String>,
        numbers: impl Fn() -> N + 'a,
    ) {
        let len = numbers().count();
        self.push::<T>(name.into(), len, move |visit| visit_pieces(numbers().map(Ok), visit));
    }

    /// The same of numbers that may be had or not: the error where they are not is one of writing, or found here.
    ///
    /// # Errors
    /// The first that `numbers` gives.
    pub fn add_tried<T: Element, N: Iterator<Item = Result<T>>>(
        &mut self,
        name: impl Into<String>,
        numbers: impl Fn() -> Result<N> + 'a,
    ) -> io::Result<()> {
        let numbers =
            move || Ok::<_, io::Error>(numbers().map_err(io::Error::other)?.map(|n| n.map_err(io::Error::other)));
        let len = numbers()?.try_fold(0, |len, number| number.map(|_| len + 1))?;
        self.push::<T>(name.into(), len, move |visit| visit_pieces(numbers()?, visit));
        Ok(())
    }

    /// Adds an array as it stands in a file.
    ///
    /// # Errors
    /// `Model` if there is no such array, or it is damaged; `Io`.
    pub fn copy(&mut self, from: &Container, name: &str) -> Result<()> {
        let (info, bytes) = from.raw(name)?;
        let (dtype, shape) = (info.dtype, info.shape.clone());
        let (len, visit) = (bytes.len(), Box::new(move |visit: Visit<'_>| visit(&bytes)));
        self.arrays.push(Array { name: name.to_owned(), dtype, shape, bytes: len, visit });
        Ok(())
    }

    /// How many bytes the file will have.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub fn bytes(&mut self) -> io::Result<usize> {
        let header = self.header()?;
        let arrays = self.arrays.iter().map(|array| array.bytes).sum::<usize>();
        Ok(header.len() + size_of::<u64>() * (self.arrays.len() + 1) + arrays)
    }

    fn push<T: Element>(&mut self, name: String, len: usize, visit: impl Fn(Visit<'_>) -> io::Result<()> + 'a) {
        let shape = std::iter::once(len).chain(T::WIDTH).collect();
        let (bytes, visit) = (len * size_of::<T>(), Box::new(visit));
        self.arrays.push(Array { name, dtype: T::DTYPE, shape, bytes, visit });
    }

    /// Writes header, checksums and arrays, those of wide numbers first, so that all are aligned. The same arrays in the
    /// same order give the same bytes.
    ///
    /// # Errors
    /// What the writer says; `Unsupported` on a processor that stores numbers the other way round.
    pub fn write(mut self, to: &mut dyn Write) -> io::Result<()> {
        if cfg!(target_endian = "big") {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "models are little-endian, this processor is not"));
        }
        let header = self.header()?;
        let sum = |array: &Array<'_>| checksum_of_pieces(|visit| (array.visit)(visit));
        let sums = self.arrays.iter().map(sum).collect::<io::Result<Vec<u64>>>()?;
        to.write_all(&header)?;
        to.write_all(&of_header(&header, &sums).to_le_bytes())?;
        to.write_all(bytemuck::cast_slice(&sums))?;
        self.arrays.iter().try_for_each(|array| (array.visit)(&mut |bytes| to.write_all(bytes)))
    }

    /// The header, its length first; arrays are put in their order.
    fn header(&mut self) -> io::Result<Vec<u8>> {
        self.arrays.sort_by_key(|array| std::cmp::Reverse(array.dtype.bitsize()));
        let sums = self.arrays.len() + 1;
        let mut end = sums * size_of::<u64>();
        let first = TensorInfo { dtype: Dtype::U64, shape: vec![sums], data_offsets: (0, end) };
        let infos = self.arrays.iter().map(|array| {
            let Array { name, dtype, shape, bytes, .. } = array;
            let start = end;
            end += bytes;
            (name.clone(), TensorInfo { dtype: *dtype, shape: shape.clone(), data_offsets: (start, end) })
        });
        let infos = std::iter::once((CHECKSUMS.to_owned(), first)).chain(infos).collect();
        // One text only, since the order of several would not be determined.
        let texts = [(TEXT.to_owned(), self.text.clone())].into_iter().collect();
        let metadata = Metadata::new(Some(texts), infos).map_err(io::Error::other)?;
        let mut header = vec![0; size_of::<u64>()];
        serde_json::to_writer(&mut header, &metadata)?;
        header.resize(header.len().next_multiple_of(ALIGNMENT), b' ');
        let len = (header.len() - size_of::<u64>()) as u64;
        header[..size_of::<u64>()].copy_from_slice(&len.to_le_bytes());
        Ok(header)
    }
}

/// Hands out numbers piece by piece.
fn visit_pieces<T: Element>(mut numbers: impl Iterator<Item = io::Result<T>>, visit: Visit<'_>) -> io::Result<()> {
    let mut piece: Vec<T> = Vec::new();
    loop {
        piece.clear();
        for number in numbers.by_ref().take(in_a_piece::<T>()) {
            piece.push(number?);
        }
        if piece.is_empty() {
            return Ok(());
        }
        visit(bytemuck::cast_slice(&piece))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_written_like_what_is_held() {
        for len in [0, 1, 10_000, 3 * in_a_piece::<[u32; 2]>()] {
            let numbers = move || (0..len as u32).map(|n| [n, n.wrapping_mul(2_654_435_761)]);
            let written = |add: &dyn Fn(&mut ContainerWriter<'_>)| {
                let mut writer = ContainerWriter::new("numbers".to_owned());
                writer.add("first", &[1u8, 2, 3]);
                add(&mut writer);
                writer.add_owned("last", vec![0.5f64]);
                let mut bytes = Vec::new();
                assert!(writer.bytes().is_ok_and(|len| len > 0));
                writer.write(&mut bytes).unwrap();
                bytes
            };
            let held = written(&|writer| writer.add_owned("rows", numbers().collect()));
            assert!(held == written(&|writer| writer.add_made("rows", numbers)), "{len}");
            let tried =
                |writer: &mut ContainerWriter<'_>| writer.add_tried("rows", move || Ok(numbers().map(Ok))).unwrap();
            assert!(held == written(&tried), "{len}");
        }
    }
}
