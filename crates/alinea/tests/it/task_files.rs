//! The files of the shared task on learning word order against a reference implementation and the task's document.

use alinea::format::rsmt::{BrokenChain, Unknown, order_from_previous, parse, previous_from_order};
use alinea::permutation::Permutation;
use serde_json::{Value, json};

const VECTORS: &str = include_str!("../vectors/rsmt.jsonl");

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as u32).collect()
}

#[test]
fn columns_and_chains_are_as_the_reference_has_them() {
    let mut checked = [0; 4];
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (input, expect, id) = (&vector["input"], &vector["expect"], vector["id"].as_str().unwrap());
        match vector["op"].as_str().unwrap() {
            "read_conll" => {
                let blocks = parse(input.as_str().unwrap(), "f", Unknown::Refused).unwrap();
                let rows = blocks.iter().map(|block| {
                    let previous = previous_from_order(block.order().unwrap());
                    let row = |row: usize| {
                        let tags = (block.coarse_tag(row).unwrap(), block.fine_tag(row).unwrap());
                        json!([row + 1, block.word(row), tags.0, tags.1, previous[row].to_string()])
                    };
                    (0..block.len()).map(row).collect::<Vec<_>>()
                });
                assert_eq!(json!(rows.collect::<Vec<_>>()), *expect, "{id}");
                checked[0] += 1;
            }
            "order_from_previous" => {
                let order = order_from_previous(&numbers(input)).unwrap().inverse();
                assert_eq!(order.places(), numbers(expect), "{id}");
                checked[1] += 1;
            }
            "order_from_previous_error" => {
                let kind = match order_from_previous(&numbers(input)).unwrap_err() {
                    BrokenChain::Outside { .. } | BrokenChain::Itself { .. } => "range".to_owned(),
                    BrokenChain::Twice { previous, .. } => format!("two words after {previous}"),
                    BrokenChain::Circle { .. } => "chain".to_owned(),
                    other => panic!("{other}"),
                };
                assert_eq!(kind, expect.as_str().unwrap(), "{id}");
                checked[2] += 1;
            }
            "previous_from_order" => {
                let order = Permutation::from_order(&numbers(input)).unwrap();
                assert_eq!(previous_from_order(&order), numbers(expect), "{id}");
                checked[3] += 1;
            }
            "rsmt_scores" | "baseline" => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(checked, [1, 1, 6, 20]);
}

/// Of the (n + 1)^n lists of indices those are accepted that some order has: n!.
#[test]
fn as_many_chains_are_accepted_as_there_are_orders() {
    for words in 0..=5u32 {
        let lists = (words + 1).pow(words);
        let list = |mut number: u32| -> Vec<u32> {
            let digit = |_| {
                let digit = number % (words + 1);
                number /= words + 1;
                digit
            };
            (0..words).map(digit).collect()
        };
        let accepted = (0..lists).filter(|&number| order_from_previous(&list(number)).is_ok()).count();
        assert_eq!(accepted as u32, (1..=words).product::<u32>());
    }
}
