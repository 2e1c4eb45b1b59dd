//! Writing containers, and finding what is in them.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensors};

use super::section::{Element, Section};
use crate::error::{Error, ErrorKind, Result};

/// The name of the text in the header.
const TEXT: &str = "alinea";

/// The name of the number that depends on everything else.
const SEAL: &str = "seal";

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
    bytes: Box<dyn AsRef<[u8]> + 'a>,
}

/// An array as bytes, in the memory it has.
struct Owned<T>(Vec<T>);

impl<T: Element> AsRef<[u8]> for Owned<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl Array<'_> {
    fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }
}

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
        self.push::<T>(name.into(), array.len(), Box::new(bytemuck::cast_slice::<T, u8>(array)));
    }

    /// Adds an array that was made for the file.
    pub fn add_owned<T: Element + 'a>(&mut self, name: impl Into<String>, array: Vec<T>) {
        self.push::<T>(name.into(), array.len(), Box::new(Owned(array)));
    }

    /// Adds an array as it stands in a file.
    ///
    /// # Errors
    /// `Model` if there is no such array.
    pub fn copy(&mut self, from: &'a Container, name: &str) -> Result<()> {
        let Some(info) = from.metadata.info(name) else {
            return Err(from.error(format!("an array `{name}`"), "none".to_owned()));
        };
        let (dtype, shape, bytes) = (info.dtype, info.shape.clone(), Box::new(from.bytes(info)));
        self.arrays.push(Array { name: name.to_owned(), dtype, shape, bytes });
        Ok(())
    }

    /// How many bytes the file will have.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub fn bytes(&mut self) -> io::Result<usize> {
        let header = self.header()?;
        Ok(size_of::<u64>() + header.len() + self.arrays.iter().map(|array| array.bytes().len()).sum::<usize>())
    }

    /// Adds a number that depends on all arrays before it and on the text, by which damage is recognized.
    pub fn seal(&mut self) {
        let arrays = self.arrays.iter().map(|array| (array.name.as_str(), array.bytes()));
        let seal = sealed(&self.text, arrays.collect());
        self.add_owned(SEAL, vec![seal]);
    }

    fn push<T: Element>(&mut self, name: String, len: usize, bytes: Box<dyn AsRef<[u8]> + 'a>) {
        let shape = std::iter::once(len).chain(T::WIDTH).collect();
        self.arrays.push(Array { name, dtype: T::DTYPE, shape, bytes });
    }

    /// Writes header and arrays, those of wide numbers first, so that all are aligned. The same arrays in the same order
    /// give the same bytes.
    ///
    /// # Errors
    /// What the writer says; `Unsupported` on a processor that stores numbers the other way round.
    pub fn write(mut self, to: &mut dyn Write) -> io::Result<()> {
        if cfg!(target_endian = "big") {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "models are little-endian, this processor is not"));
        }
        let header = self.header()?;
        to.write_all(&(header.len() as u64).to_le_bytes())?;
        to.write_all(&header)?;
        self.arrays.iter().try_for_each(|array| to.write_all(array.bytes()))
    }

    /// The header; arrays are put in their order.
    fn header(&mut self) -> io::Result<Vec<u8>> {
        self.arrays.sort_by_key(|array| std::cmp::Reverse(array.dtype.bitsize()));
        let mut end = 0;
        let infos = self.arrays.iter().map(|array| {
            let Array { name, dtype, shape, .. } = array;
            let start = end;
            end += array.bytes().len();
            (name.clone(), TensorInfo { dtype: *dtype, shape: shape.clone(), data_offsets: (start, end) })
        });
        // One text only, since the order of several would not be determined.
        let texts = [(TEXT.to_owned(), self.text.clone())].into_iter().collect();
        let metadata = Metadata::new(Some(texts), infos.collect()).map_err(io::Error::other)?;
        let mut header = serde_json::to_vec(&metadata)?;
        header.resize(header.len().next_multiple_of(ALIGNMENT), b' ');
        Ok(header)
    }
}

/// An opened file of arrays.
#[derive(Debug)]
pub struct Container {
    name: String,
    file: Arc<Mmap>,
    metadata: Metadata,
    text: String,
    /// Where the arrays begin.
    start: usize,
}

impl Container {
    /// Maps a file.
    ///
    /// # Errors
    /// `Io`; `Model` if it is no container, or is not complete.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let file = File::open(path).and_then(|file| match file.metadata()? {
            metadata if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            _ => map(&file),
        });
        let file = file.map_err(|error| Error::io(path, error))?;
        let bad = |found: String| -> Error {
            ErrorKind::Model { path: name.clone(), expected: "a file written by alinea".to_owned(), found }.into()
        };
        if cfg!(target_endian = "big") {
            return Err(bad("little-endian numbers, and a processor that is not".to_owned()));
        }
        let (header, metadata) = SafeTensors::read_metadata(&file).map_err(|error| bad(what(&error, file.len())))?;
        let text = metadata.metadata().as_ref().and_then(|texts| texts.get(TEXT)).cloned();
        let text = text.ok_or_else(|| bad("a safetensors file of another program".to_owned()))?;
        let start = header + size_of::<u64>();
        Ok(Self { name, file: Arc::new(file), metadata, text, start })
    }

    /// What the file is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text in the header.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is an array of this name.
    pub fn has(&self, name: &str) -> bool {
        self.metadata.info(name).is_some()
    }

    /// An array by name.
    ///
    /// # Errors
    /// `Model` if there is none, or it is of other numbers.
    pub fn section<T: Element>(&self, name: &str) -> Result<Section<T>> {
        let Some(info) = self.metadata.info(name) else {
            return Err(self.error(format!("an array `{name}`"), "none".to_owned()));
        };
        let found = || format!("{:?} {:?}", info.dtype, info.shape);
        let expected = || match T::WIDTH {
            None => format!("`{name}` of type {:?} [n]", T::DTYPE),
            Some(width) => format!("`{name}` of type {:?} [n, {width}]", T::DTYPE),
        };
        let fits = match (info.shape.as_slice(), T::WIDTH) {
            ([_], None) => true,
            ([_, width], Some(expected)) => *width == expected,
            _ => false,
        };
        if info.dtype != T::DTYPE || !fits {
            return Err(self.error(expected(), found()));
        }
        let (start, end) = info.data_offsets;
        Section::mapped(&self.file, self.start + start..self.start + end)
            .ok_or_else(|| self.error(expected(), format!("{} at byte {}, which is not aligned", found(), start)))
    }

    /// An array of a known length.
    ///
    /// # Errors
    /// As [`section`](Self::section), and if it has another length.
    pub fn section_of<T: Element>(&self, name: &str, len: usize) -> Result<Section<T>> {
        let section = self.section(name)?;
        if section.len() != len {
            return Err(self.error(format!("`{name}` of length {len}"), format!("length {}", section.len())));
        }
        Ok(section)
    }

    /// Checks the number that was added to recognize damage. O(bytes).
    ///
    /// # Errors
    /// `Model` if there is none, or it is another one.
    pub fn check_seal(&self) -> Result<()> {
        let seal = self.section_of::<u64>(SEAL, 1)?[0];
        let tensors = self.metadata.tensors();
        let arrays = tensors.iter().filter(|(name, _)| name.as_str() != SEAL);
        if seal != sealed(&self.text, arrays.map(|(name, info)| (name.as_str(), self.bytes(info))).collect()) {
            return Err(self.error("a file as it was written".to_owned(), "damage".to_owned()));
        }
        Ok(())
    }

    /// The names of all arrays, in the order in which they stand.
    pub fn names(&self) -> Vec<String> {
        self.metadata.offset_keys()
    }

    fn bytes(&self, info: &TensorInfo) -> &[u8] {
        let (start, end) = info.data_offsets;
        self.file.get(self.start + start..self.start + end).unwrap_or_default()
    }

    /// The error for a file that is not what it should be.
    pub fn error(&self, expected: String, found: String) -> Error {
        ErrorKind::Model { path: self.name.clone(), expected, found }.into()
    }
}

/// The seal of a text and of arrays: FNV-1a, but eight bytes at a time.
fn sealed(text: &str, mut arrays: Vec<(&str, &[u8])>) -> u64 {
    arrays.sort_unstable_by_key(|&(name, _)| name);
    let named = arrays.into_iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]);
    let mut seal = 0xCBF2_9CE4_8422_2325u64;
    let mut add = |word: u64| seal = (seal ^ word).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23);
    for bytes in std::iter::once(text.as_bytes()).chain(named) {
        let (words, rest) = bytes.as_chunks::<8>();
        for &word in words {
            add(u64::from_le_bytes(word));
        }
        for &byte in rest {
            add(u64::from(byte));
        }
        add(bytes.len() as u64);
    }
    seal
}

/// What is there in place of a container of `bytes` bytes.
fn what(error: &safetensors::SafeTensorError, bytes: usize) -> String {
    match error {
        safetensors::SafeTensorError::HeaderTooSmall => format!("a file of {bytes} bytes"),
        safetensors::SafeTensorError::InvalidHeaderLength | safetensors::SafeTensorError::MetadataIncompleteBuffer => {
            format!("{bytes} bytes, which are not all of it: the file is damaged or cut off")
        }
        _ => "something else".to_owned(),
    }
}

#[expect(unsafe_code, reason = "mapping a file into memory")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: The slices that are handed out may change if another process changes the file. Models are written under
    // another name and renamed when they are complete, so a model that is in use is replaced, not changed; that nobody
    // writes into it otherwise is what the documentation of this module asks for.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut writer = ContainerWriter::new("what it is".to_owned());
        writer.add("bytes", b"abc");
        writer.add("rows", &[[1.5f32, 2.5], [3.5, 4.5]]);
        writer.add_owned("wide", vec![7u64]);
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        bytes
    }

    fn open(bytes: &[u8]) -> Result<Container> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("container");
        std::fs::write(&path, bytes).unwrap();
        Container::open(&path)
    }

    #[test]
    fn arrays_come_back() {
        let container = open(&written()).unwrap();
        assert_eq!(container.text(), "what it is");
        assert_eq!(*container.section::<u8>("bytes").unwrap(), *b"abc");
        assert_eq!(*container.section::<[f32; 2]>("rows").unwrap(), [[1.5, 2.5], [3.5, 4.5]]);
        assert_eq!(container.section_of::<u64>("wide", 1).unwrap()[0], 7);
        assert!(container.has("rows") && !container.has("columns"));
        assert_eq!(written(), written());
    }

    #[test]
    fn other_arrays_are_refused() {
        let container = open(&written()).unwrap();
        let message = |error: Error| error.to_string().split_once(": ").unwrap().1.to_owned();
        let error = container.section::<u8>("columns").unwrap_err();
        assert_eq!(message(error), "expected an array `columns`, found none");
        let error = container.section::<f32>("rows").unwrap_err();
        assert_eq!(message(error), "expected `rows` of type F32 [n], found F32 [2, 2]");
        let error = container.section::<[f32; 3]>("rows").unwrap_err();
        assert_eq!(message(error), "expected `rows` of type F32 [n, 3], found F32 [2, 2]");
        let error = container.section_of::<u8>("bytes", 4).unwrap_err();
        assert_eq!(message(error), "expected `bytes` of length 4, found length 3");
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = written();
        for len in 0..bytes.len() {
            let error = open(&bytes[..len]).unwrap_err();
            assert!(error.to_string().contains("expected a file written by alinea, found"), "{len}: {error}");
        }
    }

    #[test]
    fn headers_that_lie_are_refused() {
        let bytes = written();
        for (byte, value) in (0..8).flat_map(|byte| [(byte, 0xFF), (byte, 0x01)]) {
            let mut other = bytes.clone();
            if std::mem::replace(&mut other[byte], value) != value {
                assert!(open(&other).is_err(), "{byte} {value}");
            }
        }
        assert!(open(b"\x1f\x8b\x08\x00\x00\x00\x00\x00 something compressed").is_err());
    }

    #[test]
    fn seals_show_damage() {
        let mut writer = ContainerWriter::new("what it is".to_owned());
        writer.add("bytes", b"abcdefghij");
        writer.add("rows", &[[1.5f32, 2.5], [3.5, 4.5]]);
        writer.seal();
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        open(&bytes).unwrap().check_seal().unwrap();
        for byte in 8..bytes.len() {
            let mut other = bytes.clone();
            other[byte] ^= 1;
            let sound = open(&other).and_then(|file| file.check_seal());
            assert!(sound.is_err() || bytes[byte] == b' ', "{byte}");
        }
        assert!(open(&written()).unwrap().check_seal().is_err(), "no seal");
    }
}
