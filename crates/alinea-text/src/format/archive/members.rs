//! Files of an archive as streams, so that they may be larger than memory, and two be read in step.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::{DAMAGED, DEFLATED, ELSEWHERE, ENCRYPTED, END_BYTES, Entry, LOCAL, LOCAL_BYTES, Records, STORED};
use crate::error::{Error, ErrorKind, Result};
use crate::format::source::{BUFFER_BYTES, Input};
use crate::limits;

/// An archive of which only the directory is in memory.
///
/// ```
/// use alinea::format::archive::{self, Archive};
/// use std::collections::BTreeMap;
///
/// let files = BTreeMap::from([("a.en".to_owned(), b"the house\n".to_vec())]);
/// let archive = Archive::of_bytes(archive::write(&files)?, "a.zip")?;
/// assert_eq!(archive.names(), ["a.en"]);
/// assert_eq!(archive.open_member(0)?.read_all()?, b"the house\n");
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Archive {
    name: String,
    place: Place,
    names: Vec<String>,
    entries: Vec<Entry>,
}

/// Where the bytes are.
#[derive(Debug)]
enum Place {
    File(PathBuf),
    Memory(Arc<Vec<u8>>),
}

impl Archive {
    /// Opens a file, and reads its directory.
    ///
    /// # Errors
    /// `Io`; `Inconsistent`, with the name, for what is no archive, is cut short or damaged, or larger than 4 GiB (zip64); `OverLimit`
    /// for a directory of more than [`limits::DIRECTORY`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::of(Place::File(path.to_path_buf()), &path.display().to_string())
    }

    /// The same of an archive in memory, called `name` in messages.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_bytes(bytes: Vec<u8>, name: &str) -> Result<Self> {
        Self::of(Place::Memory(Arc::new(bytes)), name)
    }

    fn of(place: Place, name: &str) -> Result<Self> {
        let name = name.to_owned();
        let bad = |problem: &str| Error::from(ErrorKind::Inconsistent(format!("{name}: {problem}")));
        let failed = |error: io::Error| Error::io(&name, error);
        let length = place.length().map_err(failed)?;
        let most = END_BYTES as u64 + u64::from(u16::MAX);
        let tail = place.bytes(length.saturating_sub(most), most).map_err(failed)?;
        let records = Records(&tail);
        let Some(end) = records.end() else {
            return Err(bad(&format!("the zip archive ends early, after {length} bytes: its directory is missing")));
        };
        let damaged = || bad("the zip archive is damaged: its directory ends early");
        let number = |at: usize| records.long(end + at).ok_or_else(damaged);
        let (count, size, offset) = (records.short(end + 10).ok_or_else(damaged)?, number(12)?, number(16)?);
        if count == u16::MAX || size == ELSEWHERE || offset == ELSEWHERE {
            return Err(bad("zip archives of more than 4 GiB or 65534 files (zip64) are not supported"));
        }
        limits::DIRECTORY.check(size).map_err(|error| error.at(&name))?;
        let directory = place.bytes(u64::from(offset), u64::from(size)).map_err(failed)?;
        let (mut entries, mut at) = (Vec::new(), 0);
        for _ in 0..count {
            let entry = Records(&directory).entry(at).ok_or_else(damaged)?;
            at += entry.length as usize;
            if !entry.name.ends_with('/') {
                entries.push(entry);
            }
        }
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        Ok(Self { name, place, names, entries })
    }

    /// What it is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its files, in the order of its directory.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Opens the `n`-th of them, from 0. Its length and checksum are checked where it ends.
    ///
    /// # Errors
    /// `Io`; `Inconsistent` for a file that is encrypted, compressed in another way than by deflate, or not there.
    ///
    /// # Panics
    /// If there is no such file.
    pub fn open_member(&self, n: usize) -> Result<Input> {
        let entry = &self.entries[n];
        let name = format!("{}: {}", self.name, entry.name);
        let bad = |problem: &str| Error::from(ErrorKind::Inconsistent(format!("{name}: {problem}")));
        if entry.flags & ENCRYPTED != 0 {
            return Err(bad("encrypted files are not supported"));
        }
        if [entry.packed, entry.unpacked, entry.offset].contains(&ELSEWHERE) {
            return Err(bad("files of more than 4 GiB (zip64) are not supported"));
        }
        let failed = |error: io::Error| Error::io(&name, error);
        let head = self.place.bytes(u64::from(entry.offset), LOCAL_BYTES as u64).map_err(failed)?;
        let records = Records(&head);
        let lengths = (records.long(0), records.short(26), records.short(28));
        let (Some(LOCAL), Some(name_bytes), Some(extra)) = lengths else { return Err(bad(DAMAGED)) };
        let start = u64::from(entry.offset) + LOCAL_BYTES as u64 + u64::from(name_bytes) + u64::from(extra);
        let packed = self.place.stream(start, u64::from(entry.packed)).map_err(failed)?;
        let content: Box<dyn Read + Send> = match entry.method {
            STORED => Box::new(packed),
            DEFLATED => Box::new(DeflateDecoder::new(packed)),
            _ => return Err(bad("only deflated and uncompressed files are supported")),
        };
        let member = Member { content, sum: Crc::new(), left: u64::from(entry.unpacked), expected: entry.sum };
        Input::from_reader(name, member)
    }
}

impl Place {
    fn length(&self) -> io::Result<u64> {
        match self {
            Self::File(path) => File::open(path)?.seek(SeekFrom::End(0)),
            Self::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// So many bytes from there on, or as many as there are.
    fn bytes(&self, start: u64, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.stream(start, most)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn stream(&self, start: u64, most: u64) -> io::Result<BufReader<io::Take<Box<dyn Read + Send>>>> {
        let reader: Box<dyn Read + Send> = match self {
            Self::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(start))?;
                Box::new(file)
            }
            Self::Memory(bytes) => {
                let mut cursor = Cursor::new(Shared(Arc::clone(bytes)));
                cursor.set_position(start);
                Box::new(cursor)
            }
        };
        Ok(BufReader::with_capacity(BUFFER_BYTES, reader.take(most)))
    }
}

/// Bytes that several streams read.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A file while it is read.
struct Member {
    content: Box<dyn Read + Send>,
    sum: Crc,
    /// The bytes that should follow.
    left: u64,
    expected: u32,
}

impl Read for Member {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, DAMAGED);
        let read = self.content.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ => damaged(),
        })?;
        self.sum.update(&buffer[..read]);
        self.left = self.left.checked_sub(read as u64).ok_or_else(damaged)?;
        if read == 0 && !buffer.is_empty() && (self.left > 0 || self.sum.sum() != self.expected) {
            return Err(damaged());
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;
    use std::collections::BTreeMap;

    fn archive() -> Vec<u8> {
        write(&BTreeMap::from([("a".to_owned(), b"aaaa".repeat(99)), ("b".to_owned(), b"bb".to_vec())])).unwrap()
    }

    #[test]
    fn files_are_streams() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("z");
        std::fs::write(&path, archive()).unwrap();
        for archive in [Archive::open(&path).unwrap(), Archive::of_bytes(archive(), "z").unwrap()] {
            assert_eq!(archive.names(), ["a", "b"]);
            assert_eq!(archive.open_member(1).unwrap().read_all().unwrap(), b"bb");
            assert_eq!(archive.open_member(0).unwrap().read_all().unwrap(), b"aaaa".repeat(99));
        }
    }

    #[test]
    fn every_truncation_is_an_error() {
        let whole = archive();
        for cut in 0..whole.len() {
            let error = Archive::of_bytes(whole[..cut].to_vec(), "z").unwrap_err().to_string();
            assert_eq!(error, format!("z: the zip archive ends early, after {cut} bytes: its directory is missing"));
        }
    }

    #[test]
    fn damage_is_found() {
        let whole = archive();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            let Ok(archive) = Archive::of_bytes(bytes, "z") else { continue };
            for n in 0..archive.names().len() {
                let Ok(content) = archive.open_member(n).and_then(Input::read_all) else { continue };
                assert!(content == b"bb" || content == b"aaaa".repeat(99), "byte {place}");
            }
        }
    }
}
