//! The published program, by vectors of its reference implementation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::beam::Beam;
use super::chart::best_derivation;
use super::derivation::{Action, order_of};
use super::on_demand::{Found, OnDemand, Plan, SpanScores};
use super::passive::PassiveLearner;
use super::scores::{Pair, SplitScores};
use super::split_features::{Cells, Record, SplitFeatures};
use super::template::{Template, Templates, of_column};
use crate::alignment::{Alignment, Link};
use crate::reorder::engine::{Layer, Sentence};
use crate::reorder::features::{Column, Columns};
use crate::reorder::fingerprint::{fingerprint, mix};
use crate::reorder::ranks::{Incomparable, Ranks};
use crate::tree::{DependencyTree, Roots};

const COLUMNS: [Column; 3] = [Column::Layer(Layer::Words), Column::Layer(Layer::Tags), Column::Layer(Layer::Classes)];

fn vectors(op: &str) -> Vec<Value> {
    let lines = include_str!("../../../../alinea/tests/vectors/topdown.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).filter(|vector: &Value| vector["op"] == op).collect()
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn sentence(input: &Value) -> Columns {
    let words = input["sentence"].as_array().unwrap();
    let column = |number: usize| words.iter().map(|word| word[number].as_str().unwrap().to_owned()).collect();
    let sentence = Sentence::new(column(0)).with_layer(Layer::Tags, column(1)).unwrap();
    Columns::new(&COLUMNS, &sentence.with_layer(Layer::Classes, column(2)).unwrap()).unwrap()
}

/// Label and side of a node above, `-` for none, as the context.
fn context(text: &str) -> usize {
    ["--", "SL", "SR", "IL", "IR"].iter().position(|name| *name == text).unwrap()
}

/// The key of a feature that the reference names.
fn key(name: &str) -> u64 {
    let seed = |template: &str| fingerprint(template.as_bytes());
    if name == "bias" {
        return seed("bias");
    }
    let (kind, value) = name.split_once('=').unwrap();
    match kind {
        "bal" => {
            let longer: i8 = if value == "L" { 1 } else { -i8::from(value == "R") };
            mix(seed("balance"), longer as u64)
        }
        "len" => mix(seed("length"), value.parse().unwrap()),
        "sub" => {
            let (left, right) = value.split_once(',').unwrap();
            mix(seed("sizes"), 8 * left.parse::<u64>().unwrap() + right.parse::<u64>().unwrap())
        }
        "nt" => mix(seed("bias@label"), ["-", "S", "I"].iter().position(|label| *label == value).unwrap() as u64),
        "nts" => mix(seed("bias@side"), context(value) as u64),
        _ => {
            let mut parts = kind.split(':');
            let column = COLUMNS[parts.next().unwrap().parse::<usize>().unwrap()];
            let rest: Vec<&str> = parts.collect();
            let values = |seed| value.split('\u{1}').fold(seed, |key, value| mix(key, fingerprint(value.as_bytes())));
            match rest[..] {
                [slots] => values(seed(&of_column(slots, column))),
                [above, slots] => {
                    mix(values(seed(&of_column(&format!("{slots}@side"), column))), context(above) as u64)
                }
                _ => panic!("{name}"),
            }
        }
    }
}

fn published() -> Vec<Template> {
    Templates::published(&COLUMNS).parse(&COLUMNS).unwrap()
}

#[test]
fn orders_of_actions_are_those_of_the_reference() {
    let vectors = vectors("topdown_actions");
    assert_eq!(vectors.len(), 24);
    for vector in vectors {
        let action = |action: &Value| (number(&action[0]), action[1].as_bool().unwrap());
        let actions: Vec<Action> = vector["input"]["actions"].as_array().unwrap().iter().map(action).collect();
        let expected: Vec<usize> = vector["expect"].as_array().unwrap().iter().map(number).collect();
        let order = order_of(number(&vector["input"]["n"]), &actions);
        assert!(order.iter().map(|&word| word as usize).eq(expected), "{}", vector["id"]);
    }
}

#[test]
fn features_are_those_of_the_reference() {
    for vector in vectors("features") {
        let input = &vector["input"];
        let templates = published();
        let features = SplitFeatures::new(&templates, sentence(input), None);
        let above = format!("{}{}", input["label"].as_str().unwrap(), input["side"].as_str().unwrap());
        let at = [number(&input["span"][0]), number(&input["pivot"]), number(&input["span"][1])];
        let mut found = BTreeSet::new();
        features.of_split(context(&above), at, |key| assert!(found.insert(key)));
        let expected = vector["expect"].as_array().unwrap().iter().map(|name| key(name.as_str().unwrap()));
        assert_eq!(found, expected.collect(), "{}", vector["id"]);
    }
}

/// Weights by label and name.
fn weights(input: &Value) -> BTreeMap<u64, Pair> {
    let mut weights: BTreeMap<u64, Pair> = BTreeMap::new();
    for (label, name) in ["straight", "inverted"].into_iter().enumerate() {
        for (feature, weight) in input["weights"][name].as_object().unwrap() {
            weights.entry(key(feature)).or_default()[label] = weight.as_f64().unwrap();
        }
    }
    weights
}

#[test]
fn searches_find_what_the_reference_finds() {
    let templates = published();
    for vector in vectors("search") {
        let input = &vector["input"];
        let features = SplitFeatures::new(&templates, sentence(input), None);
        let weights = weights(input);
        let (mut cells, mut scores) = (Cells::default(), SplitScores::default());
        features.score(|key| weights.get(&key).copied().unwrap_or_default(), &mut cells, &mut scores);
        let found = Beam::default().search(&mut scores, number(&input["beam"]), None);
        let expected: Vec<Action> = vector["expect"]["actions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|action| (number(&action[0]), action[1].as_bool().unwrap()))
            .collect();
        assert_eq!(found.best[0], expected, "{}", vector["id"]);
        let order: Vec<usize> = vector["expect"]["order"].as_array().unwrap().iter().map(number).collect();
        let found: Vec<usize> = order_of(features.words(), &expected).iter().map(|&word| word as usize).collect();
        assert_eq!(found, order);
        // A beam with room for all derivations is an exact search.
        if number(&input["beam"]) == 1000 && features.words() < 6 {
            assert_eq!(best_derivation(&scores), expected, "{}", vector["id"]);
        }
    }
}

/// Scores split by split are those cell by cell, by way of a record, too.
#[test]
fn scores_are_sums_of_features() {
    let templates = published();
    for vector in vectors("search") {
        let input = &vector["input"];
        let features = SplitFeatures::new(&templates, sentence(input), None);
        let weights = weights(input);
        let (mut cells, mut scores, mut record) = (Cells::default(), SplitScores::default(), Record::default());
        let weight = |key| weights.get(&key).map_or([0.0; 2], |weights| weights.map(|weight| weight as f32));
        features.record(weight, &mut record);
        record.score(&mut cells, &mut scores);
        let words = features.words();
        for begin in 0..words {
            for end in begin + 2..=words {
                for pivot in begin + 1..end {
                    for context in 0..5 {
                        let mut expected = [0.0; 2];
                        features.of_split(context, [begin, pivot, end], |key| {
                            for (sum, weight) in expected.iter_mut().zip(weights.get(&key).copied().unwrap_or_default())
                            {
                                *sum += weight;
                            }
                        });
                        let found = scores.score(context, begin, pivot, end);
                        assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-5));
                    }
                }
            }
        }
    }
}

/// What a search asks for is what would be there without asking, for templates of all kinds and known features as passive
/// learning leaves them.
#[test]
fn scores_on_demand_are_those_of_all_splits() {
    let templates = Templates::published(&COLUMNS).and(["Lt.tags&Rt.tags", "attachment&Lt.tags&Rt.tags", "Lt.tags"]);
    let templates = templates.parse(&COLUMNS).unwrap();
    for (number_of_vector, vector) in vectors("search").iter().enumerate() {
        let columns = || sentence(&vector["input"]);
        let words = columns().words();
        if words < 3 {
            continue;
        }
        let heads = (0..words as u32).map(|word| word.checked_sub(1 + word % 2)).collect();
        let tree = DependencyTree::new(heads, Roots::Many).unwrap();
        let tree = Some(&tree).filter(|_| number_of_vector % 2 == 0);
        let features = SplitFeatures::new(&templates, columns(), tree);
        let mut learner = PassiveLearner::new(&templates);
        // Backward but for the first two words.
        let links: Alignment = (0..words as u32).map(|word| Link::new(word, 99 - word.max(1))).collect();
        let ranks = Ranks::of_alignment(words, &links, Incomparable::Skip).unwrap();
        for _ in 0..3 {
            learner.visit(&features, &ranks, 5, 0.5);
        }
        let weights = learner.finish();
        let (mut cells, mut all) = (Cells::default(), SplitScores::default());
        features.score(|key| weights.get(key), &mut cells, &mut all);
        let (plan, mut found) = (Plan::new(&templates, true), Found::default());
        let mut on_demand = OnDemand::new(&plan, &features, weights.table(), &mut found);
        let mut moved = false;
        for [begin, end, context] in [[0, words, 0], [1, words, 2], [0, words - 1, 3], [1, words, 4], [0, 2, 1]] {
            let found = on_demand.of_span(context, begin, end);
            for pivot in begin + 1..end {
                let (one, other) = (found.score(context, begin, pivot, end), all.score(context, begin, pivot, end));
                assert!(one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9), "{one:?} {other:?}");
                moved |= (one[0] - one[1]).abs() > 1e-3;
            }
        }
        assert!(moved, "something was learned");
    }
}

#[test]
fn constraints_are_those_of_the_reference() {
    for vector in vectors("constraint") {
        let words = number(&vector["input"]["n"]);
        let pairs = vector["input"]["pairs"].as_array().unwrap();
        let links: Alignment =
            pairs.iter().map(|pair| Link::new(number(&pair[0]) as u32, number(&pair[1]) as u32)).collect();
        let found = Ranks::of_target_sets(words, &links).ok().filter(Ranks::is_bracketable);
        let found = found.map(|ranks| ranks.ranks().iter().map(|rank| rank.map_or(-1, i64::from)).collect::<Vec<_>>());
        let expected = vector["expect"].as_array();
        let expected = expected.map(|ranks| ranks.iter().map(|rank| rank.as_i64().unwrap()).collect::<Vec<_>>());
        assert_eq!(found, expected, "{}", vector["id"]);
    }
}
