//! Words put into 50 classes, on one thread: the source side of 2,000 generated pairs of about 20 words (see
//! `text/zipf.rs`), by plain exchange and with the cooling before it. Throughput is in tokens.
//!
//! Run with `cargo bench -p alinea --bench word_classes`.

#[path = "text/zipf.rs"]
mod zipf;

use std::hint::black_box;

use alinea::classes::{ClassesConfig, WordClasses};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const PAIRS: usize = 2000;

fn bench(criterion: &mut Criterion) {
    let bitext = zipf::bitext(PAIRS);
    let text = &bitext.bitext().source;
    let mut group = criterion.benchmark_group("word_classes");
    group.sample_size(10);
    group.throughput(Throughput::Elements(text.token_count() as u64));
    for (name, cooling) in [("exchange", 0), ("cooling", ClassesConfig::default().cooling)] {
        let config = ClassesConfig::default().with(|c| c.cooling = cooling);
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(WordClasses::train(text, &config, &Parallelism::serial(), &Silent)));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
