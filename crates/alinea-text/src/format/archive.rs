//! Archives in the format zip, of a few files: those in which runs of the shared task on word order are handed in.
//!
//! What is written is reproducible: files are sorted by name, all have the time 1980-01-01 00:00, the first that the format
//! knows, and are compressed with the same settings. What is read may be stored or compressed by deflate, as by any common
//! program; each file is checked by length and sum. Encrypted archives, those in several parts, and those of more than 4 GiB
//! (zip64) are refused, and so are two files of one name, which many programs would unpack as one, and files that share bytes,
//! of which a small archive could have very many. What is unpacked has limits, a file's ([`limits::ARCHIVED_FILE`]) and the
//! archive's ([`limits::ARCHIVE`]); what the directory says of lengths is only believed when it has come true.
//!
//! Larger files are read one by one, as a stream: an [`Archive`] knows its directory, and opens files in it.
//!
//! The format is that of PKWARE's *APPNOTE*, 4.3.
//!
//! ```
//! use alinea::format::archive;
//! use std::collections::BTreeMap;
//!
//! let files = BTreeMap::from([("a.conll".to_owned(), b"1\tI\n".to_vec())]);
//! let bytes = archive::write(&files)?;
//! assert_eq!(archive::read(&bytes, "runs.zip")?, files);
//! let error = archive::read(b"no archive", "runs.zip").unwrap_err();
//! assert_eq!(error.to_string(), "runs.zip: not a zip archive: its directory is missing");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod members;

pub use members::Archive;

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::ops::Range;

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use crate::error::{Error, ErrorKind, Result};
use crate::limits::{self, Limit};

/// What the three kinds of records begin with.
const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;

/// The lengths of records without names and comments.
const LOCAL_BYTES: usize = 30;
const CENTRAL_BYTES: usize = 46;
const END_BYTES: usize = 22;

/// How a file is kept.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Version 2.0 of the format is what deflate needs.
const VERSION: u16 = 20;

/// Names are in UTF-8; the file is encrypted.
const UTF8_NAMES: u16 = 1 << 11;
const ENCRYPTED: u16 = 1;

/// 1980-01-01, as MS-DOS had it.
const DATE: u16 = 1 << 5 | 1;

/// Compression level, that of most programs.
const LEVEL: u32 = 6;

/// What stands for a number that is elsewhere, in archives of more than 4 GiB.
const ELSEWHERE: u32 = u32::MAX;

/// The bytes of an archive. Linear.
///
/// # Errors
/// `Inconsistent` if there are more than 65534 files, or names or files too long for the format.
pub fn write(files: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>> {
    let packed = files.iter().map(|(name, bytes)| {
        let mut packer = Packer::new();
        packer.add(bytes).map_err(|error| Error::io(name, error))?;
        Ok((name.clone(), packer))
    });
    join(packed.collect::<Result<Vec<_>>>()?)
}

/// A file that is compressed while it is written, for [`join`].
pub(super) struct Packer {
    encoder: DeflateEncoder<Vec<u8>>,
    sum: Crc,
    length: u64,
}

impl Packer {
    pub(super) fn new() -> Self {
        Self { encoder: DeflateEncoder::new(Vec::new(), Compression::new(LEVEL)), sum: Crc::new(), length: 0 }
    }

    /// Adds bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.length += bytes.len() as u64;
        self.encoder.write_all(bytes)
    }
}

/// The bytes of an archive of these files, in this order.
pub(super) fn join(files: impl IntoIterator<Item = (String, Packer)>) -> Result<Vec<u8>> {
    let too_large =
        || Error::from(ErrorKind::Inconsistent("too large for a zip archive, which holds at most 4 GiB".to_owned()));
    let (mut archive, mut directory, mut number) = (Vec::new(), Vec::new(), 0usize);
    for (name, packer) in files {
        let packed = packer.encoder.finish().map_err(|error| Error::io(&name, error))?;
        let sizes = [packed.len() as u64, packer.length, archive.len() as u64].map(u32::try_from);
        let [Ok(packed_len), Ok(len), Ok(offset)] = sizes else { return Err(too_large()) };
        let name_len = u16::try_from(name.len()).map_err(|_| too_large())?;
        let mut shared = Vec::new();
        for number in [VERSION, UTF8_NAMES, DEFLATED, 0, DATE] {
            shared.extend(number.to_le_bytes());
        }
        for number in [packer.sum.sum(), packed_len, len] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend(name_len.to_le_bytes());
        shared.extend(0u16.to_le_bytes());

        archive.extend(LOCAL.to_le_bytes());
        archive.extend(&shared);
        archive.extend(name.as_bytes());
        archive.extend(packed);

        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&shared);
        // No comment, the first disk, and no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
        number += 1;
    }
    let sizes = [directory.len(), archive.len()].map(u32::try_from);
    let ([Ok(size), Ok(offset)], Ok(count)) = (sizes, u16::try_from(number)) else { return Err(too_large()) };
    if size == ELSEWHERE || offset == ELSEWHERE || count == u16::MAX {
        return Err(too_large());
    }
    archive.extend(directory);
    archive.extend(END.to_le_bytes());
    for number in [0, 0, count, count] {
        archive.extend(number.to_le_bytes());
    }
    archive.extend(size.to_le_bytes());
    archive.extend(offset.to_le_bytes());
    archive.extend(0u16.to_le_bytes());
    Ok(archive)
}

/// The files of an archive called `name` in messages, by their names; folders are left out. Linear in what is unpacked.
///
/// # Errors
/// `Inconsistent`, with the name, for what is no archive, is damaged, is of a kind that the head of this room excludes, has
/// two files of one name, or files that share bytes; `OverLimit` beyond [`limits::ARCHIVED_FILE`] and [`limits::ARCHIVE`].
pub fn read(bytes: &[u8], name: &str) -> Result<BTreeMap<String, Vec<u8>>> {
    read_files(bytes, [limits::ARCHIVED_FILE, limits::ARCHIVE]).map_err(|problem| match problem {
        Problem::Bad(problem) => ErrorKind::Inconsistent(format!("{name}: {problem}")).into(),
        Problem::Large(file, error) if file.is_empty() => error.at(name),
        Problem::Large(file, error) => error.at(format_args!("{name}: {file}")),
    })
}

/// Why an archive is refused.
enum Problem {
    Bad(String),
    /// Something of this file is over a limit, or of all of them.
    Large(String, Error),
}

impl From<String> for Problem {
    fn from(problem: String) -> Self {
        Self::Bad(problem)
    }
}

fn read_files(bytes: &[u8], [of_file, of_all]: [Limit; 2]) -> Result<BTreeMap<String, Vec<u8>>, Problem> {
    let records = Records(bytes);
    let end = records.end().ok_or_else(|| "not a zip archive: its directory is missing".to_owned())?;
    let entries = records.directory(end)?;
    let mut places = Vec::new();
    for entry in &entries {
        places.push(records.place(entry).map_err(|problem| format!("{}: {problem}", entry.name))?);
    }
    if let Some((one, other)) = first_overlap(&places) {
        let [one, other] = [one, other].map(|number| &entries[number].name);
        return Err(format!("the zip archive is damaged: {one} and {other} share bytes").into());
    }
    let mut files = BTreeMap::new();
    let mut left = of_all.most;
    for (entry, place) in entries.into_iter().zip(places) {
        // One byte more than there may be tells that there are more.
        let most = of_file.most.min(left);
        let content = records.content(&entry, place, most).map_err(|problem| format!("{}: {problem}", entry.name))?;
        if content.len() as u64 > most {
            return Err(match most {
                _ if most == of_file.most => Problem::Large(entry.name, of_file.unbounded()),
                _ => Problem::Large(String::new(), of_all.unbounded()),
            });
        }
        left -= content.len() as u64;
        if !entry.is_as_said(&content) {
            return Err(format!("{}: {DAMAGED}", entry.name).into());
        }
        if files.contains_key(&entry.name) {
            return Err(format!("two files are called {}", entry.name).into());
        }
        files.insert(entry.name, content);
    }
    Ok(files)
}

/// Two of the ranges that have a byte in common.
fn first_overlap(places: &[Range<usize>]) -> Option<(usize, usize)> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_unstable_by_key(|&number| (places[number].start, places[number].end));
    order
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .find(|&(one, other)| places[one].end > places[other].start)
        .map(|(one, other)| (one.min(other), one.max(other)))
}

const DAMAGED: &str = "the zip archive is damaged here";

/// What the directory says of a file.
#[derive(Debug)]
struct Entry {
    name: String,
    flags: u16,
    method: u16,
    sum: u32,
    packed: u32,
    unpacked: u32,
    offset: u32,
    /// Of the entry itself.
    length: u32,
}

impl Entry {
    fn is_as_said(&self, content: &[u8]) -> bool {
        let mut sum = Crc::new();
        sum.update(content);
        content.len() as u64 == u64::from(self.unpacked) && sum.sum() == self.sum
    }
}

/// Numbers and records somewhere in an archive.
struct Records<'b>(&'b [u8]);

impl Records<'_> {
    fn short(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.0.get(at..at.checked_add(2)?)?.try_into().ok()?))
    }

    fn long(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.0.get(at..at.checked_add(4)?)?.try_into().ok()?))
    }

    /// Where the last record begins: behind it is only a comment, whose length it tells.
    fn end(&self) -> Option<usize> {
        let last = self.0.len().checked_sub(END_BYTES)?;
        let first = last.saturating_sub(usize::from(u16::MAX));
        (first..=last).rev().find(|&at| {
            let comment = self.short(at + END_BYTES - 2).map(usize::from);
            self.long(at) == Some(END) && comment == Some(last - at)
        })
    }

    fn entry(&self, at: usize) -> Option<Entry> {
        if self.long(at)? != CENTRAL {
            return None;
        }
        let lengths = [at + 28, at + 30, at + 32].map(|at| self.short(at).map(usize::from));
        let [name, extra, comment] = [lengths[0]?, lengths[1]?, lengths[2]?];
        let start = at + CENTRAL_BYTES;
        let name = self.0.get(start..start + name)?;
        Some(Entry {
            name: String::from_utf8_lossy(name).into_owned(),
            flags: self.short(at + 8)?,
            method: self.short(at + 10)?,
            sum: self.long(at + 16)?,
            packed: self.long(at + 20)?,
            unpacked: self.long(at + 24)?,
            offset: self.long(at + 42)?,
            length: (CENTRAL_BYTES + name.len() + extra + comment) as u32,
        })
    }

    /// The entries of all files, of which the record at `end` tells.
    fn directory(&self, end: usize) -> Result<Vec<Entry>, String> {
        let damaged = || "the zip archive is damaged: its directory ends early".to_owned();
        let count = self.short(end + 10).ok_or_else(damaged)?;
        let mut at = self.long(end + 16).ok_or_else(damaged)?;
        if count == u16::MAX || at == ELSEWHERE {
            return Err("zip archives of more than 4 GiB or 65534 files (zip64) are not supported".to_owned());
        }
        let mut entries = Vec::new();
        for _ in 0..count {
            let entry = self.entry(at as usize).ok_or_else(damaged)?;
            at = at.checked_add(entry.length).ok_or_else(damaged)?;
            if !entry.name.ends_with('/') {
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// Where a file lies, with the record before it.
    fn place(&self, entry: &Entry) -> Result<Range<usize>, &'static str> {
        if entry.flags & ENCRYPTED != 0 {
            return Err("encrypted files are not supported");
        }
        let at = entry.offset as usize;
        let lengths = (self.long(at), self.short(at + 26), self.short(at + 28));
        let (Some(LOCAL), Some(name), Some(extra)) = lengths else { return Err(DAMAGED) };
        let end = at + LOCAL_BYTES + usize::from(name) + usize::from(extra) + entry.packed as usize;
        if end <= self.0.len() { Ok(at..end) } else { Err(DAMAGED) }
    }

    /// What a file contains that lies there: at most one byte more than `most`.
    fn content(&self, entry: &Entry, place: Range<usize>, most: u64) -> Result<Vec<u8>, &'static str> {
        let packed = &self.0[place.end - entry.packed as usize..place.end];
        let mut content = Vec::new();
        match entry.method {
            STORED => packed.take(most + 1).read_to_end(&mut content).map(drop),
            // Nor more than one byte more than it should be.
            DEFLATED => DeflateDecoder::new(packed)
                .take(most.min(u64::from(entry.unpacked)) + 1)
                .read_to_end(&mut content)
                .map(drop),
            _ => return Err("only deflated and uncompressed files are supported"),
        }
        .map_err(|_| DAMAGED)?;
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(bytes: &[u8]) -> String {
        read(bytes, "z").unwrap_err().to_string()
    }

    fn archive() -> Vec<u8> {
        write(&BTreeMap::from([("a".to_owned(), b"aaaa".repeat(9)), ("b".to_owned(), b"bb".to_vec())])).unwrap()
    }

    #[test]
    fn damage_is_found() {
        let good = archive();
        assert_eq!(message(&good[..good.len() - 1]), "z: not a zip archive: its directory is missing");
        let mut bad = good.clone();
        bad[LOCAL_BYTES + 2] ^= 1;
        assert_eq!(message(&bad), "z: a: the zip archive is damaged here");
        let mut bad = good;
        let last = bad.len() - END_BYTES;
        bad[last + 16] += 1;
        assert_eq!(message(&bad), "z: the zip archive is damaged: its directory ends early");
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let mut bytes = archive();
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'b').collect();
        // The name in the directory is the last one.
        bytes[*places.last().unwrap()] = b'a';
        assert_eq!(message(&bytes), "z: two files are called a");
    }

    /// Where the numbers of 4 bytes after `offset` in each entry of the directory stand.
    fn in_directory(bytes: &[u8], offset: usize) -> Vec<usize> {
        let entries = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(&CENTRAL.to_le_bytes()));
        entries.map(|at| at + offset).collect()
    }

    #[test]
    fn files_that_share_bytes_are_refused() {
        let mut bytes = archive();
        let offsets = in_directory(&bytes, 42);
        bytes.copy_within(offsets[0]..offsets[0] + 4, offsets[1]);
        assert_eq!(message(&bytes), "z: the zip archive is damaged: a and b share bytes");
        // As a file within another: the first one goes on to the directory.
        let mut bytes = archive();
        let (packed, directory) = (in_directory(&bytes, 20)[0], in_directory(&bytes, 0)[0]);
        let whole = (directory - LOCAL_BYTES - 1) as u32;
        bytes[packed..packed + 4].copy_from_slice(&whole.to_le_bytes());
        assert_eq!(message(&bytes), "z: the zip archive is damaged: a and b share bytes");
    }

    #[test]
    fn what_is_unpacked_has_limits() {
        let refused = |bytes: &[u8], limits: [u64; 2]| {
            let limits = limits.map(|most| Limit::new("bytes", most));
            read_files(bytes, limits).map(|files| files.len()).map_err(message_of)
        };
        // 36 bytes and 2.
        assert_eq!(refused(&archive(), [36, 38]), Ok(2));
        assert_eq!(refused(&archive(), [35, 99]), Err("a: bytes: 36 or more, more than the limit of 35".to_owned()));
        assert_eq!(refused(&archive(), [36, 37]), Err("bytes: 38 or more, more than the limit of 37".to_owned()));
        let bomb = write(&BTreeMap::from([("zeros".to_owned(), vec![0; 1 << 20])])).unwrap();
        assert!(bomb.len() < 2000);
        let expected = "zeros: bytes: 101 or more, more than the limit of 100";
        assert_eq!(refused(&bomb, [100, 999]), Err(expected.to_owned()));
    }

    fn message_of(problem: Problem) -> String {
        match problem {
            Problem::Bad(problem) => problem,
            Problem::Large(file, error) if file.is_empty() => error.to_string(),
            Problem::Large(file, error) => error.at(file).to_string(),
        }
    }

    #[test]
    fn lengths_are_not_believed() {
        for (at, says) in [(24, u32::MAX - 1), (24, 1), (24, 0), (20, 1)] {
            let mut bytes = archive();
            let at = in_directory(&bytes, at)[0];
            bytes[at..at + 4].copy_from_slice(&says.to_le_bytes());
            assert_eq!(message(&bytes), "z: a: the zip archive is damaged here", "{says} at {at}");
        }
    }

    proptest! {
        #[test]
        fn files_come_back(files in prop::collection::btree_map("[a-z.é]{1,9}", prop::collection::vec(any::<u8>(), 0..99), 0..5)) {
            let bytes = write(&files).unwrap();
            prop_assert_eq!(&read(&bytes, "z").unwrap(), &files);
            prop_assert_eq!(write(&files).unwrap(), bytes);
        }

        #[test]
        fn any_bytes_are_read_or_refused(place in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
            let mut bytes = archive();
            let at = place.index(bytes.len());
            bytes[at] = byte;
            let _ = read(&bytes, "z");
            let _ = read(&bytes[cut.index(bytes.len())..], "z");
        }
    }
}
