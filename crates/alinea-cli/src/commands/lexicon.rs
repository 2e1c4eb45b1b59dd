//! `alinea lexicon`: translation probabilities from the links of an aligned text, as Moses and Marian read them.
//!
//! Pairs are read in batches and counted by `LinkCounts`: relative frequencies of links, where a word without links
//! counts as linked to the NULL word. One pass gives both directions; `--reverse` writes the other table. `TableWriter`
//! has the formats; only some have the NULL word, and eflomal's has counts in place of probabilities, for both
//! directions at once.
//!
//! Memory grows with the number of distinct linked pairs, not with the text. `model export` does the same for a model.

use std::path::PathBuf;

use alinea::bitext::Side;
use alinea::error::Result;
use alinea::format::dictionary::DictionaryFormat;
use alinea::format::sink::{self, Output};
use alinea::lexicon::{LexicalTable, LinkCounts, TableChoice};
use alinea::progress;

use crate::context::Context;
use crate::input::dictionary_format::{FormatName, check_table};
use crate::input::linked::LinkedTextArgs;
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::table::TableWriter;

const LONG_ABOUT: &str = "\
Estimate word translation probabilities from links and write them as a table.

Examples:
  alinea lexicon text.en text.fr links --format moses -o lex.f2e --reverse lex.e2f
                                                          maison house p(maison | house), and house maison p(house | maison)
  alinea lexicon text.en text.fr links --format marian --best 100 -o lex.s2t.gz
                                                          for Marian's --shortlist
  alinea lexicon text.en text.fr links | head             house, tab, maison, tab, p(maison | house)";

const AFTER_LONG_HELP: &str = "\
An unlinked word counts as linked once to the NULL word. Translations are grouped by word, the word with most links \
first, and sorted by probability; those of the NULL word come first, in formats that include them. In eflomal's format \
the number is the count of links.

`alinea model export` writes the table of a trained model, which also includes pairs of words that are not linked.";

/// Write a table of word translations from links
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    text: LinkedTextArgs,
    /// Kind of output
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Words)]
    format: FormatName,
    /// Output file for p(target | source) (- for standard output); .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Output file for p(source | target)
    #[arg(long, value_name = "FILE")]
    reverse: Option<PathBuf>,
    /// Keep only the N most probable translations of each word [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    best: Option<u64>,
    /// Drop translations with a lower probability
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    least: f64,
}

/// Pairs between two questions whether to stop.
const BATCH: usize = 4096;

/// Counts and writes.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let format = DictionaryFormat::from(args.format);
    args.check(format)?;
    let mut text = args.text.open(None)?;
    let output = TableWriter::create(&args.output, format)?;
    let reverse = args.reverse.as_ref().map(|path| TableWriter::create(path, format)).transpose()?;
    let observer = context.observer();
    observer.started("lexicon", 0);
    let (mut counts, mut links) = (LinkCounts::default(), 0);
    loop {
        let batch = text.next(BATCH)?;
        if batch.is_empty() {
            break;
        }
        for pair in &batch {
            counts.add(pair.words(0), pair.words(1), &pair.links)?;
            links += pair.links.len() as u64;
        }
        observer.advance(batch.len() as u64);
        progress::check(observer)?;
    }
    if format.has_empty_word() && counts.has_word(format.empty_word().as_bytes()) {
        let word = format.empty_word();
        context.warn(format_args!("the word `{word}` is indistinguishable from the NULL word in this format"));
    }
    let table = counts.into_table();
    let choice = args.choice(format);
    let mut outputs = vec![write(&table, Side::Source, &choice, output, format)?];
    if let Some(reverse) = reverse {
        outputs.push(write(&table, Side::Target, &choice, reverse, format)?);
    }
    sink::finish_all(outputs)?;
    observer.finished("");
    text.warn_of_blanks(context);
    let (pairs, words) = (counted(text.number(), "sentence pair"), counted(table.len() as u64, "word pair"));
    context.report(format_args!("{pairs}, {}, {words}", counted(links, "link")));
    Ok(())
}

/// Writes the translations of the words of one side.
fn write(
    table: &LexicalTable,
    of: Side,
    choice: &TableChoice,
    mut to: TableWriter,
    format: DictionaryFormat,
) -> Result<Output> {
    table.for_each(of, choice, |found| {
        let number = if format == DictionaryFormat::Eflomal { found.count as f64 } else { found.probability };
        to.write(found.condition, found.generated, number)
    })?;
    to.into_output()
}

impl Args {
    fn check(&self, format: DictionaryFormat) -> anyhow::Result<()> {
        check_table(format, self.reverse.is_some(), self.least)?;
        let reverse = self.reverse.as_ref().map(|path| Role::new("--reverse", path));
        let outputs: Vec<Role<'_>> = std::iter::once(Role::new("--output", &self.output)).chain(reverse).collect();
        check_distinct(&self.text.roles(), &outputs)
    }

    fn choice(&self, format: DictionaryFormat) -> TableChoice {
        let best = self.best.map(|best| usize::try_from(best).unwrap_or(usize::MAX));
        TableChoice::default().with(|c| {
            c.best = best;
            c.least = self.least;
            c.empty_word = format.has_empty_word();
        })
    }
}
