//! Pieces by their beginnings: a trie over bytes that finds all pieces a text begins with in one walk.
//!
//! Nodes stand in one array in breadth-first order, so the children of a node are neighbors, sorted by byte, and a step
//! down is a binary search among them. The trie is made from the sorted pieces: a node stands for the range of pieces
//! with its beginning, which the next byte divides among its children. Of equal pieces the lowest number counts.

use std::collections::VecDeque;
use std::ops::Range;

/// A tree whose nodes are beginnings of pieces; children stand together, in the order of their bytes.
#[derive(Debug)]
pub struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    byte: u8,
    first_child: u32,
    children: u16,
    /// The number of the piece that ends here.
    piece: u32,
}

/// No piece.
const NONE: u32 = u32::MAX;

impl Trie {
    /// The tree of pieces with their numbers; of equal ones the first counts.
    pub fn new<'p>(pieces: impl Iterator<Item = (&'p str, u32)>) -> Self {
        let mut pieces: Vec<(&[u8], u32)> = pieces.map(|(text, number)| (text.as_bytes(), number)).collect();
        pieces.sort_unstable();
        pieces.dedup_by_key(|piece| piece.0);
        let mut trie = Self { nodes: vec![Node { byte: 0, first_child: 0, children: 0, piece: NONE }] };
        // Nodes whose children are still to be made: their depth, and which pieces begin with them.
        let mut open: VecDeque<(usize, usize, Range<usize>)> = VecDeque::from([(0, 0, 0..pieces.len())]);
        while let Some((node, depth, range)) = open.pop_front() {
            let first_child = trie.nodes.len();
            let mut start = range.start;
            for chunk in pieces[range].chunk_by(|a, b| a.0.get(depth) == b.0.get(depth)) {
                match chunk[0].0.get(depth) {
                    None => trie.nodes[node].piece = chunk[0].1,
                    Some(&byte) => {
                        open.push_back((trie.nodes.len(), depth + 1, start..start + chunk.len()));
                        trie.nodes.push(Node { byte, first_child: 0, children: 0, piece: NONE });
                    }
                }
                start += chunk.len();
            }
            trie.nodes[node].first_child = first_child as u32;
            trie.nodes[node].children = (trie.nodes.len() - first_child) as u16;
        }
        trie
    }

    /// The length and number of all pieces that a text begins with, short ones first.
    pub fn prefixes(&self, text: &[u8]) -> impl Iterator<Item = (usize, u32)> {
        let mut node = self.nodes[0];
        text.iter()
            .enumerate()
            .map_while(move |(place, &byte)| {
                let first = node.first_child as usize;
                let children = &self.nodes[first..first + usize::from(node.children)];
                node = children[children.binary_search_by_key(&byte, |child| child.byte).ok()?];
                Some((place + 1, node.piece))
            })
            .filter(|&(_, piece)| piece != NONE)
    }

    /// The number of a piece.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.prefixes(text.as_bytes()).find(|&(length, _)| length == text.len()).map(|(_, piece)| piece)
    }
}
