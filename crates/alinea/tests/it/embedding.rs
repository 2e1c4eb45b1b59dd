//! Word vectors as evidence of links against a reference implementation.
//!
//! Vectors (`vectors/word-vectors.jsonl`) come from `crates/alinea-dev/reference/encoder_mix.py`, which computes in double
//! precision, with the posteriors as they are.

use std::collections::BTreeMap;

use alinea::embedding::{CellCounts, Centering, Joint, LEAST_ENTRY, Similarity, TypeVectors, entries, range_of};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;
use serde_json::Value;

const VECTORS: &str = include_str!("../vectors/word-vectors.jsonl");

fn vectors() -> Vec<Value> {
    let vectors: Vec<Value> = VECTORS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(vectors.len(), 4);
    vectors
}

/// Numbers of lists of lists, one after another.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(flat).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

/// The words of one side of a text, sentence by sentence, and what numbers their vectors have.
struct Side {
    width: usize,
    sentences: Vec<Vec<f32>>,
}

impl Side {
    fn centered(value: &Value, parallelism: &Parallelism) -> Self {
        let width = list(&value[0][0]).len();
        let mut sentences: Vec<Vec<f32>> =
            list(value).iter().map(|sentence| flat(sentence).into_iter().map(|x| x as f32).collect()).collect();
        let work = Work { parallelism, observer: &Silent };
        let centering = Centering::of(&sentences.concat(), width, work).unwrap();
        for sentence in &mut sentences {
            centering.apply(sentence);
        }
        Self { width, sentences }
    }

    fn types(&self, sentences: &Value) -> (Vec<String>, TypeVectors) {
        let (mut numbers, mut words) = (BTreeMap::new(), Vec::new());
        let mut types = TypeVectors::new(self.width);
        for (sentence, vectors) in list(sentences).iter().zip(&self.sentences) {
            for (word, vector) in list(sentence).iter().zip(vectors.chunks(self.width)) {
                let word = word.as_str().unwrap().to_lowercase();
                let number = *numbers.entry(word.clone()).or_insert_with(|| {
                    words.push(word);
                    words.len() - 1
                });
                types.add(number, vector);
            }
        }
        (words, types)
    }
}

#[test]
fn links_are_those_of_the_reference() {
    let parallelism = Parallelism::serial();
    for vector in vectors() {
        let (given, expected) = (&vector["input"], &vector["expect"]);
        let [source, target] = ["source", "target"].map(|side| Side::centered(&given[side], &parallelism));
        let mut counts = CellCounts::default();
        let mut ranges = Vec::new();
        for (n, (x, y)) in source.sentences.iter().zip(&target.sentences).enumerate() {
            let mut scores = Vec::new();
            Similarity::OF_WORDS.scores(x, y, source.width, &mut scores);
            let of_reference = flat(&expected["scores"][n]);
            assert_eq!(scores.len(), of_reference.len());
            scores.iter().zip(&of_reference).for_each(|(&found, &expected)| close(found.into(), expected, 2e-4));
            // A score at the edge of two ranges may round into the other.
            let of_pair: Vec<u8> = of_reference.iter().map(|&score| range_of(score as f32)).collect();
            let posteriors = flat(&given["posteriors"][n]);
            posteriors.iter().zip(&of_pair).for_each(|(&posterior, &range)| counts.add(posterior as f32, range));
            ranges.push(of_pair);
        }
        let evidence = counts.evidence();
        let ratios = flat(&expected["ratios"]);
        evidence.ratios().iter().zip(&ratios).for_each(|(&found, &expected)| close(found, expected, 2e-3));
        close(evidence.divergence(), expected["divergence"].as_f64().unwrap(), 2e-3);
        let joint = Joint::new(&evidence);
        let logit = |p: f32| (f64::from(p) / (1.0 - f64::from(p))).ln();
        for (n, of_pair) in ranges.iter().enumerate() {
            let cells = flat(&given["posteriors"][n]).into_iter().zip(of_pair).zip(flat(&expected["log_odds"][n]));
            for ((posterior, &range), expected) in cells {
                let found = logit(joint.confidence(posterior as f32, range)) - logit(joint.threshold());
                close(found, expected, 5e-3);
            }
        }
    }
}

#[test]
fn dictionaries_are_those_of_the_reference() {
    let parallelism = Parallelism::new(2).unwrap();
    let work = Work { parallelism: &parallelism, observer: &Silent };
    for vector in vectors() {
        let given = &vector["input"];
        let [(source_words, source), (target_words, target)] = ["source", "target"]
            .map(|side| Side::centered(&given[side], &parallelism).types(&given[format!("{side}_words")]));
        let found = entries(&source, &target, LEAST_ENTRY, work).unwrap();
        let expected = list(&vector["expect"]["entries"]);
        assert_eq!(found.len(), expected.len());
        for (([s, t], score), expected) in found.into_iter().zip(expected) {
            assert_eq!(
                (source_words[s].as_str(), target_words[t].as_str()),
                (expected[0].as_str().unwrap(), expected[1].as_str().unwrap())
            );
            close(score.into(), expected[2].as_f64().unwrap(), 2e-4);
        }
    }
}

#[test]
fn shuffled_vectors_are_not_trusted() {
    let vector = vectors().remove(3);
    assert!(vector["expect"]["divergence"].as_f64().unwrap() < 1.0, "noise of three times the meaning");
    let mut counts = CellCounts::default();
    let cells = flat(&vector["input"]["posteriors"]).into_iter().zip(flat(&vector["expect"]["scores"]));
    cells.for_each(|(posterior, score)| counts.add(posterior as f32, range_of(score as f32)));
    assert!(counts.evidence().trust() <= 0.0);
}
