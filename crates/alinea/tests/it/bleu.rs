//! BLEU against sacreBLEU, and against the definition of each smoothing technique.

use std::collections::BTreeMap;

use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::smoothing::{ChenCherry, Smoothing};
use alinea::metric::tokenize::{Blanks, ThirteenA, Tokenizer};
use alinea::metric::{Metric, Segments, measure};
use alinea::parallel::Parallelism;
use serde_json::Value;

/// Values of sacreBLEU 2.6.0, and of the reference implementation `crates/alinea-dev/reference/bleu.py`.
const VECTORS: &str = include_str!("../vectors/bleu.jsonl");

fn score(config: BleuConfig, segments: &Segments) -> f64 {
    let bleu = Bleu::new(config).unwrap();
    let statistics = measure(&bleu, segments, &Parallelism::serial()).unwrap();
    bleu.score(&statistics[0].sums())
}

/// Tokens of the vectors have no blanks.
fn line(tokens: &Value) -> String {
    let tokens: Vec<_> = tokens.as_array().unwrap().iter().map(|token| token.as_str().unwrap()).collect();
    tokens.join(" ")
}

fn push(segments: &mut Segments, references: &Value, hypothesis: &Value) {
    let references: Vec<_> = references.as_array().unwrap().iter().map(line).collect();
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    segments.push(&[&line(hypothesis)], &references);
}

#[test]
fn techniques_are_as_the_reference_has_them() {
    let mut checked = BTreeMap::new();
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (op, input) = (vector["op"].as_str().unwrap(), &vector["input"]);
        if input["variant"] != "paper" {
            continue;
        }
        let mut segments = Segments::new(1);
        if op == "corpus_bleu" {
            for pair in input["pairs"].as_array().unwrap() {
                push(&mut segments, &pair[0], &pair[1]);
            }
        } else {
            push(&mut segments, &input["references"], &input["hypothesis"]);
        }
        let method = ChenCherry::new(input["smoothing"].as_u64().unwrap() as u8);
        let smoothing = Smoothing::ChenCherry(method);
        let config = BleuConfig { smoothing, tokenizer: Box::new(Blanks), ..BleuConfig::default() };
        let (found, expected) = (score(config, &segments), 100.0 * vector["expect"].as_f64().unwrap());
        assert!((found - expected).abs() <= 1e-9, "{}: {found} {expected}", vector["id"]);
        *checked.entry((op.to_owned(), method.method)).or_insert(0) += 1;
    }
    assert_eq!(checked.values().sum::<usize>(), 76, "{checked:?}");
}

#[test]
fn scores_are_those_of_sacrebleu() {
    let mut checked = 0;
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let input = &vector["input"];
        if vector["op"] != "sacrebleu" {
            continue;
        }
        let tokenizer: Box<dyn Tokenizer> = match input["tokenize"].as_str().unwrap() {
            "none" => Box::new(Blanks),
            "13a" => Box::new(ThirteenA),
            _ => continue,
        };
        let smoothing = match input["smooth"].as_str().unwrap() {
            "none" => Smoothing::None,
            "floor" => Smoothing::Floor(0.1),
            "add-k" => Smoothing::AddK(1.0),
            "exp" => Smoothing::Exp,
            other => panic!("{other}"),
        };
        let references: Vec<&str> =
            input["references"].as_array().unwrap().iter().map(|reference| reference.as_str().unwrap()).collect();
        let mut segments = Segments::new(1);
        segments.push(&[input["hypothesis"].as_str().unwrap()], &references);
        let effective_order = input["effective_order"].as_bool().unwrap();
        let config = BleuConfig { smoothing, effective_order, tokenizer, ..BleuConfig::default() };
        let (found, expected) = (score(config, &segments), vector["expect"].as_f64().unwrap());
        assert!((found - expected).abs() <= 1e-12, "{}: {found} {expected}", vector["id"]);
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
}
