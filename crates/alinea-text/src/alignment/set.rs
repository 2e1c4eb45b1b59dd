//! A set of links: a vector sorted by source and then target, without duplicates.
//!
//! Everything rests on the order. A link is found by binary search, the links of a source word are a slice, and union,
//! intersection and difference merge two sorted lists in O(n + m). Two sets are equal if their vectors are. Insertion
//! takes constant time at the end and linear time elsewhere, so links are best added in order.
//! [`Alignment::from_links`] sorts any list.
//!
//! A word without links does not occur, so there is no position for NULL. Memory depends on the number of links, never
//! on the greatest position. Sets are displayed in Pharaoh format, `0-0 1-2`.

use std::fmt;

use super::Link;

/// A set of links, sorted by (source, target).
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Alignment(Vec<Link>);

impl Alignment {
    /// The empty set.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The set of these links, in any order and with repetitions.
    pub fn from_links(mut links: Vec<Link>) -> Self {
        links.sort_unstable();
        links.dedup();
        Self(links)
    }

    /// The links in order.
    pub fn links(&self) -> &[Link] {
        &self.0
    }

    /// The links in order, by value.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Link> + '_ {
        self.0.iter().copied()
    }

    /// The number of links.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no link.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the link is in the set. O(log n).
    pub fn contains(&self, link: Link) -> bool {
        self.0.binary_search(&link).is_ok()
    }

    /// Adds a link; says whether it was new. O(n) unless links come in order.
    pub fn insert(&mut self, link: Link) -> bool {
        if self.0.last().is_none_or(|last| *last < link) {
            self.0.push(link);
            return true;
        }
        match self.0.binary_search(&link) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, link);
                true
            }
        }
    }

    /// Removes all links, keeping the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Links in both sets. O(n + m).
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.merge(other, |left, right| left && right)
    }

    /// Links in either set. O(n + m).
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.merge(other, |left, right| left || right)
    }

    /// Links in this set that are not in the other. O(n + m).
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.merge(other, |left, right| left && !right)
    }

    /// The number of links in both sets. O(n + m).
    pub fn intersection_len(&self, other: &Self) -> usize {
        let mut count = 0;
        self.walk(other, |_, left, right| count += usize::from(left && right));
        count
    }

    /// Whether every link of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.intersection_len(other) == self.len()
    }

    /// Source and target changed.
    #[must_use]
    pub fn inverted(&self) -> Self {
        Self::from_links(self.0.iter().map(|link| link.inverted()).collect())
    }

    /// The links of one source position, in order.
    pub fn of_source(&self, source: u32) -> &[Link] {
        let start = self.0.partition_point(|link| link.source < source);
        let end = self.0.partition_point(|link| link.source <= source);
        &self.0[start..end]
    }

    /// The sorted distinct target positions that the given source positions are linked to.
    pub fn range(&self, sources: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut targets: Vec<u32> =
            sources.into_iter().flat_map(|source| self.of_source(source)).map(|link| link.target).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The sorted distinct target positions of all links.
    pub fn targets(&self) -> Vec<u32> {
        let mut targets: Vec<u32> = self.iter().map(|link| link.target).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The form in which NLTK prints an alignment: `Alignment([(0, 0), (1, 2)])`.
    pub fn printed(&self) -> String {
        let links: Vec<String> = self.iter().map(|link| format!("({}, {})", link.source, link.target)).collect();
        format!("Alignment([{}])", links.join(", "))
    }

    /// The first link that does not fit sentences of these lengths.
    pub fn first_outside(&self, source_len: usize, target_len: usize) -> Option<Link> {
        self.iter().find(|link| link.source as usize >= source_len || link.target as usize >= target_len)
    }

    /// Keeps the links for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(Link) -> bool) {
        self.0.retain(|link| keep(*link));
    }

    fn merge(&self, other: &Self, keep: impl Fn(bool, bool) -> bool) -> Self {
        let mut links = Vec::new();
        self.walk(other, |link, left, right| {
            if keep(left, right) {
                links.push(link);
            }
        });
        Self(links)
    }

    /// Visits each link of the union in order, with where it is from.
    fn walk(&self, other: &Self, mut visit: impl FnMut(Link, bool, bool)) {
        let (mut left, mut right) = (self.0.as_slice(), other.0.as_slice());
        loop {
            match (left.first(), right.first()) {
                (Some(&l), Some(&r)) if l == r => {
                    visit(l, true, true);
                    (left, right) = (&left[1..], &right[1..]);
                }
                (Some(&l), Some(&r)) if l > r => {
                    visit(r, false, true);
                    right = &right[1..];
                }
                (Some(&l), _) => {
                    visit(l, true, false);
                    left = &left[1..];
                }
                (None, Some(&r)) => {
                    visit(r, false, true);
                    right = &right[1..];
                }
                (None, None) => return,
            }
        }
    }
}

impl FromIterator<Link> for Alignment {
    fn from_iter<I: IntoIterator<Item = Link>>(links: I) -> Self {
        Self::from_links(links.into_iter().collect())
    }
}

impl<const N: usize> From<[(u32, u32); N]> for Alignment {
    fn from(links: [(u32, u32); N]) -> Self {
        links.into_iter().map(|(source, target)| Link::new(source, target)).collect()
    }
}

/// Pharaoh form: `0-0 1-2`.
impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, link) in self.iter().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{link}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn alignments() -> impl Strategy<Value = Alignment> {
        proptest::collection::vec((0u32..8, 0u32..8), 0..20)
            .prop_map(|links| links.into_iter().map(|(s, t)| Link::new(s, t)).collect())
    }

    fn set(alignment: &Alignment) -> BTreeSet<Link> {
        alignment.iter().collect()
    }

    proptest! {
        #[test]
        fn set_algebra_is_that_of_sets(a in alignments(), b in alignments()) {
            prop_assert_eq!(set(&a.union(&b)), &set(&a) | &set(&b));
            prop_assert_eq!(set(&a.intersection(&b)), &set(&a) & &set(&b));
            prop_assert_eq!(set(&a.difference(&b)), &set(&a) - &set(&b));
            prop_assert_eq!(a.intersection_len(&b), a.intersection(&b).len());
            prop_assert_eq!(a.is_subset(&b), set(&a).is_subset(&set(&b)));
        }

        #[test]
        fn inversion_undoes_itself_and_ranges_are_targets(a in alignments()) {
            prop_assert_eq!(&a.inverted().inverted(), &a);
            let targets: BTreeSet<u32> = a.iter().map(|l| l.target).collect();
            let targets: Vec<u32> = targets.into_iter().collect();
            prop_assert_eq!(a.range(0..8), &targets[..]);
            prop_assert_eq!(a.targets(), targets);
        }

        #[test]
        fn insertion_keeps_the_order(links in proptest::collection::vec((0u32..8, 0u32..8), 0..20)) {
            let mut one_by_one = Alignment::new();
            for &(s, t) in &links {
                let was_there = one_by_one.contains(Link::new(s, t));
                prop_assert_eq!(one_by_one.insert(Link::new(s, t)), !was_there);
            }
            prop_assert_eq!(one_by_one, links.into_iter().map(|(s, t)| Link::new(s, t)).collect::<Alignment>());
        }
    }

    #[test]
    fn links_outside_are_found() {
        let a: Alignment = [(0, 1), (2, 0)].into();
        assert_eq!(a.first_outside(3, 2), None);
        assert_eq!(a.first_outside(2, 2), Some(Link::new(2, 0)));
        assert_eq!(a.to_string(), "0-1 2-0");
    }
}
