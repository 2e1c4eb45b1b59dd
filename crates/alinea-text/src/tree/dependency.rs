//! Dependency trees: one head per word, no cycles, and one root, or several where that is allowed.
//!
//! A [`DependencyTree`] can only be made of heads that form a tree, so whoever has one need not check. Other heads
//! are refused with a [`NoTree`] that names the words. Cycles are found in linear time: from each word the heads are
//! climbed up to a word that was visited before; if that was on the same climb, there is a cycle.
//!
//! Heads are an array, `None` for a root. Dependents are its inverse in compressed form: one array of all dependents,
//! grouped by head and ascending, and one of where the groups end. [`DependencyTree::top_down`] is the breadth-first
//! order from the roots; depths and projectivity follow from it in linear time. A tree is *projective* if each word and
//! all words below it are a contiguous span.

use std::fmt::{self, Write as _};

/// How many roots a sentence may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Roots {
    /// Exactly one, as Universal Dependencies have it.
    #[default]
    One,
    /// One or more.
    Many,
}

/// Why heads are no tree. Words are named by their numbers from 1, as in files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoTree {
    /// The head of a word is none of the words.
    #[error("the head of word {} is word {}, and the sentence has {words}", word + 1, u64::from(*head) + 1)]
    HeadOutOfRange {
        /// The word, from 0.
        word: u32,
        /// Its head, from 0.
        head: u32,
        /// The number of words.
        words: usize,
    },
    /// Following heads one comes back.
    #[error("words {} are each other's heads", path(.0))]
    Cycle(Vec<u32>),
    /// A word is its own head.
    #[error("word {} is its own head", .0 + 1)]
    OwnHead(u32),
    /// A second root, where one is allowed.
    #[error("words {} and {} are both roots", .0 + 1, .1 + 1)]
    SecondRoot(u32, u32),
    /// No words, and so no root.
    #[error("no words")]
    Empty,
}

impl NoTree {
    /// The word that is to blame, from 0: in a cycle the first, of two roots the second.
    pub fn word(&self) -> u32 {
        match self {
            Self::HeadOutOfRange { word, .. } | Self::OwnHead(word) | Self::SecondRoot(_, word) => *word,
            Self::Cycle(words) => words.first().copied().unwrap_or(0),
            Self::Empty => 0,
        }
    }
}

/// `3 → 5 → 3`: at most ten words of it.
fn path(words: &[u32]) -> String {
    const SHOWN: usize = 10;
    let mut text = String::new();
    for word in words.iter().take(SHOWN) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{} → ", word + 1);
    }
    if words.len() > SHOWN {
        text.push_str("… → ");
    }
    let _ = write!(text, "{}", words.first().map_or(0, |word| word + 1));
    text
}

/// A dependency tree, or with [`Roots::Many`] several, over words from 0. Immutable, and always a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyTree {
    heads: Vec<Option<u32>>,
    /// The dependents of all words, word by word, each word's in ascending order.
    dependents: Vec<u32>,
    /// Where the dependents of each word end.
    ends: Vec<u32>,
    root: u32,
}

impl DependencyTree {
    /// The tree in which the head of word `i` is `heads[i]`, and roots have none. Linear.
    ///
    /// # Errors
    /// What makes it no tree: [`NoTree`].
    pub fn new(heads: Vec<Option<u32>>, roots: Roots) -> Result<Self, NoTree> {
        check_heads(&heads)?;
        check_cycles(&heads)?;
        let mut found = (0..).zip(&heads).filter(|(_, head)| head.is_none()).map(|(word, _)| word);
        let root = found.next().ok_or(NoTree::Empty)?;
        if let (Roots::One, Some(second)) = (roots, found.next()) {
            return Err(NoTree::SecondRoot(root, second));
        }
        let (dependents, ends) = invert(&heads);
        Ok(Self { heads, dependents, ends, root })
    }

    /// The number of words, at least one.
    #[expect(clippy::len_without_is_empty, reason = "a tree has at least one word")]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// The head of a word; none if it is a root.
    ///
    /// # Panics
    /// If there is no such word; as in the methods below.
    pub fn head(&self, word: u32) -> Option<u32> {
        self.heads[word as usize]
    }

    /// The heads of all words.
    pub fn heads(&self) -> &[Option<u32>] {
        &self.heads
    }

    /// The words whose head is `word`, in ascending order.
    pub fn dependents(&self, word: u32) -> &[u32] {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.dependents[start as usize..self.ends[word] as usize]
    }

    /// The first root.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// All roots, in ascending order.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.heads).filter(|(_, head)| head.is_none()).map(|(word, _)| word)
    }

    /// The heads of a word, of its head, and so on up to a root; the word itself is not among them.
    pub fn ancestors(&self, word: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.head(word), |&above| self.head(above))
    }

    /// The number of steps from each word up to its root. Linear.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.len()];
        for word in self.top_down() {
            depths[word as usize] = self.head(word).map_or(0, |head| depths[head as usize] + 1);
        }
        depths
    }

    /// All words, heads before their dependents: level by level from the roots. Linear.
    pub fn top_down(&self) -> Vec<u32> {
        let mut order: Vec<u32> = self.roots().collect();
        let mut next = 0;
        while next < order.len() {
            order.extend_from_slice(self.dependents(order[next]));
            next += 1;
        }
        order
    }

    /// Whether each word and all words below it are neighbors without gaps: no two arcs cross, that to the root from
    /// before the first word included. Linear.
    pub fn is_projective(&self) -> bool {
        let mut spans: Vec<(u32, u32, u32)> = (0..self.len() as u32).map(|word| (word, word, 1)).collect();
        for &word in self.top_down().iter().rev() {
            let (first, last, size) = spans[word as usize];
            if last - first + 1 != size {
                return false;
            }
            if let Some(head) = self.head(word) {
                let above = &mut spans[head as usize];
                *above = (above.0.min(first), above.1.max(last), above.2 + size);
            }
        }
        true
    }
}

impl fmt::Display for DependencyTree {
    /// The heads as in files: from 1, roots 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (word, head) in self.heads.iter().enumerate() {
            let blank = if word == 0 { "" } else { " " };
            write!(f, "{blank}{}", head.map_or(0, |head| head + 1))?;
        }
        Ok(())
    }
}

fn check_heads(heads: &[Option<u32>]) -> Result<(), NoTree> {
    for (word, &head) in (0..).zip(heads) {
        match head {
            Some(head) if head as usize >= heads.len() => {
                return Err(NoTree::HeadOutOfRange { word, head, words: heads.len() });
            }
            Some(head) if head == word => return Err(NoTree::OwnHead(word)),
            _ => {}
        }
    }
    Ok(())
}

/// Climbs from each word to where somebody has been: a cycle if that was on the same climb.
fn check_cycles(heads: &[Option<u32>]) -> Result<(), NoTree> {
    const NEVER: u32 = u32::MAX;
    let mut climbs = vec![NEVER; heads.len()];
    for start in 0..heads.len() as u32 {
        let mut above = Some(start);
        while let Some(word) = above {
            match climbs[word as usize] {
                NEVER => climbs[word as usize] = start,
                climb if climb == start => return Err(NoTree::Cycle(cycle_at(heads, word))),
                _ => break,
            }
            above = heads[word as usize];
        }
    }
    Ok(())
}

/// The cycle through a word, its lowest word first.
fn cycle_at(heads: &[Option<u32>], word: u32) -> Vec<u32> {
    let mut words = vec![word];
    let mut above = heads[word as usize];
    while let Some(head) = above.filter(|&head| head != word) {
        words.push(head);
        above = heads[head as usize];
    }
    let lowest = (0..words.len()).min_by_key(|&at| words[at]).unwrap_or(0);
    words.rotate_left(lowest);
    words
}

/// Dependents of all words, and where each word's end.
fn invert(heads: &[Option<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0; heads.len()];
    for &head in heads.iter().flatten() {
        ends[head as usize] += 1;
    }
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    let mut dependents = vec![0; total as usize];
    for (word, head) in (0..).zip(heads) {
        if let Some(head) = head {
            let end = &mut ends[*head as usize];
            dependents[*end as usize] = word;
            *end += 1;
        }
    }
    (dependents, ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tree(heads: &[u32], roots: Roots) -> Result<DependencyTree, NoTree> {
        DependencyTree::new(heads.iter().map(|&head| head.checked_sub(1)).collect(), roots)
    }

    fn message(heads: &[u32]) -> String {
        tree(heads, Roots::One).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_tree_is_named() {
        assert_eq!(message(&[]), "no words");
        assert_eq!(message(&[0, 4, 1]), "the head of word 2 is word 4, and the sentence has 3");
        assert_eq!(message(&[0, 2]), "word 2 is its own head");
    }

    #[test]
    fn cycles_are_shown_from_their_lowest_word() {
        assert_eq!(message(&[0, 5, 5, 3, 4]), "words 3 → 5 → 4 → 3 are each other's heads");
        let long: Vec<u32> = (2..=20).chain([1]).collect();
        assert_eq!(message(&long), "words 1 → 2 → 3 → 4 → 5 → 6 → 7 → 8 → 9 → 10 → … → 1 are each other's heads");
    }

    #[test]
    fn several_roots_must_be_allowed() {
        assert_eq!(message(&[0, 1, 0]), "words 1 and 3 are both roots");
        let both = tree(&[0, 1, 0], Roots::Many).unwrap();
        assert_eq!(both.roots().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(both.to_string(), "0 1 0");
    }

    #[test]
    fn long_chains_are_no_trouble() {
        let heads: Vec<u32> = (0..100_000).collect();
        let chain = tree(&heads, Roots::One).unwrap();
        assert_eq!(chain.depths()[99_999], 99_999);
        assert_eq!(chain.ancestors(99_999).count(), 99_999);
        assert!(chain.is_projective());
    }

    #[test]
    fn crossing_arcs_are_seen() {
        assert!(tree(&[2, 0, 2, 3], Roots::One).unwrap().is_projective());
        assert!(!tree(&[3, 4, 0, 3], Roots::One).unwrap().is_projective());
    }

    proptest! {
        /// By brute force: a tree has one root or more, and from every word the climb ends.
        #[test]
        fn trees_are_what_climbs_end_in(heads in proptest::collection::vec(0u32..8, 0..8)) {
            let ends = |start: usize| {
                let mut word = start + 1;
                for _ in 0..=heads.len() {
                    if word == 0 { return true; }
                    word = heads.get(word - 1).map_or(usize::MAX, |&head| head as usize);
                    if word == usize::MAX { return false; }
                }
                false
            };
            let expected = !heads.is_empty() && (0..heads.len()).all(ends);
            let built = tree(&heads, Roots::Many);
            prop_assert_eq!(built.is_ok(), expected);
            if let Ok(built) = built {
                for word in 0..heads.len() as u32 {
                    let below: Vec<u32> = (0..heads.len() as u32).filter(|&w| heads[w as usize] == word + 1).collect();
                    prop_assert_eq!(built.dependents(word), below);
                    prop_assert_eq!(built.depths()[word as usize] as usize, built.ancestors(word).count());
                }
                let arcs: Vec<(u32, u32)> = heads.iter().zip(1..).map(|(&head, word)| (word.min(head), word.max(head))).collect();
                let crossing = arcs.iter().any(|a| arcs.iter().any(|b| a.0 < b.0 && b.0 < a.1 && a.1 < b.1));
                prop_assert_eq!(built.is_projective(), !crossing);
            }
        }
    }
}
