//! `alinea-dev calibrate`: how often links of each confidence are right, and the map that makes one the other.
//!
//! Candidates are all pairs of words with a confidence of 0.01 or more. They are right if people linked them, wrong if
//! they did not; of what people only call possible nothing is said. The map is fitted by regression under a monotone
//! constraint to the shares of right candidates in some ranges of confidence, in which every set has the same weight.

use std::io::Write;
use std::path::PathBuf;

use alinea::model::{Aligner, AlignerConfig, calibrated};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use anyhow::{Context, Result};

use crate::sets::GoldSet;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with `gold` and `bitext`.
    data: PathBuf,
    /// What the map is fitted to: GOLD, GOLD+BITEXT or GOLD+BITEXT:N.
    #[arg(long = "fit")]
    fit: Vec<String>,
    /// What the map of the library is tested on.
    #[arg(long = "test")]
    test: Vec<String>,
    /// Number of threads; 0 for one a core.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The least confidence of a candidate.
const LEAST: f32 = 0.01;

/// The confidence from which on links are made.
const LINKED: f32 = 0.45;

/// The ranges of confidence a knot stands for: their lower ends.
const RANGES: [f32; 15] = [0.0, 0.03, 0.07, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.93, 0.97, 0.99, 0.998];

/// The number of ranges of equal size in which confidence and share of right ones are compared.
const BINS: usize = 10;

/// A confidence, and whether the link is right.
type Candidate = (f32, bool);

pub(crate) fn run(args: &Args) -> Result<()> {
    let parallelism = Parallelism::new(args.threads)?;
    let read = |sets: &[String]| -> Result<Vec<Vec<Candidate>>> {
        sets.iter().map(|set| candidates(args, set, &parallelism).with_context(|| set.clone())).collect()
    };
    let mut out = std::io::stdout().lock();
    if !args.fit.is_empty() {
        for [confidence, share] in fit(&read(&args.fit)?) {
            writeln!(out, "    [{confidence:.3}, {share:.3}],")?;
        }
    }
    let tests = read(&args.test)?;
    writeln!(
        out,
        "| set | candidates | error | calibrated | links | error | calibrated |\n|---|---|---|---|---|---|---|"
    )?;
    let map =
        |candidates: &[Candidate]| -> Vec<Candidate> { candidates.iter().map(|&(c, y)| (calibrated(c), y)).collect() };
    for (set, all) in args.test.iter().zip(&tests) {
        let links: Vec<Candidate> = all.iter().copied().filter(|&(confidence, _)| confidence >= LINKED).collect();
        write!(out, "| {set} ")?;
        for candidates in [all, &links] {
            let errors = [error(candidates), error(&map(candidates))];
            write!(out, "| {} | {:.3} | {:.3} ", candidates.len(), errors[0], errors[1])?;
        }
        writeln!(out, "|")?;
    }
    let all: Vec<Candidate> = tests.concat();
    writeln!(
        out,
        "\n| confidence | candidates | mean | right | calibrated: candidates | mean | right |\n|---|---|---|---|---|---|---|"
    )?;
    for (n, (raw, calibrated)) in bins(&all).iter().zip(bins(&map(&all))).enumerate() {
        write!(out, "| {:.1} to {:.1} ", n as f64 / BINS as f64, (n + 1) as f64 / BINS as f64)?;
        for [count, sum, right] in [*raw, calibrated] {
            write!(out, "| {count} | {:.3} | {:.3} ", sum / count, right / count)?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}

fn candidates(args: &Args, set: &str, parallelism: &Parallelism) -> Result<Vec<Candidate>> {
    let GoldSet { bitext, gold, .. } = GoldSet::read(&args.data, set, 1.0, parallelism)?;
    let aligner = Aligner::train(&bitext, AlignerConfig::default(), parallelism, &Silent)?;
    let mut worker = aligner.worker();
    let mut candidates = Vec::new();
    for (n, gold) in gold.iter().enumerate() {
        let Some(posteriors) = worker.trained(n).posteriors(bitext.pair(n)) else { continue };
        let links = posteriors.weighted_links(LEAST).into_iter();
        let judged = links.filter(|found| gold.sure().contains(found.link) == gold.possible().contains(found.link));
        candidates.extend(judged.map(|found| (found.weight, gold.sure().contains(found.link))));
    }
    Ok(candidates)
}

/// Confidence and share of right ones in each range, made monotone by joining neighbors.
fn fit(sets: &[Vec<Candidate>]) -> Vec<[f64; 2]> {
    let mut sums = [[0.0f64; 3]; RANGES.len()];
    for set in sets {
        for &(confidence, right) in set {
            let range = RANGES.partition_point(|&least| least <= confidence) - 1;
            let values = [1.0, f64::from(confidence), f64::from(u8::from(right))];
            sums[range].iter_mut().zip(values).for_each(|(sum, value)| *sum += value / set.len() as f64);
        }
    }
    // Neighbors that contradict each other get one share: pool adjacent violators.
    let mut pools: Vec<([f64; 2], usize)> = Vec::new();
    for [weight, _, right] in sums {
        let mut pool = ([weight, right], 1);
        while let Some(&([weight, right], ranges)) = pools.last()
            && right * pool.0[0] > pool.0[1] * weight
        {
            pools.pop();
            pool = ([weight + pool.0[0], right + pool.0[1]], ranges + pool.1);
        }
        pools.push(pool);
    }
    let shares = pools.iter().flat_map(|&([weight, right], ranges)| std::iter::repeat_n(right / weight, ranges));
    sums.iter().zip(shares).map(|([weight, confidence, _], share)| [confidence / weight, share]).collect()
}

/// Candidates, the sum of their confidences, and how many are right, in ranges of equal size.
fn bins(candidates: &[Candidate]) -> [[f64; 3]; BINS] {
    let mut bins = [[0.0; 3]; BINS];
    for &(confidence, right) in candidates {
        let bin = &mut bins[((confidence * BINS as f32) as usize).min(BINS - 1)];
        let values = [1.0, f64::from(confidence), f64::from(u8::from(right))];
        bin.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    bins
}

/// The expected calibration error (Naeini, Cooper and Hauskrecht 2015): by how much confidence and share of right ones
/// differ in a range, on average over all candidates.
fn error(candidates: &[Candidate]) -> f64 {
    let difference = |[_, confidence, right]: [f64; 3]| (confidence - right).abs();
    bins(candidates).into_iter().map(difference).sum::<f64>() / candidates.len() as f64
}
