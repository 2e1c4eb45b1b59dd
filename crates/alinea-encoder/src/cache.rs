//! Word vectors that are kept in a file, so that a sentence is encoded once.
//!
//! A [`VectorCache`] has the vectors of sentences by their words. On disk it is one file of named arrays with checksums
//! ([`alinea_text::storage`]): a header (JSON) that names format, version, encoder and width, and three arrays, sentence after
//! sentence in the order in which they were inserted:
//!
//! * `keys` (U64 [n, 2]): two XXH3 sums of 64 bits, with seeds 0 and 1, of the lengths and bytes of the words. That two of a
//!   billion sentences have the same 128 bits has a probability of about 10^-21.
//! * `ends` (U64 [n]): the number of words up to and with each sentence.
//! * `values` (U16): the vectors, as the bits of binary16; two bytes a number, so 768 bytes a word of 384 numbers.
//!
//! Vectors of one encoder are of no use for another. The identity of an encoder is a hash of its weights, its tokenizer, its
//! configuration and the layer; a file of another identity is an error and not replaced, as is one that is damaged. A new file
//! takes the place of the old one when it is complete.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alinea_text::format::sink;
use alinea_text::storage::{Container, ContainerWriter};
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use twox_hash::XxHash3_64;

use crate::error::{Error, ErrorKind, Result};

const FORMAT: &str = "alinea word vectors";

/// The version of files that are written, and the only one that is read.
const VERSION: u32 = 1;

/// The seed of the second sum of a key; the first has none.
const SECOND_SEED: u64 = 1;

/// How long vectors are only in memory while a text is encoded.
const UNSAVED: Duration = Duration::from_secs(5 * 60);

/// The exponent of binary16 in numbers that are not finite.
const NOT_FINITE: u16 = 0x7C00;

/// Vectors of sentences by their words, in memory, and in a file if they are saved.
///
/// ```
/// use alinea::encoder::VectorCache;
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("vectors");
/// let (identity, origin, width) = (0x5EED, "toy.1", 2);
/// let mut cache = VectorCache::open(&path, identity, origin, width)?;
/// assert!(cache.find(&["la", "maison"]).is_none());
/// cache.insert(&["la", "maison"], &[0x3C00, 0, 0xBC00, 0x3800]);
/// cache.save()?;
///
/// let cache = VectorCache::open(&path, identity, origin, width)?;
/// assert_eq!(cache.find(&["la", "maison"]), Some(&[0x3C00, 0, 0xBC00, 0x3800][..]));
/// assert!(!cache.is_changed());
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug)]
pub struct VectorCache {
    path: PathBuf,
    identity: u64,
    origin: String,
    width: usize,
    keys: Vec<[u64; 2]>,
    /// The number of words up to and with each sentence.
    ends: Vec<u64>,
    values: Vec<u16>,
    /// Sentences by their keys.
    table: HashTable<usize>,
    changed: bool,
    /// When the file was read, or written while a text is encoded.
    saved_at: Instant,
}

/// What a sentence is found by: two sums of its words, and how many they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    sums: [u64; 2],
    words: usize,
}

impl Key {
    /// That of the sentence with these words.
    pub(crate) fn of(words: &[&str]) -> Self {
        let mut bytes = Vec::new();
        for word in words {
            bytes.extend_from_slice(&(word.len() as u64).to_le_bytes());
            bytes.extend_from_slice(word.as_bytes());
        }
        let sums = [XxHash3_64::oneshot(&bytes), XxHash3_64::oneshot_with_seed(SECOND_SEED, &bytes)];
        Self { sums, words: words.len() }
    }
}

/// What a file says of itself.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    program: String,
    identity: String,
    origin: String,
    width: usize,
}

impl VectorCache {
    /// Reads a file of vectors of this width that the encoder with this identity made; `origin` is its name for people.
    /// Without a file it is empty, and the file may be created. O(bytes); all of it is in memory.
    ///
    /// # Errors
    /// `Io`, also if there is no file and none can be created; `UnusablePath` for a pipe or a device, or for a new file by a name of
    /// compressed files; `Model` if it is another file, is damaged, or has vectors of another encoder or layer.
    pub fn open(path: &Path, identity: u64, origin: &str, width: usize) -> Result<Self> {
        if sink::is_stream(path) {
            let reason = "a cache of vectors is read and then replaced, so it must be a file";
            return Err(ErrorKind::UnusablePath { path: path.display().to_string(), reason }.into());
        }
        let mut cache = Self {
            path: path.to_owned(),
            identity,
            origin: origin.to_owned(),
            width,
            keys: Vec::new(),
            ends: Vec::new(),
            values: Vec::new(),
            table: HashTable::new(),
            changed: false,
            saved_at: Instant::now(),
        };
        match Container::open(path) {
            Ok(file) => cache.read(&file)?,
            // What cannot be created is better known before anything is encoded.
            Err(error) if is_absent(&error) => drop(sink::create_uncompressed(path)?),
            Err(error) => return Err(error),
        }
        Ok(cache)
    }

    /// The vectors of the words of a sentence, one behind the other, if they are there.
    pub fn find(&self, words: &[&str]) -> Option<&[u16]> {
        let found = self.look_up(Key::of(words)).ok()?;
        found.map(|n| self.vectors(n))
    }

    /// Keeps the vectors of the words of a sentence. Those that are there already stay, and vectors with numbers that are not
    /// finite are not kept.
    ///
    /// # Panics
    /// If there is not one vector for each word.
    pub fn insert(&mut self, words: &[&str], vectors: &[u16]) {
        assert_eq!(vectors.len(), words.len() * self.width, "a vector for each word");
        let key = Key::of(words);
        if self.place(key.sums).is_none() && are_finite(vectors) {
            self.push(key, vectors);
        }
    }

    /// The number of a sentence here, if it is there.
    ///
    /// # Errors
    /// `Model` if it has another number of words here.
    pub(crate) fn look_up(&self, key: Key) -> Result<Option<usize>> {
        let found = self.place(key.sums);
        if found.is_none_or(|n| self.range(n).len() == key.words) {
            return Ok(found);
        }
        let expected = "a vector for each word of a sentence".to_owned();
        let (path, found) = (self.path.display().to_string(), "more or fewer".to_owned());
        Err(ErrorKind::Model { path, expected, found }.into())
    }

    /// Keeps the vectors of the words of a sentence, all of them finite, unless it is there already; its number here.
    ///
    /// # Errors
    /// As [`look_up`](Self::look_up).
    pub(crate) fn keep(&mut self, key: Key, vectors: &[u16]) -> Result<usize> {
        let found = self.look_up(key)?;
        Ok(found.unwrap_or_else(|| self.push(key, vectors)))
    }

    /// The vectors of the words of the sentence with this number, one behind the other.
    pub(crate) fn vectors(&self, n: usize) -> &[u16] {
        let Range { start, end } = self.range(n);
        &self.values[start * self.width..end * self.width]
    }

    /// Writes the file if it was read or written some minutes ago.
    ///
    /// # Errors
    /// Those of [`save`](Self::save).
    pub(crate) fn save_if_due(&mut self, now: Instant) -> Result<()> {
        if self.changed && now.saturating_duration_since(self.saved_at) >= UNSAVED {
            self.save()?;
            self.saved_at = Instant::now();
        }
        Ok(())
    }

    /// Whether there is more than in the file that was read.
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Writes the file: the same bytes for the same sentences in the same order.
    ///
    /// # Errors
    /// `Io`; what was there before stays then.
    pub fn save(&self) -> Result<()> {
        let failed = |error: io::Error| Error::io(&self.path, error);
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            identity: hexadecimal(self.identity),
            origin: self.origin.clone(),
            width: self.width,
        };
        let header = serde_json::to_string(&header).map_err(|error| failed(error.into()))?;
        let mut file = ContainerWriter::new(header);
        file.add("keys", &self.keys[..]);
        file.add("ends", &self.ends[..]);
        file.add("values", &self.values[..]);
        let mut output = sink::create_uncompressed(&self.path)?;
        file.write(&mut output).map_err(failed)?;
        output.finish()
    }

    fn read(&mut self, file: &Container) -> Result<()> {
        self.check(file)?;
        self.keys = file.section("keys")?;
        self.ends = file.section_of("ends", self.keys.len())?;
        self.values = file.section("values")?;
        let words = self.ends.last().copied().unwrap_or_default();
        if !self.ends.is_sorted() || u128::from(words) * self.width as u128 != self.values.len() as u128 {
            let found = format!("{} numbers", self.values.len());
            return Err(file.error(format!("vectors of {} numbers for {words} words", self.width), found));
        }
        if !are_finite(&self.values) {
            return Err(file.error("finite numbers".to_owned(), "infinite ones, or none".to_owned()));
        }
        self.table = HashTable::with_capacity(self.keys.len());
        for n in 0..self.keys.len() {
            if self.place(self.keys[n]).is_some() {
                return Err(file.error("each sentence once".to_owned(), "one twice".to_owned()));
            }
            self.enter(n);
        }
        Ok(())
    }

    /// Whether a file has what this encoder makes.
    fn check(&self, file: &Container) -> Result<()> {
        let header: Value = serde_json::from_str(file.text()).unwrap_or_default();
        let format = header.get("format").and_then(Value::as_str);
        if format != Some(FORMAT) {
            let found = format.map_or_else(|| "another file of alinea".to_owned(), |format| format!("`{format}`"));
            return Err(file.error(format!("`{FORMAT}`"), found));
        }
        let version = header.get("version").and_then(Value::as_u64);
        if version != Some(u64::from(VERSION)) {
            let program = header.get("program").and_then(Value::as_str).unwrap_or("another program");
            let version = version.map_or_else(|| "none".to_owned(), |version| version.to_string());
            let expected = format!("{FORMAT} of version {VERSION} (this is alinea {})", env!("CARGO_PKG_VERSION"));
            return Err(file.error(expected, format!("version {version}, written by alinea {program}")));
        }
        let bad =
            |error: serde_json::Error| file.error("a header that names the encoder".to_owned(), error.to_string());
        let header: Header = serde_json::from_value(header).map_err(bad)?;
        let identity = hexadecimal(self.identity);
        if header.origin == self.origin && header.identity == identity && header.width == self.width {
            return Ok(());
        }
        let described = |origin: &str, identity: &str, width| format!("{origin} ({identity}, {width} numbers a word)");
        let expected = format!("word vectors of {}", described(&self.origin, &identity, self.width));
        let of_file = described(&header.origin, &header.identity, header.width);
        Err(file.error(expected, format!("those of {of_file}: each encoder and each layer needs a file of its own")))
    }

    /// Adds a sentence that is not there; its number.
    fn push(&mut self, key: Key, vectors: &[u16]) -> usize {
        let (n, words_before) = (self.keys.len(), self.ends.last().copied().unwrap_or_default());
        self.ends.push(words_before + key.words as u64);
        self.values.extend_from_slice(vectors);
        self.keys.push(key.sums);
        self.enter(n);
        self.changed = true;
        n
    }

    /// The words of a sentence among all.
    fn range(&self, n: usize) -> Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        start as usize..self.ends[n] as usize
    }

    /// The number of the sentence with these sums.
    fn place(&self, sums: [u64; 2]) -> Option<usize> {
        self.table.find(sums[0], |&n| self.keys[n] == sums).copied()
    }

    /// Enters a sentence into the table.
    fn enter(&mut self, n: usize) {
        let keys = &self.keys;
        self.table.insert_unique(keys[n][0], n, |&other| keys[other][0]);
    }
}

fn are_finite(values: &[u16]) -> bool {
    values.iter().all(|value| (value & NOT_FINITE) != NOT_FINITE)
}

fn hexadecimal(identity: u64) -> String {
    format!("{identity:016x}")
}

/// Whether there is no file.
fn is_absent(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const ONE: u16 = 0x3C00;

    fn open(path: &Path) -> Result<VectorCache> {
        VectorCache::open(path, 0xABC, "toy.1", 2)
    }

    /// A file of three sentences, one of them empty.
    fn filled(path: &Path) -> VectorCache {
        let mut cache = open(path).unwrap();
        cache.insert(&["a", "b"], &[1, 2, 3, 4]);
        cache.insert(&[], &[]);
        cache.insert(&["ab"], &[ONE, 0x7BFF]);
        cache.save().unwrap();
        cache
    }

    fn message(error: &Error, path: &Path) -> String {
        error.to_string().replace(&path.display().to_string(), "FILE")
    }

    #[test]
    fn vectors_come_back() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("vectors");
        assert!(filled(&path).is_changed());
        let mut cache = open(&path).unwrap();
        assert_eq!(cache.find(&["a", "b"]), Some(&[1, 2, 3, 4][..]));
        assert_eq!(cache.find(&[]).map(<[u16]>::len), Some(0));
        assert_eq!(cache.find(&["ab"]), Some(&[ONE, 0x7BFF][..]));
        for other in [&["b", "a"][..], &["a b"], &["a", "b", ""], &[""], &["a"]] {
            assert_eq!(cache.find(other), None, "{other:?}");
        }
        // What is known stays, and what is not finite is not kept.
        cache.insert(&["ab"], &[5, 6]);
        cache.insert(&["c"], &[5, 0x7C00]);
        cache.insert(&["d"], &[0xFE00, 5]);
        assert!(!cache.is_changed());
        assert_eq!(cache.find(&["ab"]), Some(&[ONE, 0x7BFF][..]));
        assert_eq!([cache.find(&["c"]), cache.find(&["d"])], [None; 2]);
        cache.insert(&["e"], &[5, 6]);
        assert!(cache.is_changed());
        cache.save().unwrap();
        let cache = open(&path).unwrap();
        assert_eq!([cache.find(&["e"]), cache.find(&["ab"])], [Some(&[5, 6][..]), Some(&[ONE, 0x7BFF][..])]);
    }

    #[test]
    fn vectors_are_saved_from_time_to_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("vectors");
        let mut cache = open(&path).unwrap();
        let now = Instant::now();
        cache.save_if_due(now + 2 * UNSAVED).unwrap();
        assert!(!path.exists(), "there is nothing to save");
        cache.insert(&["a"], &[1, 2]);
        cache.save_if_due(now).unwrap();
        assert!(!path.exists(), "it is too early");
        cache.save_if_due(now + 2 * UNSAVED).unwrap();
        assert_eq!(open(&path).unwrap().find(&["a"]), Some(&[1, 2][..]));
    }

    #[test]
    fn many_sentences_are_found() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("vectors");
        let mut cache = open(&path).unwrap();
        let words: Vec<String> = (0..2000).map(|n| format!("w{n}")).collect();
        for (n, word) in (0..).zip(&words) {
            cache.insert(&[word.as_str(), "x"], &[n; 4]);
        }
        cache.save().unwrap();
        for cache in [cache, open(&path).unwrap()] {
            for (n, word) in (0..).zip(&words) {
                assert_eq!(cache.find(&[word.as_str(), "x"]), Some(&[n; 4][..]));
            }
        }
    }

    #[test]
    fn the_same_sentences_give_the_same_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let paths = ["one", "other"].map(|name| directory.path().join(name));
        for path in &paths {
            drop(filled(path));
        }
        let bytes = fs::read(&paths[0]).unwrap();
        assert_eq!(fs::read(&paths[1]).unwrap(), bytes);
        open(&paths[0]).unwrap().save().unwrap();
        assert_eq!(fs::read(&paths[0]).unwrap(), bytes);
        let file = Container::open(&paths[0]).unwrap();
        assert_eq!(file.names(), ["keys", "ends", "values"]);
        assert_eq!(file.section_of::<u64>("ends", 3).unwrap(), [2, 2, 3]);
    }

    #[test]
    fn other_encoders_are_refused_and_their_file_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("vectors");
        filled(&path);
        let bytes = fs::read(&path).unwrap();
        let expected = "FILE: expected word vectors of toy.2 (0000000000000abc, 2 numbers a word), found those of toy.1 \
                        (0000000000000abc, 2 numbers a word): each encoder and each layer needs a file of its own";
        assert_eq!(message(&VectorCache::open(&path, 0xABC, "toy.2", 2).unwrap_err(), &path), expected);
        let weights = VectorCache::open(&path, 0xDEF, "toy.1", 2).unwrap_err();
        assert!(message(&weights, &path).contains("toy.1 (0000000000000def, 2 numbers a word), found those of toy.1"));
        let width = VectorCache::open(&path, 0xABC, "toy.1", 3).unwrap_err();
        assert!(message(&width, &path).contains("(0000000000000abc, 3 numbers a word), found"));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn a_new_file_must_be_possible() {
        let directory = tempfile::tempdir().unwrap();
        assert!(open(&directory.path().join("absent")).unwrap().find(&["a"]).is_none());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        assert!(matches!(open(&directory.path().join("no/vectors")).unwrap_err().kind(), ErrorKind::Io { .. }));
        assert!(matches!(open(directory.path()).unwrap_err().kind(), ErrorKind::Io { .. }));
        for unusable in [directory.path().join("vectors.gz"), PathBuf::from("-")] {
            assert!(matches!(open(&unusable).unwrap_err().kind(), ErrorKind::UnusablePath { .. }));
        }
    }

    #[test]
    fn every_damage_and_every_truncation_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("vectors");
        filled(&path);
        let bytes = fs::read(&path).unwrap();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            fs::write(&path, &damaged).unwrap();
            assert!(matches!(open(&path).unwrap_err().kind(), ErrorKind::Model { .. }), "{place}");
            fs::write(&path, &bytes[..place]).unwrap();
            assert!(matches!(open(&path).unwrap_err().kind(), ErrorKind::Model { .. }), "{place}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("vectors");
        let refused = |bytes: &[u8], expected: &str| {
            fs::write(&path, bytes).unwrap();
            let error = message(&open(&path).unwrap_err(), &path);
            assert!(error.starts_with(expected), "{error}");
        };
        refused(b"the house\nthe garden\n", "FILE: expected a file written by alinea, found something else");
        refused(b"", "FILE: expected a file written by alinea, found a file of 0 bytes");
        let with = |header: &str, keys: &[[u64; 2]], ends: &[u64], values: &[u16], expected: &str| {
            let mut file = ContainerWriter::new(header.to_owned());
            file.add("keys", keys);
            file.add("ends", ends);
            file.add("values", values);
            let mut bytes = Vec::new();
            file.write(&mut bytes).unwrap();
            refused(&bytes, expected);
        };
        let named = "FILE: expected `alinea word vectors`, found";
        with("", &[], &[], &[], &format!("{named} another file of alinea"));
        with("[1]", &[], &[], &[], &format!("{named} another file of alinea"));
        with(r#"{"format":"alinea model"}"#, &[], &[], &[], &format!("{named} `alinea model`"));
        let header = |version: u32| {
            let identity = hexadecimal(0xABC);
            let header = serde_json::json!({
                "format": FORMAT, "version": version, "program": "0.1.0",
                "identity": identity, "origin": "toy.1", "width": 2,
            });
            header.to_string()
        };
        with(&header(2), &[], &[], &[], "FILE: expected alinea word vectors of version 1 (this is alinea ");
        let nameless = r#"{"format":"alinea word vectors","version":1}"#;
        with(nameless, &[], &[], &[], "FILE: expected a header that names the encoder, found missing field");
        let header = header(1);
        with(&header, &[[1, 1]], &[], &[], "FILE: expected `ends` of length 1, found length 0");
        with(&header, &[[1, 1]], &[1], &[0], "FILE: expected vectors of 2 numbers for 1 words, found 1 numbers");
        with(&header, &[[1, 1]], &[u64::MAX], &[0; 2], "FILE: expected vectors of 2 numbers for");
        with(&header, &[[1, 1], [2, 2]], &[2, 1], &[0; 2], "FILE: expected vectors of 2 numbers for 1 words");
        with(&header, &[], &[], &[0; 2], "FILE: expected vectors of 2 numbers for 0 words");
        with(&header, &[[1, 1]; 2], &[1, 2], &[0; 4], "FILE: expected each sentence once, found one twice");
        with(&header, &[[1, 1]], &[1], &[0, 0x7E00], "FILE: expected finite numbers, found infinite ones, or none");
    }
}
