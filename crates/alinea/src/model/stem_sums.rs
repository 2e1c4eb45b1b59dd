//! Sums by stem pair, which several threads add to in any order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::numeric::simd::prefetch;
use crate::parallel::Parallelism;

/// How many units a count of one is: finer than expected counts, because pseudo-counts are added here.
const UNIT: f64 = 2_097_152.0;

/// More than this at once goes to the table of what is spilled: so many threads as there can be do not add up to
/// [`TOP`] before one of them has spilled it.
const MOST: u64 = 1 << 23;

/// The bit that is spilled.
const TOP: u32 = 1 << 31;

/// A sum for each stem pair and direction: 32 bits in units of 2^-21, and a small table for what does not fit there.
/// Integer sums do not depend on their order.
#[derive(Debug)]
pub(super) struct StemPairSums<const DIRECTIONS: usize> {
    sums: Vec<[AtomicU32; DIRECTIONS]>,
    spilled: Mutex<BTreeMap<(u32, usize), u64>>,
    alone: bool,
}

impl<const DIRECTIONS: usize> StemPairSums<DIRECTIONS> {
    /// Zeros, to which these threads will add.
    pub(super) fn new(stem_pairs: usize, parallelism: &Parallelism) -> Self {
        let sums = parallelism.collect(stem_pairs, |_| [const { AtomicU32::new(0) }; DIRECTIONS]);
        Self { sums, spilled: Mutex::default(), alone: parallelism.threads() == 1 }
    }

    /// Has a sum fetched.
    #[inline(always)]
    pub(super) fn prefetch(&self, stem_pair: u32) {
        prefetch(&self.sums, stem_pair as usize);
    }

    /// Adds to the sums of a stem pair; of the values, the first direction's if both are the same.
    #[inline(always)]
    pub(super) fn add(&self, stem_pair: u32, values: [f64; 2]) {
        for (direction, (sum, value)) in self.sums[stem_pair as usize].iter().zip(values).enumerate() {
            let units = (value * UNIT + 0.5) as i64 as u64;
            if units >= MOST {
                self.spill(stem_pair, direction, units);
                continue;
            }
            let old = if self.alone {
                let old = sum.load(Ordering::Relaxed);
                sum.store(old + units as u32, Ordering::Relaxed);
                old
            } else {
                sum.fetch_add(units as u32, Ordering::Relaxed)
            };
            // Only the thread that crosses the top bit sees it change.
            if (old + units as u32) & !old & TOP != 0 {
                sum.fetch_sub(TOP, Ordering::Relaxed);
                self.spill(stem_pair, direction, u64::from(TOP));
            }
        }
    }

    #[cold]
    fn spill(&self, stem_pair: u32, direction: usize, units: u64) {
        let mut spilled = self.spilled.lock().expect("no thread panics while it adds");
        *spilled.entry((stem_pair, direction)).or_default() += units;
    }

    /// The sums, each with something more.
    pub(super) fn into_counts(self, more: f64) -> Vec<[f32; DIRECTIONS]> {
        let count = |units: u64| (units as f64 / UNIT + more) as f32;
        let mut rest = self.spilled.into_inner().expect("no thread panics while it adds");
        for (&(pair, direction), units) in &mut rest {
            *units += u64::from(self.sums[pair as usize][direction].load(Ordering::Relaxed));
        }
        // In the same memory.
        let mut counts: Vec<[f32; DIRECTIONS]> =
            self.sums.into_iter().map(|sums| sums.map(|sum| count(u64::from(sum.into_inner())))).collect();
        for ((pair, direction), units) in rest {
            counts[pair as usize][direction] = count(units);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_any_size_are_exact() {
        let sums = StemPairSums::<2>::new(3, &Parallelism::serial());
        for _ in 0..5000 {
            sums.add(1, [3.5, 0.25]);
        }
        sums.add(1, [1e6, 0.0]);
        sums.add(2, [4.0, 3.999_999]);
        assert_eq!(sums.into_counts(0.5), [[0.5; 2], [1_017_500.5, 1250.5], [4.5, 4.499_999]]);
    }

    #[test]
    fn threads_add_up() {
        let sums = StemPairSums::<1>::new(2, &Parallelism::new(8).unwrap());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..10_000).for_each(|_| sums.add(0, [3.75, 9.0])));
            }
        });
        assert_eq!(sums.into_counts(0.0), [[300_000.0], [0.0]]);
    }
}
