//! The meta-graph of all path pairs, and its minimum spanning tree (McCaffery 2017).
//!
//! Nodes are the aligned words of one tree, and every two are joined. The weight of an edge is L, the disparity of the
//! path between the two words and that between their counterparts in the other tree; Lmax is the most it could be. Of
//! several counterparts those count that make L least. Words that share one have L = Lmax = 0, so they do not count.
//!
//! Edges are not stored. Each is computed when it is looked at, from a table of edit distances for each link
//! (`prefix_distances`) and the depth of the lowest common ancestor (`Junctions`), in constant time if words have one
//! counterpart. Prim's algorithm looks at each edge once: O(n²) time and O(n) memory for n nodes.
//!
//! Weights are small integers, so there are many minimum trees. All have the same sum of L, but not of Lmax, so not the
//! same score. A [`TieOrder`] makes the choice definite: edges of the same L are ordered by further numbers and finally
//! by their words, so no two edges are equal.

use std::fmt;
use std::str::FromStr;

use super::encoding::Junctions;
use super::prefix_distances::PrefixDistances;
use super::{Disparity, LabeledTree};
use crate::alignment::{Alignment, Link};
use crate::error::{Error, Result};
use crate::limits;

/// Which of several least spanning trees is taken. Weights are small numbers, and trees of the same weight abound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TieOrder {
    /// Of edges of the same cost that with the shorter paths; then that whose cost could be less; then that of the first
    /// words. So a noun is blamed, not its determiner.
    #[default]
    Local,
    /// Of edges of the same cost that whose cost could be most: the best score that a least tree allows. Then shorter
    /// paths, then the first words.
    Generous,
    /// The first words.
    Index,
}

impl TieOrder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Local, Self::Generous, Self::Index];

    /// `local`, `generous`, `index`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Generous => "generous",
            Self::Index => "index",
        }
    }
}

impl fmt::Display for TieOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TieOrder {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let order = Self::ALL.into_iter().find(|order| order.name() == name);
        order.ok_or_else(|| Error::config("tie order", name, "local, generous, index"))
    }
}

/// An edge: the path between two words, and the path between their counterparts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPair {
    /// Two words of the tree that the graph is over, the lower one first.
    pub words: (u32, u32),
    /// Their counterparts in the other tree; none if they share one, and so can be in no wrong order.
    pub counterparts: Option<(u32, u32)>,
    /// How different the paths are; all 0 without counterparts.
    pub disparity: Disparity,
    /// The number of edges of both paths.
    pub length: u32,
}

impl PathPair {
    /// By what edges are chosen, the least first. No two edges of a graph have the same.
    fn key(&self, order: TieOrder) -> [u32; 5] {
        let Disparity { cost, most } = self.disparity;
        let (first, second) = self.words;
        match order {
            TieOrder::Local => [cost, self.length, most, first, second],
            TieOrder::Generous => [cost, u32::MAX - most, self.length, first, second],
            TieOrder::Index => [cost, first, second, 0, 0],
        }
    }
}

/// The meta-graph: its nodes are the aligned words of one tree, and an edge between any two says how much the path between
/// them differs from that between their counterparts.
#[derive(Debug)]
pub struct MetaGraph {
    nodes: Vec<u32>,
    /// Links by node, and where those of each node end.
    links: Vec<Link>,
    ends: Vec<usize>,
    distances: PrefixDistances,
    junctions: [Junctions; 2],
}

impl MetaGraph {
    /// The graph over the words of `tree` that links align with words of `other`; `links` have the words of `tree` as
    /// their sources. O(links × depth² / 64 + words) time and memory.
    ///
    /// # Errors
    /// `Inconsistent` for links to words that there are not; `OverLimit` for so many links that pairs of them are more than
    /// [`limits::PATH_PAIRS`], and for trees so deep that tables of all distances have more than [`limits::PATH_BLOCKS`].
    pub fn new(tree: &LabeledTree, other: &LabeledTree, links: &Alignment) -> Result<Self> {
        if let Some(link) = links.first_outside(tree.len(), other.len()) {
            return Err(Error::link_outside(link, "the trees", [tree.len(), other.len()], "words"));
        }
        limits::PATH_PAIRS.check(links.len() * links.len().saturating_sub(1) / 2)?;
        let depths = [tree.depths(), other.depths()];
        let blocks = |link: &Link| {
            PrefixDistances::blocks(depths[0][link.source as usize] as usize, depths[1][link.target as usize] as usize)
        };
        limits::PATH_BLOCKS.check(links.links().iter().map(blocks).sum::<usize>())?;
        let mut distances = PrefixDistances::default();
        let [mut up, mut up_other] = [const { Vec::new() }; 2];
        let (mut nodes, mut ends) = (Vec::new(), Vec::new());
        for link in links.iter() {
            if nodes.last() != Some(&link.source) {
                nodes.push(link.source);
                ends.push(distances.len());
                up.clear();
                up.extend(tree.labels_to_root(link.source));
            }
            up_other.clear();
            up_other.extend(other.labels_to_root(link.target));
            distances.add(&up, &up_other);
            if let Some(end) = ends.last_mut() {
                *end = distances.len();
            }
        }
        let junctions = [Junctions::new(tree), Junctions::new(other)];
        Ok(Self { nodes, links: links.links().to_vec(), ends, distances, junctions })
    }

    /// The aligned words, in ascending order.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// All edges, by the words.
    pub fn edges(&self) -> impl Iterator<Item = PathPair> + '_ {
        (0..self.nodes.len())
            .flat_map(move |first| (first + 1..self.nodes.len()).map(move |second| self.edge(first, second)))
    }

    /// The edge between two nodes, given by their numbers, the lower one first. Of several counterparts those count that
    /// make the least cost; then the shortest paths, the least that the cost could be, the first words.
    fn edge(&self, first: usize, second: usize) -> PathPair {
        let words = (self.nodes[first], self.nodes[second]);
        let lengths = self.junctions[0].lengths(words.0, words.1);
        let choices = self.counterparts(first).flat_map(|one| self.counterparts(second).map(move |other| (one, other)));
        let mut best: Option<PathPair> = None;
        let key = |pair: &PathPair| (pair.disparity.cost, pair.length, pair.disparity.most);
        for ((one_link, one), (other_link, other)) in choices {
            if one == other {
                let disparity = Disparity { cost: 0, most: 0 };
                return PathPair { words, counterparts: None, disparity, length: 0 };
            }
            let other_lengths = self.junctions[1].lengths(one, other);
            let cost = self.distances.get(one_link, lengths.0, other_lengths.0)
                + self.distances.get(other_link, lengths.1, other_lengths.1)
                + u32::from(one > other);
            let most = lengths.0.max(other_lengths.0) + 1 + lengths.1.max(other_lengths.1);
            let length = lengths.0 + lengths.1 + other_lengths.0 + other_lengths.1;
            let pair = PathPair {
                words,
                counterparts: Some((one, other)),
                disparity: Disparity { cost, most: most as u32 },
                length: length as u32,
            };
            if best.as_ref().is_none_or(|best| key(&pair) < key(best)) {
                best = Some(pair);
            }
        }
        best.expect("a node has a counterpart")
    }

    /// The numbers of the links of a node, and their words in the other tree.
    fn counterparts(&self, node: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        (start..self.ends[node]).map(|link| (link, self.links[link].target))
    }

    /// The least spanning tree, its edges in the order of their choice, the least first; none for fewer than two nodes.
    /// By Prim's algorithm (1957), which looks at each edge once and keeps none: O(n²).
    pub fn spanning_tree(&self, order: TieOrder) -> Vec<PathPair> {
        let mut outside: Vec<usize> = (1..self.nodes.len()).collect();
        let mut nearest: Vec<PathPair> = outside.iter().map(|&node| self.edge(0, node)).collect();
        let mut tree = Vec::with_capacity(outside.len());
        while let Some(next) = (0..outside.len()).min_by_key(|&at| nearest[at].key(order)) {
            let joined = outside.swap_remove(next);
            tree.push(nearest.swap_remove(next));
            for (&node, nearest) in outside.iter().zip(&mut nearest) {
                let edge = self.edge(node.min(joined), node.max(joined));
                if edge.key(order) < nearest.key(order) {
                    *nearest = edge;
                }
            }
        }
        tree.sort_unstable_by_key(|edge| edge.key(order));
        tree
    }
}
