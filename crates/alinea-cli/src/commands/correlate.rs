//! `alinea correlate`: how well scores of metrics agree with human scores, at the level of systems, segments,
//! translations.
//!
//! A file has the scores of one metric, named after the file, or of several, named in its heading. `input` reads the
//! files and reduces them to items that people and all metrics have scored; `report` computes coefficients with
//! intervals and tests, and writes them. Here are the options, the choice of levels (segments only if all files have
//! segments), and warnings: of translations without a score, and of samples too small for intervals.
//!
//! Coefficients and their sources are in `alinea::metric::correlation`. Scores of which less is better change sign when
//! they are read, so nothing after that depends on the direction.

mod input;
mod report;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use alinea::evaluate::TableStyle;
use alinea::format::sink;
use alinea::metric::correlation::{Coefficient, ItemScores};
use alinea::numeric::FEWEST_SYSTEMS;
use alinea::parallel::Work;
use anyhow::bail;
use clap::ValueEnum;

use self::input::{Level, Scores};
use super::metric::LESS_IS_BETTER;
use super::report::written;
use crate::context::Context;
use crate::input::kind::{FormatArgs, TableKind};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Measure how well metrics correlate with human judgments, with intervals and tests of differences.

Examples:
  alinea metric reference.de -i a.de b.de c.de --metric bleu chrf ter --segments > scores.tsv
  alinea correlate scores.tsv --human human.tsv
  alinea correlate bleu.tsv chrf.tsv --human human.tsv
  alinea correlate bleu.tsv ter.tsv --human mqm.tsv --less-is-better ter.tsv
  alinea correlate bleu.tsv --human errors.tsv --human-direction less --level system
  alinea correlate bleu.tsv chrf.tsv --human da.tsv --level translation --coefficient tau-b
                                                    over all pairs of translations
  alinea correlate bleu.tsv chrf.tsv --human da.tsv --coefficient tau-10 --least-difference 25
                                                    daRR, as in WMT17 to WMT20";

const AFTER_LONG_HELP: &str = "\
Each line has a system and its score, or system, segment and score, separated by tabs. Several lines of two fields for \
one system are its segments, in order. A first line that begins with `system` is a header; None stands for a missing \
score. Only translations scored by humans and by every metric are used. Systems must have the same names in all files.

After system and segment, a file with a header may have columns of several metrics, as alinea metric --segments writes \
them; each column is then a metric of its own. \"(less is better)\" at the end of its name says so.

At the system level, the score of a system is the mean over its segments, unless the file has a single score for it. \
At the segment level, pairs are translations of the same segment; at the translation level (only on request), any two \
translations; pearson and spearman are computed over all translations at both levels. Coefficients: pearson, spearman, \
tau-b, tau-10 (WMT10 to 12 and daRR), tau-13, tau-14 (WMT14 to 16), accuracy (of pairs; for systems known as pairwise \
accuracy). Intervals are 95 % bootstrap intervals, over segments or over systems.";

/// Measure how well metrics correlate with human judgments
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Scores of metrics, one file each, or several in the columns of a file
    #[arg(value_name = "METRIC", required = true)]
    metrics: Vec<PathBuf>,
    /// Human scores (- for standard input)
    #[arg(long, value_name = "FILE")]
    human: PathBuf,
    /// Whether higher human scores are better
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Direction::More)]
    human_direction: Direction,
    /// Metrics whose lower scores are better, by file or column (upper or lower case)
    #[arg(long, value_name = "METRIC", num_args = 1..)]
    less_is_better: Vec<PathBuf>,
    /// Levels to compare [default: systems, and segments if the files have them]
    #[arg(long, value_name = "LEVEL", value_enum, num_args = 1..)]
    level: Vec<Level>,
    /// Coefficients [default: all]
    #[arg(long, value_name = "NAME", num_args = 1..)]
    coefficient: Vec<Coefficient>,
    /// Minimum human score difference for a pair to count
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0)]
    least_difference: f64,
    /// Number of bootstrap samples; 0 for no intervals and tests
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: usize,
    /// Random seed of the samples
    #[arg(long, value_name = "N", default_value_t = 12345)]
    seed: u64,
    #[command(flatten)]
    format: FormatArgs<TableKind>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// Which scores are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Direction {
    /// Higher scores are better
    More,
    /// Lower scores are better
    Less,
}

/// A column of a file.
struct Metric<'a> {
    path: &'a Path,
    /// What it is called: as its file, if that has no other column, or as the column.
    name: String,
    scores: Scores,
}

impl Args {
    /// The scores of all metrics, and what these are called.
    fn read_metrics(&self) -> anyhow::Result<(Vec<String>, Vec<Scores>)> {
        let files = self.metrics.iter().map(|path| Scores::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
        let columns = files.iter().filter(|columns| columns.len() > 1).flatten().filter_map(Scores::column);
        let columns: Vec<String> = columns.map(str::to_owned).collect();
        let mut metrics: Vec<Metric<'_>> = Vec::new();
        for (path, file) in self.metrics.iter().zip(files) {
            let has_several = file.len() > 1;
            for scores in file {
                let name = match scores.column().filter(|_| has_several) {
                    None => path.display().to_string(),
                    Some(column) if columns.iter().filter(|other| *other == column).count() == 1 => column.to_owned(),
                    Some(column) => format!("{}:{column}", path.display()),
                };
                if metrics.iter().any(|metric| metric.name == name) {
                    bail!("{}: two metrics are called {name}", path.display());
                }
                metrics.push(Metric { path, name, scores });
            }
        }
        let mut less = BTreeSet::new();
        for name in &self.less_is_better {
            let meant = meant(name, &metrics);
            if meant.is_empty() {
                let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
                bail!("--less-is-better {}: not one of the metrics ({})", name.display(), names.join(", "));
            }
            less.extend(meant);
        }
        let metrics = metrics.into_iter().enumerate().map(|(number, Metric { name, scores, .. })| {
            (name, if less.contains(&number) { scores.less_is_better() } else { scores })
        });
        Ok(metrics.unzip())
    }
}

/// The numbers of the metrics that a name means: a column, `FILE:COLUMN`, or a file, which means all its columns. Case
/// is ignored unless a metric has exactly this name.
fn meant(name: &Path, metrics: &[Metric<'_>]) -> Vec<usize> {
    let text = name.to_string_lossy();
    let text = text.strip_suffix(LESS_IS_BETTER).unwrap_or(&text);
    let called = |is_same: fn(&str, &str) -> bool| -> Vec<usize> {
        let is_meant = |metric: &Metric<'_>| {
            let column = metric.scores.column();
            let in_file = column.map(|column| format!("{}:{column}", metric.path.display()));
            let names = [Some(metric.name.as_str()), column, in_file.as_deref()];
            metric.path == name || names.into_iter().flatten().any(|own| is_same(own, text))
        };
        (0..metrics.len()).filter(|&number| is_meant(&metrics[number])).collect()
    };
    let exactly = called(|own, given| own == given);
    if exactly.is_empty() { called(|own, given| own.to_lowercase() == given.to_lowercase()) } else { exactly }
}

/// Compares and writes.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let paths = std::iter::once(("--human", &args.human)).chain(args.metrics.iter().map(|path| ("METRIC", path)));
    let roles: Vec<Role<'_>> = paths.map(|(name, path)| Role::new(name, path)).collect();
    check_distinct(&roles, &[])?;
    for (number, path) in args.metrics.iter().enumerate() {
        if args.metrics[..number].contains(path) {
            bail!("{}: given twice", path.display());
        }
    }
    let human = Scores::read_one(&args.human)?;
    let human = if args.human_direction == Direction::Less { human.less_is_better() } else { human };
    let (names, metrics) = args.read_metrics()?;
    let all = Coefficient::ALL.to_vec();
    let coefficients = if args.coefficient.is_empty() { all } else { args.coefficient.clone() };
    let by_segment = [&human].into_iter().chain(&metrics).all(Scores::has_segments);
    let levels = match (args.level.as_slice(), by_segment) {
        ([], true) => vec![Level::System, Level::Segment],
        ([], false) => vec![Level::System],
        (levels, _) => levels.to_vec(),
    };
    let work = Work { parallelism: &args.threads.parallelism()?, observer: context.observer() };
    let mut found = Vec::new();
    for level in levels {
        let (items, dropped) = input::common(&human, &metrics, level, args.least_difference)?;
        if dropped > 0 {
            let dropped = counted(dropped as u64, &level.to_string());
            context.warn(format_args!("{dropped} left out: scored by humans, but not by every metric"));
        }
        if args.samples > 0 {
            warn_of_few(level, items.first().map_or(0, ItemScores::units), context);
        }
        for &coefficient in &coefficients {
            found.push(report::compare(level, coefficient, &items, (args.samples, args.seed), work)?);
        }
    }
    let text = match args.format.get().style() {
        None => report::json(&names, &found)?,
        Some(TableStyle::Text) => report::text(&names, &found),
        Some(style) => written("Correlation with human scores", &report::tables(&names, &found), style),
    };
    let mut output = sink::create("-")?;
    output.write_bytes(text.as_bytes())?;
    output.finish()?;
    Ok(())
}

/// Says how little the intervals of a few systems or segments are worth.
fn warn_of_few(level: Level, units: usize, context: &Context) {
    match level {
        Level::Segment | Level::Translation => context.warn_of_few(units),
        Level::System if units < FEWEST_SYSTEMS => context.warn(format_args!(
            "intervals and tests on {} are meaningless: there are too few different samples",
            counted(units as u64, "system")
        )),
        Level::System => {}
    }
}
