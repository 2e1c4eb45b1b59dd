//! Dependency trees as ordered trees in postorder, which is what the algorithm of Zhang and Shasha (1989) works on.
//!
//! Children are in the order of their words. Nodes are numbered in postorder; the last is an extra one above the roots.
//! For each the tree has the number of its leftmost leaf, so a subtree is the range from there to the node. The
//! *key roots* are the nodes with a left sibling, and the last: the algorithm needs tables for their subtrees only.
//!
//! Words that are left out hand their dependents to the next word above that is kept. With `head_leaf` a head stands
//! among its dependents once more, as a leaf, since an ordered tree does not say where it is. A `turned` tree is
//! mirrored: that leaves the distance the same, but not the time to compute it. `matches` says which nodes of two trees
//! are the same: of the same kind, with linked words that pass the caller's test.

use crate::alignment::Alignment;
use crate::metric::labeled_tree::LabeledTree;

/// A node: a word, or the leaf that stands for it among its dependents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) word: u32,
    pub(super) is_leaf: bool,
}

/// The nodes in the order in which each comes after those below it, without the one above the roots, which comes last.
#[derive(Debug)]
pub(super) struct OrderedTree {
    pub(super) nodes: Vec<Node>,
    /// The lowest leftmost node below each, or itself; also of the one above the roots.
    pub(super) leftmost: Vec<u32>,
}

impl OrderedTree {
    /// The tree of the words that are kept; those below a word that is not move up to the next one above that is. With
    /// `head_leaf` each node with children has itself as a leaf among them, where the word stands. If it is `turned` the last
    /// children come first. Linear.
    pub(super) fn new(tree: &LabeledTree, kept: impl Fn(u32) -> bool, head_leaf: bool, turned: bool) -> Self {
        let words = tree.len() as u32;
        let above = words;
        let mut children: Vec<Vec<Node>> = vec![Vec::new(); tree.len() + 1];
        // The word itself if it is kept, or else the next one above that is.
        let mut nearest = vec![above; tree.len()];
        let head = |nearest: &[u32], word: u32| tree.tree().head(word).map_or(above, |head| nearest[head as usize]);
        for word in tree.tree().top_down() {
            nearest[word as usize] = if kept(word) { word } else { head(&nearest, word) };
        }
        for word in (0..words).filter(|&word| kept(word)) {
            let head = head(&nearest, word);
            children[head as usize].push(Node { word, is_leaf: false });
        }
        if head_leaf {
            for (word, children) in (0..words).zip(&mut children).filter(|(_, children)| !children.is_empty()) {
                let place = children.partition_point(|child| child.word < word);
                children.insert(place, Node { word, is_leaf: true });
            }
        }
        if turned {
            for children in &mut children {
                children.reverse();
            }
        }
        let mut ordered = Self { nodes: Vec::new(), leftmost: Vec::new() };
        // Nodes on the way down: how many of their children are done, and the number of the first node below.
        let mut way = vec![(Node { word: above, is_leaf: false }, 0, 0)];
        while let Some((node, done, first)) = way.last_mut() {
            let of_node: &[Node] = if node.is_leaf { &[] } else { &children[node.word as usize] };
            if let Some(&child) = of_node.get(*done) {
                *done += 1;
                way.push((child, 0, ordered.leftmost.len() as u32));
            } else {
                ordered.leftmost.push(*first);
                if node.word != above {
                    ordered.nodes.push(*node);
                }
                way.pop();
            }
        }
        ordered
    }

    /// The nodes that have a left sibling, and the last: from these the distances of all subtrees follow.
    pub(super) fn key_roots(&self) -> Vec<usize> {
        let mut highest = vec![usize::MAX; self.leftmost.len()];
        for (node, &leftmost) in self.leftmost.iter().enumerate() {
            highest[leftmost as usize] = node;
        }
        let mut roots: Vec<usize> = highest.into_iter().filter(|&node| node != usize::MAX).collect();
        roots.sort_unstable();
        roots
    }
}

/// Whether nodes are the same, by node of the one tree and of the other, the ones above the roots included.
pub(super) fn matches(
    [one, other]: [&OrderedTree; 2],
    links: &Alignment,
    same: impl Fn(u32, u32) -> bool,
) -> Vec<Vec<bool>> {
    let row = |node: &Node| {
        let of_word = links.of_source(node.word);
        let mut row: Vec<bool> = other
            .nodes
            .iter()
            .map(|candidate| {
                candidate.is_leaf == node.is_leaf
                    && of_word.binary_search_by_key(&candidate.word, |link| link.target).is_ok()
                    && same(node.word, candidate.word)
            })
            .collect();
        row.push(false);
        row
    };
    let mut rows: Vec<Vec<bool>> = one.nodes.iter().map(row).collect();
    let mut last = vec![false; other.nodes.len()];
    last.push(true);
    rows.push(last);
    rows
}
