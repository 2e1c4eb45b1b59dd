//! Orders from alignments, and scores of orders, against a reference implementation.

use alinea::alignment::{Alignment, Link};
use alinea::metric::order::pef;
use alinea::permutation::Permutation;
use alinea::reorder::scores::Case;
use alinea::reorder::{Incomparable, Judge, Key, Ranks, Score, SentenceCounts, Skipped, Unaligned, gold_order};
use serde_json::{Value, json};

const ORDERS: &str = include_str!("../vectors/gold-orders.jsonl");
const TASK: &str = include_str!("../vectors/rsmt.jsonl");

fn vectors(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as u32).collect()
}

fn alignment(input: &Value) -> (usize, Alignment) {
    let pairs = input["pairs"].as_array().unwrap().iter().map(numbers);
    let links = pairs.map(|pair| Link::new(pair[0], pair[1])).collect();
    (input["n"].as_u64().unwrap() as usize, links)
}

#[track_caller]
fn close(found: f64, expected: &Value, id: &str) {
    within(2e-12, found, expected, id);
}

/// Scores of sentences are rounded to multiples of 2^-32.
#[track_caller]
fn close_counts(found: f64, expected: &Value, id: &str) {
    within(1.2e-10, found, expected, id);
}

#[track_caller]
fn within(tolerance: f64, found: f64, expected: &Value, id: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() <= tolerance, "{id}: {found} {expected}");
}

/// Ranks as the vectors write them: -1 for words without.
fn written(ranks: &Ranks) -> Value {
    let ranks_of_words = ranks.ranks().iter().map(|rank| rank.map_or(-1, i64::from)).collect::<Vec<_>>();
    json!({"ranks": ranks_of_words, "count": ranks.count()})
}

/// Links that give words these ranks.
fn links_of_ranks(ranks: &Value) -> (usize, Alignment) {
    let ranks: Vec<i64> = ranks.as_array().unwrap().iter().map(|rank| rank.as_i64().unwrap()).collect();
    let linked = (0..).zip(&ranks).filter(|(_, rank)| **rank >= 0);
    (ranks.len(), linked.map(|(word, &rank)| Link::new(word, rank as u32)).collect())
}

#[test]
fn orders_and_ranks_are_as_the_reference_has_them() {
    let mut checked = [0; 4];
    for vector in vectors(ORDERS) {
        let (input, expect, id) = (&vector["input"], &vector["expect"], vector["id"].as_str().unwrap());
        match vector["op"].as_str().unwrap() {
            "gold_order" => {
                let (words, links) = alignment(input);
                let key: Key = input["key"].as_str().unwrap().parse().unwrap();
                let unaligned: Unaligned = input["unaligned"].as_str().unwrap().parse().unwrap();
                assert_eq!(gold_order(words, &links, key, unaligned).words(), numbers(expect), "{id}");
                checked[0] += 1;
            }
            "interval_ranks" => {
                let (words, links) = alignment(input);
                match Ranks::of_alignment(words, &links, Incomparable::Skip) {
                    Ok(ranks) => assert_eq!(written(&ranks), *expect, "{id}"),
                    Err(Skipped::Incomparable { .. }) => assert!(expect.is_null(), "{id}"),
                    Err(_) => assert!(expect["count"] == 0, "{id}"),
                }
                checked[1] += 1;
            }
            "btg_parsable" => {
                let (words, links) = links_of_ranks(input);
                // Without any link there is nothing to parse.
                let found =
                    Ranks::of_alignment(words, &links, Incomparable::Skip).is_ok_and(|ranks| ranks.is_bracketable());
                assert_eq!(found, expect.as_bool().unwrap(), "{id}");
                checked[2] += 1;
            }
            "pef" => {
                let ranks = Permutation::from_places(numbers(&input["permutation"])).unwrap();
                close(pef(&ranks, input["beta"].as_f64().unwrap()), expect, id);
                checked[3] += 1;
            }
            "score_against_alignment" => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(checked, [360, 60, 40, 60]);
}

#[test]
fn scores_against_alignments_are_as_the_reference_has_them() {
    let judge = Judge::new().unwrap();
    let mut counter = judge.counter();
    let mut checked = 0;
    for vector in vectors(ORDERS).filter(|vector| vector["op"] == "score_against_alignment") {
        let (input, expect, id) = (&vector["input"], &vector["expect"], vector["id"].as_str().unwrap());
        let (words, links) = alignment(input);
        checked += 1;
        let Ok(ranks) = Ranks::of_alignment(words, &links, Incomparable::Skip) else {
            assert!(expect.is_null(), "{id}");
            continue;
        };
        let gold: Vec<u32> = (0..words as u32).collect();
        let names: Vec<String> = gold.iter().map(u32::to_string).collect();
        let case = Case { words: &names, gold: &gold, candidate: &numbers(&input["order"]), ranks: Some(&ranks) };
        let counts = counter.count(&case).unwrap();
        for (score, name) in [(Score::BorderedFuzzy, "frs"), (Score::Tau, "tau"), (Score::Complete, "complete")] {
            close_counts(counts.score(score).unwrap(), &expect[name], id);
        }
    }
    assert_eq!(checked, 60);
}

#[test]
fn scores_of_the_task_are_as_the_reference_has_them() {
    let judge = Judge::new().unwrap();
    let mut counter = judge.counter();
    let mut checked = 0;
    for vector in vectors(TASK).filter(|vector| vector["op"] == "rsmt_scores") {
        let (input, expect, id) = (&vector["input"], &vector["expect"], vector["id"].as_str().unwrap());
        let counts = input.as_array().unwrap().iter().map(|sentence| {
            let words: Vec<&str> = sentence[0].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
            let (gold, candidate) = (numbers(&sentence[1]), numbers(&sentence[2]));
            let case = Case { words: &words, gold: &gold, candidate: &candidate, ranks: None };
            counter.count(&case).unwrap()
        });
        let counts: Vec<SentenceCounts> = counts.collect();
        let total: SentenceCounts = counts.iter().sum();
        for (score, name) in [
            (Score::Bleu, "bleu"),
            (Score::Hamming, "hamming"),
            (Score::Kendall, "kendall"),
            (Score::KendallSquareRoot, "kendall_sqrt"),
            (Score::Exact, "exact"),
        ] {
            close_counts(total.score(score).unwrap(), &expect[name], id);
        }
        checked += 1;
    }
    assert_eq!(checked, 13);
}

/// The pooled scores by their definition: sums of errors over sums of maxima.
#[test]
fn pooled_scores_add_up_before_they_divide() {
    let judge = Judge::new().unwrap();
    let mut counter = judge.counter();
    let mut total = SentenceCounts::default();
    let words = ["a", "b", "c", "d"];
    let count = |links: Alignment, order: &[u32], counter: &mut alinea::reorder::scores::Counter<'_>| {
        let ranks = Ranks::of_alignment(4, &links, Incomparable::Skip).unwrap();
        let case = Case { words: &words, gold: &[0, 1, 2, 3], candidate: order, ranks: Some(&ranks) };
        counter.count(&case).unwrap()
    };
    // Ranks 0 0 1 2 in the order 1 0 2 3: no break of 5, none of 5 pairs wrong.
    total += &count([(0, 0), (1, 0), (2, 1), (3, 2)].into(), &[1, 0, 2, 3], &mut counter);
    // Ranks 1 0 of words 0 and 3: all three steps break, the only pair is wrong.
    total += &count([(0, 1), (3, 0)].into(), &[0, 1, 2, 3], &mut counter);
    let score = |score| total.score(score).unwrap();
    assert!((score(Score::PooledFuzzy) - (1.0 - 3.0 / 8.0)).abs() < 1e-12);
    assert!((score(Score::PooledTau) - (1.0 - 1.0 / 6.0)).abs() < 1e-12);
    assert!((score(Score::BorderedFuzzy) - 0.5).abs() < 1e-12);
    assert!((score(Score::Complete) - 0.5).abs() < 1e-12);
}
