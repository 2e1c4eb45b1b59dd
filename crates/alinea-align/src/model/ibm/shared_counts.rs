//! Expected counts to which all threads add.
//!
//! A count is a 64-bit atomic integer in units of 2^-36. Each addition is rounded to the nearest unit, so the sum does
//! not depend on the order of additions, and results are the same with any number of threads. When a count reaches 2^63
//! units, that is 2^27, the thread that adds next moves it to an overflow table of 128-bit totals (`shared_sum` proves
//! that none overflows before that). At the end both are added up and become doubles.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::parallel::Parallelism;
use crate::shared_sum::{Adding, Spilled};

/// How many units an expected count of one is. Counts are integers, so that their sum does not depend on the order in
/// which threads add.
const UNIT: f64 = (1u64 << 36) as f64;

/// A sum that has this bit is taken away by who adds to it next: every 2^27 counts.
const TOP: u64 = 1 << 63;

/// As many threads as there may be: what is not less than 2^18 counts is spilled at once.
const ADDING: Adding = Adding::new(u64::BITS, Parallelism::MOST_THREADS);

/// Expected counts in multiples of 2^-36: 64 bits each, and a small table for what does not fit there. Its 128 bits suffice
/// for 2^92 counts.
#[derive(Debug)]
pub(super) struct SharedCounts {
    sums: Vec<AtomicU64>,
    spilled: Spilled<1>,
}

impl SharedCounts {
    /// So many zeros.
    pub(super) fn zeros(len: usize) -> Self {
        let mut sums = Vec::new();
        sums.resize_with(len, AtomicU64::default);
        Self { sums, spilled: Spilled::new() }
    }

    /// How many counts there are.
    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    /// Adds to a count; at once no more than 2^28, where one sentence pair has at most 65,535 words.
    #[inline(always)]
    pub(super) fn add(&self, place: usize, value: f64) {
        let units = (value * UNIT + 0.5) as u64;
        let over = if ADDING.may_add(units) { ADDING.add(&self.sums[place], units, TOP) } else { units };
        if over != 0 {
            self.spilled.add(place, [over]);
        }
    }

    /// What was counted.
    pub(super) fn into_values(self) -> Vec<f64> {
        let units = |sum: &AtomicU64| [sum.load(Ordering::Relaxed)];
        self.spilled.into_totals(self.sums, units, |[units]| units as f64 / UNIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_64_bits_are_exact() {
        let counts = SharedCounts::zeros(3);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..3000 {
                        counts.add(0, 200_000.25);
                        counts.add(1, 0.5);
                    }
                    counts.add(2, 1e6);
                });
            }
        });
        // The first is more than 2^31, where 64 bits end at 2^28.
        assert_eq!(counts.into_values(), [2_400_003_000.0, 6000.0, 4e6]);
    }
}
