//! Sentences from files: what treebanks, tables of classes and the shared task say of words.
//!
//! * CoNLL-U: `LEMMA`, `UPOS`, `XPOS` and `DEPREL` become the layers of lemmas, tags, fine tags and relations. A column
//!   that is `_` throughout a sentence is no layer of it, unless other sentences have the layer (`complete_layers`).
//! * Tables of classes: a word is looked up as it is, then in lower case; a word that is in no table has the class `-`.
//! * The shared task of 2012: all words of the sentence, with the tags of `.pos`, or those of the rows if every word
//!   has one. `Example::of_task` takes the gold order from column 7.
//!
//! `packed` goes the other way: it makes a sentence of the shared task from one with links, and `reordered_rows` fills
//! column 7 with an order of the whole sentence. `annotation` writes what LADER and Nakagawa's program read: words and
//! at most two more layers.

use super::engine::{Layer, Sentence};
use super::example::Example;
use super::oracle::{Key, Unaligned, gold_order};
use crate::alignment::Alignment;
use crate::error::{Error, ErrorKind, Result};
use crate::format::classes::ClassTable;
use crate::format::preordering;
use crate::format::rsmt::{self, Block, Found, NewRow};
use crate::permutation::Permutation;
use crate::tree::{Column, ParsedSentence};

/// The class of a word that no table has.
const UNKNOWN: &str = "-";

/// What a treebank says where it says nothing.
const UNTOLD: &str = "_";

impl Sentence {
    /// The same with a layer of classes from a table. Words that are not there are looked up in lower case; if they are not
    /// there either, their class is `-`.
    ///
    /// # Errors
    /// None: the layer has as many words as the sentence.
    pub fn with_classes(self, layer: Layer, table: &ClassTable) -> Result<Self> {
        let number = |word: &String| {
            let number = table.number(word.as_bytes()).or_else(|| table.number(word.to_lowercase().as_bytes()));
            number.map_or(UNKNOWN.to_owned(), |number| number.to_string())
        };
        let column = self.layer(Layer::Words).unwrap_or_default().iter().map(number).collect();
        self.with_layer(layer, column)
    }

    /// A sentence of a treebank: its words, what the treebank says of them as far as it says it of any, and the tree.
    ///
    /// # Errors
    /// As [`with_parse`](Self::with_parse).
    pub fn of_parse(parsed: &ParsedSentence) -> Result<Self> {
        let words = parsed.words().map(|word| word.form().replace([' ', '\t'], "_")).collect();
        Self::new(words).with_parse(parsed)
    }

    /// The same with what a treebank says of the words.
    ///
    /// # Errors
    /// `Inconsistent` if the treebank has a sentence of another length.
    pub fn with_parse(mut self, parsed: &ParsedSentence) -> Result<Self> {
        let columns = [
            (Layer::Lemmas, Column::Lemma),
            (Layer::Tags, Column::Upos),
            (Layer::FineTags, Column::Xpos),
            (Layer::Relations, Column::Deprel),
        ];
        for (layer, column) in columns {
            let cells: Vec<String> = parsed.words().map(|word| word.get(column).to_owned()).collect();
            if cells.iter().any(|cell| cell != UNTOLD) {
                self = self.with_layer(layer, cells)?;
            }
        }
        match parsed.tree() {
            Some(tree) => self.with_tree(tree.clone()),
            None => Ok(self),
        }
    }

    /// A sentence of the shared task: all its words, with tags if there are any of all.
    ///
    /// # Errors
    /// None: all columns are as long as the sentence.
    pub fn of_task(sentence: &rsmt::Sentence) -> Result<Self> {
        let whole = Self::new(sentence.words.clone());
        if let Some(tags) = &sentence.tags {
            return whole.with_layer(Layer::Tags, tags.clone());
        }
        let block = &sentence.block;
        if block.len() != sentence.words.len() {
            return Ok(whole);
        }
        let column = |tag: &dyn Fn(usize) -> Option<String>| (0..block.len()).map(tag).collect::<Option<Vec<String>>>();
        let tags = [
            (Layer::Tags, column(&|row| block.coarse_tag(row).map(str::to_owned))),
            (Layer::FineTags, column(&|row| block.fine_tag(row).map(str::to_owned))),
        ];
        tags.into_iter().try_fold(whole, |whole, (layer, tags)| match tags {
            Some(tags) => whole.with_layer(layer, tags),
            None => Ok(whole),
        })
    }
}

/// Layers that some sentences of a treebank have and others lack are known of the treebank: where it says nothing of a whole
/// sentence, its words are `_` there, as those are in CoNLL-U of which nothing is said.
pub fn complete_layers(sentences: &mut [Sentence]) {
    for layer in Layer::ALL.iter().copied() {
        let lacks = |sentence: &Sentence| sentence.layer(layer).is_none();
        if sentences.iter().all(lacks) {
            continue;
        }
        for sentence in sentences.iter_mut().filter(|sentence| lacks(sentence)) {
            sentence.set_layer(layer, vec![UNTOLD.to_owned(); sentence.len()]);
        }
    }
}

/// The columns of annotation that LADER and Nakagawa's program read: words and the layers that are asked for; if none are, the
/// finest tags there are, or else coarse classes, and classes, as far as all sentences have them.
///
/// # Errors
/// `Config` for more layers than annotation has columns, or one that a sentence lacks.
pub fn annotation_columns(sentences: &[Sentence], asked: &[Layer]) -> Result<Vec<Layer>> {
    let there = |layer: &Layer| sentences.iter().all(|sentence| sentence.layer(*layer).is_some());
    let mut columns = vec![Layer::Words];
    if asked.is_empty() {
        columns.extend([Layer::FineTags, Layer::Tags, Layer::CoarseClasses].into_iter().find(there));
        columns.extend(Some(Layer::Classes).filter(there));
    }
    columns.extend(asked);
    if columns.len() > preordering::COLUMNS {
        return Err(Error::config("columns", asked.len(), "at most two layers beside words"));
    }
    match columns.iter().find(|layer| !there(layer)) {
        Some(layer) => Err(Error::config("columns", layer, "layers that all sentences have")),
        None => Ok(columns),
    }
}

/// Lines of annotation, with these layers as columns.
///
/// # Errors
/// `Inconsistent` for a sentence that lacks one, or a token that is empty or has blanks in it, which would be none or several.
pub fn annotation(sentences: &[Sentence], columns: &[Layer]) -> Result<String> {
    let mut text = String::new();
    for (number, sentence) in (1..).zip(sentences) {
        let tokens: Option<Vec<&[String]>> = columns.iter().map(|&layer| sentence.layer(layer)).collect();
        let tokens = tokens.ok_or_else(|| fault(format!("sentence {number} lacks a layer")))?;
        let torn = |token: &&String| token.is_empty() || token.contains([' ', '\t']);
        if let Some(token) = tokens.iter().copied().flatten().find(torn) {
            let message =
                format!("sentence {number}: `{token}` is empty or has a blank in it, which annotation cannot have");
            return Err(fault(message));
        }
        preordering::write_annotation(&tokens, &mut text);
    }
    Ok(text)
}

impl Example {
    /// With the order of the rows of a sentence of the shared task.
    ///
    /// # Errors
    /// `Inconsistent` if `sentence` is not of as many words.
    pub fn of_task(sentence: Sentence, task: &rsmt::Sentence) -> Result<Self> {
        let mut places = vec![None; task.words.len()];
        if let Some(order) = task.block.order() {
            for (&word, &place) in task.kept.iter().zip(order.places()) {
                places[word as usize] = Some(place);
            }
        }
        Self::of_places(sentence, places)
    }
}

/// A sentence of the shared task from a sentence with links: its rows are the words with links, in their gold order. Fine
/// tags are those of the language, where they are known of a word, and else its tags; the file of tags has the fine ones. The
/// parse is that which is given, or the dependency tree in brackets.
///
/// ```
/// use alinea::reorder::reading::packed;
/// use alinea::reorder::{Key, Sentence};
///
/// let words = ["I", "am", "going", "home"].map(str::to_owned).to_vec();
/// let packed = packed(&Sentence::new(words), &[(0, 0), (2, 2), (3, 1)].into(), None, Key::Mean);
/// assert_eq!(packed.kept, [0, 2, 3]);
/// assert_eq!(packed.block.order().map(|order| order.places().to_vec()), Some(vec![0, 2, 1]));
/// ```
pub fn packed(sentence: &Sentence, links: &Alignment, parse: Option<String>, key: Key) -> rsmt::Sentence {
    let words = sentence.layer(Layer::Words).unwrap_or_default();
    let gold = gold_order(words.len(), links, key, Unaligned::Drop);
    let kept = gold.kept();
    let cell = |layer: Layer, word: u32| {
        let cell = &sentence.layer(layer)?[word as usize];
        (cell != UNTOLD).then(|| cell.replace([' ', '\t'], "_"))
    };
    let tags = |word: u32| -> [Option<String>; 2] {
        let coarse = cell(Layer::Tags, word);
        let fine = cell(Layer::FineTags, word).or_else(|| coarse.clone());
        [coarse, fine]
    };
    let all: Vec<[Option<String>; 2]> = (0..words.len() as u32).map(tags).collect();
    let row = |&word: &u32| {
        let [coarse, fine] = all[word as usize].each_ref().map(|tag| tag.as_deref().unwrap_or("-"));
        NewRow { word: &words[word as usize], coarse_tag: coarse, fine_tag: fine }
    };
    let block = Block::new(kept.iter().map(row), Some(&gold.permutation()));
    let tags = all.iter().map(|[_, fine]| fine.clone()).collect();
    let parse = parse.or_else(|| sentence.to_brackets());
    rsmt::Sentence { words: words.to_vec(), tags, parse, kept, found: Found::Listed, block }
}

/// The rows of a sentence of the shared task in another order: positions of words of the whole sentence in their new
/// order, in which words without rows may be missing.
///
/// # Errors
/// `Inconsistent` if the order names a word twice, or one that there is not, or lacks a word that has a row.
pub fn reordered_rows(sentence: &rsmt::Sentence, order: &[u32]) -> Result<Block> {
    let mut places = vec![None; sentence.words.len()];
    for (place, &word) in order.iter().enumerate() {
        match places.get_mut(word as usize) {
            Some(free @ None) => *free = Some(place),
            _ => return Err(fault(format!("word {word} occurs twice in an order, or is outside of its sentence"))),
        }
    }
    let place =
        |&word: &u32| places[word as usize].ok_or_else(|| fault(format!("word {word}, of a row, has no place")));
    let places = sentence.kept.iter().map(place).collect::<Result<Vec<usize>>>()?;
    let reordered = sentence.block.reordered(&Permutation::ranks(&places));
    reordered.ok_or_else(|| fault("a sentence with more rows than kept words".to_owned()))
}

fn fault(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}
