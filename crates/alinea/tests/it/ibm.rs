//! Models 1 and 2 against the values of NLTK, and laws.

use std::collections::{BTreeMap, BTreeSet};

use alinea::bitext::{Bitext, RankedBitext, Text};
use alinea::model::ibm::{IbmAligner, IbmConfig};
use alinea::parallel::Parallelism;
use alinea::progress::Silent;
use serde_json::Value;

/// Values printed in the documentation of NLTK 3.0, and computed by NLTK 3.10.4 and by definition in Python.
const VECTORS: &str = include_str!("../../../../python/tests/vectors/ibm.jsonl");

/// The corpus of a vector: mots are the source, since NLTK generates words from mots.
fn corpus(input: &Value) -> RankedBitext {
    let (mut source, mut target) = (Text::default(), Text::default());
    for pair in input["corpus"].as_array().unwrap() {
        let words = |n: usize| pair[n].as_array().unwrap().iter().map(|word| word.as_str().unwrap().as_bytes());
        source.push_sentence(words(1));
        target.push_sentence(words(0));
    }
    RankedBitext::new(Bitext::new(source, target).unwrap())
}

fn train(bitext: &RankedBitext, chain: &str) -> IbmAligner {
    let config = IbmConfig::textbook(chain.parse().unwrap());
    IbmAligner::train(bitext, &config, &Parallelism::serial(), &Silent).unwrap()
}

/// t(word | mot) by words; the empty mot is no word.
fn table(bitext: &RankedBitext, aligner: &IbmAligner) -> BTreeMap<(String, Option<String>), f64> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut table = BTreeMap::new();
    aligner.for_each_translation(0, |[mot, word], t| {
        table.insert((text(bitext.target_word(word)), Some(text(bitext.source_word(mot)))), t);
    });
    for (word, &t) in aligner.null_translation(0).iter().enumerate() {
        table.insert((text(bitext.target_word(word)), None), t);
    }
    table
}

fn key(word: &Value, mot: &Value) -> (String, Option<String>) {
    (word.as_str().unwrap().to_owned(), mot.as_str().map(str::to_owned))
}

#[test]
fn tables_and_alignments_are_those_of_nltk() {
    let mut checked = BTreeMap::new();
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let (id, op, input, expected) =
            (&vector["id"], vector["op"].as_str().unwrap(), &vector["input"], &vector["expect"]);
        let near = |found: f64, expected: f64| {
            let tolerance = vector["tol"].as_f64().unwrap_or(1e-9);
            assert!((found - expected).abs() <= tolerance, "{id}: {found} {expected}");
        };
        let iterations = input["iterations"].as_u64().unwrap();
        // NLTK's Model 2 begins with twice as many passes of Model 1.
        let chain = match op.split('_').next().unwrap() {
            "ibm1" => format!("ibm1:{iterations}"),
            "ibm2" => format!("ibm1:{},ibm2:{iterations}", 2 * iterations),
            // Its Model 3 counts places of the empty word's words too; Brown et al. do not.
            "ibm3" => continue,
            other => panic!("{other}"),
        };
        let bitext = corpus(input);
        let aligner = train(&bitext, &chain);
        *checked.entry(op.to_owned()).or_insert(0) += 1;
        match op.split_once('_').unwrap().1 {
            "prob" => near(table(&bitext, &aligner)[&key(&input["word"], &input["mot"])], expected.as_f64().unwrap()),
            "table" => {
                let table = table(&bitext, &aligner);
                for row in expected.as_array().unwrap() {
                    near(table[&key(&row[0], &row[1])], row[2].as_f64().unwrap());
                }
            }
            "align" => {
                for (n, pairs) in expected.as_array().unwrap().iter().enumerate() {
                    let linked = pairs.as_array().unwrap().iter().filter(|pair| !pair[1].is_null());
                    let expected: BTreeSet<String> = linked.map(|pair| format!("{}-{}", pair[1], pair[0])).collect();
                    let found = aligner.paths(n)[0].to_string();
                    let found: BTreeSet<String> = found.split_whitespace().map(str::to_owned).collect();
                    assert_eq!(found, expected, "{id}");
                }
            }
            "alignment_table" => {
                let mut positions = BTreeMap::new();
                aligner.for_each_position(0, |key, a| {
                    positions.insert(key.map(|number| number as u64), a);
                });
                for row in expected.as_array().unwrap() {
                    let [i, j, l, m] = [0, 1, 2, 3].map(|n| row[n].as_u64().unwrap());
                    near(positions[&[i, j, l, m]], row[4].as_f64().unwrap());
                }
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(checked.values().sum::<i32>(), 32, "{checked:?}");
}

#[test]
fn exact_models_never_become_less_likely() {
    let text = |lines: &[&str]| {
        let mut text = Text::default();
        for line in lines {
            text.push_sentence(line.split(' ').map(str::as_bytes));
        }
        text
    };
    let source = text(&["a b c a", "c b", "a d", "b b c", "d a c b a"]);
    let target = text(&["x y z", "z y y", "x w", "y z", "w x z y"]);
    let bitext = RankedBitext::new(Bitext::new(source, target).unwrap());
    for chain in ["ibm1:30", "ibm1:5,ibm2:30"] {
        for likelihoods in train(&bitext, chain).log_likelihoods() {
            assert!(likelihoods.is_sorted_by(|a, b| *b >= a - 1e-7), "{chain} {likelihoods:?}");
            assert!(likelihoods.last() > likelihoods.first());
        }
    }
}

#[test]
fn the_tension_of_the_diagonal_is_learned() {
    let lines = |order: &dyn Fn(usize) -> usize| {
        let mut text = Text::default();
        for n in 0..60 {
            let words: Vec<String> = (0..8).map(|k| format!("w{}", (order(k) * 31 + n * 7) % 40)).collect();
            text.push_sentence(words.iter().map(String::as_bytes));
        }
        text
    };
    let source = lines(&|k| k);
    let tension = |target: Text| {
        let bitext = RankedBitext::new(Bitext::new(source.clone(), target).unwrap());
        train(&bitext, "diagonal:8").tension(0).unwrap()
    };
    // Word by word in the same order it is high; in reverse order that would not be likely.
    let (same, reversed) = (tension(lines(&|k| k)), tension(lines(&|k| 7 - k)));
    assert!(same > 10.0 && reversed < same / 2.0, "{same} {reversed}");
}
