//! The input of `alinea view`: sentences, sets of links and trees, read in step.
//!
//! Layers are the sets of links: those of systems first, then the gold standards. Pictures call `go_on` up to the pair
//! that is wanted, and the end of any file before it is an error. Pages call `read` until all files end. They must end
//! together, except that a gold standard may end earlier: the pairs after that have no gold links (`annotated`), with a
//! warning at the end. With `--first` they are left out.
//!
//! Files of trees have a sentence for each line that is not empty. Links outside of their sentences are no errors here:
//! for each file there is a warning about the first pair that has some, and at the end about the number of others.

use std::path::PathBuf;

use alinea::error::Error;
use alinea::format::alignment::LinkRecord;
use alinea::format::lines::Utf8;
use alinea::format::tokens::{self, Tokenize};
use alinea::view::Trees;
use anyhow::bail;

use super::args::Args;
use super::trees::TreeReader;
use crate::context::Context;
use crate::failure::in_one_line;
use crate::input::links::{LinkReader, counted};
use crate::input::sentences::SentencePairs;

/// All files, at the same pair.
#[derive(Debug)]
pub(super) struct Input {
    /// The sentences.
    pub(super) pairs: SentencePairs,
    /// The links: those of systems, then the gold standards.
    layers: Vec<LinkReader>,
    systems: usize,
    /// The trees of both sides.
    trees: [Option<TreeReader>; 2],
    /// Whether each layer has the current pair. A gold standard that has ended does not have it.
    annotated: Vec<bool>,
    /// Whether the end of a gold standard ends the page.
    first: bool,
    /// Pairs with links out of the sentences, of each layer.
    outside: Vec<u64>,
}

impl Input {
    /// Opens all files.
    pub(super) fn open(args: &Args) -> anyhow::Result<Self> {
        let utf8 = if args.lossy { Utf8::Lossy } else { Utf8::Strict };
        let pairs = SentencePairs::open_as(&args.sentences()?, args.blanks, utf8)?;
        let formats = args.reading.formats()?;
        let mut layers = Vec::new();
        let files = args.link_files();
        let links = files.iter().map(|file| (file, &formats.links));
        for (file, format) in links.chain(args.gold.iter().map(|file| (file, &formats.gold))) {
            layers.push(LinkReader::open(std::slice::from_ref(&file.path), format)?);
        }
        let open = |path: &Option<PathBuf>| path.as_ref().map(|path| TreeReader::open(path)).transpose();
        let trees = [open(&args.source_trees)?, open(&args.target_trees)?];
        let (outside, annotated) = (vec![0; layers.len()], vec![true; layers.len()]);
        let systems = files.len();
        Ok(Self { pairs, layers, systems, trees, annotated, first: args.first, outside })
    }

    /// Goes to the next pair, on the way to the one wanted: an error if there is none. A gold standard may have ended
    /// before if it may be of `part` of the pairs.
    pub(super) fn go_on(&mut self, wanted: u64, part: bool) -> anyhow::Result<()> {
        if !self.pairs.read()? {
            bail!("there is no pair {wanted}: {} has {}", self.pairs.name(), counted(self.pairs.number(), "line"));
        }
        for (n, (links, annotated)) in self.layers.iter_mut().zip(&mut self.annotated).enumerate() {
            *annotated = *annotated && links.read()?;
            let may_end = part && n >= self.systems;
            if !*annotated && !may_end {
                bail!("there is no pair {wanted}: {} has {}", links.name(), counted(links.number(), "pair"));
            }
        }
        self.read_trees()
    }

    /// Goes to the trees of the current pair.
    fn read_trees(&mut self) -> anyhow::Result<()> {
        let words = self.pairs.lines().map(|line| tokens::count(line, Tokenize::None));
        for (reader, words) in self.trees.iter_mut().zip(words) {
            if let Some(reader) = reader {
                reader.read(words, self.pairs.number())?;
            }
        }
        Ok(())
    }

    /// The trees of the current pair.
    pub(super) fn trees(&self) -> anyhow::Result<Trees<'_>> {
        let tree = |side: usize| match &self.trees[side] {
            Some(reader) => reader.tree(self.pairs.number()),
            None => Ok(None),
        };
        Ok(Trees { source: tree(0)?, target: tree(1)? })
    }

    /// Goes to the next pair; says whether there is one. Files that do not end together are an error, but a gold
    /// standard may end before the others.
    pub(super) fn read(&mut self) -> anyhow::Result<bool> {
        let more = self.pairs.read()?;
        let mut ended = false;
        for n in 0..self.layers.len() {
            if !self.annotated[n] || self.layers[n].read()? == more {
                continue;
            }
            if !more || n < self.systems {
                return self.unequal(n);
            }
            self.annotated[n] = false;
            ended = self.first;
        }
        if more && !ended {
            self.read_trees()?;
        } else if !more {
            for trees in self.trees.iter_mut().flatten() {
                trees.check_end(self.pairs.number())?;
            }
        }
        Ok(more && !ended)
    }

    fn unequal(&mut self, layer: usize) -> anyhow::Result<bool> {
        let lengths = [self.pairs.count_all()?, self.layers[layer].count_all()?];
        let names = [self.pairs.name(), self.layers[layer].name()];
        Err(Error::unequal_lengths(names[0], lengths[0], names[1], lengths[1]).into())
    }

    /// The links of each layer of the current pair.
    pub(super) fn links(&self) -> Vec<&[LinkRecord]> {
        let layers = self.layers.iter().zip(&self.annotated);
        layers.map(|(layer, annotated)| if *annotated { layer.record().links.as_slice() } else { &[] }).collect()
    }

    /// Whether each layer has the current pair.
    pub(super) fn annotated(&self) -> &[bool] {
        &self.annotated
    }

    /// The first layer, and the first gold standard.
    pub(super) fn pair(&self) -> (&LinkReader, Option<&LinkReader>) {
        (&self.layers[0], self.layers.get(self.systems))
    }

    /// Warns of links of the current pair out of its sentences: of each file once.
    pub(super) fn warn(&mut self, context: &Context) {
        let (source, target) = (self.pairs.source().len(), self.pairs.target().len());
        let layers = self.layers.iter().zip(&self.annotated).zip(&mut self.outside);
        for ((layer, _), outside) in layers.filter(|((_, annotated), _)| **annotated) {
            if let Err(error) = layer.check_range(source, target) {
                if *outside == 0 {
                    context.warn(in_one_line(&error, context));
                }
                *outside += 1;
            }
        }
    }

    /// Says which gold standards are of a part of the pairs only, unless that is known.
    pub(super) fn warn_of_parts(&self, context: &Context) {
        for (layer, annotated) in self.layers.iter().zip(&self.annotated) {
            if *annotated || self.first {
                continue;
            }
            let have = match layer.number() {
                0 => "no pair has gold links".to_owned(),
                1 => "only the first pair has gold links (--first leaves out the others)".to_owned(),
                number => format!("only the first {number} pairs have gold links (--first leaves out the others)"),
            };
            context.warn(format_args!("{}: {have}", layer.name()));
        }
    }

    /// Says of how many more pairs there was no warning.
    pub(super) fn warn_of_more(&self, context: &Context) {
        for (layer, &outside) in self.layers.iter().zip(&self.outside) {
            if outside > 1 {
                let more = counted(outside - 1, "more pair");
                context.warn(format_args!("{}: {more} with links outside the sentences", layer.name()));
            }
        }
    }
}
