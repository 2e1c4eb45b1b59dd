//! Models from the counts of several models.

use std::collections::BTreeMap;

use alinea::bitext::RankedBitext;
use alinea::model::{Aligner, AlignerConfig, Merged, Model, Side, Supervision, TextForm};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;

use crate::texts::{Lines, bitext, models, sample, train};

fn through_a_file(aligner: &Aligner, text: &RankedBitext) -> Model {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model");
    let mut bytes = Vec::new();
    aligner.save(text, TextForm::default(), &mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    Model::open(&path).unwrap()
}

fn model(lines: &[(String, String)], config: &AlignerConfig) -> Model {
    let text = bitext(lines);
    through_a_file(&train(&text, config), &text)
}

fn merged(models: &[Model]) -> Model {
    let Merged { aligner, words } = Merged::of(&models.iter().collect::<Vec<_>>(), &Parallelism::serial()).unwrap();
    through_a_file(&aligner, &words)
}

/// Probability and numerator by direction and words.
type Table = BTreeMap<(usize, Option<Vec<u8>>, Vec<u8>), (f32, f32)>;

fn table(model: &Model) -> Table {
    let mut table = Table::new();
    for (n, side) in [Side::Source, Side::Target].into_iter().enumerate() {
        model.for_each_translation(side, 0.0, |found| {
            let key = (n, found.condition.map(<[u8]>::to_vec), found.generated.to_vec());
            table.insert(key, (found.probability, found.count));
        });
    }
    table
}

/// Posteriors of a text, forward and reverse.
fn posteriors(model: &Model, lines: &Lines) -> Vec<f32> {
    let text = bitext(lines);
    let (new, mut worker) = (model.read(text.bitext()), model.worker().judging());
    let of = |n: usize| worker.posteriors(&new, n).map_or_else(Vec::new, |found| found.means().collect());
    (0..new.len()).flat_map(of).collect()
}

#[test]
fn one_model_alone_stays_what_it_is() {
    let (known, new): (Lines, Lines) = (sample()[..150].to_vec(), sample()[150..200].to_vec());
    for config in models() {
        let model = model(&known, &config);
        let alone = merged(std::slice::from_ref(&model));
        assert_eq!(table(&alone), table(&model), "{}", config.name);
        assert_eq!(posteriors(&alone, &new), posteriors(&model, &new), "{}", config.name);
        assert!(alone.signature().contains("|merged:1"), "{}", alone.signature());
        assert_eq!((alone.pairs(), alone.known_pairs()), (model.pairs(), 0));
    }
}

#[test]
fn counts_add_up_whatever_the_order() {
    let lines = sample();
    // What has a prior: the empty word has only one that is known, and no back-off.
    for (config, beta) in [(AlignerConfig::hmm(), 0.0), (AlignerConfig::agreement(), 0.01)] {
        let (a, b) = (model(&lines[..120], &config), model(&lines[80..250], &config));
        let (tables, both) = ([table(&a), table(&b)], table(&merged(&[a, b])));
        let mut compared = 0;
        for (key, &(probability, count)) in &both {
            if beta > 0.0 && key.1.is_some() {
                continue;
            }
            let own = |table: &Table| table.get(key).map_or(0.0, |&(_, count)| count - beta);
            let expected = beta + own(&tables[0]) + own(&tables[1]);
            // Probabilities have floors.
            if probability > 1e-8 {
                assert!((count - expected).abs() < 1e-3 * (1.0 + expected), "{key:?}: {count} {expected}");
                compared += 1;
            }
        }
        assert!(compared > 500);
        let again = [model(&lines[80..250], &config), model(&lines[..120], &config)];
        let other_way = table(&merged(&again));
        assert_eq!(other_way.len(), both.len());
        for (key, (probability, _)) in &both {
            assert!((other_way[key].0 - probability).abs() < 1e-6, "{key:?}");
        }
    }
}

#[test]
fn what_is_counted_apart_helps_text_that_neither_half_knows() {
    let lines = sample();
    let config = AlignerConfig::default();
    let halves = [model(&lines[..150], &config), model(&lines[150..300], &config)];
    let new: Lines = lines[300..].to_vec();
    let text = bitext(&new);
    let likelihood = |model: &Model| -> f64 {
        let (new, mut worker) = (model.read(text.bitext()), model.worker().judging());
        (0..new.len()).filter_map(|n| Some(worker.posteriors(&new, n)?.scores()?.iter().sum::<f64>())).sum()
    };
    let apart = halves.each_ref().map(likelihood);
    let together = likelihood(&merged(&halves));
    assert!(together > apart[0] && together > apart[1], "{together} {apart:?}");
}

#[test]
fn models_of_different_kinds_are_refused() {
    let lines = sample();
    let serial = Parallelism::serial();
    let refused =
        |models: &[Model]| Merged::of(&models.iter().collect::<Vec<_>>(), &serial).map(|_| ()).unwrap_err().to_string();
    let (default, hmm) = (model(&lines[..50], &AlignerConfig::default()), model(&lines[..50], &AlignerConfig::hmm()));
    let new = bitext(&lines[50..80]);
    let adapted = Aligner::adapt(&default, &new, 1, &Supervision::default(), &serial, &Silent).unwrap();
    let adapted = through_a_file(&adapted, &new);
    assert!(refused(&[default, hmm]).contains("are models of different kinds"));
    assert!(refused(&[adapted]).contains("has no counts"));
    assert_eq!(refused(&[]), "no models to merge");
}
