//! Values that few word pairs have, read alongside a loop over pair ids.
//!
//! Overflowed counts, spelling similarities and dictionary weights are lists of (id, value), sorted by id.
//! [`SparseValues`] holds the rest of such a list, and a lookup compares only its first entry, in O(1). That works as
//! long as ids are asked for in ascending order and no id that has a value is skipped. A loop may start anywhere: the
//! first entry is then found by binary search.

/// Looks up the values of ids that are asked for in ascending order.
#[derive(Debug, Clone, Copy)]
pub struct SparseValues<'a, T> {
    /// By ascending id.
    entries: &'a [(u32, T)],
}

impl<'a, T: Copy> SparseValues<'a, T> {
    /// The first id that will be asked for is `first` or above it; `entries` are sorted by id.
    pub fn starting_at(entries: &'a [(u32, T)], first: usize) -> Self {
        Self { entries: &entries[entries.partition_point(|&(id, _)| (id as usize) < first)..] }
    }

    /// The value of an id, if it has one. Every id that has one must be asked for.
    #[inline]
    pub fn of(&mut self, id: usize) -> Option<T> {
        let [(next, value), rest @ ..] = self.entries else { return None };
        if *next as usize != id {
            return None;
        }
        self.entries = rest;
        Some(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_from_any_start() {
        let entries = [(2, 'a'), (3, 'b'), (7, 'c')];
        for first in 0..9 {
            let mut values = SparseValues::starting_at(&entries, first);
            let found: String = (first..9).filter_map(|id| values.of(id)).collect();
            let expected: String =
                entries.iter().filter(|(id, _)| *id as usize >= first).map(|(_, value)| value).collect();
            assert_eq!(found, expected);
        }
    }
}
