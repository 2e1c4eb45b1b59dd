//! The index of co-occurring word pairs. The layout is told in the [parent module](super).

use std::ops::Range;

use crate::bitext::{RankedBitext, Text, WordId};
use crate::error::{ErrorKind, Result};
use crate::numeric::simd::prefetch;
use crate::parallel::{Parallelism, chunk_range};
use crate::progress::{Observer, check};

/// Which text a word belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The source text.
    Source,
    /// The target text.
    Target,
}

/// Every pair of a source and a target word type that occurs in some sentence pair, with a number, its id.
#[derive(Debug, Clone)]
pub struct PairIndex {
    source_rows: Vec<Row>,
    target_rows: Vec<Row>,
    /// The rows in the order of their ids: frequent owners first.
    owners: Vec<Owner>,
    /// The partner of each pair, ascending in each row.
    partners: Vec<u32>,
    /// The number of ids.
    ids: u32,
    /// Bitmap rows: 32 bits of the universe in the upper half, the number of pairs before them in the lower.
    blocks: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// The id of the first pair.
    start: u32,
    /// Where in `partners` the row begins, and how many it has.
    partners: u32,
    len: u32,
    /// Partners have ranks below this.
    universe: u32,
    /// Where the row's bitmap begins in `blocks`, or `DENSE`, or `LIST`.
    layout: u32,
}

/// The layout of a row in which each word of the universe has an id, by rank, whether the pair was met or not.
const DENSE: u32 = u32::MAX - 1;

/// The layout of a row that is searched.
const LIST: u32 = u32::MAX;

/// A row is dense if this share of its universe is there. Seven cells of ten in running text are in such rows; the ids
/// they waste are a fiftieth of all.
const DENSE_FROM: f64 = 0.7;

/// A row gets a bitmap if at least one in this many of its universe is there: a bitmap then costs no more than 4 bytes
/// a pair.
const SPARSEST_BITMAP: u32 = 16;

#[derive(Debug, Clone, Copy)]
struct Owner {
    side: Side,
    word: u32,
}

/// One row: the pairs that belong to one word.
#[derive(Debug, Clone)]
pub struct RowView<'a> {
    /// The side of the word that owns the row.
    pub side: Side,
    /// The rank of that word.
    pub owner: usize,
    /// The row's ids; a few of them may belong to no pair.
    pub ids: Range<usize>,
    /// The ranks of the words on the other side, ascending.
    pub partners: &'a [u32],
}

impl RowView<'_> {
    /// The pairs by ascending id: id, rank of the source word, rank of the target word.
    #[inline(always)]
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let dense = self.ids.len() != self.partners.len();
        let owned_by_source = self.side == Side::Source;
        self.partners.iter().enumerate().map(move |(k, &partner)| {
            let partner = partner as usize;
            let id = self.ids.start + if dense { partner } else { k };
            if owned_by_source { (id, self.owner, partner) } else { (id, partner, self.owner) }
        })
    }
}

impl PairIndex {
    /// Collects the pairs of a bitext. O(cells) time at most; frequent words stop as soon as they have met all
    /// their possible partners.
    ///
    /// # Errors
    /// If there are 2^32 pairs or more, or the observer stops the work.
    pub fn build(bitext: &RankedBitext, parallelism: &Parallelism, observer: &dyn Observer) -> Result<Self> {
        let (source, target) = (&bitext.bitext().source, &bitext.bitext().target);
        let (source_universes, target_universes) = universes(bitext.source_frequencies(), bitext.target_frequencies());
        let owners = owners(bitext.source_frequencies(), bitext.target_frequencies());
        let (source_postings, target_postings) = parallelism.join(|| Postings::of(source), || Postings::of(target));
        let mut index = Self {
            source_rows: source_universes.iter().map(|&universe| Row::empty(universe)).collect(),
            target_rows: target_universes.iter().map(|&universe| Row::empty(universe)).collect(),
            owners: Vec::with_capacity(owners.len()),
            partners: Vec::new(),
            ids: 0,
            blocks: Vec::new(),
        };
        let chunks = owners.len().div_ceil(OWNERS_PER_CHUNK);
        observer.started("indexing word pairs", chunks as u64);
        let words = source.vocabulary().len().max(target.vocabulary().len());
        let gather = |collector: &mut Collector, chunk: usize| {
            check(observer)?;
            let mut rows = Vec::new();
            for &owner in &owners[chunk_range(owners.len(), OWNERS_PER_CHUNK, chunk)] {
                let word = owner.word as usize;
                let partners = match owner.side {
                    Side::Source => collector.collect(source_postings.of_word(word), target, source_universes[word]),
                    Side::Target => collector.collect(target_postings.of_word(word), source, target_universes[word]),
                };
                rows.push((owner, partners));
            }
            observer.advance(1);
            Ok(rows)
        };
        parallelism.map_ordered(
            chunks,
            || Collector::new(words),
            gather,
            |rows| rows.into_iter().try_for_each(|(owner, partners)| index.push_row(owner, &partners)),
        )?;
        index.partners.shrink_to_fit();
        index.blocks.shrink_to_fit();
        observer.finished(&format!("{} word pairs", index.len()));
        Ok(index)
    }

    fn push_row(&mut self, owner: Owner, partners: &[u32]) -> Result<()> {
        if partners.is_empty() {
            return Ok(());
        }
        let row = match owner.side {
            Side::Source => &mut self.source_rows[owner.word as usize],
            Side::Target => &mut self.target_rows[owner.word as usize],
        };
        row.start = self.ids;
        row.partners = self.partners.len() as u32;
        row.len = partners.len() as u32;
        if f64::from(row.len) >= DENSE_FROM * f64::from(row.universe) {
            row.layout = DENSE;
        } else if row.len >= row.universe / SPARSEST_BITMAP {
            row.layout = self.blocks.len() as u32;
            push_bitmap(&mut self.blocks, row.universe, partners);
        }
        self.ids = match self.ids.checked_add(row.ids()) {
            Some(ids) if ids < DENSE => ids,
            _ => return Err(ErrorKind::Inconsistent("more than 4 billion distinct word pairs".to_owned()).into()),
        };
        self.partners.extend_from_slice(partners);
        self.owners.push(owner);
        Ok(())
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.partners.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.partners.is_empty()
    }

    /// The number of ids: all are below it. A few more than there are pairs.
    pub fn ids(&self) -> usize {
        self.ids as usize
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.owners.len()
    }

    /// The `n`-th row; rows follow each other in the order of their ids.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, n: usize) -> RowView<'_> {
        let owner = self.owners[n];
        let row = match owner.side {
            Side::Source => self.source_rows[owner.word as usize],
            Side::Target => self.target_rows[owner.word as usize],
        };
        let start = row.start as usize;
        RowView {
            side: owner.side,
            owner: owner.word as usize,
            ids: start..start + row.ids() as usize,
            partners: self.partners_of(row),
        }
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = RowView<'_>> {
        (0..self.row_count()).map(|n| self.row(n))
    }

    #[inline(always)]
    fn partners_of(&self, row: Row) -> &[u32] {
        &self.partners[row.partners as usize..][..row.len as usize]
    }

    /// Writes the ids of all cells of a grid, row by source type: `ids[s * targets.len() + t]`. Both lists are sorted
    /// ranks without repetition. A pair that never occurred gets the number of ids, [`ids`](Self::ids), or an id that
    /// belongs to no pair.
    ///
    /// # Panics
    /// If `ids` is shorter than the grid, or a rank is not in the vocabulary.
    #[inline(always)]
    pub fn resolve(&self, sources: &[u32], targets: &[u32], ids: &mut [u32]) {
        let width = targets.len();
        // Both lists are sorted by falling frequency, so the universes grow: one pointer finds all their ends.
        let mut mine = 0;
        for (s, &source) in sources.iter().enumerate() {
            let row = self.source_rows[source as usize];
            while mine < width && targets[mine] < row.universe {
                mine += 1;
            }
            let ids = ids[s * width..][..mine].iter_mut();
            self.resolve_row(row, &targets[..mine], ids);
        }
        let mut mine = 0;
        for (t, &target) in targets.iter().enumerate() {
            let row = self.target_rows[target as usize];
            while mine < sources.len() && sources[mine] < row.universe {
                mine += 1;
            }
            let ids = ids.chunks_exact_mut(width).map(|ids| &mut ids[t]);
            self.resolve_row(row, &sources[..mine], ids);
        }
    }

    /// Has the memory fetched that [`resolve`](Self::resolve) will read for a grid.
    #[inline(always)]
    pub fn prefetch(&self, sources: &[u32], targets: &[u32]) {
        self.prefetch_rows(&self.source_rows, sources, targets);
        self.prefetch_rows(&self.target_rows, targets, sources);
    }

    #[inline(always)]
    fn prefetch_rows(&self, rows: &[Row], words: &[u32], partners: &[u32]) {
        for &word in words {
            let row = rows[word as usize];
            if row.layout == LIST {
                prefetch(&self.partners, row.partners as usize);
            } else if row.layout != DENSE {
                for &partner in partners.iter().take_while(|&&partner| partner < row.universe) {
                    prefetch(&self.blocks, row.layout as usize + (partner / 32) as usize);
                }
            }
        }
    }

    /// Writes the ids of a row's pairs with these partners, all of the row's universe.
    #[inline(always)]
    fn resolve_row<'i>(&self, row: Row, partners: &[u32], ids: impl Iterator<Item = &'i mut u32>) {
        let absent = self.ids;
        let cells = partners.iter().zip(ids);
        if row.layout == DENSE {
            for (&word, id) in cells {
                *id = row.start + word;
            }
        } else if row.layout != LIST {
            let blocks = &self.blocks[row.layout as usize..];
            for (&word, id) in cells {
                let block = blocks[(word / 32) as usize];
                let (bits, before) = ((block >> 32) as u32, block as u32);
                let bit = 1u32 << (word % 32);
                let there = bits & bit != 0;
                let place = row.start + before + (bits & (bit - 1)).count_ones();
                *id = if there { place } else { absent };
            }
        } else {
            let list = self.partners_of(row);
            let mut k = 0;
            for (&word, id) in cells {
                while k < list.len() && list[k] < word {
                    k += 1;
                }
                let there = k < list.len() && list[k] == word;
                *id = if there { row.start + k as u32 } else { absent };
            }
        }
    }

    /// Bytes of memory held.
    pub fn memory_bytes(&self) -> usize {
        let rows = self.source_rows.capacity() + self.target_rows.capacity();
        rows * size_of::<Row>()
            + self.owners.capacity() * size_of::<Owner>()
            + self.partners.capacity() * 4
            + self.blocks.capacity() * 8
    }
}

impl Row {
    fn empty(universe: u32) -> Self {
        Self { start: 0, partners: 0, len: 0, universe, layout: LIST }
    }

    /// How many ids it has.
    fn ids(self) -> u32 {
        if self.layout == DENSE { self.universe } else { self.len }
    }
}

const OWNERS_PER_CHUNK: usize = 256;

/// How many of the other side's words are at least as frequent (for source words), or more frequent (for target
/// words): the ranks of the partners that a row can hold. So each pair has exactly one owner.
fn universes(source: &[u64], target: &[u64]) -> (Vec<u32>, Vec<u32>) {
    let of_source = source.iter().map(|&own| target.partition_point(|&other| other >= own) as u32).collect();
    let of_target = target.iter().map(|&own| source.partition_point(|&other| other > own) as u32).collect();
    (of_source, of_target)
}

/// All words of both sides by falling frequency, source first among equals.
fn owners(source: &[u64], target: &[u64]) -> Vec<Owner> {
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

/// For each word the sentences it occurs in.
struct Postings {
    ends: Vec<u64>,
    sentences: Vec<u32>,
}

impl Postings {
    fn of(text: &Text) -> Self {
        let mut ends = vec![0u64; text.vocabulary().len()];
        let mut last = vec![u32::MAX; text.vocabulary().len()];
        for_each_occurrence(text, &mut last, |word, _| ends[word.index()] += 1);
        let mut total = 0;
        for end in &mut ends {
            let count = *end;
            *end = total;
            total += count;
        }
        let mut sentences = vec![0u32; total as usize];
        last.fill(u32::MAX);
        for_each_occurrence(text, &mut last, |word, sentence| {
            let place = &mut ends[word.index()];
            sentences[*place as usize] = sentence;
            *place += 1;
        });
        Self { ends, sentences }
    }

    fn of_word(&self, word: usize) -> &[u32] {
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.sentences[start as usize..self.ends[word] as usize]
    }
}

/// Visits each word once for each sentence it is in.
fn for_each_occurrence(text: &Text, last: &mut [u32], mut visit: impl FnMut(WordId, u32)) {
    for n in 0..text.len() {
        for &word in text.sentence(n) {
            if last[word.index()] != n as u32 {
                last[word.index()] = n as u32;
                visit(word, n as u32);
            }
        }
    }
}

/// Collects the partners of one word after another.
struct Collector {
    met: Vec<u64>,
    found: Vec<u32>,
}

impl Collector {
    fn new(words: usize) -> Self {
        Self { met: vec![0; words.div_ceil(64)], found: Vec::new() }
    }

    /// The sorted words below `universe` in the given sentences of the other side.
    fn collect(&mut self, sentences: &[u32], other: &Text, universe: u32) -> Vec<u32> {
        self.found.clear();
        'sentences: for &n in sentences {
            for &word in other.sentence(n as usize) {
                let word = word.index() as u32;
                if word >= universe {
                    continue;
                }
                let (block, bit) = ((word / 64) as usize, 1u64 << (word % 64));
                if self.met[block] & bit == 0 {
                    self.met[block] |= bit;
                    self.found.push(word);
                    if self.found.len() == universe as usize {
                        break 'sentences;
                    }
                }
            }
        }
        if self.found.len() * 16 > universe as usize {
            let blocks = (universe as usize).div_ceil(64);
            self.found.clear();
            drain_bitmap(&mut self.met[..blocks], &mut self.found);
        } else {
            for &word in &self.found {
                self.met[(word / 64) as usize] = 0;
            }
            self.found.sort_unstable();
        }
        self.found.clone()
    }
}

/// Appends the numbers of the bits that are set, ascending, and clears them.
fn drain_bitmap(blocks: &mut [u64], found: &mut Vec<u32>) {
    for (n, block) in blocks.iter_mut().enumerate() {
        while *block != 0 {
            found.push(n as u32 * 64 + block.trailing_zeros());
            *block &= *block - 1;
        }
    }
}

fn push_bitmap(blocks: &mut Vec<u64>, universe: u32, partners: &[u32]) {
    let mut rest = partners;
    for block in 0..universe.div_ceil(32) {
        let before = partners.len() - rest.len();
        let mut bits = 0u32;
        while let Some((&word, others)) = rest.split_first()
            && word / 32 == block
        {
            bits |= 1 << (word % 32);
            rest = others;
        }
        blocks.push(u64::from(bits) << 32 | before as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::bitext::Bitext;
    use crate::progress::Silent;

    fn ranked(lines: &[(Vec<u8>, Vec<u8>)]) -> RankedBitext {
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

    proptest! {
        #[test]
        fn every_cell_finds_its_pair_and_every_pair_is_met(lines in lines(), threads in 1usize..4) {
            let bitext = ranked(&lines);
            let index = PairIndex::build(&bitext, &Parallelism::new(threads).unwrap(), &Silent).unwrap();
            let mut name = vec![None; index.ids() + 1];
            let mut pairs = 0;
            for row in index.rows() {
                for (id, source, target) in row.pairs() {
                    prop_assert!(row.ids.contains(&id));
                    prop_assert!(name[id].replace((source as u32, target as u32)).is_none());
                    pairs += 1;
                }
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
