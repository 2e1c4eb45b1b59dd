//! Links symmetrized a second, by one reused worker.
//!
//! Two kinds of input, made by a fixed generator: 1,000 sentence pairs of 30 words, whose directions agree on about two
//! links of three, and one pair of 1,000 words. The unit of throughput is a link of either direction.
//!
//! Run with `cargo bench -p alinea --bench symmetrize`.

use std::hint::black_box;
use std::num::NonZeroU64;

use alinea::alignment::{Alignment, Link};
use alinea::numeric::Generator;
use alinea::symmetrize::{Method, Symmetrizer};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

type Pair = (Alignment, Alignment);

/// Two directions near the diagonal: each word's link is exact with probability 4/5, otherwise up to 4 words off.
fn directions(generator: &mut Generator, words: u32) -> Pair {
    let nine = NonZeroU64::MIN.saturating_add(8);
    let mut other = |n: u32| {
        let off = if generator.unit() < 0.8 { 4 } else { generator.below(nine) as u32 };
        (n + off).saturating_sub(4).min(words - 1)
    };
    let forward = (0..words).map(|target| Link::new(other(target), target)).collect();
    let reverse = (0..words).map(|source| Link::new(source, other(source))).collect();
    (forward, reverse)
}

fn bench(criterion: &mut Criterion) {
    let mut generator = Generator::new(12345, 0);
    let corpus: Vec<Pair> = (0..1000).map(|_| directions(&mut generator, 30)).collect();
    let long = [directions(&mut generator, 1000)];
    for (name, pairs) in [("30 words", &corpus[..]), ("1000 words", &long[..])] {
        let mut group = criterion.benchmark_group(format!("symmetrize/{name}"));
        let links: usize = pairs.iter().map(|(forward, reverse)| forward.len() + reverse.len()).sum();
        group.throughput(Throughput::Elements(links as u64));
        for method in Method::ALL {
            let mut worker = Symmetrizer::new(method);
            let mut result = Alignment::new();
            group.bench_function(BenchmarkId::from_parameter(method), |bencher| {
                bencher.iter(|| {
                    for (forward, reverse) in pairs {
                        worker.symmetrize_into(black_box(forward), black_box(reverse), &mut result);
                        black_box(&result);
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
