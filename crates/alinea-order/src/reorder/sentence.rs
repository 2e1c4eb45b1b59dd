//! A sentence as engines see it: layers, and perhaps a tree.
//!
//! A [`Sentence`] has *layers*, columns of equal length: its words, and whatever else is known of each of them, lemmas, tags,
//! classes; and perhaps a dependency tree or a bracketed parse. What is not known is absent. [`stretches`] cuts long sentences,
//! since most engines take time that grows with the third power of the words.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::brackets;
use super::constituents::Constituents;
use super::oracle::named;
use crate::error::{Error, ErrorKind, Result};
use crate::tree::{DependencyTree, Roots};

/// What is known of the words of a sentence, one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The words themselves.
    Words,
    /// Their lemmas.
    Lemmas,
    /// Their parts of speech.
    Tags,
    /// Their parts of speech as a language's own tag set has them, or with what else is known of the form.
    FineTags,
    /// Their classes, as `alinea::classes` makes them.
    Classes,
    /// Few and large classes.
    CoarseClasses,
    /// Their relations to their heads.
    Relations,
}

named!(
    Layer,
    "layer",
    [
        Words = "words",
        Lemmas = "lemmas",
        Tags = "tags",
        FineTags = "finetags",
        Classes = "classes",
        CoarseClasses = "coarseclasses",
        Relations = "relations"
    ],
    "words, lemmas, tags, finetags, classes, coarseclasses, relations"
);

/// The number of layers.
const LAYERS: usize = Layer::ALL.len();

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
    layers: [Option<Vec<String>>; LAYERS],
    words: usize,
    tree: Option<DependencyTree>,
    constituents: Option<Constituents>,
}

impl Sentence {
    /// A sentence of which only the words are known.
    pub fn new(words: Vec<String>) -> Self {
        let count = words.len();
        let mut layers = [const { None }; LAYERS];
        layers[Layer::Words as usize] = Some(words);
        Self { layers, words: count, tree: None, constituents: None }
    }

    /// The same with a layer more, or another in its place.
    ///
    /// # Errors
    /// `Inconsistent` if it is not as long as the sentence.
    pub fn with_layer(mut self, layer: Layer, column: Vec<String>) -> Result<Self> {
        check(column.len(), self.words)?;
        self.set_layer(layer, column);
        Ok(self)
    }

    /// Sets a layer, of as many words.
    pub(super) fn set_layer(&mut self, layer: Layer, column: Vec<String>) {
        debug_assert_eq!(column.len(), self.words, "a column of all words");
        self.layers[layer as usize] = Some(column);
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

    /// The same with a bracketed parse.
    ///
    /// # Errors
    /// `Inconsistent` if it is not over as many words.
    pub fn with_constituents(mut self, constituents: Constituents) -> Result<Self> {
        check(constituents.words(), self.words)?;
        self.constituents = Some(constituents);
        Ok(self)
    }

    /// The same without a bracketed parse.
    #[must_use]
    pub fn without_constituents(self) -> Self {
        Self { constituents: None, ..self }
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

    /// The dependency tree as brackets; none if there is none. `_` stands for a relation or a tag that is not known.
    pub fn to_brackets(&self) -> Option<String> {
        let cell = |layer, word: u32| self.layer(layer).map_or("_", |layer| layer[word as usize].as_str());
        let layers = [Layer::Relations, Layer::Tags, Layer::Words];
        brackets::of_tree(self.tree()?, |word| layers.map(|layer| cell(layer, word)))
    }

    /// The bracketed parse, if it is known.
    pub fn constituents(&self) -> Option<&Constituents> {
        self.constituents.as_ref()
    }
}

impl Constituents {
    /// That which is known of the sentence: brackets, or else dependencies. Nothing at all is needed for less than two words.
    ///
    /// # Errors
    /// `Inconsistent` if it has neither.
    pub fn of_sentence(sentence: &Sentence) -> Result<Cow<'_, Self>> {
        match (sentence.constituents(), sentence.tree()) {
            (Some(constituents), _) => Ok(Cow::Borrowed(constituents)),
            (None, Some(tree)) => Ok(Cow::Owned(Self::of_dependencies(tree))),
            (None, None) if sentence.len() < 2 => Ok(Cow::Owned(Self::flat(sentence.len()))),
            (None, None) => Err(ErrorKind::Inconsistent("the sentence has no tree".to_owned()).into()),
        }
    }
}

/// The longest sentence that engines order as a whole, since they take time that grows with the third power of the words.
pub const MOST_WORDS: usize = 200;

/// The longest stretch of longer ones. Hardly any is a sentence, so that what they cost matters more than what is torn apart: a
/// line of ten thousand words takes a sixth of the time that stretches of [`MOST_WORDS`] would.
const MOST_WORDS_OF_STRETCH: usize = 80;

/// Cuts so many words, if they are more than [`MOST_WORDS`], into as few stretches as may be of at most 80, of about the same
/// length.
pub fn stretches(words: usize) -> impl Iterator<Item = Range<usize>> {
    let count = if words <= MOST_WORDS { words.min(1) } else { words.div_ceil(MOST_WORDS_OF_STRETCH) };
    (0..count).map(move |number| number * words / count..(number + 1) * words / count)
}

impl Sentence {
    /// A stretch of the sentence as a sentence of its own; words whose heads are outside are roots, and of brackets there is what
    /// is inside.
    ///
    /// # Panics
    /// If the sentence has no such words.
    #[must_use]
    pub fn stretch(&self, range: Range<usize>) -> Self {
        let cut = |layer: &Option<Vec<String>>| layer.as_ref().map(|layer| layer[range.clone()].to_vec());
        let heads = |tree: &DependencyTree| {
            let inside = |head: u32| range.contains(&(head as usize)).then(|| head - range.start as u32);
            let heads = tree.heads()[range.clone()].iter().map(|head| head.and_then(inside)).collect();
            DependencyTree::new(heads, Roots::Many).ok()
        };
        Self {
            layers: std::array::from_fn(|layer| cut(&self.layers[layer])),
            words: range.len(),
            tree: self.tree.as_ref().and_then(heads),
            constituents: self.constituents.as_ref().map(|constituents| constituents.stretch(&range)),
        }
    }
}

fn check(length: usize, words: usize) -> Result<()> {
    if length == words {
        return Ok(());
    }
    Err(ErrorKind::Inconsistent(format!("a layer of {length} words for a sentence of {words}")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn long_sentences_are_cut() {
        let lengths = |words| stretches(words).map(|stretch| stretch.len()).collect::<Vec<_>>();
        assert_eq!(lengths(MOST_WORDS), [MOST_WORDS]);
        assert_eq!(lengths(MOST_WORDS + 1), [67, 67, 67]);
        assert_eq!(lengths(10_000), [MOST_WORDS_OF_STRETCH; 125]);
        assert!(lengths(0).is_empty());
        let words = ["a", "b", "c"].map(str::to_owned).to_vec();
        let tree = DependencyTree::new(vec![Some(1), None, Some(1)], Roots::One).unwrap();
        let stretch = Sentence::new(words).with_tree(tree).unwrap().stretch(1..3);
        assert_eq!(stretch.layer(Layer::Words).unwrap(), ["b", "c"]);
        assert_eq!(stretch.tree().unwrap().heads(), [None, Some(0)]);
    }
}
