//! What predicts an order, and sentences as it sees them.
//!
//! A [`Sentence`] has *layers*, columns of equal length: its words, and whatever else is known of each of them, lemmas, tags,
//! classes; and perhaps a dependency tree. What is not known is absent, and an [`Engine`] works with what is there.

use crate::error::{ErrorKind, Result};
use crate::permutation::Permutation;
use crate::tree::DependencyTree;

/// What is known of the words of a sentence, one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The words themselves.
    Words,
    /// Their lemmas.
    Lemmas,
    /// Their parts of speech.
    Tags,
    /// Their classes, as [`classes`](crate::classes) makes them.
    Classes,
}

impl Layer {
    /// All layers.
    pub const ALL: [Self; 4] = [Self::Words, Self::Lemmas, Self::Tags, Self::Classes];
}

/// A sentence whose order is asked for.
///
/// ```
/// use alinea::reorder::Sentence;
/// use alinea::reorder::engine::Layer;
///
/// let sentence = Sentence::new(["I", "am", "going"].map(str::to_owned).to_vec())
///     .with_layer(Layer::Tags, ["PRON", "AUX", "VERB"].map(str::to_owned).to_vec())?;
/// assert_eq!(sentence.layer(Layer::Tags).map(|tags| tags[2].as_str()), Some("VERB"));
/// assert_eq!(sentence.layer(Layer::Classes), None);
/// assert!(sentence.with_layer(Layer::Lemmas, vec!["be".to_owned()]).is_err());
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sentence {
    layers: [Option<Vec<String>>; 4],
    words: usize,
    tree: Option<DependencyTree>,
}

impl Sentence {
    /// A sentence of which only the words are known.
    pub fn new(words: Vec<String>) -> Self {
        let count = words.len();
        Self { layers: [Some(words), None, None, None], words: count, tree: None }
    }

    /// The same with a layer more, or another in its place.
    ///
    /// # Errors
    /// `Inconsistent` if it is not as long as the sentence.
    pub fn with_layer(mut self, layer: Layer, column: Vec<String>) -> Result<Self> {
        check(column.len(), self.words)?;
        self.layers[layer as usize] = Some(column);
        Ok(self)
    }

    /// The same with a tree.
    ///
    /// # Errors
    /// `Inconsistent` if it is not over as many words.
    pub fn with_tree(mut self, tree: DependencyTree) -> Result<Self> {
        check(tree.len(), self.words)?;
        self.tree = Some(tree);
        Ok(self)
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.words
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }

    /// A layer, if it is known.
    pub fn layer(&self, layer: Layer) -> Option<&[String]> {
        self.layers[layer as usize].as_deref()
    }

    /// The dependency tree, if it is known.
    pub fn tree(&self) -> Option<&DependencyTree> {
        self.tree.as_ref()
    }
}

fn check(length: usize, words: usize) -> Result<()> {
    if length == words {
        return Ok(());
    }
    Err(ErrorKind::Inconsistent(format!("a layer of {length} words for a sentence of {words}")).into())
}

/// Predicts orders. What was learned is immutable and shared; an engine is the buffers of one thread over it.
pub trait Engine {
    /// The place that each word of the sentence takes; an order of as many words as the sentence has.
    fn order(&mut self, sentence: &Sentence) -> Permutation;
}

/// Leaves sentences as they are: the baseline that every engine has to beat.
///
/// ```
/// use alinea::permutation::Permutation;
/// use alinea::reorder::{Engine, Identity, Sentence};
///
/// let sentence = Sentence::new(vec!["home".to_owned()]);
/// assert_eq!(Identity.order(&sentence), Permutation::identity(1));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Identity;

impl Engine for Identity {
    fn order(&mut self, sentence: &Sentence) -> Permutation {
        Permutation::identity(sentence.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Roots;

    #[test]
    fn what_has_another_length_is_refused() {
        let sentence = || Sentence::new(vec!["a".to_owned(), "b".to_owned()]);
        let tree = |heads: Vec<Option<u32>>| DependencyTree::new(heads, Roots::One).unwrap();
        let error = sentence().with_tree(tree(vec![None])).unwrap_err().to_string();
        assert_eq!(error, "a layer of 1 words for a sentence of 2");
        let with_tree = sentence().with_tree(tree(vec![Some(1), None])).unwrap();
        assert_eq!(with_tree.tree().map(DependencyTree::root), Some(1));
        assert!(Sentence::default().is_empty());
    }
}
