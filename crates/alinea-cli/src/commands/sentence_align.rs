//! `alinea sentence-align`: sentence alignment by length (Gale and Church 1993).
//!
//! Reads both texts whole, a sentence a line. Blank lines end paragraphs, or a mark does, or the text is one paragraph;
//! both texts must have as many. Paragraphs are aligned one by one: the result is the sequence of groups with the
//! lowest total cost, the negative log probability of the lengths and of the kind of group. Kinds are 1-1, 1-0, 0-1,
//! 2-1, 1-2, 2-2, and beyond the published model 3-1, 1-3, 4-1 and 1-4; `--max-sentences 2` leaves these out. Lengths
//! are in characters or bytes.
//!
//! Writes a line for each group, as `--format` says: the numbers of its sentences from 0, the sentences themselves, or
//! JSON with the cost.
//! Warns if the lengths fit badly over the whole text, and reports how many groups of each kind there are.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use alinea::format::blanks::Blanks;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::paragraphs::{LengthUnit, ParagraphEnd, Paragraphs};
use alinea::format::sink;
use alinea::sentence_align::{Bead, GaleChurchConfig, Misfit, Priors, SentenceAligner};
use anyhow::anyhow;
use clap::ValueEnum;
use serde_json::json;

use crate::context::Context;
use crate::failure::WithHint;
use crate::input::kind::{FormatArgs, JsonKind, Rare as _};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::advise;

const LONG_ABOUT: &str = "\
Align the sentences of two texts by their lengths (Gale and Church 1993). Both texts have one \
sentence per line; their numbers of lines may differ.

Examples:
  alinea sentence-align book.en book.fr -o groups
                                         lines `0,1<TAB>0`: source 0 and 1, target 0
  alinea sentence-align book.en book.fr --format text -o book.tsv
                                         the sentences themselves, side by side
  alinea align --bitext book.tsv --columns 1,2 > links
                                         then align the words
  alinea sentence-align a.de a.en --paragraph '<p>' --format json
                                         paragraphs end with a marker line";

const AFTER_LONG_HELP: &str = "\
Each line of the output is a group of sentences that translate each other: 0 to 4 of the source, a tab, 0 to 4 of the \
target; more than one on both sides only as 2-2. Sentences are numbered from 0 over the whole text; lines that end \
paragraphs are not counted. Both texts must have the same number of paragraphs; groups do not cross paragraph \
boundaries.

The model uses only lengths. If these fit badly over the whole text, a warning is printed: sentences may be in another \
order, more than four of them may correspond to one, or the target may be longer or shorter throughout (--ratio).";

/// Align the sentences of two texts
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Source text, one sentence per line (- for standard input)
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Target text
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    format: FormatArgs<Form>,
    /// The former name of --format text
    #[arg(long, hide = true, conflicts_with_all = ["format", "json"])]
    text: bool,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    model: ModelArgs,
}

/// How groups are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The numbers of the sentences
    Numbers,
    /// The sentences, joined by spaces; tabs become spaces
    Text,
    /// A JSON object for each group, with its cost (negative log probability)
    Json,
}

impl JsonKind for Form {
    const JSON: Self = Self::Json;
    const DEFAULT: &'static str = "numbers";
}

/// How the texts are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
struct ReadingArgs {
    /// Line that ends a paragraph [default: blank line]
    #[arg(long, value_name = "MARK", conflicts_with = "no_paragraphs")]
    paragraph: Option<String>,
    /// Treat the whole text as one paragraph, and blank lines as sentences
    #[arg(long)]
    no_paragraphs: bool,
    /// Replace invalid UTF-8 instead of failing
    #[arg(long, rare = true)]
    lossy: bool,
}

/// What is known of lengths.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Lengths")]
struct ModelArgs {
    /// Unit of length
    #[arg(long, value_name = "UNIT", value_enum, default_value_t = Unit::Characters, rare = true)]
    unit: Unit,
    /// Expected target length per unit of source length
    #[arg(long, value_name = "RATIO", default_value_t = GaleChurchConfig::default().ratio, allow_negative_numbers = true)]
    ratio: f64,
    /// Variance of the target length per unit of source length
    #[arg(long, value_name = "VARIANCE", default_value_t = GaleChurchConfig::default().variance,
        allow_negative_numbers = true)]
    #[arg(rare = true)]
    variance: f64,
    /// Maximum number of sentences on each side of a group, 1 to 4; 2 is the published model
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=4))]
    max_sentences: u8,
}

/// What lengths are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unit {
    /// Unicode characters
    Characters,
    /// Bytes of UTF-8
    Bytes,
}

/// Aligns.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let inputs = [Role::new("SOURCE", &args.source), Role::new("TARGET", &args.target)];
    check_distinct(&inputs, &[Role::new("--output", &args.output)])?;
    let ModelArgs { ratio, variance, max_sentences, .. } = args.model;
    let priors = Priors::up_to(max_sentences.into());
    let mut aligner = SentenceAligner::new(GaleChurchConfig::default().with(|c| {
        c.ratio = ratio;
        c.variance = variance;
        c.priors = priors;
    }))?;
    let source = args.reading.read(&args.source)?;
    let target = args.reading.read(&args.target)?;
    args.check_paragraphs(&source, &target)?;
    let mut output = sink::create(&args.output)?;
    let unit = match args.model.unit {
        Unit::Characters => LengthUnit::Characters,
        Unit::Bytes => LengthUnit::Bytes,
    };
    let observer = context.observer();
    observer.started("align sentences", 0);
    let lengths = [source.lengths(unit), target.lengths(unit)];
    let beads = aligner.align_paragraphs(&lengths[0], &lengths[1], observer)?;
    observer.finished("");
    for bead in &beads {
        output.write_bytes(args.line(bead, &source, &target).as_bytes())?;
    }
    output.finish()?;
    if let Some(misfit) = Misfit::of(&beads, [&lengths[0], &lengths[1]], ratio) {
        let advice = misfit.ratio.map_or_else(String::new, |ratio| format!(": --ratio {ratio:.2}"));
        context.warn(format_args!("{misfit}{advice}"));
    }
    tell(&beads, &source, &target, context);
    Ok(())
}

impl Args {
    fn form(&self) -> Form {
        if self.text { Form::Text } else { self.format.get() }
    }

    /// A line of the output.
    fn line(&self, bead: &Bead, source: &Paragraphs, target: &Paragraphs) -> String {
        match self.form() {
            Form::Numbers => format!("{bead}\n"),
            Form::Text => {
                let joined = |sentences: &[String]| sentences.join(" ").replace('\t', " ");
                let sides = [&source.sentences()[bead.source.clone()], &target.sentences()[bead.target.clone()]];
                let [source, target] = sides.map(joined);
                format!("{source}\t{target}\n")
            }
            Form::Json => {
                let numbers = |range: &std::ops::Range<usize>| range.clone().collect::<Vec<_>>();
                let value =
                    json!({"source": numbers(&bead.source), "target": numbers(&bead.target), "cost": bead.cost});
                format!("{value}\n")
            }
        }
    }

    fn check_paragraphs(&self, source: &Paragraphs, target: &Paragraphs) -> anyhow::Result<()> {
        if source.len() == target.len() {
            return Ok(());
        }
        for (path, text, other) in [(&self.source, source, target), (&self.target, target, source)] {
            if text.is_empty() {
                let others = counted(other.sentences().len() as u64, "sentence");
                let message = anyhow!("{} has no sentences, the other text has {others}", path.display());
                return Err(message).hint("--no-paragraphs makes each untranslated sentence a group of its own");
            }
        }
        let paragraphs = |path: &Path, text: &Paragraphs| {
            format!("{} has {}", path.display(), counted(text.len() as u64, "paragraph"))
        };
        let message = anyhow!("{}, {}", paragraphs(&self.source, source), paragraphs(&self.target, target));
        Err(message).hint("both texts must have the same number; --no-paragraphs treats each text as one paragraph")
    }
}

impl ReadingArgs {
    fn read(&self, path: &Path) -> anyhow::Result<Paragraphs> {
        let end = match &self.paragraph {
            Some(mark) => ParagraphEnd::Line(mark.clone()),
            None if self.no_paragraphs => ParagraphEnd::Nothing,
            None => ParagraphEnd::BlankLines,
        };
        let policy = if self.lossy { Utf8::Lossy } else { Utf8::Strict };
        let read = LineReader::open(path, policy)
            .and_then(|lines| Paragraphs::read(&mut lines.of_sentences(Blanks::Ascii), &end));
        read.map_err(advise)
    }
}

/// Says how many sentences became how many groups, of which kinds.
fn tell(beads: &[Bead], source: &Paragraphs, target: &Paragraphs, context: &Context) {
    let mut kinds = String::new();
    let order = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (4, 1), (1, 4)];
    for (sources, targets) in order {
        let of_kind = |bead: &&Bead| (bead.source.len(), bead.target.len()) == (sources, targets);
        let number = beads.iter().filter(of_kind).count();
        if number > 0 {
            let separator = if kinds.is_empty() { " (" } else { ", " };
            // A String takes whatever is written.
            let _ = write!(kinds, "{separator}{number} of {sources}-{targets}");
        }
    }
    if !kinds.is_empty() {
        kinds.push(')');
    }
    context.report(format_args!(
        "{} and {}, {}: {}{kinds}",
        source.sentences().len(),
        counted(target.sentences().len() as u64, "sentence"),
        counted(source.len() as u64, "paragraph"),
        counted(beads.len() as u64, "group"),
    ));
}
