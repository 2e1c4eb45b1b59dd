//! Sufficient statistics of all segments, and scores, intervals and tests from them.
//!
//! `count` goes through the text once. Threads take turns at reading a batch of segments and measure it in parallel;
//! batches grow from 16 to 1024 segments. Every metric reduces a segment of a system to a row of numbers. Rows are
//! added up in the order of the text, so that sums do not depend on threads. They are kept only for resampling and for
//! the scores of single segments; otherwise memory is bounded.
//!
//! `score` turns the sums into scores and, as `Test` says, adds bootstrap intervals, or compares every system with the
//! first by the paired bootstrap or by approximate randomization. The signature joins the number of references and the
//! resampling with the choices of the metric. Metrics of one name are told apart by the fields that differ.
//!
//! `Counted` also warns of lines that look wrong, and of scores that cover few words.

use alinea::error::Result;
use alinea::metric::oddities::Oddities;
use alinea::metric::significance::{self, Resampling, Tested};
use alinea::metric::{Measurer, Metric, Segments, Signature, Statistics, measure_range};
use alinea::parallel::Work;
use alinea::progress;
use anyhow::bail;

use super::choice::ChoiceArgs;
use super::input::{OddLines, Source, look_at};
use crate::context::Context;
use crate::input::links::counted;

/// Segments that a thread reads and counts at a time, at most: so few that they are still in its cache, and so many
/// that threads seldom meet where only one can read.
const SEGMENTS_PER_BATCH: usize = 1024;

/// Segments of the first batch; each is twice as large as the one before, so that short texts keep all threads busy,
/// too.
const SEGMENTS_OF_FIRST_BATCH: usize = 16;

/// Below this share of words a score says little of the whole.
const LOW_COVERAGE: f64 = 0.5;

/// Samples of intervals and of the paired bootstrap, unless their number is given.
pub(super) const SAMPLES: &str = "1000";

/// Trials of approximate randomization, unless their number is given.
pub(super) const TRIALS: &str = "10000";

/// What is asked for besides the scores.
#[derive(Debug, Clone, Copy)]
pub(super) enum Test {
    /// Nothing.
    None,
    /// Intervals.
    Intervals(Resampling),
    /// The paired bootstrap.
    PairedBootstrap(Resampling),
    /// Approximate randomization, perhaps with intervals of so many samples.
    PairedRandomization(Resampling, Option<usize>),
}

impl Test {
    pub(super) fn validate(self) -> Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Intervals(resampling) | Self::PairedBootstrap(resampling) => resampling.validate(),
            Self::PairedRandomization(resampling, confidence) => {
                resampling.validate()?;
                confidence.map_or(Ok(()), |samples| resampling.with(|c| c.samples = samples).validate())
            }
        }
    }

    /// Whether systems are compared.
    pub(super) fn is_paired(self) -> bool {
        matches!(self, Self::PairedBootstrap(_) | Self::PairedRandomization(..))
    }

    /// Its part of the signature.
    fn signature(self) -> Vec<(&'static str, &'static str, String)> {
        let bootstrap = |samples: usize| ("bs", "bs", samples.to_string());
        let (resampling, drawn) = match self {
            Self::None => return Vec::new(),
            Self::Intervals(resampling) | Self::PairedBootstrap(resampling) => {
                (resampling, vec![bootstrap(resampling.samples)])
            }
            Self::PairedRandomization(resampling, confidence) => {
                let trials = ("ar", "ar", resampling.samples.to_string());
                (resampling, confidence.map(bootstrap).into_iter().chain([trials]).collect())
            }
        };
        drawn.into_iter().chain(resampling.signature()).collect()
    }
}

/// The counts of all metrics.
#[derive(Debug)]
pub(super) struct Counted {
    /// The number of segments.
    pub(super) segments: usize,
    /// The number of references of every segment.
    pub(super) references: usize,
    /// By metric and system.
    sums: Vec<Vec<Vec<f64>>>,
    /// By metric and system; without segments unless they are needed.
    pub(super) rows: Vec<Vec<Statistics>>,
    odd: OddLines,
}

/// One metric of all systems.
#[derive(Debug)]
pub(super) struct MetricResult {
    /// The name.
    pub(super) name: String,
    /// All choices.
    pub(super) signature: Signature,
    /// Decimals that scores need besides those that percentages have.
    pub(super) more_decimals: usize,
    /// Whether more is better.
    pub(super) higher_is_better: bool,
    /// Whether systems were compared with the first.
    pub(super) tested: bool,
    /// By system.
    pub(super) scores: Vec<Tested>,
    /// What stands behind the score, by system.
    pub(super) details: Vec<String>,
}

/// What a thread counts with, and the segments that it has read.
struct Worker<'m> {
    segments: Segments,
    measurers: Vec<Box<dyn Measurer + 'm>>,
}

/// The counts of some segments.
struct Batch {
    segments: usize,
    references: usize,
    /// What is odd about the segments, if somebody was to look at them.
    odd: Option<Oddities>,
    /// By metric: the rows of the first system, then those of the second, and so on.
    rows: Vec<Vec<f64>>,
}

/// Counts all segments, in bounded memory unless the rows are kept.
pub(super) fn count(
    metrics: &[Box<dyn Metric>],
    mut streams: Source,
    keep_rows: bool,
    Work { parallelism, observer }: Work<'_>,
) -> anyhow::Result<Counted> {
    let systems = streams.systems();
    let mut counted = Counted {
        segments: 0,
        references: 0,
        sums: metrics.iter().map(|metric| vec![vec![0.0; metric.width()]; systems]).collect(),
        rows: metrics.iter().map(|metric| vec![Statistics::of(metric.as_ref()); systems]).collect(),
        odd: OddLines::new(systems),
    };
    let mut odd = OddLines::new(systems);
    let has_lines = streams.has_lines();
    let (mut most, mut read) = (SEGMENTS_OF_FIRST_BATCH, 0);
    parallelism.map_read(
        || Worker {
            segments: Segments::new(systems),
            measurers: metrics.iter().map(|metric| metric.measurer()).collect(),
        },
        |worker| {
            streams.read(most, &mut worker.segments, &mut odd)?;
            worker.segments.come_after(read);
            read += worker.segments.len();
            most = (2 * most).min(SEGMENTS_PER_BATCH);
            Ok(!worker.segments.is_empty())
        },
        |worker| {
            progress::check(observer)?;
            Ok(worker.measure(metrics, has_lines)?)
        },
        |batch| {
            counted.add(&batch, keep_rows);
            Ok::<_, anyhow::Error>(())
        },
    )?;
    if counted.segments == 0 {
        bail!("no segments to score: the files are empty");
    }
    counted.odd.segments.add(&odd.segments);
    counted.odd.returns = odd.returns;
    counted.odd.tabs = odd.tabs;
    Ok(counted)
}

impl Worker<'_> {
    fn measure(&mut self, metrics: &[Box<dyn Metric>], has_lines: bool) -> Result<Batch> {
        let segments = &self.segments;
        let odd = has_lines.then(|| {
            let mut odd = Oddities::new(segments.systems());
            look_at(segments, &mut odd);
            odd
        });
        let measured = metrics.iter().zip(&mut self.measurers);
        let rows = measured
            .map(|(metric, measurer)| measure_range(metric.as_ref(), measurer.as_mut(), segments, 0..segments.len()));
        Ok(Batch {
            segments: segments.len(),
            references: segments.references(0).len(),
            rows: rows.collect::<Result<_>>()?,
            odd,
        })
    }
}

/// Scores all systems.
pub(super) fn score(
    metrics: &[Box<dyn Metric>],
    counted: &Counted,
    test: Test,
    Work { parallelism, observer }: Work<'_>,
) -> anyhow::Result<Vec<MetricResult>> {
    let mut results = Vec::with_capacity(metrics.len());
    let names = names(metrics);
    for (((metric, name), sums), rows) in metrics.iter().zip(names).zip(&counted.sums).zip(&counted.rows) {
        progress::check(observer)?;
        let metric = metric.as_ref();
        let plain = || sums.iter().map(|sums| Tested::untested(metric.score(sums)));
        let scores: Vec<Tested> = match test {
            Test::None => plain().collect(),
            Test::Intervals(resampling) => {
                let intervals = significance::bootstrap(metric, rows, resampling, parallelism, observer)?;
                plain().zip(intervals).map(|(score, interval)| Tested { confidence: Some(interval), ..score }).collect()
            }
            Test::PairedBootstrap(resampling) => {
                significance::paired_bootstrap(metric, rows, resampling, parallelism, observer)?
            }
            Test::PairedRandomization(resampling, confidence) => {
                significance::paired_randomization(metric, rows, resampling, confidence, parallelism, observer)?
            }
        };
        let scores = if counted.segments > 1 { scores } else { without_intervals(scores) };
        let shared = Signature::shared(Some(counted.references), &test.signature());
        results.push(MetricResult {
            name,
            signature: shared.join(&metric.signature()),
            more_decimals: more_decimals(metric),
            higher_is_better: metric.higher_is_better(),
            tested: test.is_paired(),
            scores,
            details: sums.iter().map(|sums| metric.details(sums)).collect(),
        });
    }
    Ok(results)
}

/// One segment is every sample, which tells nothing.
fn without_intervals(scores: Vec<Tested>) -> Vec<Tested> {
    scores.into_iter().map(|tested| Tested { confidence: None, ..tested }).collect()
}

/// What to call the metrics: those of one name also by the choices that not all of them share.
pub(super) fn names(metrics: &[Box<dyn Metric>]) -> Vec<String> {
    let name = |metric: &dyn Metric| {
        let (name, signature) = (metric.name(), metric.signature());
        let others: Vec<Signature> =
            metrics.iter().filter(|other| other.name() == name).map(|other| other.signature()).collect();
        let shared = |field| others.iter().all(|other| other.fields().any(|of_other| of_other == field));
        let own = signature.fields().filter(|&field| !shared(field)).map(|(field, value)| format!(" {field}:{value}"));
        own.fold(name, |name, field| name + &field)
    };
    metrics.iter().map(|metric| name(metric.as_ref())).collect()
}

/// Two for scores that are no percentages.
pub(super) fn more_decimals(metric: &dyn Metric) -> usize {
    if metric.in_percent() { 0 } else { 2 }
}

impl Counted {
    /// Adds the counts of some segments.
    fn add(&mut self, batch: &Batch, keep_rows: bool) {
        self.segments += batch.segments;
        self.references = batch.references;
        if let Some(odd) = &batch.odd {
            self.odd.segments.add(odd);
        }
        for ((rows, sums), kept) in batch.rows.iter().zip(&mut self.sums).zip(&mut self.rows) {
            let by_system = rows.chunks_exact(rows.len() / sums.len());
            for ((rows, sums), kept) in by_system.zip(sums).zip(kept) {
                for row in rows.chunks_exact(kept.width()) {
                    kept.add(sums, row);
                }
                if keep_rows {
                    kept.extend_from_slice(rows);
                }
            }
        }
    }

    /// Says how many words scores are about that are not about all, where that is not `shown` beside them, and warns
    /// where these are few.
    pub(super) fn tell_coverage(
        &self,
        metrics: &[Box<dyn Metric>],
        systems: &[String],
        shown: bool,
        context: &Context,
    ) {
        for (metric, sums) in metrics.iter().zip(&self.sums) {
            for (sums, system) in sums.iter().zip(systems) {
                let Some(coverage) = metric.coverage(sums) else { continue };
                let name = metric.name();
                if coverage < LOW_COVERAGE {
                    context.warn(format_args!(
                        "{name} of {system} covers few words: coverage = {coverage:.4}; --dpath-coverage 1 includes it \
                         in the score"
                    ));
                } else if !shown {
                    context.report(format_args!("{name} of {system}: coverage = {coverage:.4}"));
                }
            }
        }
    }

    /// Says what looks wrong.
    pub(super) fn warn(&self, choice: &ChoiceArgs, context: &Context) {
        let odd = &self.odd.segments;
        for system in 0..odd.copies.len() {
            let which =
                if odd.copies.len() == 1 { "the translation".to_owned() } else { format!("system {}", system + 1) };
            if odd.is_copy(system) {
                context.warn(format_args!("{which} is the same as a reference, line by line"));
            }
            if odd.empty[system] > 0 {
                context.warn(format_args!("{which} has {}", counted(odd.empty[system], "empty line")));
            }
            if let Some(lines) = odd.tokenized_lines(system)
                && !choice.may_be_tokenized()
            {
                context.warn(format_args!(
                    "{which} has {lines} lines that end in ` .`: is it tokenized? Metrics expect detokenized text"
                ));
            }
        }
        if let Some(better) = choice.tokenizer().and_then(|name| odd.scripts.better_tokenizer(name)) {
            context.warn(format_args!("the references have no spaces between words: consider --tokenize {better}"));
        }
        if odd.empty_references > 0 {
            context.warn(format_args!("{} with only empty references", counted(odd.empty_references, "line")));
        }
        if let Some((lines, first)) = &self.odd.tabs {
            let lines = counted(*lines, "line");
            context.warn(format_args!(
                "{lines} with a tab inside, the first at {first}: columns are systems only on standard input (without \
                 --input), and references only with --num-refs"
            ));
        }
        if let Some((lines, first)) = &self.odd.returns {
            let lines = counted(*lines, "line");
            context.warn(format_args!("{lines} with a carriage return inside, the first at {first}"));
        }
    }
}
