//! Which pairs stay when others are dropped, and their new ids.

/// A set of numbers below a limit. Its members can be numbered anew: from 0, in the same order.
#[derive(Debug, Clone)]
pub(crate) struct IdSet {
    /// One bit for each number.
    bits: Vec<u64>,
}

impl IdSet {
    /// The empty set of numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        Self { bits: vec![0; limit.div_ceil(64)] }
    }

    pub(crate) fn insert(&mut self, id: usize) {
        self.bits[id / 64] |= 1 << (id % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, id: usize) -> bool {
        self.bits[id / 64] & 1 << (id % 64) != 0
    }

    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        self.bits.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.bits.iter().enumerate().flat_map(|(block, &bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < 64).then_some(64 * block + bit)
            })
        })
    }

    /// The new numbers.
    pub(crate) fn numbers(&self) -> Numbers<'_> {
        let mut total = 0;
        let before = |bits: &u64| {
            total += bits.count_ones();
            total - bits.count_ones()
        };
        Numbers { before: self.bits.iter().map(before).collect(), set: self }
    }

    /// Keeps the values of members, in place; each number has `each` values.
    pub(crate) fn retain<T>(&self, values: &mut Vec<T>, each: usize) {
        for (new, old) in self.iter().enumerate() {
            for k in 0..each {
                values.swap(new * each + k, old * each + k);
            }
        }
        values.truncate(self.len() * each);
    }

    /// Keeps the values of members, under their new numbers.
    pub(crate) fn retain_sparse<T>(&self, values: &mut Vec<(u32, T)>) {
        let numbers = self.numbers();
        values.retain_mut(|(id, _)| {
            let kept = self.contains(*id as usize);
            if kept {
                *id = numbers.of(*id);
            }
            kept
        });
    }
}

/// The new numbers of the members of a set.
#[derive(Debug)]
pub(crate) struct Numbers<'a> {
    set: &'a IdSet,
    /// The number of members in the blocks before each.
    before: Vec<u32>,
}

impl Numbers<'_> {
    /// The number of members below a member.
    #[inline]
    pub(crate) fn of(&self, id: u32) -> u32 {
        let (block, bit) = ((id / 64) as usize, id % 64);
        self.before[block] + (self.set.bits[block] & ((1 << bit) - 1)).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn members_keep_their_values(
            members in proptest::collection::btree_set(0usize..300, 0..200),
            each in 1usize..3,
        ) {
            let mut set = IdSet::new(300);
            for &id in &members {
                set.insert(id);
            }
            prop_assert!(set.iter().eq(members.iter().copied()));
            prop_assert_eq!(set.len(), members.len());
            prop_assert!((0..300).all(|id| set.contains(id) == members.contains(&id)));
            let mut values: Vec<usize> = (0..300 * each).collect();
            set.retain(&mut values, each);
            let expected: Vec<usize> = members.iter().flat_map(|id| (0..each).map(move |k| id * each + k)).collect();
            prop_assert_eq!(values, expected);
            let mut sparse: Vec<(u32, u32)> = (0..300).step_by(3).map(|id| (id, id)).collect();
            set.retain_sparse(&mut sparse);
            let numbered = (0..).zip(&members).filter(|(_, id)| *id % 3 == 0);
            prop_assert_eq!(sparse, numbered.map(|(new, &id)| (new, id as u32)).collect::<Vec<_>>());
        }
    }
}
