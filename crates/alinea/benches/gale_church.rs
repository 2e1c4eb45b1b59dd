//! Sentences aligned by their lengths a second: 1,000 sentences of 20 to 200 characters made by a fixed generator, whose
//! translations are up to a fifth longer or shorter; one in ten target sentences is joined with the next. As one text, and
//! as paragraphs of 20 sentences. Throughput is in source sentences.
//!
//! Run with `cargo bench -p alinea --bench gale_church`.

use std::hint::black_box;
use std::num::NonZeroU64;

use alinea::numeric::Generator;
use alinea::progress::Silent;
use alinea::sentence_align::{GaleChurchConfig, SentenceAligner};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const SENTENCES: usize = 1000;
const PARAGRAPH: usize = 20;

/// The lengths of a paragraph's sentences on both sides.
fn paragraph(generator: &mut Generator) -> [Vec<u32>; 2] {
    let range = NonZeroU64::MIN.saturating_add(180);
    let (mut source, mut target) = (Vec::new(), Vec::new());
    let mut joined = 0;
    for _ in 0..PARAGRAPH {
        let length = 20 + generator.below(range) as u32;
        source.push(length);
        joined += (f64::from(length) * (0.8 + 0.4 * generator.unit())) as u32;
        if generator.unit() < 0.9 {
            target.push(joined);
            joined = 0;
        }
    }
    if joined > 0 {
        target.push(joined);
    }
    [source, target]
}

fn bench(criterion: &mut Criterion) {
    let mut generator = Generator::new(12345, 0);
    let paragraphs: Vec<[Vec<u32>; 2]> = (0..SENTENCES / PARAGRAPH).map(|_| paragraph(&mut generator)).collect();
    let side = |n: usize| paragraphs.iter().flat_map(|sides| sides[n].iter().copied()).collect::<Vec<u32>>();
    let (source, target) = (side(0), side(1));
    let mut aligner = SentenceAligner::new(GaleChurchConfig::default()).expect("the defaults are allowed");
    let mut group = criterion.benchmark_group("gale_church");
    group.throughput(Throughput::Elements(SENTENCES as u64));
    group.bench_function("one text", |bencher| {
        bencher.iter(|| black_box(aligner.align(&source, &target, &Silent)));
    });
    group.bench_function("paragraphs", |bencher| {
        bencher.iter(|| {
            for [source, target] in &paragraphs {
                let _ = black_box(aligner.align(source, target, &Silent));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
