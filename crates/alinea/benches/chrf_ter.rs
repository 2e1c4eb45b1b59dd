//! Segments scored a second by chrF, chrF++ and TER, by one reused measurer.
//!
//! Two kinds of input, made by a fixed generator: 200 segments of 10 to 40 words, and one of 1,000 words. Hypotheses are
//! references in which one word of five is replaced, dropped, doubled or moved.
//!
//! Run with `cargo bench -p alinea --bench chrf_ter`.

use std::hint::black_box;
use std::num::NonZeroU64;

use alinea::metric::Metric;
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::ter::Ter;
use alinea::numeric::Generator;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn below(generator: &mut Generator, bound: usize) -> usize {
    NonZeroU64::new(bound as u64).map_or(0, |bound| generator.below(bound) as usize)
}

/// Frequent words are short, and few.
fn word(generator: &mut Generator) -> String {
    let mut rank = 20_000f64.powf(generator.unit()) as usize;
    let mut word = String::new();
    while rank > 0 {
        word.push(char::from(b"etaoinsrhldcumfpgwyb"[rank % 20]));
        rank /= 7;
    }
    word
}

/// A hypothesis and its reference.
fn pair(generator: &mut Generator, words: usize) -> (String, String) {
    let reference: Vec<String> = (0..words).map(|_| word(generator)).collect();
    let mut hypothesis = reference.clone();
    for _ in 0..words / 5 {
        let place = below(generator, hypothesis.len());
        match below(generator, 4) {
            0 => hypothesis[place] = word(generator),
            1 => drop(hypothesis.remove(place)),
            2 => hypothesis.insert(place, hypothesis[place].clone()),
            _ => {
                let moved = hypothesis.remove(place);
                hypothesis.insert(below(generator, hypothesis.len() + 1), moved);
            }
        }
    }
    (hypothesis.join(" "), reference.join(" "))
}

fn bench(criterion: &mut Criterion) {
    let mut generator = Generator::new(12345, 0);
    let segments: Vec<_> = (0..200)
        .map(|_| {
            let words = 10 + below(&mut generator, 31);
            pair(&mut generator, words)
        })
        .collect();
    let long = [pair(&mut generator, 1000)];
    let chrf =
        |word_order| Chrf::new(ChrfConfig::default().with(|c| c.word_order = word_order)).expect("valid settings");
    let metrics: [Box<dyn Metric>; 3] = [Box::new(chrf(0)), Box::new(chrf(2)), Box::new(Ter::default())];
    for (name, pairs) in [("10 to 40 words", &segments[..]), ("1000 words", &long[..])] {
        let mut group = criterion.benchmark_group(format!("segments/{name}"));
        group.throughput(Throughput::Elements(pairs.len() as u64));
        for metric in &metrics {
            let mut measurer = metric.measurer();
            let mut statistics = vec![0.0; metric.width()];
            group.bench_function(BenchmarkId::from_parameter(metric.name()), |bencher| {
                bencher.iter(|| {
                    for (hypothesis, reference) in pairs {
                        measurer.read_references(&[black_box(reference)]).expect("a tokenizer that never fails");
                        measurer.measure(black_box(hypothesis), &mut statistics).expect("a tokenizer that never fails");
                        black_box(&statistics);
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
