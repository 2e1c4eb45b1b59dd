//! The text with its links, which is read several times.
//!
//! The sides are in `sides`. Links come from a file, or are in memory, where they are made on the spot or the file is no regular one.
//! All files go in step, and one that ends before the others is an error with both lengths.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use alinea::concordance::{LinkedPair, PossibleLink, SentenceWords};
use alinea::error::Error;
use alinea::format::blanks::{Blanks, ForeignBlanks};
use alinea::parallel::Work;
use alinea::progress;

use super::sides::{Again, By, Side, SideReader, is_read_once, open_both, read_both};
use crate::context::Context;
use crate::input::links::LinkReader;
use crate::input::paths::Role;
use crate::input::sentences::{BlanksArgs, warn_of_blanks};
use crate::input::word_links::LinkSourceArgs;

/// Where the text is.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TextArgs {
    /// Source text, one tokenized sentence per line; or trees, if the file is called .conllu
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Target text
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    /// What to count in CoNLL-U files
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = By::Lemma, help_heading = "Reading")]
    by: By,
    /// Lemmas of the source words, to be counted in place of the words: a line for each sentence, a lemma for each word
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    source_lemmas: Option<PathBuf>,
    /// The same of the target words
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    target_lemmas: Option<PathBuf>,
    /// Names of the sentence pairs, one per line, such as verses; shown with examples [default: sent_id in CoNLL-U]
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    ids: Option<PathBuf>,
    #[command(flatten)]
    blanks: BlanksArgs,
}

impl TextArgs {
    /// The files, with what names them.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role<'_>> {
        let texts = [("SOURCE", Some(&self.source)), ("TARGET", Some(&self.target))];
        let lemmas =
            [("--source-lemmas", self.source_lemmas.as_ref()), ("--target-lemmas", self.target_lemmas.as_ref())];
        let all = texts.into_iter().chain(lemmas).chain([("--ids", self.ids.as_ref())]);
        all.filter_map(|(name, path)| Some(Role::new(name, path?)))
    }

    /// The names of the texts.
    pub(super) fn title(&self) -> String {
        let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        format!("{} – {}", name(&self.source), name(&self.target))
    }
}

/// The links of the text.
enum Links<'a> {
    File { args: &'a LinkSourceArgs, path: &'a Path },
    Memory { name: String, links: Vec<Vec<PossibleLink>> },
}

/// The links of one pair after another.
enum LinkStream<'a> {
    File(Box<LinkReader>),
    Memory { name: &'a str, links: &'a [Vec<PossibleLink>], number: usize },
}

impl LinkStream<'_> {
    /// Replaces `links` by those of the next pair.
    fn read(&mut self, links: &mut Vec<PossibleLink>) -> anyhow::Result<bool> {
        links.clear();
        match self {
            Self::File(reader) => {
                let more = reader.read()?;
                if more {
                    links.extend(reader.record().links.iter().map(|record| (record.link, record.weight)));
                }
                Ok(more)
            }
            Self::Memory { links: all, number, .. } => {
                let next = all.get(*number);
                links.extend(next.into_iter().flatten().copied());
                *number += usize::from(next.is_some());
                Ok(next.is_some())
            }
        }
    }

    fn check_range(&self, lengths: [usize; 2]) -> anyhow::Result<()> {
        match self {
            Self::File(reader) => reader.check_range(lengths[0], lengths[1]),
            // The library does, by the number of the pair.
            Self::Memory { .. } => Ok(()),
        }
    }

    fn length(&mut self) -> anyhow::Result<(String, u64)> {
        Ok(match self {
            Self::File(reader) => (reader.name().to_owned(), reader.count_all()?),
            Self::Memory { name, links, .. } => ((*name).to_owned(), links.len() as u64),
        })
    }
}

/// All of it.
pub(super) struct Corpus<'a> {
    sides: [Side; 2],
    links: Links<'a>,
    ids: Option<Again>,
    /// Whether blanks inside of words were warned of.
    warned: Cell<bool>,
}

impl<'a> Corpus<'a> {
    /// Finds the files, and makes links where there are none.
    pub(super) fn open(args: &TextArgs, links: &'a LinkSourceArgs, work: Work<'_>) -> anyhow::Result<Self> {
        let sides = [
            Side::new(&args.source, args.source_lemmas.as_ref(), args.by, args.blanks)?,
            Side::new(&args.target, args.target_lemmas.as_ref(), args.by, args.blanks)?,
        ];
        let ids = args.ids.as_deref().map(Again::new).transpose()?;
        let links = match links.file() {
            Some(path) if is_read_once(path) => read_links(links.open(path)?)?,
            Some(path) => Links::File { args: links, path },
            None => make_links(&sides, links, work)?,
        };
        Ok(Self { sides, links, ids, warned: Cell::new(false) })
    }

    /// Goes through the text, from its beginning.
    pub(super) fn read(
        &self,
        visit: &mut dyn FnMut(&LinkedPair<'_>) -> Result<(), Error>,
        context: &Context,
    ) -> anyhow::Result<()> {
        const OFTEN: u64 = 1 << 12;
        let observer = context.observer();
        let mut sides = open_both(&self.sides)?;
        let mut stream = match &self.links {
            Links::File { args, path } => LinkStream::File(Box::new(args.open(path)?)),
            Links::Memory { name, links } => LinkStream::Memory { name, links, number: 0 },
        };
        let ids = self.ids.as_ref().map(Again::open).transpose()?;
        let mut ids = ids.map(|ids| ids.of_sentences(Blanks::Ascii));
        let (mut id, mut links, mut number) = (String::new(), Vec::new(), 0);
        observer.started("concordance", 0);
        while read_both(&mut sides)? {
            let [source, target] = &mut sides;
            number += 1;
            if number % OFTEN == 0 {
                progress::check(observer)?;
                observer.advance(OFTEN);
            }
            let has_id = ids.as_mut().map(|ids| ids.read_into(&mut id)).transpose()?;
            if let (Some(ids), Some(false)) = (&ids, has_id) {
                let lines = source.count_all()?;
                return Err(Error::unequal_lengths(source.name(), lines, ids.name(), ids.number()).into());
            }
            if !stream.read(&mut links)? {
                return Err(unequal_links(source.as_mut(), &mut stream)?);
            }
            let words = [source.words(), target.words()];
            stream.check_range([words[0].len(), words[1].len()])?;
            let lemmas = [source.lemmas(), target.lemmas()];
            let name = match has_id {
                Some(_) => Some(id.trim_ascii()).filter(|id| !id.is_empty()),
                None => source.id().or(target.id()),
            };
            let pair = LinkedPair::new(&words[0], &words[1], &links);
            visit(&pair.with_lemmas([lemmas[0].as_deref(), lemmas[1].as_deref()]).with_name(name))?;
        }
        observer.finished("");
        let [source, target] = &mut sides;
        if stream.read(&mut links)? {
            return Err(unequal_links(source.as_mut(), &mut stream)?);
        }
        if let Some(ids) = &mut ids {
            let lines = ids.count_all()?;
            if lines != number {
                return Err(Error::unequal_lengths(source.name(), number, ids.name(), lines).into());
            }
        }
        let mut found = source.take_foreign_blanks();
        ForeignBlanks::add(&mut found, target.take_foreign_blanks());
        if !self.warned.replace(true) {
            warn_of_blanks(found.as_ref(), context);
        }
        Ok(())
    }
}

fn unequal_links(source: &mut dyn SideReader, links: &mut LinkStream<'_>) -> anyhow::Result<anyhow::Error> {
    let lines = source.count_all()?;
    let (name, length) = links.length()?;
    Ok(Error::unequal_lengths(source.name(), lines, &name, length).into())
}

/// Keeps all links of a file.
fn read_links<'a>(mut reader: LinkReader) -> anyhow::Result<Links<'a>> {
    let mut links = Vec::new();
    while reader.read()? {
        links.push(reader.record().links.iter().map(|record| (record.link, record.weight)).collect());
    }
    Ok(Links::Memory { name: reader.name().to_owned(), links })
}

/// Aligns the words.
fn make_links<'a>(sides: &[Side; 2], args: &LinkSourceArgs, work: Work<'_>) -> anyhow::Result<Links<'a>> {
    let mut readers = open_both(sides)?;
    let mut text: [Vec<SentenceWords>; 2] = [Vec::new(), Vec::new()];
    while read_both(&mut readers)? {
        for (text, side) in text.iter_mut().zip(&readers) {
            text.push(SentenceWords::of(&side.words()));
        }
    }
    let words =
        text.each_ref().map(|side| side.iter().map(|sentence| sentence.words().collect()).collect::<Vec<Vec<&str>>>());
    let name = readers[0].name().to_owned();
    let found = args.links(&name, [&words[0], &words[1]], work)?;
    let possible = |links: Vec<alinea::alignment::WeightedLink>| {
        links.into_iter().map(|link| (link.link, Some(link.weight))).collect()
    };
    Ok(Links::Memory { name, links: found.into_iter().map(possible).collect() })
}
