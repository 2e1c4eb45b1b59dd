//! Spans of a sentence in its dependency tree: the governing word of each, and how two adjacent spans are attached.
//!
//! The *top* of a span is its only word whose head lies outside of the span; a span with several such words has none.
//! If a span has a top, all its other words are descendants of the top, so it is a complete subtree exactly if it has
//! as many words as that subtree.
//!
//! All tops are computed at once: a begin is fixed, the end moves right, and the number and the sum of the words with a
//! head outside are kept up to date; where the number is 1, the sum is the top. Each edge is counted once for a begin,
//! so time and memory are O(n²) for n words. `split_features` looks tops up for the items of templates that ask for
//! dependency trees; without a tree these items are 0.

use crate::tree::DependencyTree;

/// No word, or several.
const NONE: u32 = u32::MAX;

/// For each stretch of a sentence the word that governs it, if it is one.
#[derive(Debug, Clone, Default)]
pub(super) struct Spans {
    side: usize,
    /// By begin and end: the only word whose head is outside.
    tops: Vec<u32>,
    /// The number of words of each subtree.
    sizes: Vec<u32>,
    heads: Vec<u32>,
}

impl Spans {
    /// O(words²).
    pub(super) fn new(tree: &DependencyTree) -> Self {
        let words = tree.len();
        let side = words + 1;
        let heads: Vec<u32> = tree.heads().iter().map(|head| head.unwrap_or(NONE)).collect();
        let mut sizes = vec![1; words];
        for &word in tree.top_down().iter().rev() {
            if let Some(head) = tree.head(word) {
                sizes[head as usize] += sizes[word as usize];
            }
        }
        let mut tops = vec![NONE; side * side];
        for begin in 0..words {
            // How many words have their head outside, and the sum of their numbers: of one, its number.
            let (mut count, mut sum) = (0, 0);
            for word in begin..words {
                let inside = |other: u32| (begin..=word).contains(&(other as usize));
                if !inside(heads[word]) {
                    count += 1;
                    sum += word;
                }
                for &dependent in tree.dependents(word as u32).iter().filter(|&&other| inside(other)) {
                    count -= 1;
                    sum -= dependent as usize;
                }
                if count == 1 {
                    tops[begin * side + word + 1] = sum as u32;
                }
            }
        }
        Self { side, tops, sizes, heads }
    }

    /// The only word from `begin` to `end` whose head is outside.
    #[inline]
    pub(super) fn top(&self, begin: usize, end: usize) -> Option<usize> {
        let top = self.tops[begin * self.side + end];
        (top != NONE).then_some(top as usize)
    }

    /// Whether the stretch is a word with all that depends on it.
    pub(super) fn is_whole(&self, begin: usize, end: usize) -> bool {
        self.top(begin, end).is_some_and(|top| self.sizes[top] as usize == end - begin)
    }

    /// How the governing words of two neighboring stretches hang together.
    pub(super) fn attachment(&self, begin: usize, pivot: usize, end: usize) -> u64 {
        let (left, right) = match (self.top(begin, pivot), self.top(pivot, end)) {
            (None, None) => return 0,
            (Some(_), None) => return 1,
            (None, Some(_)) => return 2,
            (Some(left), Some(right)) => (left, right),
        };
        let (above_left, above_right) = (self.heads[left] as usize, self.heads[right] as usize);
        match () {
            () if above_right == left => 3,
            () if (begin..pivot).contains(&above_right) => 4,
            () if above_left == right => 5,
            () if (pivot..end).contains(&above_left) => 6,
            () if above_left == above_right => 7,
            () => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Roots;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tops_are_as_defined(parents in prop::collection::vec(any::<prop::sample::Index>(), 1..9), turn in any::<u8>()) {
            // Word n hangs on one of those before it; then all are renumbered.
            let n = parents.len();
            let place = |word: usize| (word * 5 + turn as usize) % n;
            prop_assume!(n != 5);
            let mut heads = vec![None; n];
            for (word, parent) in parents.iter().enumerate().skip(1) {
                heads[place(word)] = Some(place(parent.index(word)) as u32);
            }
            let tree = DependencyTree::new(heads, Roots::One).unwrap();
            let spans = Spans::new(&tree);
            for begin in 0..n {
                for end in begin + 1..=n {
                    let inside = |word: u32| (begin..end).contains(&(word as usize));
                    let outside: Vec<usize> =
                        (begin..end).filter(|&word| !tree.head(word as u32).is_some_and(inside)).collect();
                    let top = if let [top] = outside[..] { Some(top) } else { None };
                    prop_assert_eq!(spans.top(begin, end), top);
                    let governed = |word: u32, top: usize| {
                        word as usize == top || tree.ancestors(word).any(|other| other as usize == top)
                    };
                    let whole = top.is_some_and(|top| (0..n as u32).all(|word| inside(word) == governed(word, top)));
                    prop_assert_eq!(spans.is_whole(begin, end), whole);
                }
            }
        }
    }
}
