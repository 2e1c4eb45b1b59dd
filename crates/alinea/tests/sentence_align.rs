//! Sentence alignment against NLTK's `gale_church`; see `vectors/README.md`.

use alinea::progress::Silent;
use alinea::sentence_align::{Bead, GaleChurchConfig, Priors, SentenceAligner};
use serde_json::{Value, json};

const VECTORS: &str = include_str!("vectors/gale-church.jsonl");

/// NLTK's formula for the complementary error function has a relative error of up to 1.2e-7, which is the error of its
/// logarithm.
const TOLERANCE: f64 = 2e-7;

fn cases(op: &str) -> Vec<Value> {
    let all = VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|case| case["op"] == op).collect()
}

fn lengths(list: &Value) -> Vec<u32> {
    list.as_array().unwrap().iter().map(|length| u32::try_from(length.as_u64().unwrap()).unwrap()).collect()
}

fn align(case: &Value) -> Vec<Bead> {
    let config = GaleChurchConfig::default().with(|c| c.priors = Priors::up_to(2));
    let mut aligner = SentenceAligner::new(config).unwrap();
    let (source, target) = (lengths(&case["input"]["source"]), lengths(&case["input"]["target"]));
    aligner.align(&source, &target, &Silent).unwrap()
}

/// As NLTK writes beads: every pair of sentences in them.
fn links(beads: &[Bead]) -> Value {
    let mut links = Vec::new();
    for bead in beads {
        links.extend(bead.source.clone().flat_map(|source| bead.target.clone().map(move |target| [source, target])));
    }
    json!(links)
}

#[test]
fn costs_are_those_of_nltk() {
    let cases = cases("cost");
    assert!(cases.len() >= 40, "{}", cases.len());
    for case in cases {
        let input = &case["input"];
        let number = |value: &Value| value.as_u64().unwrap();
        let kind = (number(&input["kind"][0]) as usize, number(&input["kind"][1]) as usize);
        let cost = GaleChurchConfig::default().cost(kind, number(&input["source"]), number(&input["target"])).unwrap();
        let expected = case["expect"].as_f64().unwrap();
        assert!((cost - expected).abs() <= TOLERANCE, "{case}: {cost}");
    }
}

#[test]
fn alignments_are_those_of_nltk() {
    let cases = cases("align");
    assert_eq!(cases.len(), 124);
    for case in cases {
        assert_eq!(links(&align(&case)), case["expect"], "{case}");
    }
}

/// Where lengths differ very much, NLTK's costs are infinite and its links are lost.
#[test]
fn sentences_that_fit_badly_keep_their_links() {
    let cases = cases("nltk_differs");
    assert_eq!(cases.len(), 2);
    for case in &cases {
        assert_eq!(case["expect"], json!([]));
    }
    // The best of all paths, by enumeration in Python with mpmath.
    let shown = |case| align(case).iter().map(Bead::to_string).collect::<Vec<_>>();
    assert_eq!(shown(&cases[0]), ["0\t0"]);
    assert_eq!(shown(&cases[1]), ["0,1\t0", "2\t1"]);
    let total: f64 = align(&cases[1]).iter().map(|bead| bead.cost).sum();
    assert!((total - 84.079_100_948_042_9).abs() < 1e-9, "{total}");
}
