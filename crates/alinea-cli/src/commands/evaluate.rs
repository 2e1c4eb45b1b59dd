//! `alinea evaluate`: alignments against a gold standard.

mod input;
mod worst;

use std::path::{Path, PathBuf};

use alinea::alignment::Alignment;
use alinea::evaluate::{Evaluation, Options, compare, evaluate};
use alinea::format::sink;
use alinea::numeric::Bootstrap;
use alinea::progress;
use anyhow::bail;
use serde_json::{Value, json};

use self::input::Gold;
use self::worst::Worst;
use super::Status;
use super::paths::{Role, check_distinct};
use crate::context::Context;
use crate::links::LinkArgs;

const LONG_ABOUT: &str = "\
Judges alignments by a gold standard: precision, recall, F and alignment error rate (AER).

Examples:
  alinea evaluate --gold gold.align links
  alinea evaluate --gold gold.align links --first   the gold lines, then more text
  alinea evaluate --gold gold.align new old         is one of the two better?
  alinea evaluate --gold test.wpt links --sentences 447
                                                    a gold standard in NAACL format
  alinea evaluate --gold gold.align links --source text.en --target text.fr
                                                    the worst sentences with their words
  alinea align text.en text.fr | alinea evaluate --gold gold.align - --first";

const AFTER_LONG_HELP: &str = "\
In the gold standard `0-1` is a sure link, `0p1` (or `0?1`) one that is only possible. With A the links of the \
hypothesis, S the sure and P all links of the gold standard:

  precision = |A and P| / |A|
  recall = |A and S| / |S|
  AER = 1 - (|A and S| + |A and P|) / (|A| + |S|)
  F = 1 / (alpha / precision + (1 - alpha) / recall)

Counts are pooled over all sentences (Och and Ney 2003). Percent on the screen, fractions in JSON; positions in the \
output are from 0. The last line of the table names every choice that changes the numbers.";

/// Judges alignments by a gold standard
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Links to judge (- for standard input)
    #[arg(value_name = "HYPOTHESIS")]
    hypothesis: PathBuf,
    /// Links to compare them with
    #[arg(value_name = "HYPOTHESIS2")]
    second: Option<PathBuf>,
    /// The gold standard
    #[arg(short, long, value_name = "FILE")]
    gold: PathBuf,
    /// Score the first lines of a hypothesis that goes on after the gold standard
    #[arg(long)]
    first: bool,
    /// Count only links between words that both have a gold link
    #[arg(long)]
    annotated_only: bool,
    /// Show so many of the sentences with most errors
    #[arg(long, value_name = "N", default_value_t = 5)]
    worst: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// The weight of precision in F, from 0 to 1
    #[arg(long, value_name = "ALPHA", default_value_t = 0.5)]
    alpha: f64,
    #[command(flatten)]
    resampling: ResamplingArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How sure the numbers are.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Intervals")]
struct ResamplingArgs {
    /// Samples for intervals and comparison; 0 leaves the intervals out
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().samples)]
    bootstrap: usize,
    /// Seed of the samples
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    seed: u64,
    /// Confidence of the intervals, between 0 and 1
    #[arg(long, value_name = "SHARE", default_value_t = Bootstrap::default().confidence)]
    confidence: f64,
}

/// How the files are read. The links are those of the hypotheses, and the help says so.
#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Reading",
    mut_arg("format", |arg| arg.help("Format of the hypotheses [default: as the name suggests, otherwise pharaoh]")),
    mut_arg("base", |arg| {
        arg.help("What positions in the hypotheses count from [default: 0 in pharaoh, comtrans and jsonl, 1 in talp and naacl]")
    }),
    mut_arg("gold_base", |arg| {
        arg.help("What positions in the gold standard count from [default: as for hypotheses]")
    }),
)]
struct ReadingArgs {
    /// The source sentences, tokenized: links out of the sentences are errors, and errors are shown with their words
    #[arg(long, value_name = "FILE", requires = "target")]
    source: Option<PathBuf>,
    /// The target sentences
    #[arg(long, value_name = "FILE", requires = "source")]
    target: Option<PathBuf>,
    #[command(flatten)]
    links: LinkArgs,
}

impl Args {
    fn options(&self) -> anyhow::Result<Options> {
        let ResamplingArgs { bootstrap: samples, seed, confidence } = self.resampling;
        if samples == 0 && self.second.is_some() {
            bail!("bootstrap = 0: a comparison needs samples");
        }
        let bootstrap = (samples > 0).then_some(Bootstrap { samples, seed, confidence });
        let options = Options { annotated_only: self.annotated_only, alpha: self.alpha, bootstrap };
        options.validate()?;
        Ok(options)
    }

    /// Refuses standard input for two files.
    fn check_paths(&self) -> anyhow::Result<()> {
        let files = [
            ("--gold", Some(&self.gold)),
            ("HYPOTHESIS", Some(&self.hypothesis)),
            ("HYPOTHESIS2", self.second.as_ref()),
            ("--source", self.reading.source.as_ref()),
            ("--target", self.reading.target.as_ref()),
        ];
        let roles = files.into_iter().filter_map(|(name, path)| Some(Role::new(name, path?)));
        check_distinct(&roles.collect::<Vec<_>>(), &[])
    }
}

/// Judges.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Status> {
    let options = args.options()?;
    args.check_paths()?;
    let formats = args.reading.links.formats()?;
    let gold = Gold::read(args, &formats.gold, context)?;
    let read = |path| gold.read_hypothesis(path, &formats.links, args.first, context);
    let first = read(&args.hypothesis)?;
    let second = args.second.as_ref().map(read).transpose()?;
    progress::check(context.observer())?;
    let answer = match &second {
        None => judge(&gold, &first, args, &options)?,
        Some(second) => judge_two(&gold, [&first, second], args, &options)?,
    };
    let mut output = sink::create("-")?;
    output.write_bytes(answer.as_bytes())?;
    output.finish()?;
    Ok(Status::Success)
}

/// The answer about one hypothesis.
fn judge(gold: &Gold, links: &[Alignment], args: &Args, options: &Options) -> anyhow::Result<String> {
    let evaluation = evaluate(&gold.links, links, options)?;
    let worst = worst(gold, &evaluation, links, args);
    if !args.json {
        return Ok(format!("{}{worst}", evaluation.report(0)));
    }
    let mut report = serde_json::to_value(evaluation.report(0))?;
    report["worst"] = worst.json();
    report["files"] = json!({"gold": name(&args.gold), "hypothesis": name(&args.hypothesis)});
    text(&report)
}

/// The answer about two hypotheses.
fn judge_two(gold: &Gold, links: [&[Alignment]; 2], args: &Args, options: &Options) -> anyhow::Result<String> {
    let comparison = compare(&gold.links, links[0], links[1], options)?;
    let first = worst(gold, &comparison.first, links[0], args);
    let second = worst(gold, &comparison.second, links[1], args);
    let names = [name(&args.hypothesis), args.second.as_deref().map(name).unwrap_or_default()];
    if !args.json {
        let [first, second] = [first.named(&names[0]), second.named(&names[1])];
        let files = format!("first file           {}\nsecond file          {}\n", names[0], names[1]);
        return Ok(format!("{files}{}{first}{second}", comparison.report(0)));
    }
    let mut report = serde_json::to_value(comparison.report(0))?;
    report["first"]["worst"] = first.json();
    report["second"]["worst"] = second.json();
    report["files"] = json!({"gold": name(&args.gold), "first": names[0], "second": names[1]});
    text(&report)
}

fn worst<'a>(gold: &'a Gold, evaluation: &Evaluation, links: &'a [Alignment], args: &Args) -> Worst<'a> {
    Worst::new(gold, &evaluation.report(args.worst), links, args.annotated_only)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn text(report: &Value) -> anyhow::Result<String> {
    Ok(serde_json::to_string(report)? + "\n")
}
