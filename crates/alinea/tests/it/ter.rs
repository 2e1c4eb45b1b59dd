//! TER and the tokens of Tercom against sacreBLEU; laws.

use alinea::metric::ter::Ter;
use alinea::metric::tokenize::{Tercom, Tokenizer, Tokens};
use alinea::metric::{Segments, measure};
use alinea::parallel::Parallelism;
use proptest::prelude::*;
use serde_json::Value;

use super::chrf::{OF_SACREBLEU, check_against_sacrebleu, score, vectors};

/// Values of sacreBLEU 2.6.0.
const VECTORS: &str = include_str!("../vectors/metrics.jsonl");

fn tokenizer(options: &Value) -> Tercom {
    let yes = |name: &str| options[name].as_bool().unwrap_or(false);
    Tercom {
        normalized: yes("normalized"),
        no_punctuation: yes("no_punct"),
        asian_support: yes("asian_support"),
        case_sensitive: yes("case_sensitive"),
    }
}

#[test]
fn tokens_are_those_of_sacrebleu() {
    let (mut tokens, mut checked) = (Tokens::default(), 0);
    for vector in vectors(OF_SACREBLEU).filter(|vector| vector["op"] == "tercom") {
        let line = vector["input"]["line"].as_str().unwrap();
        tokenizer(&vector["input"]["options"]).tokenize(line.trim_end(), &mut tokens).unwrap();
        let expected: Vec<_> =
            vector["expect"].as_array().unwrap().iter().map(|token| token.as_str().unwrap()).collect();
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expected, "{}", vector["id"]);
        checked += 1;
    }
    assert_eq!(checked, 472);
}

#[test]
fn scores_are_those_of_sacrebleu() {
    let mut checked = 0;
    for vector in vectors(OF_SACREBLEU).filter(|vector| vector["op"] == "ter") {
        check_against_sacrebleu(&Ter::new(tokenizer(&vector["input"]["options"])), &vector);
        checked += 1;
    }
    assert_eq!(checked, 9);
}

/// sacreBLEU 2.6.0: `TER(normalized=True)._extract_corpus_statistics([hypothesis], [[reference]])`.
#[test]
fn references_are_normalized_twice() {
    let ter = Ter::new(Tercom { normalized: true, ..Tercom::default() });
    for (hypothesis, reference, expected) in
        [("it's.", "it's.", [2.0, 3.0]), ("yes, it's.", "yes, it 's .", [2.0, 5.0]), ("3-4", "3-4", [0.0, 3.0])]
    {
        let mut segments = Segments::new(1);
        segments.push(&[hypothesis], &[reference]);
        let statistics = &measure(&ter, &segments, &Parallelism::serial()).unwrap()[0];
        assert_eq!(statistics.sums(), expected, "{hypothesis}");
    }
}

#[test]
fn published_examples() {
    let mut checked = 0;
    for vector in vectors(VECTORS).filter(|vector| vector["op"] == "ter") {
        let references = vector["input"]["references"].as_array().unwrap();
        let references: Vec<&str> = references.iter().map(|reference| reference.as_str().unwrap()).collect();
        let mut segments = Segments::new(1);
        segments.push(&[vector["input"]["hypothesis"].as_str().unwrap()], &references);
        assert_eq!(score(&Ter::default(), &segments), vector["expect"].as_f64().unwrap(), "{}", vector["id"]);
        checked += 1;
    }
    assert_eq!(checked, 6);
}

fn edits(hypothesis: &[u8], reference: &[u8]) -> f64 {
    let line = |words: &[u8]| words.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    let mut segments = Segments::new(1);
    segments.push(&[&line(hypothesis)], &[&line(reference)]);
    measure(&Ter::default(), &segments, &Parallelism::serial()).unwrap()[0].sums()[0]
}

/// By the recurrence, without shifts.
fn edit_distance(hypothesis: &[u8], reference: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=reference.len()).collect();
    for word in hypothesis {
        let mut diagonal = row[0];
        row[0] += 1;
        for (j, other) in reference.iter().enumerate() {
            let best = (diagonal + usize::from(word != other)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[reference.len()]
}

fn in_common(hypothesis: &[u8], reference: &[u8]) -> usize {
    let count = |words: &[u8], word: u8| words.iter().filter(|&&other| other == word).count();
    (0..=u8::MAX).map(|word| count(hypothesis, word).min(count(reference, word))).sum()
}

proptest! {
    /// Short enough for no beam: shifts only help, but the words have to be there.
    #[test]
    fn between_words_and_edit_distance(
        hypothesis in prop::collection::vec(0u8..6, 0..24),
        reference in prop::collection::vec(0u8..6, 1..24),
    ) {
        let found = edits(&hypothesis, &reference);
        let longer = hypothesis.len().max(reference.len());
        prop_assert!(found <= edit_distance(&hypothesis, &reference) as f64);
        prop_assert!(found >= (longer - in_common(&hypothesis, &reference)) as f64);
    }

    /// Words that occur once in either have nothing to shift to when they stand in the same order.
    #[test]
    fn without_shifts_the_edit_distance(kept in prop::collection::vec((any::<bool>(), any::<bool>()), 1..24)) {
        let side = |side: fn(&(bool, bool)) -> bool, strange: u8| -> Vec<u8> {
            (0..).zip(&kept).map(|(word, kept)| if side(kept) { word } else { strange + word }).collect()
        };
        let (hypothesis, reference) = (side(|kept| kept.0, 100), side(|kept| kept.1, 200));
        prop_assert_eq!(edits(&hypothesis, &reference), edit_distance(&hypothesis, &reference) as f64);
    }

    /// One stretch that moves is one edit.
    #[test]
    fn one_shift(before in 0u8..5, moved in 1u8..10, between in 1u8..12, after in 0u8..5) {
        let reference: Vec<u8> = (0..before + moved + between + after).collect();
        let mut hypothesis = reference.clone();
        hypothesis[before.into()..(before + moved + between).into()].rotate_left(moved.into());
        prop_assert_eq!(edits(&hypothesis, &reference), 1.0);
        prop_assert_eq!(edits(&reference, &reference), 0.0);
    }
}
