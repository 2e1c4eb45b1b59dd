//! Samples compared with what the text has: sizes, order, and unseen words counted one by one.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::error::ErrorKind;

/// Files with lines.
struct Lines(tempfile::TempDir);

impl Lines {
    fn of(texts: &[(&str, &[&str])]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, lines) in texts {
            let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        Self(directory)
    }

    fn files(&self, source: &str, target: &str) -> BitextSource {
        BitextSource::Files { source: self.0.path().join(source), target: self.0.path().join(target) }
    }
}

fn sentences(text: &Text) -> Vec<String> {
    let word = |&word| String::from_utf8(text.vocabulary().word(word).to_vec()).unwrap();
    (0..text.len()).map(|n| text.sentence(n).iter().map(word).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn small_samples_are_evenly_spaced() {
    let lines = |word: &str, n: usize| -> Vec<String> { (0..n).map(|n| word.to_owned() + &n.to_string()).collect() };
    let (s, t) = (lines("a", 10), lines("b", 10));
    let [s, t] = [&s, &t].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
    let room = Lines::of(&[("s", &s), ("t", &t), ("short", &t[..9])]);
    let options = ReadOptions::default();
    for (pairs, expected) in [(1, "a4"), (3, "a1 a4 a8"), (4, "a1 a3 a6 a8"), (9, "a0 a1 a2 a3 a4 a6 a7 a8 a9")] {
        let sample = read_evenly(&room.files("s", "t"), pairs, &options).unwrap();
        let bitext = &sample.read.bitext;
        assert_eq!(sentences(&bitext.source).join(" "), expected);
        assert_eq!(sentences(&bitext.target).join(" "), expected.replace('a', "b"));
        assert_eq!((sample.read.report.pairs, sample.of), (pairs as u64, 10));
        assert_eq!(sample.unseen.map(|unseen| unseen.types), [10 - pairs as u64; 2]);
    }
    assert_eq!(read_evenly(&room.files("s", "t"), 100, &options).unwrap().read.bitext.len(), 10);
    let keeping = ReadOptions { keep_text: true, ..options };
    let kept = read_evenly(&room.files("s", "t"), 3, &keeping).unwrap().read.text.unwrap();
    assert_eq!((kept.source.len(), kept.source.line(2), kept.target.line(1)), (3, "a8", "b4"));
    let error = read_evenly(&room.files("s", "short"), 3, &options).unwrap_err().to_string();
    assert!(error.contains("10") && error.contains('9'), "{error}");
    assert!(read_evenly(&room.files("s", "t"), 0, &options).is_err());
    assert!(read_evenly(&BitextSource::Joint("-".into()), 5, &options).is_err());
}

#[test]
fn pairs_that_are_too_long_matter_where_they_are_in_the_sample() {
    let room = Lines::of(&[("s", &["a", "b b b b", "c"]), ("t", &["d", "e", "f"]), ("empty", &[])]);
    let some = |pairs: usize, skip_long: bool| {
        let options = ReadOptions { max_length: 3, skip_long, ..ReadOptions::default() };
        read_evenly(&room.files("s", "t"), pairs, &options)
    };
    assert_eq!(sentences(&some(2, false).unwrap().read.bitext.source), ["a", "c"]);
    assert!(matches!(some(3, false).unwrap_err().kind(), ErrorKind::TooLong { .. }));
    let sample = some(3, true).unwrap();
    assert_eq!(sample.read.report.skipped_long, [1]);
    assert_eq!(sample.unseen, [Unseen { types: 0, tokens: 0, all_types: 2, all_tokens: 2 }; 2]);
    let sample = read_evenly(&room.files("empty", "empty"), 5, &ReadOptions::default()).unwrap();
    assert_eq!((sample.read.bitext.len(), sample.unseen[0].share_of_tokens()), (0, 0.0));
}

proptest! {
    #[test]
    fn samples_have_pairs_of_the_text_in_order_and_know_what_they_lack(
        lengths in prop::collection::vec((0usize..30, 0usize..30), 1..400),
        pairs in 1usize..450,
    ) {
        // Each line begins with its number; other words occur in lines of some lengths only.
        let line = |n: usize, length: usize| -> String {
            (0..length).fold(n.to_string(), |line, k| format!("{line} {}x{}", length / 10, k * k % 20))
        };
        let sides = [0, 1].map(|side| -> Vec<String> {
            lengths.iter().enumerate().map(|(n, of)| line(n, [of.0, of.1][side])).collect()
        });
        let [s, t] = sides.each_ref().map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
        let room = Lines::of(&[("s", &s), ("t", &t)]);
        let read = || read_evenly(&room.files("s", "t"), pairs, &ReadOptions::default()).unwrap();
        let sample = read();
        let found = [&sample.read.bitext.source, &sample.read.bitext.target].map(sentences);
        prop_assert_eq!(&found, &[&read().read.bitext.source, &read().read.bitext.target].map(sentences));
        let number = |line: &String| line.split(' ').next().unwrap().parse::<usize>().unwrap();
        let numbers: Vec<usize> = found[0].iter().map(number).collect();
        prop_assert_eq!(numbers.len(), pairs.min(lengths.len()));
        prop_assert!(numbers.is_sorted_by(|a, b| a < b));
        for side in [0, 1] {
            let expected: Vec<&String> = numbers.iter().map(|&n| &sides[side][n]).collect();
            prop_assert_eq!(found[side].iter().collect::<Vec<_>>(), expected);
            let words = |lines: &[String]| lines.iter().flat_map(|line| line.split(' ')).map(str::to_owned).collect::<Vec<_>>();
            let (all, seen) = (words(&sides[side]), words(&found[side]));
            let unseen: Vec<&String> = all.iter().filter(|word| !seen.contains(word)).collect();
            let types = |words: &[&String]| words.iter().collect::<BTreeSet<_>>().len() as u64;
            let expected = Unseen {
                types: types(&unseen),
                tokens: unseen.len() as u64,
                all_types: types(&all.iter().collect::<Vec<_>>()),
                all_tokens: all.len() as u64,
            };
            prop_assert_eq!(sample.unseen[side], expected);
        }
    }
}
