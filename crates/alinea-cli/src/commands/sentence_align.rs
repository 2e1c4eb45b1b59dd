//! `alinea sentence-align`: sentence alignment by length (Gale and Church 1993), and by a model, a dictionary or an encoder.
//!
//! Reads both texts whole, a sentence a line. Blank lines end paragraphs, or a mark does, or the text is one paragraph;
//! both texts must have as many. Paragraphs are aligned one by one: the result is the sequence of groups with the
//! lowest total cost, the negative log probability of the lengths and of the kind of group. Kinds are 1-1, 1-0, 0-1,
//! 2-1, 1-2, 2-2, and beyond the published model 3-1, 1-3, 4-1 and 1-4; `--max-sentences 2` leaves these out. Lengths
//! are in characters or bytes.
//!
//! A model, a dictionary or an encoder is evidence besides lengths, and the search is not exact then: `SentenceEvidence` of the
//! library.
//!
//! Writes a line for each group, as `--format` says: the numbers of its sentences from 0, with or without its confidence, the
//! sentences themselves, or JSON. `--gold` compares the groups with those of a file.
//! Warns if the lengths fit badly over the whole text, and reports how many groups of each kind there are.

mod evidence;

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use alinea::error::ErrorKind;
use alinea::format::blanks::Blanks;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::paragraphs::{LengthUnit, ParagraphEnd, Paragraphs};
use alinea::format::sentence_groups::{self, SentenceGroup};
use alinea::format::sink;
use alinea::parallel::Work;
use alinea::sentence_align::{ConfidentBead, GaleChurchConfig, GroupCounts, GroupScores, Priors, check_paragraphs};
use alinea::sentences::SentenceAlignment;
use anyhow::{anyhow, bail};
use clap::ValueEnum;
use serde_json::json;

use self::evidence::{EvidenceArgs, Opened};
use crate::context::Context;
use crate::failure::{WithHint, hinted};
use crate::input::kind::{FormatArgs, JsonKind, Rare as _};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::advise;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Align the sentences of two texts by their lengths (Gale and Church 1993) and, if given, by a trained \
model, a dictionary or an encoder. Both texts have one sentence per line; their numbers of lines may differ.

Examples:
  alinea sentence-align book.en book.fr -o groups
                                         lines `0,1<TAB>0`: source 0 and 1, target 0
  alinea sentence-align book.en book.fr --format text -o book.tsv
                                         the sentences themselves, side by side
  alinea align --bitext book.tsv --columns 1,2 > links
                                         then align the words
  alinea sentence-align a.de a.en --paragraph '<p>' --format json
                                         paragraphs end with a marker line
  alinea sentence-align book.en book.fr -m en-fr.alinea --format scored
                                         compare words by a model of `alinea train`, write confidences
  alinea sentence-align book.en book.fr --encoder intfloat/multilingual-e5-small --gold gold.tsv
                                         compare sentence vectors, evaluate";

const AFTER_LONG_HELP: &str = "\
Each line of the output is a group of sentences that translate each other: 0 to 4 of the source, a tab, 0 to 4 of the \
target; more than one on both sides only as 2-2. Sentences are numbered from 0 over the whole text; lines that end \
paragraphs are not counted. Both texts must have the same number of paragraphs; groups do not cross paragraph \
boundaries.

Lengths cannot find sentences that have no translation: use -m, --dictionary or --encoder for texts where some were left \
out. How much these say is learned from the texts. The search then follows pairs of sentences that clearly belong \
together, and takes time proportional to the length of the texts. Words are compared in the form of the model, and \
without a model split at the word boundaries of Unicode and in lowercase. Sentences in another order in one text \
are left out or misaligned.

The confidence of a group is its probability given both texts.

--gold reads lines `0,1<TAB>0` as written here, or `[0, 1]:[0]`, with all sentences numbered from 0. Scores are strict (a \
group must be the same as a gold group) and lax (it must share a sentence with a gold group on both sides). Precision \
includes groups with an empty side, recall does not.

If lengths fit badly over the whole text, a warning is printed: sentences may be in another \
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
    #[command(flatten)]
    evidence: EvidenceArgs,
    /// Gold groups: report precision, recall and F
    #[arg(long, value_name = "FILE", help_heading = "Evaluation")]
    gold: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// How groups are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The numbers of the sentences
    Numbers,
    /// The numbers of the sentences, a tab, and the confidence
    Scored,
    /// The sentences, joined by spaces; tabs become spaces
    Text,
    /// A JSON object for each group, with its confidence and its cost: the negative log probability, which may be below 0 with
    /// -m, --dictionary or --encoder
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
    args.check_files()?;
    let ModelArgs { ratio, variance, max_sentences, .. } = args.model;
    let priors = Priors::up_to(max_sentences.into());
    let config = GaleChurchConfig::default().with(|c| {
        c.ratio = ratio;
        c.variance = variance;
        c.priors = priors;
    });
    config.validate()?;
    let parallelism = args.threads.parallelism()?;
    let evidence = Opened::open(&args.evidence, args.reading.utf8())?;
    let source = args.reading.read(&args.source)?;
    let target = args.reading.read(&args.target)?;
    check_texts(&source, &target)?;
    let gold = args.gold.as_deref().map(|path| read_gold(path, [&source, &target])).transpose()?;
    let mut output = sink::create(&args.output)?;
    let unit = match args.model.unit {
        Unit::Characters => LengthUnit::Characters,
        Unit::Bytes => LengthUnit::Bytes,
    };
    let work = Work { parallelism: &parallelism, observer: context.observer() };
    let confidences = matches!(args.form(), Form::Scored | Form::Json);
    let SentenceAlignment { beads, misfit } = evidence.align(config, [&source, &target], unit, confidences, work)?;
    for found in &beads {
        output.write_bytes(args.line(found, &source, &target).as_bytes())?;
    }
    output.finish()?;
    if let Some(misfit) = misfit {
        let advice = misfit.ratio.map_or_else(String::new, |ratio| format!(": --ratio {ratio:.2}"));
        context.warn(format_args!("{misfit}{advice}"));
    }
    tell(&beads, &source, &target, context);
    if let Some(gold) = gold {
        let group = |ConfidentBead { bead, .. }: &ConfidentBead| SentenceGroup {
            source: bead.source.clone().collect(),
            target: bead.target.clone().collect(),
        };
        let groups: Vec<SentenceGroup> = beads.iter().map(group).collect();
        context.answer(scores(GroupScores::of(&groups, &gold)));
    }
    Ok(())
}

/// Refuses texts of which one has more paragraphs.
fn check_texts(source: &Paragraphs, target: &Paragraphs) -> anyhow::Result<()> {
    check_paragraphs([source.len(), target.len()]).map_err(|error| {
        let hint = if matches!(error.kind(), ErrorKind::Empty(_)) {
            "--no-paragraphs makes each untranslated sentence a group of its own"
        } else {
            "both texts must have the same number; --no-paragraphs treats each text as one paragraph"
        };
        hinted(error, hint)
    })
}

/// Reads gold groups, and refuses those of sentences that there are not.
fn read_gold(path: &Path, texts: [&Paragraphs; 2]) -> anyhow::Result<Vec<SentenceGroup>> {
    let gold = sentence_groups::read(LineReader::open(path, Utf8::Strict)?)?;
    for (number, group) in (1..).zip(&gold) {
        for ((name, text), side) in ["source", "target"].into_iter().zip(texts).zip([&group.source, &group.target]) {
            let sentences = text.sentences().len();
            if let Some(beyond) = side.iter().find(|&&sentence| sentence >= sentences) {
                let has = counted(sentences as u64, "sentence");
                let path = path.display();
                let message = anyhow!("{path}:{number}:1: the {name} has no sentence {beyond} (it has {has})");
                return Err(message).hint("sentences are numbered from 0; lines that end paragraphs are not counted");
            }
        }
    }
    if gold.is_empty() {
        bail!("{}: no groups", path.display());
    }
    Ok(gold)
}

/// Precision, recall and F in percent; a dash where there is none.
fn scores(scores: GroupScores) -> String {
    let line = |name: &str, counts: GroupCounts| {
        let percent =
            |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{:.2}", 100.0 * share));
        let [precision, recall, f] = [Some(counts.precision()), counts.recall(), counts.f()].map(percent);
        format!("{name}  precision {precision:>6}  recall {recall:>6}  F {f:>6}")
    };
    format!("{}\n{}", line("strict", scores.strict), line("lax   ", scores.lax))
}

impl Args {
    fn form(&self) -> Form {
        if self.text { Form::Text } else { self.format.get() }
    }

    /// Refuses files that would be read twice, written twice, or read and written.
    fn check_files(&self) -> anyhow::Result<()> {
        let gold = self.gold.as_deref().map(|path| Role::new("--gold", path));
        let texts = [Role::new("SOURCE", &self.source), Role::new("TARGET", &self.target)];
        let inputs: Vec<Role<'_>> = texts.into_iter().chain(gold).chain(self.evidence.inputs()).collect();
        let outputs: Vec<Role<'_>> =
            std::iter::once(Role::new("--output", &self.output)).chain(self.evidence.cache()).collect();
        check_distinct(&inputs, &outputs)
    }

    /// A line of the output.
    fn line(
        &self,
        ConfidentBead { bead, confidence }: &ConfidentBead,
        source: &Paragraphs,
        target: &Paragraphs,
    ) -> String {
        match self.form() {
            Form::Numbers => format!("{bead}\n"),
            Form::Scored => format!("{bead}\t{confidence:.4}\n"),
            Form::Text => {
                let joined = |sentences: &[String]| sentences.join(" ").replace('\t', " ");
                let sides = [&source.sentences()[bead.source.clone()], &target.sentences()[bead.target.clone()]];
                let [source, target] = sides.map(joined);
                format!("{source}\t{target}\n")
            }
            Form::Json => {
                let numbers = |range: &Range<usize>| range.clone().collect::<Vec<_>>();
                let (source, target) = (numbers(&bead.source), numbers(&bead.target));
                let value = json!({"source": source, "target": target, "cost": bead.cost, "confidence": confidence});
                format!("{value}\n")
            }
        }
    }
}

impl ReadingArgs {
    /// What happens to bytes that are not UTF-8.
    fn utf8(&self) -> Utf8 {
        if self.lossy { Utf8::Lossy } else { Utf8::Strict }
    }

    fn read(&self, path: &Path) -> anyhow::Result<Paragraphs> {
        let end = match &self.paragraph {
            Some(mark) => ParagraphEnd::Line(mark.clone()),
            None if self.no_paragraphs => ParagraphEnd::Nothing,
            None => ParagraphEnd::BlankLines,
        };
        let read = LineReader::open(path, self.utf8())
            .and_then(|lines| Paragraphs::read(&mut lines.of_sentences(Blanks::Ascii), &end));
        read.map_err(advise)
    }
}

/// Says how many sentences became how many groups, of which kinds.
fn tell(beads: &[ConfidentBead], source: &Paragraphs, target: &Paragraphs, context: &Context) {
    let mut kinds = String::new();
    let order = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (4, 1), (1, 4)];
    for (sources, targets) in order {
        let of_kind = |found: &&ConfidentBead| (found.bead.source.len(), found.bead.target.len()) == (sources, targets);
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
