//! Which pairs of a text a sample takes: a systematic sample of the pairs in order of length, then of place.
//!
//! Pairs of about the same length are a *stratum*: as many strata as leave each enough of the sample, at most
//! [`MOST_STRATA`], with about as many pairs in each. In the order of strata, and within a stratum in that of the text,
//! the sample takes every (N/n)-th of the N pairs. So of any stratum, and of any strata that follow each other, it takes n/N of
//! the pairs, to within one; and of a stratum in any stretch of the text, too, so that a stretch has its share to
//! within the number of strata.

/// More strata would make lengths no more even than they are.
const MOST_STRATA: usize = 32;

/// So many pairs of the sample, or more, are there for each stratum; otherwise places in the text would be uneven.
const LEAST_OF_STRATUM: usize = 16;

/// Decides pair by pair, in the order of the text.
#[derive(Debug, Clone)]
pub(super) struct Strata {
    /// The stratum of each length.
    of_length: Vec<usize>,
    /// The place that the next pair of each stratum has in the order of strata.
    next: Vec<u64>,
    pairs: u64,
    sample: u64,
}

impl Strata {
    /// Strata for a sample of so many pairs; given is how many pairs of each length the text has.
    pub(super) fn new(lengths: &[u64], sample: usize) -> Self {
        let pairs: u64 = lengths.iter().sum();
        let sample = (sample as u64).min(pairs);
        let strata = (sample as usize / LEAST_OF_STRATUM).clamp(1, MOST_STRATA);
        let (mut of_length, mut next) = (Vec::with_capacity(lengths.len()), vec![0; strata]);
        let mut shorter = 0;
        for &of_this_length in lengths {
            let stratum = (u128::from(shorter) * strata as u128 / u128::from(pairs.max(1))) as usize;
            // Behind the last length there are no pairs.
            of_length.push(stratum.min(strata - 1));
            shorter += of_this_length;
            next[(stratum + 1).min(strata)..].fill(shorter);
        }
        Self { of_length, next, pairs, sample }
    }

    /// Whether the sample has the next pair, which has this length.
    ///
    /// # Panics
    /// If there is no such length.
    pub(super) fn takes(&mut self, length: usize) -> bool {
        let place = &mut self.next[self.of_length[length]];
        *place += 1;
        let place = *place;
        self.taken(place) > self.taken(place - 1)
    }

    /// How many of the first pairs in the order of strata the sample has: the nearest number to their share.
    fn taken(&self, first: u64) -> u64 {
        let halves = 2 * u128::from(first) * u128::from(self.sample) + u128::from(self.pairs);
        (halves / (2 * u128::from(self.pairs.max(1)))) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pairs that are taken of a text with these lengths.
    fn taken(lengths: &[usize], sample: usize) -> Vec<bool> {
        let mut counts = vec![0; lengths.iter().max().map_or(0, |longest| longest + 1)];
        for &length in lengths {
            counts[length] += 1;
        }
        let mut strata = Strata::new(&counts, sample);
        lengths.iter().map(|&length| strata.takes(length)).collect()
    }

    /// Whether of so many pairs so many are the share of a sample, to within less than one.
    fn is_share(pairs: usize, taken: usize, (all, sample): (usize, usize)) -> bool {
        (taken as i128 * all as i128 - pairs as i128 * sample as i128).abs() < all as i128
    }

    #[test]
    fn a_small_sample_is_evenly_spaced() {
        let places = |sample: usize| -> Vec<usize> {
            let taken = taken(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 3], sample);
            (0..10).filter(|&n| taken[n]).collect()
        };
        assert_eq!(places(1), [4]);
        assert_eq!(places(2), [2, 7]);
        assert_eq!(places(5), [0, 2, 4, 6, 8]);
        assert_eq!(places(9), [0, 1, 2, 3, 4, 6, 7, 8, 9]);
        assert_eq!(places(10), (0..10).collect::<Vec<_>>());
        assert!(places(0).is_empty());
        assert_eq!(places(100), (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn no_pairs_have_no_sample() {
        assert!(taken(&[], 5).is_empty());
        Strata::new(&[0, 0], 3);
    }

    proptest! {
        #[test]
        fn lengths_and_places_have_their_shares(
            lengths in prop::collection::vec(prop_oneof![5 => 0usize..40, 1 => 0usize..300], 1..1500),
            sample in 1usize..1600,
            cuts in prop::array::uniform2(0usize..1500),
        ) {
            let taken = taken(&lengths, sample);
            let all = (lengths.len(), sample.min(lengths.len()));
            prop_assert_eq!(taken.iter().filter(|&&taken| taken).count(), all.1);
            // Strata by definition: pairs of a length are in the stratum that the first of them would be in.
            let strata = (all.1 / LEAST_OF_STRATUM).clamp(1, MOST_STRATA);
            let stratum = |n: usize| {
                lengths.iter().filter(|&&length| length < lengths[n]).count() * strata / lengths.len()
            };
            let of: Vec<usize> = (0..lengths.len()).map(stratum).collect();
            let count = |range: std::ops::Range<usize>, stratum: std::ops::Range<usize>| {
                let pairs = range.filter(|&n| stratum.contains(&of[n]));
                pairs.fold((0, 0), |(pairs, some), n| (pairs + 1, some + usize::from(taken[n])))
            };
            let [start, end] = cuts.map(|cut| cut.min(lengths.len()));
            let stretch = start.min(end)..start.max(end);
            for first in 0..strata {
                for end in first..strata {
                    let (pairs, some) = count(0..lengths.len(), first..end + 1);
                    prop_assert!(is_share(pairs, some, all), "{first}..={end}: {some} of {pairs}");
                }
                let (pairs, some) = count(stretch.clone(), first..first + 1);
                prop_assert!(is_share(pairs, some, all), "{first} in {stretch:?}: {some} of {pairs}");
            }
        }
    }
}
