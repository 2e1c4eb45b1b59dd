//! Scores against NLTK and printed values; see `vectors/README.md`.

use alinea::alignment::{Alignment, GoldAlignment, Link};
use alinea::evaluate::Counts;
use serde_json::Value;

const VECTORS: &str = include_str!("vectors/alignment-scores.jsonl");

fn links(pairs: &Value) -> Alignment {
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    pairs.as_array().unwrap().iter().map(|pair| Link::new(number(&pair[0]), number(&pair[1]))).collect()
}

fn gold(input: &Value) -> alinea::error::Result<GoldAlignment> {
    let sure = links(&input["sure"]);
    let possible = if input["possible"].is_null() { sure.clone() } else { links(&input["possible"]) };
    GoldAlignment::new(sure, possible)
}

#[test]
fn every_value_is_that_of_the_other_program() {
    let mut checked = 0;
    for line in VECTORS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let input = &case["input"];
        let test = links(&input["test"]);
        let against = || {
            let all = links(&input["reference"]);
            Counts::of(&GoldAlignment::new(all.clone(), all).unwrap(), &test)
        };
        let score = match case["op"].as_str().unwrap() {
            "precision" => against().precision(),
            "recall" => against().recall(),
            "aer" => Counts::of(&gold(input).unwrap(), &test).aer(),
            "f" => Counts::of(&gold(input).unwrap(), &test).f(input["alpha"].as_f64().unwrap()),
            "aer_error" => {
                let error = gold(input).unwrap_err().to_string();
                assert_eq!(error, "sure link 1-1 is not among the possible links");
                checked += 1;
                continue;
            }
            other => panic!("unknown operation {other}"),
        };
        match (score, case["expect"].as_f64()) {
            (None, None) => {}
            (Some(score), Some(expected)) if (score - expected).abs() < 1e-12 => {}
            (score, expected) => panic!("{}: {score:?} instead of {expected:?}", case["id"]),
        }
        checked += 1;
    }
    assert_eq!(checked, 97);
}
