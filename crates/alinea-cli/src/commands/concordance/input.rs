//! The text with its links, which is read several times.
//!
//! A side is a file with a sentence a line, or trees (CoNLL-U), which have lemmas; lines may have lemmas in another file. What is no
//! regular file, such as standard input, cannot be read twice and is kept in memory. All files go in step, and one that ends before the
//! others is an error with both lengths.

use std::cell::Cell;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alinea::concordance::{LinkedPair, PossibleLink, SentenceWords};
use alinea::error::Error;
use alinea::format::blanks::{Blanks, ForeignBlanks};
use alinea::format::conllu;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::{self, Input, is_dash};
use alinea::format::tokens;
use alinea::parallel::Work;
use alinea::progress;
use alinea::tree::{Column, ParsedSentence, Roots};
use clap::ValueEnum;

use crate::context::Context;
use crate::input::links::LinkReader;
use crate::input::paths::Role;
use crate::input::sentences::{BlanksArgs, warn_of_blanks};
use crate::input::trees::unequal;
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

/// What is counted of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Lemmas; forms of words that have none
    Lemma,
    /// Forms
    Form,
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

/// A file that is read several times.
#[derive(Debug, Clone)]
enum Again {
    File(PathBuf),
    Memory { name: String, bytes: Arc<[u8]> },
}

impl Again {
    fn new(path: &Path) -> Result<Self, Error> {
        if !is_read_once(path) {
            return Ok(Self::File(path.to_path_buf()));
        }
        let input = source::open(path)?;
        let name = input.name().to_owned();
        Ok(Self::Memory { name, bytes: input.read_all()?.into() })
    }

    fn open(&self) -> Result<LineReader<Input>, Error> {
        match self {
            Self::File(path) => LineReader::open(path, Utf8::Strict),
            Self::Memory { name, bytes } => {
                let input = Input::from_reader(name.clone(), Cursor::new(Arc::clone(bytes)))?;
                Ok(LineReader::from_input(input, Utf8::Strict))
            }
        }
    }
}

/// Whether a file is no regular one.
fn is_read_once(path: &Path) -> bool {
    is_dash(path) || std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A side of the text.
#[derive(Debug)]
struct Side {
    text: Again,
    is_trees: bool,
    by: By,
    lemmas: Option<Again>,
    blanks: BlanksArgs,
}

impl Side {
    fn new(args: &TextArgs, path: &Path, lemmas: Option<&PathBuf>) -> anyhow::Result<Self> {
        let name = path.to_string_lossy();
        let name = alinea::format::source::plain_name(&name);
        let is_trees = Path::new(name).extension().is_some_and(|extension| extension == "conllu");
        if let Some(lemmas) = lemmas.filter(|_| is_trees) {
            anyhow::bail!("{}: {} has lemmas of its own", lemmas.display(), path.display());
        }
        let lemmas = lemmas.map(|path| Again::new(path)).transpose()?;
        Ok(Self { text: Again::new(path)?, is_trees, by: args.by, lemmas, blanks: args.blanks })
    }

    fn open(&self) -> Result<Box<dyn SideReader>, Error> {
        let text = self.text.open()?;
        if self.is_trees {
            let (reader, by) = (conllu::Reader::new(text, Roots::Many), self.by);
            return Ok(Box::new(Trees { reader, by, sentence: ParsedSentence::default(), number: 0 }));
        }
        let blanks = self.blanks.get();
        let lemmas = self.lemmas.as_ref().map(Again::open).transpose()?;
        let lemmas = lemmas.map(|lemmas| (lemmas.of_sentences(blanks), String::new()));
        Ok(Box::new(Lines { text: text.of_sentences(blanks), line: String::new(), lemmas }))
    }
}

/// Reads a side, sentence by sentence.
trait SideReader {
    /// Goes to the next sentence; says whether there is one.
    fn read(&mut self) -> Result<bool, Error>;

    /// The words of the sentence.
    fn words(&self) -> Vec<&str>;

    /// What is counted in place of the words, if that is something else.
    fn lemmas(&self) -> Option<Vec<&str>>;

    /// What the sentence is called.
    fn id(&self) -> Option<&str>;

    fn name(&self) -> &str;

    /// The number of all sentences.
    fn count_all(&mut self) -> Result<u64, Error>;

    /// White space inside of words that was met.
    fn take_foreign_blanks(&mut self) -> Option<ForeignBlanks> {
        None
    }

    /// Whether sentences are not lines.
    fn has_trees(&self) -> bool {
        false
    }
}

/// Sentences in lines.
struct Lines {
    text: LineReader<Input>,
    line: String,
    lemmas: Option<(LineReader<Input>, String)>,
}

impl SideReader for Lines {
    fn read(&mut self) -> Result<bool, Error> {
        let Self { text, line, lemmas } = self;
        let more = text.read_into(line)?;
        let Some((lemmas, lemma_line)) = lemmas else { return Ok(more) };
        if lemmas.read_into(lemma_line)? != more {
            let lines = [text.count_all()?, lemmas.count_all()?];
            return Err(Error::unequal_lengths(text.name(), lines[0], lemmas.name(), lines[1]));
        }
        let count = |line: &str| tokens::split(line.as_bytes()).count();
        let (words, found) = if more { (count(line), count(lemma_line)) } else { (0, 0) };
        if words != found {
            let expected = format!("as many lemmas as words of {} ({words}, not {found})", text.name());
            return Err(Error::parse(lemmas.position(1), expected, lemma_line.as_bytes()));
        }
        Ok(more)
    }

    fn words(&self) -> Vec<&str> {
        split(&self.line)
    }

    fn lemmas(&self) -> Option<Vec<&str>> {
        self.lemmas.as_ref().map(|(_, line)| split(line))
    }

    fn id(&self) -> Option<&str> {
        None
    }

    fn name(&self) -> &str {
        self.text.name()
    }

    fn count_all(&mut self) -> Result<u64, Error> {
        self.text.count_all()
    }

    fn take_foreign_blanks(&mut self) -> Option<ForeignBlanks> {
        self.text.take_foreign_blanks()
    }
}

/// Sentences with trees.
struct Trees {
    reader: conllu::Reader<Input>,
    by: By,
    sentence: ParsedSentence,
    number: u64,
}

impl SideReader for Trees {
    fn read(&mut self) -> Result<bool, Error> {
        let more = self.reader.read_into(&mut self.sentence)?;
        self.number += u64::from(more);
        Ok(more)
    }

    fn words(&self) -> Vec<&str> {
        self.sentence.words().map(|word| word.form()).collect()
    }

    fn lemmas(&self) -> Option<Vec<&str>> {
        if self.by == By::Form {
            return None;
        }
        let words = self.sentence.words().map(|word| (word.form(), word.get(Column::Lemma)));
        Some(words.map(|(form, lemma)| if lemma == "_" { form } else { lemma }).collect())
    }

    fn id(&self) -> Option<&str> {
        self.sentence.comment("sent_id")
    }

    fn name(&self) -> &str {
        self.reader.name()
    }

    fn count_all(&mut self) -> Result<u64, Error> {
        while self.read()? {}
        Ok(self.number)
    }

    fn has_trees(&self) -> bool {
        true
    }
}

fn split(line: &str) -> Vec<&str> {
    line.split([' ', '\t']).filter(|word| !word.is_empty()).collect()
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
            Side::new(args, &args.source, args.source_lemmas.as_ref())?,
            Side::new(args, &args.target, args.target_lemmas.as_ref())?,
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

fn open_both(sides: &[Side; 2]) -> Result<[Box<dyn SideReader>; 2], Error> {
    Ok([sides[0].open()?, sides[1].open()?])
}

/// Goes to the next sentence of both sides.
fn read_both([source, target]: &mut [Box<dyn SideReader>; 2]) -> Result<bool, Error> {
    let more = source.read()?;
    if target.read()? == more {
        return Ok(more);
    }
    let counts = [source.count_all()?, target.count_all()?];
    let unequal = if source.has_trees() || target.has_trees() { unequal } else { Error::unequal_lengths };
    Err(unequal(source.name(), counts[0], target.name(), counts[1]))
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
