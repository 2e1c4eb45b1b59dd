//! The lexicon's table: t(f|e) and t(e|f) of each word pair, and the expected counts of both directions.
//!
//! The table is indexed by the ids of a [`PairIndex`](super::PairIndex); one more cell at the end stands for pairs that
//! are not in the index. A cell has 16 bytes: two `f32` probabilities, and two 32-bit counts packed into one
//! `AtomicU64`. So looking up the probabilities brings the counts into the cache.
//!
//! Counts are integers in units of 2^-16, and integer sums do not depend on the order in which threads add. When a
//! count reaches 2^31 units, both counts of its cell are moved to a small overflow table (`shared_sum` proves that none
//! overflows before that). Pairs of frequent words, whose ranks from 1 have a product of at most 4096, occur in nearly
//! every sentence pair. Where there are several threads, each counts those pairs privately in its [`CountSink`] and
//! adds the totals when it is dropped, so that threads do not compete for the same cache lines.

use std::sync::atomic::{AtomicU64, Ordering};

use super::SparseValues;
use crate::numeric::simd::prefetch;
use crate::parallel::Parallelism;
use crate::shared_sum::{Adding, Spilled};

/// How many units an expected count of one is: posteriors are rounded to multiples of 2^-16.
pub const UNIT: f32 = 65_536.0;

/// A posterior in units of 2^-16, rounded to nearest. Negative values count as 0, and more than 65,535 as 65,536 less a unit:
/// sentences have at most [`MOST_TOKENS`](crate::bitext::MOST_TOKENS) words, so that no pair of words occurs more often in one.
#[inline(always)]
pub fn to_units(posterior: f32) -> u32 {
    // By way of i64, which processors convert in one instruction.
    ((posterior * UNIT + 0.5) as i64).clamp(0, i64::from(u32::MAX)) as u32
}

/// [`to_units`] for values from 0 up to [`FEW`], rounded to the nearest even: one addition, so that whole rows are
/// converted at once. Adding 2^23 leaves the integer in the low bits of the number.
#[inline(always)]
pub fn few_to_units(posterior: f32) -> u32 {
    (posterior * UNIT + 8_388_608.0).to_bits() & 0x007F_FFFF
}

/// What [`few_to_units`] can convert.
pub const FEW: f32 = 127.0;

/// A count in units of 2^-16 as a number.
#[inline]
pub fn from_units(units: u64) -> f64 {
    // By way of i64, which processors convert in one instruction. 2^63 units are 2^47 counts; the words of a text so large
    // would take 2^48 bytes.
    units as i64 as f64 / f64::from(UNIT)
}

/// For each pair of words a probability and an expected count in both directions.
///
/// A pair takes 16 bytes, so that looking up its probabilities brings its counts into the cache. Counts are in units of
/// 2^-16: 32 bits a direction, and a small table for what does not fit there (each entry of that table stands for 32768
/// counts, or many at once, so it stays small whatever the text). Integer sums do not depend on their order, so any number
/// of threads gives the same counts.
#[derive(Debug)]
pub struct PairTable {
    /// One for each id; then one more, for pairs that are not in the index.
    cells: Vec<PairCell>,
    spilled: Spilled<2>,
}

/// One pair of words in a [`PairTable`].
#[derive(Debug)]
#[repr(align(16))]
pub struct PairCell {
    units: AtomicU64,
    /// t(target | source) and t(source | target).
    pub probability: [f32; 2],
}

impl PairCell {
    /// Both counts in units, forward and reverse, without what was spilled. Not while threads add.
    #[inline]
    pub fn units(&self) -> [u64; 2] {
        unpacked(self.units.load(Ordering::Relaxed))
    }
}

/// What can say how probable pairs of words are.
pub trait Probabilities {
    /// The probabilities of a pair, t(target | source) and t(source | target); of a pair that is not in the index if that is
    /// what [`PairIndex::resolve`](super::PairIndex::resolve) said.
    fn probability(&self, id: u32) -> [f32; 2];

    /// Says that a pair will be looked up soon.
    fn prefetch(&self, id: u32);
}

impl Probabilities for PairTable {
    #[inline(always)]
    fn probability(&self, id: u32) -> [f32; 2] {
        self.cells[id as usize].probability
    }

    #[inline(always)]
    fn prefetch(&self, id: u32) {
        prefetch(&self.cells, id as usize);
    }
}

/// The top bit of each direction's 32 bits: where one is set, both are taken away by who adds next.
const TOPS: u64 = 0x8000_0000_8000_0000;

/// Pairs of words are counted by each thread for itself if the product of their ranks is at most this: nearly every sentence
/// pair has some of them, and threads would wait for each other's cache lines.
const FREQUENT: usize = 4096;

impl PairTable {
    /// Zero counts for `ids` pairs, with the probability of pairs that are not in the index.
    pub fn new(ids: usize, absent: f32, parallelism: &Parallelism) -> Self {
        let cell = |_| PairCell { units: AtomicU64::default(), probability: [absent; 2] };
        Self { cells: parallelism.collect(ids + 1, cell), spilled: Spilled::new() }
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.cells.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All pairs in order.
    pub fn cells(&self) -> &[PairCell] {
        let pairs = self.len();
        &self.cells[..pairs]
    }

    /// All pairs in order, to be changed.
    pub fn cells_mut(&mut self) -> &mut [PairCell] {
        let pairs = self.len();
        &mut self.cells[..pairs]
    }

    /// Where one of so many threads adds. All that add at the same time have to give the same number.
    pub fn sink(&self, threads: usize) -> CountSink<'_> {
        let private = PrivateCounts::new(if threads == 1 { 0 } else { FREQUENT });
        CountSink { counts: self, private, adding: Adding::new(u32::BITS, threads) }
    }

    /// What was spilled, by ascending pair: add it to [`PairCell::units`]. How much of a count is here and how much there
    /// depends on how threads were scheduled; the sum does not.
    ///
    /// # Panics
    /// If a thread panicked while it added.
    pub fn spilled(&self) -> Vec<(u32, [u64; 2])> {
        // Each less than 2^63, see `from_units`.
        self.spilled.to_vec().into_iter().map(|(id, units)| (id as u32, units.map(|units| units as u64))).collect()
    }

    /// The counts of pairs that have any, in units, by ascending pair, given what was [spilled](Self::spilled).
    pub(crate) fn counts_with(&self, spilled: &[(u32, [u64; 2])]) -> impl Iterator<Item = (u32, [u64; 2])> {
        let mut more = SparseValues::starting_at(spilled, 0);
        self.cells().iter().enumerate().filter_map(move |(id, cell)| {
            let (units, more) = (cell.units(), more.of(id).unwrap_or_default());
            let units = [units[0] + more[0], units[1] + more[1]];
            (units != [0; 2]).then_some((id as u32, units))
        })
    }

    /// The probabilities of all pairs in order.
    pub(crate) fn probabilities(&self) -> impl Iterator<Item = [f32; 2]> {
        self.cells().iter().map(|cell| cell.probability)
    }

    /// Adds to both counts of a pair, in units of 2^-16.
    ///
    /// # Panics
    /// If there is no such pair.
    pub(crate) fn add_counts(&mut self, id: u32, units: [u64; 2]) {
        self.sink(1).add_shared(id, units);
    }

    /// Sets all counts to zero.
    ///
    /// # Panics
    /// If a thread panicked while it added.
    pub fn clear_counts(&mut self) {
        for cell in &mut self.cells {
            *cell.units.get_mut() = 0;
        }
        self.spilled.clear();
    }
}

/// One thread's hand on the counts of a [`PairTable`]. What it added is complete when it is dropped.
#[derive(Debug)]
pub struct CountSink<'a> {
    counts: &'a PairTable,
    private: PrivateCounts,
    adding: Adding,
}

/// What one thread has counted of pairs of frequent words.
#[derive(Debug)]
struct PrivateCounts {
    /// For each source word where its target words begin, and how many there are.
    rows: Vec<[u32; 2]>,
    units: Vec<u64>,
    /// Of the pairs that have units.
    ids: Vec<u32>,
}

impl PrivateCounts {
    /// Of words whose ranks, from 1, have a product of no more than `most`.
    fn new(most: usize) -> Self {
        let mut len = 0;
        let row = |rank| {
            let (start, count) = (len, (most / rank) as u32);
            len += count;
            [start, count]
        };
        let rows = (1..=most).map(row).collect();
        Self { rows, units: vec![0; len as usize], ids: vec![0; len as usize] }
    }

    /// The place of a pair of words, ranks from 0, if it has one.
    #[inline(always)]
    fn place(&self, [source, target]: [usize; 2]) -> Option<usize> {
        let &[start, count] = self.rows.get(source)?;
        (target < count as usize).then_some(start as usize + target)
    }
}

/// Both counts in one number, each less than 2^32.
#[inline(always)]
fn packed([forward, reverse]: [u64; 2]) -> u64 {
    forward | reverse << 32
}

#[inline(always)]
fn unpacked(units: u64) -> [u64; 2] {
    [units & 0xFFFF_FFFF, units >> 32]
}

impl CountSink<'_> {
    /// Adds to both counts of a pair, in units of 2^-16. The words are ranks by frequency, from 0.
    #[inline]
    pub fn add(&mut self, id: u32, words: [usize; 2], units: [u64; 2]) {
        let Some(place) = self.private.place(words) else { return self.add_shared(id, units) };
        // Below 2^31 before, 2^30 more at most.
        if units[0] | units[1] >= 1 << 30 {
            return self.counts.spilled.add(id as usize, units);
        }
        let sum = &mut self.private.units[place];
        if *sum == 0 {
            self.private.ids[place] = id;
        }
        *sum += packed(units);
        if *sum & TOPS != 0 {
            self.counts.spilled.add(id as usize, unpacked(std::mem::take(sum)));
        }
    }

    /// Adds where other threads add, too.
    #[inline]
    fn add_shared(&self, id: u32, units: [u64; 2]) {
        if !self.adding.may_add(units[0] | units[1]) {
            return self.counts.spilled.add(id as usize, units);
        }
        let over = self.adding.add(&self.counts.cells[id as usize].units, packed(units), TOPS);
        if over != 0 {
            self.counts.spilled.add(id as usize, unpacked(over));
        }
    }
}

impl Drop for CountSink<'_> {
    fn drop(&mut self) {
        let PrivateCounts { units, ids, .. } = &self.private;
        for (&units, &id) in units.iter().zip(ids).filter(|&(&units, _)| units != 0) {
            self.add_shared(id, unpacked(units));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(counts: &PairTable, id: usize) -> [u64; 2] {
        let mut sum = counts.cells()[id].units();
        for (spilled, units) in counts.spilled() {
            if spilled as usize == id {
                sum[0] += units[0];
                sum[1] += units[1];
            }
        }
        sum
    }

    #[test]
    fn counts_beyond_32_bits_are_exact() {
        let counts = PairTable::new(3, 0.0, &Parallelism::serial());
        let mut sink = counts.sink(1);
        for _ in 0..5 {
            sink.add(1, [0, 1], [(1 << 30) - 1, 7]);
        }
        sink.add(2, [0, 2], [u64::from(u32::MAX); 2]);
        sink.add(2, [0, 2], [1, 2]);
        drop(sink);
        assert_eq!(total(&counts, 1), [5 * ((1 << 30) - 1), 35]);
        assert_eq!(total(&counts, 2), [1 << 32, (1 << 32) + 1]);
    }

    #[test]
    fn threads_add_up_exactly() {
        let counts = PairTable::new(3, 0.0, &Parallelism::serial());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut sink = counts.sink(4);
                    for n in 0..20_000 {
                        sink.add(0, [63, 63], [300_000 + n, 1]);
                        sink.add(1, [63, 64], [300_000 + n, 500_000]);
                        sink.add(2, [0, FREQUENT - 1], [1, 2]);
                    }
                });
            }
        });
        let expected = 4 * (20_000 * 300_000 + 19_999 * 20_000 / 2);
        assert_eq!(total(&counts, 0), [expected, 80_000]);
        assert_eq!(total(&counts, 1), [expected, 80_000 * 500_000]);
        assert_eq!(total(&counts, 2), [80_000, 160_000]);
    }

    #[test]
    fn each_pair_of_frequent_words_has_a_place_of_its_own() {
        let private = PrivateCounts::new(100);
        let pairs = (0..120).flat_map(|s| (0..120).map(move |t| [s, t]));
        let places: Vec<usize> = pairs.clone().filter_map(|words| private.place(words)).collect();
        assert!(places.iter().copied().eq(0..private.units.len()));
        assert_eq!(places.len(), pairs.filter(|[s, t]| (s + 1) * (t + 1) <= 100).count());
    }

    #[test]
    fn units_round_to_nearest() {
        assert_eq!(to_units(1.0), 65_536);
        assert_eq!(to_units(-0.001), 0);
        assert_eq!(to_units(1.4 / 65_536.0), 1);
        for value in [0.0, 1e-9, 1.4 / 65_536.0, 0.3, 1.0, 77.7, FEW] {
            assert_eq!(few_to_units(value), to_units(value), "{value}");
        }
        assert!((from_units(32_768) - 0.5).abs() < 1e-12);
        // As often as one word may occur in a sentence.
        assert_eq!(to_units(65_535.0), 65_535 << 16);
        assert_eq!(to_units(1e9), u32::MAX);
    }
}
