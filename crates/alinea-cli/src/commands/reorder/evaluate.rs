//! `alinea reorder evaluate`: scores of predicted orders against a gold standard.
//!
//! Reads the gold standard, from a corpus of the shared task (`--gold`) or from an alignment and the source sentences
//! (`--links`); then each run. Only words with links are judged. The order of the source is always judged first, under
//! the name `(source)`.
//!
//! Every sentence is reduced to counts, whose sums give all scores, so that a bootstrap sample needs additions only.
//! All systems are compared with a baseline by the paired bootstrap: `(source)`, or the run that `--against` names. A
//! system with the counts of the baseline in every sentence is called identical, and the table has no p for it.
//!
//! Writes a table or JSON to `--output`, and to `--sentences` the scores of each sentence, separated by tabs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use alinea::evaluate::{Table, TableStyle};
use alinea::format::rsmt::Missing;
use alinea::format::sink;
use alinea::numeric::{Bootstrap, Difference, Estimate};
use alinea::parallel::Parallelism;
use alinea::reorder::scores::{self, SCORES};
use alinea::reorder::standard::GoldStandard;
use alinea::reorder::{Score, SentenceCounts};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Map, Value, json};

use super::gold::{GoldSource, json_of, text_of};
use super::input::{GoldArgs, SourceArgs, choice_parser};
use crate::commands::report::written;
use crate::context::Context;
use crate::input::annotated::NamedFile;
use crate::input::kind::{FormatArgs, Rare as _, TableKind};
use crate::input::paths::{Role, check_distinct};
use crate::input::resampling::ResamplingArgs;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Evaluate word orders against a gold standard, compared with the source order.

Examples:
  alinea reorder evaluate run.conll --gold en_hi.en.tst.conll
  alinea reorder evaluate a.order b.order --links gold.align --source test.en
  alinea reorder evaluate run.conll --gold en_hi.en.tst.conll --scores kendall,bleu --format json
  alinea reorder evaluate old=a.order new=b.order --links gold.align --source test.en --against old
                                     is one of the two better?
  alinea reorder evaluate run.conll --gold en_hi.en.tst.conll --sentences each.tsv";

const AFTER_LONG_HELP: &str = "\
A run is a file of the shared task (*.conll), of which column 7 is evaluated, or has one line per sentence with the \
positions of its words, from 0, in their new order; unlinked words may be missing. With --incomplete, other words may \
be missing too; then bleu, hamming, kendall and kendall-sqrt have a brevity penalty, exact is 0, and other scores are \
undefined (-). In *.conll the remaining rows keep their numbers.

bleu, hamming, kendall and kendall-sqrt are the scores of the 2012 task (kendall-sqrt takes the square root, as in \
LRscore); exact, fuzzy (Talbot et al. 2011), chunks and pef also compare with a total order. frs (with sentence \
boundaries), tau and complete ignore the order of words that the alignment does not order, and are means over \
sentences; frs-pooled and tau-pooled pool counts over sentences. All are fractions and 1 is best, except chunks, where \
fewer are better.

p is the p-value of the paired bootstrap for the difference from the source order, or from the run given by --against. \
A run whose sentences all have the same counts as that baseline is reported as identical. With fewer than 300 \
sentences, the smallest size Koehn (2004) tested, a warning says that intervals and tests may be unreliable; a single \
sentence gets neither.";

/// Evaluate word orders
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Runs to evaluate, FILE or NAME=FILE [default: the source order only]
    #[arg(value_name = "RUN", value_parser = NamedFile::parser())]
    runs: Vec<NamedFile>,
    /// Accept runs with missing words
    #[arg(long, rare = true)]
    incomplete: bool,
    #[command(flatten)]
    gold: GoldSource,
    #[command(flatten)]
    options: GoldArgs,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    resampling: ResamplingArgs,
    /// Name of the run that the others are compared with [default: the source order]
    #[arg(long, value_name = "NAME", help_heading = "Intervals")]
    against: Option<String>,
    /// Scores to show, comma-separated [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = choice_parser!(Score),
        hide_possible_values = true, help_heading = "Output")]
    scores: Vec<Score>,
    #[command(flatten, next_help_heading = "Output")]
    format: FormatArgs<TableKind>,
    /// Output file for sentence scores, one line per run and sentence
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    sentences: Option<PathBuf>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// What is known of a system.
struct Judged {
    name: String,
    counts: Vec<SentenceCounts>,
    total: SentenceCounts,
    /// With intervals, if they were asked for.
    estimates: Option<[Estimate; SCORES]>,
    /// From what it is compared with; that itself has none.
    differences: Option<[Difference; SCORES]>,
    /// Whether each sentence has the counts of that.
    identical: bool,
}

/// What the order of the source is called.
pub(super) const BASELINE: &str = "(source)";

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    let bootstrap = args.resampling.bootstrap();
    bootstrap.map_or(Ok(()), |bootstrap| bootstrap.validate())?;
    let mut output = sink::create(&args.output)?;
    let mut each = args.sentences.as_ref().map(sink::create).transpose()?;
    let gold = args.gold.read(&args.source, &args.options, context)?;
    let parallelism = args.threads.parallelism()?;
    let mut judged = vec![judge(BASELINE, &gold, &gold.unreordered(), bootstrap, &parallelism)?];
    let missing = if args.incomplete { Missing::Allowed } else { Missing::Refused };
    for run in &args.runs {
        judged.push(judge(&run.name, &gold, &gold.read_run(&run.path, missing)?, bootstrap, &parallelism)?);
    }
    if let Some(bootstrap) = bootstrap.filter(|_| !judged[0].counts.is_empty()) {
        context.warn_of_few(judged[0].counts.len());
        args.compare(&mut judged, &bootstrap, &parallelism)?;
    }
    let answer = match args.format.get().style() {
        Some(style) => args.table(&gold, &judged, style),
        None => args.json(&gold, &judged, bootstrap)?,
    };
    output.write_bytes(answer.as_bytes())?;
    if let Some(each) = &mut each {
        each.write_bytes(args.lines(&gold, &judged).as_bytes())?;
    }
    sink::finish_all(std::iter::once(output).chain(each))?;
    Ok(())
}

fn judge(
    name: &str,
    gold: &GoldStandard,
    candidates: &[Vec<u32>],
    bootstrap: Option<Bootstrap>,
    parallelism: &Parallelism,
) -> anyhow::Result<Judged> {
    let counts = gold.judge(candidates, parallelism)?;
    let total = counts.iter().sum();
    // Without sentences there is nothing to draw from.
    let bootstrap = bootstrap.filter(|_| !counts.is_empty());
    let estimates = bootstrap.map(|bootstrap| scores::estimate(&counts, &bootstrap, parallelism)).transpose()?;
    Ok(Judged { name: name.to_owned(), counts, total, estimates, differences: None, identical: false })
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let gold = [("--gold", &self.gold.gold), ("--links", &self.gold.links)];
        let gold = gold.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)));
        let runs = self.runs.iter().map(|run| Role::new("RUN", &run.path));
        let inputs: Vec<Role<'_>> = gold.chain(self.source.roles()).chain(runs).collect();
        let each = self.sentences.iter().map(|path| Role::new("--sentences", path));
        let outputs: Vec<Role<'_>> = each.chain([Role::new("--output", &self.output)]).collect();
        let mut names = BTreeSet::from([BASELINE]);
        if let Some(run) = self.runs.iter().find(|run| !names.insert(&run.name)) {
            anyhow::bail!("two orders are named {}: rename a file with NAME=FILE", run.name);
        }
        if !names.contains(self.baseline()) {
            anyhow::bail!("--against {}: no such order", self.baseline());
        }
        check_distinct(&inputs, &outputs)
    }

    /// What the others are compared with.
    fn baseline(&self) -> &str {
        self.against.as_deref().unwrap_or(BASELINE)
    }

    /// Compares all with the baseline, which itself has no differences.
    fn compare(&self, judged: &mut [Judged], bootstrap: &Bootstrap, parallelism: &Parallelism) -> anyhow::Result<()> {
        let baseline = judged.iter().position(|system| system.name == self.baseline()).unwrap_or(0);
        for place in (0..judged.len()).filter(|&place| place != baseline) {
            let [counts, others] = [&judged[place].counts, &judged[baseline].counts];
            let (differences, identical) = (scores::compare(counts, others, bootstrap, parallelism)?, counts == others);
            judged[place].differences = Some(differences);
            judged[place].identical = identical;
        }
        Ok(())
    }

    fn scores(&self) -> &[Score] {
        if self.scores.is_empty() { Score::ALL } else { &self.scores }
    }

    fn table(&self, gold: &GoldStandard, judged: &[Judged], style: TableStyle) -> String {
        let names: Vec<&str> = self.scores().iter().map(|score| score.name()).collect();
        let mut table = Table::new("Word order scores", &["order"], &names);
        for system in judged {
            let shown = self.scores().iter().map(|&score| shown(score, system.total.score(score)));
            table.row(std::iter::once(system.name.clone()).chain(shown));
            if system.identical {
                let label = format!("  identical to {}", self.baseline());
                table.row(std::iter::once(label).chain(names.iter().map(|_| String::new())));
            } else if let Some(differences) = &system.differences {
                let p =
                    |score: &Score| differences[*score as usize].p_value.map_or(String::new(), |p| format!("{p:.3}"));
                table.row(std::iter::once("  p".to_owned()).chain(self.scores().iter().map(p)));
            }
        }
        let mut text = written("Word order scores", &[table], style);
        if style == TableStyle::Text {
            text.push('\n');
            text += &text_of(gold);
        }
        text
    }

    fn json(&self, gold: &GoldStandard, judged: &[Judged], bootstrap: Option<Bootstrap>) -> anyhow::Result<String> {
        let mut report = json_of(gold);
        report["signature"] = json!(bootstrap.map(|bootstrap| bootstrap.signature()));
        report["against"] = json!(self.baseline());
        report["key"] = json!(self.options.key.name());
        report["systems"] = judged.iter().map(|system| system.json(self.scores())).collect();
        Ok(serde_json::to_string(&report)? + "\n")
    }

    /// A line for each run and sentence; sentences count from 1, as lines do.
    fn lines(&self, gold: &GoldStandard, judged: &[Judged]) -> String {
        let mut text = "order\tsentence\twords".to_owned();
        for score in self.scores() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\t{score}");
        }
        text.push('\n');
        for system in judged {
            for (sentence, counts) in gold.sentences().iter().zip(&system.counts) {
                let _ = write!(text, "{}\t{}\t{}", system.name, sentence.number() + 1, sentence.words().len());
                for &score in self.scores() {
                    text.push('\t');
                    text += &counts.score(score).map_or("-".to_owned(), |value| format!("{value:.6}"));
                }
                text.push('\n');
            }
        }
        text
    }
}

impl Judged {
    fn json(&self, scores: &[Score]) -> Value {
        let object = |value: &dyn Fn(Score) -> Value| -> Value {
            scores.iter().map(|&score| (score.name().to_owned(), value(score))).collect::<Map<_, _>>().into()
        };
        let mut system = json!({
            "name": self.name, "sentences": self.total.sentences(), "with_ranks": self.total.ranked(),
            "scores": object(&|score| json!(self.total.score(score))),
        });
        if let Some(estimates) = &self.estimates {
            system["estimates"] = object(&|score| json!(estimates[score as usize]));
        }
        if let Some(differences) = &self.differences {
            system["differences"] = object(&|score| json!(differences[score as usize]));
            system["identical"] = json!(self.identical);
        }
        system
    }
}

/// A score for people: fractions in percent.
pub(super) fn shown(score: Score, value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if score.is_fraction() => format!("{:.2}", 100.0 * value),
        Some(value) => format!("{value:.2}"),
    }
}
