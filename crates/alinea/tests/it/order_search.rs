//! Searches for orders against a reference implementation, and counts of orders that trees reach.

use alinea::permutation::Permutation;
use alinea::reorder::Ranks;
use alinea::reorder::linear::{self, Preferences};
use alinea::reorder::salesman::{Costs, shortest_path};
use serde_json::Value;

const VECTORS: &str = include_str!("../vectors/order-search.jsonl");

fn matrix(value: &Value) -> (usize, Vec<f64>) {
    let rows: Vec<&Vec<Value>> = value.as_array().unwrap().iter().map(|row| row.as_array().unwrap()).collect();
    (rows.len(), rows.into_iter().flatten().map(|number| number.as_f64().unwrap()).collect())
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as u32).collect()
}

#[track_caller]
fn close(found: f64, expected: &Value, id: &str) {
    assert!((found - expected.as_f64().unwrap()).abs() < 1e-9, "{id}: {found} {expected}");
}

/// All orders of 0 to n - 1.
fn orders(words: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for word in 0..words {
        let grown = |order: &Vec<u32>| {
            let order = order.clone();
            (0..=order.len()).map(move |place| [&order[..place], &[word], &order[place..]].concat())
        };
        all = all.iter().flat_map(grown).collect();
    }
    all
}

#[test]
fn searches_find_what_the_reference_finds() {
    let mut checked = [0; 4];
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (input, expect, id) = (&vector["input"], &vector["expect"], vector["id"].as_str().unwrap());
        match vector["op"].as_str().unwrap() {
            "lop" => {
                let (words, gains) = matrix(&input["B"]);
                let preferences = Preferences::new(words, gains).unwrap();
                let identity: Vec<u32> = (0..words as u32).collect();
                close(preferences.score(&identity), &expect["identity"], id);
                let step = linear::best_neighbor(&preferences, &identity);
                close(preferences.score(&step), &expect["btg_step_from_identity"], id);
                let found = preferences.score(&linear::search(&preferences, identity));
                let optimum = expect["optimum"].as_f64().unwrap();
                let local = expect["local_search_from_identity"].as_f64().unwrap();
                // Where several neighbors are the best, which is taken decides where the search ends.
                assert!(
                    found <= optimum + 1e-9 && (found >= local - 1e-9 || found >= preferences.score(&step)),
                    "{id}"
                );
                checked[0] += 1;
            }
            "atsp" => {
                let (side, costs) = matrix(&input["C"]);
                let costs = Costs::new(side - 2, costs).unwrap();
                let order = shortest_path(&costs);
                assert_eq!(order, numbers(&expect["order"]), "{id}");
                close(costs.of_path(&order), &expect["cost"], id);
                checked[1] += 1;
            }
            "btg_parsable" => {
                let order = Permutation::from_places(numbers(input)).unwrap();
                assert_eq!(Ranks::of_order(&order).is_bracketable(), expect.as_bool().unwrap(), "{id}");
                checked[2] += 1;
            }
            "count_btg_orders" => {
                let found = numbers(input).into_iter().map(|words| {
                    let reached = |order: &Vec<u32>| {
                        Ranks::of_order(&Permutation::from_places(order.clone()).unwrap()).is_bracketable()
                    };
                    orders(words).iter().filter(|order| reached(order)).count() as u32
                });
                assert_eq!(found.collect::<Vec<_>>(), numbers(expect), "{id}");
                checked[3] += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(checked, [36, 36, 2, 1]);
}
