//! GLEU, NIST, RIBES, METEOR, LEPOR and Porter's stemmer against other programs.
//!
//! Expected values are those of NLTK 3.10.4 (`vectors/metrics.jsonl`, `metrics-nltk.jsonl`, `porter.tsv`), and for NIST
//! also those of mteval-v13a.pl, which prints four decimals (`nist-mteval.jsonl`). Where NLTK differs from the paper,
//! the definition is tested with small examples worked out by hand.

#![expect(clippy::float_cmp, reason = "what is compared without a margin has the same bits")]

use std::collections::BTreeMap;

use alinea::metric::gleu::{Gleu, GleuConfig};
use alinea::metric::lepor::{Lepor, LeporConfig, LeporKind};
use alinea::metric::meteor::{Meteor, MeteorConfig, SynonymLookup, Synonyms};
use alinea::metric::nist::{Nist, NistConfig, Several, length_penalty};
use alinea::metric::porter::Porter;
use alinea::metric::ribes::{
    Correlation, Ribes, RibesConfig, kendall_tau, spearman_rho, spearman_rho_of_places, word_rank_alignment,
};
use alinea::metric::tokenize::{Blanks, Tokenizer};
use alinea::metric::{Metric, Segments, Statistics, measure};
use alinea::parallel::Parallelism;
use serde_json::Value;

const VECTORS: &str = include_str!("../vectors/metrics.jsonl");
/// Segments made of common words, with one to three references.
const SEGMENTS: &str = include_str!("../vectors/metrics-nltk.jsonl");
/// Words, and their stems in the modes `NLTK_EXTENSIONS`, `MARTIN_EXTENSIONS` and `ORIGINAL_ALGORITHM`.
const STEMS: &str = include_str!("../vectors/porter.tsv");

fn blanks() -> Box<dyn Tokenizer> {
    Box::new(Blanks)
}

fn gleu(shortest: usize, longest: usize) -> Box<dyn Metric> {
    let config = GleuConfig::default().with(|c| {
        c.shortest = shortest;
        c.longest = longest;
        c.tokenizer = blanks();
    });
    Box::new(Gleu::new(config).unwrap())
}

fn nist(order: usize, several: Several, segments: &Segments) -> Box<dyn Metric> {
    let config = NistConfig::default().with(|c| {
        c.order = order;
        c.several = several;
        c.tokenizer = blanks();
    });
    Box::new(Nist::new(config, segments).unwrap())
}

fn ribes(alpha: f64, beta: f64, correlation: Correlation) -> Box<dyn Metric> {
    let config = RibesConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.correlation = correlation;
        c.tokenizer = blanks();
    });
    Box::new(Ribes::new(config).unwrap())
}

fn meteor(config: MeteorConfig) -> Box<dyn Metric> {
    Box::new(Meteor::new(config.with(|c| c.tokenizer = blanks())).unwrap())
}

fn lepor(alpha: f64, beta: f64, kind: LeporKind) -> Box<dyn Metric> {
    let config = LeporConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.kind = kind;
        c.tokenizer = blanks();
    });
    Box::new(Lepor::new(config).unwrap())
}

fn statistics(metric: &dyn Metric, segments: &Segments) -> Statistics {
    measure(metric, segments, &Parallelism::serial()).unwrap().remove(0)
}

fn score(metric: &dyn Metric, segments: &Segments) -> f64 {
    metric.score(&statistics(metric, segments).sums())
}

/// A sentence, as text or as a list of words without blanks.
fn line(words: &Value) -> String {
    match words {
        Value::String(text) => text.clone(),
        words => words.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" "),
    }
}

fn push(segments: &mut Segments, hypothesis: &Value, references: &[Value]) {
    let references: Vec<_> = references.iter().map(line).collect();
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    segments.push(&[&line(hypothesis)], &references);
}

fn parse(vectors: &str) -> impl Iterator<Item = Value> {
    vectors.lines().map(|line| serde_json::from_str(line).unwrap())
}

#[track_caller]
fn close(found: f64, expected: &Value, id: &Value) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-12, "{id}: {found} {expected}");
}

fn read_segments(input: &Value) -> Segments {
    let mut segments = Segments::new(1);
    if let Some(hypotheses) = input["hypotheses"].as_array() {
        for (hypothesis, references) in hypotheses.iter().zip(input["references"].as_array().unwrap()) {
            push(&mut segments, hypothesis, references.as_array().unwrap());
        }
    } else if let Some(references) = input["references"].as_array() {
        push(&mut segments, &input["hypothesis"], references);
    } else {
        push(&mut segments, &input["hypothesis"], std::slice::from_ref(&input["reference"]));
    }
    segments
}

fn places(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|place| place.as_u64().unwrap() as u32).collect()
}

#[test]
fn scores_are_those_of_nltk() {
    let mut checked = BTreeMap::new();
    for vector in parse(VECTORS) {
        let (op, input, id) = (vector["op"].as_str().unwrap(), &vector["input"], &vector["id"]);
        let metric = match op {
            "gleu" | "corpus_gleu" => gleu(1, 4),
            "nist" | "corpus_nist" => nist(5, Several::BestOfOrder, &read_segments(input)),
            "ribes" | "corpus_ribes" => ribes(0.25, 0.1, Correlation::Kendall),
            "lepor" => lepor(1.0, 1.0, LeporKind::Nltk),
            "meteor_exact_stem" => {
                let number = |name: &str| input[name].as_f64().unwrap();
                let (alpha, beta, gamma) = (number("alpha"), number("beta"), number("gamma"));
                meteor(MeteorConfig::default().with(|c| {
                    c.alpha = alpha;
                    c.beta = beta;
                    c.gamma = gamma;
                }))
            }
            _ => continue,
        };
        close(score(&*metric, &read_segments(input)), &vector["expect"], id);
        *checked.entry(op.to_owned()).or_insert(0) += 1;
    }
    assert_eq!(checked.len(), 8, "{checked:?}");
    assert_eq!(checked.values().sum::<usize>(), 21, "{checked:?}");
}

#[test]
fn parts_of_scores_are_those_of_nltk() {
    let mut checked = BTreeMap::new();
    for vector in parse(VECTORS) {
        let (op, input, expect, id) =
            (vector["op"].as_str().unwrap(), &vector["input"], &vector["expect"], &vector["id"]);
        match op {
            "word_rank_alignment" => {
                let words = |side: &str| line(&input[side]).split(' ').map(str::to_owned).collect::<Vec<_>>();
                assert_eq!(
                    word_rank_alignment(&words("reference"), &words("hypothesis")).unwrap(),
                    places(expect),
                    "{id}"
                );
            }
            "ribes_tau" | "ribes_rho" => {
                let places = places(input);
                let raw = if op == "ribes_tau" { kendall_tau(&places) } else { spearman_rho_of_places(&places) };
                close(raw, &expect["raw"], id);
                close(f64::midpoint(raw, 1.0), &expect["normalised"], id);
            }
            "nist_length_penalty" => {
                let number = |name: &str| input[name].as_f64().unwrap();
                close(length_penalty(number("hypothesis"), number("reference")), expect, id);
            }
            _ => continue,
        }
        *checked.entry(op.to_owned()).or_insert(0) += 1;
    }
    assert_eq!(checked.values().copied().collect::<Vec<_>>(), [4, 5, 7, 6], "{checked:?}");
}

#[test]
fn scores_of_several_references_are_those_of_nltk() {
    let mut synonyms = Synonyms::default();
    let (mut all, mut checked) = (Segments::new(1), 0);
    for vector in parse(SEGMENTS) {
        let (input, expect, id) = (&vector["input"], &vector["expect"], &vector["id"]);
        if vector["op"] == "synonyms" {
            for set in expect.as_array().unwrap() {
                let words: Vec<_> = set.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
                synonyms.insert(&words);
            }
            continue;
        }
        let segments = if vector["op"] == "corpus" { all.clone() } else { read_segments(input) };
        for (name, expected) in expect.as_object().unwrap() {
            let metric = match name.as_str() {
                "gleu" => gleu(1, 4),
                "gleu_2_3" => gleu(2, 3),
                "nist" => nist(5, Several::BestOfOrder, &segments),
                "nist_2" => nist(2, Several::BestOfOrder, &segments),
                "ribes" => ribes(0.25, 0.1, Correlation::Kendall),
                "ribes_1_05" => ribes(1.0, 0.5, Correlation::Kendall),
                "ribes_rho" => ribes(0.25, 0.1, Correlation::SpearmanOfPlaces),
                "meteor" => meteor(MeteorConfig::default()),
                "meteor_synonyms" => meteor(MeteorConfig::default().with(|c| {
                    c.alpha = 0.8;
                    c.beta = 1.5;
                    c.gamma = 0.4;
                    c.synonyms = Some(synonyms.clone());
                    c.lookup = SynonymLookup::Stems;
                })),
                "lepor" => lepor(1.0, 1.0, LeporKind::Nltk),
                "lepor_2_1" => lepor(2.0, 1.0, LeporKind::Nltk),
                other => panic!("{other}"),
            };
            close(score(&*metric, &segments), expected, &Value::from(format!("{id} {name}")));
            checked += 1;
        }
        if vector["op"] == "segment" {
            push(&mut all, &input["hypothesis"], input["references"].as_array().unwrap());
        }
    }
    assert!(all.len() == 60 && checked > 600, "{checked}");
}

#[test]
fn stems_are_those_of_nltk() {
    let mut checked = 0;
    for row in STEMS.lines() {
        let columns: Vec<_> = row.split('\t').collect();
        let [word, stems @ ..] = columns.as_slice() else { panic!("{row}") };
        let found = [Porter::Nltk, Porter::Author, Porter::Original].map(|porter| porter.stem(word));
        assert_eq!(found, stems, "{word}");
        checked += 1;
    }
    assert_eq!(checked, 761);
}

/// Doddington (2002): n-grams match as often as some reference has them; lengths are means over references.
/// One, two and three references, as the program of NIST has them.
#[test]
fn nist_is_that_of_mteval() {
    let vectors = include_str!("../vectors/nist-mteval.jsonl");
    let mut checked = 0;
    for vector in vectors.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let mut segments = Segments::new(1);
        for segment in vector["segments"].as_array().unwrap() {
            let references = segment["references"].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
            segments.push(&[segment["hypothesis"].as_str().unwrap()], &references.collect::<Vec<_>>());
        }
        let printed = |found: f64, expected: &Value| {
            let expected = expected.as_f64().unwrap();
            assert!((found - expected).abs() <= 0.5001e-4, "{}: {found} {expected}", vector["id"]);
        };
        for (order, expected) in (1..).zip(vector["by_order"].as_array().unwrap()) {
            printed(score(&*nist(order, Several::Together, &segments), &segments), expected);
        }
        let metric = nist(5, Several::Together, &segments);
        let statistics = statistics(&*metric, &segments);
        for (row, expected) in statistics.rows().zip(vector["each"].as_array().unwrap()) {
            printed(metric.score(row), expected);
            checked += 1;
        }
    }
    assert_eq!(checked, 3 * 12);
}

#[test]
fn nist_counts_references_together() {
    let mut segments = Segments::new(1);
    segments.push(&["a a b"], &["a b c", "a a c d e"]);
    segments.push(&["c b"], &["b", "c b d"]);
    // Of 12 words 3 are a, 3 b and 3 c; a a, a b and c b occur once and are matched.
    let bits = |before: f64, count: f64| (before / count).log2();
    let first = 2.0 * bits(12.0, 3.0) + bits(12.0, 3.0);
    let second = bits(12.0, 3.0) + bits(12.0, 3.0);
    let pairs = bits(3.0, 1.0) + bits(3.0, 1.0) + bits(3.0, 1.0);
    let penalty = ((0.5_f64).ln() / (1.5_f64).ln().powi(2) * (5.0_f64 / 6.0).ln().powi(2)).exp();
    let expected = ((first + second) / 5.0 + pairs / 3.0) * penalty;
    let found = score(&*nist(2, Several::Together, &segments), &segments);
    assert!((found - expected).abs() <= 1e-12, "{found} {expected}");
    // With one reference each there is one definition.
    let mut single = Segments::new(1);
    single.push(&["a a b"], &["a b c"]);
    single.push(&["b c"], &["c b d b"]);
    let both = [Several::Together, Several::BestOfOrder].map(|several| score(&*nist(3, several, &single), &single));
    assert_eq!(both[0], both[1]);
}

#[test]
fn rho_is_of_ranks() {
    // 1 - 6 (1 + 1 + 0) / (27 - 3), whatever the gaps.
    assert_eq!(spearman_rho(&[5, 2, 9]), 0.5);
    assert_eq!(spearman_rho_of_places(&[1, 0, 2]), 0.5);
    assert_eq!(spearman_rho(&[]), -1.0);
    let mut segments = Segments::new(1);
    segments.push(&["b a c"], &["x x a x x b x x x c"]);
    let expected = 0.75 * (1.0_f64 - 10.0 / 3.0).exp().powf(0.1);
    let found = score(&*ribes(0.25, 0.1, Correlation::Spearman), &segments);
    assert!((found - expected).abs() <= 1e-12, "{found} {expected}");
}

#[test]
fn synonyms_are_looked_up_by_words_or_by_stems() {
    let mut synonyms = Synonyms::default();
    synonyms.insert(&["houses", "homes"]);
    let mut segments = Segments::new(1);
    segments.push(&["red houses"], &["red homes"]);
    let with = |synonyms, lookup| {
        score(
            &*meteor(MeteorConfig::default().with(|c| {
                c.synonyms = synonyms;
                c.lookup = lookup;
            })),
            &segments,
        )
    };
    // One chunk of two matches; one of one.
    let (both, one) = ((1.0 - 0.5 / 8.0), 0.5 * 0.5);
    let found = [
        (Some(synonyms.clone()), SynonymLookup::Words),
        (Some(synonyms), SynonymLookup::Stems),
        (None, SynonymLookup::Words),
    ];
    for ((synonyms, lookup), expected) in found.into_iter().zip([both, one, one]) {
        let found = with(synonyms, lookup);
        assert!((found - expected).abs() <= 1e-12, "{found} {expected}");
    }
}

/// Han, Wong and Chao (2012): a sentence against itself has 1, and other lengths cost something.
#[test]
fn lepor_of_the_paper_is_at_most_1() {
    let paper = lepor(1.0, 1.0, LeporKind::Paper);
    let pair = |hypothesis: &str, reference: &str| {
        let mut segments = Segments::new(1);
        segments.push(&[hypothesis], &[reference]);
        score(&*paper, &segments)
    };
    assert_eq!(pair("the cat and the dog", "the cat and the dog"), 1.0);
    assert_eq!(pair("x y", "a b"), 0.0);
    // LP e^-1; the words of the hypothesis stand at 1/1, those of the reference at 1/2; P 1 and R 1/2.
    let expected = (-1.0_f64).exp() * (-0.5_f64).exp() * (2.0 / 3.0);
    assert!((pair("a", "a b") - expected).abs() <= 1e-12);
    let repeated = pair("the the the the", "the cat");
    assert!(repeated < 0.5 * (-1.0_f64).exp(), "{repeated}");
}

#[test]
fn empty_sentences_have_scores() {
    let mut segments = Segments::new(1);
    segments.push(&[""], &["a b"]);
    segments.push(&["a b"], &[""]);
    segments.push(&[""], &[""]);
    let metrics = [
        gleu(1, 4),
        nist(5, Several::Together, &segments),
        nist(5, Several::BestOfOrder, &segments),
        ribes(0.25, 0.1, Correlation::Kendall),
        meteor(MeteorConfig::default()),
        lepor(1.0, 1.0, LeporKind::Paper),
        lepor(1.0, 1.0, LeporKind::Nltk),
    ];
    for metric in metrics {
        let statistics = statistics(&*metric, &segments);
        for row in statistics.rows() {
            assert_eq!(metric.score(row), 0.0, "{}", metric.name());
        }
        assert_eq!(metric.score(&statistics.sums()), 0.0, "{}", metric.name());
        assert_eq!(metric.score(&vec![0.0; metric.width()]), 0.0, "{}", metric.name());
    }
}

#[test]
fn signatures_name_the_choices() {
    let mut segments = Segments::new(1);
    segments.push(&["a"], &["a"]);
    let synonyms = Some(Synonyms::default());
    let lines = [
        (gleu(2, 3), "case:mixed|tok:none|order:2-3"),
        (nist(5, Several::BestOfOrder, &segments), "case:mixed|tok:none|order:5|several:nltk"),
        (ribes(0.25, 0.1, Correlation::Spearman), "case:mixed|tok:none|alpha:0.25|beta:0.1|cor:rho"),
        (
            meteor(MeteorConfig::default().with(|c| {
                c.synonyms = synonyms;
                c.stemmer = None;
            })),
            "case:lc|tok:none|alpha:0.9|beta:3|gamma:0.5|stem:no|syn:0sets",
        ),
        (lepor(2.0, 1.0, LeporKind::Paper), "case:mixed|tok:none|alpha:2|beta:1|kind:paper"),
    ];
    for (metric, line) in lines {
        assert_eq!(metric.signature().to_string(), line);
    }
}
