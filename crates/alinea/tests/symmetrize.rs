//! Symmetrization against the program `symal` of Moses, and where NLTK differs; see `vectors/README.md`.

use alinea::alignment::{Alignment, Link};
use alinea::symmetrize::{Method, symmetrize};
use serde_json::Value;

const VECTORS: &str = include_str!("vectors/symmetrize.jsonl");

fn cases(op: &str) -> Vec<Value> {
    let all = VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|case| case["op"] == op).collect()
}

fn links(text: &Value) -> Alignment {
    let number = |text: &str| text.parse::<u32>().unwrap();
    let link = |text: &str| text.split_once('-').map(|(source, target)| Link::new(number(source), number(target)));
    text.as_str().unwrap().split(' ').filter(|text| !text.is_empty()).map(|text| link(text).unwrap()).collect()
}

#[test]
fn every_value_is_that_of_symal() {
    let cases = cases("symmetrize");
    assert_eq!(cases.len(), 366);
    for case in cases {
        let input = &case["input"];
        let method: Method = input["method"].as_str().unwrap().parse().unwrap();
        let result = symmetrize(&links(&input["forward"]), &links(&input["reverse"]), method);
        assert_eq!(result, links(&case["expect"]), "{}: {method}", case["id"]);
    }
}

/// NLTK's function of that name returns the union. Ours is smaller.
#[test]
fn grow_diag_final_and_of_nltk_is_the_union() {
    let [case] = &cases("nltk_gdfa")[..] else { panic!("one such line") };
    let (forward, reverse) = (links(&case["input"]["forward"]), links(&case["input"]["reverse"]));
    let nltk = links(&case["expect"]);
    assert_eq!(symmetrize(&forward, &reverse, Method::Union), nltk);
    let ours = symmetrize(&forward, &reverse, Method::GrowDiagFinalAnd);
    assert!(ours.is_subset(&nltk) && ours.len() < nltk.len());
}
