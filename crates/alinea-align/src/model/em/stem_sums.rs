//! Sums by stem pair, to which all threads add in the M step.
//!
//! A sum is a 32-bit atomic integer in units of 2^-21, one for each direction, or one for both where they count the
//! same. Integer sums do not depend on the order of addition, so the result is the same with any number of threads. The
//! unit is finer than the 2^-16 of expected counts because small pseudo-counts are added here too.
//!
//! What outgrows 31 bits is moved to an overflow table of 128-bit totals (`shared_sum` proves that no sum overflows
//! before that); both are added up, exactly, at the end.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::numeric::simd::prefetch;
use crate::parallel::Parallelism;
use crate::shared_sum::{Adding, Spilled};

/// How many units a count of one is: finer than expected counts, because pseudo-counts are added here.
const UNIT: f64 = 2_097_152.0;

/// A sum that has this bit is taken away by who adds to it next.
const TOP: u64 = 1 << (u32::BITS - 1);

/// A sum for each stem pair and direction: 32 bits in units of 2^-21, and a small table for what does not fit there.
/// Integer sums do not depend on their order.
///
/// The table has 128 bits a sum, since one of few stems may have the pseudo-counts of all pairs of words: 2^32 pairs of at
/// most 2^42 counts (what [`units`](Self::add) of a pair can say in 63 bits) are 2^95 units.
#[derive(Debug)]
pub(in crate::model) struct StemPairSums<const DIRECTIONS: usize> {
    sums: Vec<[AtomicU32; DIRECTIONS]>,
    spilled: Spilled<DIRECTIONS>,
    adding: Adding,
}

impl<const DIRECTIONS: usize> StemPairSums<DIRECTIONS> {
    /// Zeros, to which these threads will add.
    pub(in crate::model) fn new(stem_pairs: usize, parallelism: &Parallelism) -> Self {
        let sums = parallelism.collect(stem_pairs, |_| [const { AtomicU32::new(0) }; DIRECTIONS]);
        Self { sums, spilled: Spilled::new(), adding: Adding::new(u32::BITS, parallelism.threads()) }
    }

    /// Has a sum fetched.
    #[inline(always)]
    pub(in crate::model) fn prefetch(&self, stem_pair: u32) {
        prefetch(&self.sums, stem_pair as usize);
    }

    /// Adds to the sums of a stem pair; of the values, the first direction's if both are the same.
    #[inline(always)]
    pub(in crate::model) fn add(&self, stem_pair: u32, values: [f64; 2]) {
        for (direction, (sum, value)) in self.sums[stem_pair as usize].iter().zip(values).enumerate() {
            // By way of i64, which processors convert in one instruction; it ends at 2^42 counts.
            let units = (value * UNIT + 0.5) as i64 as u64;
            let over = if self.adding.may_add(units) { self.adding.add(sum, units, TOP) } else { units };
            if over != 0 {
                let mut spilled = [0; DIRECTIONS];
                spilled[direction] = over;
                self.spilled.add(stem_pair as usize, spilled);
            }
        }
    }

    /// The sums, each with something more.
    pub(in crate::model) fn into_counts(self, more: f64) -> Vec<[f32; DIRECTIONS]> {
        let units = |sums: &[AtomicU32; DIRECTIONS]| sums.each_ref().map(|sum| sum.load(Ordering::Relaxed).into());
        self.spilled.into_totals(self.sums, units, |units| units.map(|units| (units as f64 / UNIT + more) as f32))
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
