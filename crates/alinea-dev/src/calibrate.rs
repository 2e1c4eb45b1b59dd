//! `alinea-dev calibrate`: how often links of each confidence are right, and the map that makes one the other.
//!
//! Candidates are all pairs of words with a confidence of 0.01 or more. They are right if people linked them, wrong if
//! they did not; of what people only call possible nothing is said. The map is a logistic regression on the features of
//! `alinea::model::Calibrated`, in which every set has the same weight.

use std::io::Write;
use std::path::PathBuf;

use alinea::alignment::{GoldAlignment, WeightedLink};
use alinea::model::{Aligner, Calibrated, Calibration};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use anyhow::{Context, Result, anyhow};

use crate::newton::{self, Example};
use crate::sets::GoldSet;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with `gold` and `bitext`.
    data: PathBuf,
    /// What the map is fitted to: GOLD, GOLD+BITEXT or GOLD+BITEXT:N, with @odd or @even for these lines of the gold
    /// standard.
    #[arg(long = "fit")]
    fit: Vec<String>,
    /// What the map of the library is tested on.
    #[arg(long = "test")]
    test: Vec<String>,
    /// The model: agreement-loo or quality.
    #[arg(long, default_value = "agreement-loo")]
    model: String,
    /// Number of threads; 0 for one a core.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The confidence from which on links are made.
const LINKED: f32 = 0.45;

/// The number of ranges of equal size in which confidence and share of right ones are compared.
const BINS: usize = 10;

/// A pair of words of a gold standard.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    /// The mean posterior, and what the library makes of it.
    confidences: [f32; 2],
    features: [f64; 4],
    right: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let parallelism = Parallelism::new(args.threads)?;
    let read = |sets: &[String]| -> Result<Vec<Vec<Candidate>>> {
        sets.iter().map(|set| candidates(args, set, &parallelism).with_context(|| set.clone())).collect()
    };
    let mut out = std::io::stdout().lock();
    if !args.fit.is_empty() {
        writeln!(out, "{:.4?}\n", fit(&read(&args.fit)?)?)?;
    }
    let tests = read(&args.test)?;
    write_errors(&mut out, &args.test, &tests)?;
    write_ranges(&mut out, &tests.concat())?;
    Ok(())
}

fn candidates(args: &Args, set: &str, parallelism: &Parallelism) -> Result<Vec<Candidate>> {
    let GoldSet { bitext, gold, judged, .. } = GoldSet::read(&args.data, set, 1.0, parallelism)?;
    let config = crate::quality::configuration(&args.model)?;
    let calibration = Calibration::of(config.name).ok_or_else(|| anyhow!("--model {}: has no map yet", args.model))?;
    let aligner = Aligner::train(&bitext, config, parallelism, &Silent)?;
    let mut worker = aligner.worker(&bitext);
    let mut candidates = Vec::new();
    for n in judged {
        let Some(posteriors) = worker.posteriors(n) else { continue };
        let calibrated = calibration.of_pair(&posteriors);
        let links = posteriors.weighted_links(Calibrated::FLOOR).into_iter();
        candidates.extend(links.filter_map(|found| judge(&gold[n], &calibrated, found)));
    }
    Ok(candidates)
}

/// None of what people only call possible.
fn judge(gold: &GoldAlignment, calibrated: &Calibrated, found: WeightedLink) -> Option<Candidate> {
    let right = gold.sure().contains(found.link);
    let confidences = [found.weight, calibrated.probability(found)];
    let candidate = Candidate { confidences, features: calibrated.features(found), right };
    (right == gold.possible().contains(found.link)).then_some(candidate)
}

/// The bias of the regression, and its weights.
fn fit(sets: &[Vec<Candidate>]) -> Result<[f64; 5]> {
    let of_set = |set: &Vec<Candidate>| {
        let weight = 1.0 / set.len() as f64;
        let example = move |candidate: &Candidate| {
            let [odds, room, diagonal, beside] = candidate.features;
            Example { features: [1.0, odds, room, diagonal, beside], right: candidate.right, weight }
        };
        set.iter().map(example).collect::<Vec<_>>()
    };
    newton::logistic_regression(&sets.iter().flat_map(of_set).collect::<Vec<_>>())
}

fn write_errors(out: &mut impl Write, names: &[String], sets: &[Vec<Candidate>]) -> Result<()> {
    writeln!(out, "| set | candidates | error | calibrated | links | error | calibrated |")?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for (name, all) in names.iter().zip(sets) {
        let links: Vec<Candidate> =
            all.iter().copied().filter(|candidate| candidate.confidences[0] >= LINKED).collect();
        write!(out, "| {name} ")?;
        for candidates in [all, &links] {
            let [raw, calibrated] = [0, 1].map(|map| error(candidates, map));
            write!(out, "| {} | {raw:.3} | {calibrated:.3} ", candidates.len())?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}

fn write_ranges(out: &mut impl Write, all: &[Candidate]) -> Result<()> {
    writeln!(out, "\n| confidence | candidates | mean | right | calibrated: candidates | mean | right |")?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for (n, (raw, calibrated)) in bins(all, 0).iter().zip(bins(all, 1)).enumerate() {
        write!(out, "| {:.1} to {:.1} ", n as f64 / BINS as f64, (n + 1) as f64 / BINS as f64)?;
        for [count, sum, right] in [*raw, calibrated] {
            write!(out, "| {count} | {:.3} | {:.3} ", sum / count, right / count)?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}

/// Candidates, the sum of their confidences (by number: as they are, calibrated), and how many are right, in ranges of
/// equal size.
fn bins(candidates: &[Candidate], map: usize) -> [[f64; 3]; BINS] {
    let mut bins = [[0.0; 3]; BINS];
    for candidate in candidates {
        let confidence = candidate.confidences[map];
        let bin = &mut bins[((confidence * BINS as f32) as usize).min(BINS - 1)];
        let values = [1.0, f64::from(confidence), f64::from(u8::from(candidate.right))];
        bin.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    bins
}

/// The expected calibration error (Naeini, Cooper and Hauskrecht 2015): by how much confidence and share of right ones
/// differ in a range, on average over all candidates.
fn error(candidates: &[Candidate], map: usize) -> f64 {
    let difference = |[_, confidence, right]: [f64; 3]| (confidence - right).abs();
    bins(candidates, map).into_iter().map(difference).sum::<f64>() / candidates.len() as f64
}
