//! Training in parts and from counts in files, against training in one go.

use alinea::alignment::GoldAlignment;
use alinea::bitext::{RankedBitext, Weights};
use alinea::model::{Aligner, AlignerConfig, Counts, Schedule, Shard, Supervision, TextForm, Training};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;

use crate::texts::{Lines, below, bitext, models, sample, tiny, words};

fn bytes(aligner: &Aligner, text: &RankedBitext) -> Vec<u8> {
    let mut bytes = Vec::new();
    aligner.save(text, TextForm::default(), &mut bytes).unwrap();
    bytes
}

/// The same counts from a file.
fn through_a_file(counts: &Counts) -> Counts {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("counts");
    let mut bytes = Vec::new();
    counts.write(&mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    Counts::read(&path).unwrap()
}

/// Trains in so many parts, each in a training of its own that begins again before every pass.
fn in_parts(text: &RankedBitext, config: &AlignerConfig, known: &Supervision, parts: usize) -> Aligner {
    let serial = Parallelism::serial();
    let mut before: Option<Counts> = None;
    loop {
        let begin = |threads: usize| {
            let parallelism = Parallelism::new(threads).unwrap();
            let mut training = Training::new(text, config.clone(), known, &parallelism, &Silent).unwrap();
            if let Some(before) = &before {
                training.take(before.clone(), &parallelism).unwrap();
                training.maximize(&parallelism).unwrap();
            }
            training
        };
        if begin(1).next_pass().is_none() {
            return begin(1).finish();
        }
        let counts = (1..=parts).rev().map(|part| {
            let mut training = begin(1 + part % 2);
            training.count(Shard::new(part, parts).unwrap(), &serial, &Silent).unwrap();
            through_a_file(&training.counts().unwrap())
        });
        before = counts.reduce(|sum, more| through_a_file(&sum.merged(more).unwrap()));
    }
}

fn known(lines: &Lines, generator: &mut Generator) -> Supervision {
    let mut known = Supervision::default();
    let (source, target) = &lines[below(generator, lines.len())];
    let first = |line: &str| words(line).next().expect("no side is empty").as_bytes().to_vec();
    known.dictionary.push(&first(source), &first(target), 0.5).unwrap();
    known.links.push((0, GoldAlignment::from_parts([(0, 0)].into(), &[].into())));
    known
}

#[test]
fn counts_of_parts_add_up_to_those_of_the_whole() {
    for seed in 0..12 {
        let mut generator = Generator::new(seed, 31);
        let lines = tiny(&mut generator);
        let half = lines.len() / 2;
        let weights = Weights::new(&[(half, 1.0), (lines.len() - half, 0.3)]).unwrap();
        let text = bitext(&lines).weighted(weights).unwrap();
        for config in models() {
            let config = config.with(|c| c.schedule = c.schedule.or(Some(Schedule { ibm1: 2, hmm: 3 })));
            let has_prior = config.prior.is_some();
            let known = if has_prior { known(&lines, &mut generator) } else { Supervision::default() };
            let whole = Aligner::train_with(&text, config.clone(), &known, &Parallelism::serial(), &Silent).unwrap();
            let parts = in_parts(&text, &config, &known, 2);
            assert_eq!(parts.log_likelihoods(), whole.log_likelihoods(), "{} {seed}", config.name);
            assert!(bytes(&parts, &text) == bytes(&whole, &text), "{} {seed}", config.name);
        }
    }
}

#[test]
fn a_text_of_several_chunks_is_counted_in_parts() {
    let lines: Lines = (0..30).flat_map(|n| sample().into_iter().map(move |(s, t)| (format!("{s} {n}"), t))).collect();
    let text = bitext(&lines);
    let config = AlignerConfig::default().with(|c| c.schedule = Some(Schedule { ibm1: 1, hmm: 2 }));
    let whole = Aligner::train(&text, config.clone(), &Parallelism::serial(), &Silent).unwrap();
    let parts = in_parts(&text, &config, &Supervision::default(), 3);
    assert!(bytes(&parts, &text) == bytes(&whole, &text));
}

#[test]
fn what_does_not_fit_is_refused() {
    let serial = Parallelism::serial();
    let text = bitext(&sample()[..50]);
    let begin = |config| Training::new(&text, config, &Supervision::default(), &serial, &Silent).unwrap();
    let mut training = begin(AlignerConfig::default());
    let message = |error: alinea::error::Error| error.to_string();
    assert_eq!(training.counts().map(|_| ()).map_err(message).unwrap_err(), "nothing was counted in Model 1 1/5");
    let error = training.maximize(&serial).map_err(message).unwrap_err();
    assert_eq!(error, "not all of the text was counted in Model 1 1/5");
    training.count(Shard::WHOLE, &serial, &Silent).unwrap();
    let counts = training.counts().unwrap();
    assert!(begin(AlignerConfig::agreement()).take(counts.clone(), &serial).is_err());
    assert!(counts.clone().merged(counts.clone()).map_err(message).unwrap_err().contains("counted twice"));
    training.maximize(&serial).unwrap();
    training.count(Shard::WHOLE, &serial, &Silent).unwrap();
    let next = training.counts().unwrap();
    let error = counts.merged(next).map_err(message).unwrap_err();
    assert_eq!(error, "counts of Model 1 1/5 and of Model 1 2/5 cannot be added");
}
