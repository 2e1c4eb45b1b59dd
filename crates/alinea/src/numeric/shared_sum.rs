//! Exact sums of whole numbers that threads add to in any order, in fewer bits than the largest of them needs.
//!
//! Expected counts are kept for hundreds of millions of pairs of words. Few outgrow 31 bits, so a sum has 32, or two
//! of them share 64, and what is too much for it is *spilled*: moved to a table on the side. The moves depend on how
//! threads are scheduled; a sum and what was spilled of it, together, do not.
//!
//! **Why no sum overflows**, however long a thread is kept waiting between two instructions. Let a sum have W bits and
//! T = 2^(W-1). A thread that finds the sum at T or more takes all of it away *after* it has added, and before it adds
//! again. So from the moment that a sum reaches T until it is next taken away, each of N threads adds at most once.
//! With at most m added at a time, the sum stays below
//!
//! ```text
//! T + m        the addition that reaches T finds less than T
//!   + N m      one more for each thread
//! ```
//!
//! which is at most 2^W if m is at most T / (N + 1): [`most_at_once`]. What is larger has to be spilled directly.
//! `tests` has a model checker try all interleavings.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A whole number that threads share.
pub(crate) trait SharedSum {
    /// Adds, and returns what was there before.
    fn fetch_add(&self, units: u64) -> u64;

    /// Takes everything away, and returns it.
    fn take(&self) -> u64;
}

impl SharedSum for AtomicU32 {
    #[inline(always)]
    fn fetch_add(&self, units: u64) -> u64 {
        self.fetch_add(units as u32, Ordering::Relaxed).into()
    }

    #[cold]
    fn take(&self) -> u64 {
        self.swap(0, Ordering::Relaxed).into()
    }
}

impl SharedSum for AtomicU64 {
    #[inline(always)]
    fn fetch_add(&self, units: u64) -> u64 {
        self.fetch_add(units, Ordering::Relaxed)
    }

    #[cold]
    fn take(&self) -> u64 {
        self.swap(0, Ordering::Relaxed)
    }
}

/// A number to which only one thread adds: without the cost of sharing it.
#[derive(Debug)]
pub(crate) struct Alone<'a, A>(pub(crate) &'a A);

impl SharedSum for Alone<'_, AtomicU32> {
    #[inline(always)]
    fn fetch_add(&self, units: u64) -> u64 {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(before + units as u32, Ordering::Relaxed);
        before.into()
    }

    #[cold]
    fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed).into()
    }
}

impl SharedSum for Alone<'_, AtomicU64> {
    #[inline(always)]
    fn fetch_add(&self, units: u64) -> u64 {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(before + units, Ordering::Relaxed);
        before
    }

    #[cold]
    fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// The most that so many threads may add at once to sums of `bits` bits: a power of two, so that one comparison tells of
/// several numbers whether all are below.
pub(crate) const fn most_at_once(bits: u32, threads: usize) -> u64 {
    let most = (1u64 << (bits - 1)) / (threads as u64 + 1);
    1 << most.ilog2()
}

/// Adds to a sum, or to several that are packed into one number, each less than [`most_at_once`]. `tops`: the top bit of
/// each. What is returned, if not 0, has been taken away and is to be spilled.
#[inline(always)]
#[must_use]
pub(crate) fn add(sum: &impl SharedSum, units: u64, tops: u64) -> u64 {
    if sum.fetch_add(units) & tops == 0 { 0 } else { sum.take() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A sum that another thread gets ahead of whenever it can.
    struct Preempted(AtomicU64);

    impl SharedSum for Preempted {
        fn fetch_add(&self, units: u64) -> u64 {
            let before = SharedSum::fetch_add(&self.0, units);
            std::thread::yield_now();
            before
        }

        fn take(&self) -> u64 {
            std::thread::yield_now();
            self.0.take()
        }
    }

    impl SharedSum for loom::sync::atomic::AtomicU64 {
        fn fetch_add(&self, units: u64) -> u64 {
            self.fetch_add(units, Ordering::Relaxed)
        }

        fn take(&self) -> u64 {
            self.swap(0, Ordering::Relaxed)
        }
    }

    /// Two sums of 32 bits.
    const TOPS: u64 = 1 << 63 | 1 << 31;

    fn parts(packed: u64) -> [u64; 2] {
        [packed & 0xFFFF_FFFF, packed >> 32]
    }

    fn plus(one: [u64; 2], other: [u64; 2]) -> [u64; 2] {
        [one[0] + other[0], one[1] + other[1]]
    }

    /// All that three threads may see of two sums that are just below their tops when each adds this twice.
    fn all_interleavings(most: u64) {
        loom::model(move || {
            let start = (1 << 31) - 1;
            let sum = Arc::new(loom::sync::atomic::AtomicU64::new(start << 32 | start));
            let adding = |sum: Arc<loom::sync::atomic::AtomicU64>| {
                move || (0..2).map(|_| parts(add(&*sum, most << 32 | most, TOPS))).fold([0; 2], plus)
            };
            let others = [(); 2].map(|()| loom::thread::spawn(adding(Arc::clone(&sum))));
            let own = adding(Arc::clone(&sum))();
            let spilled = others.into_iter().map(|thread| thread.join().unwrap()).fold(own, plus);
            let all = plus(spilled, parts(sum.load(Ordering::Relaxed)));
            assert_eq!(all, [start + 6 * most; 2]);
        });
    }

    #[test]
    fn nothing_is_lost_whatever_the_interleaving() {
        all_interleavings(most_at_once(32, 3));
    }

    #[test]
    #[should_panic = "assertion `left == right` failed"]
    fn the_model_checker_finds_what_is_lost_where_more_is_added() {
        all_interleavings(1 << 30);
    }

    #[test]
    fn nothing_is_lost_where_threads_are_preempted() {
        let threads = 16;
        let most = most_at_once(32, threads) - 1;
        let sum = Preempted(AtomicU64::new(0));
        let times = 500;
        let add_all = || (0..times).map(|_| parts(add(&sum, most << 32 | most, TOPS))).fold([0; 2], plus);
        let spilled = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(add_all)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).fold([0; 2], plus)
        });
        assert_eq!(plus(spilled, parts(sum.0.load(Ordering::Relaxed))), [threads as u64 * times * most; 2]);
    }

    #[test]
    fn so_many_threads_stay_below_the_number_of_bits() {
        for bits in [32, 64] {
            for threads in 1..=256 {
                let (top, most) = (1u128 << (bits - 1), u128::from(most_at_once(bits, threads)));
                assert!(top + most + threads as u128 * most <= 1 << bits, "{threads} threads");
                assert!(4 * most * (threads as u128 + 1) > top, "{threads} threads could add more");
            }
        }
    }

    #[test]
    fn one_thread_alone_adds_the_same() {
        let (shared, alone) = (AtomicU32::new(0), AtomicU32::new(0));
        let (mut of_shared, mut of_alone) = (0, 0);
        for units in [1, 1 << 29, 1 << 29, 1 << 29, (1 << 29) + 3, 1 << 29, 7, 9] {
            of_shared += add(&shared, units, 1 << 31);
            of_alone += add(&Alone(&alone), units, 1 << 31);
            let both = [
                of_shared + u64::from(shared.load(Ordering::Relaxed)),
                of_alone + u64::from(alone.load(Ordering::Relaxed)),
            ];
            assert_eq!(both[0], both[1]);
        }
        assert_eq!(of_alone + u64::from(alone.into_inner()), 5 * (1 << 29) + 20);
    }
}
