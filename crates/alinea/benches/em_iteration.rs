//! One pass of expectation maximization: posteriors of all sentence pairs counted, parameters estimated. On one thread,
//! over 5,000 generated pairs of about 20 words (see `text/zipf.rs`), for Model 1 and the HMM, with directions apart and
//! in agreement. Only passes are timed, not the index built before them. Throughput is in tokens of both sides.
//!
//! Run with `cargo bench -p alinea --bench em_iteration`.

#[path = "text/clock.rs"]
mod clock;
#[path = "text/zipf.rs"]
mod zipf;

use std::hint::black_box;
use std::time::Duration;

use alinea::bitext::RankedBitext;
use alinea::model::{Aligner, AlignerConfig, Schedule};
use alinea::parallel::Parallelism;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use self::clock::Clock;

const PAIRS: usize = 5000;

/// The mean time of a pass.
fn pass(bitext: &RankedBitext, config: &AlignerConfig, task: &'static str) -> Duration {
    let clock = Clock::new(task);
    let aligner = Aligner::train(bitext, config.clone(), &Parallelism::serial(), &clock).expect("text to train on");
    black_box(aligner);
    clock.mean()
}

fn bench(criterion: &mut Criterion) {
    let bitext = zipf::bitext(PAIRS);
    let mut group = criterion.benchmark_group("em_iteration");
    group.sample_size(10);
    group.throughput(Throughput::Elements(zipf::tokens(&bitext)));
    let ibm1 = Schedule { ibm1: 2, hmm: 0 };
    let hmm = Schedule { ibm1: 1, hmm: 2 };
    for (name, config, schedule, task) in [
        ("ibm1", AlignerConfig::ibm1(), ibm1, "Model 1"),
        ("ibm1 with priors", AlignerConfig::agreement(), ibm1, "Model 1"),
        ("hmm", AlignerConfig::hmm(), hmm, "HMM"),
        ("agreement", AlignerConfig::agreement(), hmm, "HMM"),
    ] {
        let config = config.with(|c| c.schedule = Some(schedule));
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| pass(&bitext, &config, task)).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
