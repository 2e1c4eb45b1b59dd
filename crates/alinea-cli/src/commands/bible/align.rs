//! `alinea bible align`: the words of two translations are linked, verse by verse.
//!
//! Verses are paired by their references (`sides`); a model learns from all pairs at once, or a saved one aligns them, or links are given.
//! Milestones that the target has already are taken out first.

use std::path::PathBuf;

use alinea::alignment::Alignment;
use alinea::error::Error;
use alinea::format::burrito::{Layout, linked_groups};
use alinea::format::usfm::Book;
use alinea::parallel::Work;
use anyhow::bail;
use clap::ValueEnum;

use super::outputs::{self, TextOutputArgs};
use super::side::Side;
use super::sides::Sides;
use crate::context::Context;
use crate::input::paths::{Role, check_distinct};
use crate::input::word_links::LinkSourceArgs;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Link the words of two translations of the Bible, verse by verse.

Examples:
  alinea bible align greek.usfm 41-MAT.usfm -o aligned.usfm
                                          links as \\zaln milestones in the target book
  alinea bible align greek english -o aligned
                                          all books of two folders
  alinea bible align greek english --format burrito -o links.json --add more.el more.en
                                          as a Scripture Burrito alignment; with more text to learn from
  alinea bible align greek.txt english.txt --references vref.txt --format links
                                          texts of one verse a line
  alinea bible align greek english --format links --texts greek.words english.words
  alinea align greek.words english.words --model quality -o links
  alinea bible align greek english --links links -o aligned
                                          with all options of `alinea align`";

const AFTER_LONG_HELP: &str = "\
Verses belong together by their references. If one side has several verses in one (\\v 3-4), those of the other are \
joined. Verses that only one side has stay without links, and are counted.

A word is letters and digits with inner apostrophes and hyphens, or what stands in \\w ...\\w* without blanks. Notes, \
headings and introductions are left out.

Formats:
  usfm     the target book, with \\zaln-s |x-content=\"...\"\\* milestones around linked words; all else as it was
  burrito  alignment records of Scripture Burrito 0.3: word ids such as 40001001001, linked groups of words
  clear    the same as ClearAligner has them
  links    a line for each pair of verses: 0-0 1-2, from 0";

/// Link the words of two translations
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Book in USFM, folder of books, or text of one verse a line
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// The same of the target
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    /// References of the verses, for texts of one verse a line
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    references: Option<PathBuf>,
    #[command(flatten)]
    links: LinkSourceArgs,
    /// Link each word of a linked group with all of it, so that a source word is in one group only, as some editors want it
    #[arg(long, help_heading = "Links")]
    whole_groups: bool,
    /// Output file, or folder for books of a folder (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Kind of output
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Format::Usfm, help_heading = "Output")]
    format: Format,
    #[command(flatten)]
    texts: TextOutputArgs,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Books with milestones
    Usfm,
    /// Records of Scripture Burrito
    Burrito,
    /// Records of ClearAligner
    Clear,
    /// Lines of links
    Links,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check()?;
    let (observer, parallelism) = (context.observer(), args.threads.parallelism()?);
    let open = |path: &PathBuf| Side::open(std::slice::from_ref(path), args.references.as_deref());
    let source = open(&args.source)?;
    let target = open(&args.target)?;
    let target = if target.books.iter().any(has_links) { unaligned(target)? } else { target };
    let places = args.places(&source.books, &target)?;
    let sides = Sides::new(source, target);
    if sides.pairs.is_empty() {
        bail!("{} and {} have no verse in common", sides.both[0].name, sides.both[1].name);
    }
    let links = args.links(&sides, Work { parallelism: &parallelism, observer })?;
    let number = links.iter().map(|links| links.len() as u64).sum();

    let texts = match args.format {
        Format::Usfm => outputs::books(&sides, &links)?,
        Format::Burrito => vec![outputs::records(&sides, &links, Layout::Groups)?],
        Format::Clear => vec![outputs::records(&sides, &links, Layout::Flat)?],
        Format::Links => vec![outputs::lines(&links)],
    };
    let folder = (args.format == Format::Usfm && args.target.is_dir()).then_some(args.output.as_path());
    let books: Vec<(PathBuf, String)> = places.into_iter().zip(texts).collect();
    outputs::finish(&books, folder, args.texts.write(&sides)?)?;
    sides.tell(number, &[], context);
    Ok(())
}

/// Whether a book has links.
fn has_links(book: &Book) -> bool {
    book.verses.iter().any(|verse| !verse.sources.is_empty())
}

/// The same without the links of its books.
fn unaligned(side: Side) -> anyhow::Result<Side> {
    let books = side.books.iter().map(Book::unaligned).collect::<Result<Vec<_>, Error>>()?;
    Ok(Side { name: side.name, ..Side::of_books(books)? })
}

impl Args {
    fn check(&self) -> anyhow::Result<()> {
        self.links.check()?;
        let given = self.references.as_deref().map(|path| ("--references", path));
        let sides = [("SOURCE", self.source.as_path()), ("TARGET", self.target.as_path())];
        let inputs: Vec<Role<'_>> = sides
            .into_iter()
            .chain(given)
            .chain(self.links.paths())
            .map(|(name, path)| Role::new(name, path))
            .collect();
        let output = std::iter::once(Role::new("--output", self.output.as_path()));
        let outputs: Vec<Role<'_>> = output.chain(self.texts.roles()).collect();
        check_distinct(&inputs, &outputs)
    }

    /// Where what is written goes.
    fn places(&self, source: &[Book], target: &Side) -> anyhow::Result<Vec<PathBuf>> {
        if self.format != Format::Usfm {
            return Ok(vec![self.output.clone()]);
        }
        if target.books.is_empty() {
            bail!("{}: milestones need a target in USFM; choose another --format", target.name);
        }
        let places = outputs::places(&target.books, &self.target, &self.output)?;
        outputs::check_books(&[source, &target.books], &places)?;
        Ok(places)
    }

    /// The links of each pair of verses.
    fn links(&self, sides: &Sides, work: Work<'_>) -> anyhow::Result<Vec<Alignment>> {
        let sentences = [sides.sentences(0), sides.sentences(1)];
        let found = self.links.decided("pairs of verses", [&sentences[0], &sentences[1]], work)?;
        Ok(if self.whole_groups { found.iter().map(whole).collect() } else { found })
    }
}

/// All links within what is linked.
fn whole(links: &Alignment) -> Alignment {
    let all = |[source, target]: [Vec<u32>; 2]| -> Vec<(u32, u32)> {
        source.iter().flat_map(|&source| target.iter().map(move |&target| (source, target))).collect()
    };
    let links = linked_groups(links).into_iter().flat_map(all);
    links.map(|(source, target)| alinea::alignment::Link::new(source, target)).collect()
}
