//! Phrase pairs and lexical tables against other programs, the definition, and laws.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use alinea::alignment::{Alignment, Link};
use alinea::bitext::Side;
use alinea::format::alignment::{Base, parse_links};
use alinea::format::dictionary::DictionaryFormat;
use alinea::lexicon::{LinkCounts, TableChoice};
use alinea::phrase::moses::{JoinedWords, push_inverse, push_orientation, push_pair};
use alinea::phrase::{Orientation, PhraseExtractor, PhrasePair, phrase_pairs};
use proptest::prelude::*;
use serde_json::Value;

/// From the documentation of NLTK, and enumerated in Python by the definition.
const SPANS: &str = include_str!("../vectors/phrases.jsonl");
/// What programs of Moses wrote.
const MOSES: &str = include_str!("../vectors/phrases-moses.jsonl");

fn vectors(text: &str, op: &str) -> Vec<Value> {
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<Value> = all.filter(|vector| vector["op"] == op).collect();
    assert!(!found.is_empty(), "{op}");
    found
}

fn links(value: &Value) -> Alignment {
    let position = |value: &Value| value.as_u64().unwrap() as u32;
    value.as_array().unwrap().iter().map(|link| Link::new(position(&link[0]), position(&link[1]))).collect()
}

fn limit(value: &Value) -> Option<NonZeroU32> {
    value.as_u64().map(|length| NonZeroU32::new(length as u32).unwrap())
}

fn spans(pairs: &[PhrasePair]) -> Vec<[[u32; 2]; 2]> {
    pairs.iter().map(|pair| [[pair.source.start, pair.source.end], [pair.target.start, pair.target.end]]).collect()
}

fn words(value: &Value) -> Vec<&[u8]> {
    value.as_str().unwrap().split(' ').map(str::as_bytes).collect()
}

/// The definition, word for word: all pairs of spans, all links.
fn slow(links: &Alignment, lengths: [u32; 2], longest: u32) -> Vec<[[u32; 2]; 2]> {
    let spans = |length: u32| (0..length).flat_map(move |start| (start + 1..=length).map(move |end| [start, end]));
    let allowed = |[start, end]: [u32; 2]| end - start <= longest;
    let inside = |position: u32, [start, end]: [u32; 2]| start <= position && position < end;
    let mut found = Vec::new();
    for source in spans(lengths[0]).filter(|&span| allowed(span)) {
        for target in spans(lengths[1]).filter(|&span| allowed(span)) {
            let ends = |link: Link| (inside(link.source, source), inside(link.target, target));
            let some = links.iter().any(|link| ends(link) == (true, true));
            if some && links.iter().all(|link| ends(link).0 == ends(link).1) {
                found.push([source, target]);
            }
        }
    }
    found
}

#[test]
fn spans_are_those_of_the_vectors() {
    for vector in vectors(SPANS, "phrase_spans") {
        let (input, expected) = (&vector["input"], &vector["expect"]);
        let length = |name: &str| input[name].as_u64().unwrap() as usize;
        let found = phrase_pairs(&links(&input["pairs"]), length("srclen"), length("trglen"), limit(&input["max_len"]));
        assert_eq!(&serde_json::to_value(spans(&found.unwrap())).unwrap(), expected, "{}", vector["id"]);
    }
}

#[test]
fn phrases_are_those_of_nltk() {
    for vector in vectors(SPANS, "phrases") {
        let input = &vector["input"];
        let (source, target) = (words(&input["source"]), words(&input["target"]));
        let found =
            phrase_pairs(&links(&input["pairs"]), source.len(), target.len(), limit(&input["max_len"])).unwrap();
        let text = |words: &[&[u8]]| String::from_utf8(words.join(&b' ')).unwrap();
        let found: Vec<_> = spans(&found)
            .into_iter()
            .zip(&found)
            .map(|([s, t], pair)| (s, t, text(&source[pair.source.range()]), text(&target[pair.target.range()])))
            .collect();
        assert_eq!(serde_json::to_value(found).unwrap(), vector["expect"]);
    }
}

#[test]
fn lines_are_those_of_moses() {
    type Push = fn(alinea::phrase::Phrases<'_>, PhrasePair, [&JoinedWords; 2], &mut Vec<u8>);
    for vector in vectors(MOSES, "extract") {
        let input = &vector["input"];
        let mut joined = [JoinedWords::default(), JoinedWords::default()];
        joined[0].replace(words(&input["source"]));
        joined[1].replace(words(&input["target"]));
        let given = parse_links(input["links"].as_str().unwrap(), Base::Zero).unwrap();
        let given: Alignment = given.iter().map(|record| record.link).collect();
        let mut extractor = PhraseExtractor::new(limit(&input["max_len"]));
        let phrases = extractor.extract(&given, joined[0].len(), joined[1].len()).unwrap();
        let files: [(&str, Push); 3] =
            [("extract", push_pair), ("inverse", push_inverse), ("orientation", push_orientation)];
        for (file, push) in files {
            let mut lines = Vec::new();
            for &pair in phrases.pairs() {
                push(phrases, pair, joined.each_ref(), &mut lines);
            }
            let mut lines: Vec<&str> = std::str::from_utf8(&lines).unwrap().lines().collect();
            lines.sort_unstable();
            assert_eq!(serde_json::to_value(lines).unwrap(), vector["expect"][file], "{} {file}", vector["id"]);
        }
    }
}

#[test]
fn lexical_tables_are_those_of_moses() {
    for vector in vectors(MOSES, "lexical") {
        let mut counts = LinkCounts::default();
        let input = |name: &str| vector["input"][name].as_array().unwrap();
        for ((source, target), links) in input("source").iter().zip(input("target")).zip(input("links")) {
            let given = parse_links(links.as_str().unwrap(), Base::Zero).unwrap();
            let given = given.iter().map(|record| record.link).collect();
            counts.add(words(source), words(target), &given).unwrap();
        }
        let table = counts.into_table();
        for (of, file) in [(Side::Source, "f2e"), (Side::Target, "e2f")] {
            let mut lines = Vec::new();
            table
                .for_each(of, &TableChoice::default(), |found| {
                    DictionaryFormat::Moses.write(found.condition, found.generated, found.probability, &mut lines);
                    Ok(())
                })
                .unwrap();
            let mut lines: Vec<&str> = std::str::from_utf8(&lines).unwrap().lines().collect();
            assert_eq!(lines.len(), table.len());
            lines.sort_unstable();
            assert_eq!(serde_json::to_value(lines).unwrap(), vector["expect"][file], "{} {file}", vector["id"]);
        }
    }
}

/// Lengths, links between sentences of such lengths, and the greatest length of a phrase.
fn sentences() -> impl Strategy<Value = ([u32; 2], Alignment, Option<NonZeroU32>)> {
    let lengths = (1u32..9, 1u32..9);
    lengths.prop_flat_map(|(source, target)| {
        let link = (0..source, 0..target).prop_map(|(source, target)| Link::new(source, target));
        let links = proptest::collection::vec(link, 0..10).prop_map(Alignment::from_links);
        (Just([source, target]), links, (0u32..9).prop_map(NonZeroU32::new))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn the_definition_word_for_word_gives_the_same((lengths, links, limit) in sentences()) {
        let [source, target] = lengths.map(|length| length as usize);
        let found = phrase_pairs(&links, source, target, limit).unwrap();
        let longest = limit.map_or(u32::MAX, NonZeroU32::get);
        prop_assert_eq!(spans(&found), slow(&links, lengths, longest));
        prop_assert!(found.is_sorted());
    }

    #[test]
    fn source_and_target_may_change_places((lengths, links, limit) in sentences()) {
        let [source, target] = lengths.map(|length| length as usize);
        let found = phrase_pairs(&links, source, target, limit).unwrap();
        let turned = phrase_pairs(&links.inverted(), target, source, limit).unwrap();
        let mut turned: Vec<_> =
            turned.into_iter().map(|pair| PhrasePair { source: pair.target, target: pair.source }).collect();
        turned.sort_unstable();
        prop_assert_eq!(found, turned);
    }

    #[test]
    fn an_extractor_that_was_used_before_gives_the_same(
        pairs in proptest::collection::vec(sentences(), 1..5)
    ) {
        let mut extractor = PhraseExtractor::new(None);
        for (lengths, links, _) in pairs {
            let [source, target] = lengths.map(|length| length as usize);
            let phrases = extractor.extract(&links, source, target).unwrap();
            prop_assert_eq!(phrases.pairs(), phrase_pairs(&links, source, target, None).unwrap());
            for &pair in phrases.pairs() {
                let within = |position: u32, span: alinea::phrase::Span| span.range().contains(&(position as usize));
                let inside = links.iter().filter(|link| within(link.source, pair.source));
                let mut inside: Vec<Link> = inside.collect();
                inside.sort_unstable_by_key(|link| (link.target, link.source));
                prop_assert_eq!(phrases.links(pair), inside);
            }
        }
    }

    #[test]
    fn probabilities_of_a_word_add_up_to_one(texts in proptest::collection::vec(sentences(), 1..6)) {
        let mut counts = LinkCounts::default();
        for (lengths, links, _) in &texts {
            let words = |length: u32| (0..length).map(|n| [b'a' + (n * 3 % 4) as u8]).collect::<Vec<_>>();
            let (source, target) = (words(lengths[0]), words(lengths[1]));
            counts.add(source.iter().map(|word| &word[..]), target.iter().map(|word| &word[..]), links).unwrap();
        }
        let table = counts.into_table();
        for of in [Side::Source, Side::Target] {
            let mut sums: BTreeMap<Option<Vec<u8>>, f64> = BTreeMap::new();
            table.for_each(of, &TableChoice::default(), |found| {
                *sums.entry(found.condition.map(<[u8]>::to_vec)).or_default() += found.probability;
                Ok(())
            }).unwrap();
            for (word, sum) in sums {
                prop_assert!((sum - 1.0).abs() < 1e-12, "{:?} {}", word, sum);
            }
        }
    }
}

#[test]
fn sentences_without_links_or_words_have_no_phrases() {
    assert!(phrase_pairs(&Alignment::new(), 0, 0, None).unwrap().is_empty());
    assert!(phrase_pairs(&Alignment::new(), 4, 3, None).unwrap().is_empty());
    let error = phrase_pairs(&[(0, 0), (2, 1)].into(), 2, 2, None).unwrap_err();
    assert_eq!(error.to_string(), "link 2-1 is out of range, the source has 2 tokens, the target 2");
    let error = phrase_pairs(&[(0, 0)].into(), 0, 1, None).unwrap_err();
    assert_eq!(error.to_string(), "link 0-0 is out of range, the source has 0 tokens, the target 1");
}

#[test]
fn long_sentences_take_as_long_as_they_have_phrases() {
    // A million words, each the translation of one: seven phrase pairs begin at each but the last six.
    let n = 1_000_000;
    let diagonal: Alignment = (0..n).map(|n| Link::new(n, n)).collect();
    let seven = NonZeroU32::new(7);
    assert_eq!(phrase_pairs(&diagonal, n as usize, n as usize, seven).unwrap().len(), 7 * n as usize - 21);
    // The same where one word is linked to all others.
    let fan: Alignment = (0..n).map(|n| Link::new(0, n)).collect();
    assert!(phrase_pairs(&fan, n as usize, n as usize, seven).unwrap().is_empty());
}

#[test]
fn orientation_is_told_by_the_corners() {
    let links: Alignment = [(0, 0), (1, 2), (2, 1), (3, 3)].into();
    let mut extractor = PhraseExtractor::new(None);
    let phrases = extractor.extract(&links, 4, 4).unwrap();
    let of = |source: [u32; 2], target: [u32; 2]| {
        phrases.orientation(PhrasePair { source: source.into(), target: target.into() })
    };
    assert_eq!(of([0, 1], [0, 1]), [Orientation::Mono, Orientation::Other]);
    assert_eq!(of([1, 3], [1, 3]), [Orientation::Mono, Orientation::Mono]);
    assert_eq!(of([2, 3], [1, 2]), [Orientation::Other, Orientation::Swap]);
    assert_eq!(of([1, 2], [2, 3]), [Orientation::Swap, Orientation::Other]);
    assert_eq!(of([3, 4], [3, 4]), [Orientation::Other, Orientation::Mono]);
    assert_eq!(of([0, 4], [0, 4]), [Orientation::Mono, Orientation::Mono]);
    // Links at both corners say nothing.
    let links: Alignment = [(0, 0), (1, 1), (2, 0)].into();
    let phrases = extractor.extract(&links, 3, 2).unwrap();
    let middle = phrases.pairs().iter().find(|pair| pair.source.start == 1).unwrap();
    assert_eq!(phrases.orientation(*middle), [Orientation::Other, Orientation::Other]);
}
