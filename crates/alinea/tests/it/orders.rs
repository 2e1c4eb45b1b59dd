//! Scores of orders against the definitions, over all permutations of few words.

#![expect(clippy::float_cmp, reason = "what is compared without a margin has the same bits")]

use alinea::alignment::{Alignment, Link};
use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::order::{LinkedLrScore, LrScore, Order, OrderConfig, OrderScore, chunks, linked_line};
use alinea::metric::tokenize::Blanks;
use alinea::metric::{Metric, Segments, measure};
use alinea::parallel::Parallelism;
use alinea::permutation::Permutation;
use serde_json::Value;

const VECTORS: &str = include_str!("../vectors/orders.jsonl");

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as u32).collect()
}

fn pharaoh(links: &Value) -> Alignment {
    let pairs = links.as_str().unwrap().split(' ').map(|link| link.split_once('-').unwrap());
    pairs.map(|(source, target)| Link::new(source.parse().unwrap(), target.parse().unwrap())).collect()
}

#[track_caller]
fn close(found: f64, expected: f64, id: &str) {
    assert!((found - expected).abs() <= 1e-12, "{id}: {found} {expected}");
}

#[test]
fn scores_are_as_the_reference_has_them() {
    let mut checked = [0; 3];
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (input, expect, id) = (&vector["input"], &vector["expect"], vector["id"].as_str().unwrap());
        match vector["op"].as_str().unwrap() {
            "birch_permutation" => {
                let pairs = input["pairs"].as_array().unwrap().iter().map(numbers);
                let links: Alignment = pairs.map(|pair| Link::new(pair[0], pair[1])).collect();
                let found = Permutation::of_alignment(input["n"].as_u64().unwrap() as usize, &links);
                assert_eq!(found.places(), numbers(expect), "{id}");
                checked[0] += 1;
            }
            "permutation_scores" => {
                let place = |name: &str| Permutation::from_places(numbers(&input[name])).unwrap();
                let (candidate, gold) = (place("p"), place("q"));
                for (score, name) in [
                    (OrderScore::Hamming, "hamming"),
                    (OrderScore::Kendall, "kendall"),
                    (OrderScore::KendallSquareRoot, "kendall_sqrt"),
                    (OrderScore::Spearman, "spearman"),
                    (OrderScore::Footrule, "footrule"),
                    (OrderScore::Ulam, "ulam"),
                    (OrderScore::Fuzzy, "talbot"),
                ] {
                    close(score.compare(&candidate, &gold).unwrap(), expect[name].as_f64().unwrap(), id);
                }
                let ranks = candidate.seen_from(&gold).unwrap();
                assert_eq!(chunks(&ranks) as u64, expect["chunks"].as_u64().unwrap(), "{id}");
                checked[1] += 1;
            }
            "lrscore_distance" => {
                let number = |name: &str| input[name].as_u64().unwrap() as usize;
                let score = match input["kind"].as_str().unwrap() {
                    "hamming" => OrderScore::Hamming,
                    "kendall" => OrderScore::KendallSquareRoot,
                    other => panic!("{other}"),
                };
                let (hypothesis, reference) = (pharaoh(&input["hypothesis"]), pharaoh(&input["reference"]));
                let found = LrScore::new(score, 0.5).unwrap().distance(
                    number("n"),
                    [&hypothesis, &reference],
                    [number("hypothesis_length"), number("reference_length")],
                );
                close(found, expect.as_f64().unwrap(), id);
                checked[2] += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(checked, [61, 60, 6]);
}

/// All orders of 0 to n - 1.
fn all_orders(words: u32) -> Vec<Vec<u32>> {
    let mut orders = vec![Vec::new()];
    for word in 0..words {
        let longer = |order: &Vec<u32>| {
            let order = order.clone();
            (0..=order.len()).map(move |place| [&order[..place], &[word], &order[place..]].concat())
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// The longest of all sequences of words that keep their order, by trying each set of words.
fn longest_kept(ranks: &[u32]) -> usize {
    let kept = |set: &u32| {
        let chosen: Vec<u32> = (0..ranks.len()).filter(|&word| set >> word & 1 == 1).map(|word| ranks[word]).collect();
        chosen.is_sorted().then_some(chosen.len())
    };
    (0..1 << ranks.len()).filter_map(|set| kept(&set)).max().unwrap()
}

#[test]
fn scores_are_as_by_definition_for_all_orders() {
    for words in 2..=7 {
        let orders = all_orders(words);
        assert_eq!(orders.len() as u32, (1..=words).product::<u32>());
        let n = f64::from(words);
        for order in orders {
            let pairs = || (0..order.len()).flat_map(|i| (i + 1..order.len()).map(move |j| (i, j)));
            let away: Vec<f64> =
                (0..).zip(&order).map(|(here, &there): (u32, _)| f64::from(here.abs_diff(there))).collect();
            let wrong = pairs().filter(|&(i, j)| order[i] > order[j]).count() as f64 / pairs().count() as f64;
            let follow = order.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count() as f64;
            let ranks = Permutation::from_places(order.clone()).unwrap();
            for score in OrderScore::ALL {
                let expected = match score {
                    OrderScore::Hamming => away.iter().filter(|&&distance| distance == 0.0).count() as f64 / n,
                    OrderScore::Kendall => 1.0 - wrong,
                    OrderScore::KendallSquareRoot => 1.0 - wrong.sqrt(),
                    OrderScore::KendallTau => 1.0 - 2.0 * wrong,
                    OrderScore::Spearman => 1.0 - 6.0 * away.iter().map(|d| d * d).sum::<f64>() / (n * (n * n - 1.0)),
                    OrderScore::Footrule => 1.0 - away.iter().sum::<f64>() / (n * n / 2.0).floor(),
                    OrderScore::Ulam => longest_kept(&order) as f64 / n,
                    OrderScore::Fuzzy => follow / (n - 1.0),
                };
                close(score.of_ranks(&ranks), expected, &format!("{score} {order:?}"));
                // Which of two orders is the candidate means nothing.
                let (one, other) = (ranks.inverse(), Permutation::identity(words as usize));
                assert_eq!(score.compare(&one, &other).unwrap(), score.of_ranks(&ranks));
                close(score.compare(&other, &one).unwrap(), expected, &format!("{score} {order:?}, exchanged"));
            }
        }
    }
}

#[test]
fn orders_of_different_words_are_refused() {
    for score in OrderScore::ALL {
        let error = score.compare(&Permutation::identity(3), &Permutation::identity(2)).unwrap_err();
        assert_eq!(error.to_string(), "orders of 3 and of 2 words cannot be compared");
    }
    let error = LrScore::new(OrderScore::Hamming, 1.1).unwrap_err();
    assert_eq!(error.to_string(), "alpha = 1.1: must be 0 to 1");
}

/// Segments of the vectors of LRscore: the mean of the distances, BLEU of the same lines, and the two mixed.
#[test]
fn lines_with_links_are_scored_as_distances_and_bleu_are() {
    let (mut linked, mut plain, mut distances) = (Segments::new(1), Segments::new(1), Vec::new());
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let input = &vector["input"];
        if vector["op"] != "lrscore_distance" || input["kind"] != "kendall" {
            continue;
        }
        // The function takes lengths as they are given; a line has the words that its links lead to.
        let words = |side: &str| input[format!("{side}_length")].as_u64().unwrap();
        let fits = |side: &str| pharaoh(&input[side]).iter().all(|link| u64::from(link.target) < words(side));
        if !fits("hypothesis") || !fits("reference") {
            continue;
        }
        let line = |side: &str, from: usize| -> (String, String) {
            let words = input[format!("{side}_length")].as_u64().unwrap() as usize;
            let line: Vec<String> = (from..from + words).map(|word| format!("w{word}")).collect();
            let source = input["n"].as_u64().unwrap() as usize;
            (linked_line(source, &pharaoh(&input[side]), &line.join(" ")), line.join(" "))
        };
        let (hypothesis, reference) = (line("hypothesis", 1), line("reference", 0));
        linked.push(&[&hypothesis.0], &[&reference.0]);
        plain.push(&[&hypothesis.1], &[&reference.1]);
        distances.push(vector["expect"].as_f64().unwrap());
    }
    let config = || {
        BleuConfig::default().with(|c| {
            c.weights = vec![0.5; 2];
            c.tokenizer = Box::new(Blanks);
        })
    };
    let bleu = || Bleu::new(config()).unwrap();
    let sums = |metric: &dyn Metric, segments| measure(metric, segments, &Parallelism::serial()).unwrap()[0].sums();
    let of_bleu = bleu().score(&sums(&bleu(), &plain)) / 100.0;
    let order = distances.iter().sum::<f64>() / distances.len() as f64;
    for alpha in [0.0, 0.3, 1.0] {
        let metric = LinkedLrScore::new(LrScore::new(OrderScore::KendallSquareRoot, alpha).unwrap(), bleu());
        let found = metric.score(&sums(&metric, &linked));
        close(found, alpha * order + (1.0 - alpha) * of_bleu, &format!("alpha {alpha}"));
    }
    assert!(distances.len() >= 2 && of_bleu > 0.0);
}

#[test]
fn lines_without_links_are_refused() {
    let metric =
        LinkedLrScore::new(LrScore::new(OrderScore::Hamming, 0.5).unwrap(), Bleu::new(BleuConfig::default()).unwrap());
    let refused = |hypothesis: &str, reference: &str| {
        let mut segments = Segments::new(1);
        segments.push(&[hypothesis], &[reference]);
        measure(&metric, &segments, &Parallelism::serial()).unwrap_err().to_string()
    };
    let expected = "expected the number of source words, links such as 0-0 1-2, and the line, separated by tabs";
    for line in ["a b", "2\t0-0", "x\t0-0\ta", "2\t0_0\ta"] {
        assert_eq!(refused(line, "1\t0-0\ta"), format!("{expected}, found `{line}`"));
    }
    let range = "is out of range, the source has 1 token, the target 2";
    assert_eq!(refused("1\t0-2\ta b", "1\t\ta"), format!("link 0-2 {range}"));
    assert_eq!(refused("1\t1-0\ta b", "1\t\ta"), format!("link 1-0 {range}"));
    assert_eq!(refused("1\t\ta", "2\t\ta"), "a source of 1 words beside one of 2: one segment has one source");
}

#[test]
fn orders_of_translations_are_those_of_aligned_words() {
    let mut segments = Segments::new(1);
    // Aligned are b, a, d, at 1, 0, 3 of the reference.
    segments.push(&["b a x d"], &["a b c d"]);
    segments.push(&["a b"], &["a b c d"]);
    segments.push(&["x"], &["a"]);
    segments.push(&[""], &["a"]);
    let each = |score: OrderScore, alpha: f64| -> Vec<f64> {
        let config = OrderConfig::new(score).with(|c| {
            c.alpha = alpha;
            c.tokenizer = Box::new(Blanks);
        });
        let order = Order::new(config).unwrap();
        let statistics = &measure(&order, &segments, &Parallelism::serial()).unwrap()[0];
        statistics.rows().map(|row| order.score(row)).collect()
    };
    let short = (1.0_f64 - 2.0).exp();
    let found = each(OrderScore::Kendall, 0.0);
    assert_eq!(found[1..], [short, 0.0, 0.0]);
    close(found[0], 2.0 / 3.0, "one of three pairs");
    close(each(OrderScore::Kendall, 1.0)[0], 2.0 / 3.0 * 0.75, "three of four words");
    assert_eq!(each(OrderScore::Hamming, 0.0)[0], 1.0 - 2.0 / 3.0);
    assert_eq!(each(OrderScore::Fuzzy, 0.0)[0], 0.0);
}
