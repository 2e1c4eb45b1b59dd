//! Phrase pairs found a second, by one reused extractor: 1,000 sentence pairs of 30 words made by a fixed generator, whose
//! links lie near the diagonal; three words of ten have none. With the limit of Moses and without one. Throughput is in
//! phrase pairs.
//!
//! Run with `cargo bench -p alinea --bench phrase_pairs`.

use std::hint::black_box;
use std::num::{NonZeroU32, NonZeroU64};

use alinea::alignment::{Alignment, Link};
use alinea::numeric::Generator;
use alinea::phrase::{MOSES_MAX_LENGTH, PhraseExtractor};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const WORDS: u32 = 30;

/// Links up to two words off the diagonal.
fn links(generator: &mut Generator) -> Alignment {
    let five = NonZeroU64::MIN.saturating_add(4);
    let mut links = Vec::new();
    for source in 0..WORDS {
        let target = (source + generator.below(five) as u32).saturating_sub(2).min(WORDS - 1);
        if generator.unit() < 0.7 {
            links.push(Link::new(source, target));
        }
    }
    Alignment::from_links(links)
}

/// The number of phrase pairs of all sentences.
fn extract(extractor: &mut PhraseExtractor, sentences: &[Alignment]) -> usize {
    let pairs = |links| extractor.extract(links, WORDS as usize, WORDS as usize).expect("links inside").pairs().len();
    sentences.iter().map(pairs).sum()
}

fn bench(criterion: &mut Criterion) {
    let mut generator = Generator::new(12345, 0);
    let sentences: Vec<Alignment> = (0..1000).map(|_| links(&mut generator)).collect();
    let mut group = criterion.benchmark_group("phrase_pairs");
    for (name, limit) in [("7 words", Some(MOSES_MAX_LENGTH)), ("no limit", None::<NonZeroU32>)] {
        let mut extractor = PhraseExtractor::new(limit);
        group.throughput(Throughput::Elements(extract(&mut extractor, &sentences) as u64));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(extract(&mut extractor, &sentences))));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
