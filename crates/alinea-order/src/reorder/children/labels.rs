//! Labels of a node's parts at two levels of granularity, and the 64-bit keys of sequences and pairs of them.
//!
//! | part | level 0 | level 1 |
//! |---|---|---|
//! | dependent | relation and tag | relation without subtype |
//! | head word | tag | one label for all |
//! | bracket | its label | the label up to `-` or `=` |
//!
//! Without a layer of relations both levels of a dependent are its tag; tags are universal ones, or fine ones if there
//! are no others. A key hashes the level, the label of the node, and the labels of its parts in source order, for all
//! parts (`sequence`) or for two (`pair`). `children` looks orders up by these keys, level 0 first, and backs off to
//! level 1.

use super::super::constituents::{Constituent, Node};
use super::super::engine::{Layer, Sentence};
use super::super::fingerprint::{fingerprint, mix};

/// How fine labels are, from the finest.
pub(super) const LEVELS: usize = 2;

/// What stands for the word of the node.
const HEAD: u64 = 1;

/// The labels of the words of a sentence.
pub(super) struct Labels {
    /// Word by word, from the finest level; none where no layer says anything.
    words: Vec<[u64; LEVELS]>,
    /// What stands for the word of a node, from the finest level.
    heads: Vec<[u64; LEVELS]>,
}

/// Up to one of these characters, if there is something before it.
fn cut<'n>(name: &'n str, marks: &[char]) -> &'n str {
    let end = name.char_indices().skip(1).find(|(_, character)| marks.contains(character));
    end.map_or(name, |(end, _)| &name[..end])
}

impl Labels {
    pub(super) fn new(sentence: &Sentence) -> Self {
        let tags = sentence.layer(Layer::Tags).or_else(|| sentence.layer(Layer::FineTags));
        let relations = sentence.layer(Layer::Relations);
        let number = |name: &str| fingerprint(name.as_bytes());
        let tag = |word: usize| tags.map_or(0, |tags| number(&tags[word]));
        let label = |word: usize| match relations {
            None => [tag(word), tag(word)],
            Some(relations) => [mix(number(&relations[word]), tag(word)), number(cut(&relations[word], &[':']))],
        };
        let words = (0..sentence.len()).map(label).collect();
        Self { words, heads: (0..sentence.len()).map(|word| [mix(HEAD, tag(word)), HEAD]).collect() }
    }

    fn part(&self, part: &Constituent, level: usize) -> u64 {
        match (part.label(), part.word) {
            (Some(label), _) => fingerprint(if level == 0 { label } else { cut(label, &['-', '=']) }.as_bytes()),
            (None, Some(word)) if part.is_head => self.heads[word as usize][level],
            (None, Some(word)) => self.words[word as usize][level],
            (None, None) => 0,
        }
    }

    /// The label of the node as that of its head.
    fn node(&self, node: &Node, level: usize) -> u64 {
        let word = node.this.word.map_or(0, |word| self.heads[word as usize][level]);
        mix(self.part(&node.this, level) * u64::from(node.label().is_some()), word)
    }

    /// The keys of the sequence of a node, from the finest labels.
    pub(super) fn sequence(&self, node: &Node) -> [u64; LEVELS] {
        std::array::from_fn(|level| {
            let start = mix(level as u64, self.node(node, level));
            node.parts().iter().fold(start, |state, part| mix(state, self.part(part, level)))
        })
    }

    /// The keys of two parts, from the finest labels.
    pub(super) fn pair(&self, node: &Node, first: usize, second: usize) -> [u64; LEVELS] {
        std::array::from_fn(|level| {
            let label = |part: usize| self.part(&node.parts()[part], level);
            mix(mix(mix(PAIR + level as u64, self.node(node, level)), label(first)), label(second))
        })
    }
}

/// What keys of pairs begin with.
const PAIR: u64 = 0x7061_6972;
