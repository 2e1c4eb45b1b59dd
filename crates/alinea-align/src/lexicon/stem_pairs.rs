//! Which pair of stems each pair of words has.
//!
//! Numbers of stem pairs, kept for every pair of words, would take four bytes a pair and level of stems. [`StemPairs`]
//! numbers them by source stem, then by target stem, so that the number of one follows from how many target stems of its
//! source stem come before. Where stems are so few that a bitmap has room for all pairs of them, those are counted in the
//! bitmap, and nothing is kept by pair of words. Otherwise one byte a pair counts from the last of some places between,
//! of which there are as many as it takes for no byte to overflow.
//!
//! ```
//! use alinea::bitext::{Bitext, RankedBitext, Text};
//! use alinea_align::lexicon::{Letters, PairIndex, StemPairs, StemRule, Stems};
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//! let (mut source, mut target) = (Text::default(), Text::default());
//! source.push_sentence([b"houses".as_slice(), b"house"]);
//! target.push_sentence([b"maison".as_slice()]);
//! let bitext = RankedBitext::new(Bitext::new(source, target)?);
//! let index = PairIndex::build(&bitext, &Parallelism::serial(), &Silent)?;
//! let rule = StemRule::prefix(4, 1);
//! let source = Stems::of(&bitext.bitext().source, bitext.source_frequencies(), Letters::All, rule);
//! let target = Stems::of(&bitext.bitext().target, bitext.target_frequencies(), Letters::All, rule);
//! assert_eq!(StemPairs::of(&index, &source, &target).len(), 1);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::ascending::bitmap;
use super::{PairIndex, Stems};
use crate::numeric::simd::prefetch;

/// Every pair of stems that some pair of words has, numbered from 0 by source stem, then by target stem.
#[derive(Debug, Clone)]
pub struct StemPairs {
    /// The row of each source word's stem.
    rows: Vec<Row>,
    places: Places,
    /// Of pairs of words.
    ids: usize,
    len: u32,
}

/// The stem pairs of one source stem.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    /// The number of the first.
    first: u32,
    /// Where its bases, its list or its blocks begin.
    place: u32,
    /// By what target stems are shifted to find their base; or the length of a list, [`BITMAP`] if it is none.
    width: u32,
}

/// Instead of the length of a list.
const BITMAP: u32 = u32::MAX;

/// Rows of no more target stems than this are lists: as fast as a bitmap, since a few vectors hold them.
const SHORT: usize = 32;

/// How the place of a target stem among those of a source stem is found.
#[derive(Debug, Clone)]
enum Places {
    /// By counting those before it: in a list, or in a bitmap where those before each block are counted.
    Ranked { lists: Vec<u32>, blocks: Vec<u64> },
    /// A base for each 2^width target stems of a row, to which the pair of words, by id, adds something.
    Offset { bases: Vec<u32>, offsets: Vec<u8> },
}

impl StemPairs {
    /// Collects the stem pairs of all word pairs. O(pairs).
    pub fn of(index: &PairIndex, source: &Stems, target: &Stems) -> Self {
        // Blocks of 64 bits have places for 32 target stems.
        let (rows, places, len) = if source.len().saturating_mul(target.len()) / 4 <= index.ids() {
            ranked(index, source, target)
        } else {
            offset(index, source, target)
        };
        let rows = source.of_word().iter().map(|&stem| rows[stem as usize]).collect();
        Self { rows, places, ids: index.ids(), len }
    }

    /// The stem pair of a word pair, given its id, its source word and the stem of its target word; 0 if the id is beyond
    /// those of the index.
    #[inline(always)]
    pub fn of_pair(&self, id: usize, source: usize, target_stem: u32) -> u32 {
        if id >= self.ids {
            return 0;
        }
        let Row { first, place, width } = self.rows[source];
        let place = place as usize;
        match &self.places {
            Places::Ranked { blocks, .. } if width == BITMAP => {
                let block = blocks[place + (target_stem / 32) as usize];
                let before = (block >> 32) as u32 & ((1 << (target_stem % 32)) - 1);
                first + block as u32 + before.count_ones()
            }
            Places::Ranked { lists, .. } => {
                first
                    + lists[place..place + width as usize]
                        .iter()
                        .map(|&stem| u32::from(stem < target_stem))
                        .sum::<u32>()
            }
            Places::Offset { bases, offsets } => {
                bases[place + (target_stem >> width) as usize] + u32::from(offsets[id])
            }
        }
    }

    /// Has fetched what [`of_pair`](Self::of_pair) reads.
    #[inline(always)]
    pub(crate) fn prefetch(&self, id: usize, source: usize, target_stem: u32) {
        let Row { place, width, .. } = self.rows[source];
        match &self.places {
            Places::Ranked { blocks, .. } if width == BITMAP => {
                prefetch(blocks, place as usize + (target_stem / 32) as usize);
            }
            Places::Ranked { lists, .. } => prefetch(lists, place as usize),
            Places::Offset { offsets, .. } => prefetch(offsets, id),
        }
    }

    /// The source and the target stem of each, by number. O(pairs of words).
    pub(crate) fn stems(&self, index: &PairIndex, [source, target]: [&Stems; 2]) -> Vec<[u32; 2]> {
        let mut stems = vec![[0; 2]; self.len()];
        index.for_each_pair(index.rows(), |id, s, t| {
            let [source, target] = [source.of_word()[s], target.of_word()[t]];
            stems[self.of_pair(id, s, target) as usize] = [source, target];
        });
        stems
    }

    /// The number of stem pairs.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Rows by source stem where places are counted, and the number of stem pairs.
fn ranked(index: &PairIndex, source: &Stems, target: &Stems) -> (Vec<Row>, Places, u32) {
    let width = target.len().div_ceil(32);
    let mut met = vec![0u32; source.len() * width];
    index.for_each_pair(index.rows(), |_, s, t| {
        let (source, target) = (source.of_word()[s] as usize, target.of_word()[t]);
        met[source * width + (target / 32) as usize] |= 1 << (target % 32);
    });
    let (mut lists, mut blocks) = (Vec::new(), Vec::new());
    let (mut len, mut found) = (0, Vec::new());
    let row = |met: &[u32]| {
        found.clear();
        for (n, &bits) in (0..).zip(met) {
            found.extend((0..32).filter(|bit| bits >> bit & 1 != 0).map(|bit| 32 * n + bit));
        }
        let first = len;
        len += found.len() as u32;
        if found.len() <= SHORT {
            let place = lists.len() as u32;
            lists.extend_from_slice(&found);
            return Row { first, place, width: found.len() as u32 };
        }
        let place = blocks.len() as u32;
        blocks.extend(bitmap(found.iter().copied(), found.last().map_or(0, |last| last + 1)));
        Row { first, place, width: BITMAP }
    };
    let rows = met.chunks(width.max(1)).map(row).collect();
    lists.shrink_to_fit();
    blocks.shrink_to_fit();
    (rows, Places::Ranked { lists, blocks }, len)
}

/// Rows by source stem where each pair of words has a byte, and the number of stem pairs.
fn offset(index: &PairIndex, source: &Stems, target: &Stems) -> (Vec<Row>, Places, u32) {
    let (starts, grouped) = group_by_source_stem(index, source, target);
    let mut offsets = vec![0; index.ids()];
    let (mut rows, mut bases) = (Vec::with_capacity(source.len()), Vec::new());
    let mut len = 0;
    // The target stems of a source stem, and what each adds to its base.
    let mut found: Vec<u32> = Vec::new();
    let mut adds = vec![None; target.len()];
    for stem in 0..source.len() {
        let pairs = &grouped[starts[stem] as usize..starts[stem + 1] as usize];
        for &(_, target_stem) in pairs {
            if adds[target_stem as usize].replace(0).is_none() {
                found.push(target_stem);
            }
        }
        found.sort_unstable();
        let row = Row { first: len, place: bases.len() as u32, width: widest(&found) };
        for (number, &target_stem) in (len..).zip(&found) {
            // Those that no pair asks for have a base, too.
            bases.resize(bases.len().max((row.place + (target_stem >> row.width)) as usize + 1), number);
            let add = number - bases[bases.len() - 1];
            adds[target_stem as usize] = Some(add as u8);
        }
        for &(pair, target_stem) in pairs {
            offsets[pair as usize] = adds[target_stem as usize].unwrap_or(0);
        }
        rows.push(row);
        len += found.len() as u32;
        found.drain(..).for_each(|target_stem| adds[target_stem as usize] = None);
    }
    bases.shrink_to_fit();
    (rows, Places::Offset { bases, offsets }, len)
}

/// How far ascending numbers can be shifted so that no more than 256 become the same.
fn widest(numbers: &[u32]) -> u32 {
    let fits = |width: u32| numbers.iter().zip(numbers.iter().skip(256)).all(|(a, b)| a >> width != b >> width);
    (8..32).rev().find(|&width| fits(width)).unwrap_or(8)
}

/// All word pairs with their target stems, counting-sorted by source stem; and where each group starts.
fn group_by_source_stem(index: &PairIndex, source: &Stems, target: &Stems) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut starts = vec![0u32; source.len() + 1];
    index.for_each_pair(index.rows(), |_, s, _| starts[source.of_word()[s] as usize + 1] += 1);
    for stem in 0..source.len() {
        starts[stem + 1] += starts[stem];
    }
    let mut next = starts.clone();
    let mut grouped = vec![(0u32, 0u32); index.len()];
    index.for_each_pair(index.rows(), |id, s, t| {
        let place = &mut next[source.of_word()[s] as usize];
        grouped[*place as usize] = (id as u32, target.of_word()[t]);
        *place += 1;
    });
    (starts, grouped)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::stems::stems_of;
    use super::*;
    use crate::bitext::{Bitext, RankedBitext, Text};
    use crate::lexicon::{Letters, StemRule};
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    fn ranked_bitext(lines: &[[Vec<String>; 2]]) -> RankedBitext {
        let (mut source, mut target) = (Text::default(), Text::default());
        for [s, t] in lines {
            source.push_sentence(s.iter().map(String::as_bytes));
            target.push_sentence(t.iter().map(String::as_bytes));
        }
        RankedBitext::new(Bitext::new(source, target).unwrap())
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_string).collect()
    }

    /// What the definition says: the sorted set of stem pairs, searched.
    fn check(lines: &[[Vec<String>; 2]], rule: StemRule) -> usize {
        let bitext = ranked_bitext(lines);
        let index = PairIndex::build(&bitext, &Parallelism::serial(), &Silent).unwrap();
        let (source, target) = stems_of(&bitext, Letters::All, rule);
        let mut all = BTreeSet::new();
        index.for_each_pair(index.rows(), |_, s, t| {
            all.insert((source.of_word()[s], target.of_word()[t]));
        });
        let all: Vec<_> = all.into_iter().collect();
        for (rows, places, len) in [ranked(&index, &source, &target), offset(&index, &source, &target)] {
            assert_eq!(len as usize, all.len());
            let rows = source.of_word().iter().map(|&stem| rows[stem as usize]).collect();
            let pairs = StemPairs { rows, places, ids: index.ids(), len };
            index.for_each_pair(index.rows(), |id, s, t| {
                let stems = (source.of_word()[s], target.of_word()[t]);
                let number = pairs.of_pair(id, s, stems.1) as usize;
                assert_eq!(all.get(number), Some(&stems));
            });
            assert_eq!(pairs.of_pair(index.ids(), 0, 0), 0);
        }
        assert_eq!(StemPairs::of(&index, &source, &target).len(), all.len());
        all.len()
    }

    #[test]
    fn word_pairs_find_their_stem_pairs() {
        let lines = [("houses house mine", "maison maisons"), ("house", "ma maison"), ("7 8", "7")];
        // hous-mais, hous-ma, mine-mais, 5-5
        assert_eq!(check(&lines.map(|(s, t)| [words(s), words(t)]), StemRule::prefix(4, 1)), 4);
    }

    /// Rows with far more than 256 stems, with gaps between them, beside short ones.
    #[test]
    fn long_rows_need_several_bases() {
        let name = |n: usize| {
            let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
            [letter(n), letter(n / 26), letter(n / 676), 'x'].into_iter().collect::<String>()
        };
        let mut lines = Vec::new();
        for n in 0..2000 {
            let source = if n % 3 == 0 { words("the few") } else { words("the") };
            let source = if n % 97 == 0 { words("rare") } else { source };
            lines.push([source, vec![name(n), name(n * 7 % 2000)]]);
        }
        assert!(check(&lines, StemRule::prefix(3, 1)) > 2000);
        assert_eq!(widest(&(0..256).collect::<Vec<_>>()), 31);
        assert_eq!(widest(&(0..257).collect::<Vec<_>>()), 8);
        assert_eq!(widest(&(0..257).map(|n| 2 * n).collect::<Vec<_>>()), 9);
    }

    proptest! {
        #[test]
        fn any_text(lines in prop::collection::vec(
            [prop::collection::vec("[abc]{1,4}", 1..12), prop::collection::vec("[abc]{1,4}", 1..40)], 1..30,
        )) {
            check(&lines, StemRule::prefix(2, 1));
        }
    }
}
