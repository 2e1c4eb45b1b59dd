//! Interning: each distinct word, a byte string, gets a number, from 0 in order of first appearance.
//!
//! From number to word: all words stand one behind the other in an arena, with the offset at which each ends; a word is
//! a slice of it. From word to number: a hash table whose entries have the word's length, number, and first 8
//! bytes as a `u64`. Words of up to 8 bytes, most of running text, are hashed and compared by these alone; only longer
//! ones are looked at in the arena, which costs a cache miss.
//!
//! The seed of the hash is fixed and the table is never iterated over, so numbers depend on the order of insertion
//! alone. Files have the arena and the offsets; the table is built again on reading, and a repeated word is an error.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::error::Result;
use crate::storage::{Container, ContainerWriter};

/// The number of a word in its [`Vocabulary`], from 0 in order of first appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct WordId(u32);

impl WordId {
    /// The id with this index.
    ///
    /// # Panics
    /// If the index needs more than 32 bits.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 distinct words"))
    }

    /// The id as an index into arrays by word.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Distinct words, each stored once in one byte arena. Lookup is by hash, numbers depend on order of appearance only.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    table: HashTable<Entry>,
}

/// What the table knows of a word. Most words of running text have at most [`SHORT`] bytes and are compared without
/// a look into the arena, which would be a cache miss.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The whole word if it is short, otherwise its first bytes.
    start: u64,
    length: u32,
    id: u32,
}

/// How many bytes an entry holds.
const SHORT: usize = 8;

/// Fixed, so that nothing depends on the process; not used for anything that shows.
const SEED: u64 = 0x0061_6c69_6e65_6121;

/// The first bytes of a word, up to [`SHORT`], as a number; different for different short words of one length.
fn start_of(word: &[u8]) -> u64 {
    if let Some(first) = word.first_chunk::<8>() {
        return u64::from_le_bytes(*first);
    }
    if let (Some(first), Some(last)) = (word.first_chunk::<4>(), word.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    match *word {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a, b, c, ..] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
    }
}

/// What hashes words, and pairs of sentences.
pub(super) fn hasher() -> impl Hasher {
    FixedState::with_seed(SEED).build_hasher()
}

fn hash(word: &[u8], start: u64) -> u64 {
    let mut hasher = hasher();
    if word.len() <= SHORT {
        hasher.write_u64(start);
        hasher.write_u64(word.len() as u64);
    } else {
        hasher.write(word);
    }
    hasher.finish()
}

impl Vocabulary {
    /// The id of `word`, a new one if it was not met before.
    ///
    /// # Panics
    /// At 2^32 distinct words.
    pub fn intern(&mut self, word: &[u8]) -> WordId {
        let start = start_of(word);
        let hash_of_word = hash(word, start);
        match self.find(word, start, hash_of_word) {
            Some(id) => id,
            None => self.insert(word, start, hash_of_word),
        }
    }

    fn find(&self, word: &[u8], start: u64, hash_of_word: u64) -> Option<WordId> {
        let same = |entry: &Entry| {
            entry.start == start
                && entry.length == word.len() as u32
                && (word.len() <= SHORT || slice(&self.bytes, &self.ends, entry.id) == word)
        };
        self.table.find(hash_of_word, same).map(|entry| WordId(entry.id))
    }

    #[cold]
    fn insert(&mut self, word: &[u8], start: u64, hash_of_word: u64) -> WordId {
        let id = WordId::from_index(self.ends.len());
        self.bytes.extend_from_slice(word);
        self.ends.push(self.bytes.len() as u64);
        let (bytes, ends) = (&self.bytes, &self.ends);
        // Of a length that needs more than 32 bits the lower ones are compared, and then the bytes.
        let entry = Entry { start, length: word.len() as u32, id: id.0 };
        self.table.insert_unique(hash_of_word, entry, |entry| hash(slice(bytes, ends, entry.id), entry.start));
        id
    }

    /// The id of `word` if it was interned.
    pub fn id(&self, word: &[u8]) -> Option<WordId> {
        let start = start_of(word);
        self.find(word, start, hash(word, start))
    }

    /// The word with this id.
    ///
    /// # Panics
    /// If the id comes from a larger vocabulary.
    pub fn word(&self, id: WordId) -> &[u8] {
        slice(&self.bytes, &self.ends, id.0)
    }

    /// All words in the order of their ids.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.ends.len() as u32).map(|id| slice(&self.bytes, &self.ends, id))
    }

    /// The words with these numbers, numbered by their order here.
    ///
    /// # Panics
    /// If there is no word with one of the numbers.
    #[must_use]
    #[doc(hidden)]
    pub fn reordered(&self, order: &[u32]) -> Self {
        let mut reordered = Self::default();
        for &number in order {
            reordered.intern(self.word(WordId::from_index(number as usize)));
        }
        reordered
    }

    /// Forgets all words, not the room for them.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.table.clear();
    }

    /// The number of distinct words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no word was interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds the words to a file, under a name that others begin with.
    #[doc(hidden)]
    pub fn store(&self, file: &mut ContainerWriter<'_>, name: &str) {
        file.add_owned(format!("{name}.bytes"), self.bytes.clone());
        file.add_owned(format!("{name}.ends"), self.ends.clone());
    }

    /// The words that were stored under a name. O(bytes).
    ///
    /// # Errors
    /// `Model` if there are no such words, or one of them twice.
    #[doc(hidden)]
    pub fn load(file: &Container, name: &str) -> Result<Self> {
        let bytes = file.section::<u8>(&format!("{name}.bytes"))?;
        let ends = file.section::<u64>(&format!("{name}.ends"))?;
        let mut vocabulary = Self::default();
        vocabulary.table.reserve(ends.len(), |entry| entry.start);
        let mut start = 0;
        for (n, &end) in ends.iter().enumerate() {
            let word = usize::try_from(end).ok().and_then(|end| bytes.get(start..end));
            let id = word.map(|word| vocabulary.intern(word).index());
            if id != Some(n) {
                return Err(file.error(format!("distinct words in `{name}`"), format!("none at {start}..{end}")));
            }
            start = end as usize;
        }
        Ok(vocabulary)
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 8 + self.table.capacity() * (size_of::<Entry>() + 1)
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u64], id: u32) -> &'a [u8] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &bytes[start as usize..ends[id] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ids_follow_first_appearance() {
        let mut v = Vocabulary::default();
        let ids: Vec<_> = ["b", "a", "b", "", "c", "a"].iter().map(|w| v.intern(w.as_bytes()).index()).collect();
        assert_eq!(ids, [0, 1, 0, 2, 3, 1]);
        assert_eq!(v.words().collect::<Vec<_>>(), [&b"b"[..], b"a", b"", b"c"]);
        assert_eq!(v.id(b"zzz"), None);
    }

    proptest! {
        #[test]
        fn every_word_is_found_under_its_id(words in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..12), 0..200)) {
            let mut v = Vocabulary::default();
            let ids: Vec<_> = words.iter().map(|w| v.intern(w)).collect();
            let distinct: std::collections::BTreeSet<_> = words.iter().collect();
            prop_assert_eq!(v.len(), distinct.len());
            for (word, id) in words.iter().zip(ids) {
                prop_assert_eq!(v.word(id), &word[..]);
                prop_assert_eq!(v.id(word), Some(id));
            }
        }
    }
}
