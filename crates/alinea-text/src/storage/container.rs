//! Reading containers: arrays in a safetensors file, each verified by its checksum when it is read.
//!
//! The file begins with the length of its header, a little-endian `u64`. The header is JSON: type, shape and place of
//! each array by name, and under the key `alinea` a text that says what the file is. Then come the arrays, the first of
//! which, `checksums`, holds XXH3 sums of 64 bits: one of the header and of all other sums, then one for each array in
//! the order of the file.
//!
//! Opening reads the header and this first array, and checks the length of the file and the sum of the header.
//! [`Container::section`] reads one array, compares type and shape with what the caller expects, and verifies the sum,
//! so no damaged number is ever used. Files are not memory-mapped: to read from one that was cut off or changed after
//! it was opened is an error. What cannot be read twice, such as a pipe, is kept in memory, as far as its header says.
//!
//! The sum of the header identifies the content of a file ([`Container::identity`]), since it covers all other sums.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek as _, Write};
use std::path::Path;

use safetensors::tensor::{Metadata, TensorInfo};

use super::checksum::{CHECKSUMS, checksum, of_header};
use super::element::Element;
use super::shared_file::SharedFile;
use crate::error::{Error, ErrorKind, Result};

/// The name of the text in the header.
pub(super) const TEXT: &str = "alinea";

/// No header is longer: the limit of the format.
const LONGEST_HEADER: u64 = 100_000_000;

/// What a header that cannot be believed says of version and program, in parentheses; nothing if it says nothing.
fn claims(text: &str) -> String {
    let header: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    match (&header["version"], header["program"].as_str()) {
        (serde_json::Value::Number(version), Some(program)) => {
            format!(" (its header says version {version}, written by alinea {program})")
        }
        _ => String::new(),
    }
}

/// What arrays are read from, when they are asked for.
enum Source {
    File(SharedFile),
    /// The bytes of a pipe.
    Memory(Vec<u8>),
}

impl Source {
    /// Fills `to` with what stands at a place.
    fn read(&self, place: u64, to: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File(file) => file.read(place, to),
            Self::Memory(bytes) => {
                let rest = usize::try_from(place).ok().and_then(|place| bytes.get(place..));
                let found = rest.and_then(|rest| rest.get(..to.len())).ok_or(io::ErrorKind::UnexpectedEof)?;
                to.copy_from_slice(found);
                Ok(())
            }
        }
    }
}

/// An opened file of arrays.
pub struct Container {
    name: String,
    source: Source,
    metadata: Metadata,
    text: String,
    /// Where the arrays begin.
    start: u64,
    /// How long it is.
    bytes: u64,
    /// The checksum of the header, then those of `names`.
    sums: Vec<u64>,
    /// The arrays in the order in which they stand.
    names: Vec<String>,
}

impl fmt::Debug for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Container").field("name", &self.name).field("names", &self.names).finish_non_exhaustive()
    }
}

impl Container {
    /// Opens a file, or standard input for `-`, and checks its header. Arrays are read, and checked, when they are asked
    /// for; what cannot be read twice, such as a pipe, is kept in memory.
    ///
    /// # Errors
    /// `Io`; `Model` if it is no container, is not complete, or its header is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Self::of_stream("<stdin>".to_owned(), &mut io::stdin().lock());
        }
        // Windows opens no directory, and says that access is denied.
        let is_directory = cfg!(windows) && path.is_dir();
        let file = File::open(path).and_then(|file| match file.metadata()? {
            metadata if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            metadata => Ok((file, metadata)),
        });
        let file = if is_directory { Err(io::ErrorKind::IsADirectory.into()) } else { file };
        let (mut file, metadata) = file.map_err(|error| Error::io(path, error))?;
        let name = path.display().to_string();
        if !metadata.is_file() {
            return Self::of_stream(name, &mut file);
        }
        Self::of_file(name, file)
    }

    /// An open file that is called `name`, from its beginning.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_file(name: String, mut file: File) -> Result<Self> {
        let len = file.rewind().and_then(|()| file.metadata()).map_err(|error| Error::io(&name, error))?.len();
        let header = Header::read(&name, &mut file)?;
        Self::new(name, header, Source::File(SharedFile::new(file)), len)
    }

    /// Reads all of a stream that is called `name`, as far as its header says.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_stream(name: String, stream: &mut dyn Read) -> Result<Self> {
        let header = Header::read(&name, stream)?;
        let mut bytes = header.bytes.clone();
        // One byte more shows whether there is more.
        let rest = (header.end() + 1).saturating_sub(bytes.len() as u64);
        stream.take(rest).read_to_end(&mut bytes).map_err(|error| Error::io(&name, error))?;
        let len = bytes.len() as u64;
        Self::new(name, header, Source::Memory(bytes), len)
    }

    /// A container in memory, called `name`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_bytes(name: String, bytes: Vec<u8>) -> Result<Self> {
        let header = Header::read(&name, &mut &bytes[..])?;
        let len = bytes.len() as u64;
        Self::new(name, header, Source::Memory(bytes), len)
    }

    fn new(name: String, header: Header, source: Source, bytes: u64) -> Result<Self> {
        if header.end() != bytes {
            let found = format!("{bytes} bytes instead of {}: the file is truncated or damaged", header.end());
            return Err(no_container(&name, found));
        }
        let Header { metadata, bytes: head, .. } = header;
        let text = metadata.metadata().as_ref().and_then(|texts| texts.get(TEXT)).cloned();
        let text = text.ok_or_else(|| no_container(&name, "a safetensors file of another program".to_owned()))?;
        let mut names = metadata.offset_keys();
        if names.first().is_none_or(|first| first != CHECKSUMS) {
            let found = format!("none: an older version of alinea wrote it{}; make it again", claims(&text));
            let error = ErrorKind::Model { path: name, expected: "checksums".to_owned(), found };
            return Err(error.into());
        }
        names.remove(0);
        let start = head.len() as u64;
        let mut container = Self { name, source, metadata, text, start, bytes, sums: Vec::new(), names };
        let info = container.info(CHECKSUMS)?;
        let mut sums = vec![0u64; container.names.len() + 1];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut sums);
        let (from, to) = info.data_offsets;
        if to - from == bytes.len() {
            container.read_at(from, bytes)?;
        }
        if of_header(&head, &sums[1..]) != sums[0] {
            let found = format!("damage{}", claims(&container.text));
            return Err(container.error("a header as it was written".to_owned(), found));
        }
        container.sums = sums;
        Ok(container)
    }

    /// What the file is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text in the header.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many bytes the file has.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A number that files of other contents do not have: the checksum of the header and of all checksums.
    pub fn identity(&self) -> u64 {
        self.sums[0]
    }

    /// Whether there is an array of this name.
    pub fn has(&self, name: &str) -> bool {
        self.metadata.info(name).is_some()
    }

    /// An array by name, which is read and checked.
    ///
    /// # Errors
    /// `Io`; `Model` if there is none, it is of other numbers, or damaged.
    pub fn section<T: Element>(&self, name: &str) -> Result<Vec<T>> {
        let info = self.info_of::<T>(name)?;
        let mut array = vec![T::zeroed(); info.shape[0]];
        self.read(name, info, bytemuck::cast_slice_mut(&mut array))?;
        Ok(array)
    }

    /// What the header says of an array of these numbers.
    pub(super) fn info_of<T: Element>(&self, name: &str) -> Result<&TensorInfo> {
        let info = self.info(name)?;
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
        Ok(info)
    }

    /// An array of a known length.
    ///
    /// # Errors
    /// As [`section`](Self::section), and if it has another length.
    pub fn section_of<T: Element>(&self, name: &str, len: usize) -> Result<Vec<T>> {
        let section = self.section(name)?;
        self.check_len(name, len, section.len())?;
        Ok(section)
    }

    /// Refuses an array of another length.
    pub(super) fn check_len(&self, name: &str, expected: usize, found: usize) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        Err(self.error(format!("`{name}` of length {expected}"), format!("length {found}")))
    }

    /// The names of all arrays, in the order in which they stand.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads and checks all arrays; the errors of those that are damaged. O(bytes).
    pub fn check(&self) -> Vec<Error> {
        self.names.iter().filter_map(|name| self.raw(name).err()).collect()
    }

    /// Writes all of it again, checked.
    ///
    /// # Errors
    /// `Io` of the container itself, `Model` if it is damaged; what the writer says, under the name `to_name`.
    pub fn copy(&self, to: &mut dyn Write, to_name: &Path) -> Result<()> {
        let mut write = |bytes: &[u8]| to.write_all(bytes).map_err(|error| Error::io(to_name, error));
        let mut head = vec![0; self.start as usize];
        self.read_from(0, &mut head)?;
        let sums: &[u8] = bytemuck::cast_slice(&self.sums);
        if of_header(&head, &self.sums[1..]) != self.sums[0] {
            return Err(self.error("a header as it was written".to_owned(), "damage".to_owned()));
        }
        write(&head)?;
        write(sums)?;
        self.names.iter().try_for_each(|name| write(&self.raw(name)?.1))
    }

    /// The bytes of an array, checked.
    pub(super) fn raw(&self, name: &str) -> Result<(&TensorInfo, Vec<u8>)> {
        let info = self.info(name)?;
        let (start, end) = info.data_offsets;
        let mut bytes = vec![0; end - start];
        self.read(name, info, &mut bytes)?;
        Ok((info, bytes))
    }

    fn info(&self, name: &str) -> Result<&TensorInfo> {
        let info = self.metadata.info(name);
        info.ok_or_else(|| self.error(format!("an array `{name}`"), "none".to_owned()))
    }

    fn read(&self, name: &str, info: &TensorInfo, to: &mut [u8]) -> Result<()> {
        self.read_at(info.data_offsets.0, to)?;
        self.check_sum(name, checksum(to))
    }

    /// Refuses an array that has another checksum than when it was written.
    pub(super) fn check_sum(&self, name: &str, found: u64) -> Result<()> {
        let sum = self.names.iter().position(|other| other == name).and_then(|place| self.sums.get(place + 1));
        if sum != Some(&found) {
            return Err(self.error(format!("`{name}` as it was written"), "damage".to_owned()));
        }
        Ok(())
    }

    /// Reads what stands so far behind the header.
    pub(super) fn read_at(&self, offset: usize, to: &mut [u8]) -> Result<()> {
        self.read_from(self.start + offset as u64, to)
    }

    /// Reads what stands at a place of the file.
    fn read_from(&self, place: u64, to: &mut [u8]) -> Result<()> {
        self.source.read(place, to).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.error(format!("{} bytes", self.bytes), "fewer: the file was changed while it was read".to_owned())
            }
            _ => Error::io(&self.name, error),
        })
    }

    /// The error for a file that is not what it should be.
    pub fn error(&self, expected: String, found: String) -> Error {
        ErrorKind::Model { path: self.name.clone(), expected, found }.into()
    }
}

/// What stands before the arrays.
struct Header {
    /// The length of the rest, and the rest.
    bytes: Vec<u8>,
    metadata: Metadata,
}

impl Header {
    fn read(name: &str, from: &mut dyn Read) -> Result<Self> {
        if cfg!(target_endian = "big") {
            return Err(no_container(name, "little-endian numbers, and a processor that is not".to_owned()));
        }
        let mut bytes = Vec::new();
        let mut more = |bytes: &mut Vec<u8>, count: u64| {
            from.take(count).read_to_end(bytes).map_err(|error| Error::io(name, error))
        };
        if more(&mut bytes, size_of::<u64>() as u64)? < size_of::<u64>() {
            return Err(no_container(name, format!("a file of {} bytes", bytes.len())));
        }
        let len = u64::from_le_bytes(*bytes.first_chunk().unwrap_or(&[0; 8]));
        if len > LONGEST_HEADER {
            return Err(no_container(name, "something else".to_owned()));
        }
        if (more(&mut bytes, len)? as u64) < len {
            let found = format!("{} bytes, less than all of it: the file is damaged or truncated", bytes.len());
            return Err(no_container(name, found));
        }
        let metadata: Option<Metadata> = serde_json::from_slice(&bytes[size_of::<u64>()..]).ok();
        let metadata = metadata.filter(|metadata| metadata.data_len() as u64 <= u64::MAX / 2);
        let metadata =
            metadata.ok_or_else(|| no_container(name, "no complete header: another file, or damaged".to_owned()))?;
        Ok(Self { bytes, metadata })
    }

    /// How long the file is.
    fn end(&self) -> u64 {
        self.bytes.len() as u64 + self.metadata.data_len() as u64
    }
}

fn no_container(name: &str, found: String) -> Error {
    ErrorKind::Model { path: name.to_owned(), expected: "a file written by alinea".to_owned(), found }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::ContainerWriter;

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
        assert_eq!(container.section::<u8>("bytes").unwrap(), b"abc");
        assert_eq!(container.section::<[f32; 2]>("rows").unwrap(), [[1.5, 2.5], [3.5, 4.5]]);
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
    fn every_damage_is_reported() {
        let bytes = written();
        for byte in 0..bytes.len() {
            for mask in [1, 0x80, bytes[byte]] {
                let mut other = bytes.clone();
                other[byte] ^= mask;
                let sound = open(&other).map(|file| file.check());
                assert!(mask == 0 || !sound.is_ok_and(|damaged| damaged.is_empty()), "{byte}");
            }
        }
        let container = open(&bytes).unwrap();
        assert!(container.check().is_empty());
        assert_eq!(container.bytes(), bytes.len() as u64);
    }

    #[test]
    fn copies_are_the_same_and_damage_is_not_copied() {
        let bytes = written();
        let container = Container::of_bytes("memory".to_owned(), bytes.clone()).unwrap();
        assert_eq!((container.name(), container.identity()), ("memory", open(&bytes).unwrap().identity()));
        let mut copy = Vec::new();
        container.copy(&mut copy, Path::new("copy")).unwrap();
        assert!(copy == bytes);
        for byte in [bytes.len() - 1, 20] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("container");
            std::fs::write(&path, &bytes).unwrap();
            let container = Container::open(&path).unwrap();
            let mut damaged = bytes.clone();
            damaged[byte] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            let error = container.copy(&mut io::sink(), Path::new("copy")).unwrap_err().to_string();
            assert!(error.contains("damage"), "{error}");
        }
    }

    #[test]
    fn damage_is_named() {
        let mut bytes = written();
        *bytes.last_mut().unwrap() ^= 1;
        let container = open(&bytes).unwrap();
        let message = "expected `bytes` as it was written, found damage";
        assert!(container.section::<u8>("bytes").unwrap_err().to_string().ends_with(message));
        assert!(container.section::<u64>("wide").is_ok());
        assert_eq!(container.check().len(), 1);
    }

    #[test]
    fn checksums_are_xxh3() {
        // xxhash.xxh3_64_intdigest(b""), (b"abc") and (bytes(range(256)) * 8) of Python's xxhash 4.1.0 (XXH3 0.8.4).
        assert_eq!(checksum(b""), 0x2D06_8005_38D3_94C2);
        assert_eq!(checksum(b"abc"), 0x78AF_5F94_892F_3950);
        let long: Vec<u8> = (0..8).flat_map(|_| 0..=255).collect();
        assert_eq!(checksum(&long), 0xDD42_0471_FF96_BD00);
    }

    #[test]
    fn streams_are_read_as_files_are() {
        let bytes = written();
        let read = |bytes: &[u8]| Container::of_stream("stream".to_owned(), &mut &*bytes);
        let stream = read(&bytes).unwrap();
        assert_eq!(stream.section::<u64>("wide").unwrap(), [7]);
        assert_eq!(stream.identity(), open(&bytes).unwrap().identity());
        assert!(read(&[&bytes[..], b"x"].concat()).is_err());
        assert!(read(&bytes[..bytes.len() - 1]).is_err());
        let endless = Container::of_stream("zeros".to_owned(), &mut io::repeat(0));
        assert!(endless.is_err());
    }

    #[test]
    fn a_file_that_shrinks_or_changes_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("container");
        let bytes = written();
        std::fs::write(&path, &bytes).unwrap();
        let container = Container::open(&path).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(bytes.len() as u64 - 3).unwrap();
        let error = container.section::<u8>("bytes").unwrap_err().to_string();
        assert!(error.ends_with("fewer: the file was changed while it was read"), "{error}");
        file.set_len(bytes.len() as u64).unwrap();
        let error = container.section::<u8>("bytes").unwrap_err().to_string();
        assert!(error.ends_with("expected `bytes` as it was written, found damage"), "{error}");
        assert!(container.section::<u64>("wide").is_ok());
    }
}
