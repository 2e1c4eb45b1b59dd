//! `alinea correlate`: scores of metrics beside those of people.

mod input;
mod report;

use std::path::{Path, PathBuf};

use alinea::format::sink;
use alinea::metric::correlation::{Coefficient, ItemScores};
use alinea::numeric::FEWEST_SYSTEMS;
use anyhow::bail;
use clap::ValueEnum;

use self::input::{Level, Scores};
use crate::context::Context;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Says how well metrics agree with people: correlations, with intervals and tests of differences.

Examples:
  alinea correlate bleu.tsv chrf.tsv --human human.tsv
  alinea correlate bleu.tsv ter.tsv --human mqm.tsv --less-is-better ter.tsv
  alinea correlate bleu.tsv --human errors.tsv --human-direction less --level system
  alinea correlate bleu.tsv chrf.tsv --human da.tsv --level translation --coefficient tau-b
                                                    over all pairs of translations
  alinea correlate bleu.tsv chrf.tsv --human da.tsv --coefficient tau-10 --least-difference 25
                                                    daRR, as WMT17 to WMT20 had it";

const AFTER_LONG_HELP: &str = "\
A line has a system and its score between tabs, or system, segment and score. If there are several lines of two fields for \
a system these are its segments, in order. A first line that begins with `system` is a heading; None stands for a score that \
is missing. Translations count that people and all metrics have scored.

At the level of systems the score of a system is the mean over its segments, unless its one line has it. At the level of \
segments pairs are the translations of one segment, at the level of translations (which must be asked for) any two; pearson \
and spearman are over all translations at both. Coefficients: pearson, \
spearman, tau-b, tau-10 (WMT10 to 12 and daRR), tau-13, tau-14 (WMT14 to 16), accuracy (of pairs, also known as pairwise \
accuracy of systems). Intervals are of 95 %, by the bootstrap over segments, or over systems.";

/// Says how well metrics agree with people
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Scores of metrics, a file each
    #[arg(value_name = "METRIC", required = true)]
    metrics: Vec<PathBuf>,
    /// Scores of people (- for standard input)
    #[arg(long, value_name = "FILE")]
    human: PathBuf,
    /// Whether people give more to what is better, or less
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Direction::More)]
    human_direction: Direction,
    /// Which of the metrics give less to what is better
    #[arg(long, value_name = "METRIC", num_args = 1..)]
    less_is_better: Vec<PathBuf>,
    /// What is compared [default: systems, and segments if the files have them]
    #[arg(long, value_name = "LEVEL", value_enum, num_args = 1..)]
    level: Vec<Level>,
    /// The coefficients [default: all]
    #[arg(long, value_name = "NAME", num_args = 1..)]
    coefficient: Vec<Coefficient>,
    /// People see a difference in pairs whose scores are at least so far apart
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0)]
    least_difference: f64,
    /// Samples of the bootstrap; 0 leaves out intervals and tests
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: usize,
    /// Seed of the samples
    #[arg(long, value_name = "N", default_value_t = 12345)]
    seed: u64,
    /// Write JSON, with all digits
    #[arg(long)]
    json: bool,
}

/// Which scores are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Direction {
    /// More is better
    More,
    /// Less is better
    Less,
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
    if let Some(other) = args.less_is_better.iter().find(|path| !args.metrics.contains(path)) {
        bail!("--less-is-better {}: none of the metrics", other.display());
    }
    let human = Scores::read(&args.human, args.human_direction == Direction::Less)?;
    let read = |path: &PathBuf| Scores::read(path, args.less_is_better.contains(path));
    let metrics = args.metrics.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let all = Coefficient::ALL.to_vec();
    let coefficients = if args.coefficient.is_empty() { all } else { args.coefficient.clone() };
    let by_segment = [&human].into_iter().chain(&metrics).all(Scores::has_segments);
    let levels = match (args.level.as_slice(), by_segment) {
        ([], true) => vec![Level::System, Level::Segment],
        ([], false) => vec![Level::System],
        (levels, _) => levels.to_vec(),
    };
    let names: Vec<String> = args.metrics.iter().map(|path| name(path)).collect();
    let mut found = Vec::new();
    for level in levels {
        let (items, dropped) = input::common(&human, &metrics, level, args.least_difference)?;
        if dropped > 0 {
            context.warn(format_args!("{dropped} {level}s that people have scored lack a score of a metric"));
        }
        if args.samples > 0 {
            warn_of_few(level, items.first().map_or(0, ItemScores::units), context);
        }
        for &coefficient in &coefficients {
            found.push(report::compare(level, coefficient, &items, (args.samples, args.seed), context)?);
        }
    }
    let text = if args.json { report::json(&names, &found)? } else { report::text(&names, &found) };
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
            "intervals and tests of {units} systems say nothing: there are too few different samples of them"
        )),
        Level::System => {}
    }
}

/// What a metric is called.
fn name(path: &Path) -> String {
    path.display().to_string()
}
