//! Source, target and one file of links read in parallel, for `lexicon` and `phrases`.
//!
//! `LinkedTextArgs` has the options, `LinkedText::next` returns the next batch of sentence pairs, so that memory does
//! not grow with the text. Every link is checked against the lengths of its pair, and files of different lengths are an
//! error that gives both lengths, for which the longer ones are read to the end. Possible links count as sure ones.
//!
//! `forbidden` is a word that the output format uses for something else; a text that has it is refused with its place.
//! Links in any format come through `links`, lines through `sentences`.

use std::path::{Path, PathBuf};

use alinea::alignment::Alignment;
use alinea::error::Error;
use alinea::format::tokens::{self, Tokenize, fold_case};

use anyhow::Context as _;

use crate::context::Context;
use crate::input::links::{LinkFormatArgs, LinkReader, sentences};
use crate::input::pairs::BitextFileArgs;
use crate::input::paths::Role;
use crate::input::sentences::{BlanksArgs, SentencePairs};

/// Where they are, and how they are read.
#[derive(Debug, clap::Args)]
pub(crate) struct LinkedTextArgs {
    /// Source text, one tokenized sentence per line (- for standard input)
    #[arg(value_name = "SOURCE", required = true)]
    first: Option<PathBuf>,
    /// Target text, with the same number of lines
    #[arg(value_name = "TARGET", required_unless_present = "bitext", conflicts_with = "bitext")]
    target: Option<PathBuf>,
    /// Links of each pair; possible links count as sure ones. With --bitext, the only file
    #[arg(value_name = "LINKS", required_unless_present = "bitext")]
    links: Option<PathBuf>,
    #[command(flatten)]
    bitext: BitextFileArgs,
    /// Lowercase words
    #[arg(long, help_heading = "Reading")]
    lowercase: bool,
    #[command(flatten)]
    blanks: BlanksArgs,
    #[command(flatten)]
    format: LinkFormatArgs,
    /// Sentences of a NAACL file: their number, or a file with their names, one per line
    #[arg(long, value_name = "N|FILE", help_heading = "Reading")]
    sentences: Option<String>,
}

impl LinkedTextArgs {
    /// The files, with what names them.
    pub(crate) fn roles(&self) -> Vec<Role<'_>> {
        let text = match (self.bitext.path(), self.files()) {
            (Some(path), _) => vec![Role::new("--bitext", path)],
            (None, Some((source, target))) => vec![Role::new("SOURCE", source), Role::new("TARGET", target)],
            (None, None) => Vec::new(),
        };
        text.into_iter().chain([Role::new("LINKS", self.links())]).collect()
    }

    /// The two texts, if they are no one file: of three files the links are the last.
    fn files(&self) -> Option<(&Path, &Path)> {
        Some((self.first.as_deref()?, self.target.as_deref()?))
    }

    /// The links, which are alone where the text is given by an option.
    fn links(&self) -> &Path {
        let alone = if self.bitext.path().is_some() { &self.first } else { &self.links };
        alone.as_deref().unwrap_or(Path::new(""))
    }

    /// Opens them. `forbidden` is a word that the output could not tell from what it means there, and what to do about
    /// it.
    pub(crate) fn open(&self, forbidden: Option<(&'static str, &'static str)>) -> anyhow::Result<LinkedText> {
        let sentences = self.sentences.as_deref().map(sentences).transpose()?;
        let format = self.format.format(sentences);
        let bitext = self.bitext.source(self.files())?.context("no text")?;
        Ok(LinkedText {
            pairs: SentencePairs::open(&bitext, self.blanks)?,
            links: LinkReader::open(&[self.links().to_path_buf()], &format)?,
            lowercase: self.lowercase,
            forbidden,
        })
    }
}

/// Two texts and a file of links, opened.
#[derive(Debug)]
pub(crate) struct LinkedText {
    pairs: SentencePairs,
    links: LinkReader,
    lowercase: bool,
    forbidden: Option<(&'static str, &'static str)>,
}

/// A sentence pair, and links between its words.
#[derive(Debug)]
pub(crate) struct LinkedPair {
    /// Its line, from 1.
    pub(crate) number: u64,
    /// The lines; words are between blanks and tabs.
    pub(crate) lines: [String; 2],
    /// The links; no link leads out of the sentences.
    pub(crate) links: Alignment,
}

impl LinkedPair {
    /// The source words, or the target words.
    pub(crate) fn words(&self, side: usize) -> impl Iterator<Item = &[u8]> {
        tokens::split(self.lines[side].as_bytes())
    }
}

impl LinkedText {
    /// The next pairs, so many or what is left; none at the end.
    pub(crate) fn next(&mut self, most: usize) -> anyhow::Result<Vec<LinkedPair>> {
        let mut batch = Vec::with_capacity(most);
        while batch.len() < most && self.read()? {
            if let Some((word, expected)) = self.forbidden {
                self.pairs.refuse(word, expected)?;
            }
            let lines = self.pairs.lines();
            let [source_len, target_len] = lines.map(|line| tokens::count(line, Tokenize::None));
            self.links.check_range(source_len, target_len)?;
            let lines = lines.map(|line| if self.lowercase { folded(line) } else { line.to_owned() });
            batch.push(LinkedPair { number: self.pairs.number(), lines, links: self.links.record().alignment() });
        }
        Ok(batch)
    }

    /// The number of pairs that were read.
    pub(crate) fn number(&self) -> u64 {
        self.links.number()
    }

    /// Says so if words have other blanks inside.
    pub(crate) fn warn_of_blanks(&mut self, context: &Context) {
        self.pairs.warn_of_blanks(context);
    }

    /// Goes to the next pair in all files.
    fn read(&mut self) -> anyhow::Result<bool> {
        let Self { pairs, links, .. } = self;
        let more = pairs.read()?;
        if links.read()? == more {
            return Ok(more);
        }
        let lengths = [pairs.count_all()?, links.count_all()?];
        Err(Error::unequal_lengths(pairs.name(), lengths[0], links.name(), lengths[1]).into())
    }
}

/// The words of a line in lower case.
fn folded(line: &str) -> String {
    let mut folded = Vec::with_capacity(line.len());
    for word in tokens::split(line.as_bytes()) {
        fold_case(word, &mut folded);
        folded.push(b' ');
    }
    String::from_utf8(folded).expect("what was UTF-8 is so in lower case")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_one_by_one() {
        assert_eq!(folded(" Das\tHAUS ΟΔΟΣ. "), "das haus οδος. ");
    }
}
