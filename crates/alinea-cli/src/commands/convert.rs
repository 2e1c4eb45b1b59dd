//! `alinea convert`: alignments from one format to another, in one pass with one sentence pair in memory.
//!
//! Formats are given by `--from` and `--format` (`--to`), or by the names of the files, or by the first line of the input. An input
//! that says nothing of itself is in Pharaoh format, as in other verbs. Several inputs are the parts of one A3 file. For each pair:
//!
//! 1. the record is read; positions count from 0 inside, and links below `--threshold` are left out;
//!    (with `--weights`, which are put beside them first: `weights`);
//! 2. with `--source` and `--target` the words are added, and the links checked against them;
//! 3. with `--units-to` links between words of trees become links between surface tokens, or the reverse (`units`); with
//!    `--source-tokens` and `--target-tokens` links between words become links between other tokens of the lines (`tokens`);
//! 4. the record is written, by the conventions of the output format.
//!
//! Inputs of different length are an error with both counts. At the end standard error has the number of pairs and
//! links, and what the output format cannot express: weights, `possible` marks, scores, words, pairs without links.

mod tokens;
mod units;
mod weights;

use std::path::{Path, PathBuf};

use alinea::error::{Error, ErrorKind};
use alinea::format::alignment::{
    AlignmentFormat, AlignmentWriter, Base, GizaDirection, LinkReadOptions, LinkReadReport, LinkWriteOptions,
    LinkWriteReport, Sentences, TokenList,
};
use alinea::format::lines::Utf8;
use alinea::format::sink::{self, Output};
use alinea::progress;
use anyhow::{anyhow, bail};
use clap::{Arg, ArgGroup, ValueEnum};

use self::tokens::TokenSides;
use self::units::{UnitArgs, UnitTrees};
use self::weights::WeightLines;
use crate::context::Context;
use crate::failure::WithHint;
use crate::input::kind::{Rare as _, letter};
use crate::input::links::{
    LinkFormat, LinkReader, base_parser, counted, format_parser, sentences, written_format_parser,
};
use crate::input::pairs::BitextFileArgs;
use crate::input::paths::{Role, check_distinct};
use crate::input::sentences::{BlanksArgs, SentencePairs};
use crate::input::tokens::{TokenArgs, TokenReport};

const LONG_ABOUT: &str = "\
Convert links from one format to another.

Examples:
  alinea convert gold.wpt -o gold.align --sentences 447
                                                formats by file name
  alinea convert links --format naacl > links.naacl
  alinea convert links --from talp --format pharaoh --base-from 0
                                                a file with another index base
  alinea convert out.A3.final.part* -o forward.align
                                                the parts that MGIZA writes
  alinea convert reverse.A3.final --direction target-source -o reverse.align
  alinea convert links.out --weights probabilities.out --digits 3 -o links.jsonl
                                                links and probabilities of awesome-align
  alinea convert weighted.align --threshold 0.5 --format pharaoh > likely
  alinea convert links.align --format jsonl --source text.en --target text.fr
  alinea convert alignment-de-en.txt --from comtrans --encoding latin-1 -o de-en.align
                                                NLTK's corpus of aligned sentences
  alinea convert words.align -o pieces.align --source text.en --source-tokens pieces.en \
      --target text.fr --target-tokens pieces.fr
                                                from words to the subwords that a model sees; with text and pieces
                                                exchanged, back
  alinea convert words.align -o tokens.align --units-to tokens --source-trees fr.conllu --target-trees en.conllu
                                                from words of trees (`à les`) to surface tokens (`aux`)";

const AFTER_LONG_HELP: &str = "\
Formats:
  pharaoh  .align .pharaoh .moses  a line `0-0 1p2 2-1:0.93`, from 0
  talp     .talp                   a line `1-1 2p3`, from 1
  naacl    .naacl .wa .wpt         lines `12 1 1 S`, from 1
  giza     .A3.final .A3           three lines, as GIZA++ writes them
  comtrans .comtrans               three lines: words, words, `0-0 1-2`, from 0
  jsonl    .jsonl .ndjson          an object `{\"links\":[[0,0]]}`, from 0
  opustrainer                      three columns: sentence, sentence, `0-0 1-2`, from 0
  simalign                         sentence number and links `0-1-.91-.93`, from 0
  serval                           JSON of Serval's word alignments, from 0
  bal      .bal                    what symal reads, both directions (possible: in one only); read only

Pharaoh lines may have the two scores of SIL's machine library (`0-1:0.5:0.9`); their product is the weight. \
Information that the output format cannot hold is reported on standard error. A NAACL file does not contain the number \
of sentences: give it with --sentences.";

/// What is said of letters that once were short for formats.
const LETTERS: &str = "formats have no short options here: --from FORMAT for the input, --format FORMAT for the output";

/// The letters, which are answered.
fn letters() -> [Arg; 2] {
    [("from_letter", 'f'), ("to_letter", 't')].map(|(name, short)| letter(name, short, LETTERS))
}

/// What `--source` and `--target` need: each other, or tokens that their words are compared with.
fn beside() -> [ArgGroup; 2] {
    let group = |name, needed: [&'static str; 2]| ArgGroup::new(name).args(needed).multiple(true);
    [group("beside_source", ["target", "source_tokens"]), group("beside_target", ["source", "target_tokens"])]
}

/// Pairs between two questions whether to stop.
const CHUNK: u64 = 4096;

/// Convert links from one format to another
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
#[command(args(letters()), groups(beside()))]
pub(crate) struct Args {
    /// Links, or the parts of an A3 file (- for standard input)
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Format of the input [default: by file name or content]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<AlignmentFormat>,
    /// Format of the output [default: by file name, otherwise pharaoh unless the input is pharaoh]
    #[arg(long, visible_alias = "to", value_name = "FORMAT", value_parser = written_format_parser())]
    format: Option<AlignmentFormat>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Encoding of the input
    #[arg(long, value_name = "ENCODING", value_enum, default_value_t = Encoding::Utf8, rare = true)]
    encoding: Encoding,
    /// Index of the first word in the input [default: that of the format]
    #[arg(long, value_name = "BASE", value_parser = base_parser())]
    base_from: Option<Base>,
    /// Index of the first word in the output [default: that of the format]
    #[arg(long, value_name = "BASE", value_parser = base_parser())]
    base_to: Option<Base>,
    /// Drop links with a lower weight; links without a weight stay
    #[arg(long, value_name = "WEIGHT", allow_negative_numbers = true)]
    threshold: Option<f32>,
    /// Weights of the links: a line per pair with a number per link, as awesome-align writes probabilities
    #[arg(long, value_name = "FILE", rare = true)]
    weights: Option<PathBuf>,
    /// Write weights with N decimals [default: no weights, in jsonl all decimals]
    #[arg(long, value_name = "N")]
    digits: Option<usize>,
    /// Sentences of a NAACL file: their number, or a file with their names, one per line
    #[arg(long, value_name = "N|FILE")]
    sentences: Option<String>,
    /// Leave pairs blank whose number is missing in an A3 file
    #[arg(long, rare = true)]
    fill_gaps: bool,
    /// Direction of the model of an A3 file, or sides of a .bal file
    #[arg(long, value_enum, value_name = "DIRECTION", default_value_t = Direction::SourceTarget, rare = true)]
    direction: Direction,
    /// Tokenized source sentences: for formats with words, and to check the links
    #[arg(long, value_name = "FILE", requires = "beside_source")]
    source: Option<PathBuf>,
    /// Tokenized target sentences
    #[arg(long, value_name = "FILE", requires = "beside_target")]
    target: Option<PathBuf>,
    #[command(flatten)]
    bitext: BitextFileArgs,
    #[command(flatten)]
    blanks: BlanksArgs,
    #[command(flatten)]
    tokens: TokenArgs,
    #[command(flatten)]
    units: UnitArgs,
}

/// How bytes become characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Encoding {
    /// UTF-8
    #[value(name = "utf-8")]
    Utf8,
    /// Latin-1 (ISO 8859-1)
    #[value(name = "latin-1")]
    Latin1,
}

/// Which way the model of an A3 file goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Direction {
    /// The source sentence is the one with the brackets
    SourceTarget,
    /// The target sentence is the one with the brackets
    TargetSource,
}

impl From<Direction> for GizaDirection {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::SourceTarget => Self::SourceToTarget,
            Direction::TargetSource => Self::TargetToSource,
        }
    }
}

/// Converts.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    let sentences = args.sentences.as_deref().map(sentences).transpose()?;
    let mut links = LinkReader::open(&args.inputs, &args.link_format(sentences.clone()))?;
    let to = args.output_format(links.format())?;
    let mut beside = Beside::open(args, links.format(), to)?;
    let output = sink::create(&args.output)?;
    let options = LinkWriteOptions::default().with(|c| {
        c.base = args.base_to;
        c.digits = args.digits;
        c.sentences = sentences;
        c.direction = args.direction.into();
    });
    let name = output.name().to_owned();
    let mut writer = AlignmentWriter::new(output, name, to, &options)?;
    let assumed = args.from.is_none() && AlignmentFormat::from_path(&args.inputs[0]).is_none();
    copy(&mut links, assumed, &mut beside, &mut writer, context)?;
    let written = writer.report();
    writer.into_inner().finish()?;
    // Words that the user gave are not lost.
    let lost_words = if beside.is_empty() { written.lost_words } else { 0 };
    let mut read = links.report();
    read.below_threshold += beside.weights.as_ref().map_or(0, WeightLines::below_threshold);
    tell(read, to, &LinkWriteReport { lost_words, ..written }, beside.report(), context);
    Ok(())
}

/// What is read beside the links.
#[derive(Debug)]
struct Beside {
    weights: Option<WeightLines>,
    pairs: Option<SentencePairs>,
    tokens: Option<TokenSides>,
    trees: Option<UnitTrees>,
}

impl Beside {
    fn open(args: &Args, from: AlignmentFormat, to: AlignmentFormat) -> anyhow::Result<Self> {
        let tokens = args.tokens.is_given().then(|| {
            let words = [args.source.as_deref(), args.target.as_deref()];
            TokenSides::open(&args.tokens, words, args.blanks, from.has_words(), to.has_words())
        });
        let bitext =
            args.bitext.source(args.source.as_deref().zip(args.target.as_deref()).filter(|_| tokens.is_none()))?;
        let pairs = bitext.map(|bitext| SentencePairs::open(&bitext, args.blanks)).transpose()?;
        let weights = args.weights.as_deref().map(|path| WeightLines::open(path, args.threshold)).transpose()?;
        Ok(Self { weights, pairs, tokens: tokens.transpose()?, trees: args.units.open()? })
    }

    /// Whether there are no words.
    fn is_empty(&self) -> bool {
        self.pairs.is_none() && self.tokens.is_none() && self.trees.is_none()
    }

    /// What was left out because of tokens.
    fn report(&self) -> TokenReport {
        self.tokens.as_ref().map(TokenSides::report).unwrap_or_default()
    }

    /// Goes on by a pair, and adds what it has to the current pair of the links.
    fn add(&mut self, links: &mut LinkReader) -> anyhow::Result<()> {
        if let Some(weights) = &mut self.weights {
            weights.add(links)?;
        }
        if let Some(pairs) = &mut self.pairs {
            if !pairs.read()? {
                let lines = links.count_all()?;
                return Err(Error::unequal_lengths(links.name(), lines, pairs.name(), pairs.number()).into());
            }
            add_words(links, pairs)?;
        }
        if let Some(tokens) = &mut self.tokens {
            tokens.carry(links)?;
        }
        if let Some(trees) = &mut self.trees {
            trees.carry(links)?;
        }
        Ok(())
    }

    /// After the last pair: refuses what is left.
    fn finish(&mut self, links: &LinkReader, context: &Context) -> anyhow::Result<()> {
        if let Some(weights) = &mut self.weights {
            weights.finish(links)?;
        }
        if let Some(pairs) = &mut self.pairs {
            pairs.warn_of_blanks(context);
            let lines = pairs.count_all()?;
            if lines != links.number() {
                return Err(Error::unequal_lengths(links.name(), links.number(), pairs.name(), lines).into());
            }
        }
        if let Some(tokens) = &mut self.tokens {
            tokens.finish(links, context)?;
        }
        if let Some(trees) = &mut self.trees {
            trees.finish(links)?;
        }
        Ok(())
    }
}

/// Reads, adds what is beside, writes. `assumed` says that nothing told the format of the links.
fn copy(
    links: &mut LinkReader,
    assumed: bool,
    beside: &mut Beside,
    writer: &mut AlignmentWriter<Output>,
    context: &Context,
) -> anyhow::Result<()> {
    let observer = context.observer();
    observer.started("convert", 0);
    while read(links, assumed)? {
        beside.add(links)?;
        writer.write(links.record())?;
        if links.number().is_multiple_of(CHUNK) {
            observer.advance(CHUNK);
            progress::check(observer)?;
        }
    }
    beside.finish(links, context)?;
    observer.finished("");
    Ok(())
}

/// Goes to the next pair, if there is one.
fn read(links: &mut LinkReader, assumed: bool) -> anyhow::Result<bool> {
    let read = links.read();
    let kind = read.as_ref().err().and_then(|error| error.downcast_ref().map(Error::kind));
    match kind {
        Some(ErrorKind::InvalidUtf8 { .. }) => {
            read.hint("--encoding latin-1 reads Latin-1, the encoding of older corpora such as NLTK's comtrans")
        }
        Some(ErrorKind::Parse { .. }) if assumed => {
            read.hint("the format was not clear from the file name, so it was read as pharaoh; --from gives another")
        }
        _ => read,
    }
}

/// Puts the words of a pair into its record.
fn add_words(links: &mut LinkReader, pairs: &SentencePairs) -> anyhow::Result<()> {
    let words: [TokenList; 2] = [pairs.source().into_iter().collect(), pairs.target().into_iter().collect()];
    links.check_range(words[0].len(), words[1].len())?;
    let position = links.position();
    let [source, target] = words;
    let record = links.record_mut();
    for (own, text, side) in [(&mut record.source, source, "source"), (&mut record.target, target, "target")] {
        if let Some(own) = own.as_ref().filter(|own| own.len() != text.len()) {
            bail!("{position}: {} {side} words, {} in the text", own.len(), text.len());
        }
        *own = Some(text);
    }
    Ok(())
}

impl Args {
    /// The format of the output: as given or as its name suggests, otherwise Pharaoh, unless the links are Pharaoh.
    fn output_format(&self, from: AlignmentFormat) -> anyhow::Result<AlignmentFormat> {
        let suggested = || AlignmentFormat::from_path(&self.output).filter(|format| format.is_written());
        let other = Some(AlignmentFormat::Pharaoh).filter(|&other| other != from);
        let to = self.format.or_else(suggested).or(other).map_or_else(|| unknown(&self.output), Ok)?;
        let words = self.source.is_some()
            || self.bitext.path().is_some()
            || self.tokens.is_given()
            || self.units.has_words()
            || from.has_words();
        if to.needs_words() && !words {
            return Err(anyhow!("the format {} includes the words of the sentences", to.name()))
                .hint("give them with --source FILE --target FILE, or --bitext FILE");
        }
        Ok(to)
    }

    /// Refuses files that would be read twice, or read and written.
    fn check_paths(&self) -> anyhow::Result<()> {
        let texts = [("--weights", &self.weights), ("--source", &self.source), ("--target", &self.target)];
        let texts = texts.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)));
        if self.tokens.is_given() && self.units.has_words() {
            bail!("--units-to and --source-tokens or --target-tokens do not go together: convert twice");
        }
        let texts = texts.chain(self.tokens.paths().map(|(name, path)| Role::new(name, path)));
        let texts = texts.chain(self.bitext.path().map(|path| Role::new("--bitext", path)));
        let texts = texts.chain(self.units.files().map(|(name, path)| Role::new(name, path)));
        let inputs: Vec<Role<'_>> = self.inputs.iter().map(|path| Role::new("INPUT", path)).chain(texts).collect();
        check_distinct(&inputs, &[Role::new("--output", &self.output)])
    }

    fn link_format(&self, sentences: Option<Sentences>) -> LinkFormat {
        let options = LinkReadOptions::default().with(|c| {
            c.base = self.base_from;
            c.threshold = self.threshold.filter(|_| self.weights.is_none());
            c.sentences = sentences;
            c.direction = self.direction.into();
            c.fill_gaps = self.fill_gaps;
            c.utf8 = match self.encoding {
                Encoding::Utf8 => Utf8::Strict,
                Encoding::Latin1 => Utf8::Latin1,
            };
        });
        LinkFormat { format: self.from, options, base_option: "--base-from" }
    }
}

/// Says what was done, and what was lost.
fn tell(read: LinkReadReport, to: AlignmentFormat, written: &LinkWriteReport, tokens: TokenReport, context: &Context) {
    context.report(format_args!("{}, {}", counted(written.pairs, "sentence pair"), counted(written.links, "link")));
    let decimals = if to.needs_words() { "" } else { " (--digits keeps weights)" };
    let lost = [
        (read.below_threshold, "", "link", " below the threshold"),
        (read.null_links, "", "link", " to the NULL word (position 0)"),
        (written.lost_weights, "the weights of ", "link", decimals),
        (written.lost_kinds, "the mark `possible` of ", "link", ""),
        (written.lost_scores, "the scores of ", "pair", ""),
        (written.lost_words, "the words of ", "pair", ""),
        (written.invisible_pairs, "", "pair", " without links (reading needs --sentences)"),
    ];
    let lost = lost.iter().filter(|(number, ..)| *number > 0);
    let tell = |(number, before, noun, behind): &(u64, &str, &str, &str)| {
        format!("{before}{}{behind}", counted(*number, noun))
    };
    let lost: Vec<String> = lost.map(tell).chain(tokens.described()).collect();
    if !lost.is_empty() {
        context.report(format_args!("left out: {}", lost.join(", ")));
    }
}

fn unknown(output: &Path) -> anyhow::Result<AlignmentFormat> {
    let written = AlignmentFormat::ALL.into_iter().filter(|format| format.is_written());
    let names = written.map(AlignmentFormat::name).collect::<Vec<_>>().join(", ");
    Err(anyhow!("{}: cannot infer the format of the output from the file name", output.display()))
        .hint(format!("--format FORMAT, one of {names}"))
}
