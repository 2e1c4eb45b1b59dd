//! What is judged: the gold standard, hypotheses of as many lines, and the words if they are given.

use std::path::PathBuf;

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::error::{Error, ErrorKind};
use alinea::format::alignment::AlignmentFormat;

use super::Args;
use crate::context::Context;
use crate::failure::WithHint;
use crate::links::{LinkFormat, LinkReader, counted};
use crate::sentences::SentencePairs;

/// The words of one sentence pair.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) source: Vec<String>,
    pub(super) target: Vec<String>,
}

/// The gold standard.
#[derive(Debug)]
pub(super) struct Gold {
    name: String,
    format: AlignmentFormat,
    /// What people linked.
    pub(super) links: Vec<GoldAlignment>,
    /// The words of every pair, if they were given.
    pub(super) words: Option<Vec<Words>>,
}

impl Gold {
    /// Reads the gold standard, and as much of the sentences as it covers.
    pub(super) fn read(args: &Args, format: &LinkFormat, context: &Context) -> anyhow::Result<Self> {
        let mut reader = LinkReader::open(std::slice::from_ref(&args.gold), format)?;
        let mut gold = Self { name: reader.name().to_owned(), format: reader.format(), links: Vec::new(), words: None };
        let mut pairs = match (&args.reading.source, &args.reading.target) {
            (Some(source), Some(target)) => Some(SentencePairs::open(source, target)?),
            _ => None,
        };
        gold.words = pairs.is_some().then(Vec::new);
        while reader.read()? {
            if let (Some(pairs), Some(words)) = (&mut pairs, &mut gold.words) {
                if !pairs.read()? {
                    let lines = reader.count_all()?;
                    return Err(Error::unequal_lengths((reader.name(), lines), (pairs.name(), pairs.number())).into());
                }
                let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<Vec<_>>();
                let (source, target) = (owned(pairs.source()), owned(pairs.target()));
                reader.check_range(source.len(), target.len())?;
                words.push(Words { source, target });
            }
            gold.links.push(reader.record().gold());
        }
        if gold.links.is_empty() {
            return Err(Error::from(ErrorKind::Empty(format!("{}: no sentences", gold.name))).into());
        }
        warn_of_null_links(&reader, context);
        if let (Some(pairs), false) = (&mut pairs, args.first) {
            let lines = pairs.count_all()?;
            gold.check_length(pairs.name(), lines, None)?;
        }
        Ok(gold)
    }

    /// Reads a hypothesis of as many lines, or the `first` lines of a longer one if that is allowed.
    pub(super) fn read_hypothesis(
        &self,
        path: &PathBuf,
        format: &LinkFormat,
        first: bool,
        context: &Context,
    ) -> anyhow::Result<Vec<Alignment>> {
        let mut reader = LinkReader::open(std::slice::from_ref(path), format)?;
        let mut links = Vec::with_capacity(self.links.len());
        while links.len() < self.links.len() && reader.read()? {
            if let Some(words) = &self.words {
                let Words { source, target } = &words[links.len()];
                reader.check_range(source.len(), target.len())?;
            }
            links.push(reader.record().alignment());
        }
        warn_of_null_links(&reader, context);
        if links.len() < self.links.len() || !first {
            let lines = reader.count_all()?;
            self.check_length(reader.name(), lines, Some(reader.format()))?;
        }
        Ok(links)
    }

    /// An error with advice if a file has more or fewer lines than the gold standard.
    fn check_length(&self, name: &str, lines: u64, format: Option<AlignmentFormat>) -> anyhow::Result<()> {
        let expected = self.links.len() as u64;
        if lines == expected {
            return Ok(());
        }
        let longer = lines > expected;
        let mut error = Err(Error::unequal_lengths((&self.name, expected), (name, lines)).into());
        let shorter = if longer { Some(self.format) } else { format };
        if shorter == Some(AlignmentFormat::Naacl) {
            error = error.hint("--sentences says how many sentences a NAACL file is about");
        }
        if longer {
            error = error.hint(format!("--first leaves out what follows line {expected}"));
        }
        error
    }
}

fn warn_of_null_links(reader: &LinkReader, context: &Context) {
    let number = reader.report().null_links;
    if number > 0 {
        let links = counted(number, "link");
        context.warn(format_args!("{}: {links} to the empty word (position 0) left out", reader.name()));
    }
}
