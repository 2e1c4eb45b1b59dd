//! Interning: each distinct byte string gets a small number.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

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
    table: HashTable<u32>,
}

/// Fixed, so that nothing depends on the process; not used for anything that shows.
const SEED: u64 = 0x0061_6c69_6e65_6121;

fn hash(word: &[u8]) -> u64 {
    let mut hasher = FixedState::with_seed(SEED).build_hasher();
    hasher.write(word);
    hasher.finish()
}

impl Vocabulary {
    /// The id of `word`, a new one if it was not met before.
    ///
    /// # Panics
    /// At 2^32 distinct words.
    pub fn intern(&mut self, word: &[u8]) -> WordId {
        let hash_of_word = hash(word);
        let (bytes, ends) = (&self.bytes, &self.ends);
        if let Some(&id) = self.table.find(hash_of_word, |&id| slice(bytes, ends, id) == word) {
            return WordId(id);
        }
        let id = WordId::from_index(self.ends.len());
        self.bytes.extend_from_slice(word);
        self.ends.push(self.bytes.len() as u64);
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.table.insert_unique(hash_of_word, id.0, |&id| hash(slice(bytes, ends, id)));
        id
    }

    /// The id of `word` if it was interned.
    pub fn id(&self, word: &[u8]) -> Option<WordId> {
        self.table.find(hash(word), |&id| slice(&self.bytes, &self.ends, id) == word).map(|&id| WordId(id))
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

    /// The number of distinct words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no word was interned.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 8 + self.table.capacity() * 5
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
        fn every_word_is_found_under_its_id(words in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..6), 0..200)) {
            let mut v = Vocabulary::default();
            let ids: Vec<_> = words.iter().map(|w| v.intern(w)).collect();
            for (word, id) in words.iter().zip(ids) {
                prop_assert_eq!(v.word(id), &word[..]);
                prop_assert_eq!(v.id(word), Some(id));
            }
        }
    }
}
