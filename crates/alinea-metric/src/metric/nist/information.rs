//! What n-grams tell: how often each occurs in all references, beside its first n - 1 words.
//!
//! An n-gram is the pair of a shorter one and its last word, and has a number; a table finds the number of a pair.

use hashbrown::HashTable;

use crate::bitext::{Vocabulary, WordId};

/// The number of the empty n-gram.
const EMPTY: u32 = u32::MAX;

/// The word that no reference has.
const UNKNOWN: u32 = u32::MAX;

/// The number of the shorter n-gram, and the last word.
type Gram = (u32, u32);

/// n-grams of all references, with their information.
#[derive(Debug)]
pub(super) struct Information {
    order: usize,
    words: Vocabulary,
    total_words: u64,
    /// Numbers of n-grams.
    numbers: HashTable<u32>,
    grams: Vec<Gram>,
    counts: Vec<u32>,
    weights: Vec<f64>,
}

impl Information {
    pub(super) fn new(order: usize) -> Self {
        Self {
            order,
            words: Vocabulary::default(),
            total_words: 0,
            numbers: HashTable::new(),
            grams: Vec::new(),
            counts: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Words as numbers, of which new ones are made.
    pub(super) fn intern_words(&mut self, sentence: &[u32], vocabulary: &Vocabulary, words: &mut Vec<u32>) {
        words.clear();
        words.extend(sentence.iter().map(|&word| self.words.intern(word_of(vocabulary, word)).index() as u32));
    }

    /// Words as numbers, those of the references.
    pub(super) fn known_words(&self, sentence: &[u32], vocabulary: &Vocabulary, words: &mut Vec<u32>) {
        let known = |word| self.words.id(word_of(vocabulary, word)).map_or(UNKNOWN, |known| known.index() as u32);
        words.clear();
        words.extend(sentence.iter().map(|&word| known(word)));
    }

    /// Counts the n-grams of a reference.
    pub(super) fn count(&mut self, words: &[u32]) {
        self.total_words += words.len() as u64;
        let grams = &self.grams;
        self.numbers.reserve(words.len() * self.order, |&number| hash(grams[number as usize]));
        let mut shorter = vec![EMPTY; words.len()];
        for n in 1..=self.order.min(words.len()) {
            for (place, &last) in words[n - 1..].iter().enumerate() {
                let number = self.intern((shorter[place], last));
                self.counts[number as usize] += 1;
                shorter[place] = number;
            }
        }
    }

    /// Turns counts into information (Doddington 2002, equation 2).
    pub(super) fn weigh(&mut self) {
        let total = self.total_words as f64;
        let counts = &self.counts;
        let weights = self.grams.iter().zip(counts).map(|(&(shorter, _), &count)| {
            let before = if shorter == EMPTY { total } else { f64::from(counts[shorter as usize]) };
            (before / f64::from(count)).ln() / std::f64::consts::LN_2
        });
        self.weights = weights.collect();
        self.counts = Vec::new();
    }

    /// The information of an n-gram in bits.
    pub(super) fn weight(&self, number: u32) -> f64 {
        self.weights[number as usize]
    }

    /// Replaces each list by the numbers of the known n-grams of its order, 1 and up, in the order of their places.
    pub(super) fn numbers(&self, words: &[u32], lists: &mut [Vec<u32>]) {
        let mut known: Vec<(u32, u32)> = (0..words.len() as u32).map(|place| (place, EMPTY)).collect();
        for (n, list) in (1..).zip(lists) {
            list.clear();
            known.retain_mut(|(place, shorter)| {
                let Some(&last) = words.get(*place as usize + n - 1) else { return false };
                let Some(number) = self.find((*shorter, last)) else { return false };
                *shorter = number;
                list.push(number);
                true
            });
        }
    }

    fn find(&self, gram: Gram) -> Option<u32> {
        self.numbers.find(hash(gram), |&number| self.grams[number as usize] == gram).copied()
    }

    fn intern(&mut self, gram: Gram) -> u32 {
        if let Some(number) = self.find(gram) {
            return number;
        }
        let number = self.grams.len() as u32;
        self.grams.push(gram);
        self.counts.push(0);
        let grams = &self.grams;
        self.numbers.insert_unique(hash(gram), number, |&number| hash(grams[number as usize]));
        number
    }
}

/// Both halves of a number that the whole pair has gone into: a table takes its slot from the one, a tag from the other.
fn hash((shorter, last): Gram) -> u64 {
    let mixed = (u64::from(shorter) << 32 | u64::from(last)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn word_of(vocabulary: &Vocabulary, number: u32) -> &[u8] {
    vocabulary.word(WordId::from_index(number as usize))
}
