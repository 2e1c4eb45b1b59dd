//! What is counted of small texts, and what is refused.

use super::*;
use crate::alignment::Link;
use crate::bitext::Side;

/// Source, target, and links `0-0` or `0-0:0.5`.
type Line = [&'static str; 3];

fn build(config: &ConcordanceConfig, query: &Query, text: &[Line]) -> Result<Concordance> {
    Concordance::build(config, query, |visit| {
        for [source, target, links] in text {
            let (source, target): (Vec<&str>, Vec<&str>) =
                (source.split_whitespace().collect(), target.split_whitespace().collect());
            let links: Vec<PossibleLink> = links
                .split_whitespace()
                .map(|link| {
                    let (link, weight) =
                        link.split_once(':').map_or((link, None), |(link, weight)| (link, Some(weight)));
                    let (from, to) = link.split_once('-').unwrap();
                    (
                        Link::new(from.parse().unwrap(), to.parse().unwrap()),
                        weight.map(|weight| weight.parse().unwrap()),
                    )
                })
                .collect();
            visit(&LinkedPair::new(&source, &target, &links))?;
        }
        Ok(())
    })
}

fn words(word: &str) -> Query {
    Query::words([word], false).unwrap()
}

/// Translations with their counts.
fn counts(word: &Headword) -> Vec<(&str, u64)> {
    word.translations.iter().map(|found| (found.words.as_str(), found.count)).collect()
}

const TEXT: [Line; 4] = [
    ["The house is old", "La maison est vieille", "0-0:0.9 1-1:0.8 2-2:0.9 3-3:0.5"],
    ["the House sits", "la Chambre siège", "0-0:0.9 1-1:0.4 2-2:0.9"],
    ["he does not sell the house", "il ne vend pas la maison", "0-0:1 1-1:0.2 2-1:0.9 2-3:0.7 3-2:1 4-4:1 5-5:0.6"],
    ["a house !", "une demeure ancienne", "0-0:0.3 1-1:0.2"],
];

#[test]
fn words_are_counted_with_what_translates_them() {
    let found = build(&ConcordanceConfig::default(), &words("HOUSE"), &TEXT).unwrap();
    let all: Vec<Headword> = found.headwords().collect();
    let [house] = &all[..] else { panic!("{all:?}") };
    assert_eq!((house.word.as_str(), house.count, house.untranslated, house.others), ("house", 4, 1, [0, 0]));
    assert_eq!(counts(house), [("maison", 2), ("Chambre", 1)]);
    assert!((house.translations[0].confidence.unwrap() - 0.7).abs() < 1e-6);
    assert!((house.translations[0].share - 0.5).abs() < 1e-12);
    assert_eq!((found.pairs(), found.words(), found.missing().len()), (4, 16, 0));
    // The same with more in one place.
    let found = build(&ConcordanceConfig::default(), &words("not"), &TEXT).unwrap();
    assert_eq!(counts(&found.headwords().next().unwrap()), [("ne ... pas", 1)]);
    let found = build(&ConcordanceConfig::default(), &words("does not sell"), &TEXT).unwrap();
    assert_eq!(counts(&found.headwords().next().unwrap()), [("ne vend pas", 1)]);
}

#[test]
fn choices_change_what_is_listed() {
    let with = |change: fn(&mut ConcordanceConfig)| ConcordanceConfig::default().with(change);
    let first = |config: &ConcordanceConfig, query: &Query| build(config, query, &TEXT).unwrap().headwords().next();
    let all = first(&with(|c| c.threshold = 0.0), &words("house")).unwrap();
    assert_eq!(counts(&all), [("maison", 2), ("Chambre", 1), ("demeure", 1)]);
    let case = first(&with(|c| c.case = true), &words("House")).unwrap();
    assert_eq!((case.word.as_str(), counts(&case)), ("House", vec![("Chambre", 1)]));
    let top = first(&with(|c| (c.top, c.threshold) = (Some(1), 0.0)), &words("house")).unwrap();
    assert_eq!((counts(&top), top.others), (vec![("maison", 2)], [2, 2]));
    let least = first(&with(|c| c.min_count = 2), &words("house")).unwrap();
    assert_eq!((counts(&least), least.others), (vec![("maison", 2)], [1, 1]));
    assert_eq!(first(&with(|c| c.min_count = 5), &words("house")), None);
    let target = first(&with(|c| c.side = Side::Target), &words("pas")).unwrap();
    assert_eq!(counts(&target), [("not", 1)]);
    let dictionary: Vec<String> =
        build(&ConcordanceConfig::default(), &Query::all(), &TEXT).unwrap().headwords().map(|word| word.word).collect();
    assert_eq!(dictionary[..3], ["house", "the", "!"]);
    assert_eq!(dictionary.len(), 11);
}

#[test]
fn lemmas_are_counted_in_place_of_words() {
    let found: Result<Concordance> = Concordance::build(&ConcordanceConfig::default(), &words("be"), |visit| {
        let link = [(Link::new(0, 0), None)];
        let pair = LinkedPair::new(&["is"], &["war"], &link);
        visit(&pair.with_lemmas([Some(&["be"]), Some(&["sein"])]))?;
        visit(&LinkedPair::new(&["be"], &["war"], &link))
    });
    let found: Concordance = found.unwrap();
    assert_eq!(counts(&found.headwords().next().unwrap()), [("sein", 1), ("war", 1)]);
}

#[test]
fn examples_are_the_best_of_equal_stretches() {
    let text: Vec<Line> = vec![
        ["a x", "b y", "0-0:0.5"],
        ["a x", "b z", "0-0:0.9"],
        ["a y", "b z", "0-0:0.9"],
        ["a z", "b z", "0-0:0.8"],
        ["a q", "c z", "0-0:0.8"],
        ["a q", "c", ""],
    ];
    let config = ConcordanceConfig::default().with(|c| c.examples = 2);
    let found = build(&config, &words("a"), &text).unwrap().headwords().next().unwrap();
    let numbers = |examples: &[Example]| examples.iter().map(|found| found.sentence.number).collect::<Vec<_>>();
    assert_eq!(numbers(&found.translations[0].examples), [2, 3]);
    assert_eq!(numbers(&found.translations[1].examples), [5]);
    assert_eq!(numbers(&found.untranslated_examples), [6]);
    assert_eq!(found.translations[0].examples[0].places, [[0], [0]]);
    // The same pair of sentences is no second example.
    let found = build(&config, &words("x"), &[["x", "y", "0-0"], ["x", "y", "0-0"]]).unwrap();
    assert_eq!(numbers(&found.headwords().next().unwrap().translations[0].examples), [1]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let message = |text: &[Line]| build(&ConcordanceConfig::default(), &Query::all(), text).unwrap_err().to_string();
    let outside = message(&[TEXT[0], ["a", "b", "0-1"]]);
    assert!(outside.contains("pair 2") && outside.contains("0-1"), "{outside}");
    assert!(message(&[["a", "b", "0-0:1.5"]]).contains("pair 1: link 0-0 has the confidence 1.5"));
    let config = ConcordanceConfig::default().with(|c| c.threshold = f32::NAN);
    assert!(build(&config, &Query::all(), &[]).unwrap_err().to_string().contains("threshold = NaN: must be 0 to 1"));
    let lemmas = Concordance::build(&ConcordanceConfig::default(), &Query::all(), |visit| {
        visit(&LinkedPair::new(&["a"], &["b"], &[]).with_lemmas([Some(&["a", "b"]), None]))
    });
    let lemmas: Error = lemmas.unwrap_err();
    assert_eq!(lemmas.to_string(), "pair 1: 2 lemmas of 1 words");
}
