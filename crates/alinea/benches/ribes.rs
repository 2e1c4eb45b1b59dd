//! RIBES of segments a second, by one reused thread: reading of words, alignment, and correlation.
//!
//! Two kinds of input, made by a fixed generator: 1,000 segments of 25 words, some of which come again and again as in
//! running text, and one of 2,000 words of which there are only ten, so that every alignment needs long contexts. In a
//! hypothesis one word of ten is another, and some stretch has moved.
//!
//! Run with `cargo bench -p alinea --bench ribes`.

use std::hint::black_box;
use std::num::NonZeroU64;

use alinea::metric::ribes::{Ribes, RibesConfig};
use alinea::metric::tokenize::Blanks;
use alinea::metric::{Metric, Segments};
use alinea::numeric::Generator;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A number below `end`, small ones more often than great ones.
fn skewed(generator: &mut Generator, end: u64) -> u64 {
    let unit = generator.unit();
    (unit * unit * end as f64) as u64
}

fn segments(generator: &mut Generator, count: usize, length: usize, words: u64) -> Segments {
    let mut segments = Segments::new(1);
    for _ in 0..count {
        let reference: Vec<u64> = (0..length).map(|_| skewed(generator, words)).collect();
        let mut hypothesis = reference.clone();
        hypothesis.rotate_left(generator.below(NonZeroU64::MIN.saturating_add(length as u64 / 4)) as usize);
        for word in &mut hypothesis {
            if generator.unit() < 0.1 {
                *word = skewed(generator, words);
            }
        }
        let line = |words: &[u64]| words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
        segments.push(&[&line(&hypothesis)], &[&line(&reference)]);
    }
    segments
}

fn bench(criterion: &mut Criterion) {
    let mut generator = Generator::new(12345, 0);
    let ribes = Ribes::new(RibesConfig::default().with(|c| c.tokenizer = Box::new(Blanks))).expect("exponents");
    for (name, count, length, words) in [("25 words", 1000, 25, 1000), ("2000 words", 1, 2000, 10)] {
        let segments = segments(&mut generator, count, length, words);
        let mut group = criterion.benchmark_group("ribes");
        group.throughput(Throughput::Elements(count as u64));
        let mut measurer = ribes.measurer();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut statistics = [0.0; 2];
                for segment in 0..segments.len() {
                    let references: Vec<&str> = segments.references(segment).collect();
                    measurer.read_references(black_box(&references)).expect("no tokenizer of others");
                    measurer.measure(segments.hypothesis(segment, 0), &mut statistics).expect("as above");
                    black_box(statistics);
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
