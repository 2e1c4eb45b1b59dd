//! How fast a trained model decodes: posteriors of both directions, links by threshold, best paths; one worker on one
//! thread, over 2,000 generated pairs of about 20 words (see `text/zipf.rs`), and over four pairs of 400. Throughput is
//! in tokens of both sides.
//!
//! Run with `cargo bench -p alinea --bench hmm_posteriors`.

#[path = "text/zipf.rs"]
mod zipf;

use std::hint::black_box;

use alinea::bitext::{Bitext, RankedBitext, Text};
use alinea::model::{Aligner, AlignerConfig, Schedule};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const PAIRS: usize = 2000;

/// The first words of a text as four sentence pairs of 400 words.
fn joined(bitext: &RankedBitext) -> RankedBitext {
    let join = |text: &Text| {
        let mut joined = Text::default();
        for sentence in text.tokens().chunks(400).take(4) {
            joined.push_sentence(sentence.iter().map(|&word| text.vocabulary().word(word)));
        }
        joined
    };
    let (source, target) = (join(&bitext.bitext().source), join(&bitext.bitext().target));
    RankedBitext::new(Bitext::new(source, target).expect("four sentences on both sides"))
}

fn bench(criterion: &mut Criterion) {
    let short = zipf::bitext(PAIRS);
    let long = joined(&short);
    for (name, bitext) in [("20 words", &short), ("400 words", &long)] {
        let mut group = criterion.benchmark_group(format!("hmm_posteriors/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(zipf::tokens(bitext)));
        for config in [AlignerConfig::agreement(), AlignerConfig::hmm()] {
            let config = config.with(|c| c.schedule = Some(Schedule { ibm1: 3, hmm: 2 }));
            let model = config.name;
            let aligner = Aligner::train(bitext, config, &Parallelism::serial(), &Silent).expect("text to train on");
            let mut worker = aligner.worker(bitext);
            group.bench_function(BenchmarkId::new("links", model), |bencher| {
                bencher.iter(|| {
                    for n in 0..bitext.len() {
                        black_box(worker.posteriors(n).map(|posteriors| posteriors.links(0.45)));
                    }
                });
            });
            group.bench_function(BenchmarkId::new("best paths", model), |bencher| {
                bencher.iter(|| {
                    for n in 0..bitext.len() {
                        black_box(worker.viterbi(n));
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
