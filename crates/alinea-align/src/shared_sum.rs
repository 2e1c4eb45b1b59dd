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

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A whole number that threads share.
pub(crate) trait SharedSum {
    /// Adds, and returns what was there before.
    fn fetch_add(&self, units: u64) -> u64;

    /// The same where no other thread adds: without the cost of sharing.
    fn fetch_add_alone(&self, units: u64) -> u64 {
        self.fetch_add(units)
    }

    /// Takes everything away, and returns it.
    fn take(&self) -> u64;
}

impl SharedSum for AtomicU32 {
    #[inline(always)]
    fn fetch_add(&self, units: u64) -> u64 {
        self.fetch_add(units as u32, Ordering::Relaxed).into()
    }

    #[inline(always)]
    fn fetch_add_alone(&self, units: u64) -> u64 {
        let before = self.load(Ordering::Relaxed);
        self.store(before + units as u32, Ordering::Relaxed);
        before.into()
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

    #[inline(always)]
    fn fetch_add_alone(&self, units: u64) -> u64 {
        let before = self.load(Ordering::Relaxed);
        self.store(before + units, Ordering::Relaxed);
        before
    }

    #[cold]
    fn take(&self) -> u64 {
        self.swap(0, Ordering::Relaxed)
    }
}

/// How threads add to sums of the same size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adding {
    most: u64,
    alone: bool,
}

impl Adding {
    /// So many threads to sums of `bits` bits.
    pub(crate) const fn new(bits: u32, threads: usize) -> Self {
        Self { most: most_at_once(bits, threads), alone: threads == 1 }
    }

    /// Whether so much may be added at once; of several numbers their bitwise or may be asked about. What may not is to be
    /// spilled.
    #[inline(always)]
    pub(crate) const fn may_add(self, units: u64) -> bool {
        units < self.most
    }

    /// Adds to a sum, or to several that are packed into one number, each of which [`may_add`](Self::may_add) allows.
    /// `tops`: the top bit of each. What is returned, if not 0, has been taken away and is to be spilled.
    #[inline(always)]
    #[must_use]
    pub(crate) fn add(self, sum: &impl SharedSum, units: u64, tops: u64) -> u64 {
        let before = if self.alone { sum.fetch_add_alone(units) } else { sum.fetch_add(units) };
        if before & tops == 0 { 0 } else { sum.take() }
    }
}

/// What sums with numbers from 0 were too small for, N values each. It is small whatever is added up: each entry stands for
/// much.
#[derive(Debug)]
pub(crate) struct Spilled<const N: usize>(Mutex<BTreeMap<usize, [u128; N]>>);

impl<const N: usize> Spilled<N> {
    /// Nothing.
    pub(crate) fn new() -> Self {
        Self(Mutex::default())
    }

    /// Adds to what was spilled of a sum.
    #[cold]
    pub(crate) fn add(&self, sum: usize, units: [u64; N]) {
        let mut spilled = self.0.lock().expect(NO_PANIC);
        for (entry, units) in spilled.entry(sum).or_insert([0; N]).iter_mut().zip(units) {
            *entry += u128::from(units);
        }
    }

    /// All of it, by ascending number.
    pub(crate) fn to_vec(&self) -> Vec<(usize, [u128; N])> {
        self.0.lock().expect(NO_PANIC).iter().map(|(&sum, &units)| (sum, units)).collect()
    }

    /// Forgets it.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().expect(NO_PANIC).clear();
    }

    /// The sums with what was spilled of them, as `value` says them, in the memory of the sums if they are as large.
    pub(crate) fn into_totals<A, T>(
        self,
        sums: Vec<A>,
        units: impl Fn(&A) -> [u64; N],
        value: impl Fn([u128; N]) -> T,
    ) -> Vec<T> {
        let mut spilled = self.0.into_inner().expect(NO_PANIC).into_iter().peekable();
        let total = |(place, sum): (usize, A)| {
            let mut total = units(&sum).map(u128::from);
            if let Some((_, more)) = spilled.next_if(|&(spilled, _)| spilled == place) {
                total.iter_mut().zip(more).for_each(|(total, more)| *total += more);
            }
            value(total)
        };
        sums.into_iter().enumerate().map(total).collect()
    }
}

const NO_PANIC: &str = "no thread panics while it adds";

/// The most that so many threads may add at once to sums of `bits` bits: a power of two, so that one comparison tells of
/// several numbers whether all are below.
const fn most_at_once(bits: u32, threads: usize) -> u64 {
    let most = (1u64 << (bits - 1)) / (threads as u64 + 1);
    1 << most.ilog2()
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
    fn all_interleavings(adding: Adding, most: u64) {
        loom::model(move || {
            let start = (1 << 31) - 1;
            let sum = Arc::new(loom::sync::atomic::AtomicU64::new(start << 32 | start));
            let add = |sum: Arc<loom::sync::atomic::AtomicU64>| {
                move || (0..2).map(|_| parts(adding.add(&*sum, most << 32 | most, TOPS))).fold([0; 2], plus)
            };
            let others = [(); 2].map(|()| loom::thread::spawn(add(Arc::clone(&sum))));
            let own = add(Arc::clone(&sum))();
            let spilled = others.into_iter().map(|thread| thread.join().unwrap()).fold(own, plus);
            let all = plus(spilled, parts(sum.load(Ordering::Relaxed)));
            assert_eq!(all, [start + 6 * most; 2]);
        });
    }

    #[test]
    fn nothing_is_lost_whatever_the_interleaving() {
        let adding = Adding::new(32, 3);
        all_interleavings(adding, adding.most);
    }

    #[test]
    #[should_panic = "assertion `left == right` failed"]
    fn the_model_checker_finds_what_is_lost_where_more_is_added() {
        all_interleavings(Adding::new(32, 3), 1 << 30);
    }

    #[test]
    fn nothing_is_lost_where_threads_are_preempted() {
        let threads = 16;
        let adding = Adding::new(32, threads);
        let most = adding.most - 1;
        let sum = Preempted(AtomicU64::new(0));
        let times = 500;
        let add_all = || (0..times).map(|_| parts(adding.add(&sum, most << 32 | most, TOPS))).fold([0; 2], plus);
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
            of_shared += Adding::new(32, 2).add(&shared, units, 1 << 31);
            of_alone += Adding::new(32, 1).add(&alone, units, 1 << 31);
            let both = [
                of_shared + u64::from(shared.load(Ordering::Relaxed)),
                of_alone + u64::from(alone.load(Ordering::Relaxed)),
            ];
            assert_eq!(both[0], both[1]);
        }
        assert_eq!(of_alone + u64::from(alone.into_inner()), 5 * (1 << 29) + 20);
    }
}
