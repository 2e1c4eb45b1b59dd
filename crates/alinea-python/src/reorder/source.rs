//! Source sentences with what is known of their words: the class `ReorderSource`.
//!
//! A source is a list of sentences in native memory, made once and passed to whatever trains, predicts or judges. It is
//! made from words, from a treebank, or from a file of annotation (words, tags and classes). `WordLayers` adds what
//! else is given, in this order: classes by a table, layers, heads and bracketed parses. There must be as many of each
//! as sentences, and parses must have their words; errors name the argument and the sentence. Heads count from 0 and
//! are -1 for roots.
//!
//! `export` writes the files of LADER and Nakagawa's program: `.annot`, with words and at most two more layers, and, if
//! there are links, `.align`, with the lengths of both sentences.

use std::path::PathBuf;

use alinea::alignment::Alignment;
use alinea::error::{Position, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::preordering::{self, AlignedLengths, write_alignment};
use alinea::format::sink;
use alinea::reorder::constituents::Constituents;
use alinea::reorder::engine::Layer;
use alinea::reorder::reading::{annotation, annotation_columns, complete_layers};
use alinea::reorder::{Sentence, brackets};
use alinea::tree::{DependencyTree, Roots};
use pyo3::prelude::*;

use super::orders::examples_of_links;
use super::{check_length, inconsistent, located};
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::project::ReadTrees;
use crate::tables::ReadClasses;
use crate::text::{self, TextOptions, file};
use crate::work::run;

/// The source sentences of a text.
#[pyclass(frozen, name = "ReorderSource", module = "alinea._native")]
#[derive(Debug)]
pub(crate) struct ReorderSource(pub(super) Vec<Sentence>);

/// What is known of the words besides.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct WordLayers<'py> {
    layers: Vec<(String, Bound<'py, PyAny>)>,
    classes: Vec<(String, ReadClasses)>,
    heads: Option<Vec<Vec<i64>>>,
    brackets: Option<Vec<String>>,
}

#[pymethods]
impl ReorderSource {
    /// Sentences of words.
    #[staticmethod]
    fn of_words(words: &Bound<'_, PyAny>, known: WordLayers<'_>) -> PyResult<Self> {
        let sentences = words_of(words, "words")?.into_iter().map(Sentence::new).collect();
        known.add_to(words.py(), sentences).map(Self)
    }

    /// Sentences of a treebank.
    #[staticmethod]
    fn of_trees(py: Python<'_>, trees: ReadTrees, known: WordLayers<'_>) -> PyResult<Self> {
        let sentences = run(py, move |_| {
            let sentences = trees.read("trees", Roots::Many)?;
            let mut sentences = sentences.iter().map(Sentence::of_parse).collect::<Result<Vec<_>>>()?;
            complete_layers(&mut sentences);
            Ok(sentences)
        })?;
        known.add_to(py, sentences).map(Self)
    }

    /// Sentences of a file of annotation.
    #[staticmethod]
    fn of_annotation(py: Python<'_>, path: PathBuf, known: WordLayers<'_>) -> PyResult<Self> {
        let sentences = run(py, move |_| annotated(file(path)))?;
        known.add_to(py, sentences).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The sentences of these numbers.
    fn select(&self, numbers: Vec<usize>) -> Self {
        Self(numbers.into_iter().filter_map(|number| self.0.get(number).cloned()).collect())
    }

    /// The number of words of each sentence.
    pub(super) fn lengths(&self) -> Vec<usize> {
        self.0.iter().map(Sentence::len).collect()
    }

    /// The names of the layers that all sentences have.
    fn layers(&self) -> Vec<&'static str> {
        let everywhere = |layer: &&Layer| self.0.iter().all(|sentence| sentence.layer(**layer).is_some());
        Layer::ALL.iter().filter(everywhere).map(|layer| layer.name()).collect()
    }

    /// A layer, sentence by sentence; nothing if a sentence lacks it.
    fn layer(&self, name: &str) -> PyResult<Option<Vec<Vec<String>>>> {
        let layer: Layer = name.parse().map_err(to_python)?;
        Ok(self.0.iter().map(|sentence| sentence.layer(layer).map(<[String]>::to_vec)).collect())
    }

    /// Writes annotation and, if there are links, alignments for other programs; the layers that are columns.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn export(
        &self,
        py: Python<'_>,
        stem: &str,
        links: Option<ReadMany<'_>>,
        target: Option<&Bound<'_, PyAny>>,
        columns: Vec<String>,
    ) -> PyResult<Vec<&'static str>> {
        let asked = columns.iter().map(|name| name.parse()).collect::<Result<Vec<Layer>>>().map_err(to_python)?;
        let links = links.as_ref().map(alignments);
        let target = target.map(|target| words_of(target, "target")).transpose()?;
        run(py, move |_| {
            let columns = annotation_columns(&self.0, &asked)?;
            let mut files = vec![(format!("{stem}.annot"), annotation(&self.0, &columns)?)];
            if let Some(links) = links {
                files.push((format!("{stem}.align"), aligned(&self.0, links, target.as_deref())?));
            }
            let outputs = files.into_iter().map(|(path, text)| {
                let mut output = sink::create(path)?;
                output.write_bytes(text.as_bytes())?;
                Ok(output)
            });
            sink::finish_all(outputs.collect::<Result<Vec<_>>>()?)?;
            Ok(columns.into_iter().map(Layer::name).collect())
        })
    }

    /// The heads of the words, from 0, -1 for roots; nothing where a sentence has no tree.
    fn heads(&self) -> Vec<Option<Vec<i64>>> {
        let heads = |tree: &DependencyTree| tree.heads().iter().map(|head| head.map_or(-1, i64::from)).collect();
        self.0.iter().map(|sentence| sentence.tree().map(heads)).collect()
    }
}

impl ReorderSource {
    pub(super) fn of_sentences(py: Python<'_>, sentences: Vec<Sentence>, known: WordLayers<'_>) -> PyResult<Self> {
        known.add_to(py, sentences).map(Self)
    }
}

impl WordLayers<'_> {
    fn add_to(self, py: Python<'_>, mut sentences: Vec<Sentence>) -> PyResult<Vec<Sentence>> {
        let Self { layers, classes, heads, brackets } = self;
        let mut columns = Vec::with_capacity(layers.len());
        for (name, column) in &layers {
            columns.push((name.parse::<Layer>().map_err(to_python)?, name.as_str(), words_of(column, name)?));
        }
        run(py, move |_| {
            for (layer, table) in classes {
                let (layer, table) = (layer.parse()?, table.read()?);
                sentences = each(sentences, "source", |_, sentence| sentence.with_classes(layer, &table))?;
            }
            for (layer, name, column) in columns {
                check_length(name, column.len(), sentences.len())?;
                let mut column = column.into_iter();
                let add = |_, sentence: Sentence| sentence.with_layer(layer, column.next().unwrap_or_default());
                sentences = each(sentences, name, add)?;
            }
            if let Some(heads) = heads {
                check_length("heads", heads.len(), sentences.len())?;
                sentences = each(sentences, "heads", |number, sentence| with_heads(sentence, &heads[number]))?;
            }
            if let Some(lines) = brackets {
                check_length("brackets", lines.len(), sentences.len())?;
                sentences =
                    each(sentences, "brackets", |number, sentence| with_brackets(sentence, &lines[number], number))?;
            }
            Ok(sentences)
        })
    }
}

/// Lines of alignments, with the lengths of both sentences; without target sentences these are as long as links tell.
fn aligned(source: &[Sentence], links: Vec<Alignment>, target: Option<&[Vec<String>]>) -> Result<String> {
    if let Some(target) = target {
        check_length("target", target.len(), source.len())?;
    }
    // Refuses links out of their source sentences, and another number of them.
    examples_of_links(source, links.clone())?;
    let mut text = String::new();
    for (number, (sentence, links)) in source.iter().zip(links).enumerate() {
        let told = links.iter().map(|link| link.target as usize + 1).max().unwrap_or(0);
        let words = target.map_or(told, |target| target[number].len());
        if told > words {
            return Err(inconsistent(format!("links[{number}]: a link to word {} of a sentence of {words}", told - 1)));
        }
        write_alignment(&AlignedLengths { source: sentence.len(), target: words, links }, &mut text);
    }
    Ok(text)
}

/// The words of each sentence of a text.
pub(super) fn words_of(sentences: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Vec<String>>> {
    let text = text::read(sentences, name, TextOptions::AS_IS)?;
    let word = |id: &alinea::bitext::WordId| String::from_utf8_lossy(text.vocabulary().word(*id)).into_owned();
    Ok((0..text.len()).map(|number| text.sentence(number).iter().map(word).collect()).collect())
}

/// Adds something to each sentence; errors name the argument and the sentence.
fn each(
    sentences: Vec<Sentence>,
    name: &str,
    mut add: impl FnMut(usize, Sentence) -> Result<Sentence>,
) -> Result<Vec<Sentence>> {
    let add = |(number, sentence)| add(number, sentence).map_err(|error| located(name, number, error));
    sentences.into_iter().enumerate().map(add).collect()
}

fn with_heads(sentence: Sentence, heads: &[i64]) -> Result<Sentence> {
    if sentence.is_empty() && heads.is_empty() {
        return Ok(sentence);
    }
    let head = |&head: &i64| match head {
        -1 => Ok(None),
        head => u32::try_from(head).map(Some).map_err(|_| inconsistent(format!("the head {head} of a word"))),
    };
    let heads = heads.iter().map(head).collect::<Result<Vec<_>>>()?;
    let tree = DependencyTree::new(heads, Roots::Many).map_err(|fault| inconsistent(fault.to_string()))?;
    sentence.with_tree(tree)
}

fn with_brackets(sentence: Sentence, line: &str, number: usize) -> Result<Sentence> {
    if sentence.is_empty() && line.is_empty() {
        return Ok(sentence);
    }
    let words = sentence.layer(Layer::Words).unwrap_or_default();
    brackets::check(line, words, |column| Position::new("brackets", number as u64 + 1, column as u64))?;
    match Constituents::of_brackets(line) {
        Ok(constituents) => sentence.with_constituents(constituents),
        Err((_, expected)) => Err(inconsistent(expected.to_owned())),
    }
}

/// Reads words, tags and classes.
fn annotated(path: PathBuf) -> Result<Vec<Sentence>> {
    let mut reader = LineReader::open(path, Utf8::Strict)?;
    let (mut sentences, mut line) = (Vec::new(), String::new());
    while reader.read_into(&mut line)? {
        let mut columns = preordering::parse_annotation(&line, &reader)?.into_columns().into_iter();
        let sentence = Sentence::new(columns.next().unwrap_or_default());
        let mut layers = [Layer::Tags, Layer::Classes].into_iter().zip(columns);
        sentences.push(layers.try_fold(sentence, |sentence, (layer, column)| sentence.with_layer(layer, column))?);
    }
    Ok(sentences)
}
