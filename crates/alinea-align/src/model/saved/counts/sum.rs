//! Sums of counts by pair of words, of several lists that are read side by side.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::packed::{Packed, PairCount, Unpacked};
use crate::error::Result;

/// The sums of several lists by ascending id. In memory is one count of each.
pub(super) struct Sums<'a> {
    lists: Vec<Unpacked<'a>>,
    /// What each list said last.
    counts: Vec<[u64; 2]>,
    /// The ids of these, least first, and the numbers of their lists.
    next: BinaryHeap<Reverse<(u32, usize)>>,
}

impl<'a> Sums<'a> {
    /// Those of these lists. Time O(counts × log lists).
    pub(super) fn of(lists: &'a [Packed]) -> Result<Self> {
        let mut sums = Self { lists: Vec::new(), counts: Vec::new(), next: BinaryHeap::new() };
        for (n, list) in lists.iter().enumerate() {
            let mut list = list.unpack()?;
            let (id, counts) = match list.next().transpose()? {
                Some((id, counts)) => (Some(id), counts),
                None => (None, [0; 2]),
            };
            sums.lists.push(list);
            sums.counts.push(counts);
            sums.next.extend(id.map(|id| Reverse((id, n))));
        }
        Ok(sums)
    }

    fn sum(&mut self) -> Result<Option<PairCount>> {
        let mut sum: Option<PairCount> = None;
        while let Some(mut least) = self.next.peek_mut() {
            let Reverse((id, list)) = *least;
            // Of what files say nobody knows how much it is.
            let plus = |x: [u64; 2], y: [u64; 2]| [x[0].saturating_add(y[0]), x[1].saturating_add(y[1])];
            sum = match sum {
                None => Some((id, self.counts[list])),
                Some((same, counts)) if same == id => Some((id, plus(counts, self.counts[list]))),
                Some(_) => break,
            };
            match self.lists[list].next().transpose()? {
                Some((id, counts)) => {
                    self.counts[list] = counts;
                    *least = Reverse((id, list));
                }
                None => _ = PeekMut::pop(least),
            }
        }
        Ok(sum)
    }
}

impl Iterator for Sums<'_> {
    type Item = Result<PairCount>;

    fn next(&mut self) -> Option<Self::Item> {
        self.sum().transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::packed::pack;
    use super::*;

    fn sums(lists: &[Vec<PairCount>]) -> Vec<PairCount> {
        let packed = |list: &Vec<PairCount>| {
            Packed::Held(Arc::new(pack(list.iter().copied().map(Ok)).collect::<Result<Vec<u8>>>().unwrap()))
        };
        let lists: Vec<Packed> = lists.iter().map(packed).collect();
        Sums::of(&lists).unwrap().collect::<Result<_>>().unwrap()
    }

    #[test]
    fn sums_are_by_id() {
        let one = vec![(1, [1, 2]), (4, [5, 5]), (9, [0, 1])];
        let other = vec![(0, [7, 7]), (4, [u64::MAX - 5, 1]), (10, [1, 0])];
        let expected = vec![(0, [7, 7]), (1, [1, 2]), (4, [u64::MAX, 6]), (9, [0, 1]), (10, [1, 0])];
        assert_eq!(sums(&[one.clone(), other.clone()]), expected);
        assert_eq!(sums(&[other, Vec::new(), one]), expected);
        assert_eq!(sums(&[]), []);
    }

    proptest! {
        #[test]
        fn sums_are_those_of_a_map(lists in prop::collection::vec(prop::collection::btree_map(0u32..40, any::<[u32; 2]>(), 0..20), 0..6)) {
            let mut expected = BTreeMap::new();
            for (&id, &counts) in lists.iter().flatten() {
                let sum = expected.entry(id).or_insert([0; 2]);
                *sum = [sum[0] + u64::from(counts[0]), sum[1] + u64::from(counts[1])];
            }
            let lists: Vec<Vec<PairCount>> = lists
                .iter()
                .map(|list| list.iter().map(|(&id, counts)| (id, counts.map(u64::from))).collect())
                .collect();
            prop_assert_eq!(sums(&lists), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
