//! chrF and chrF++ against sacreBLEU, NLTK's chrF against NLTK.

use alinea::metric::chrf::nltk::{NltkChrf, NltkChrfConfig};
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::{Metric, Segments, Signature, measure};
use alinea::parallel::Parallelism;
use serde_json::Value;

/// Values of sacreBLEU 2.6.0 and NLTK 3.10.4.
const VECTORS: &str = include_str!("../vectors/metrics.jsonl");

/// Values of sacreBLEU 2.6.0 for sentences and options of all kinds.
pub(crate) const OF_SACREBLEU: &str = include_str!("../vectors/chrf-ter.jsonl");

pub(crate) fn vectors(text: &'static str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// A line, or tokens, which have no blanks.
fn line(text: &Value) -> String {
    let tokens = |tokens: &Vec<Value>| tokens.iter().map(|token| token.as_str().unwrap()).collect::<Vec<_>>().join(" ");
    text.as_str().map_or_else(|| tokens(text.as_array().unwrap()), str::to_owned)
}

pub(crate) fn score(metric: &dyn Metric, segments: &Segments) -> f64 {
    let statistics = measure(metric, segments, &Parallelism::serial()).unwrap();
    metric.score(&statistics[0].sums())
}

pub(crate) fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// Equal to the last bit.
pub(crate) fn assert_same(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert_eq!(found.to_bits(), expected.to_bits(), "{what}: {found} {expected}");
}

/// Name, signature, statistics and scores of a metric as sacreBLEU has them, bit for bit.
pub(crate) fn check_against_sacrebleu(metric: &dyn Metric, vector: &Value) {
    let (id, input, expect) = (&vector["id"], &vector["input"], &vector["expect"]);
    let mut segments = Segments::new(1);
    for (hypothesis, references) in
        input["hypotheses"].as_array().unwrap().iter().zip(input["references"].as_array().unwrap())
    {
        let references: Vec<&str> =
            references.as_array().unwrap().iter().map(|reference| reference.as_str().unwrap()).collect();
        segments.push(&[hypothesis.as_str().unwrap()], &references);
    }
    assert_eq!(metric.name(), expect["name"].as_str().unwrap(), "{id}");
    let signature = Signature::shared(segments.reference_count(), &[]).join(&metric.signature()).to_string();
    let expected = format!("{}|version:alinea-", expect["signature"].as_str().unwrap());
    assert!(signature.starts_with(&expected), "{id}: {signature} {expected}");

    let statistics = &measure(metric, &segments, &Parallelism::serial()).unwrap()[0];
    assert_same(metric.score(&statistics.sums()), &expect["score"], &id.to_string());
    for (number, row) in statistics.rows().enumerate() {
        assert_eq!(row, numbers(&expect["statistics"][number]), "{id}, segment {number}");
        let what = format!("{id}, segment {number}");
        assert_same(metric.score(row), &expect["segments"][number], &what);
        let single: Vec<f32> = row.iter().map(|&value| value as f32).collect();
        assert_same(metric.score_of_resample(&single), &expect["single_precision"][number], &what);
    }
}

#[test]
fn scores_are_those_of_sacrebleu() {
    let mut checked = 0;
    for vector in vectors(OF_SACREBLEU).filter(|vector| vector["op"] == "chrf") {
        let options = &vector["input"]["options"];
        let number = |name: &str, default: usize| options[name].as_u64().map_or(default, |value| value as usize);
        let yes = |name: &str| options[name].as_bool().unwrap_or(false);
        let config = ChrfConfig::default().with(|c| {
            c.character_order = number("char_order", 6);
            c.word_order = number("word_order", 0);
            c.beta = options["beta"].as_f64().unwrap_or(2.0);
            c.whitespace = yes("whitespace");
            c.epsilon_smoothing = yes("eps_smoothing");
            c.lowercase = yes("lowercase");
        });
        check_against_sacrebleu(&Chrf::new(config).unwrap(), &vector);
        checked += 1;
    }
    assert_eq!(checked, 10);
}

#[test]
fn published_examples() {
    let mut checked = 0;
    for vector in vectors(VECTORS) {
        let input = &vector["input"];
        let chrf = |word_order| Box::new(Chrf::new(ChrfConfig::default().with(|c| c.word_order = word_order)).unwrap());
        let nltk = || Box::new(NltkChrf::new(NltkChrfConfig::default()).unwrap());
        let metric: Box<dyn Metric> = match vector["op"].as_str().unwrap() {
            "chrf_sacrebleu" => chrf(0),
            "chrfpp_sacrebleu" => chrf(2),
            "chrf" | "corpus_chrf" => nltk(),
            _ => continue,
        };
        let mut segments = Segments::new(1);
        if vector["op"] == "corpus_chrf" {
            let (hypotheses, references) = (&input["hypotheses"], &input["references"]);
            for (hypothesis, reference) in hypotheses.as_array().unwrap().iter().zip(references.as_array().unwrap()) {
                segments.push(&[&line(hypothesis)], &[&line(reference)]);
            }
        } else {
            segments.push(&[&line(&input["hypothesis"])], &[&line(&input["reference"])]);
        }
        assert_same(score(&*metric, &segments), &vector["expect"], &vector["id"].to_string());
        checked += 1;
    }
    assert_eq!(checked, 19);
}

#[test]
fn laws() {
    for config in [
        ChrfConfig::default(),
        ChrfConfig::default().with(|c| c.word_order = 2),
        ChrfConfig::default().with(|c| c.whitespace = true),
    ] {
        let whitespace = config.whitespace;
        let chrf = Chrf::new(config).unwrap();
        let score = |hypothesis: &str, references: &[&str]| {
            let mut segments = Segments::new(1);
            segments.push(&[hypothesis], references);
            score(&chrf, &segments)
        };
        for vector in vectors(OF_SACREBLEU).filter(|vector| vector["op"] == "tercom") {
            let text = vector["input"]["line"].as_str().unwrap();
            let empty = if whitespace { text.is_empty() } else { text.trim().is_empty() };
            let expected = if empty { 0.0 } else { 100.0 };
            assert!((score(text, &[text]) - expected).abs() < 1e-12, "{text}");
            // Nothing in common.
            assert_eq!(score(text, &["\u{10FFFF}"]).to_bits(), 0);
            // More references never hurt.
            assert!(score("the ferry", &["\u{10FFFF}", text]) >= score("the ferry", &[text]), "{text}");
        }
    }
}
