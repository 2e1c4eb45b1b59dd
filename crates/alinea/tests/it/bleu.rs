//! BLEU against sacreBLEU, and against the definition of each smoothing technique.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::significance::{RandomSource, Resampling, bootstrap_scores};
use alinea::metric::smoothing::{ChenCherry, Nltk, NltkRelease, Smoothing};
use alinea::metric::tokenize::{Blanks, ThirteenA, Tokenizer};
use alinea::metric::{Metric, Segments, measure};
use alinea::numeric::Generator;
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
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
        let config = BleuConfig::default().with(|c| {
            c.smoothing = smoothing;
            c.tokenizer = Box::new(Blanks);
        });
        let (found, expected) = (score(config, &segments), 100.0 * vector["expect"].as_f64().unwrap());
        assert!((found - expected).abs() <= 1e-9, "{}: {found} {expected}", vector["id"]);
        *checked.entry((op.to_owned(), method.method)).or_insert(0) += 1;
    }
    assert_eq!(checked.values().sum::<usize>(), 76, "{checked:?}");
}

/// What NLTK 3.5 and 3.10.4 say of sentences and corpora by all methods; null where they raise an error.
const OF_NLTK: &str = include_str!("../vectors/bleu-nltk.jsonl");

#[test]
fn methods_of_nltk_have_its_values() {
    let mut refused = 0;
    for (line, vector) in OF_NLTK.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).enumerate() {
        let mut segments = Segments::new(1);
        for pair in vector["pairs"].as_array().unwrap() {
            push(&mut segments, &pair[0], &pair[1]);
        }
        let weights: Vec<f64> =
            vector["weights"].as_array().unwrap().iter().map(|weight| weight.as_f64().unwrap()).collect();
        for (release, name) in [(NltkRelease::Old, "nltk-3.5"), (NltkRelease::Current, "nltk-3.10.4")] {
            for (method, expected) in (0..8).zip(vector["expect"][name].as_array().unwrap()) {
                let smoothing = Smoothing::Nltk(Nltk { method: ChenCherry::new(method), release });
                let weights = weights.clone();
                let config = BleuConfig::default().with(|c| {
                    c.weights = weights;
                    c.smoothing = smoothing;
                    c.tokenizer = Box::new(Blanks);
                });
                let (found, expected) = (score(config, &segments), expected.as_f64());
                refused += usize::from(expected.is_none());
                let expected = 100.0 * expected.unwrap_or(0.0);
                assert!(
                    (found - expected).abs() <= 1e-9,
                    "line {}, {name}, method {method}: {found} {expected}",
                    line + 1
                );
            }
        }
    }
    assert_eq!(refused, 22, "method 6 without a trigram that matches");
}

/// The vectors of single sentences of NLTK 3.10.4, some of them without a match.
#[test]
fn sentences_have_the_values_of_nltk() {
    let mut checked = 0;
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let input = &vector["input"];
        if vector["op"] != "sentence_bleu" || input["variant"] != "nltk" || input["weights"].is_array() {
            continue;
        }
        let mut segments = Segments::new(1);
        push(&mut segments, &input["references"], &input["hypothesis"]);
        let smoothing = Smoothing::by_name(&format!("nltk-method{}", input["smoothing"]), None).unwrap();
        let config = BleuConfig::default().with(|c| {
            c.smoothing = smoothing;
            c.tokenizer = Box::new(Blanks);
        });
        let (found, expected) = (score(config, &segments), 100.0 * vector["expect"].as_f64().unwrap_or(0.0));
        let tolerance = 100.0 * vector["tol"].as_f64().unwrap_or(1e-11);
        assert!((found - expected).abs() <= tolerance, "{}: {found} {expected}", vector["id"]);
        checked += 1;
    }
    assert_eq!(checked, 25);
}

/// Methods 5 to 7 of NLTK ask for the last segment: a sample's is the one drawn last.
#[test]
fn samples_of_nltk_end_with_the_segment_drawn_last() {
    let smoothing = Smoothing::by_name("nltk-method6", None).unwrap();
    let config = BleuConfig::default().with(|c| {
        c.smoothing = smoothing;
        c.tokenizer = Box::new(Blanks);
    });
    let bleu = Bleu::new(config).unwrap();
    let mut segments = Segments::new(1);
    let lines = [("a b c d e f", "a b c d f e"), ("b c d", "b c d e"), ("c d e a", "c d e a b")];
    for (hypothesis, reference) in &lines {
        segments.push(&[hypothesis], &[reference]);
    }
    let rows = measure(&bleu, &segments, &Parallelism::serial()).unwrap();
    let resampling = Resampling::new(20).drawn_by(RandomSource::Alinea, 5);
    let samples = bootstrap_scores(&bleu, &rows, resampling, &Parallelism::serial(), &Silent).unwrap();
    for (sample, &found) in samples[0].iter().enumerate() {
        let mut random = Generator::named(5, &[0, sample as u64]);
        let mut drawn = Segments::new(1);
        for _ in 0..3 {
            let (hypothesis, reference) = lines[random.below(NonZeroU64::new(3).unwrap()) as usize];
            drawn.push(&[hypothesis], &[reference]);
        }
        let expected = bleu.score(&measure(&bleu, &drawn, &Parallelism::serial()).unwrap()[0].sums());
        assert!((found - expected).abs() < 1e-3, "sample {sample}: {found} {expected}");
    }
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
        let config = BleuConfig::default().with(|c| {
            c.smoothing = smoothing;
            c.effective_order = effective_order;
            c.tokenizer = tokenizer;
        });
        let (found, expected) = (score(config, &segments), vector["expect"].as_f64().unwrap());
        assert!((found - expected).abs() <= 1e-12, "{}: {found} {expected}", vector["id"]);
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
}
