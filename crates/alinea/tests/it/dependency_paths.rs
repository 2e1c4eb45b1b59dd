//! Dependency paths and tree edit distance against a reference implementation, other algorithms, and laws.
//!
//! Vectors (`vectors/dependency-paths.jsonl`) come from McCaffery (2017), from
//! `crates/alinea-dev/reference/dependency_paths.py`, and, for tree edit distance, from `zss` 1.2.0. Spanning trees are
//! compared with Kruskal's algorithm on random trees and links; the laws are identity, exchange of the sides, renaming
//! of relations, and unaligned leaves.

use std::collections::BTreeSet;

use alinea::alignment::{Alignment, Link};
use alinea::format::conllu;
use alinea::metric::dependency_path::{
    Comparison, DependencyPath, DependencyPathConfig, Disparity, Encoding, MetaGraph, Orientation, PathPair, TieOrder,
    levenshtein,
};
use alinea::metric::labeled_tree::{LabeledTree, Relations};
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::metric::{Metric, Segments, measure};
use alinea::parallel::Parallelism;
use alinea::tree::{DependencyTree, Roots};
use proptest::prelude::*;
use serde_json::{Value, json};

const VECTORS: &str = include_str!("../vectors/dependency-paths.jsonl");

fn tree(value: &Value, relations: &mut Relations) -> LabeledTree {
    let words = value.as_array().unwrap();
    let heads = words.iter().map(|word| (word[0].as_u64().unwrap() as u32).checked_sub(1)).collect();
    let names: Vec<&str> = words.iter().map(|word| word[1].as_str().unwrap()).collect();
    relations.label(DependencyTree::new(heads, Roots::One).unwrap(), &names)
}

fn links(value: &Value) -> Alignment {
    let word = |value: &Value| value.as_u64().unwrap() as u32 - 1;
    value.as_array().unwrap().iter().map(|link| Link::new(word(&link[0]), word(&link[1]))).collect()
}

fn edge(edge: &PathPair) -> Value {
    json!([edge.words.0 + 1, edge.words.1 + 1, edge.disparity.cost, edge.disparity.most])
}

fn metric(tie_order: TieOrder) -> DependencyPath {
    DependencyPath::new(DependencyPathConfig::default().with(|c| c.tie_order = tie_order)).unwrap()
}

fn close(found: f64, expected: &Value, id: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() <= 1e-12, "{id}: {found} {expected}");
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|label| label.as_str().unwrap()).collect()
}

#[test]
fn results_are_as_the_reference_has_them() {
    let mut checked = [0; 5];
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (input, expect, id) = (&vector["input"], &vector["expect"], vector["id"].as_str().unwrap());
        let mut relations = Relations::default();
        match vector["op"].as_str().unwrap() {
            "derp" => {
                let trees = [tree(&input["tree"], &mut relations), tree(&input["tree2"], &mut relations)];
                let metric = metric(input["tie"].as_str().unwrap().parse().unwrap());
                let links = links(&input["links"]);
                let found = metric.compare(&trees[0], &trees[1], &links).unwrap();
                assert_eq!(json!([found.cost, found.most]), json!([expect["L"], expect["Lmax"]]), "{id}");
                close(found.order, &expect["order"], id);
                close(found.coverage, &expect["coverage"], id);
                assert_eq!(found.edges.iter().map(edge).collect::<Value>(), expect["mst"], "{id}");
                let graph = if found.exchanged {
                    MetaGraph::new(&trees[1], &trees[0], &links.inverted())
                } else {
                    MetaGraph::new(&trees[0], &trees[1], &links)
                };
                let graph = graph.unwrap();
                assert_eq!(graph.nodes().iter().map(|node| node + 1).collect::<Value>(), expect["nodes"], "{id}");
                assert_eq!(graph.edges().map(|found| edge(&found)).collect::<Value>(), expect["edges"], "{id}");
                checked[0] += 1;
            }
            "dted" => {
                let trees = [tree(&input["tree"], &mut relations), tree(&input["tree2"], &mut relations)];
                let config = TreeEditConfig::default().with(|c| {
                    c.splice = input["unaligned"] == "splice";
                    c.head_leaf = input["head_leaf"].as_bool().unwrap();
                });
                let found = TreeEdit::new(config).unwrap();
                let found = found.compare(&trees[0], &trees[1], &links(&input["links"])).unwrap();
                let numbers = json!([found.distance, found.sizes[0], found.sizes[1]]);
                assert_eq!(numbers, json!([expect["distance"], expect["size1"], expect["size2"]]), "{id}");
                close(found.score, &expect["score"], id);
                checked[1] += 1;
            }
            "encode" => {
                let tree = tree(&input["tree"], &mut relations);
                let word = |name: &str| input[name].as_u64().unwrap() as u32 - 1;
                let found = Encoding::of(&tree, word("n"), word("m"));
                let names = |labels: &[u32]| labels.iter().map(|&label| relations.name(label)).collect::<Vec<_>>();
                let direction = if found.rightward { "alpha" } else { "beta" };
                assert_eq!(json!([names(&found.up), direction, names(&found.down)]), *expect, "{id}");
                checked[2] += 1;
            }
            "disparity" => {
                let mut numbers = Numbers::default();
                let [one, other] = [0, 1].map(|side| {
                    let [up, direction, down] = [0, 1, 2].map(|part| &input[side][part]);
                    Encoding { up: numbers.of(up), rightward: direction == "alpha", down: numbers.of(down) }
                });
                let Disparity { cost, most } = one.disparity(&other);
                assert_eq!(json!([cost, most]), *expect, "{id}");
                checked[3] += 1;
            }
            "levenshtein" => {
                let mut numbers = Numbers::default();
                let [one, other] = [0, 1].map(|side| numbers.of(&input[side]));
                assert_eq!(json!(levenshtein(&one, &other)), *expect, "{id}");
                checked[4] += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(checked, [66, 124, 2, 1, 2]);
}

/// Numbers for strings.
#[derive(Default)]
struct Numbers(Vec<String>);

impl Numbers {
    fn of(&mut self, names: &Value) -> Vec<u32> {
        let number = |name: &str| {
            let known = self.0.iter().position(|known| known == name);
            known.unwrap_or_else(|| {
                self.0.push(name.to_owned());
                self.0.len() - 1
            }) as u32
        };
        strings(names).into_iter().map(number).collect()
    }
}

/// A tree in which each word but the first of `order` hangs from one before it in that order.
fn trees(most: usize) -> impl Strategy<Value = (Vec<Option<u32>>, Vec<u32>)> {
    (1..=most).prop_flat_map(|words| {
        let order = Just((0..words as u32).collect::<Vec<_>>()).prop_shuffle();
        let parts = (order, proptest::collection::vec(any::<prop::sample::Index>(), words));
        let heads = parts.prop_map(move |(order, heads)| {
            let mut found = vec![None; words];
            for at in 1..words {
                found[order[at] as usize] = Some(order[heads[at].index(at)]);
            }
            found
        });
        (heads, proptest::collection::vec(0u32..4, words))
    })
}

const NAMES: [&str; 8] = ["nsubj", "obj", "det", "nmod", "one", "two", "three", "four"];

/// `shift` renames all relations.
fn labeled((heads, labels): &(Vec<Option<u32>>, Vec<u32>), relations: &mut Relations, shift: usize) -> LabeledTree {
    let names: Vec<&str> = labels.iter().map(|&label| NAMES[label as usize + shift]).collect();
    relations.label(DependencyTree::new(heads.clone(), Roots::Many).unwrap(), &names)
}

type Words = (Vec<Option<u32>>, Vec<u32>);

/// Two trees, and links between them: any, or at most one a word.
fn pairs(one_to_one: bool) -> impl Strategy<Value = (Words, Words, Alignment)> {
    (trees(9), trees(9)).prop_flat_map(move |(one, other)| {
        let (words, others) = (one.1.len() as u32, other.1.len() as u32);
        let links = proptest::collection::vec((0..words, 0..others), 0..8);
        (Just(one), Just(other), links).prop_map(move |(one, other, links)| {
            let mut seen = [BTreeSet::new(), BTreeSet::new()];
            let kept = links.into_iter().filter(|&(source, target)| {
                !one_to_one
                    || !seen[0].contains(&source) && !seen[1].contains(&target) && {
                        seen[0].insert(source);
                        seen[1].insert(target)
                    }
            });
            let links = kept.map(|(source, target)| Link::new(source, target)).collect();
            (one, other, links)
        })
    })
}

/// The weight of a least spanning tree by Kruskal's algorithm (1956).
fn kruskal(nodes: &[u32], mut edges: Vec<PathPair>) -> u32 {
    edges.sort_by_key(|edge| edge.disparity.cost);
    let mut parts: Vec<BTreeSet<u32>> = nodes.iter().map(|&node| BTreeSet::from([node])).collect();
    let mut weight = 0;
    for PathPair { words, disparity, .. } in edges {
        let part = |word: u32| parts.iter().position(|part| part.contains(&word)).unwrap();
        let (one, other) = (part(words.0), part(words.1));
        if one != other {
            let mut joined = parts[one].clone();
            joined.extend(&parts[other]);
            parts.remove(one.max(other));
            parts[one.min(other)] = joined;
            weight += disparity.cost;
        }
    }
    weight
}

fn compare(one: &LabeledTree, other: &LabeledTree, links: &Alignment) -> Comparison {
    metric(TieOrder::Local).compare(one, other, links).unwrap()
}

proptest! {
    #[test]
    fn no_spanning_tree_is_lighter((one, other, links) in pairs(false)) {
        let mut relations = Relations::default();
        let [one, other] = [&one, &other].map(|words| labeled(words, &mut relations, 0));
        let graph = MetaGraph::new(&one, &other, &links).unwrap();
        let expected = kruskal(graph.nodes(), graph.edges().collect());
        let mut most = Vec::new();
        for order in TieOrder::ALL {
            let tree = graph.spanning_tree(order);
            prop_assert_eq!(tree.len(), graph.nodes().len().saturating_sub(1));
            prop_assert_eq!(tree.iter().map(|edge| edge.disparity.cost).sum::<u32>(), expected);
            most.push(tree.iter().map(|edge| edge.disparity.most).sum::<u32>());
        }
        prop_assert!(most[1] >= most[0] && most[1] >= most[2]);
    }

    /// Tables of prefixes and the highest words found in constant time against walks along each path.
    #[test]
    fn edges_are_as_their_encodings((one, other, links) in pairs(true)) {
        let mut relations = Relations::default();
        let [one, other] = [&one, &other].map(|words| labeled(words, &mut relations, 0));
        for edge in MetaGraph::new(&one, &other, &links).unwrap().edges() {
            let there = edge.counterparts.unwrap();
            let [here, there] = [(&one, edge.words), (&other, there)].map(|(tree, (first, last))| Encoding::of(tree, first, last));
            prop_assert_eq!(edge.disparity, here.disparity(&there));
            prop_assert_eq!(edge.length as usize, here.up.len() + here.down.len() + there.up.len() + there.down.len());
        }
    }

    #[test]
    fn a_sentence_is_in_its_own_order(words in trees(12)) {
        let tree = labeled(&words, &mut Relations::default(), 0);
        let identity: Alignment = (0..words.1.len() as u32).map(|word| Link::new(word, word)).collect();
        let found = compare(&tree, &tree, &identity);
        prop_assert_eq!((found.cost, found.order, found.coverage), (0, 1.0, 1.0));
        for (splice, head_leaf) in [(false, false), (true, true)] {
            let config = TreeEditConfig::default().with(|c| { c.splice = splice; c.head_leaf = head_leaf; });
            prop_assert_eq!(TreeEdit::new(config).unwrap().compare(&tree, &tree, &identity).unwrap().distance, 0);
        }
    }

    #[test]
    fn exchange_and_renaming_change_nothing((one, other, links) in pairs(true)) {
        let mut relations = Relations::default();
        let trees = [&one, &other].map(|words| labeled(words, &mut relations, 0));
        let renamed = [&one, &other].map(|words| labeled(words, &mut relations, 4));
        let key = |found: Comparison| (found.cost, found.most, found.order.to_bits());
        let found = key(compare(&trees[0], &trees[1], &links));
        prop_assert_eq!(key(compare(&trees[1], &trees[0], &links.inverted())), found);
        prop_assert_eq!(key(compare(&renamed[0], &renamed[1], &links)), found);
        let edits = TreeEdit::new(TreeEditConfig::default()).unwrap();
        let distance = edits.compare(&trees[0], &trees[1], &links).unwrap().distance;
        prop_assert_eq!(edits.compare(&trees[1], &trees[0], &links.inverted()).unwrap().distance, distance);
    }

    /// One meta-graph is enough: where words of the reference have one counterpart, the graph over the hypothesis, with the
    /// least cost over the words aligned with each, has the same least weight.
    #[test]
    fn both_graphs_weigh_the_same((one, other, links) in pairs(false)) {
        let mut links = links;
        let mut last = None;
        links.retain(|link| last.replace(link.source) != Some(link.source));
        let mut relations = Relations::default();
        let [one, other] = [&one, &other].map(|words| labeled(words, &mut relations, 0));
        let costs = Orientation::ALL.map(|orientation| {
            let config = DependencyPathConfig::default().with(|c| c.orientation = orientation);
            DependencyPath::new(config).unwrap().compare(&one, &other, &links).unwrap().cost
        });
        prop_assert!(costs[0] == costs[1] && costs[1] == costs[2], "{:?}", costs);
    }

    #[test]
    fn an_unaligned_leaf_changes_nothing_but_coverage(
        (one, other, links) in pairs(true),
        head in any::<prop::sample::Index>(),
        to_reference in any::<bool>(),
    ) {
        let mut relations = Relations::default();
        let add = |words: &Words| {
            let (mut heads, mut labels) = words.clone();
            heads.push(Some(head.index(heads.len()) as u32));
            labels.push(0);
            (heads, labels)
        };
        let longer = if to_reference { (add(&one), other.clone()) } else { (one.clone(), add(&other)) };
        let [one, other] = [&one, &other].map(|words| labeled(words, &mut relations, 0));
        let longer = [&longer.0, &longer.1].map(|words| labeled(words, &mut relations, 0));
        let (found, with_leaf) = (compare(&one, &other, &links), compare(&longer[0], &longer[1], &links));
        prop_assert_eq!(&found.edges, &with_leaf.edges);
        prop_assert_eq!(found.order.to_bits(), with_leaf.order.to_bits());
        prop_assert!(links.is_empty() || with_leaf.coverage < found.coverage);
    }
}

/// The two readings of the worked example, as lines.
fn example(a_depends_on: u32) -> (String, String) {
    let row = |(number, (form, head, relation)): (usize, (&str, u32, &str))| {
        format!("{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n")
    };
    let reference = [
        ("the", 2, "DET"),
        ("detective", 4, "NSUBJ"),
        ("is", 4, "AUX"),
        ("becoming", 0, "ROOT"),
        ("a", a_depends_on, "DET"),
        ("Sherlock", 7, "CMP"),
        ("Holmes", 4, "DOBJ"),
    ];
    let hypothesis = [
        ("a", 2, "DET"),
        ("Sherlock", 3, "NSUBJ"),
        ("becomes", 0, "ROOT"),
        ("the", 5, "DET"),
        ("detective", 3, "DOBJ"),
    ];
    ((1..).zip(reference).map(row).collect(), (1..).zip(hypothesis).map(row).collect())
}

fn score(metric: &dyn Metric, hypothesis: &str, references: &[&str]) -> alinea::error::Result<f64> {
    let mut segments = Segments::new(1);
    segments.push(&[hypothesis], references);
    Ok(metric.score(&measure(metric, &segments, &Parallelism::serial())?[0].sums()))
}

/// Words match by their form and stem as the example has them linked.
#[test]
fn the_example_is_matched_and_the_best_reference_counts() {
    let (holmes, hypothesis) = example(7);
    let (sherlock, _) = example(6);
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    let local = metric(TieOrder::Local);
    close(score(&local, &hypothesis, &[&holmes]).unwrap(), 0.5);
    close(score(&local, &hypothesis, &[&sherlock]).unwrap(), 4.0 / 9.0);
    close(score(&local, &hypothesis, &[&sherlock, &holmes]).unwrap(), 0.5);
    close(score(&metric(TieOrder::Generous), &hypothesis, &[&sherlock]).unwrap(), 6.0 / 11.0);
    let covered = DependencyPathConfig::default().with(|c| c.coverage_exponent = 1.0);
    close(score(&DependencyPath::new(covered).unwrap(), &hypothesis, &[&holmes]).unwrap(), 0.5 * 10.0 / 12.0);
    close(score(&TreeEdit::new(TreeEditConfig::default()).unwrap(), &hypothesis, &[&holmes]).unwrap(), 0.5);
    // Links of the second reference alone are given: none, so that nothing is aligned.
    let given = format!("# links 2 =\n{hypothesis}");
    close(score(&local, &given, &[&holmes, &holmes]).unwrap(), 0.5);
    close(score(&local, &format!("# links =\n{hypothesis}"), &[&holmes]).unwrap(), 0.0);
}

/// The example, and a pair in which the one path leads to the other side: cost 1 of 2, and equal trees of two words.
#[test]
fn texts_are_scored_by_means_or_sums() {
    let (holmes, hypothesis) = example(7);
    let rightward = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tobj\t_\t_\n";
    let leftward = "1\tb\t_\t_\t_\t_\t2\tobj\t_\t_\n2\ta\t_\t_\t_\t_\t0\troot\t_\t_\n";
    let mut segments = Segments::new(1);
    segments.push(&[&hypothesis], &[&holmes]);
    segments.push(&[leftward], &[rightward]);
    let check = |metric: &dyn Metric, expected: f64| {
        let sums = measure(metric, &segments, &Parallelism::serial()).unwrap()[0].sums();
        assert!((metric.score(&sums) - expected).abs() < 1e-12, "{} {expected}", metric.score(&sums));
    };
    let paths = |pooled| DependencyPath::new(DependencyPathConfig::default().with(|c| c.pooled = pooled));
    check(&paths(false).unwrap(), f64::midpoint(5.0 / 10.0, 1.0 / 2.0));
    check(&paths(true).unwrap(), 1.0 - (5.0 + 1.0) / (10.0 + 2.0));
    let edits = |pooled| TreeEdit::new(TreeEditConfig::default().with(|c| c.pooled = pooled));
    check(&edits(false).unwrap(), f64::midpoint(6.0 / 12.0, 1.0));
    check(&edits(true).unwrap(), 1.0 - (6.0 + 0.0) / (12.0 + 4.0));
}

#[test]
fn what_cannot_be_scored_is_refused() {
    let (reference, hypothesis) = example(7);
    let local = metric(TieOrder::Local);
    let error = |hypothesis: &str, reference: &str| score(&local, hypothesis, &[reference]).unwrap_err().to_string();
    let none = hypothesis.replace("2\tDET", "_\tDET").replace("3\tNSUBJ", "_\t_").replace("0\tROOT", "_\t_");
    let none = none.replace("5\tDET", "_\t_").replace("3\tDOBJ", "_\t_");
    assert!(error(&none, &reference).contains("a sentence with a tree: the words have no heads"));
    assert!(error(&hypothesis.replace("NSUBJ", "_"), &reference).contains("a relation of word 2 (`Sherlock`)"));
    assert!(error(&hypothesis.replace("0\tROOT", "2\tROOT"), &reference).contains("2 → 3 → 2"));
    assert!(error(&format!("# links = 7-0\n{hypothesis}"), &reference).contains("link 7-0 is out of range"));
    assert!(error(&format!("# links = 0:0\n{hypothesis}"), &reference).contains("in the comment `links`, found `0:0`"));
    assert!(error("", &reference).contains("a segment is one sentence, not 0"));
    assert!(error(&format!("{hypothesis}\n{hypothesis}"), &reference).contains("not 2"));
    // Without relations tree edit distance has all it needs.
    let edits = TreeEdit::new(TreeEditConfig::default()).unwrap();
    assert!(score(&edits, &hypothesis.replace("NSUBJ", "_"), &[&reference]).is_ok());
    let edits = TreeEdit::new(TreeEditConfig::default().with(|c| c.relations = true)).unwrap();
    assert!(score(&edits, &hypothesis.replace("NSUBJ", "_"), &[&reference]).is_err());
    let strict = DependencyPathConfig::default().with(|c| c.relaxed = false);
    let strict = DependencyPath::new(strict).unwrap();
    let several = format!("# links = 0-0 0-1 1-1\n{hypothesis}");
    let found = score(&strict, &several, &[&reference]).unwrap_err().to_string();
    assert_eq!(found, "a word of the reference has two counterparts, in 0-0 0-1 1-1");
}

/// Chains have the most label pairs that trees can have.
#[test]
fn chains_too_long_for_tables_are_refused() {
    let chain = |words: u32| {
        let heads = (0..words).map(|word| word.checked_sub(1)).collect();
        let names = vec!["dep"; words as usize];
        Relations::default().label(DependencyTree::new(heads, Roots::One).unwrap(), &names)
    };
    let identity = |words: u32| (0..words).map(|word| Link::new(word, word)).collect::<Alignment>();
    let long = chain(300);
    assert_eq!(compare(&long, &long, &identity(300)).cost, 0);
    let longer = chain(2000);
    let error = metric(TieOrder::Local).compare(&longer, &longer, &identity(2000)).unwrap_err().to_string();
    assert!(error.starts_with("blocks of tables for two trees, links times depths: "), "{error}");
}

/// All words linked with all make a trillion pairs of paths.
#[test]
fn so_many_links_that_pairs_of_them_take_too_long_are_refused() {
    let flat = |words: u32| {
        let heads = (0..words).map(|word| (word > 0).then_some(0)).collect();
        let names = vec!["dep"; words as usize];
        Relations::default().label(DependencyTree::new(heads, Roots::One).unwrap(), &names)
    };
    let all = |words: u32| -> Alignment {
        (0..words).flat_map(|word| (0..words).map(move |other| Link::new(word, other))).collect()
    };
    let tree = flat(1500);
    let error = metric(TieOrder::Local).compare(&tree, &tree, &all(1500)).unwrap_err().to_string();
    let pairs = 2_250_000u64 * 2_249_999 / 2;
    assert_eq!(error, format!("pairs of paths in two trees: {pairs}, more than the limit of 268435456"));
    assert!(metric(TieOrder::Local).compare(&flat(9), &flat(9), &all(9)).is_ok());
}

/// A tree that leans to one side takes as long as one that leans to the other, not the square of it; where both lean, and are
/// large, trees are refused. (With the combs as they come 1,001 words take 10^11 steps.)
#[test]
fn tree_edit_distances_take_the_easier_side() {
    // Each word of odd number hangs on the one before the last, each of even number on the one before.
    let comb = |words: u32, turned: bool| {
        let place = |word: u32| if turned { words - 1 - word } else { word };
        let mut heads = vec![None; words as usize];
        for word in 1..words {
            heads[place(word) as usize] = Some(place(word - 1 - u32::from(word % 2 == 0)));
        }
        let names = vec!["dep"; words as usize];
        Relations::default().label(DependencyTree::new(heads, Roots::One).unwrap(), &names)
    };
    let metric = TreeEdit::new(TreeEditConfig::default()).unwrap();
    for turned in [false, true] {
        let tree = comb(1001, turned);
        let identity = (0..1001).map(|word| Link::new(word, word)).collect::<Alignment>();
        let found = metric.compare(&tree, &tree, &identity).unwrap();
        assert_eq!((found.distance, found.sizes), (0, [1001, 1001]));
        let one_missing = (0..1000).map(|word| Link::new(word, word)).collect::<Alignment>();
        assert_eq!(metric.compare(&tree, &tree, &one_missing).unwrap().distance, 1);
    }
    let error = metric.compare(&comb(5001, false), &comb(5001, true), &Alignment::new()).unwrap_err().to_string();
    assert!(error.starts_with("cells of the edit distance of two trees: "), "{error}");
    let long = comb(9001, false);
    let error = metric.compare(&long, &long, &Alignment::new()).unwrap_err().to_string();
    assert_eq!(error, format!("pairs of nodes of two trees: {}, more than the limit of 67108864", 9002u64 * 9002));
}

#[test]
fn several_roots_are_joined() {
    let text = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t0\tparataxis\t_\t_\n";
    let sentence = &conllu::parse(text, "two", Roots::Many).unwrap()[0];
    let mut relations = Relations::default();
    let tree = relations.of_sentence(sentence).unwrap();
    assert_eq!(Encoding::of(&tree, 0, 1).display(&relations), "root, α, root");
    let found = compare(&tree, &tree, &[(0, 1), (1, 0)].into());
    assert_eq!((found.cost, found.most), (1, 3));
}
