//! How words of one language are spelled in the other, learned from the text.
//!
//! A character model, IBM Model 1 with a preference for equal relative positions: symbol b_j of one word, j = 1..m, comes
//! from symbol a_i of the other, i = 1..n, or from nothing. With pos(i,j) = exp(-5 |(i-1/2)/n - (j-1/2)/m|), Z_j its sum
//! over i, and u(y) how frequent y is,
//!
//! ```text
//! p(b_j)      = 0.8 sum_i pos(i,j) t(b_j|a_i) / Z_j  +  0.2 u(b_j)
//! Score(b|a)  = sum_j ln p(b_j) / u(b_j)
//! similarity  = 1 / (1 + exp(7.5 - 1.3 L)) ,   L = (Score(b|a) + Score(a|b)) / 2
//! ```
//!
//! It is trained by eight passes of expectation maximization on the pairs of words that the aligner links most, weighted
//! by their counts. Hangul syllables are read as their letters. Words with other ideographs, with digits or with ASCII
//! signs, and words of fewer than 3 or more than 24 symbols have no similarity.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::{PairIndex, SparseValues};
use crate::bitext::RankedBitext;
use crate::error::Result;
use crate::parallel::{Parallelism, chunk_range};
use crate::storage::{Container, ContainerWriter};

const SHORTEST: usize = 3;
/// The most symbols of a word that has similarities.
pub(crate) const LONGEST: usize = 24;
const PASSES: usize = 8;
/// The least count of a pair that is trained on.
const LEAST_COUNT: f64 = 0.3;
/// The share of symbols that come from a symbol.
const LINKED: f32 = 0.8;
/// Pseudo-counts of every symbol's distribution, distributed like u; and of every symbol in u.
const STRENGTH: f64 = 2.0;
const SYMBOL_PSEUDO_COUNT: f64 = 0.5;
/// Smaller similarities are as good as none.
const LEAST_SIMILARITY: f32 = 0.02;
/// What both directions together have at least where a similarity is not smaller than that: it takes e^5.55. Most pairs of
/// words are far below, and need no logarithm.
const LEAST_ODDS: f64 = 250.0;
/// The most pairs of symbols that are told apart; languages with larger alphabets have no character model.
const MOST_SYMBOL_PAIRS: usize = 4_000_000;

/// Rows of the index that make one piece of work.
const ROWS_PER_CHUNK: usize = 256;

/// The symbols of one language, by number.
#[derive(Debug, Clone, Default)]
struct Alphabet {
    numbers: BTreeMap<u32, u16>,
}

impl Alphabet {
    /// The symbols of a word as numbers; empty if it has no similarity. New ones get the next numbers.
    fn learn(&mut self, word: &[u8]) -> Vec<u16> {
        let (symbols, whole) = symbols_of(word);
        let numbers = &mut self.numbers;
        let known = symbols.into_iter().map(|symbol| {
            let next = numbers.len().min(usize::from(u16::MAX)) as u16;
            *numbers.entry(symbol).or_insert(next)
        });
        let known = known.collect();
        if whole { of_length(known) } else { Vec::new() }
    }

    /// The same of a word that may have symbols which are not known: then it has no similarity.
    fn spell(&self, word: &[u8]) -> Vec<u16> {
        let (symbols, whole) = symbols_of(word);
        let known: Option<Vec<u16>> = symbols.iter().map(|symbol| self.numbers.get(symbol).copied()).collect();
        known.filter(|_| whole).map_or_else(Vec::new, of_length)
    }

    fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// Nothing in the place of spellings that are too short or too long.
fn of_length(symbols: Vec<u16>) -> Vec<u16> {
    if (SHORTEST..=LONGEST).contains(&symbols.len()) { symbols } else { Vec::new() }
}

/// The symbols of a word up to the first that has no place in a spelling, and whether these are all.
fn symbols_of(word: &[u8]) -> (Vec<u32>, bool) {
    let mut symbols = Vec::new();
    for character in word.chars() {
        let code = u32::from(character);
        let excluded = (0x3400..=0x9FFF).contains(&code) || (code < 0x80 && !character.is_ascii_alphabetic());
        if excluded {
            return (symbols, false);
        }
        match code.checked_sub(0xAC00).filter(|&syllable| code <= 0xD7A3 && syllable < 11_172) {
            Some(syllable) => {
                let (initial, medial, last) = (syllable / 588, syllable % 588 / 28, syllable % 28);
                symbols.extend([0x11_0000 + initial, 0x11_0100 + medial]);
                if last != 0 {
                    symbols.push(0x11_0200 + last);
                }
            }
            None => symbols.push(code),
        }
    }
    (symbols, true)
}

/// pos(i,j) / Z_j for all lengths, by i + n j.
#[derive(Debug, Clone)]
struct Positions {
    tables: Vec<Vec<f32>>,
}

impl Positions {
    fn new() -> Self {
        let table = |n: usize, m: usize| {
            let mut table = Vec::with_capacity(n * m);
            for j in 0..m {
                let pos = |i: usize| (-5.0 * ((i as f64 + 0.5) / n as f64 - (j as f64 + 0.5) / m as f64).abs()).exp();
                let all: f64 = (0..n).map(pos).sum();
                table.extend((0..n).map(|i| (pos(i) / all) as f32));
            }
            table
        };
        let tables = (0..=LONGEST).flat_map(|n| (0..=LONGEST).map(move |m| (n, m))).map(|(n, m)| table(n, m)).collect();
        Self { tables }
    }

    /// A row of n for each j.
    fn of(&self, n: usize, m: usize) -> &[f32] {
        &self.tables[n * (LONGEST + 1) + m]
    }
}

/// t(y|x) and u(y) of one direction, from words `a` to words `b`.
#[derive(Debug, Clone)]
struct Direction {
    /// t(y|x) by y, then x.
    translation: Vec<f32>,
    given: usize,
    unigram: Vec<f32>,
}

impl Direction {
    /// Trains on pairs of spellings with weights.
    fn train(pairs: &[(&[u16], &[u16], f64)], given: usize, generated: usize, positions: &Positions) -> Self {
        let mut unigram = vec![SYMBOL_PSEUDO_COUNT; generated];
        for (_, b, weight) in pairs {
            b.iter().for_each(|&y| unigram[usize::from(y)] += weight);
        }
        let all: f64 = unigram.iter().sum();
        let unigram: Vec<f32> = unigram.into_iter().map(|count| (count / all) as f32).collect();
        let translation = unigram.iter().flat_map(|&u| std::iter::repeat_n(u, given)).collect();
        let mut model = Self { translation, given, unigram };
        for _ in 0..PASSES {
            model.pass(pairs, positions);
        }
        model
    }

    fn pass(&mut self, pairs: &[(&[u16], &[u16], f64)], positions: &Positions) {
        let mut counts = vec![0f64; self.translation.len()];
        for (a, b, weight) in pairs {
            for (&y, pos) in b.iter().zip(positions.of(a.len(), b.len()).chunks_exact(a.len())) {
                let row = &self.translation[usize::from(y) * self.given..][..self.given];
                let linked: f32 = a.iter().zip(pos).map(|(&x, pos)| pos * row[usize::from(x)]).sum();
                let total = LINKED * linked + (1.0 - LINKED) * self.unigram[usize::from(y)];
                let share = weight * f64::from(LINKED / total);
                let counts = &mut counts[usize::from(y) * self.given..][..self.given];
                for (&x, pos) in a.iter().zip(pos) {
                    counts[usize::from(x)] += share * f64::from(pos * row[usize::from(x)]);
                }
            }
        }
        let mut sums = vec![STRENGTH; self.given];
        for row in counts.chunks_exact(self.given) {
            sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
        let rows = self.translation.chunks_exact_mut(self.given).zip(counts.chunks_exact(self.given));
        for ((row, counts), &u) in rows.zip(&self.unigram) {
            for ((t, count), sum) in row.iter_mut().zip(counts).zip(&sums) {
                *t = ((count + STRENGTH * f64::from(u)) / sum) as f32;
            }
        }
    }

    /// e to the power of Score(b|a).
    fn odds(&self, a: &[u16], b: &[u16], positions: &Positions) -> f64 {
        let mut product = 1.0f64;
        for (&y, pos) in b.iter().zip(positions.of(a.len(), b.len()).chunks_exact(a.len())) {
            let row = &self.translation[usize::from(y) * self.given..][..self.given];
            let linked: f32 = a.iter().zip(pos).map(|(&x, pos)| pos * row[usize::from(x)]).sum();
            // At most 24 factors of at least 0.2 and at most a few thousand.
            product *= f64::from(LINKED * linked / self.unigram[usize::from(y)] + (1.0 - LINKED));
        }
        product
    }
}

/// How words of each language are spelled in the other.
#[derive(Debug, Clone)]
pub struct CharacterModel {
    alphabets: [Alphabet; 2],
    forward: Direction,
    reverse: Direction,
    positions: Positions,
}

/// What a word is spelled like, as numbers of symbols; empty if it has no similarity to anything.
pub type Spelled = Vec<u16>;

impl CharacterModel {
    /// Learns it from the words of a text, and how often each pair of them is linked; also returns the spellings of all
    /// words. Nothing for languages with large alphabets. O(pairs + passes × linked pairs × length²).
    pub fn learn(
        bitext: &RankedBitext,
        index: &PairIndex,
        count: impl Fn(usize) -> f64,
        parallelism: &Parallelism,
    ) -> Option<(Self, [Vec<Spelled>; 2])> {
        let mut alphabets = [Alphabet::default(), Alphabet::default()];
        let texts = [&bitext.bitext().source, &bitext.bitext().target];
        let mut side = |n: usize| texts[n].vocabulary().words().map(|word| alphabets[n].learn(word)).collect();
        let spelled: [Vec<Spelled>; 2] = [side(0), side(1)];
        let symbols = [alphabets[0].len(), alphabets[1].len()];
        if !(1..=MOST_SYMBOL_PAIRS).contains(&(symbols[0] * symbols[1])) {
            return None;
        }
        let positions = Positions::new();
        let mut pairs: Vec<(&[u16], &[u16], f64)> = Vec::new();
        index.for_each_pair(index.rows(), |id, s, t| {
            let (a, b) = (&spelled[0][s], &spelled[1][t]);
            let count = count(id);
            if count > LEAST_COUNT && !a.is_empty() && !b.is_empty() {
                pairs.push((a, b, count.min(1.0)));
            }
        });
        let mirrored: Vec<(&[u16], &[u16], f64)> = pairs.iter().map(|&(a, b, weight)| (b, a, weight)).collect();
        let (forward, reverse) = parallelism.join(
            || Direction::train(&pairs, symbols[0], symbols[1], &positions),
            || Direction::train(&mirrored, symbols[1], symbols[0], &positions),
        );
        Some((Self { alphabets, forward, reverse, positions }, spelled))
    }

    /// The spelling of a word of one side, 0 for source.
    pub fn spell(&self, side: usize, word: &[u8]) -> Spelled {
        self.alphabets[side].spell(word)
    }

    /// How similar a source and a target word are, if that is worth mentioning. O(product of the lengths).
    pub fn similarity(&self, source: &[u16], target: &[u16]) -> Option<f32> {
        if source.is_empty() || target.is_empty() {
            return None;
        }
        let Self { forward, reverse, positions, .. } = self;
        let odds = [forward.odds(source, target, positions), reverse.odds(target, source, positions)];
        if odds[0] * odds[1] < LEAST_ODDS {
            return None;
        }
        let [forward, reverse] = odds.map(|odds| odds.ln() as f32);
        let score = 0.5 * (forward + reverse);
        Some(1.0 / (1.0 + (7.5 - 1.3 * score).exp())).filter(|&learned| learned >= LEAST_SIMILARITY)
    }

    /// Similarities of pairs, `similar` raised where this model thinks more of them, by ascending id. O(pairs ×
    /// length²).
    ///
    /// # Errors
    /// None of its own.
    pub fn raised(
        &self,
        index: &PairIndex,
        [source, target]: &[Vec<Spelled>; 2],
        similar: &[(u32, f32)],
        parallelism: &Parallelism,
    ) -> Result<Vec<(u32, f32)>> {
        let mut raised = Vec::new();
        parallelism.map_ordered(
            index.rows().len().div_ceil(ROWS_PER_CHUNK),
            || (),
            |(), chunk| {
                let mut found = Vec::new();
                let rows = chunk_range(index.rows().len(), ROWS_PER_CHUNK, chunk);
                let mut known = SparseValues::starting_at(similar, index.ids_of(rows.clone()).start);
                index.for_each_pair(rows, |id, s, t| {
                    let known = known.of(id).unwrap_or(0.0);
                    let similarity =
                        self.similarity(&source[s], &target[t]).map_or(known, |learned| known.max(learned));
                    if similarity > 0.0 {
                        found.push((id as u32, similarity));
                    }
                });
                Ok(found)
            },
            |found| {
                raised.extend(found);
                Ok(())
            },
        )?;
        Ok(raised)
    }

    /// Adds it to a file.
    pub(crate) fn store<'a>(&'a self, file: &mut ContainerWriter<'a>) {
        for (side, alphabet) in SIDES.into_iter().zip(&self.alphabets) {
            let mut symbols = vec![0u32; alphabet.len()];
            alphabet.numbers.iter().for_each(|(&symbol, &number)| symbols[usize::from(number)] = symbol);
            file.add_owned(format!("characters.{side}"), symbols);
        }
        for (name, direction) in DIRECTIONS.into_iter().zip([&self.forward, &self.reverse]) {
            file.add(format!("characters.{name}.translation"), &direction.translation);
            file.add(format!("characters.{name}.unigram"), &direction.unigram);
        }
    }

    /// The model in a file, if it has one.
    ///
    /// # Errors
    /// `Model` if arrays contradict each other.
    pub(crate) fn load(file: &Container) -> Result<Option<Self>> {
        if !file.has("characters.source") {
            return Ok(None);
        }
        let mut alphabets = [Alphabet::default(), Alphabet::default()];
        for (side, alphabet) in SIDES.into_iter().zip(&mut alphabets) {
            let name = format!("characters.{side}");
            let symbols = file.section::<u32>(&name)?;
            if symbols.len() <= usize::from(u16::MAX) + 1 {
                alphabet.numbers = symbols.iter().copied().zip(0..=u16::MAX).collect();
            }
            if alphabet.len() != symbols.len() || symbols.is_empty() {
                return Err(file.error(format!("distinct symbols in `{name}`"), format!("{} of them", symbols.len())));
            }
        }
        let direction = |n: usize| -> Result<Direction> {
            let (given, generated) = (alphabets[n].len(), alphabets[1 - n].len());
            let name = DIRECTIONS[n];
            let translation = file.section_of::<f32>(&format!("characters.{name}.translation"), given * generated)?;
            let unigram = file.section_of::<f32>(&format!("characters.{name}.unigram"), generated)?;
            Ok(Direction { translation, given, unigram })
        };
        let (forward, reverse) = (direction(0)?, direction(1)?);
        Ok(Some(Self { alphabets, forward, reverse, positions: Positions::new() }))
    }
}

const SIDES: [&str; 2] = ["source", "target"];
const DIRECTIONS: [&str; 2] = ["forward", "reverse"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_is_read_by_letters_and_ideographs_are_not_read() {
        assert_eq!(symbols_of("한가".as_bytes()).0.len(), 5);
        assert!(!symbols_of("語".as_bytes()).1);
        assert_eq!(symbols_of(b"ab-c"), (vec![97, 98], false));
        assert_eq!(symbols_of("été".as_bytes()).0.len(), 3);
        assert_eq!(symbols_of("カナ".as_bytes()).0.len(), 2);
    }

    #[test]
    fn positions_are_normalized() {
        let positions = Positions::new();
        for (n, m) in [(3, 3), (5, 24), (24, 3)] {
            for row in positions.of(n, m).chunks_exact(n) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn what_has_smaller_odds_has_no_similarity() {
        let score = 0.5 * LEAST_ODDS.ln();
        assert!((1.0 + (7.5 - 1.3 * score).exp()).recip() < 0.99 * f64::from(LEAST_SIMILARITY));
    }

    #[test]
    fn a_cipher_is_learned() {
        // Each letter of `a` becomes the next in `b`.
        let words = ["abcd", "bcda", "dcba", "cabd", "adbc", "bdac", "cdab", "dabc"];
        let spelled: Vec<(Vec<u16>, Vec<u16>)> = words
            .iter()
            .map(|word| {
                let a: Vec<u16> = word.bytes().map(|letter| u16::from(letter - b'a')).collect();
                let b = a.iter().map(|letter| (letter + 1) % 4).collect();
                (a, b)
            })
            .collect();
        let pairs: Vec<(&[u16], &[u16], f64)> = spelled.iter().map(|(a, b)| (&a[..], &b[..], 1.0)).collect();
        let positions = Positions::new();
        let model = Direction::train(&pairs, 4, 4, &positions);
        let [right, wrong] = [0, 2].map(|n: usize| model.odds(&spelled[0].0, &spelled[n].1, &positions).ln());
        assert!(right > 2.0 && wrong < 0.5, "{right} {wrong}");
    }
}
