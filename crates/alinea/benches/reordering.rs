//! Word order from end to end: gold orders of alignments, scores of orders, searches by given numbers, training and
//! application of the default engine and of `top-down`.
//!
//! The sentences, made by a fixed generator, are those of a language with the verb in the middle and adjectives before
//! nouns; their translations have the verb at the end and adjectives behind nouns, so that there is something to learn, but
//! one link in eight is missing. Searches get random numbers, which is harder than what models believe of words.
//!
//! Run with `cargo bench -p alinea --bench reordering`.

use std::hint::black_box;
use std::num::NonZeroU64;

use alinea::alignment::{Alignment, Link};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use alinea::reorder::engine::Layer;
use alinea::reorder::example::Example;
use alinea::reorder::linear::{self, Preferences};
use alinea::reorder::model::{Model, Recipe};
use alinea::reorder::salesman::{Costs, MOST_WORDS_FOR_EXACT, shortest_path};
use alinea::reorder::scores::Case;
use alinea::reorder::{Engine, Incomparable, Judge, Key, Ranks, Sentence, Unaligned, gold_order};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Sentences to learn from, and to apply models to.
const TRAINING: usize = 150;
/// Sentences whose orders are made and judged.
const SENTENCES: usize = 500;
/// Distinct words of a class.
const WORDS: u64 = 400;

fn below(generator: &mut Generator, bound: u64) -> u64 {
    NonZeroU64::new(bound).map_or(0, |bound| generator.below(bound))
}

/// A sentence with tags, and its links.
fn sentence(generator: &mut Generator) -> (Sentence, Alignment) {
    let mut tags = Vec::new();
    // For each word of the source its place among those of the translation: a key to sort by.
    let mut keys = Vec::new();
    for clause in 0..=below(generator, 3) {
        let start = clause as f64 * 100.0;
        for (phrase, tag) in ["S", "V", "O", "P"].into_iter().enumerate() {
            let place = start + if tag == "V" { 90.0 } else { phrase as f64 * 10.0 };
            let noun = tag != "V";
            let adjectives = if noun { below(generator, 3) } else { 0 };
            if noun {
                tags.push("D");
                keys.push(place);
            }
            for adjective in 0..adjectives {
                tags.push("A");
                keys.push(place + 5.0 + adjective as f64);
            }
            tags.push(if noun { "N" } else { "V" });
            keys.push(place + 1.0);
        }
    }
    // Few words are frequent, as in texts.
    let mut word = |tag: &&str| format!("{}{}", tag.to_lowercase(), (WORDS as f64).powf(generator.unit()) as u64);
    let words: Vec<String> = tags.iter().map(&mut word).collect();
    let mut order: Vec<u32> = (0..words.len() as u32).collect();
    order.sort_by(|&one, &other| keys[one as usize].total_cmp(&keys[other as usize]));
    let links = (0..).zip(order).filter(|_| below(generator, 8) > 0).map(|(target, source)| Link::new(source, target));
    let links = links.collect();
    let tags = tags.into_iter().map(str::to_owned).collect();
    (Sentence::new(words).with_layer(Layer::Tags, tags).expect("a tag a word"), links)
}

fn sentences(count: usize) -> Vec<(Sentence, Alignment)> {
    let mut generator = Generator::new(12345, 0);
    (0..count).map(|_| sentence(&mut generator)).collect()
}

fn orders(criterion: &mut Criterion) {
    let sentences = sentences(SENTENCES);
    let mut group = criterion.benchmark_group("reordering/sentences");
    group.throughput(Throughput::Elements(SENTENCES as u64));
    group.bench_function("oracle", |bencher| {
        bencher.iter(|| {
            for (sentence, links) in &sentences {
                black_box(gold_order(sentence.len(), black_box(links), Key::Mean, Unaligned::Drop));
                black_box(Ranks::of_alignment(sentence.len(), links, Incomparable::Skip).ok());
            }
        });
    });
    let judge = Judge::new().expect("the tokenizer never fails");
    let mut counter = judge.counter();
    let cases: Vec<_> = sentences
        .iter()
        .map(|(sentence, links)| {
            let gold = gold_order(sentence.len(), links, Key::Mean, Unaligned::Right).words().to_vec();
            let ranks = Ranks::of_alignment(sentence.len(), links, Incomparable::Skip).ok();
            (
                sentence.layer(Layer::Words).unwrap_or_default(),
                gold,
                (0..sentence.len() as u32).collect::<Vec<_>>(),
                ranks,
            )
        })
        .collect();
    group.bench_function("all scores", |bencher| {
        bencher.iter(|| {
            for (words, gold, candidate, ranks) in &cases {
                let case = Case { words, gold, candidate, ranks: ranks.as_ref() };
                black_box(counter.count(black_box(&case)).expect("orders of all words"));
            }
        });
    });
    group.finish();
}

fn searches(criterion: &mut Criterion) {
    let mut generator = Generator::new(12345, 0);
    let mut group = criterion.benchmark_group("reordering/searches");
    for words in [MOST_WORDS_FOR_EXACT, 25, 50] {
        let side = words + 2;
        let numbers: Vec<f64> = (0..side * side).map(|_| generator.unit()).collect();
        let gains = numbers[..words * words].iter().map(|number| number - 0.5).collect();
        let preferences = Preferences::new(words, gains).expect("a square of numbers");
        let costs = Costs::new(words, numbers).expect("a square of numbers");
        group.bench_function(BenchmarkId::new("linear", words), |bencher| {
            bencher.iter(|| linear::search(black_box(&preferences), (0..words as u32).collect()));
        });
        group.bench_function(BenchmarkId::new("salesman", words), |bencher| {
            bencher.iter(|| shortest_path(black_box(&costs)));
        });
    }
    group.finish();
}

fn models(criterion: &mut Criterion) {
    let (sentences, links): (Vec<Sentence>, Vec<Alignment>) = sentences(TRAINING).into_iter().unzip();
    let examples = sentences.iter().cloned().zip(links);
    let examples: Vec<Example> =
        examples.map(|(sentence, links)| Example::of_links(sentence, links).expect("links in it")).collect();
    for (name, recipe) in [("ensemble", Recipe::default()), ("top-down", Recipe::TopDown)] {
        let train = || {
            Model::train(&examples, &recipe.into(), None, &Parallelism::serial(), &Silent)
                .expect("there is something to learn")
        };
        let mut group = criterion.benchmark_group(format!("reordering/{name}"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(TRAINING as u64));
        group.bench_function("train", |bencher| bencher.iter(train));
        let model = train();
        let mut engine = model.engine();
        group.bench_function("apply", |bencher| {
            bencher.iter(|| {
                for sentence in &sentences {
                    black_box(engine.order(black_box(sentence)).expect("it has what the model was trained with"));
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, orders, searches, models);
criterion_main!(benches);
