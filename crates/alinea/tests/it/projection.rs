//! Links carried by the rules for Universal Dependencies, against the reference implementation; laws.

use alinea::alignment::{Alignment, Link};
use alinea::format::conllu;
use alinea::project::links::{ParsedPair, Projection, ProjectionConfig, Projector, RuleSet, are_cognates};
use alinea::tree::{ParsedSentence, Roots};
use serde_json::Value;

/// By `crates/alinea-dev/reference/alibi.py`, random trees.
const RANDOM: &str = include_str!("../vectors/projection.jsonl");
/// The example of the paper, and cognates.
const ALIBI: &str = include_str!("../vectors/alibi.jsonl");

fn vectors(text: &str, op: &str) -> Vec<Value> {
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<Value> = all.filter(|vector| vector["op"] == op).collect();
    assert!(!found.is_empty(), "{op}");
    found
}

/// Rows `[form, tag, head, relation]`.
fn sentence(rows: &Value) -> ParsedSentence {
    let text: Vec<String> = (1..)
        .zip(rows.as_array().unwrap())
        .map(|(id, row)| {
            let [form, tag, relation] = [0, 1, 3].map(|column| row[column].as_str().unwrap());
            format!("{id}\t{form}\t_\t{tag}\t_\t_\t{}\t{relation}\t_\t_\n", row[2])
        })
        .collect();
    conllu::parse(&text.concat(), "vector", Roots::One).unwrap().remove(0)
}

/// Links counted from 1.
fn links(value: &Value) -> Alignment {
    let position = |value: &Value| value.as_u64().unwrap() as u32 - 1;
    value.as_array().unwrap().iter().map(|link| Link::new(position(&link[0]), position(&link[1]))).collect()
}

fn project(vector: &Value, anchors: &Alignment) -> Projection {
    let (source, target) = (sentence(&vector["input"]["source"]), sentence(&vector["input"]["target"]));
    let pair = ParsedPair::new(&source, &target).unwrap();
    let rules = RuleSet::universal();
    Projector::new(&rules, ProjectionConfig::default()).unwrap().project(&pair, anchors, &[]).unwrap()
}

#[test]
fn links_are_carried_as_the_reference_carries_them() {
    let mut carried = 0;
    for vector in vectors(RANDOM, "propagate") {
        let found = project(&vector, &links(&vector["input"]["anchors"]));
        assert_eq!(found.links, links(&vector["expect"]["links"]), "{}", vector["id"]);
        let trace: Vec<Value> = found
            .added
            .iter()
            .map(|added| {
                let rule = added.origin.unwrap().rule;
                serde_json::json!([added.link.source + 1, added.link.target + 1, rule])
            })
            .collect();
        // The reference names the best rule of all that propose the link.
        assert_eq!(Value::from(trace), vector["expect"]["trace"], "{}", vector["id"]);
        carried += found.added.len();
    }
    assert!(carried > 400, "{carried}");
}

#[test]
fn the_example_of_the_paper_begins_with_the_verb() {
    for vector in vectors(ALIBI, "propagate") {
        let found = project(&vector, &links(&vector["input"]["anchors"]));
        assert_eq!(found.links, links(&vector["expect"]["links"]), "{}", vector["id"]);
        let first = found.added.first().map(|added| [added.link.source + 1, added.link.target + 1]);
        assert_eq!(serde_json::to_value(first).unwrap(), vector["expect"]["first"], "{}", vector["id"]);
    }
}

#[test]
fn cognates_are_those_of_the_specification() {
    for vector in vectors(ALIBI, "cognate") {
        let [a, b] = [0, 1].map(|n| vector["input"][n].as_str().unwrap());
        assert_eq!(Value::from(are_cognates(a, b)), vector["expect"], "{}", vector["id"]);
    }
}

/// Anchors stay, each word gets at most one new link and only if it had none, and projecting again adds nothing.
#[test]
fn projection_keeps_its_laws() {
    for vector in vectors(RANDOM, "propagate") {
        let anchors = links(&vector["input"]["anchors"]);
        let found = project(&vector, &anchors);
        assert!(anchors.is_subset(&found.links));
        let mut sources: Vec<u32> = found.links.iter().map(|link| link.source).collect();
        let mut targets: Vec<u32> = found.links.iter().map(|link| link.target).collect();
        for positions in [&mut sources, &mut targets] {
            positions.sort_unstable();
            assert!(positions.windows(2).all(|pair| pair[0] != pair[1]), "{}", vector["id"]);
        }
        assert!(project(&vector, &found.links).added.is_empty(), "{}", vector["id"]);
    }
}
