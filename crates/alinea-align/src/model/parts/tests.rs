//! Training in parts compared with training on the joined text, byte by byte.

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::alignment::{Alignment, GoldAlignment};
use crate::bitext::{Bitext, Dictionary, RankedBitext, Text, Weights};
use crate::model::config::Schedule;
use crate::model::{Aligner, AlignerConfig, Counts, Supervision, TextForm};
use crate::parallel::{Parallelism, Work};
use crate::progress::Silent;

type Line = (Vec<u8>, Vec<u8>);
type Lines = Vec<Line>;
/// Lines, and what they count.
type Part<'l> = (&'l [Line], f32);

/// Sentences of the words 0 to 39, the first of which are frequent; a word of the one side mostly has its own on the other. Some
/// lines are the same, some have no words, or on one side only.
fn lines() -> impl Strategy<Value = Lines> {
    let word = prop_oneof![3 => 0u8..5, 2 => 5u8..15, 1 => 15u8..40];
    let other = prop_oneof![5 => Just(0u8), 1 => 1u8..7];
    let words = prop::collection::vec((word, other), 0..9);
    let line = words.prop_map(|words| {
        let mut target: Vec<u8> = words.iter().map(|&(word, more)| (word + more) % 40).collect();
        if target.len() % 4 == 3 {
            target.swap(0, 2);
            target.pop();
        }
        (words.into_iter().map(|(word, _)| word).collect(), target)
    });
    prop::collection::vec(line, 4..40).prop_map(|mut lines: Lines| {
        let same = lines[1].clone();
        lines.push(same);
        lines.push((vec![1, 2], vec![]));
        lines
    })
}

/// A name for each number, with beginnings in common.
fn name(number: u8) -> String {
    const SYLLABLES: [&str; 8] = ["ba", "do", "ki", "lu", "mer", "nas", "pol", "tri"];
    let [high, low] = [number / 8, number % 8].map(usize::from);
    format!("{}{}{}", SYLLABLES[high], SYLLABLES[low], ["", "s", "en"][usize::from(number % 3)])
}

fn text(lines: &[Line]) -> Bitext {
    let (mut source, mut target) = (Text::default(), Text::default());
    for (s, t) in lines {
        for (text, words) in [(&mut source, s), (&mut target, t)] {
            let names: Vec<String> = words.iter().map(|&word| name(word)).collect();
            text.push_sentence(names.iter().map(String::as_bytes));
        }
    }
    Bitext::new(source, target).unwrap()
}

/// What goes through a file in the way that it would go from one machine to another.
struct Files(tempfile::TempDir);

impl Files {
    fn path(&self, write: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
        let path = self.0.path().join("file");
        let mut bytes = Vec::new();
        write(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn words(&self, words: &PartWords) -> PartWords {
        PartWords::read(&self.path(|to| words.write(to).unwrap())).unwrap()
    }

    fn whole(&self, whole: &WholeText) -> WholeText {
        WholeText::read(&self.path(|to| whole.write(to).unwrap())).unwrap()
    }

    fn pairs(&self, pairs: &PartPairs, whole: &WholeText) -> PartPairs {
        PartPairs::read(&self.path(|to| pairs.write(to).unwrap()), whole).unwrap()
    }

    /// The state for a part, and for the whole.
    fn state(&self, state: &TrainingState) -> (StoredState, TrainingState) {
        let written = std::fs::read(self.path(|to| state.write(to).unwrap())).unwrap();
        let path = self.0.path().join("state");
        std::fs::write(&path, &written).unwrap();
        let read = TrainingState::read(&path).unwrap();
        assert!(std::fs::read(self.path(|to| read.write(to).unwrap())).unwrap() == written);
        (StoredState::open(&path).unwrap(), read)
    }

    fn own(&self, own: OwnCounts) -> OwnCounts {
        OwnCounts::read(&self.path(|to| own.write(to).unwrap())).unwrap()
    }

    fn counts(&self, counts: &Counts) -> Counts {
        Counts::read(&self.path(|to| counts.write(to).unwrap())).unwrap()
    }
}

/// What is known of a text.
#[derive(Default)]
struct Known {
    dictionary: Dictionary,
    links: Vec<(usize, GoldAlignment)>,
}

fn in_parts(parts: &[Part<'_>], config: &AlignerConfig, known: &Known) -> Vec<u8> {
    let parallelism = Parallelism::new(2).unwrap();
    let (work, form) = (Work { parallelism: &parallelism, observer: &Silent }, TextForm::default());
    let files = Files(tempfile::tempdir().unwrap());
    let words: Vec<PartWords> =
        parts.iter().map(|&(lines, weight)| files.words(&PartWords::of(text(lines), weight, form).unwrap())).collect();
    let whole = files.whole(&WholeText::join(&words).unwrap());
    let texts: Vec<PartText> =
        parts.iter().enumerate().map(|(n, (lines, _))| PartText::new(text(lines), n, &whole).unwrap()).collect();
    let pairs: Vec<PartPairs> =
        texts.iter().map(|part| files.pairs(&PartPairs::of(part, work).unwrap(), &whole)).collect();
    let mut state = TrainingState::begin(whole, &pairs, config.clone(), &known.dictionary, work).unwrap();
    let mut own: Vec<Option<OwnCounts>> = texts.iter().map(|_| None).collect();
    while state.next_pass().is_some() {
        let stored;
        (stored, state) = files.state(&state);
        let mut merged: Option<Counts> = None;
        let mut before = 0;
        for (n, part) in texts.iter().enumerate() {
            let pairs = before..before + parts[n].0.len();
            before = pairs.end;
            let links = known.links.iter().filter(|(n, _)| pairs.contains(n));
            let links: Vec<_> = links.map(|(n, links)| (n - pairs.start, links.clone())).collect();
            let (counts, kept) = part.count(&stored, own[n].take(), &links, work).unwrap();
            own[n] = Some(files.own(kept));
            let counts = files.counts(&counts);
            merged = Some(match merged {
                Some(others) if n % 2 == 0 => others.merged(counts).unwrap(),
                Some(others) => counts.merged(others).unwrap(),
                None => counts,
            });
        }
        state = state.maximize(files.counts(&merged.unwrap()), work).unwrap();
    }
    let mut model = Vec::new();
    state.finish(own.into_iter().rev().flatten().collect()).unwrap().write(&mut model).unwrap();
    model
}

fn joined(lines: &Lines, weights: &Weights, config: &AlignerConfig, known: &Known) -> Vec<u8> {
    let bitext = RankedBitext::new(text(lines)).weighted(weights.clone()).unwrap();
    let supervision =
        Supervision { dictionary: known.dictionary.clone(), links: known.links.clone(), ..Supervision::default() };
    let aligner = Aligner::train_with(&bitext, config.clone(), &supervision, &Parallelism::serial(), &Silent).unwrap();
    let mut model = Vec::new();
    aligner.save(&bitext, TextForm::default(), &mut model).unwrap();
    model
}

/// Parts between places in a text; empty where two are the same.
fn cut(lines: &Lines, mut places: Vec<usize>) -> Vec<Part<'_>> {
    places.extend([0, lines.len()]);
    for place in &mut places {
        *place = (*place).min(lines.len());
    }
    places.sort_unstable();
    places.windows(2).map(|ends| (&lines[ends[0]..ends[1]], 1.0)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn parts_have_the_model_of_the_joined_text(
        lines in lines(),
        places in prop::collection::vec(0usize..42, 0..7),
        leaves_out in any::<bool>(),
    ) {
        let config = if leaves_out { AlignerConfig::agreement_loo() } else { AlignerConfig::agreement() };
        let model = in_parts(&cut(&lines, places), &config, &Known::default());
        prop_assert!(model == joined(&lines, &Weights::default(), &config, &Known::default()));
    }
}

/// A text in which everything occurs: a long pair, lines that are equal, empty ones.
fn sample() -> Lines {
    let line = |n: usize| -> Vec<u8> { (0..n % 7).map(|k| ((n * n + 3 * k) % 40) as u8).collect() };
    let mut lines: Lines = (0..60).map(|n| (line(n), line(n))).collect();
    let long: Vec<u8> = (0..300).map(|k| (k * k % 37) as u8).collect();
    lines.insert(20, (long.clone(), long));
    lines.push((vec![3], vec![]));
    lines.push((vec![5, 6], vec![5, 6]));
    lines
}

#[test]
fn added_text_dictionaries_and_links_are_known_to_parts() {
    let lines = sample();
    let mut dictionary = Dictionary::default();
    dictionary.push(name(2).as_bytes(), name(9).as_bytes(), 3.0).unwrap();
    let some = GoldAlignment::from_parts([(0, 1)].into(), &Alignment::default());
    let links = vec![(4, some), (45, GoldAlignment::default())];
    let known = Known { dictionary, links };
    let weights = Weights::new(&[(30, 1.0), (lines.len() - 30, 0.3)]).unwrap();
    for config in [AlignerConfig::agreement_loo(), AlignerConfig::agreement()] {
        let parts = [(&lines[..7], 1.0), (&lines[7..30], 1.0), (&lines[30..31], 0.3), (&lines[31..], 0.3)];
        assert!(in_parts(&parts, &config, &known) == joined(&lines, &weights, &config, &known));
    }
}

#[test]
fn jumps_are_counted_in_the_first_sentences_of_the_whole() {
    let lines = sample();
    let mut config = AlignerConfig::agreement_loo();
    config.jumps.sentences = Some(25);
    let model = in_parts(&cut(&lines, vec![10, 24, 40]), &config, &Known::default());
    assert!(model == joined(&lines, &Weights::default(), &config, &Known::default()));
}

/// A flipped bit anywhere in the file of a state is an error for a part, whatever it is a part of.
#[test]
fn damage_is_found_by_parts() {
    let lines = sample();
    let (serial, form) = (Parallelism::serial(), TextForm::default());
    let work = Work { parallelism: &serial, observer: &Silent };
    let files = Files(tempfile::tempdir().unwrap());
    let whole = WholeText::join(&[PartWords::of(text(&lines), 1.0, form).unwrap()]).unwrap();
    let part = PartText::new(text(&lines), 0, &whole).unwrap();
    let pairs = [PartPairs::of(&part, work).unwrap()];
    let mut config = AlignerConfig::agreement_loo();
    config.schedule = Some(Schedule { ibm1: 2, hmm: 2 });
    let mut state = TrainingState::begin(whole, &pairs, config, &Dictionary::default(), work).unwrap();
    let mut own = None;
    while state.next_pass().is_some() {
        let path = files.path(|to| state.write(to).unwrap());
        let (counts, kept) = part.count(&StoredState::open(&path).unwrap(), own.take(), &[], work).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        for place in (0..bytes.len()).step_by(bytes.len() / 60) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 4;
            let damaged = files.path(|to| to.extend(&damaged));
            // What the part kept does not matter: it is asked for later.
            let counted = StoredState::open(&damaged).and_then(|state| part.count(&state, None, &[], work));
            let error = counted.map(|_| ()).unwrap_err().to_string();
            assert!(!error.contains("own counts"), "{place} of {}: {error}", bytes.len());
        }
        own = Some(kept);
        state = state.maximize(counts, work).unwrap();
    }
}
