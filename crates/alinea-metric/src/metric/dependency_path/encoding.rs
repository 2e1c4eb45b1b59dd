//! Paths between words of a dependency tree: their encoding as labels, how much two differ, and how long they are.
//!
//! The path from word n to word m goes up to their lowest common ancestor p, maybe one of them, and down to m. Its
//! encoding is (χ, ψ, ω): χ the labels of the edges from n up to p, ψ the direction, α if n is left of m, else β, ω the
//! labels from p down to m. The label of an edge is the relation of its lower word. Two paths differ by (McCaffery
//! 2017, chapter 5)
//!
//! ```text
//! L = lev(χ, χ') + [ψ ≠ ψ'] + lev(ω, ω')        of at most  max(|χ|, |χ'|) + 1 + max(|ω|, |ω'|)
//! ```
//!
//! with lev the Levenshtein distance of label sequences. `Junctions` has the lengths of χ and ω in constant time: the
//! depth of p is a minimum over a range of the words in preorder, from a sparse table of minima over 2^k words.

use std::cmp::Ordering;

use crate::metric::labeled_tree::{LabeledTree, Relations};

/// A path from one word of a tree to another: the labels of the edges up to the highest word, on which side of the last
/// word the first one stands, and the labels of the edges down from there, in the order of the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    /// The labels on the way up.
    pub up: Vec<u32>,
    /// Whether the first word stands left of the last one: α, otherwise β.
    pub rightward: bool,
    /// The labels on the way down.
    pub down: Vec<u32>,
}

/// How different two paths are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disparity {
    /// L: the edit distance of the two ways up, and of the two ways down, and 1 if the directions differ.
    pub cost: u32,
    /// The most that L could be for paths of these lengths: at least 1.
    pub most: u32,
}

impl Encoding {
    /// The path from word `first` to word `last` of a tree. Linear in the depths of the words.
    ///
    /// # Panics
    /// If there are no such words.
    pub fn of(tree: &LabeledTree, first: u32, last: u32) -> Self {
        let [mut up, mut down]: [Vec<u32>; 2] = [first, last].map(|word| tree.labels_to_root(word).collect());
        let path = |word: u32| std::iter::once(word).chain(tree.tree().ancestors(word)).collect::<Vec<_>>();
        let (firsts, lasts) = (path(first), path(last));
        let shared = firsts.iter().rev().zip(lasts.iter().rev()).take_while(|(one, other)| one == other).count();
        up.truncate(firsts.len() - shared);
        down.truncate(lasts.len() - shared);
        down.reverse();
        Self { up, rightward: first < last, down }
    }

    /// How much the path differs from another.
    pub fn disparity(&self, other: &Self) -> Disparity {
        let longest = |one: &[u32], other: &[u32]| one.len().max(other.len()) as u32;
        Disparity {
            cost: levenshtein(&self.up, &other.up)
                + u32::from(self.rightward != other.rightward)
                + levenshtein(&self.down, &other.down),
            most: longest(&self.up, &other.up) + 1 + longest(&self.down, &other.down),
        }
    }

    /// `DET NSUBJ, α, –`: up, direction, down.
    pub fn display(&self, relations: &Relations) -> String {
        let labels = |labels: &[u32]| match labels {
            [] => "–".to_owned(),
            _ => labels.iter().map(|&label| relations.name(label)).collect::<Vec<_>>().join(" "),
        };
        let direction = if self.rightward { "α" } else { "β" };
        format!("{}, {direction}, {}", labels(&self.up), labels(&self.down))
    }
}

/// The least number of labels to insert, delete or replace, to make one sequence of the other (Levenshtein 1966).
/// O(product of the lengths).
pub fn levenshtein(one: &[u32], other: &[u32]) -> u32 {
    let mut row: Vec<u32> = (0..=other.len() as u32).collect();
    for (above, label) in (0..).zip(one) {
        let mut diagonal = above;
        row[0] = above + 1;
        for (column, of_other) in other.iter().enumerate() {
            let replaced = diagonal + u32::from(label != of_other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

/// How deep the lowest word above two words lies, in constant time after O(n log n).
///
/// In an order in which words come before those below them, and these without gaps, it is the least depth of a head among
/// the words behind the first of the two, up to the second (Bender and Farach-Colton 2000, *The LCA Problem Revisited*, in
/// another form).
#[derive(Debug)]
pub(super) struct Junctions {
    depths: Vec<u32>,
    places: Vec<u32>,
    /// In row k, at place p, the least of the 2^k values from p on.
    least: Vec<Vec<u32>>,
}

impl Junctions {
    pub(super) fn new(tree: &LabeledTree) -> Self {
        let depths = tree.depths();
        let mut places = vec![0; tree.len()];
        let mut above = Vec::with_capacity(tree.len());
        let mut stack: Vec<u32> = tree.tree().roots().collect();
        while let Some(word) = stack.pop() {
            places[word as usize] = above.len() as u32;
            above.push(depths[word as usize].saturating_sub(1));
            stack.extend_from_slice(tree.tree().dependents(word));
        }
        let mut least = vec![above];
        let mut half = 1;
        while 2 * half <= tree.len() {
            let shorter = &least[least.len() - 1];
            let longer = (0..shorter.len() - half).map(|place| shorter[place].min(shorter[place + half])).collect();
            least.push(longer);
            half *= 2;
        }
        Self { depths, places, least }
    }

    /// The numbers of edges up from each of two words to where their ways meet.
    pub(super) fn lengths(&self, first: u32, last: u32) -> (usize, usize) {
        let [one, other] = [first, last].map(|word| self.places[word as usize]);
        let meeting = match one.cmp(&other) {
            Ordering::Equal => self.depths[first as usize],
            Ordering::Less => self.least_within(one as usize + 1, other as usize),
            Ordering::Greater => self.least_within(other as usize + 1, one as usize),
        };
        let up = |word: u32| (self.depths[word as usize] - meeting) as usize;
        (up(first), up(last))
    }

    /// The least value at places from `first` to `last`, which is not before it.
    fn least_within(&self, first: usize, last: usize) -> u32 {
        let row = (last - first + 1).ilog2() as usize;
        self.least[row][first].min(self.least[row][last + 1 - (1 << row)])
    }
}
