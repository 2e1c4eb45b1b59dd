//! `alinea project labels`: carries labels, such as names, over to the translation.
//!
//! The source is a file in columns with a tag for each word; the target is text with one sentence a line, or has columns too. Links
//! come from `word_links`, what is done with them is `alinea::project::labels`. The target is written in columns, with tags in the
//! scheme of the source. `--report` says of each label what became of it.

use std::path::{Path, PathBuf};

use alinea::error::ErrorKind;
use alinea::format::columns::{self, Choice, ColumnText};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::sink::{self, Output};
use alinea::format::source::plain_name;
use alinea::labels::{LabeledSpan, Scheme};
use alinea::parallel::Work;
use alinea::project::labels::{LabelConfig, LabeledPair, Loss, Method, ProjectedLabels, project};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::word_links::LinkSourceArgs;
use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::paths::{Role, check_distinct};
use crate::input::trees::unequal;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Carry labels of words, such as the names in a text, over to its translation.

Examples:
  alinea project labels names.en.iob2 text.de > names.de.iob2
                                         align the words, and label the German ones
  alinea project labels names.en.iob2 text.de --add more.en more.de -o names.de.iob2 --report report.jsonl
                                         with more text to learn from; say what became of each label
  alinea project labels names.en.iob2 text.de -m en-de.alinea
  alinea project labels names.en.iob2 text.de --links posteriors.txt
                                         links of a saved model, or of a file";

const AFTER_LONG_HELP: &str = "\
The source has a word per line, a blank line after each sentence, and columns separated by tabs or blanks, one of \
which has tags: O, B-PER, I-PER (IOB1, IOB2, BIOES and BILOU are understood). The target has one sentence per line, \
words separated by blanks; a file whose name ends in .iob, .iob1, .iob2, .bio, .bioes, .conll or .tsv has columns, too.";

/// Carry labels of words, such as names, over to the translation
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Source words with their tags, in columns
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Target sentences
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    #[command(flatten)]
    links: LinkSourceArgs,
    /// How a label finds its words
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = "consistent", help_heading = "Labels")]
    method: Method,
    /// Leave out labels with less confidence, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Labels")]
    min_confidence: f32,
    /// Minimum confidence of a link, for hull, longest and all
    #[arg(long, value_name = "P", default_value_t = 0.36, help_heading = "Labels", rare = true)]
    threshold: f32,
    /// Column of the source words [default: the first, or the second behind numbers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Reading")]
    words: Option<u32>,
    /// Column of the tags [default: the last one that has nothing else]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Reading")]
    tags: Option<u32>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Scheme of the tags [default: that of the source]
    #[arg(long, value_name = "SCHEME", value_parser = schemes(), help_heading = "Output")]
    scheme: Option<Scheme>,
    /// Output file with a JSON line for each source label: where it is in the target, or why it is not
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

fn schemes() -> impl TypedValueParser<Value = Scheme> {
    PossibleValuesParser::new(Scheme::ALL.map(Scheme::name)).try_map(|name| name.parse::<Scheme>())
}

/// The target sentences.
enum Target {
    Lines { name: String, lines: Vec<String> },
    Columns(ColumnText),
}

impl Target {
    fn open(path: &Path) -> anyhow::Result<Self> {
        const OF_COLUMNS: [&str; 7] = ["iob", "iob1", "iob2", "bio", "bioes", "conll", "tsv"];
        let name = path.to_string_lossy();
        let name = plain_name(&name);
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| OF_COLUMNS.contains(&extension)) {
            return Ok(Self::Columns(columns::read(LineReader::open(path, Utf8::Strict)?, Choice::default())?));
        }
        let mut reader = LineReader::open(path, Utf8::Strict)?.of_sentences(alinea::format::blanks::Blanks::Ascii);
        let (mut line, mut lines) = (String::new(), Vec::new());
        while reader.read_into(&mut line)? {
            if line.trim_ascii().is_empty() {
                let message = format!("{}: a sentence without words, which columns cannot have", reader.position(0));
                return Err(alinea::error::Error::from(ErrorKind::Inconsistent(message)).into());
            }
            lines.push(line.clone());
        }
        Ok(Self::Lines { name: reader.name().to_owned(), lines })
    }

    fn name(&self) -> &str {
        match self {
            Self::Lines { name, .. } => name,
            Self::Columns(text) => &text.name,
        }
    }

    fn sentences(&self) -> Vec<Vec<&str>> {
        match self {
            Self::Lines { lines, .. } => lines.iter().map(|line| line.split_ascii_whitespace().collect()).collect(),
            Self::Columns(text) => (0..text.sentences.len()).map(|number| text.words(number).collect()).collect(),
        }
    }

    /// Adds a sentence with tags to what is written.
    fn write(&self, number: usize, words: &[&str], tags: &[String], file: &mut String) -> anyhow::Result<()> {
        match self {
            Self::Lines { .. } => columns::write_words(words.iter().copied(), tags, file)?,
            Self::Columns(text) => text.write_tagged(number, tags, file),
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    args.links.check()?;
    let (observer, parallelism) = (context.observer(), args.threads.parallelism()?);
    let column = |number: Option<u32>| number.map(|number| number as usize - 1);
    let choice = Choice { words: column(args.words), tags: column(args.tags) };
    let text = columns::read(LineReader::open(&args.source, Utf8::Strict)?, choice)?;
    let (spans, scheme) = (text.spans()?, text.scheme()?);
    let target = Target::open(&args.target)?;
    let mut output = sink::create(&args.output)?;
    let mut report = args.report.as_deref().map(sink::create).transpose()?;

    let source: Vec<Vec<&str>> = (0..spans.len()).map(|number| text.words(number).collect()).collect();
    let sentences = target.sentences();
    if source.len() != sentences.len() {
        return Err(unequal(&text.name, source.len() as u64, target.name(), sentences.len() as u64).into());
    }
    let links = args.links.links(&text.name, [&source, &sentences], Work { parallelism: &parallelism, observer })?;
    let pairs: Vec<LabeledPair<'_>> = (0..source.len())
        .map(|n| LabeledPair {
            source: source[n].clone(),
            target: sentences[n].clone(),
            spans: &spans[n],
            links: &links[n],
        })
        .collect();
    let config = LabelConfig::default().with(|config| {
        config.method = args.method;
        config.threshold = args.threshold;
        config.min_confidence = args.min_confidence;
    });
    let found = project(&pairs, &config, &parallelism)?;

    let scheme = args.scheme.or(scheme).unwrap_or(Scheme::Iob2);
    let (mut file, mut totals) = (String::new(), Totals::default());
    for (number, (pair, found)) in pairs.iter().zip(found).enumerate() {
        let found = found.apart();
        let of = |label: usize| pair.spans[label].label.as_str();
        let labels: Vec<LabeledSpan> =
            found.spans.iter().map(|span| LabeledSpan::new(span.words.clone(), of(span.source))).collect();
        target.write(number, &pair.target, &scheme.tags(pair.target.len(), &labels)?, &mut file)?;
        output.write_bytes(file.as_bytes())?;
        file.clear();
        if let Some(report) = &mut report {
            write_report(report, number + 1, pair, &found)?;
        }
        totals.add(pair, &found);
    }
    output.finish()?;
    if let Some(report) = report {
        report.finish()?;
    }
    totals.tell(context);
    Ok(())
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let inputs = [("SOURCE", self.source.as_path()), ("TARGET", self.target.as_path())].into_iter();
        let inputs: Vec<Role<'_>> =
            inputs.chain(self.links.paths()).map(|(name, path)| Role::new(name, path)).collect();
        let outputs = [("--output", Some(self.output.as_path())), ("--report", self.report.as_deref())];
        let outputs: Vec<Role<'_>> =
            outputs.into_iter().filter_map(|(name, path)| Some(Role::new(name, path?))).collect();
        check_distinct(&inputs, &outputs)
    }
}

/// A line for each label of a pair.
fn write_report(
    report: &mut Output,
    number: usize,
    pair: &LabeledPair<'_>,
    found: &ProjectedLabels,
) -> anyhow::Result<()> {
    for (label, span) in pair.spans.iter().enumerate() {
        let stretches: Vec<_> = found.spans.iter().filter(|found| found.source == label).collect();
        let lost = found.lost.iter().find(|(lost, _)| *lost == label).map(|(_, why)| why.name());
        let line = json!({
            "pair": number,
            "label": span.label,
            "source": [span.words.start, span.words.end],
            "target": stretches.iter().map(|found| [found.words.start, found.words.end]).collect::<Vec<_>>(),
            "confidence": stretches.iter().map(|found| found.confidence).collect::<Vec<_>>(),
            "lost": lost,
        });
        report.write_bytes(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

/// What is reported.
#[derive(Default)]
struct Totals {
    pairs: u64,
    labels: u64,
    twice: u64,
    lost: [u64; LOSSES.len()],
}

const LOSSES: [Loss; 4] = [Loss::Unlinked, Loss::Weak, Loss::Taken, Loss::Unconfident];

impl Totals {
    fn add(&mut self, pair: &LabeledPair<'_>, found: &ProjectedLabels) {
        self.pairs += 1;
        self.labels += pair.spans.len() as u64;
        let places = |label: usize| found.spans.iter().filter(|span| span.source == label).count();
        self.twice += (0..pair.spans.len()).filter(|&label| places(label) > 1).count() as u64;
        for (lost, loss) in self.lost.iter_mut().zip(LOSSES) {
            *lost += found.lost.iter().filter(|(_, why)| *why == loss).count() as u64;
        }
    }

    fn tell(&self, context: &Context) {
        let Self { pairs, labels, twice, lost } = *self;
        let all_lost: u64 = lost.iter().sum();
        let reasons = || lost.into_iter().zip(LOSSES).filter(|(number, _)| *number > 0);
        let why: Vec<String> = reasons().map(|(number, loss)| format!("{number} {}", loss.name())).collect();
        let why = if why.is_empty() { String::new() } else { format!(": {}", why.join(", ")) };
        let again = if twice > 0 { format!(", {twice} of them in more than one place") } else { String::new() };
        let text = format!(
            "pairs      {pairs}\nlabels     {labels}\ncarried    {}{again}\nlost       {all_lost}{why}",
            labels - all_lost
        );
        let lost: serde_json::Map<String, Value> =
            lost.into_iter().zip(LOSSES).map(|(number, loss)| (loss.name().to_owned(), number.into())).collect();
        let carried = labels - all_lost;
        let numbers = json!({"pairs": pairs, "labels": labels, "carried": carried, "again": twice, "lost": lost});
        context.summary(&text, &numbers);
    }
}
