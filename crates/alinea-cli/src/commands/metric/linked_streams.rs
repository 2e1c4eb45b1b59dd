//! Lines of systems and references, each with the links from the source, as input of LRscore.
//!
//! The source and one file of links for each system and reference are read in step with the lines. Each line gets the
//! number of source words and its links in front (`linked_line`), so that LRscore is a metric over lines as all others,
//! and batches, tests and tables need nothing special. Links must fit the lengths of both sentences; all files must end
//! together. NAACL files are refused, since their records are not one line a sentence.

use std::path::{Path, PathBuf};

use alinea::error::Error;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;
use alinea::format::tokens;
use alinea::metric::Segments;
use alinea::metric::order::linked_line;
use anyhow::bail;

use super::input::{OddLines, Streams, look_at};
use crate::input::links::{LinkFormat, LinkReader, counted};

/// Lines of systems and references, the source, and a file of links for each of the former.
pub(super) struct LinkedStreams {
    lines: Streams,
    source: LineReader<Input>,
    /// Systems first, then references.
    links: Vec<LinkReader>,
    /// Segments as they are read, before they get links.
    plain: Segments,
    number: u64,
}

impl LinkedStreams {
    /// Opens source and links.
    pub(super) fn open(lines: Streams, source: &Path, links: &[PathBuf]) -> anyhow::Result<Self> {
        let format = LinkFormat { base_option: "alinea convert --base-from", ..LinkFormat::default() };
        let open = |path: &PathBuf| LinkReader::open(std::slice::from_ref(path), &format);
        let links = links.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        links.iter().try_for_each(LinkReader::check_by_line)?;
        let plain = Segments::new(lines.systems());
        Ok(Self { lines, source: LineReader::open(source, Utf8::Strict)?, links, plain, number: 0 })
    }

    /// The number of systems.
    pub(super) fn systems(&self) -> usize {
        self.lines.systems()
    }

    /// Replaces `segments` by the next ones, at most `most`, with their links; none at the end.
    pub(super) fn read(&mut self, most: usize, segments: &mut Segments, odd: &mut OddLines) -> anyhow::Result<()> {
        segments.clear();
        self.lines.read(most, &mut self.plain, odd)?;
        look_at(&self.plain, &mut odd.segments);
        if self.plain.is_empty() {
            return self.finish();
        }
        let systems = self.lines.systems();
        for segment in 0..self.plain.len() {
            let Some(source) = self.source.read()? else {
                bail!("{} ends after {}, the systems have more", self.source.name(), counted(self.number, "line"));
            };
            self.number += 1;
            let source_words = words(source);
            let hypotheses = (0..systems).map(|system| self.plain.hypothesis(segment, system));
            let lines = hypotheses.chain(self.plain.references(segment));
            let mut linked = Vec::with_capacity(self.links.len());
            for (line, reader) in lines.zip(&mut self.links) {
                if !reader.read()? {
                    let lines = counted(reader.number(), "line");
                    bail!("{} ends after {lines}, the systems have more", reader.name());
                }
                reader.check_range(source_words, words(line))?;
                linked.push(linked_line(source_words, &reader.record().alignment(), line));
            }
            let linked: Vec<&str> = linked.iter().map(String::as_str).collect();
            let (hypotheses, references) = linked.split_at(systems);
            segments.push(hypotheses, references);
        }
        Ok(())
    }

    /// Source and links end with the lines.
    fn finish(&mut self) -> anyhow::Result<()> {
        let first = "the first system";
        let lines = self.source.count_all()?;
        if lines > self.number {
            return Err(Error::unequal_lengths(first, self.number, self.source.name(), lines).into());
        }
        for reader in &mut self.links {
            let lines = reader.count_all()?;
            if lines > self.number {
                return Err(Error::unequal_lengths(first, self.number, reader.name(), lines).into());
            }
        }
        Ok(())
    }
}

/// The number of words that links count.
fn words(line: &str) -> usize {
    tokens::split(line.as_bytes()).count()
}
