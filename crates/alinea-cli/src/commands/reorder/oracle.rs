//! `alinea reorder oracle`: gold orders from an alignment.
//!
//! Reads the source sentences and their links into memory. The words of a sentence are sorted by one number each, the
//! mean by default, or the median, least or greatest of the target positions that they are linked to; ties keep the
//! order of the source. Words without links are dropped, or take the number of a neighbor (`--unaligned`).
//!
//! Writes a line for each sentence, as `--format` says: the positions of the words in their new order; the words, where
//! dropped ones travel with a neighbor (`--attach`); or the ranks of the words, the partial order of the intervals that
//! they are linked to (Neubig, Watanabe and Mori 2012), `-` for words without links, and an empty line if there is
//! none. The summary counts sentences that change, have no links, have no ranks, or whose order no bracketing tree
//! reaches.

use std::path::PathBuf;

use alinea::format::sink;
use alinea::reorder::{Attach, GoldOrder, Incomparable, Key, Ranks, Skipped, Unaligned, gold_order, whole_order};
use anyhow::bail;
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::input::{AlignedSentence, SourceArgs, choice_parser};
use crate::context::Context;
use crate::input::kind::{KindParser, Rare as _};
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Reorder the words of each sentence into the order of its translation, according to an alignment.

Examples:
  alinea reorder oracle links --source text.en            positions of linked words in the new order
  alinea reorder oracle links --source text.en --format text > text.reordered
  alinea reorder oracle links --source text.en --format beside
                                                          the sentence, a tab, and the reordered sentence
  alinea reorder oracle links --source text.en --format ranks
                                                          partial orders: - for unlinked words";

/// Reorder sentences into the order of their translations
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Links, one line per sentence (- for standard input)
    #[arg(value_name = "LINKS")]
    links: PathBuf,
    #[command(flatten)]
    source: SourceArgs,
    /// Kind of output
    #[arg(short, long, alias = "text", value_name = "FORMAT", default_value = "order",
        value_parser = KindParser::<Form>::new())]
    format: Form,
    /// The former name of --format ranks
    #[arg(long, hide = true, conflicts_with = "format")]
    ranks: bool,
    /// Sort key of a word with several links: mean, median, min or max [default: mean]
    #[arg(long, value_name = "KEY", value_parser = choice_parser!(Key), hide_possible_values = true)]
    key: Option<Key>,
    /// Unlinked words: drop, or take the position of the next word on their left or right [default: drop]
    #[arg(long, value_name = "WHAT", value_parser = choice_parser!(Unaligned), hide_possible_values = true)]
    unaligned: Option<Unaligned>,
    /// With --format text and beside, neighbor that unaligned words attach to: right or left [default: right]
    #[arg(long, value_name = "SIDE", value_parser = choice_parser!(Attach), hide_possible_values = true, rare = true)]
    attach: Option<Attach>,
    /// With --format ranks, sentences in which a word is linked around another: skip them, or merge the words in
    /// between [default: skip]
    #[arg(long, value_name = "WHAT", value_parser = choice_parser!(Incomparable), hide_possible_values = true)]
    #[arg(rare = true)]
    incomparable: Option<Incomparable>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// How orders are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Positions of words
    Order,
    /// The reordered sentence
    #[value(alias = "reordered")]
    Text,
    /// The sentence, a tab, and the reordered sentence
    Beside,
    /// The rank of each word (words of equal rank in any order); an empty line for sentences without ranks
    Ranks,
}

/// How many sentences have what.
#[derive(Debug, Default)]
struct Totals {
    sentences: u64,
    without_links: u64,
    changed: u64,
    incomparable: u64,
    not_bracketable: u64,
}

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check()?;
    let inputs: Vec<Role<'_>> = std::iter::once(Role::new("LINKS", &args.links)).chain(args.source.roles()).collect();
    check_distinct(&inputs, &[Role::new("--output", &args.output)])?;
    let mut output = sink::create(&args.output)?;
    let mut totals = Totals::default();
    for sentence in args.source.read(&args.links, None, context)? {
        totals.add(&sentence, args.key.unwrap_or_default());
        output.write_bytes(line(&sentence, args)?.as_bytes())?;
        output.write_bytes(b"\n")?;
    }
    output.finish()?;
    totals.tell(context);
    Ok(())
}

impl Args {
    fn form(&self) -> Form {
        if self.ranks { Form::Ranks } else { self.format }
    }

    /// Refuses options that this kind of output has no use for.
    fn check(&self) -> anyhow::Result<()> {
        let ranks = self.form() == Form::Ranks;
        let words = matches!(self.form(), Form::Text | Form::Beside);
        for (option, idle, formats) in [
            ("--key", self.key.is_some() && ranks, "order, text and beside"),
            ("--unaligned", self.unaligned.is_some() && ranks, "order, text and beside"),
            ("--attach", self.attach.is_some() && !words, "text and beside"),
            ("--incomparable", self.incomparable.is_some() && !ranks, "ranks"),
        ] {
            if idle {
                bail!("{option} is for --format {formats}");
            }
        }
        Ok(())
    }
}

fn ranks(sentence: &AlignedSentence, incomparable: Incomparable) -> String {
    let Ok(ranks) = Ranks::of_alignment(sentence.words.len(), &sentence.links, incomparable) else {
        return String::new();
    };
    let written = ranks.ranks().iter().map(|rank| rank.map_or("-".to_owned(), |rank| rank.to_string()));
    written.collect::<Vec<_>>().join(" ")
}

fn line(sentence: &AlignedSentence, args: &Args) -> anyhow::Result<String> {
    let words = &sentence.words;
    let gold = || {
        let (key, unaligned) = (args.key.unwrap_or_default(), args.unaligned.unwrap_or_default());
        gold_order(words.len(), &sentence.links, key, unaligned)
    };
    let reordered = || reordered(words, &gold(), args.attach.unwrap_or_default());
    Ok(match args.form() {
        Form::Order => gold().words().iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
        Form::Text => reordered()?,
        Form::Beside => format!("{}\t{}", words.join(" "), reordered()?),
        Form::Ranks => ranks(sentence, args.incomparable.unwrap_or_default()),
    })
}

fn reordered(words: &[String], gold: &GoldOrder, attach: Attach) -> anyhow::Result<String> {
    let order = whole_order(words.len(), gold.words(), attach)?.inverse();
    let words: Vec<&str> = order.places().iter().map(|&word| words[word as usize].as_str()).collect();
    Ok(words.join(" "))
}

impl Totals {
    fn add(&mut self, sentence: &AlignedSentence, key: Key) {
        let words = sentence.words.len();
        self.sentences += 1;
        match Ranks::of_alignment(words, &sentence.links, Incomparable::Skip) {
            Ok(ranks) => self.not_bracketable += u64::from(!ranks.is_bracketable()),
            Err(Skipped::Unaligned) => self.without_links += 1,
            Err(_) => self.incomparable += 1,
        }
        let order = gold_order(words, &sentence.links, key, Unaligned::Drop);
        self.changed += u64::from(!order.words().is_sorted());
    }

    fn tell(&self, context: &Context) {
        let Self { sentences, without_links, changed, incomparable, not_bracketable } = *self;
        let text = format!(
            "sentences          {sentences}\nother order        {changed}\nwithout links      {without_links}\n\
             without ranks      {incomparable} (a word is linked around another)\n\
             not bracketable    {not_bracketable} (no binary tree reaches the order)"
        );
        let numbers = json!({
            "sentences": sentences, "other_order": changed, "without_links": without_links, "incomparable": incomparable,
            "not_bracketable": not_bracketable,
        });
        context.summary(&text, &numbers);
    }
}
