//! Source sentences with their layers (tags, classes, relations, trees), as the models of word order need them.
//!
//! Layers come from the columns of an annotation, from a treebank, from the rows of the task's corpus, or from
//! brackets; `--classes` and `--coarse-classes` add word classes from files of `alinea classes` to any of these. A
//! layer that only some sentences of a treebank have is completed with `_` for the others (`complete_layers`), because
//! a model uses a layer for a whole text or not at all. Which layers a model needs, it checks itself.

use std::path::PathBuf;

use alinea::error::Result;
use alinea::format::classes::{self, ClassTable};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::rsmt::{self, Corpus, Paths};
use alinea::reorder::Sentence;
use alinea::reorder::engine::Layer;
use alinea::reorder::reading::complete_layers;

use super::input::AlignedSentence;
use super::parses::tree_of_parse;
use crate::input::kind::Rare as _;
use crate::input::paths::Role;

/// What is known of words besides.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct LayerArgs {
    /// Word classes, as `alinea classes` writes them
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    classes: Option<PathBuf>,
    /// A smaller number of word classes
    #[arg(long, value_name = "FILE", help_heading = "Reading", rare = true)]
    coarse_classes: Option<PathBuf>,
}

/// Tables of classes.
#[derive(Debug, Default)]
pub(super) struct Tables(Vec<(Layer, ClassTable)>);

impl LayerArgs {
    /// The files, with what names them.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role<'_>> {
        let files = [("--classes", &self.classes), ("--coarse-classes", &self.coarse_classes)];
        files.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)))
    }

    /// Reads the tables.
    pub(super) fn read(&self) -> Result<Tables> {
        let files = [(Layer::Classes, &self.classes), (Layer::CoarseClasses, &self.coarse_classes)];
        let given = files.into_iter().filter_map(|(layer, path)| Some((layer, path.as_deref()?)));
        let tables = given.map(|(layer, path)| Ok((layer, classes::read(LineReader::open(path, Utf8::Strict)?)?)));
        Ok(Tables(tables.collect::<Result<_>>()?))
    }
}

impl Tables {
    /// The sentences of a text.
    pub(super) fn sentences(&self, aligned: Vec<AlignedSentence>) -> Result<Vec<Sentence>> {
        let of_treebank = aligned.iter().any(|aligned| aligned.parsed.is_some());
        let sentences = aligned.into_iter().map(|aligned| self.sentence(aligned));
        let mut sentences = sentences.collect::<Result<Vec<_>>>()?;
        if of_treebank {
            complete_layers(&mut sentences);
        }
        Ok(sentences)
    }

    /// A sentence of a text.
    pub(super) fn sentence(&self, aligned: AlignedSentence) -> Result<Sentence> {
        let AlignedSentence { words, parsed, columns, brackets, .. } = aligned;
        let mut sentence = Sentence::new(words);
        if let Some(brackets) = brackets {
            sentence = sentence.with_constituents(brackets)?;
        }
        for (layer, column) in [Layer::Tags, Layer::Classes].into_iter().zip(columns) {
            sentence = sentence.with_layer(layer, column)?;
        }
        if let Some(parsed) = parsed {
            sentence = sentence.with_parse(&parsed)?;
        }
        self.classed(sentence)
    }

    /// The sentences of a corpus of the shared task, with their parses if these are asked for.
    pub(super) fn of_corpus(&self, corpus: &Corpus, paths: &Paths, parses: bool) -> Result<Vec<Sentence>> {
        let name = paths.parses.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let sentences = corpus.sentences.iter().enumerate().map(|(number, found)| {
            let sentence = self.of_rows(found)?;
            let parse = found.parse.as_deref().filter(|_| parses);
            match parse.map_or(Ok(None), |parse| tree_of_parse(parse, &found.words, &name, number))? {
                Some(tree) => sentence.with_constituents(tree),
                None => Ok(sentence),
            }
        });
        sentences.collect()
    }

    /// A sentence of the shared task: all its words, with tags if there are any of all.
    fn of_rows(&self, sentence: &rsmt::Sentence) -> Result<Sentence> {
        self.classed(Sentence::of_task(sentence)?)
    }

    fn classed(&self, sentence: Sentence) -> Result<Sentence> {
        self.0.iter().try_fold(sentence, |sentence, (layer, table)| sentence.with_classes(*layer, table))
    }
}
