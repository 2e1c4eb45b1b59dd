//! The text that comes with the command is what its description says.

use std::collections::BTreeSet;

use alinea::alignment::{Alignment, GoldAlignment, Link};

use crate::texts::{sample_file, words};

const PAIRS: [(&str, &str, usize); 2] = [("en-fr.en", "en-fr.fr", 400), ("en-de.en", "en-de.de", 200)];

fn files() -> impl Iterator<Item = &'static str> {
    PAIRS.iter().flat_map(|&(source, target, _)| [source, target])
}

#[test]
fn both_sides_have_as_many_lines() {
    for (source, target, least) in PAIRS {
        let (source, target) = (sample_file(source), sample_file(target));
        assert_eq!(source.lines().count(), target.lines().count());
        assert!(source.lines().count() >= least);
    }
}

#[test]
fn sentences_have_a_usual_length() {
    for name in files() {
        let text = sample_file(name);
        let mean = text.lines().flat_map(words).count() as f64 / text.lines().count() as f64;
        assert!((12.0..=25.0).contains(&mean), "{name}: {mean} words a line");
    }
}

#[test]
fn there_are_many_words() {
    for name in ["en-fr.en", "en-fr.fr"] {
        let text = sample_file(name).to_lowercase();
        let forms: BTreeSet<&str> = text.lines().flat_map(words).collect();
        assert!(forms.len() >= 1600, "{name}: {} forms", forms.len());
    }
}

#[test]
fn words_are_separated_by_single_blanks() {
    for name in files() {
        let text = sample_file(name);
        assert!(text.ends_with('\n') && !text.starts_with('\u{FEFF}'), "{name}");
        for (number, line) in (1..).zip(text.lines()) {
            let clean = line.split(' ').all(|word| {
                !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\u{200B}')
            });
            assert!(clean, "{name}:{number}: {line:?}");
        }
    }
}

/// No boilerplate: no two sentences of a file share six words in a row.
#[test]
fn sentences_do_not_repeat_each_other() {
    for name in files() {
        let text = sample_file(name).to_lowercase();
        let mut seen = BTreeSet::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line: Vec<&str> = words(line).collect();
            let own: BTreeSet<&[&str]> = line.windows(6).collect();
            for six in own {
                assert!(seen.insert(six.join(" ")), "{name}:{number}: {six:?} again");
            }
        }
    }
}

/// Links `i-j` are sure, `ipj` only possible; positions from 0.
fn gold() -> Vec<GoldAlignment> {
    let text = sample_file("en-fr.gold");
    let parse = |line: &str| {
        let (mut sure, mut possible) = (Vec::new(), Vec::new());
        for link in line.split(' ') {
            let (separator, links) = if link.contains('-') { ('-', &mut sure) } else { ('p', &mut possible) };
            let (source, target) = link.split_once(separator).unwrap_or_else(|| panic!("no link: {link:?}"));
            let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("no link: {link:?}"));
            links.push(Link::new(number(source), number(target)));
        }
        let count = sure.len() + possible.len();
        let gold = GoldAlignment::from_parts(Alignment::from_links(sure), &Alignment::from_links(possible));
        assert_eq!(gold.possible().len(), count, "a link twice, or both sure and possible: {line}");
        gold
    };
    text.lines().map(parse).collect()
}

#[test]
fn gold_links_lie_in_their_sentences() {
    let (english, french) = (sample_file("en-fr.en"), sample_file("en-fr.fr"));
    let gold = gold();
    assert_eq!(gold.len(), 60);
    for (n, ((gold, english), french)) in gold.iter().zip(english.lines()).zip(french.lines()).enumerate() {
        let outside = gold.possible().first_outside(words(english).count(), words(french).count());
        assert_eq!(outside, None, "line {}", n + 1);
        assert!(!gold.sure().is_empty() || !gold.possible().is_empty(), "line {}", n + 1);
    }
}

/// Every kind of correspondence is there.
#[test]
fn gold_links_are_of_all_kinds() {
    let english = sample_file("en-fr.en");
    let (mut none, mut one_to_many, mut many_to_many, mut crossing, mut possible) = (0, 0, 0, 0, 0);
    for (gold, line) in gold().iter().zip(english.lines()) {
        let all = gold.possible();
        none += (0..words(line).count() as u32).filter(|&source| all.of_source(source).is_empty()).count();
        let sources = |target: u32| all.iter().filter(|link| link.target == target).count();
        for source in 0..words(line).count() as u32 {
            let links = all.of_source(source);
            one_to_many += usize::from(links.len() > 1 && links.iter().all(|link| sources(link.target) == 1));
            many_to_many += usize::from(links.len() > 1 && links.iter().all(|link| sources(link.target) > 1));
        }
        let crosses = |a: Link, b: Link| a.source < b.source && a.target > b.target;
        crossing += usize::from(gold.sure().iter().any(|a| gold.sure().iter().any(|b| crosses(a, b))));
        possible += all.len() - gold.sure().len();
    }
    for (kind, count) in [
        ("words without a link", none),
        ("one word to several", one_to_many),
        ("several words to several", many_to_many),
        ("sentences with crossing links", crossing),
        ("links that are only possible", possible),
    ] {
        assert!(count >= 5, "{kind}: {count}");
    }
}
