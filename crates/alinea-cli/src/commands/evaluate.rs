//! `alinea evaluate`: alignments against a gold standard.
//!
//! Reads the gold standard, a file for each annotator; a hypothesis, or a baseline and a system; and, if given, the
//! sentences and what `--breakdown` needs (`attributes`). Counts are pooled over all sentences (Och and Ney 2003). With
//! A the links of the hypothesis, S the sure and P all links of the gold standard:
//!
//! ```text
//! precision = |A ∩ P| / |A|        AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
//! recall    = |A ∩ S| / |S|        F = 1 / (α / precision + (1 - α) / recall)
//! ```
//!
//! Writes to standard output, as text or as one JSON object: the scores with bootstrap intervals, for two hypotheses
//! also the differences, system minus baseline, and p-values; the sentences with most errors (`worst`); the breakdowns;
//! and the agreement of the annotators, if there are several. `--references` says how a hypothesis is compared with
//! several annotations.

mod attributes;
mod worst;

use std::path::{Path, PathBuf};

use alinea::alignment::Alignment;
use alinea::evaluate::{
    AgreementOptions, Attribute, Breakdown, CorpusSize, LinkKinds, Options, References, TableStyle, breakdown,
    compare_annotations, evaluate_annotations,
};
use alinea::format::bitext::BitextSource;
use alinea::format::sink;
use alinea::progress;
use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use self::attributes::BreakdownArgs;
use self::worst::Worst;
use super::agreement::people;
use super::report::tables;
use crate::context::Context;
use crate::input::annotated::{AnnotatedText, AnnotatedTextOptions, NamedFile, PanelArgs};
use crate::input::kind::{FormatArgs, Rare as _, TextKind};
use crate::input::links::LinkArgs;
use crate::input::pairs::BitextFileArgs;
use crate::input::paths::{Role, check_distinct};
use crate::input::resampling::ResamplingArgs;
use crate::input::sentences::BlanksArgs;

const LONG_ABOUT: &str = "\
Evaluate alignments against a gold standard: precision, recall, F and alignment error rate (AER).

Examples:
  alinea evaluate --gold gold.align links
  alinea evaluate --gold gold.align old new         is the new system better than the old one?
  alinea evaluate --gold test.wpt links --sentences 447
                                                    a gold standard in NAACL format
  alinea evaluate --gold gold.align links --source text.en --target text.fr
                                                    the worst sentences with their words
  alinea evaluate --gold anna=a.align --gold ben=b.align links
                                                    two annotators linked the text
  alinea evaluate --gold gold.align links --breakdown fertility
                                                    where are the errors?
  alinea evaluate --gold gold.align old new --json > news.json
                                                    gains, for the tables of alinea report
  alinea align text.en text.fr | alinea evaluate --gold gold.align - --first
                                                    gold links of the first lines of the text";

const AFTER_LONG_HELP: &str = "\
In the gold standard, `0-1` is a sure link and `0p1` (or `0?1`) a link that is only possible. With A the links of the \
hypothesis, S the sure links and P all links of the gold standard:

  precision = |A and P| / |A|
  recall = |A and S| / |S|
  AER = 1 - (|A and S| + |A and P|) / (|A| + |S|)
  F = 1 / (alpha / precision + (1 - alpha) / recall)

Counts are pooled over all sentences (Och and Ney 2003). Scores are percentages on the screen and fractions in JSON; \
positions in the output are from 0. The last line of the table is a signature of every choice that changes the \
numbers. With fewer than 300 sentences, the smallest size Koehn (2004) tested, a warning says that intervals and tests \
may be unreliable; a single sentence gets neither.

A second hypothesis is compared with the first, the baseline: differences are system minus baseline, so a better \
system has a negative difference in AER and positive ones in the other scores. p is that of the paired bootstrap.

If the gold standard has fewer lines than the hypotheses, the first lines are evaluated, and a warning says how many.

If several annotators linked the same sentences, give --gold for each. With --references instances, a hypothesis is \
scored against each annotation of a sentence; with best, against the one with the highest F; with union, against one \
gold standard in which links of all annotators are sure and links of any annotator possible. Only sentences an \
annotator actually annotated count: --annotators or --skip-empty says which. Agreement is reported with the scores \
(see alinea agreement).

--breakdown sorts the links of hypothesis and gold standard into buckets and scores each. frequency: how often the \
word occurs in a text, with one table for source and one for target words; pos: the tag of the word; distance: |i/I - \
j/J| for the link from the i-th of I words to the j-th of J words; fertility: how many gold links the word has, 0 for \
wrong links to words that should have none.";

const USAGE: &str = "alinea evaluate [OPTIONS] --gold <FILE> <LINKS> [SYSTEM]";

/// Evaluate alignments against a gold standard
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP, override_usage = USAGE)]
#[command(mut_arg("annotators", |arg| arg.rare(true)), mut_arg("skip_empty", |arg| arg.rare(true)))]
pub(crate) struct Args {
    /// Links to evaluate (- for standard input); with SYSTEM, those of the baseline
    #[arg(value_name = "LINKS")]
    hypothesis: PathBuf,
    /// Links of a system, to compare with the baseline
    #[arg(value_name = "SYSTEM")]
    system: Option<PathBuf>,
    /// Gold standard, FILE or NAME=FILE; may be given several times for several annotators
    #[arg(short, long, value_name = "FILE", required = true, value_parser = NamedFile::parser())]
    gold: Vec<NamedFile>,
    /// Evaluate the first lines, as many as the gold standard has, without a warning
    #[arg(long)]
    first: bool,
    /// Count only links between words that both have a gold link
    #[arg(long)]
    annotated_only: bool,
    /// Show the N sentences with the most errors
    #[arg(long, value_name = "N", default_value_t = 5)]
    worst: usize,
    #[command(flatten)]
    format: FormatArgs<TextKind>,
    /// Weight of precision in F, from 0 to 1
    #[arg(long, value_name = "ALPHA", default_value_t = 0.5, rare = true)]
    alpha: f64,
    /// How to compare a hypothesis with several annotators: instances, best or union
    #[arg(long, value_name = "HOW", default_value = References::default().name(), value_parser = references_parser(),
        help_heading = "Annotators", hide_possible_values = true)]
    references: References,
    #[command(flatten)]
    panel: PanelArgs,
    #[command(flatten)]
    breakdown: BreakdownArgs,
    #[command(flatten)]
    resampling: ResamplingArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

fn references_parser() -> impl TypedValueParser<Value = References> {
    PossibleValuesParser::new(References::ALL.map(References::name)).try_map(|name| name.parse::<References>())
}

/// How the files are read. The links are those of the hypotheses, and the help says so.
#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Reading",
    mut_arg("links_format", |arg| arg.help("Format of the hypotheses [default: by file name or content]")),
    mut_arg("links_base", |arg| {
        arg.help("Index of first words in hypotheses [default: 0 in pharaoh, comtrans and jsonl, 1 in talp and naacl]")
    }),
)]
struct ReadingArgs {
    /// Tokenized source sentences: links outside the sentences are errors, and errors are shown with their words
    #[arg(long, value_name = "FILE", requires = "target")]
    source: Option<PathBuf>,
    /// Tokenized target sentences
    #[arg(long, value_name = "FILE", requires = "source")]
    target: Option<PathBuf>,
    #[command(flatten)]
    bitext: BitextFileArgs,
    #[command(flatten)]
    blanks: BlanksArgs,
    #[command(flatten)]
    links: LinkArgs,
}

impl Args {
    fn options(&self) -> anyhow::Result<Options> {
        let bootstrap = self.resampling.bootstrap();
        if bootstrap.is_none() && self.system.is_some() {
            bail!("--bootstrap 0: a comparison needs samples");
        }
        let options = Options::default().with(|c| {
            c.annotated_only = self.annotated_only;
            c.alpha = self.alpha;
            c.bootstrap = bootstrap;
        });
        options.validate()?;
        Ok(options)
    }

    /// Refuses standard input for two files.
    fn check_paths(&self) -> anyhow::Result<()> {
        let gold = self.gold.iter().map(|file| Role::new("--gold", &file.path));
        let files = [
            ("LINKS", Some(&self.hypothesis)),
            ("SYSTEM", self.system.as_ref()),
            ("--source", self.reading.source.as_ref()),
            ("--target", self.reading.target.as_ref()),
        ];
        let files = files.into_iter().filter_map(|(name, path)| Some(Role::new(name, path?)));
        let files = files.chain(self.reading.bitext.path().map(|path| Role::new("--bitext", path)));
        let roles: Vec<_> = gold.chain(files).chain(self.panel.roles()).chain(self.breakdown.roles()).collect();
        check_distinct(&roles, &[])
    }

    fn sentences(&self) -> anyhow::Result<Option<BitextSource>> {
        let files = self.reading.source.as_deref().zip(self.reading.target.as_deref());
        self.reading.bitext.source(files)
    }
}

/// Judges.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let options = args.options()?;
    args.check_paths()?;
    let formats = args.reading.links.formats()?;
    let bitext = args.sentences()?;
    let reading = AnnotatedTextOptions {
        panel: &args.panel,
        sentences: bitext.as_ref(),
        blanks: args.reading.blanks,
        first: args.first,
        format: &formats.gold,
    };
    let mut text = AnnotatedText::read(&args.gold, &reading, context)?;
    let mut read = |path| text.read_hypothesis(path, &formats.links, args.first, context);
    let hypothesis = read(&args.hypothesis)?;
    let system = args.system.as_ref().map(read).transpose()?;
    text.warn_of_longer(context);
    let attributes = args.breakdown.attributes(&text, args.first)?;
    progress::check(context.observer())?;
    if options.bootstrap.is_some() {
        context.warn_of_few(text.annotations.sentence_count());
    }
    let judge = Judge { args, text: &text, attributes: &attributes, options: &options };
    let answer = match &system {
        None => judge.one(&hypothesis)?,
        Some(system) => judge.two(&hypothesis, system)?,
    };
    let mut output = sink::create("-")?;
    output.write_bytes(answer.as_bytes())?;
    output.finish()?;
    Ok(())
}

/// What answers are made from.
struct Judge<'a> {
    args: &'a Args,
    text: &'a AnnotatedText,
    attributes: &'a [Attribute],
    options: &'a Options,
}

/// What there is to say about a hypothesis beside its scores.
struct Details<'a> {
    worst: Worst<'a>,
    breakdowns: Vec<Breakdown>,
}

impl<'a> Judge<'a> {
    /// The answer about one hypothesis.
    fn one(&self, links: &[Alignment]) -> anyhow::Result<String> {
        let (args, text) = (self.args, self.text);
        let mut evaluation = evaluate_annotations(&text.annotations, links, args.references, self.options)?;
        evaluation.panel = evaluation.panel.filter(|_| !text.plain);
        let details = self.details(links)?;
        if args.format.get() == TextKind::Text {
            let tables = details.tables("");
            return Ok(format!("{}{}{tables}{}", evaluation.report(0), details.worst, self.agreement_table()?));
        }
        let mut report = serde_json::to_value(evaluation.report(0))?;
        details.add_to(&mut report);
        self.add_text(&mut report)?;
        report["files"] = json!({"gold": self.gold_names(), "hypothesis": name(&args.hypothesis)});
        to_line(&report)
    }

    /// The answer about a baseline and a system.
    fn two(&self, baseline: &[Alignment], system: &[Alignment]) -> anyhow::Result<String> {
        let (args, text) = (self.args, self.text);
        let mut comparison = compare_annotations(&text.annotations, baseline, system, args.references, self.options)?;
        for evaluation in [&mut comparison.baseline, &mut comparison.system] {
            evaluation.panel = evaluation.panel.filter(|_| !text.plain);
        }
        let [baseline, system] = [self.details(baseline)?, self.details(system)?];
        let names = [name(&args.hypothesis), args.system.as_deref().map(name).unwrap_or_default()];
        if args.format.get() == TextKind::Text {
            let files = format!("baseline file        {}\nsystem file          {}\n", names[0], names[1]);
            let tables = [baseline.tables(&names[0]), system.tables(&names[1])].concat();
            let [baseline, system] = [baseline.worst.named(&names[0]), system.worst.named(&names[1])];
            let agreement = self.agreement_table()?;
            return Ok(format!("{files}{}{baseline}{system}{tables}{agreement}", comparison.report(0)));
        }
        let mut report = serde_json::to_value(comparison.report(0))?;
        baseline.add_to(&mut report["baseline"]);
        system.add_to(&mut report["system"]);
        self.add_text(&mut report)?;
        report["files"] = json!({"gold": self.gold_names(), "baseline": names[0], "system": names[1]});
        to_line(&report)
    }

    fn details(&self, links: &[Alignment]) -> anyhow::Result<Details<'a>> {
        let instances = self.text.annotations.instances(links, self.args.references, self.options)?;
        let breakdowns = self.attributes.iter().map(|attribute| breakdown(attribute, &instances, links, self.options));
        Ok(Details {
            breakdowns: breakdowns.collect::<Result<_, _>>()?,
            worst: Worst::new(self.text, &instances, links, self.options, self.args.worst),
        })
    }

    /// All links of people count, as in `alinea agreement`.
    fn agreement_options(&self) -> AgreementOptions {
        AgreementOptions::default().with(|c| {
            c.kinds = LinkKinds::All;
            c.bootstrap = self.options.bootstrap;
        })
    }

    /// How much people agree, if there are several.
    fn agreement_table(&self) -> anyhow::Result<String> {
        if self.text.annotations.annotators().len() < 2 {
            return Ok(String::new());
        }
        let agreement = self.text.annotations.agreement(self.text.lengths().as_deref(), &self.agreement_options())?;
        Ok(format!("\n{}", tables::agreement("", &agreement).to_text(TableStyle::Text)))
    }

    /// What there is to say about the text and its annotators.
    fn add_text(&self, report: &mut Value) -> anyhow::Result<()> {
        if let Some(lengths) = self.text.lengths() {
            report["size"] = json!(CorpusSize::of(&lengths));
        }
        if !self.text.plain {
            people(self.text, &self.agreement_options())?.add_to(report);
        }
        Ok(())
    }

    fn gold_names(&self) -> Value {
        match &self.args.gold[..] {
            [file] if self.text.plain => json!(name(&file.path)),
            files => files.iter().map(|file| json!({"name": file.name, "file": name(&file.path)})).collect(),
        }
    }
}

impl Details<'_> {
    /// The tables of the breakdowns, for people.
    fn tables(&self, name: &str) -> String {
        let mut text = String::new();
        for breakdown in &self.breakdowns {
            text.push('\n');
            text.push_str(&tables::breakdown(name, breakdown).to_text(TableStyle::Text));
        }
        text
    }

    fn add_to(&self, report: &mut Value) {
        report["worst"] = self.worst.json();
        if !self.breakdowns.is_empty() {
            report["breakdowns"] = json!(self.breakdowns);
        }
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn to_line(report: &Value) -> anyhow::Result<String> {
    Ok(serde_json::to_string(report)? + "\n")
}
