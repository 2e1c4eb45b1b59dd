//! One pass of the textbook models with fertilities, forward: a climb for each sentence pair, its neighborhood counted,
//! parameters estimated. On one thread, over 500 generated pairs of about 20 words (see `text/zipf.rs`), after one pass each
//! of the models before. Only passes are timed. Throughput is in tokens of both sides.
//!
//! Run with `cargo bench -p alinea --bench ibm_pass`.

#[path = "text/clock.rs"]
mod clock;
#[path = "text/zipf.rs"]
mod zipf;

use std::hint::black_box;
use std::time::Duration;

use alinea::bitext::RankedBitext;
use alinea::model::ibm::{IbmAligner, IbmConfig};
use alinea::parallel::Parallelism;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use self::clock::Clock;

const PAIRS: usize = 500;

/// The mean time of a pass.
fn pass(bitext: &RankedBitext, config: &IbmConfig, task: &'static str) -> Duration {
    let clock = Clock::new(task);
    let aligner = IbmAligner::train(bitext, config, &Parallelism::serial(), &clock).expect("text to train on");
    black_box(aligner);
    clock.mean()
}

fn bench(criterion: &mut Criterion) {
    let bitext = zipf::bitext(PAIRS);
    let mut group = criterion.benchmark_group("ibm_pass");
    group.sample_size(10);
    group.throughput(Throughput::Elements(zipf::tokens(&bitext)));
    for (name, chain, task) in
        [("ibm3", "ibm1:2,ibm2:2,ibm3:2", "ibm3"), ("ibm4", "ibm1:2,ibm2:2,ibm3:1,ibm4:2", "ibm4")]
    {
        let config = IbmConfig::new(chain.parse().expect("a chain"));
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| pass(&bitext, &config, task)).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
