//! Counts of linked word pairs, from aligned sentence pairs that are added one at a time.
//!
//! A link (i, j) adds one to c(s_i, t_j). A word without links adds one to its count with the empty word of the other
//! side, as in the lexical tables of Moses. Words are numbered from 1 in the order in which they first appear; 0 is the
//! empty word.
//!
//! Pairs are counted by sorting, without hashing. New pairs wait in a buffer; when there are as many as counts (and at
//! least 2^16), the buffer is sorted and merged into the counts, which are kept in order. A pair thus costs O(log
//! pairs) on average, and [`LexicalTable`] receives sorted counts.

use super::LexicalTable;
use crate::alignment::Alignment;
use crate::bitext::Vocabulary;
use crate::error::{Error, Result};

/// How often each word was linked to each word of the other side, over sentence pairs that are added one by one.
///
/// A word without links counts once for the empty word of the other side, as in Moses. Memory: 16 bytes for each pair of
/// words that was linked, about three times that while pairs are added.
///
/// ```
/// use alinea::bitext::Side;
/// use alinea::lexicon::{LinkCounts, TableChoice};
///
/// let words = |text: &'static str| text.split(' ').map(str::as_bytes);
/// let mut counts = LinkCounts::default();
/// counts.add(words("the house"), words("la maison"), &[(0, 0), (1, 1)].into())?;
/// counts.add(words("the flower"), words("la fleur fanée"), &[(0, 0), (1, 1), (1, 2)].into())?;
/// counts.add(words("the end"), words("fin"), &[(1, 0)].into())?;
/// let (table, mut lines) = (counts.into_table(), Vec::new());
/// table.for_each(Side::Source, &TableChoice::default(), |found| {
///     let word = |word: Option<&[u8]>| word.map_or("NULL".into(), String::from_utf8_lossy).into_owned();
///     lines.push(format!("{} {} {:.2}", word(found.condition), word(found.generated), found.probability));
///     Ok(())
/// })?;
/// assert_eq!(lines[..4], ["the la 0.67", "the NULL 0.33", "flower fleur 0.50", "flower fanée 0.50"]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LinkCounts {
    words: [Vocabulary; 2],
    counts: SortedCounts,
    /// The numbers of the words of the current pair, and whether they are linked.
    sides: [Vec<(u32, bool)>; 2],
}

/// The number of the empty word; the others follow.
pub(super) const EMPTY_WORD: u32 = 0;

impl LinkCounts {
    /// Counts the links of a sentence pair.
    ///
    /// # Errors
    /// `Inconsistent` if a link leads out of the sentences; then nothing was counted.
    ///
    /// # Panics
    /// At 2^32 − 1 distinct words of a side.
    pub fn add<'w>(
        &mut self,
        source: impl IntoIterator<Item = &'w [u8]>,
        target: impl IntoIterator<Item = &'w [u8]>,
        links: &Alignment,
    ) -> Result<()> {
        let Self { words, counts, sides } = self;
        number(source, &mut words[0], &mut sides[0]);
        number(target, &mut words[1], &mut sides[1]);
        let [source, target] = sides;
        if let Some(link) = links.first_outside(source.len(), target.len()) {
            return Err(Error::link_outside_sentences(link, [source.len(), target.len()]));
        }
        for link in links.iter() {
            let (source, target) = (&mut source[link.source as usize], &mut target[link.target as usize]);
            counts.add([source.0, target.0]);
            (source.1, target.1) = (true, true);
        }
        let free = |side: &[(u32, bool)]| side.iter().filter(|(_, linked)| !linked).map(|&(word, _)| word).collect();
        let free: [Vec<u32>; 2] = [free(source), free(target)];
        free[0].iter().for_each(|&word| counts.add([word, EMPTY_WORD]));
        free[1].iter().for_each(|&word| counts.add([EMPTY_WORD, word]));
        Ok(())
    }

    /// Whether the word occurs on either side.
    pub fn has_word(&self, word: &[u8]) -> bool {
        self.words.iter().any(|words| words.id(word).is_some())
    }

    /// The probabilities. O(pairs × log pairs).
    pub fn into_table(self) -> LexicalTable {
        LexicalTable::new(self.words, self.counts.into_counts())
    }
}

/// Replaces `numbers` by those of the words; none is linked yet.
fn number<'w>(words: impl IntoIterator<Item = &'w [u8]>, known: &mut Vocabulary, numbers: &mut Vec<(u32, bool)>) {
    numbers.clear();
    numbers.extend(words.into_iter().map(|word| {
        let number = u32::try_from(known.intern(word).index() + 1).expect("fewer than 2^32 - 1 distinct words");
        (number, false)
    }));
}

/// How often a pair of numbers was met.
pub(super) type Count = ([u32; 2], u64);

/// Counts of pairs by sorting: those that wait are sorted and merged with what was counted before whenever there are as
/// many, so that each is merged a logarithmic number of times. Nothing is hashed, and the result is in order.
#[derive(Debug, Clone, Default)]
struct SortedCounts {
    counted: Vec<Count>,
    waiting: Vec<[u32; 2]>,
}

impl SortedCounts {
    /// So many wait at least.
    const LEAST: usize = 1 << 16;

    fn add(&mut self, pair: [u32; 2]) {
        self.waiting.push(pair);
        if self.waiting.len() >= self.counted.len().max(Self::LEAST) {
            self.merge();
        }
    }

    fn merge(&mut self) {
        self.waiting.sort_unstable();
        let mut new = self.waiting.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as u64)).peekable();
        let mut merged: Vec<Count> = Vec::with_capacity(self.counted.len());
        for &(pair, count) in &self.counted {
            while let Some(earlier) = new.next_if(|&(other, _)| other < pair) {
                merged.push(earlier);
            }
            let more = new.next_if(|&(other, _)| other == pair).map_or(0, |(_, more)| more);
            merged.push((pair, count + more));
        }
        merged.extend(new);
        self.counted = merged;
        self.waiting.clear();
    }

    /// All of them, sorted by pair.
    fn into_counts(mut self) -> Vec<Count> {
        self.merge();
        self.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn sorting_counts_as_a_map_does(
            parts in proptest::collection::vec(proptest::collection::vec((0u32..6, 0u32..6), 0..40), 0..6)
        ) {
            let (mut counts, mut expected) = (SortedCounts::default(), BTreeMap::new());
            for part in parts {
                for (a, b) in part {
                    counts.add([a, b]);
                    *expected.entry([a, b]).or_insert(0u64) += 1;
                }
                counts.merge();
            }
            prop_assert_eq!(counts.into_counts(), expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_pairs_are_merged_on_the_way() {
        let mut counts = SortedCounts::default();
        let most = 5 * SortedCounts::LEAST as u32;
        for n in 0..most {
            counts.add([n % 7, n % 11]);
            assert!(counts.waiting.len() < SortedCounts::LEAST);
        }
        let counts = counts.into_counts();
        assert_eq!(counts.len(), 77);
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), u64::from(most));
    }

    #[test]
    fn links_out_of_the_sentences_are_refused() {
        let mut counts = LinkCounts::default();
        let error = counts.add([&b"a"[..]], [&b"b"[..], b"c"], &[(0, 0), (1, 1)].into()).unwrap_err();
        assert_eq!(error.to_string(), "link 1-1 is out of range, the source has 1 token, the target 2");
        assert!(counts.into_table().is_empty());
    }
}
