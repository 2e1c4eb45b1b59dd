//! What is believed of words, from what is believed of siblings.
//!
//! Two words are in different parts of exactly one node: so one comes before the other as probably as the one part does. One
//! follows the other directly if it is the first word of its part, the other the last of its own, and the one part follows the
//! other. For a node, the probabilities of being its first or its last word come from those of its parts.

use super::super::beliefs::Beliefs;
use super::super::constituents::{Constituent, Node};

/// Less probable neighbors do not count.
const LEAST: f64 = 1e-4;

/// Words with the probabilities of being at a border.
type Border = Vec<(u32, f64)>;

/// Beliefs, and for each node that was closed its first and its last words.
pub(super) struct Posterior {
    beliefs: Beliefs,
    borders: Vec<[Border; 2]>,
}

impl Posterior {
    pub(super) fn new(words: usize) -> Self {
        Self { beliefs: Beliefs::new(words), borders: Vec::new() }
    }

    /// How probable it is that two parts of a node are exchanged.
    pub(super) fn exchanged(&mut self, node: &Node, first: usize, second: usize, probability: f64) {
        for one in node.parts[first].range() {
            for other in node.parts[second].range() {
                self.beliefs.set_before(one, other, 1.0 - probability);
            }
        }
    }

    fn border(&self, part: &Constituent, end: usize) -> Border {
        match part.node {
            Some(node) => self.borders[node][end].clone(),
            None => vec![(part.words.0, 1.0)],
        }
    }

    /// The next node, after all below it, with the probabilities of [`Arranger::next`](super::arrange::Arranger::next).
    pub(super) fn close(&mut self, node: &Node, next: &[f64]) {
        let count = node.parts.len();
        let side = count + 1;
        let borders: Vec<[Border; 2]> =
            node.parts.iter().map(|part| [self.border(part, 0), self.border(part, 1)]).collect();
        for (first, [_, lasts]) in borders.iter().enumerate() {
            for (second, [firsts, _]) in borders.iter().enumerate() {
                let probability = next[first * side + second];
                if probability < LEAST {
                    continue;
                }
                for &(one, ends) in lasts {
                    for &(other, begins) in firsts {
                        self.beliefs.add_next(one as usize, other as usize, probability * ends * begins);
                    }
                }
            }
        }
        let mut own = [Border::new(), Border::new()];
        for (part, ends) in borders.iter().enumerate() {
            for (end, probability) in [(0, next[count * side + part]), (1, next[part * side + count])] {
                let words = ends[end].iter().map(|&(word, inside)| (word, inside * probability));
                own[end].extend(words.filter(|&(_, probability)| probability >= LEAST));
            }
        }
        self.borders.push(own);
    }

    pub(super) fn finish(self) -> Beliefs {
        self.beliefs
    }
}
