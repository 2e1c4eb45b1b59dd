//! `alinea bible links`: links of aligned books, or of alignment records, as lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use alinea::alignment::{Alignment, Link};
use alinea::error::Error;
use alinea::format::burrito::{self, Numbering, WordId};
use alinea::format::source;
use alinea::format::usfm::{Attributes, Book, SourceWord};
use anyhow::bail;

use super::outputs::{self, TextOutputArgs};
use super::side::{Side, SideVerse};
use super::sides::Sides;
use crate::context::Context;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Write the links of aligned books, or of alignment records, as lines that other commands read.

Examples:
  alinea bible links aligned.usfm --source greek.usfm > links
                                          from \\zaln milestones; words of the Greek book are counted
  alinea bible links aligned --source greek -o links --texts greek.words english.words
  alinea view greek.words english.words links
                                          look at them
  alinea bible links english --source greek --records links.json > links
                                          from records of Scripture Burrito or ClearAligner
  alinea bible links aligned.usfm -o links --texts source.words target.words
                                          without the source: its words are those that milestones name";

/// Links of aligned books or records, as lines
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Books of the target in USFM, or folders of them
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// Book of the source in USFM, folder, or text of one verse a line
    #[arg(long, value_name = "SOURCE", help_heading = "Reading")]
    source: Option<PathBuf>,
    /// Alignment records in JSON, of Scripture Burrito or ClearAligner [default: milestones in the books]
    #[arg(long, value_name = "FILE", requires = "source", help_heading = "Reading")]
    records: Option<PathBuf>,
    /// References of the verses, for texts of one verse a line
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    references: Option<PathBuf>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    texts: TextOutputArgs,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check()?;
    let target = Side::open(&args.books, args.references.as_deref())?;
    let source = match &args.source {
        Some(path) => Side::open(std::slice::from_ref(path), args.references.as_deref())?,
        None => named(&target)?,
    };
    let sides = Sides::new(source, target);
    let (links, more) = match &args.records {
        Some(path) => {
            let (links, apart) = of_records(&sides, path)?;
            (links, vec![("apart", apart)])
        }
        None => (sides_links(&sides)?, Vec::new()),
    };
    let number = links.iter().map(|links| links.len() as u64).sum();
    let lines = [(args.output.clone(), outputs::lines(&links))];
    outputs::finish(&lines, None, args.texts.write(&sides)?)?;
    if let Some(&(_, apart @ 1..)) = more.first() {
        context.warn(format_args!("pairs of words in verses that do not belong together: {apart}, left out"));
    }
    sides.tell(number, &more, context);
    Ok(())
}

impl Args {
    fn check(&self) -> anyhow::Result<()> {
        let books = self.books.iter().map(|path| Role::new("BOOK", path));
        let given = [("--source", &self.source), ("--records", &self.records), ("--references", &self.references)];
        let given = given.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)));
        let inputs: Vec<Role<'_>> = books.chain(given).collect();
        let outputs: Vec<Role<'_>> =
            std::iter::once(Role::new("--output", &self.output)).chain(self.texts.roles()).collect();
        check_distinct(&inputs, &outputs)
    }
}

/// The source words that milestones name, verse by verse, in the order of the milestones.
fn named(target: &Side) -> anyhow::Result<Side> {
    if target.books.is_empty() {
        bail!("{}: links of a text need --source and --records", target.name);
    }
    let verses = target.verses.iter().filter_map(|verse| {
        let (book, number) = verse.place?;
        let sources = &target.books[book].verses[number].sources;
        let words: Vec<String> =
            sources.iter().map(|source| source.content.replace(char::is_whitespace, "_")).collect();
        let attributes = vec![Attributes::default(); words.len()];
        Some(SideVerse { reference: verse.reference, place: verse.place, words, attributes, text: String::new() })
    });
    let verses = verses.collect();
    Ok(Side { name: target.name.clone(), books: Vec::new(), verses })
}

/// What milestones say, for each pair of verses.
fn sides_links(sides: &Sides) -> anyhow::Result<Vec<Alignment>> {
    let [source, target] = &sides.both;
    let is_named = source.books.is_empty() && source.verses.iter().all(|verse| verse.place.is_some());
    let mut all = Vec::with_capacity(sides.pairs.len());
    for pair in &sides.pairs {
        let words = sides.source_words(pair);
        let numbers: BTreeMap<(&str, u32), u32> =
            words.iter().zip(0..).map(|(word, number)| ((word.content.as_str(), word.occurrence), number)).collect();
        let (mut links, mut before) = (Vec::new(), 0);
        for (part, &verse) in pair.verses[1].iter().enumerate() {
            let Some((book, number)) = target.verses[verse].place else {
                bail!("{}: links of a text need --records", target.name);
            };
            let book = &target.books[book];
            let verse = &book.verses[number];
            // Where sources are those that milestones name, they are numbered through.
            let first: usize = if is_named { sources_before(sides, &pair.verses[0][..part]) } else { 0 };
            for link in verse.links.iter() {
                let word = &verse.sources[link.source as usize];
                let source = if is_named {
                    first as u32 + link.source
                } else {
                    let known = numbers.get(&(word.content.as_str(), word.occurrence));
                    *known.ok_or_else(|| unknown(book, verse.start, word))?
                };
                links.push(Link::new(source, before + link.target));
            }
            before += verse.words.len() as u32;
        }
        all.push(Alignment::from_links(links));
    }
    Ok(all)
}

fn sources_before(sides: &Sides, verses: &[usize]) -> usize {
    verses.iter().map(|&verse| sides.both[0].verses[verse].words.len()).sum()
}

/// The error for a milestone of a word that the source does not have.
fn unknown(book: &Book, at: usize, word: &SourceWord) -> Error {
    let expected = format!("a word of the source verse, occurrence {} of it", word.occurrence);
    Error::parse(book.position(at), expected, word.content.as_bytes())
}

/// What records say, for each pair of verses; and how many pairs of words are in verses that do not belong together.
fn of_records(sides: &Sides, path: &Path) -> anyhow::Result<(Vec<Alignment>, u64)> {
    let numberings = outputs::numberings(sides)?;
    // For each verse of a side, its pair and the words of it that come before.
    let mut places = [0, 1].map(|side: usize| vec![None; sides.both[side].verses.len()]);
    for (number, pair) in sides.pairs.iter().enumerate() {
        for side in [0, 1] {
            let mut before = 0;
            for &verse in &pair.verses[side] {
                places[side][verse] = Some((number, before));
                before += sides.both[side].verses[verse].words.len();
            }
        }
    }
    let place = |side: usize, id: &WordId| -> anyhow::Result<Option<(usize, u32)>> {
        let (verse, word) = find(&numberings[side], id, &sides.both[side].name, path)?;
        Ok(places[side][verse].map(|(pair, before)| (pair, (before + word) as u32)))
    };
    let mut links = vec![Vec::new(); sides.pairs.len()];
    let mut apart = 0;
    for record in burrito::read(source::open(path)?)? {
        let from = record.source.iter().map(|id| place(0, id)).collect::<anyhow::Result<Vec<_>>>()?;
        let to = record.target.iter().map(|id| place(1, id)).collect::<anyhow::Result<Vec<_>>>()?;
        for source in &from {
            for target in &to {
                match (source, target) {
                    (Some((pair, source)), Some((other, target))) if pair == other => {
                        links[*pair].push(Link::new(*source, *target));
                    }
                    _ => apart += 1,
                }
            }
        }
    }
    Ok((links.into_iter().map(Alignment::from_links).collect(), apart))
}

fn find(numbering: &Numbering, id: &WordId, name: &str, path: &Path) -> anyhow::Result<(usize, usize)> {
    match numbering.find(id) {
        Some(place) => Ok(place),
        None => bail!("{}: no word {id} in {name}", path.display()),
    }
}
