//! The file of what an annotator did: it only grows, and what is in it stays.
//!
//! ```text
//! {"format":"alinea journal","version":1,"annotator":"lisa","text":"9f3c…"}
//! {"id":"k1","at":1764417600000,"sentence":17,"seconds":2.4,"action":{"do":"mark","links":[[0,1]],"mark":"sure"}}
//! ```
//!
//! A step is a line. It is on the disk (`fsync`) when [`Journal::append`] returns; if that fails, as on a full disk, the file is what
//! it was before. Where the process or the machine died in the middle of a line, nobody was told that the step was done: the
//! rest of the line is removed when the journal is opened.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::action::Entry;
use super::names::composed;
use crate::error::{Error, ErrorKind, Position, Result};

const FORMAT: &str = "alinea journal";
const VERSION: u32 = 1;

/// A journal that is open for more.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// How many bytes of it are whole lines.
    length: u64,
    /// Why nothing more can be written.
    fault: Option<String>,
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    annotator: String,
    text: String,
}

/// A journal that was read.
#[derive(Debug)]
pub(super) struct ReadJournal {
    /// The journal, open for more.
    pub(super) journal: Journal,
    /// What is in it, with the numbers of the lines.
    pub(super) entries: Vec<(u64, Entry)>,
}

impl Journal {
    /// Opens the journal of an annotator of a text, whose fingerprint is given, or begins one.
    ///
    /// # Errors
    /// `Io`; `Parse` for lines that are none of a journal; `Inconsistent` for the journal of another annotator, text or version.
    pub(super) fn open(path: &Path, annotator: &str, text: u64) -> Result<ReadJournal> {
        let io = |error: io::Error| Error::io(path, error);
        let header = Header::of(annotator, text);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        let mut lines = Lines::of(&mut file, path);
        let entries = lines.entries(&header)?;
        let (length, removed, lacks_end) = (lines.whole, lines.read - lines.whole, lines.lacks_end);
        let mut journal = Self { path: path.to_owned(), file, length, fault: None };
        if removed > 0 {
            journal.file.set_len(length).map_err(io)?;
        }
        if lacks_end {
            journal.add(b"\n")?;
        }
        if entries.is_none() {
            journal.append(&[header])?;
            sync_folder(path).map_err(io)?;
        }
        Ok(ReadJournal { journal, entries: entries.unwrap_or_default() })
    }

    /// What is in the journal of an annotator, with the numbers of the lines; nothing if there is none. The file stays as it is, and
    /// may grow meanwhile.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(super) fn read(path: &Path, annotator: &str, text: u64) -> Result<Vec<(u64, Entry)>> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io(path, error)),
        };
        let entries = Lines::of(&mut file, path).entries(&Header::of(annotator, text))?;
        Ok(entries.unwrap_or_default())
    }

    /// Adds lines, steps as a rule, which are on the disk afterwards.
    ///
    /// # Errors
    /// `Io`, and then none of them is in the journal; if not even that can be made sure, the same for all that follow.
    pub(super) fn append(&mut self, lines: &[impl Serialize]) -> Result<()> {
        let mut bytes = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut bytes, line).map_err(|error| Error::io(&self.path, error.into()))?;
            bytes.push(b'\n');
        }
        self.add(&bytes)
    }

    fn add(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(fault) = &self.fault {
            return Err(Error::io(&self.path, io::Error::other(format!("nothing more can be saved: {fault}"))));
        }
        let length = self.file.metadata().map_err(|error| Error::io(&self.path, error))?.len();
        if length != self.length {
            return Err(Error::io(&self.path, io::Error::other("another program wrote to it")));
        }
        let written = self.file.seek(SeekFrom::Start(self.length));
        let written = written.and_then(|_| self.file.write_all(bytes)).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // What was written of it must not stand before what comes next. If it was not saved, that it is gone must be.
            if let Err(fault) = self.file.set_len(self.length).and_then(|()| self.file.sync_data()) {
                self.fault = Some(fault.to_string());
            }
            return Err(Error::io(&self.path, error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

impl Header {
    fn of(annotator: &str, text: u64) -> Self {
        let (format, text) = (FORMAT.to_owned(), format!("{text:016x}"));
        Self { format, version: VERSION, annotator: annotator.to_owned(), text }
    }

    /// Refuses what a file has, if this is expected.
    fn check(&self, path: &Path, found: &Self) -> Result<()> {
        let path = path.display();
        let fault = if found.format != self.format {
            format!("{path}: no journal of an annotator")
        } else if found.version != self.version {
            format!("{path}: a journal of version {}, this program knows {VERSION}", found.version)
        } else if composed(&found.annotator) != self.annotator {
            format!("{path}: the journal of {}, not of {}", found.annotator, self.annotator)
        } else if found.text != self.text {
            format!("{path}: the journal of another text")
        } else {
            return Ok(());
        };
        Err(ErrorKind::Inconsistent(fault).into())
    }

    /// Whether a line that was never completed would have become this one.
    fn begins_with(&self, line: &[u8]) -> bool {
        serde_json::to_vec(self).is_ok_and(|whole| whole.starts_with(line))
    }
}

/// Makes sure that a new name is on the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    // Folders are no files on Windows.
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// The lines of a file, of which the last may not be whole.
struct Lines<'f> {
    reader: BufReader<&'f mut File>,
    path: &'f Path,
    line: Vec<u8>,
    number: u64,
    /// Bytes that were read, and those that belong to whole lines.
    read: u64,
    whole: u64,
    /// Whether the last line is whole but for its end.
    lacks_end: bool,
}

impl<'f> Lines<'f> {
    fn of(file: &'f mut File, path: &'f Path) -> Self {
        let reader = BufReader::new(file);
        Self { reader, path, line: Vec::new(), number: 0, read: 0, whole: 0, lacks_end: false }
    }

    /// The steps of an annotator; nothing if not even the first line is there. Given is what that is expected to be.
    fn entries(&mut self, expected: &Header) -> Result<Option<Vec<(u64, Entry)>>> {
        const FIRST: &str = "the first line of a journal";
        let Some(header) = self.next(FIRST)? else {
            if expected.begins_with(&self.line) {
                return Ok(None);
            }
            return Err(Error::parse(Position::new(self.path.display().to_string(), 1, 1), FIRST, &self.line));
        };
        expected.check(self.path, &header)?;
        let mut entries = Vec::new();
        while let Some(entry) = self.next("a step of an annotator")? {
            entries.push((self.number, entry));
        }
        Ok(Some(entries))
    }

    /// What the next line says; nothing at the end, and for a last line that was never completed.
    fn next<T: for<'d> Deserialize<'d>>(&mut self, expected: &str) -> Result<Option<T>> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line).map_err(|error| Error::io(self.path, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.read += read as u64;
        let is_ended = self.line.ends_with(b"\n");
        match serde_json::from_slice(&self.line) {
            Ok(said) => {
                self.whole = self.read;
                self.lacks_end = !is_ended;
                Ok(Some(said))
            }
            Err(_) if !is_ended => Ok(None),
            Err(error) => {
                let position = Position::new(self.path.display().to_string(), self.number, error.column() as u64);
                let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
                Err(Error::parse(position, expected, line))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::annotate::action::{Action, Mark};

    fn entry(n: usize) -> Entry {
        let action = match n % 3 {
            0 => Action::Mark { links: vec![[0, n as u32]], mark: Some(Mark::Possible) },
            1 => Action::Comment { text: format!("line\n{n} é \u{2028}") },
            _ => Action::Undo,
        };
        Entry { id: format!("k{n}"), at: 1_764_417_600_000 + n as u64, sentence: n, seconds: 0.1 * n as f64, action }
    }

    fn written(path: &Path, number: usize) {
        let mut read = Journal::open(path, "lisa", 7).unwrap();
        (0..number).for_each(|n| read.journal.append(&[entry(n)]).unwrap());
    }

    fn entries(read: &ReadJournal) -> Vec<Entry> {
        read.entries.iter().map(|(_, entry)| entry.clone()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        /// Wherever a journal ends, what is whole is there, and more can be added.
        #[test]
        fn a_line_that_was_never_completed_is_removed(cut in 0usize..1000) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("lisa.jsonl");
            written(&path, 6);
            let whole = std::fs::read(&path).unwrap();
            let cut = cut % (whole.len() + 1);
            std::fs::write(&path, &whole[..cut]).unwrap();
            let ends: Vec<usize> = (0..whole.len()).filter(|&n| whole[n] == b'\n').collect();
            // A line is whole when only its end is missing.
            let expected = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
            let mut read = Journal::open(&path, "lisa", 7).unwrap();
            prop_assert_eq!(entries(&read), (0..expected).map(entry).collect::<Vec<_>>());
            read.journal.append(&[entry(9)]).unwrap();
            let again = Journal::open(&path, "lisa", 7).unwrap();
            prop_assert_eq!(entries(&again), (0..expected).chain([9]).map(entry).collect::<Vec<_>>());
        }
    }

    #[test]
    fn other_journals_and_damaged_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lisa.jsonl");
        written(&path, 3);
        let message = |annotator, text| Journal::open(&path, annotator, text).unwrap_err().to_string();
        assert!(message("jonas", 7).ends_with("lisa.jsonl: the journal of lisa, not of jonas"));
        assert!(message("lisa", 8).ends_with("lisa.jsonl: the journal of another text"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"version\":1", "\"version\":2")).unwrap();
        assert!(message("lisa", 7).ends_with("a journal of version 2, this program knows 1"));
        std::fs::write(&path, text.replacen("\"mark\"", "\"Mark\"", 1)).unwrap();
        let damaged = message("lisa", 7);
        assert!(damaged.contains("lisa.jsonl:2:") && damaged.contains("expected a step of an annotator"), "{damaged}");
        std::fs::write(&path, "notes").unwrap();
        assert!(message("lisa", 7).contains("lisa.jsonl:1:1: expected the first line of a journal, found `notes`"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "notes", "nobody's file is emptied");
        std::fs::write(&path, "{}\n").unwrap();
        assert!(message("lisa", 7).contains("lisa.jsonl:1:2: expected the first line of a journal, found `{}`"));
    }

    #[test]
    fn what_another_program_wrote_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lisa.jsonl");
        let mut first = Journal::open(&path, "lisa", 7).unwrap().journal;
        let mut second = Journal::open(&path, "lisa", 7).unwrap().journal;
        second.append(&[entry(0), entry(1)]).unwrap();
        let message = first.append(&[entry(2)]).unwrap_err().to_string();
        assert!(message.contains("lisa.jsonl: another program wrote to it"), "{message}");
        assert_eq!(Journal::read(&path, "lisa", 7).unwrap().len(), 2);
    }

    /// A disk that is full, and on which nothing can be undone.
    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_saved_after_what_could_not_be_undone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lisa.jsonl");
        let mut journal = Journal::open(&path, "lisa", 7).unwrap().journal;
        journal.append(&[entry(0)]).unwrap();
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (file, length) = (std::mem::replace(&mut journal.file, full), std::mem::take(&mut journal.length));
        let error = journal.append(&[entry(1)]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io { .. }) && error.to_string().contains("No space left"), "{error}");
        (journal.file, journal.length) = (file, length);
        let message = journal.append(&[entry(2)]).unwrap_err().to_string();
        assert!(message.contains("lisa.jsonl: nothing more can be saved: "), "{message}");
        assert_eq!(entries(&Journal::open(&path, "lisa", 7).unwrap()), [entry(0)]);
    }
}
