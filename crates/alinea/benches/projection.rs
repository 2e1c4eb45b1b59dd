//! Trees read from CoNLL-U, and links carried over them by the rules for Universal Dependencies, in words a second.
//!
//! Run with `cargo bench -p alinea --bench projection`.

use alinea::alignment::Alignment;
use alinea::format::conllu;
use alinea::project::links::{ParsedPair, ProjectionConfig, Projector, RuleSet};
use alinea::tree::Roots;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const ENGLISH: &str = include_str!("../../alinea-cli/sample/en-fr.47.en.conllu");
const FRENCH: &str = include_str!("../../alinea-cli/sample/en-fr.47.fr.conllu");

/// Copies of the sample's trees.
const SENTENCES: usize = 1000;

fn benchmarks(criterion: &mut Criterion) {
    let (english, french) = (ENGLISH.repeat(SENTENCES), FRENCH.repeat(SENTENCES));
    let read = |text: &str| conllu::parse(text, "sample", Roots::One).expect("the sample is well formed");
    let (source, target) = (read(&english), read(&french));
    let words = source.iter().chain(&target).map(|sentence| sentence.len() as u64).sum();
    let rules = RuleSet::universal();
    // The board put off its decision indefinitely: from the verb on.
    let anchors: Alignment = [(3, 5)].into();

    let mut group = criterion.benchmark_group("projection");
    group.throughput(Throughput::Elements(words));
    group.bench_function("read", |bencher| bencher.iter(|| (read(&english), read(&french))));
    group.bench_function("carry", |bencher| {
        let mut projector = Projector::new(&rules, ProjectionConfig::default()).expect("the default is valid");
        bencher.iter(|| {
            for (source, target) in source.iter().zip(&target) {
                let pair = ParsedPair::new(source, target).expect("both have trees");
                projector.project(&pair, &anchors, &[]).expect("the link is within the sentences");
            }
        });
    });
    group.finish();
}

criterion_group!(benches, benchmarks);
criterion_main!(benches);
