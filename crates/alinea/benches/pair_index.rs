//! How fast the pairs of words that occur together are collected, on one thread and on two: 5,000 generated sentence
//! pairs of about 20 words (see `text/zipf.rs`). Throughput is in tokens of both sides.
//!
//! Run with `cargo bench -p alinea --bench pair_index`.

#[path = "text/zipf.rs"]
mod zipf;

use alinea::lexicon::PairIndex;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const PAIRS: usize = 5000;

fn bench(criterion: &mut Criterion) {
    let bitext = zipf::bitext(PAIRS);
    let mut group = criterion.benchmark_group("pair_index");
    group.sample_size(10);
    group.throughput(Throughput::Elements(zipf::tokens(&bitext)));
    for threads in [1, 2] {
        let parallelism = Parallelism::new(threads).expect("two threads at most");
        group.bench_function(BenchmarkId::new("build", threads), |bencher| {
            bencher.iter(|| PairIndex::build(&bitext, &parallelism, &Silent).expect("few pairs of words"));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
