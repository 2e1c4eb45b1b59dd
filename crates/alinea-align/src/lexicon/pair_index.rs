//! The index of co-occurring word pairs: an id for each pair, found without hashing.
//!
//! Words are frequency ranks, and a pair belongs to the row of its rarer word. The *universe* of a word is the number
//! of words on the other side that are at least as frequent (for a source word) or more frequent (for a target word).
//! Hence every pair has exactly one owner, and the partners in a row are ranks below its universe. Rows come by falling
//! frequency of their owners and have consecutive ids, in one of three layouts:
//!
//! * `Dense`, where at least 80 % of the universe occurs: id = start + rank, whether or not the pair was seen.
//! * `Bitmap`: blocks of 32 bits, each with the number of pairs before it; id = start + that number + population count.
//! * `List`: ascending partners, found by galloping search; id = start + position. Used where it is the smaller of the
//!   two.
//!
//! [`PairIndex::resolve`] finds the ids of all cells of a sentence pair, given the sorted distinct words of both sides.
//! Why ids are found again at every visit, instead of being stored, is explained in the [parent module](super).

mod gather;
mod stored;
mod streamed;

use std::ops::{Range, RangeInclusive};

use self::gather::{Gatherer, Occurrences, Piece};
pub(crate) use self::streamed::{IdsInFile, SomePairs};
use super::ascending::place_from;
use crate::bitext::{DistinctPair, DistinctPairs, RankedBitext, SentencePair};
use crate::error::{ErrorKind, Result};
use crate::numeric::simd::prefetch;
use crate::parallel::{Parallelism, balanced_chunks};
use crate::progress::{Observer, check};

/// Every pair of a source and a target word type that occurs in some sentence pair, with a number, its id.
///
/// The pairs of one word, its row, have ids that follow each other; so have the rows, which are numbered too.
#[derive(Debug, Clone)]
pub struct PairIndex {
    /// The rows of the source words, and of the target words.
    by_word: [Vec<Row>; 2],
    /// Whose row is whose: frequent owners first.
    owners: Vec<Owner>,
    /// The number of pairs.
    len: usize,
    /// The number of ids.
    ids: u32,
    /// The partners of list rows, ascending in each row.
    lists: Vec<u32>,
    /// The partners of the other rows: 32 bits of the universe in the upper half, the number of pairs before them in
    /// the lower.
    blocks: Vec<u64>,
}

/// The pairs that belong to one word.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// The id of the first pair.
    start: u32,
    /// The number of pairs.
    len: u32,
    /// Partners have ranks below this.
    universe: u32,
    /// Where in `lists` or `blocks` the row begins.
    place: u32,
    layout: Layout,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// A list that is searched.
    List,
    /// A bitmap in which pairs are counted.
    Bitmap,
    /// A bitmap too; but each word of the universe has an id, by rank, whether the pair was met or not.
    Dense,
}

/// A row is dense if this share of its universe is there. Six cells of ten in running text are in such rows; the ids
/// they waste are less than one in a hundred.
const DENSE_FROM: f64 = 0.8;

/// So much of a list is fetched before it is searched, so many partners of it at once.
const PREFETCHED: usize = 8 * IN_A_LINE;
const IN_A_LINE: usize = 16;

/// A word that owns a row.
#[derive(Debug, Clone, Copy)]
struct Owner {
    side: Side,
    word: u32,
}

/// Which text a word belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

/// Sentences to be walked through that make one piece of work.
const SENTENCES_PER_CHUNK: RangeInclusive<usize> = 1 << 9..=1 << 14;

impl PairIndex {
    /// Collects the pairs of a bitext. O(cells) time at most; frequent words stop as soon as they have met all
    /// their possible partners.
    ///
    /// # Errors
    /// If there are 2^32 pairs or more, or the observer stops the work.
    pub fn build(bitext: &RankedBitext, parallelism: &Parallelism, observer: &dyn Observer) -> Result<Self> {
        Self::of_distinct(bitext, DistinctPairs::of(bitext).pairs(), parallelism, observer)
    }

    /// Collects those of some distinct sentence pairs. In memory are 8 bytes for each of their words meanwhile.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub(crate) fn of_distinct(
        bitext: &RankedBitext,
        distinct: &[DistinctPair],
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let frequencies = [bitext.source_frequencies(), bitext.target_frequencies()];
        let universes = universes(frequencies);
        let owners = owners(frequencies);
        let frequency = |owner: &Owner| frequencies[owner.side as usize][owner.word as usize] as usize;
        let chunks = balanced_chunks(owners.iter().map(frequency), SENTENCES_PER_CHUNK);
        observer.started("indexing word pairs", chunks.len() as u64);
        let occurrences = Occurrences::of(bitext.bitext(), distinct, parallelism)?;
        let mut index = Self::without_rows(frequencies);
        let (mut lists, mut blocks) = (Vec::new(), Vec::new());
        parallelism.map_ordered(
            chunks.len(),
            || Gatherer::new(&occurrences),
            |gatherer, chunk| {
                check(observer)?;
                let mut piece = Piece::default();
                for &owner in &owners[chunks[chunk].clone()] {
                    gatherer.gather(owner, universes[owner.side as usize][owner.word as usize], &mut piece);
                }
                observer.advance(1);
                Ok(piece)
            },
            |piece| {
                index.append(&piece.rows, (lists.len() as u32, blocks.len() as u32))?;
                lists.extend_from_slice(&piece.lists);
                blocks.extend_from_slice(&piece.blocks);
                Ok(())
            },
        )?;
        lists.shrink_to_fit();
        blocks.shrink_to_fit();
        (index.lists, index.blocks) = (lists, blocks);
        observer.finished(&format!("{} word pairs", index.len()));
        Ok(index)
    }

    /// No rows yet, for words with these frequencies.
    fn without_rows(frequencies: [&[u64]; 2]) -> Self {
        let words = frequencies.map(<[u64]>::len);
        Self {
            by_word: words.map(|words| vec![Row::EMPTY; words]),
            owners: Vec::with_capacity(words[0] + words[1]),
            len: 0,
            ids: 0,
            lists: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// An index of these pairs: source and target word, each pair once. Given are the frequencies of all words. O(pairs +
    /// words).
    ///
    /// # Errors
    /// If there are 2^32 pairs or more.
    pub fn of_pairs(frequencies: [&[u64]; 2], pairs: &[[u32; 2]]) -> Result<Self> {
        let (universes, owners) = (universes(frequencies), owners(frequencies));
        let mut index = Self::without_rows(frequencies);
        // The rarer word owns a pair: the one whose universe the other is in.
        let owned = |&[source, target]: &[u32; 2]| {
            if target < universes[0][source as usize] {
                (Side::Source, source, target)
            } else {
                (Side::Target, target, source)
            }
        };
        let mut partners = frequencies.map(|words| vec![Vec::new(); words.len()]);
        for (side, word, partner) in pairs.iter().map(owned) {
            partners[side as usize][word as usize].push(partner);
        }
        let mut piece = Piece::default();
        for owner in owners {
            let mut of_word = std::mem::take(&mut partners[owner.side as usize][owner.word as usize]);
            of_word.sort_unstable();
            piece.push(owner, universes[owner.side as usize][owner.word as usize], &of_word);
        }
        index.append(&piece.rows, (0, 0))?;
        (index.lists, index.blocks) = (piece.lists, piece.blocks);
        Ok(index)
    }

    /// Those of its pairs that are chosen by id, and by their new ids the ids that they had; given are the frequencies of the words.
    /// O(pairs + words).
    ///
    /// # Errors
    /// None of its own.
    pub(crate) fn filtered(&self, frequencies: [&[u64]; 2], stays: impl Fn(usize) -> bool) -> Result<(Self, Vec<u32>)> {
        let mut index = Self::without_rows(frequencies);
        let (mut piece, mut kept) = (Piece::default(), Vec::new());
        let (mut partners, mut decoded) = (Vec::new(), Vec::new());
        for &owner in &self.owners {
            let row = self.row(owner);
            partners.clear();
            for (k, &partner) in (0..).zip(self.partners_of(row, &mut decoded)) {
                let id = row.start + if row.layout == Layout::Dense { partner } else { k };
                if stays(id as usize) {
                    partners.push(partner);
                    kept.push(id);
                }
            }
            piece.push(owner, row.universe, &partners);
        }
        index.append(&piece.rows, (0, 0))?;
        (index.lists, index.blocks) = (piece.lists, piece.blocks);
        let (mut ids, mut kept) = (vec![IdsInFile::NO_PAIR; index.ids()], kept.into_iter());
        index.for_each_pair(index.rows(), |id, _, _| ids[id] = kept.next().unwrap_or(IdsInFile::NO_PAIR));
        Ok((index, ids))
    }

    /// Adds rows, whose lists and blocks will stand behind so many others.
    fn append(&mut self, rows: &[(Owner, Row)], (lists, blocks): (u32, u32)) -> Result<()> {
        for &(owner, row) in rows {
            let before = if row.layout == Layout::List { lists } else { blocks };
            let row = Row { start: self.ids, place: before + row.place, ..row };
            self.ids = match self.ids.checked_add(row.ids()) {
                Some(ids) if ids < u32::MAX => ids,
                _ => return Err(ErrorKind::Inconsistent("more than 4 billion distinct word pairs".to_owned()).into()),
            };
            self.len += row.len as usize;
            self.by_word[owner.side as usize][owner.word as usize] = row;
            self.owners.push(owner);
        }
        Ok(())
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of ids: all are below it. A few more than there are pairs.
    pub fn ids(&self) -> usize {
        self.ids as usize
    }

    /// The numbers of all rows.
    pub fn rows(&self) -> Range<usize> {
        0..self.owners.len()
    }

    /// The ids of rows that follow each other; a few of them may belong to no pair.
    ///
    /// # Panics
    /// If there are no such rows.
    pub fn ids_of(&self, rows: Range<usize>) -> Range<usize> {
        let start = |n: usize| if n == self.owners.len() { self.ids } else { self.row(self.owners[n]).start };
        start(rows.start) as usize..start(rows.end) as usize
    }

    /// Visits the pairs of rows by ascending id: id, rank of the source word, rank of the target word.
    ///
    /// # Panics
    /// If there are no such rows.
    #[inline(always)]
    pub fn for_each_pair(&self, rows: Range<usize>, mut visit: impl FnMut(usize, usize, usize)) {
        let mut decoded = Vec::new();
        for &owner in &self.owners[rows] {
            let row = self.row(owner);
            let (word, start) = (owner.word as usize, row.start as usize);
            for (k, &partner) in self.partners_of(row, &mut decoded).iter().enumerate() {
                let partner = partner as usize;
                let id = start + if row.layout == Layout::Dense { partner } else { k };
                let (source, target) = if owner.side == Side::Source { (word, partner) } else { (partner, word) };
                visit(id, source, target);
            }
        }
    }

    /// The partners of a row, ascending; those of a bitmap are written to a buffer.
    fn partners_of<'a>(&'a self, row: Row, decoded: &'a mut Vec<u32>) -> &'a [u32] {
        if row.layout == Layout::List {
            return self.list_of(row);
        }
        // Eight at a time, since branches that no processor can foresee are slow; what is too much is overwritten.
        decoded.resize(row.len as usize + 8, 0);
        for (n, block) in self.blocks_of(row).iter().enumerate() {
            let (mut bits, mut place) = ((block >> 32) as u32, *block as u32 as usize);
            while bits != 0 && place < row.len as usize {
                for partner in &mut decoded[place..place + 8] {
                    *partner = 32 * n as u32 + bits.trailing_zeros();
                    bits &= bits.wrapping_sub(1);
                }
                place += 8;
            }
        }
        &decoded[..row.len as usize]
    }

    #[inline(always)]
    fn row(&self, owner: Owner) -> Row {
        self.by_word[owner.side as usize][owner.word as usize]
    }

    #[inline(always)]
    fn list_of(&self, row: Row) -> &[u32] {
        &self.lists[row.place as usize..][..row.len as usize]
    }

    #[inline(always)]
    fn blocks_of(&self, row: Row) -> &[u64] {
        &self.blocks[row.place as usize..][..row.blocks()]
    }

    /// The row of a word; of a word beyond the vocabulary the last one, which has room for all of them where the index
    /// comes from a model.
    #[inline(always)]
    fn row_of(&self, side: Side, word: u32) -> Row {
        let rows = &self.by_word[side as usize];
        rows[(word as usize).min(rows.len() - 1)]
    }

    /// Writes the ids of all cells of a grid, row by source type: `ids[s * targets.len() + t]`. Both lists are sorted
    /// ranks without repetition. A pair that never occurred gets the number of ids, [`ids`](Self::ids), or an id that
    /// belongs to no pair.
    ///
    /// # Panics
    /// If `ids` is shorter than the grid. Ranks beyond the vocabulary have no pairs in the index of a model; elsewhere
    /// what is found for them is meaningless.
    #[inline(always)]
    pub fn resolve(&self, sources: &[u32], targets: &[u32], ids: &mut [u32]) {
        let width = targets.len();
        // Both lists are sorted by falling frequency, so the universes grow: one pointer finds all their ends.
        let mut mine = 0;
        for (s, &source) in sources.iter().enumerate() {
            let row = self.row_of(Side::Source, source);
            while mine < width && targets[mine] < row.universe {
                mine += 1;
            }
            let ids = ids[s * width..][..mine].iter_mut();
            self.resolve_row(row, &targets[..mine], ids);
        }
        let mut mine = 0;
        for (t, &target) in targets.iter().enumerate() {
            let row = self.row_of(Side::Target, target);
            while mine < sources.len() && sources[mine] < row.universe {
                mine += 1;
            }
            let ids = ids.chunks_exact_mut(width).map(|ids| &mut ids[t]);
            self.resolve_row(row, &sources[..mine], ids);
        }
    }

    /// Has the rows of the words of a sentence pair fetched, which [`prefetch`](Self::prefetch) reads.
    #[inline(always)]
    pub fn prefetch_words(&self, pair: SentencePair<'_>) {
        for (rows, words) in self.by_word.iter().zip([pair.source, pair.target]) {
            for word in words {
                prefetch(rows, word.index());
            }
        }
    }

    /// Has the memory fetched that [`resolve`](Self::resolve) will read for a grid.
    #[inline(always)]
    pub fn prefetch(&self, sources: &[u32], targets: &[u32]) {
        self.prefetch_rows(Side::Source, sources, targets);
        self.prefetch_rows(Side::Target, targets, sources);
    }

    #[inline(always)]
    fn prefetch_rows(&self, side: Side, words: &[u32], partners: &[u32]) {
        for &word in words {
            let row = self.row_of(side, word);
            match row.layout {
                Layout::List => {
                    for place in (0..(row.len as usize).min(PREFETCHED)).step_by(IN_A_LINE) {
                        prefetch(&self.lists, row.place as usize + place);
                    }
                }
                Layout::Bitmap => {
                    for &partner in partners.iter().take_while(|&&partner| partner < row.universe) {
                        prefetch(&self.blocks, row.place as usize + (partner / 32) as usize);
                    }
                }
                Layout::Dense => {}
            }
        }
    }

    /// Writes the ids of a row's pairs with these partners, all of the row's universe.
    #[inline(always)]
    fn resolve_row<'i>(&self, row: Row, partners: &[u32], ids: impl Iterator<Item = &'i mut u32>) {
        let absent = self.ids;
        let cells = partners.iter().zip(ids);
        match row.layout {
            Layout::Dense => {
                for (&word, id) in cells {
                    *id = row.start + word;
                }
            }
            Layout::Bitmap => {
                let blocks = self.blocks_of(row);
                for (&word, id) in cells {
                    let block = blocks[(word / 32) as usize];
                    let (bits, before) = ((block >> 32) as u32, block as u32);
                    let bit = 1u32 << (word % 32);
                    let there = bits & bit != 0;
                    let place = row.start + before + (bits & (bit - 1)).count_ones();
                    *id = if there { place } else { absent };
                }
            }
            Layout::List => {
                let list = self.list_of(row);
                let mut k = 0;
                for (&word, id) in cells {
                    k = place_from(list, k, word);
                    let there = list.get(k) == Some(&word);
                    *id = if there { row.start + k as u32 } else { absent };
                }
            }
        }
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        let rows: usize = self.by_word.iter().map(Vec::capacity).sum();
        rows * size_of::<Row>()
            + self.owners.capacity() * size_of::<Owner>()
            + self.lists.capacity() * size_of::<u32>()
            + self.blocks.capacity() * size_of::<u64>()
    }
}

impl Row {
    const EMPTY: Self = Self { start: 0, len: 0, universe: 0, place: 0, layout: Layout::List };

    /// How many ids it has.
    fn ids(self) -> u32 {
        if self.layout == Layout::Dense { self.universe } else { self.len }
    }

    /// How many blocks its universe fills.
    fn blocks(self) -> usize {
        self.universe.div_ceil(32) as usize
    }
}

impl Layout {
    /// The layout of a row of `len` pairs: dense, or what takes less memory.
    fn of(len: u32, universe: u32) -> Self {
        if f64::from(len) >= DENSE_FROM * f64::from(universe) {
            Self::Dense
        } else if len >= 2 * universe.div_ceil(32) {
            Self::Bitmap
        } else {
            Self::List
        }
    }
}

/// How many of the other side's words are at least as frequent (for source words), or more frequent (for target
/// words): the ranks of the partners that a row can hold. So each pair has exactly one owner.
fn universes([source, target]: [&[u64]; 2]) -> [Vec<u32>; 2] {
    let of_source = source.iter().map(|&own| target.partition_point(|&other| other >= own) as u32).collect();
    let of_target = target.iter().map(|&own| source.partition_point(|&other| other > own) as u32).collect();
    [of_source, of_target]
}

/// All words of both sides by falling frequency, source first among equals.
fn owners([source, target]: [&[u64]; 2]) -> Vec<Owner> {
    let mut owners = Vec::with_capacity(source.len() + target.len());
    let (mut s, mut t) = (0, 0);
    while s < source.len() || t < target.len() {
        let source_first = t == target.len() || (s < source.len() && source[s] >= target[t]);
        if source_first {
            owners.push(Owner { side: Side::Source, word: s as u32 });
            s += 1;
        } else {
            owners.push(Owner { side: Side::Target, word: t as u32 });
            t += 1;
        }
    }
    owners
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::bitext::{Bitext, Text, WordId};
    use crate::progress::Silent;

    pub(super) fn ranked(lines: &[(Vec<u8>, Vec<u8>)]) -> RankedBitext {
        let (mut source, mut target) = (Text::default(), Text::default());
        for (s, t) in lines {
            source.push_sentence(s.iter().map(std::slice::from_ref));
            target.push_sentence(t.iter().map(std::slice::from_ref));
        }
        RankedBitext::new(Bitext::new(source, target).unwrap())
    }

    fn distinct(words: &[WordId]) -> Vec<u32> {
        words.iter().map(|w| w.index() as u32).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn lines() -> impl Strategy<Value = Vec<(Vec<u8>, Vec<u8>)>> {
        // Small letters are frequent, large ones rare: rows of all three kinds.
        let word = prop_oneof![4 => 0u8..4, 2 => 0u8..30, 1 => any::<u8>()];
        let side = proptest::collection::vec(word, 0..12);
        proptest::collection::vec((side.clone(), side), 0..60)
    }

    #[test]
    fn rows_are_dense_or_take_what_is_least() {
        assert_eq!(Layout::of(80, 100), Layout::Dense);
        // A bitmap of four blocks takes as much as eight partners.
        assert_eq!(Layout::of(79, 100), Layout::Bitmap);
        assert_eq!(Layout::of(8, 100), Layout::Bitmap);
        assert_eq!(Layout::of(7, 100), Layout::List);
    }

    proptest! {
        #[test]
        fn places_are_those_of_a_walk(list in proptest::collection::btree_set(0u32..300, 0..200), words in lines()) {
            let list: Vec<u32> = list.into_iter().collect();
            let words: BTreeSet<u32> = words.into_iter().flat_map(|(s, _)| s).map(u32::from).collect();
            let mut place = 0;
            for word in words {
                place = place_from(&list, place, word);
                prop_assert_eq!(Some(place), (0..=list.len()).find(|&n| n == list.len() || list[n] >= word));
            }
        }

        #[test]
        fn an_index_of_pairs_is_that_of_the_text_that_has_them(lines in lines()) {
            let bitext = ranked(&lines);
            let built = PairIndex::build(&bitext, &Parallelism::serial(), &Silent).unwrap();
            let of = |index: &PairIndex| {
                let mut pairs = Vec::new();
                index.for_each_pair(index.rows(), |id, s, t| pairs.push((id, [s as u32, t as u32])));
                pairs
            };
            let mut pairs: Vec<[u32; 2]> = of(&built).into_iter().map(|(_, pair)| pair).collect();
            pairs.reverse();
            let frequencies = [bitext.source_frequencies(), bitext.target_frequencies()];
            let index = PairIndex::of_pairs(frequencies, &pairs).unwrap();
            prop_assert_eq!(of(&index), of(&built));
            prop_assert_eq!((index.ids(), index.len()), (built.ids(), built.len()));
            prop_assert_eq!((&index.lists[..], &index.blocks[..]), (&built.lists[..], &built.blocks[..]));
        }

        #[test]
        fn every_cell_finds_its_pair_and_every_pair_is_met(lines in lines(), threads in 1usize..4) {
            let bitext = ranked(&lines);
            let index = PairIndex::build(&bitext, &Parallelism::new(threads).unwrap(), &Silent).unwrap();
            let mut name = vec![None; index.ids() + 1];
            let mut pairs = 0;
            for row in index.rows() {
                let ids = index.ids_of(row..row + 1);
                let mut last = None;
                index.for_each_pair(row..row + 1, |id, source, target| {
                    assert!(ids.contains(&id) && last < Some(id));
                    last = Some(id);
                    assert!(name[id].replace((source as u32, target as u32)).is_none());
                    pairs += 1;
                });
            }
            prop_assert_eq!(pairs, index.len());
            let mut expected = BTreeSet::new();
            for pair in bitext.bitext().pairs() {
                let (sources, targets) = (distinct(pair.source), distinct(pair.target));
                let mut ids = vec![0; sources.len() * targets.len()];
                index.resolve(&sources, &targets, &mut ids);
                for (s, &source) in sources.iter().enumerate() {
                    for (t, &target) in targets.iter().enumerate() {
                        prop_assert_eq!(name[ids[s * targets.len() + t] as usize], Some((source, target)));
                        expected.insert((source, target));
                    }
                }
            }
            prop_assert_eq!(expected.len(), index.len());
            let all_sources: Vec<u32> = (0..bitext.source_frequencies().len() as u32).collect();
            let all_targets: Vec<u32> = (0..bitext.target_frequencies().len() as u32).collect();
            let mut ids = vec![0; all_sources.len() * all_targets.len()];
            index.resolve(&all_sources, &all_targets, &mut ids);
            let known = ids.iter().filter(|&&id| name[id as usize].is_some()).count();
            prop_assert_eq!(known, index.len());
        }
    }
}
