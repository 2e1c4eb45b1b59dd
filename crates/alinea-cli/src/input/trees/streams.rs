//! Segments with trees: the CoNLL-U files of systems and references, and files of links, read side by side.
//!
//! Segment n is sentence n of every file; files of different length are an error with both counts. Sentences that lack
//! something that is compared, such as relations, are refused with file and line.
//!
//! The links between a hypothesis and a reference, source word in the reference, come from one of three places: a file
//! for each system and reference, by system and then by reference; a comment `# links = 0-0 1-2` of the hypothesis, for
//! the second reference `# links 2 = …`; or nowhere, and then the metric matches the words. Links of files between
//! surface tokens are turned into links between words.
//!
//! `next` gives parsed sentences, for explanations and pictures. `read` gives segments as metrics read them: the lines
//! of each sentence, with the links in comments.

use std::path::PathBuf;

use alinea::alignment::Alignment;
use alinea::error::{Error, Position};
use alinea::metric::Segments;
use alinea::metric::labeled_tree::missing;
use alinea::metric::parsed_segments::{given_links, links_key};
use alinea::tree::{ParsedSentence, Roots, Surface};
use anyhow::bail;

use super::{TreeFile, Units, unequal};
use crate::input::links::{LinkReader, counted};

/// How trees and links are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeOptions {
    pub(crate) roots: Roots,
    /// What links of files are between.
    pub(crate) units: Units,
    /// Whether words must have relations.
    pub(crate) relations: bool,
}

/// All files.
pub(crate) struct TreeStreams {
    /// Systems first, then references.
    readers: Vec<TreeFile>,
    systems: usize,
    /// By system, and in that by reference; none if words are matched.
    links: Vec<LinkReader>,
    units: Units,
    relations: bool,
    number: u64,
}

/// A segment.
pub(crate) struct ParsedSegment {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Of each system.
    pub(crate) hypotheses: Vec<ParsedSentence>,
    pub(crate) references: Vec<ParsedSentence>,
    /// Links of each system with each reference, where they are given.
    pub(crate) links: Vec<Vec<Option<Alignment>>>,
}

impl TreeStreams {
    /// Opens all files of trees; `links` has a reader for each system and reference, or none.
    pub(crate) fn open(
        references: &[PathBuf],
        systems: &[PathBuf],
        links: Vec<LinkReader>,
        options: TreeOptions,
    ) -> anyhow::Result<Self> {
        let TreeOptions { roots, units, relations } = options;
        let readers =
            systems.iter().chain(references).map(|path| TreeFile::open(path, roots)).collect::<anyhow::Result<_>>()?;
        links.iter().try_for_each(LinkReader::check_by_line)?;
        Ok(Self { readers, systems: systems.len(), links, units, relations, number: 0 })
    }

    /// The number of systems.
    pub(crate) fn systems(&self) -> usize {
        self.systems
    }

    /// Replaces `segments` by the next ones, at most `most`, with links in comments; none at the end.
    pub(crate) fn read(&mut self, most: usize, segments: &mut Segments) -> anyhow::Result<()> {
        segments.clear();
        while segments.len() < most {
            let Some(segment) = self.next()? else { break };
            let with_links = |(hypothesis, links): (&ParsedSentence, &Vec<Option<Alignment>>)| {
                let comments = links.iter().enumerate().filter_map(|(reference, links)| {
                    Some(format!("# {} = {}\n", links_key(reference), links.as_ref()?))
                });
                comments.collect::<String>() + hypothesis.text()
            };
            let hypotheses: Vec<String> = segment.hypotheses.iter().zip(&segment.links).map(with_links).collect();
            let hypotheses: Vec<&str> = hypotheses.iter().map(String::as_str).collect();
            let references: Vec<&str> = segment.references.iter().map(ParsedSentence::text).collect();
            segments.push(&hypotheses, &references);
        }
        Ok(())
    }

    /// The next segment, if there is one.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<ParsedSegment>> {
        let mut sentences = Vec::with_capacity(self.readers.len());
        for reader in &mut self.readers {
            if reader.read()? {
                check(reader.sentence(), self.relations, reader.name())?;
                sentences.push(reader.take());
            } else {
                sentences.push(ParsedSentence::default());
            }
        }
        // A sentence has at least one word.
        let ended = sentences.iter().filter(|sentence| sentence.len() == 0).count();
        if ended == sentences.len() {
            self.finish_links()?;
            return Ok(None);
        }
        if ended > 0 {
            return Err(self.unequal()?);
        }
        self.number += 1;
        let references = sentences.split_off(self.systems);
        let mut links = Vec::with_capacity(self.systems);
        for (system, hypothesis) in sentences.iter().enumerate() {
            let of_system = (0..references.len()).map(|reference| {
                let file = system * references.len() + reference;
                self.links_of(file, hypothesis, (reference, &references[reference]))
            });
            links.push(of_system.collect::<anyhow::Result<_>>()?);
        }
        Ok(Some(ParsedSegment { number: self.number, hypotheses: sentences, references, links }))
    }

    /// The links between a hypothesis and a reference: those of the file of this number, or of the comments.
    fn links_of(
        &mut self,
        file: usize,
        hypothesis: &ParsedSentence,
        (number, reference): (usize, &ParsedSentence),
    ) -> anyhow::Result<Option<Alignment>> {
        let name = self.readers[self.systems].name().to_owned();
        let Some(reader) = self.links.get_mut(file) else {
            let links = given_links(hypothesis, number)?;
            if let Some(link) = links.as_ref().and_then(|links| links.first_outside(reference.len(), hypothesis.len()))
            {
                let outside = Error::link_outside(link, "the trees", [reference.len(), hypothesis.len()], "words");
                let place = format!("sentence {}: comment `{}`", self.number, links_key(number));
                return Err(outside.within(place).into());
            }
            return Ok(links);
        };
        if !reader.read()? {
            let lines = counted(reader.number(), "line");
            bail!("{} ends after {lines}, {name} has more sentences", reader.name());
        }
        match self.units {
            Units::Words => {
                reader.check_range(reference.len(), hypothesis.len())?;
                Ok(Some(reader.record().alignment()))
            }
            Units::Tokens => {
                let (source, target) = (reference.surface(), hypothesis.surface());
                reader.check_range(source.len(), target.len())?;
                Ok(Some(Surface::words_of_tokens(&reader.record().alignment(), &source, &target)?))
            }
        }
    }

    /// Files of links end with the trees.
    fn finish_links(&mut self) -> anyhow::Result<()> {
        let name = self.readers[self.systems].name();
        for reader in &mut self.links {
            let lines = reader.count_all()?;
            if lines > self.number {
                return Err(Error::unequal_lengths(name, self.number, reader.name(), lines).into());
            }
        }
        Ok(())
    }

    /// The first file that is not as long as the first of all.
    fn unequal(&mut self) -> anyhow::Result<anyhow::Error> {
        let counts = self.readers.iter_mut().map(TreeFile::count_all).collect::<anyhow::Result<Vec<u64>>>()?;
        let other = counts.iter().position(|count| *count != counts[0]).unwrap_or(0);
        let name = |file: usize| self.readers[file].name();
        Ok(unequal(name(0), counts[0], name(other), counts[other]).into())
    }
}

/// Refuses a sentence that lacks what is compared.
fn check(sentence: &ParsedSentence, relations: bool, name: &str) -> Result<(), Error> {
    missing(sentence, relations).map_or(Ok(()), |(word, expected)| {
        let position = Position::new(name, sentence.line_of(word), 1);
        Err(Error::parse(position, expected, sentence.word(word).form().as_bytes()))
    })
}
