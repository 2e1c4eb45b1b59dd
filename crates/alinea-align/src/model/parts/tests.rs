//! Training in parts compared with training on the joined text, byte by byte.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;

use super::memory::Budget;
use super::*;
use crate::alignment::{Alignment, GoldAlignment};
use crate::bitext::{Bitext, Dictionary, RankedBitext, Text, Weights};
use crate::lexicon::similarity::Spelling;
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
struct Files(tempfile::TempDir, Cell<usize>);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap(), Cell::default())
    }

    /// A file of its own, since what was read may remain open.
    fn path(&self, write: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
        self.1.set(self.1.get() + 1);
        let path = self.0.path().join(self.1.get().to_string());
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
        let path = self.path(|to| state.write(to).unwrap());
        let read = TrainingState::read(&path).unwrap();
        assert!(std::fs::read(self.path(|to| read.write(to).unwrap())).unwrap() == std::fs::read(&path).unwrap());
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

/// Where pairs of words leave: after which pass from 1, below which count.
type Prunes = [(u32, f32)];

fn in_parts(parts: &[Part<'_>], config: &AlignerConfig, known: &Known, prunes: &Prunes) -> Vec<u8> {
    let parallelism = Parallelism::new(2).unwrap();
    let (work, form) = (Work { parallelism: &parallelism, observer: &Silent }, TextForm::default());
    let files = Files::new();
    let words: Vec<PartWords> =
        parts.iter().map(|&(lines, weight)| files.words(&PartWords::of(text(lines), weight, form).unwrap())).collect();
    let whole = files.whole(&WholeText::join(&words).unwrap());
    let texts: Vec<PartText> =
        parts.iter().enumerate().map(|(n, (lines, _))| PartText::new(text(lines), n, &whole).unwrap()).collect();
    let pairs: Vec<PartPairs> =
        texts.iter().map(|part| files.pairs(&PartPairs::of(part, work).unwrap(), &whole)).collect();
    let mut state = TrainingState::begin(whole, pairs, config.clone(), &known.dictionary, work).unwrap();
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
            let (counts, kept) = part.count(&stored, own[n].take(), &links, None, work).unwrap();
            own[n] = Some(files.own(kept));
            let counts = files.counts(&counts);
            merged = Some(match merged {
                Some(others) if n % 2 == 0 => others.merged(counts).unwrap(),
                Some(others) => counts.merged(others).unwrap(),
                None => counts,
            });
        }
        let pass = state.passes_done() + 1;
        let limit =
            prunes.iter().find(|(after, _)| *after == pass).map(|&(_, counts)| PruneLimit::new(counts).unwrap());
        state = state.maximize(files.counts(&merged.unwrap()), limit, work).unwrap();
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
        let model = in_parts(&cut(&lines, places), &config, &Known::default(), &[]);
        prop_assert!(model == joined(&lines, &Weights::default(), &config, &Known::default()));
    }

    #[test]
    fn pruned_models_do_not_depend_on_the_parts(
        lines in lines(),
        places in prop::collection::vec(0usize..42, 0..7),
        leaves_out in any::<bool>(),
        prunes in prop::collection::vec((1u32..9, prop_oneof![Just(1.5e-5), 0.001f32..0.5]), 1..3),
    ) {
        let config = if leaves_out { AlignerConfig::agreement_loo() } else { AlignerConfig::agreement() };
        let mut dictionary = Dictionary::default();
        dictionary.push(name(2).as_bytes(), name(9).as_bytes(), 3.0).unwrap();
        let known = Known { dictionary, ..Known::default() };
        let model = in_parts(&cut(&lines, places), &config, &known, &prunes);
        prop_assert!(model == in_parts(&[(&lines, 1.0)], &config, &known, &prunes));
    }
}

/// Pairs that make more than one chunk, each of words of its own and some that all have.
fn many_cells() -> Lines {
    let side = |n: usize| -> Vec<u8> {
        (0..200).map(|k| if k % 3 == 0 { (k % 5) as u8 } else { ((n * 7 + k) % 60) as u8 }).collect()
    };
    (0..60).map(|n| (side(n % 30), side(n % 28))).collect()
}

/// Slices of one chunk each, in files.
#[test]
fn counts_do_not_depend_on_the_memory_that_there_is() {
    let (lines, files) = (many_cells(), Files::new());
    let parallelism = Parallelism::new(2).unwrap();
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let whole = WholeText::join(&[PartWords::of(text(&lines), 1.0, TextForm::default()).unwrap()]).unwrap();
    let part = PartText::new(text(&lines), 0, &whole).unwrap();
    let mut config = AlignerConfig::agreement_loo();
    config.schedule = Some(Schedule { ibm1: 2, hmm: 2 });
    config.jumps.sentences = Some(40);
    let pairs = vec![PartPairs::of(&part, work).unwrap()];
    let mut state = TrainingState::begin(whole, pairs, config, &Dictionary::default(), work).unwrap();
    let mut own: [Option<OwnCounts>; 2] = [None, None];
    let bytes = |counts: &Counts| std::fs::read(files.path(|to| counts.write(to).unwrap())).unwrap();
    while state.next_pass().is_some() {
        let stored = StoredState::open(&files.path(|to| state.write(to).unwrap())).unwrap();
        let directory = files.0.path();
        let mut in_slices = 0;
        let (sliced, kept) = part
            .count_within(
                &stored,
                own[0].take(),
                &[],
                |text, _| {
                    in_slices = text.chunks.len();
                    Ok(Some(Budget { bytes: 1, directory }))
                },
                work,
            )
            .unwrap();
        assert!(in_slices > 2, "{in_slices}");
        let (counts, also_kept) = part.count(&stored, own[1].take(), &[], None, work).unwrap();
        assert!(bytes(&sliced) == bytes(&counts));
        own = [kept, also_kept].map(|own| Some(files.own(own)));
        let kept =
            own.each_ref().map(|own| std::fs::read(files.path(|to| own.clone().unwrap().write(to).unwrap())).unwrap());
        assert!(kept[0] == kept[1]);
        state = state.maximize(sliced, None, work).unwrap();
    }
}

/// A limit that text and words exceed is refused, and says what would do; one that they do not is kept.
#[test]
fn a_limit_that_is_too_low_is_refused() {
    let (lines, files) = (sample(), Files::new());
    let serial = Parallelism::serial();
    let work = Work { parallelism: &serial, observer: &Silent };
    let whole = WholeText::join(&[PartWords::of(text(&lines), 1.0, TextForm::default()).unwrap()]).unwrap();
    let part = PartText::new(text(&lines), 0, &whole).unwrap();
    let pairs = vec![PartPairs::of(&part, work).unwrap()];
    let state = TrainingState::begin(whole, pairs, AlignerConfig::default(), &Dictionary::default(), work).unwrap();
    let stored = StoredState::open(&files.path(|to| state.write(to).unwrap())).unwrap();
    let limit = |bytes: u64| MemoryLimit { bytes, directory: files.0.path().to_owned() };
    let error = part.count(&stored, None, &[], Some(&limit(1000)), work).unwrap_err().to_string();
    let least =
        error.strip_prefix("1000 bytes of memory are too few: this part takes ").unwrap_or_else(|| panic!("{error}"));
    let least: u64 = least.strip_suffix(" at least").unwrap().parse().unwrap();
    // More for what other tests take meanwhile.
    part.count(&stored, None, &[], Some(&limit(2 * least + (1 << 30))), work).unwrap();
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
        assert!(in_parts(&parts, &config, &known, &[]) == joined(&lines, &weights, &config, &known));
    }
}

#[test]
fn jumps_are_counted_in_the_first_sentences_of_the_whole() {
    let lines = sample();
    let mut config = AlignerConfig::agreement_loo();
    config.jumps.sentences = Some(25);
    let model = in_parts(&cut(&lines, vec![10, 24, 40]), &config, &Known::default(), &[]);
    assert!(model == joined(&lines, &Weights::default(), &config, &Known::default()));
}

/// Those pairs of words stay that have so many counts, are alike, or given; and they are as probable as in the state that was not pruned.
#[test]
fn pairs_below_the_limit_leave() {
    let (lines, files) = (sample(), Files::new());
    let serial = Parallelism::serial();
    let work = Work { parallelism: &serial, observer: &Silent };
    let whole = WholeText::join(&[PartWords::of(text(&lines), 1.0, TextForm::default()).unwrap()]).unwrap();
    let part = PartText::new(text(&lines), 0, &whole).unwrap();
    let mut dictionary = Dictionary::default();
    dictionary.push(name(9).as_bytes(), name(16).as_bytes(), 0.5).unwrap();
    let pairs = vec![PartPairs::of(&part, work).unwrap()];
    let mut state = TrainingState::begin(whole, pairs, AlignerConfig::agreement_loo(), &dictionary, work).unwrap();
    let given = state.given.clone();
    let mut own = None;
    let mut count = |stored: &StoredState| {
        let (counts, kept) = part.count(stored, own.take(), &[], None, work).unwrap();
        own = Some(kept);
        counts
    };
    for _ in 0..6 {
        let (stored, read) = files.state(&state);
        state = read.maximize(count(&stored), None, work).unwrap();
    }
    let (stored, read) = files.state(&state);
    let counts = count(&stored);
    let all = state.maximize(counts.clone(), None, work).unwrap();
    let some = read.maximize(counts, Some(PruneLimit::new(0.25).unwrap()), work).unwrap();
    let by_words = |state: &TrainingState| -> Vec<([usize; 2], [f32; 2])> {
        let mut found = Vec::new();
        let cells = state.between.parameters.translation.cells();
        state.index.for_each_pair(state.index.rows(), |id, s, t| found.push(([s, t], cells[id].probability)));
        found
    };
    let (before, after) = (by_words(&all), by_words(&some));
    let stayed: BTreeSet<[usize; 2]> = after.iter().map(|(words, _)| *words).collect();
    assert!(after.iter().all(|pair| before.contains(pair)));
    let translation = &all.between.parameters.translation;
    let spilled = translation.spilled();
    let counted: Vec<(u32, [u64; 2])> = translation.counts_with(&spilled).collect();
    let many = |id: usize| counted.iter().any(|&(n, units)| n as usize == id && units[0].max(units[1]) >= 1 << 14);
    let mut left = 0;
    all.index.for_each_pair(all.index.rows(), |id, s, t| {
        let is_given = given.iter().any(|&(n, _)| n as usize == id);
        let stays = stayed.contains(&[s, t]);
        let texts = all.whole.words().bitext();
        let word = |text: &Text, n: usize| text.vocabulary().words().nth(n).unwrap().to_vec();
        let (source, target) = (word(&texts.source, s), word(&texts.target, t));
        let characters = all.between.characters.as_ref().unwrap();
        let learned = characters.similarity(&characters.spell(0, &source), &characters.spell(1, &target));
        let alike =
            source == target || Spelling::of(&source).similarity(&Spelling::of(&target)) > 0.0 || learned.is_some();
        assert_eq!(stays, many(id) || is_given || alike, "{s} {t}");
        left += usize::from(!stays);
    });
    assert_eq!((left > 400, given.len(), some.given.len()), (true, 1, 1), "{left}");
}

/// A flipped bit anywhere in the file of a state is an error for a part, whatever it is a part of.
#[test]
fn damage_is_found_by_parts() {
    let lines = sample();
    let (serial, form) = (Parallelism::serial(), TextForm::default());
    let work = Work { parallelism: &serial, observer: &Silent };
    let files = Files::new();
    let whole = WholeText::join(&[PartWords::of(text(&lines), 1.0, form).unwrap()]).unwrap();
    let part = PartText::new(text(&lines), 0, &whole).unwrap();
    let pairs = vec![PartPairs::of(&part, work).unwrap()];
    let mut config = AlignerConfig::agreement_loo();
    config.schedule = Some(Schedule { ibm1: 2, hmm: 2 });
    let mut state = TrainingState::begin(whole, pairs, config, &Dictionary::default(), work).unwrap();
    let mut own = None;
    while state.next_pass().is_some() {
        let path = files.path(|to| state.write(to).unwrap());
        let (counts, kept) = part.count(&StoredState::open(&path).unwrap(), own.clone(), &[], None, work).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        for place in (0..bytes.len()).step_by(bytes.len() / 60) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 4;
            let damaged = files.path(|to| to.extend(&damaged));
            let counted =
                StoredState::open(&damaged).and_then(|state| part.count(&state, own.clone(), &[], None, work));
            let error = counted.map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("found"), "{place} of {}: {error}", bytes.len());
        }
        own = Some(kept);
        state = state.maximize(counts, None, work).unwrap();
    }
}
