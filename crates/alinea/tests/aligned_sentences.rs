//! Alignments and aligned sentences against NLTK and its documentation; see `vectors/README.md`.

use alinea::alignment::{AlignedSentence, Alignment, Link};
use alinea::format::alignment::{Base, parse_links};
use alinea::view;
use serde_json::{Value, json};

const VECTORS: &str = include_str!("vectors/alignment-objects.jsonl");

fn cases(op: &str) -> Vec<Value> {
    let all = VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases: Vec<Value> = all.filter(|case| case["op"] == op).collect();
    assert!(!cases.is_empty(), "{op}");
    cases
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

fn alignment(pairs: &Value) -> Alignment {
    pairs.as_array().unwrap().iter().map(|pair| Link::new(number(&pair[0]), number(&pair[1]))).collect()
}

/// As the vectors write it: sorted by the text of the pairs.
fn same_set(alignment: &Alignment, expected: &Value) -> bool {
    let expected: Vec<Link> =
        expected.as_array().unwrap().iter().map(|pair| Link::new(number(&pair[0]), number(&pair[1]))).collect();
    alignment.len() == expected.len() && expected.iter().all(|&link| alignment.contains(link))
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

fn sentence(input: &Value) -> AlignedSentence {
    AlignedSentence::new(words(&input["words"]), words(&input["mots"]), alignment(&input["pairs"])).unwrap()
}

/// As Python shows a list of words that need no escapes.
fn list(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    format!("[{}]", quoted.join(", "))
}

fn shown(sentence: &AlignedSentence) -> String {
    let (words, mots) = (list(sentence.words()), list(sentence.mots()));
    format!("AlignedSent({words}, {mots}, {})", sentence.alignment().printed())
}

#[test]
fn text_becomes_alignments_and_these_text() {
    for case in cases("parse") {
        let records = parse_links(case["input"].as_str().unwrap(), Base::Zero).unwrap();
        let read: Alignment = records.iter().map(|record| record.link).collect();
        assert!(same_set(&read, &case["expect"]), "{case}");
    }
    for case in cases("format") {
        assert_eq!(alignment(&case["input"]).to_string(), case["expect"].as_str().unwrap(), "{case}");
    }
    for case in cases("repr") {
        assert_eq!(alignment(&case["input"]).printed(), case["expect"].as_str().unwrap(), "{case}");
    }
}

#[test]
fn alignments_are_inverted_and_have_ranges() {
    for case in cases("invert") {
        assert!(same_set(&alignment(&case["input"]).inverted(), &case["expect"]), "{case}");
    }
    for case in cases("range") {
        let links = alignment(&case["input"]["pairs"]);
        let range = match case["input"]["positions"].as_array() {
            Some(positions) if !positions.is_empty() => links.range(positions.iter().map(number)),
            _ => links.targets(),
        };
        assert_eq!(json!(range), case["expect"], "{case}");
    }
}

#[test]
fn links_outside_are_refused() {
    for case in cases("alignment_error") {
        let input = &case["input"];
        let sides = ["words", "mots"].map(|side| vec!["x".to_owned(); number(&input[side]) as usize]);
        let [words, mots] = sides;
        let links = alignment(&input["pairs"]);
        let error = AlignedSentence::new(words.clone(), mots.clone(), links.clone()).unwrap_err();
        assert_eq!(error.to_string(), case["expect"].as_str().unwrap(), "{case}");
        let mut sentence = AlignedSentence::new(words, mots, Alignment::new()).unwrap();
        let error = sentence.set_alignment(links).unwrap_err();
        assert_eq!(error.to_string(), case["expect"].as_str().unwrap(), "{case}");
        assert!(sentence.alignment().is_empty());
    }
}

#[test]
fn aligned_sentences_are_shown_and_inverted() {
    for case in cases("aligned_sent_str") {
        assert_eq!(sentence(&case["input"]).to_string(), case["expect"].as_str().unwrap());
    }
    for case in cases("aligned_sent_repr") {
        assert_eq!(shown(&sentence(&case["input"])), case["expect"].as_str().unwrap());
    }
    for case in cases("aligned_sent_invert_repr") {
        assert_eq!(shown(&sentence(&case["input"]).inverted()), case["expect"].as_str().unwrap());
    }
}

/// NLTK writes links in the order of Python's hash table, which means nothing; all other lines come in order.
#[test]
fn the_graph_of_nltk_is_drawn_line_by_line() {
    for case in cases("aligned_sent_dot") {
        let sentence = sentence(&case["input"]);
        let drawn = view::nltk_dot(sentence.words(), sentence.mots(), sentence.alignment());
        let expected = case["expect"].as_str().unwrap();
        let is_link = |line: &&str| line.contains(" -- ") && !line.contains("invis");
        let links = |text: &str| {
            let mut links: Vec<String> = text.lines().filter(is_link).map(str::to_owned).collect();
            links.sort();
            links
        };
        let others = |text: &str| text.split('\n').filter(|line| !is_link(line)).collect::<Vec<_>>().join("\n");
        assert_eq!(links(&drawn), links(expected));
        assert_eq!(others(&drawn), others(expected));
        assert_eq!(links(expected).len(), 4);
    }
}
