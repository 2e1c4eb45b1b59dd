//! Source sentences with their links, and the options that several verbs of `reorder` share.
//!
//! Sentences come from `--trees` (CoNLL-U), from `--annotation` (columns of words, tags and classes), from `--source`
//! (tokenized lines), or, if none of these is given, from the words of `--parses`. Parses beside other sentences must
//! have their words. Everything is read into memory.
//!
//! Links come from a file in any alignment format. Beside `--annotation`, unless `--links-format` is given, a file
//! whose first line contains `|||` is read as an alignment file of Nakagawa's program, `m-n ||| i-j …`, with the
//! lengths of both sentences in front. The target length is that of such a line or of `--target`, otherwise one more
//! than the last linked position.
//!
//! All files must have as many lines as there are sentences, and links outside of them are errors. `SentenceArgs` has
//! the options of sentences, `SourceArgs` those of their links besides. `GoldArgs` says how gold orders follow from
//! links, and `choice_parser!` makes a parser of option values from the names of an enum.

use std::path::{Path, PathBuf};

use alinea::alignment::Alignment;
use alinea::error::Error;
use alinea::format::conllu;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::{preordering, tokens};
use alinea::reorder::constituents::Constituents;
use alinea::reorder::{Incomparable, Key};
use alinea::tree::{ParsedSentence, Roots};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::parses::{Parses, parse_words, tree_of_parse};
use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::links::{LinkFormatArgs, LinkReader, counted};
use crate::input::paths::Role;
use crate::input::sentences::{BlanksArgs, warn_of_blanks};

/// The source sentences.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct SentenceArgs {
    /// Tokenized source sentences, one per line
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    source: Option<PathBuf>,
    /// Source sentences with tags and optional dependency trees (CoNLL-U), instead of --source
    #[arg(long, value_name = "FILE", conflicts_with = "source", help_heading = "Reading")]
    trees: Option<PathBuf>,
    /// Source sentences with tags and classes in tab-separated columns, instead of --source
    #[arg(long, value_name = "FILE", conflicts_with_all = ["source", "trees"], help_heading = "Reading", rare = true)]
    annotation: Option<PathBuf>,
    #[command(flatten)]
    pub(super) blanks: BlanksArgs,
}

/// The source sentences, and how links are read.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct SourceArgs {
    #[command(flatten)]
    pub(super) text: SentenceArgs,
    /// Target sentences: links outside them are errors
    #[arg(long, value_name = "FILE", help_heading = "Reading", rare = true)]
    target: Option<PathBuf>,
    #[command(flatten)]
    format: LinkFormatArgs,
}

/// A source sentence and its links.
#[derive(Debug)]
pub(super) struct AlignedSentence {
    pub(super) words: Vec<String>,
    pub(super) links: Alignment,
    /// The number of words of the target sentence; if it is not given, as many as links tell of.
    pub(super) target: usize,
    /// What the CoNLL-U file says of it, if there is one.
    pub(super) parsed: Option<ParsedSentence>,
    /// Tags and classes, if a file of annotation has them.
    pub(super) columns: Vec<Vec<String>>,
    /// The bracketed parse, if there is a file of them.
    pub(super) brackets: Option<Constituents>,
}

impl AlignedSentence {
    fn new(words: Vec<String>) -> Self {
        Self { words, links: Alignment::new(), target: 0, parsed: None, columns: Vec::new(), brackets: None }
    }
}

impl SourceArgs {
    /// Whether any sentences are given.
    pub(super) fn is_given(&self) -> bool {
        self.text.source.is_some() || self.text.trees.is_some() || self.text.annotation.is_some()
    }

    /// The files, with what names them.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role<'_>> {
        self.text.roles().chain(self.target.iter().map(|path| Role::new("--target", path)))
    }

    /// Reads the sentences and their links, in memory.
    pub(super) fn read(
        &self,
        links: &Path,
        parses: Option<&Parses>,
        context: &Context,
    ) -> anyhow::Result<Vec<AlignedSentence>> {
        let (name, mut sentences) = self.text.read(parses, context)?;
        let words = |path| words_of_lines(path, self.text.blanks, context);
        let target = self.target.as_deref().map(words).transpose()?;
        if let Some((target, lines)) = &target
            && lines.len() != sentences.len()
        {
            return Err(Error::unequal_lengths(&name, sentences.len() as u64, target, lines.len() as u64).into());
        }
        if !self.format.is_given() && self.text.annotation.is_some() && has_lengths(links)? {
            return with_lengths(&name, sentences, links);
        }
        let mut reader = LinkReader::open(&[links.to_path_buf()], &self.format.format(None))?;
        let count = sentences.len();
        for (number, sentence) in sentences.iter_mut().enumerate() {
            if !reader.read()? {
                let lines = reader.number();
                return Err(Error::unequal_lengths(&name, count as u64, reader.name(), lines).into());
            }
            let target = target.as_ref().map(|(_, lines)| lines[number].len());
            reader.check_range(sentence.words.len(), target)?;
            sentence.links = reader.record().alignment();
            let beyond = sentence.links.iter().map(|link| link.target as usize + 1).max().unwrap_or(0);
            sentence.target = target.unwrap_or(beyond);
        }
        let lines = reader.count_all()?;
        if lines as usize != count {
            return Err(Error::unequal_lengths(&name, count as u64, reader.name(), lines).into());
        }
        Ok(sentences)
    }
}

impl SentenceArgs {
    /// The files, with what names them.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role<'_>> {
        let files = [("--source", &self.source), ("--trees", &self.trees), ("--annotation", &self.annotation)];
        files.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)))
    }

    /// The sentences, without links, and the name of their file.
    pub(super) fn read(
        &self,
        parses: Option<&Parses>,
        context: &Context,
    ) -> anyhow::Result<(String, Vec<AlignedSentence>)> {
        let (name, mut sentences) = match (&self.trees, &self.annotation, &self.source, parses) {
            (Some(path), ..) => of_trees(path)?,
            (_, Some(path), ..) => annotated(path)?,
            (_, _, Some(path), _) => {
                let (name, lines) = words_of_lines(path, self.blanks, context)?;
                (name, lines.into_iter().map(AlignedSentence::new).collect())
            }
            (.., Some(Parses { name, lines })) => {
                let words = lines.iter().enumerate().map(|(number, line)| parse_words(line, name, number));
                (name.clone(), words.map(|words| Ok(AlignedSentence::new(words?))).collect::<Result<_, Error>>()?)
            }
            _ => anyhow::bail!("source sentences are required: --source, --trees or --annotation"),
        };
        if let Some(parses) = parses {
            if parses.lines.len() != sentences.len() {
                let [given, read] = [sentences.len(), parses.lines.len()].map(|count| count as u64);
                return Err(Error::unequal_lengths(&name, given, &parses.name, read).into());
            }
            for (number, (sentence, line)) in sentences.iter_mut().zip(&parses.lines).enumerate() {
                sentence.brackets = tree_of_parse(line, &sentence.words, &parses.name, number)?;
            }
        }
        Ok((name, sentences))
    }
}

/// Reads a treebank.
fn of_trees(path: &Path) -> Result<(String, Vec<AlignedSentence>), Error> {
    let reader = conllu::Reader::open(path, Roots::Many)?;
    let name = reader.name().to_owned();
    let of_parsed = |parsed: ParsedSentence| {
        let words = parsed.words().map(|word| word.form().replace([' ', '\t'], "_")).collect();
        AlignedSentence { parsed: Some(parsed), ..AlignedSentence::new(words) }
    };
    let sentences = reader.map(|parsed| Ok(of_parsed(parsed?))).collect::<Result<Vec<_>, Error>>()?;
    Ok((name, sentences))
}

/// Reads annotation.
fn annotated(path: &Path) -> Result<(String, Vec<AlignedSentence>), Error> {
    let mut reader = LineReader::open(path, Utf8::Strict)?;
    let mut sentences = Vec::new();
    let mut line = String::new();
    while reader.read_into(&mut line)? {
        let mut columns = preordering::parse_annotation(&line, &reader)?.into_columns();
        let words = columns.remove(0);
        sentences.push(AlignedSentence { columns, ..AlignedSentence::new(words) });
    }
    Ok((reader.name().to_owned(), sentences))
}

/// Whether the lines of a file of links begin with the lengths of the sentences.
fn has_lengths(links: &Path) -> Result<bool, Error> {
    // A pipe can be read only once; there the format must be named.
    if !links.is_file() {
        return Ok(false);
    }
    let mut reader = LineReader::open(links, Utf8::Strict)?;
    Ok(reader.read()?.is_some_and(|line| line.contains("|||")))
}

/// Reads links beside lengths.
fn with_lengths(name: &str, mut sentences: Vec<AlignedSentence>, links: &Path) -> anyhow::Result<Vec<AlignedSentence>> {
    let mut reader = LineReader::open(links, Utf8::Strict)?;
    let count = sentences.len() as u64;
    let mut line = String::new();
    for sentence in &mut sentences {
        if !reader.read_into(&mut line)? {
            return Err(Error::unequal_lengths(name, count, reader.name(), reader.number()).into());
        }
        let pair = preordering::parse_alignment(&line, &reader)?;
        if pair.source != sentence.words.len() {
            let expected = format!("{}, as {name} has", counted(sentence.words.len() as u64, "word"));
            return Err(Error::parse(reader.position(1), expected, line.as_bytes()).into());
        }
        sentence.links = pair.links;
        sentence.target = pair.target;
    }
    let lines = reader.count_all()?;
    if lines != count {
        return Err(Error::unequal_lengths(name, count, reader.name(), lines).into());
    }
    Ok(sentences)
}

/// The words of each line of a file, and its name.
pub(super) fn words_of_lines(
    path: &Path,
    blanks: BlanksArgs,
    context: &Context,
) -> Result<(String, Vec<Vec<String>>), Error> {
    let mut reader = LineReader::open(path, Utf8::Strict)?.of_sentences(blanks.get());
    let mut lines = Vec::new();
    while let Some(line) = reader.read()? {
        let words = tokens::split(line.as_bytes()).map(|word| String::from_utf8_lossy(word).into_owned());
        lines.push(words.collect());
    }
    warn_of_blanks(reader.take_foreign_blanks().as_ref(), context);
    Ok((reader.name().to_owned(), lines))
}

/// Reads the value of an option that names a choice of the library.
macro_rules! choice_parser {
    ($choice:ty) => {
        PossibleValuesParser::new(<$choice>::ALL.iter().map(|choice| choice.name()))
            .try_map(|name| name.parse::<$choice>())
    };
}
pub(super) use choice_parser;

/// How gold orders are made of alignments.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Gold orders")]
pub(super) struct GoldArgs {
    /// Sort key of a word with several links: mean, median, min or max
    #[arg(long, value_name = "KEY", default_value = Key::default().name(), value_parser = choice_parser!(Key),
        hide_possible_values = true)]
    #[arg(rare = true)]
    pub(super) key: Key,
    /// Sentences in which a word is linked around another: skip them, or merge the words in between
    #[arg(long, value_name = "WHAT", default_value = Incomparable::default().name(),
        value_parser = choice_parser!(Incomparable), hide_possible_values = true)]
    #[arg(rare = true)]
    pub(super) incomparable: Incomparable,
}
