//! Trees as engines reorder them: nodes, and the parts of each from left to right.
//!
//! A dependency tree has a node for every word with dependents; its parts are these, with all below them, and the word itself.
//! A bracketed parse has a node for every bracket around more than a tag and its word. Either way a part is a stretch of
//! the sentence, and an order of the parts of each node is an order of the words. Where arcs of a dependency tree cross, words
//! are moved up until none do ([`brackets`]), so that a tree whose parts are all left as they are leaves the sentence as it is.
//!
//! ```
//! use alinea::reorder::constituents::Constituents;
//!
//! let parse = Constituents::of_brackets("(S (NP (PRP I)) (VP (VBP see) (NP (DT the) (NN house))))").expect("well formed");
//! assert_eq!(parse.words(), 4);
//! // The verb phrase, two parts, is turned around.
//! let order = parse.order(|node| (node.label() == Some("VP")).then(|| vec![1, 0]));
//! assert_eq!(order, [0, 2, 3, 1]);
//! ```

use std::ops::Range;

use super::brackets;
use crate::tree::DependencyTree;

/// A stretch of words that stays together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constituent {
    /// Its first word, and behind its last.
    pub(super) words: (u32, u32),
    /// The word that governs it, or the only one; in brackets with several none is known.
    pub(super) word: Option<u32>,
    /// Whether it is the word of the node itself, without dependents.
    pub(super) is_head: bool,
    /// The label of its bracket.
    pub(super) label: Option<String>,
    /// Its node, if it has parts.
    pub(super) node: Option<usize>,
}

impl Constituent {
    /// Its words.
    pub fn range(&self) -> Range<usize> {
        self.words.0 as usize..self.words.1 as usize
    }

    /// The label of its bracket; none in a dependency tree.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }
}

/// What has parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// As the part of a node above.
    pub(super) this: Constituent,
    /// The node above.
    pub(super) above: Option<usize>,
    /// From left to right.
    pub(super) parts: Vec<Constituent>,
}

impl Node {
    /// Its parts, from left to right; at least one.
    pub fn parts(&self) -> &[Constituent] {
        &self.parts
    }

    /// The label of its bracket; none in a dependency tree.
    pub fn label(&self) -> Option<&str> {
        self.this.label()
    }
}

/// A tree over the words of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Constituents {
    nodes: Vec<Node>,
    top: Option<Constituent>,
    words: usize,
}

impl Constituents {
    /// A single node over so many words.
    pub(super) fn flat(words: usize) -> Self {
        let mut tree = Self { words, ..Self::default() };
        let leaves = (0..words as u32).map(|word| leaf(word, None, false)).collect();
        tree.top = tree.close(None, None, leaves);
        tree
    }

    /// Of a dependency tree, without crossings. Several roots are put under one node. O(words²) at most.
    pub fn of_dependencies(tree: &DependencyTree) -> Self {
        let lifted = if tree.is_projective() { None } else { brackets::without_crossings(tree) };
        let tree = lifted.as_ref().unwrap_or(tree);
        let mut made = Self { words: tree.len(), ..Self::default() };
        // From the bottom up each word finds its parts closed.
        let mut closed: Vec<Option<Constituent>> = vec![None; tree.len()];
        for &word in tree.top_down().iter().rev() {
            let dependents = tree.dependents(word);
            closed[word as usize] = if dependents.is_empty() {
                Some(leaf(word, None, false))
            } else {
                let left = dependents.partition_point(|&dependent| dependent < word);
                let mut parts: Vec<Constituent> =
                    dependents.iter().filter_map(|&dependent| closed[dependent as usize].take()).collect();
                parts.insert(left, leaf(word, None, true));
                made.close(None, Some(word), parts)
            };
        }
        let roots: Vec<Constituent> = closed.into_iter().flatten().collect();
        made.top = made.close_top(roots);
        made
    }

    /// Of a line of brackets, as [`brackets`] has them. Linear.
    ///
    /// # Errors
    /// As [`brackets::words`].
    pub fn of_brackets(line: &str) -> std::result::Result<Self, (usize, &'static str)> {
        brackets::words(line)?;
        let mut made = Self::default();
        let mut open: Vec<(Option<String>, Vec<Constituent>)> = vec![(None, Vec::new())];
        let mut rest = line;
        while let Some(start) = rest.find(|character| !matches!(character, ' ' | '\t')) {
            rest = &rest[start..];
            let (token, behind) = rest.split_at(1.max(rest.find([' ', '\t', '(', ')']).unwrap_or(rest.len())));
            rest = behind;
            match token {
                "(" => {
                    // As in `brackets::words`, blanks may stand before the label.
                    rest = rest.trim_start_matches([' ', '\t']);
                    let end = rest.find([' ', '\t', '(', ')']).unwrap_or(rest.len());
                    let (label, behind) = rest.split_at(end);
                    rest = behind;
                    open.push(((!label.is_empty()).then(|| label.to_owned()), Vec::new()));
                }
                ")" => {
                    let closed = open.pop().and_then(|(label, parts)| made.close_bracket(label, parts));
                    if let (Some(closed), Some((_, parts))) = (closed, open.last_mut()) {
                        parts.push(closed);
                    }
                }
                _ => {
                    let word = made.words as u32;
                    made.words += 1;
                    if let Some((_, parts)) = open.last_mut() {
                        parts.push(leaf(word, None, false));
                    }
                }
            }
        }
        let parts = open.pop().map_or_else(Vec::new, |(_, parts)| parts);
        made.top = made.close_top(parts);
        Ok(made)
    }

    /// A bracket around one word that has none yet only names its tag.
    fn close_bracket(&mut self, label: Option<String>, mut parts: Vec<Constituent>) -> Option<Constituent> {
        match &mut parts[..] {
            [part] if part.node.is_none() && part.label.is_none() => {
                part.label = label;
                parts.pop()
            }
            _ => self.close(label, None, parts),
        }
    }

    pub(super) fn close_top(&mut self, mut parts: Vec<Constituent>) -> Option<Constituent> {
        if parts.len() > 1 { self.close(None, None, parts) } else { parts.pop() }
    }

    /// A new node over parts; none over none.
    pub(super) fn close(
        &mut self,
        label: Option<String>,
        word: Option<u32>,
        parts: Vec<Constituent>,
    ) -> Option<Constituent> {
        let node = self.nodes.len();
        let words = (parts.first()?.words.0, parts.last()?.words.1);
        for below in parts.iter().filter_map(|part| part.node) {
            self.nodes[below].above = Some(node);
        }
        let this = Constituent { words, word, is_head: false, label, node: Some(node) };
        self.nodes.push(Node { this: this.clone(), above: None, parts });
        Some(this)
    }

    /// Of nodes that were closed one by one.
    pub(super) fn finish(mut self, words: usize, top: Option<Constituent>) -> Self {
        self.words = words;
        self.top = top;
        self
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// What the tree says of a stretch of the words: nodes and parts as far as they are inside. Linear.
    #[must_use]
    pub(super) fn stretch(&self, range: &Range<usize>) -> Self {
        let mut cut = Self { words: range.len(), ..Self::default() };
        let inside = |word: u32| range.contains(&(word as usize)).then(|| (word as usize - range.start) as u32);
        let mut closed: Vec<Option<Constituent>> = Vec::with_capacity(self.nodes.len());
        let part_of = |part: &Constituent, closed: &[Option<Constituent>]| match part.node {
            Some(node) => closed[node].clone(),
            None => part.word.and_then(inside).map(|word| leaf(word, part.label.clone(), part.is_head)),
        };
        for node in &self.nodes {
            let parts = node.parts.iter().filter_map(|part| part_of(part, &closed)).collect();
            closed.push(cut.close(node.this.label.clone(), node.this.word.and_then(inside), parts));
        }
        cut.top = self.top.as_ref().and_then(|top| part_of(top, &closed));
        cut
    }

    /// All nodes, those below before those above.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The words in the order that is made by putting the parts of each node into the order that `arrange` returns, by their
    /// numbers from 0; none leaves them as they are. Linear.
    ///
    /// # Panics
    /// If what is returned is no order of the parts.
    pub fn order(&self, mut arrange: impl FnMut(&Node) -> Option<Vec<usize>>) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.words);
        let mut open: Vec<&Constituent> = self.top.iter().collect();
        while let Some(part) = open.pop() {
            let Some(node) = part.node.map(|node| &self.nodes[node]) else {
                order.extend(part.words.0..part.words.1);
                continue;
            };
            // What is pushed last comes first.
            match arrange(node) {
                Some(arranged) => {
                    assert_eq!(arranged.len(), node.parts.len(), "an order of the parts");
                    open.extend(arranged.iter().rev().map(|&part| &node.parts[part]));
                }
                None => open.extend(node.parts.iter().rev()),
            }
        }
        order
    }
}

/// A word alone.
pub(super) fn leaf(word: u32, label: Option<String>, is_head: bool) -> Constituent {
    Constituent { words: (word, word + 1), word: Some(word), is_head, label, node: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Roots;
    use proptest::prelude::*;

    fn tree(heads: &[i32]) -> DependencyTree {
        DependencyTree::new(heads.iter().map(|&head| u32::try_from(head).ok()).collect(), Roots::Many).unwrap()
    }

    #[test]
    fn heads_are_among_their_dependents() {
        // the old house: both hang on the last.
        let constituents = Constituents::of_dependencies(&tree(&[2, 2, -1]));
        let parts: Vec<(Range<usize>, bool)> =
            constituents.nodes()[0].parts().iter().map(|part| (part.range(), part.is_head)).collect();
        assert_eq!(parts, [(0..1, false), (1..2, false), (2..3, true)]);
        assert_eq!(constituents.order(|_| Some(vec![2, 0, 1])), [2, 0, 1]);
    }

    #[test]
    fn several_roots_are_put_under_one_node() {
        let constituents = Constituents::of_dependencies(&tree(&[-1, 0, -1]));
        assert_eq!(constituents.nodes().len(), 2);
        assert_eq!(constituents.order(|node| Some((0..node.parts().len()).rev().collect())), [2, 1, 0]);
    }

    #[test]
    fn brackets_are_read() {
        let parse = |line| Constituents::of_brackets(line);
        assert_eq!(parse("(S (X a)"), Err((0, "a bracket that is closed")));
        for line in ["( S ( NP I) (VP sleep))", "( X a)", "( .)", "(S(\t) a)"] {
            assert_eq!(parse(line).unwrap().words(), brackets::words(line).unwrap().len(), "{line}");
        }
        let several = parse("(X a) (Y (Z b) c)").unwrap();
        assert_eq!(several.words(), 3);
        assert_eq!(several.order(|_| Some(vec![1, 0])), [2, 1, 0]);
        let unary = parse("( (S (VP (VB go))))").unwrap();
        let labels: Vec<Option<&str>> = unary.nodes().iter().map(Node::label).collect();
        assert_eq!(labels, [Some("VP"), Some("S"), None]);
        assert_eq!(unary.nodes()[0].parts()[0].label(), Some("VB"));
        assert_eq!(parse("").unwrap(), Constituents::default());
    }

    #[test]
    fn stretches_have_what_is_inside() {
        let whole =
            Constituents::of_brackets("(S (NP (D the) (N bird)) (VP (V sings) (NP (A old) (N songs))) (. .))").unwrap();
        let inside = |range: Range<usize>| {
            let cut = whole.stretch(&range);
            let nodes: Vec<(Option<String>, Range<usize>)> =
                cut.nodes().iter().map(|node| (node.label().map(str::to_owned), node.this.range())).collect();
            assert_eq!(cut.order(|_| None), (0..range.len() as u32).collect::<Vec<_>>());
            nodes
        };
        let node = |label: &str, range| (Some(label.to_owned()), range);
        let cut = [node("NP", 0..1), node("NP", 2..3), node("VP", 1..3), node("S", 0..3)];
        assert_eq!(inside(1..4), cut);
        assert_eq!(inside(0..1), [node("NP", 0..1), node("S", 0..1)]);
        assert_eq!(whole.stretch(&(0..6)), whole);
    }

    proptest! {
        #[test]
        fn trees_that_are_left_alone_leave_sentences_alone(
            parents in prop::collection::vec(any::<prop::sample::Index>(), 1..9),
            turn in any::<u8>(),
        ) {
            let n = parents.len();
            prop_assume!(n != 5);
            let place = |word: usize| (word * 5 + turn as usize) % n;
            let mut heads = vec![-1; n];
            for (word, parent) in parents.iter().enumerate().skip(1) {
                heads[place(word)] = place(parent.index(word)) as i32;
            }
            let constituents = Constituents::of_dependencies(&tree(&heads));
            prop_assert_eq!(constituents.order(|_| None), (0..n as u32).collect::<Vec<_>>());
            let mut reversed = constituents.order(|node| Some((0..node.parts().len()).rev().collect()));
            reversed.sort_unstable();
            prop_assert_eq!(reversed, (0..n as u32).collect::<Vec<_>>());
        }
    }
}
