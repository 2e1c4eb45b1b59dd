//! Source, target and one file of links read in parallel, for `lexicon` and `phrases`.
//!
//! `LinkedTextArgs` has the options, `LinkedText::next` returns the next batch of sentence pairs, so that memory does
//! not grow with the text. Every link is checked against the lengths of its pair, and files of different lengths are an
//! error that gives both lengths, for which the longer ones are read to the end. Possible links count as sure ones.
//!
//! `forbidden` is a word that the output format uses for something else; a text that has it is refused with its place.
//! Links in any format come through `links`, lines through `sentences`.

use std::path::PathBuf;

use alinea::alignment::Alignment;
use alinea::error::Error;
use alinea::format::tokens::{self, Tokenize, fold_case};

use crate::context::Context;
use crate::input::links::{LinkFormatArgs, LinkReader, sentences};
use crate::input::paths::Role;
use crate::input::sentences::{BlanksArgs, SentencePairs};

/// Where they are, and how they are read.
#[derive(Debug, clap::Args)]
pub(crate) struct LinkedTextArgs {
    /// Source text, one tokenized sentence per line (- for standard input)
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Target text, with the same number of lines
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    /// Links of each pair; possible links count as sure ones
    #[arg(value_name = "LINKS")]
    links: PathBuf,
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
    pub(crate) fn roles(&self) -> [Role<'_>; 3] {
        [Role::new("SOURCE", &self.source), Role::new("TARGET", &self.target), Role::new("LINKS", &self.links)]
    }

    /// Opens them. `forbidden` is a word that the output could not tell from what it means there, and what to do about
    /// it.
    pub(crate) fn open(&self, forbidden: Option<(&'static str, &'static str)>) -> anyhow::Result<LinkedText> {
        let sentences = self.sentences.as_deref().map(sentences).transpose()?;
        let format = self.format.format(sentences);
        Ok(LinkedText {
            pairs: SentencePairs::open(&self.source, &self.target, self.blanks)?,
            links: LinkReader::open(std::slice::from_ref(&self.links), &format)?,
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
