//! References of a few words as bits: bit p of a word says that it stands at place p.
//!
//! All places at which an n-gram stands are then had at once: those of its first word, and those of its second, moved by one,
//! and so on (Baeza-Yates and Gonnet 1992, *A New Approach to Text Searching*, the shift-and method). No n-gram is hashed,
//! and its first place is a name for it. References stand one after another with a free place behind each, so that no
//! n-gram reaches from one into the next.

/// The places there are.
const PLACES: usize = u128::BITS as usize;

/// Words from this number on are not taken: each below takes a row of the table.
const MOST_WORDS: u32 = 1 << 16;

/// References, by the places of their words.
#[derive(Debug, Default)]
pub(super) struct Bits {
    /// The places of each word, by its number.
    places: Vec<u128>,
    /// Words that have places.
    words: Vec<u32>,
    /// The places of each reference.
    references: Vec<u128>,
    /// How often n-grams were met in a hypothesis, by order and first place.
    met: Vec<[u8; PLACES]>,
}

impl Bits {
    /// Replaces the references; false, and none are there, if they do not fit.
    pub(super) fn read<'r>(&mut self, references: impl Iterator<Item = &'r [u32]>) -> bool {
        self.clear();
        let mut next = 0;
        for reference in references {
            if !self.push(reference, next) {
                self.clear();
                return false;
            }
            next += reference.len() + 1;
        }
        true
    }

    fn push(&mut self, reference: &[u32], start: usize) -> bool {
        if start + reference.len() >= PLACES {
            return false;
        }
        let mut own = 0;
        for (place, &word) in (start..).zip(reference) {
            if word >= MOST_WORDS {
                return false;
            }
            let word_index = word as usize;
            if self.places.len() <= word_index {
                self.places.resize(word_index + 1, 0);
            }
            let places = &mut self.places[word_index];
            if *places == 0 {
                self.words.push(word);
            }
            *places |= 1 << place;
            own |= 1 << place;
        }
        self.references.push(own);
        true
    }

    fn clear(&mut self) {
        for word in self.words.drain(..) {
            self.places[word as usize] = 0;
        }
        self.references.clear();
    }

    /// Writes for each order how many n-grams of a hypothesis match.
    pub(super) fn matches(&mut self, symbols: &[u32], matches: &mut [f64]) {
        matches.fill(0.0);
        self.met.clear();
        self.met.resize(matches.len(), [0; PLACES]);
        for start in 0..symbols.len() {
            let mut places = u128::MAX;
            let orders = matches.iter_mut().zip(&mut self.met);
            for (n, (&word, (matched, met))) in symbols[start..].iter().zip(orders).enumerate() {
                places &= self.places.get(word as usize).map_or(0, |places| places >> n);
                if places == 0 {
                    break;
                }
                let met = &mut met[places.trailing_zeros() as usize];
                if u32::from(*met) < most(&self.references, places) {
                    *met += 1;
                    *matched += 1.0;
                }
            }
        }
    }
}

/// How often the n-gram with these places is in the reference that has most of it.
fn most(references: &[u128], places: u128) -> u32 {
    match references {
        [_] => places.count_ones(),
        _ => references.iter().map(|own| (own & places).count_ones()).max().unwrap_or(0),
    }
}
