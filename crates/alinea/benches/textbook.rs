//! Model 1 of the textbooks: finding the cells of a text, a pass, and best alignments. One thread and two, over 2,000
//! generated pairs of about 20 words (see `text/zipf.rs`). Throughput is in states: pairs of a word and what may generate it.
//!
//! Run with `cargo bench -p alinea --bench textbook`.

#[path = "text/zipf.rs"]
mod zipf;

use std::hint::black_box;

use alinea::bitext::Text;
use alinea::model::textbook::{NumberedSide, PairedText, WordByWord, best_states};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const PAIRS: usize = 2_000;
const PASSES: usize = 10;

fn numbered(text: &Text, first: u32) -> NumberedSide {
    let mut side = NumberedSide::default();
    for sentence in 0..text.len() {
        text.sentence(sentence).iter().for_each(|word| side.push(word.index() as u32 + first));
        side.end_sentence();
    }
    side
}

fn bench(criterion: &mut Criterion) {
    let bitext = zipf::bitext(PAIRS);
    let words = numbered(&bitext.bitext().target, 0);
    let conditions = numbered(&bitext.bitext().source, 1);
    let states: usize = (0..words.len()).map(|n| words.range(n).len() * (conditions.range(n).len() + 1)).sum();
    let mut group = criterion.benchmark_group("textbook");
    for threads in [1, 2] {
        let parallelism = Parallelism::new(threads).expect("threads");
        let text = PairedText::new(words.clone(), conditions.clone(), &parallelism);
        let mut model = WordByWord::uniform(&text, 1e-4);
        group.throughput(Throughput::Elements(states as u64));
        group.bench_function(BenchmarkId::new("cells", threads), |bencher| {
            bencher.iter(|| black_box(PairedText::new(words.clone(), conditions.clone(), &parallelism)));
        });
        group.bench_function(BenchmarkId::new("best_states", threads), |bencher| {
            bencher.iter(|| black_box(best_states(&text, &model.translation, None, &parallelism)));
        });
        group.throughput(Throughput::Elements((states * PASSES) as u64));
        group.bench_function(BenchmarkId::new("passes", threads), |bencher| {
            bencher.iter(|| model.train(&text, PASSES, &parallelism, &Silent).expect("nobody cancels"));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
