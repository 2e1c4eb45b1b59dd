//! Concordances count what one counts by hand, whatever the text.

use std::collections::BTreeMap;

use alinea::alignment::Link;
use alinea::bitext::Side;
use alinea::concordance::{Concordance, ConcordanceConfig, GAP, Headword, LinkedPair, PossibleLink, Query, Rank};
use alinea::error::Error;
use proptest::prelude::*;

/// Words of both sides, and links with confidences in eighths.
type Pair = (Vec<&'static str>, Vec<&'static str>, Vec<(u32, u32, Option<u8>)>);

const WORDS: [&str; 6] = ["a", "B", "b", "c", "É", "é"];

fn pair() -> impl Strategy<Value = Pair> {
    let words = || prop::collection::vec(prop::sample::select(&WORDS[..]), 0..6);
    (words(), words()).prop_flat_map(|(source, target)| {
        let (rows, columns) = (source.len() as u32, target.len() as u32);
        let link = (0..rows.max(1), 0..columns.max(1), prop::option::of(0..=8u8));
        let most = if rows == 0 || columns == 0 { 0 } else { 8 };
        (Just(source), Just(target), prop::collection::vec(link, 0..=most))
    })
}

fn build(text: &[Pair], config: &ConcordanceConfig, query: &Query) -> Vec<Headword> {
    let found = Concordance::build(config, query, |visit| {
        for (source, target, links) in text {
            let links: Vec<PossibleLink> = links
                .iter()
                .map(|&(from, to, eighths)| (Link::new(from, to), eighths.map(|eighths| f32::from(eighths) / 8.0)))
                .collect();
            visit(&LinkedPair::new(source, target, &links))?;
        }
        Ok::<(), Error>(())
    });
    found.expect("the text is right").headwords().collect()
}

/// For each headword in lower case its occurrences by translation in lower case; nothing for what is untranslated.
type Expected = BTreeMap<String, BTreeMap<Option<String>, u64>>;

/// Counts by the definition.
fn expected(text: &[Pair], side: Side, threshold: f32, length: usize) -> Expected {
    let mut all = Expected::new();
    for (source, target, links) in text {
        let (own, other) = if side == Side::Source { (source, target) } else { (target, source) };
        for start in 0..(own.len() + 1).saturating_sub(length) {
            let is_linked = |place: usize| {
                links.iter().any(|&(from, to, eighths)| {
                    let (from, to) = if side == Side::Source { (from, to) } else { (to, from) };
                    let enough = eighths.is_none_or(|eighths| f32::from(eighths) / 8.0 >= threshold);
                    to as usize == place && (start..start + length).contains(&(from as usize)) && enough
                })
            };
            let places: Vec<usize> = (0..other.len()).filter(|&place| is_linked(place)).collect();
            let mut words: Vec<String> = Vec::new();
            for (n, &place) in places.iter().enumerate() {
                if n > 0 && places[n - 1] + 1 != place {
                    words.push(GAP.to_owned());
                }
                words.push(other[place].to_lowercase());
            }
            let translation = (!words.is_empty()).then(|| words.join(" "));
            let head = own[start..start + length].join(" ").to_lowercase();
            *all.entry(head).or_default().entry(translation).or_default() += 1;
        }
    }
    all
}

fn counts(found: &[Headword]) -> Expected {
    let mut all = Expected::new();
    for word in found {
        let counts = all.entry(word.word.to_lowercase()).or_default();
        for translation in &word.translations {
            assert_eq!(counts.insert(Some(translation.words.to_lowercase()), translation.count), None);
        }
        if word.untranslated > 0 {
            counts.insert(None, word.untranslated);
        }
    }
    all
}

/// G² by the definition, over the four cells.
fn log_likelihood(both: u64, headword: u64, translation: u64, words: u64) -> f64 {
    let [a, r, c, n] = [both, headword, translation, words].map(|number| number as f64);
    let cells = [(a, r, c), (r - a, r, n - c), (c - a, n - r, c), (n - r - c + a, n - r, n - c)];
    let sum: f64 =
        cells.iter().map(|&(o, row, column)| if o > 0.0 { o * (o * n / (row * column)).ln() } else { 0.0 }).sum();
    if a * n < r * c { -2.0 * sum } else { 2.0 * sum }
}

proptest! {
    #[test]
    fn counts_are_those_of_the_definition(
        text in prop::collection::vec(pair(), 0..12),
        side in prop::sample::select(vec![Side::Source, Side::Target]),
        threshold in prop::sample::select(vec![0.0f32, 0.5, 1.0]),
        rank in prop::sample::select(Rank::ALL.to_vec()),
    ) {
        let config = ConcordanceConfig::default().with(|c| (c.side, c.threshold, c.rank, c.examples) = (side, threshold, rank, 2));
        let dictionary = build(&text, &config, &Query::all());
        let by_hand = expected(&text, side, threshold, 1);
        prop_assert_eq!(&counts(&dictionary), &by_hand);
        let words: u64 = by_hand.values().flat_map(BTreeMap::values).sum();
        let marginal = |translation: &str| -> u64 {
            by_hand.values().filter_map(|found| found.get(&Some(translation.to_lowercase()))).sum()
        };
        for word in &dictionary {
            prop_assert_eq!(word.count, word.translations.iter().map(|found| found.count).sum::<u64>() + word.untranslated);
            for found in &word.translations {
                let all = marginal(&found.words);
                let expected = log_likelihood(found.count, word.count, all, words);
                prop_assert!((found.log_likelihood - expected).abs() < 1e-6, "{} {}", found.log_likelihood, expected);
                prop_assert!((found.dice - 2.0 * found.count as f64 / (word.count + all) as f64).abs() < 1e-12);
                prop_assert!(!found.examples.is_empty() && found.examples.len() as u64 <= found.count.min(2));
                let numbers: Vec<u64> = found.examples.iter().map(|example| example.sentence.number).collect();
                prop_assert!(numbers.is_sorted(), "{numbers:?}");
            }
            let key = |found: &alinea::concordance::Translation| match rank {
                Rank::Count => found.count as f64,
                Rank::LogLikelihood => found.log_likelihood,
                Rank::Dice => found.dice,
            };
            prop_assert!(word.translations.is_sorted_by(|a, b| key(a) >= key(b)));
        }
        prop_assert!(dictionary.is_sorted_by(|a, b| a.count >= b.count));
        // A word that is looked up has the same as in the dictionary.
        for word in &dictionary {
            let alone = build(&text, &config, &Query::words([&word.word], false).unwrap());
            prop_assert_eq!(&alone, std::slice::from_ref(word));
        }
    }

    #[test]
    fn phrases_are_counted_as_words_are(text in prop::collection::vec(pair(), 0..12)) {
        let by_hand = expected(&text, Side::Source, 0.36, 2);
        for (phrase, counted) in by_hand {
            // Phrases that overlap themselves are counted once.
            if phrase.split(' ').collect::<Vec<_>>().windows(2).any(|words| words[0] == words[1]) {
                continue;
            }
            let found = build(&text, &ConcordanceConfig::default(), &Query::words([&phrase], false).unwrap());
            prop_assert_eq!(counts(&found), BTreeMap::from([(phrase, counted)]));
        }
    }
}
