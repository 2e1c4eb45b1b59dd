//! Dependency trees whose relations are numbers, so that two trees can be compared.
//!
//! [`Relations`] numbers the names; trees that are compared come from one of it. The label of a word is its relation to
//! its head. A tree with several roots gets one more word above them, which is in no sentence: so there is a path between
//! any two words. The roots then have the relation `root` to it, whatever stands in the file; a single root has a label
//! that no path ever shows.
//!
//! ```
//! use alinea::metric::labeled_tree::Relations;
//! use alinea::tree::{DependencyTree, Roots};
//!
//! let mut relations = Relations::default();
//! let tree = DependencyTree::new(vec![Some(1), None, Some(1)], Roots::One)?;
//! let tree = relations.label(tree, &["nsubj:pass", "root", "obj"]);
//! let labels: Vec<&str> = tree.labels_to_root(0).map(|label| relations.name(label)).collect();
//! assert_eq!(labels, ["nsubj:pass"]);
//! # Ok::<(), alinea::tree::NoTree>(())
//! ```

use crate::bitext::{Vocabulary, WordId};
use crate::error::{ErrorKind, Result};
use crate::tree::{DependencyTree, ParsedSentence};

/// The number of the relation `root`.
const ROOT: u32 = 0;

/// Numbers of the names of relations.
#[derive(Debug)]
pub struct Relations {
    names: Vocabulary,
    subtypes: bool,
}

impl Default for Relations {
    fn default() -> Self {
        Self::new(true)
    }
}

impl Relations {
    /// No names yet. Without `subtypes`, `nmod:of` is `nmod`.
    pub fn new(subtypes: bool) -> Self {
        let mut names = Vocabulary::default();
        names.intern(b"root");
        Self { names, subtypes }
    }

    /// A name.
    ///
    /// # Panics
    /// If no relation has this number.
    pub fn name(&self, label: u32) -> &str {
        let bytes = self.names.word(WordId::from_index(label as usize));
        std::str::from_utf8(bytes).expect("names are strings")
    }

    /// A tree with the relations of its words, in their order.
    ///
    /// # Panics
    /// If there is not one relation for each word.
    pub fn label(&mut self, tree: DependencyTree, names: &[&str]) -> LabeledTree {
        assert_eq!(tree.len(), names.len(), "one relation a word");
        let labels = names.iter().map(|name| self.number(name)).collect();
        LabeledTree::new(tree, labels)
    }

    /// The tree of a sentence.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence has no tree, or a word has no relation (`_`): see [`missing`].
    pub fn of_sentence(&mut self, sentence: &ParsedSentence) -> Result<LabeledTree> {
        let missing = missing(sentence, true).map(|(_, missing)| missing);
        let tree = self.of_checked(sentence).filter(|_| missing.is_none());
        tree.ok_or_else(|| ErrorKind::Inconsistent(missing.unwrap_or_default()).into())
    }

    /// The tree of a sentence, none if it has none. `_` is a relation as any other.
    pub(super) fn of_checked(&mut self, sentence: &ParsedSentence) -> Option<LabeledTree> {
        let tree = sentence.tree()?.clone();
        let labels = sentence.words().map(|word| self.number(word.deprel())).collect();
        Some(LabeledTree::new(tree, labels))
    }

    fn number(&mut self, name: &str) -> u32 {
        let name = if self.subtypes { name } else { name.split(':').next().unwrap_or_default() };
        self.names.intern(name.as_bytes()).index() as u32
    }
}

/// What a sentence lacks to be scored, and the word, from 0, where that is seen: heads, or, if they are asked for,
/// relations. The relation of a single root may be absent, since no path shows it.
pub fn missing(sentence: &ParsedSentence, relations: bool) -> Option<(u32, String)> {
    let Some(tree) = sentence.tree() else {
        return Some((0, "a sentence with a tree: the words have no heads".to_owned()));
    };
    let shown = |word: u32| tree.head(word).is_some();
    let (word, form) = (0..)
        .zip(sentence.words())
        .filter(|_| relations)
        .find(|(number, word)| word.deprel() == "_" && shown(*number))
        .map(|(number, word)| (number, word.form()))?;
    Some((word, format!("a relation of word {} (`{form}`) to its head, which `_` is not", word + 1)))
}

/// A tree over words from 0, with the number of the relation of each. Immutable.
#[derive(Debug, Clone)]
pub struct LabeledTree {
    tree: DependencyTree,
    labels: Vec<u32>,
    /// Whether there is a word above the roots.
    joined: bool,
}

impl LabeledTree {
    fn new(tree: DependencyTree, labels: Vec<u32>) -> Self {
        let joined = tree.roots().nth(1).is_some();
        Self { tree, labels, joined }
    }

    /// Heads and dependents.
    pub fn tree(&self) -> &DependencyTree {
        &self.tree
    }

    /// The number of words, at least one.
    #[expect(clippy::len_without_is_empty, reason = "a tree has at least one word")]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// The relation of a word to its head.
    ///
    /// # Panics
    /// If there is no such word, as below.
    pub fn label(&self, word: u32) -> u32 {
        if self.joined && self.tree.head(word).is_none() { ROOT } else { self.labels[word as usize] }
    }

    /// The labels of the edges from a word up to the root.
    pub fn labels_to_root(&self, word: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(word)
            .chain(self.tree.ancestors(word))
            .filter(|&word| self.joined || self.tree.head(word).is_some())
            .map(|word| self.label(word))
    }

    /// The number of edges from each word up to the root. Linear.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = self.tree.depths();
        for depth in &mut depths {
            *depth += u32::from(self.joined);
        }
        depths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::conllu;
    use crate::tree::Roots;

    fn sentence(rows: &[(&str, &str, &str)]) -> ParsedSentence {
        let rows = (1..).zip(rows).map(|(number, (form, head, relation)): (u32, _)| {
            format!("{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n")
        });
        conllu::parse(&rows.collect::<String>(), "test", Roots::Many).unwrap().remove(0)
    }

    #[test]
    fn subtypes_may_be_cut() {
        let words = sentence(&[("a", "2", "det:poss"), ("b", "0", "root"), ("c", "1", "det")]);
        for (subtypes, same) in [(true, false), (false, true)] {
            let tree = Relations::new(subtypes).of_sentence(&words).unwrap();
            assert_eq!(tree.label(0) == tree.label(2), same);
        }
    }

    #[test]
    fn several_roots_hang_from_one() {
        let words = sentence(&[("a", "0", "obj"), ("b", "0", "_"), ("c", "2", "det")]);
        let mut relations = Relations::default();
        let tree = relations.of_sentence(&words).unwrap();
        assert_eq!(tree.depths(), [1, 1, 2]);
        let labels: Vec<&str> = tree.labels_to_root(2).map(|label| relations.name(label)).collect();
        assert_eq!(labels, ["det", "root"]);
    }

    #[test]
    fn what_is_missing_is_said() {
        let error = |words: &ParsedSentence| Relations::default().of_sentence(words).unwrap_err().to_string();
        let words = sentence(&[("a", "_", "_"), ("b", "_", "_")]);
        assert_eq!(error(&words), "a sentence with a tree: the words have no heads");
        let words = sentence(&[("a", "2", "det"), ("b", "0", "_"), ("c", "2", "_")]);
        assert_eq!(error(&words), "a relation of word 3 (`c`) to its head, which `_` is not");
        assert_eq!(missing(&words, false), None);
    }
}
