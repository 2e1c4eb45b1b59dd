//! Texts of which it is known what translates what.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::numeric::Generator;
use crate::parallel::Parallelism;
use crate::progress::Silent;

/// Sentences as sets of words; sides have words in common where they translate each other.
struct Words {
    sides: [Vec<BTreeSet<u32>>; 2],
    /// Whether pairs are proposed.
    proposes: bool,
}

impl Evidence for Words {
    fn score(&self, source: Range<usize>, target: Range<usize>) -> f64 {
        let words = |side: usize, range: Range<usize>| {
            self.sides[side][range].iter().flatten().copied().collect::<BTreeSet<u32>>()
        };
        let (source, target) = (words(0, source), words(1, target));
        let common = source.intersection(&target).count() as f64;
        if source.is_empty() && target.is_empty() {
            f64::NAN
        } else {
            2.0 * common / (source.len() + target.len()) as f64
        }
    }

    fn scale(&self) -> Scale {
        Scale { unrelated: 0.1, related: 0.7, deviation: 0.2 }
    }

    fn candidates(&self, _work: Work<'_>) -> Result<Option<Vec<Candidate>>> {
        let mut all = Vec::new();
        if self.proposes {
            for source in 0..self.sides[0].len() {
                for target in 0..self.sides[1].len() {
                    let weight = self.score(source..source + 1, target..target + 1) - 0.4;
                    if weight > 0.0 {
                        all.push(Candidate { source, target, weight });
                    }
                }
            }
        }
        Ok(self.proposes.then_some(all))
    }
}

/// Lengths and words of two texts, and the groups they were made of.
struct Made {
    lengths: [Vec<u32>; 2],
    evidence: Words,
    groups: Vec<(Range<usize>, Range<usize>)>,
}

/// Sentences of eight words, one of which is another on the other side; some are joined, some are left out.
fn made(seed: u64, sentences: usize, proposes: bool) -> Made {
    let mut generator = Generator::new(seed, 0);
    let mut made = Made {
        lengths: Default::default(),
        evidence: Words { sides: Default::default(), proposes },
        groups: Vec::new(),
    };
    for _ in 0..sentences {
        let (sources, targets) = match generator.next_u64() % 50 {
            0 => (1, 0),
            1 => (0, 1),
            2..=5 => (2, 1),
            6..=9 => (1, 2),
            10 => (3, 1),
            11 => (1, 4),
            _ => (1, 1),
        };
        let places = made.lengths.each_ref().map(Vec::len);
        // The words of the group, dealt out to the sentences of each side.
        let words: Vec<u32> = (0..8 * sources.max(targets)).map(|_| (generator.next_u64() % 100_000) as u32).collect();
        for (side, count) in [sources, targets].into_iter().enumerate() {
            let share = words.len() / count.max(1);
            for own in words.chunks(share.max(1)).take(count) {
                let mut own: BTreeSet<u32> = own.iter().copied().collect();
                if side == 1 {
                    own.pop_first();
                    own.insert((generator.next_u64() % 100_000) as u32);
                }
                let length = own.len() as u32 * 6 + (generator.next_u64() % 8) as u32;
                made.lengths[side].push(length);
                made.evidence.sides[side].push(own);
            }
        }
        made.groups.push((places[0]..places[0] + sources, places[1]..places[1] + targets));
    }
    made
}

fn align(made: &Made, radius: usize, threads: usize) -> Vec<ConfidentBead> {
    let aligner = EvidenceAligner::new(EvidenceConfig::default().with(|c| c.radius = radius)).unwrap();
    let parallelism = Parallelism::new(threads).unwrap();
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let [source, target] = &made.lengths;
    aligner.align_paragraphs(&[source], &[target], &[&made.evidence], work).unwrap()
}

fn groups(found: &[ConfidentBead]) -> Vec<(Range<usize>, Range<usize>)> {
    found.iter().map(|found| (found.bead.source.clone(), found.bead.target.clone())).collect()
}

/// Where a sentence on its own has no other side, wherever it would be.
fn without_places(groups: Vec<(Range<usize>, Range<usize>)>) -> Vec<(Range<usize>, Range<usize>)> {
    let place = |range: Range<usize>| if range.is_empty() { 0..0 } else { range };
    groups.into_iter().map(|(source, target)| (place(source), place(target))).collect()
}

#[test]
fn groups_are_found_as_they_were_made() {
    for proposes in [true, false] {
        let made = made(3, 400, proposes);
        let found = align(&made, 20, 1);
        let gold = without_places(made.groups);
        let right = without_places(groups(&found)).iter().filter(|group| gold.contains(group)).count();
        assert!(right * 100 >= gold.len() * 97, "{right} of {}", gold.len());
        // The sum of confidences says how many are right, a little cautiously: scores like these are not normally distributed.
        let expected: f64 = found.iter().map(|found| found.confidence).sum();
        assert!((expected - right as f64).abs() < 0.05 * found.len() as f64, "{expected} {right}");
    }
}

/// Scores that are random lead to what lengths alone lead to.
#[test]
fn evidence_that_knows_nothing_is_not_used() {
    struct Random(Words);
    impl Evidence for Random {
        fn score(&self, source: Range<usize>, target: Range<usize>) -> f64 {
            Generator::new(source.start as u64, target.start as u64).unit()
        }

        fn scale(&self) -> Scale {
            self.0.scale()
        }

        fn candidates(&self, work: Work<'_>) -> Result<Option<Vec<Candidate>>> {
            let all = self.0.candidates(work)?.map_or(0, |candidates| candidates.len());
            let [sources, targets] = self.0.sides.each_ref().map(Vec::len);
            let mut generator = Generator::new(1, 1);
            let mut below = |most: usize| (generator.next_u64() % most as u64) as usize;
            let random = |_| Candidate { source: below(sources), target: below(targets), weight: 1.0 };
            Ok(Some((0..all).map(random).collect()))
        }
    }
    let made = made(6, 200, true);
    let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
    let random = Random(made.evidence);
    let aligner = EvidenceAligner::new(EvidenceConfig::default()).unwrap();
    let [source, target] = &made.lengths;
    let found = aligner.align_paragraphs(&[source], &[target], &[&random], work).unwrap();
    let mut by_lengths = SentenceAligner::new(GaleChurchConfig::default()).unwrap();
    let beads = by_lengths.align_paragraphs(&[source], &[target], &Silent).unwrap();
    assert_eq!(found.into_iter().map(|found| found.bead).collect::<Vec<_>>(), beads);
    // Beside evidence that knows something it changes nothing.
    let words = random.0;
    let random = Random(Words { sides: words.sides.clone(), proposes: true });
    let both = aligner.align_paragraphs(&[source], &[target], &[&random, &words], work).unwrap();
    assert_eq!(both, aligner.align_paragraphs(&[source], &[target], &[&words], work).unwrap());
}

/// Where one text has three times the characters of the other, and how they vary, is learned.
#[test]
fn lengths_are_learned() {
    let mut made = made(4, 200, true);
    let as_expected = groups(&align(&made, 20, 1));
    made.lengths[1].iter_mut().for_each(|length| *length *= 3);
    let found = groups(&align(&made, 20, 1));
    let same = found.iter().filter(|group| as_expected.contains(group)).count();
    assert!(same * 100 >= as_expected.len() * 98, "{same} of {}", as_expected.len());
}

#[test]
fn every_sentence_is_in_a_group_whatever_it_is_beside() {
    let made = made(5, 80, true);
    let aligner = EvidenceAligner::new(EvidenceConfig::default()).unwrap();
    let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
    // The sentences of one text in another order.
    let target: Vec<u32> = made.lengths[1].iter().rev().copied().collect();
    let found = aligner.align_paragraphs(&[&made.lengths[0]], &[&target], &[&made.evidence], work).unwrap();
    let (mut row, mut column) = (0, 0);
    for (source, target) in groups(&found) {
        assert_eq!((source.start, target.start), (row, column));
        (row, column) = (source.end, target.end);
    }
    assert_eq!((row, column), (made.lengths[0].len(), target.len()));
    let empty: [&[u32]; 1] = [&[]];
    assert!(aligner.align_paragraphs(&empty, &empty, &[&made.evidence], work).unwrap().is_empty());
}

#[test]
fn paragraphs_are_not_crossed() {
    let made = made(9, 60, true);
    let aligner = EvidenceAligner::new(EvidenceConfig::default()).unwrap();
    let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
    let (source, target) = &made.groups[30];
    let halves = |side: usize, at: usize| -> [&[u32]; 2] { made.lengths[side].split_at(at).into() };
    let (source_halves, target_halves) = (halves(0, source.start), halves(1, target.start));
    let found = aligner.align_paragraphs(&source_halves, &target_halves, &[&made.evidence], work).unwrap();
    let crosses = |range: &Range<usize>, at: usize| range.start < at && at < range.end;
    assert!(groups(&found).iter().all(|(s, t)| !crosses(s, source.start) && !crosses(t, target.start)));
    assert_eq!(found.iter().map(|found| found.bead.source.len()).sum::<usize>(), made.lengths[0].len());
    let one: [&[u32]; 1] = [&[]];
    let error = aligner.align_paragraphs(&source_halves, &one, &[&made.evidence], work).unwrap_err();
    assert_eq!(error.to_string(), "the source has 2 paragraphs, the target 1 paragraph");
}

#[test]
fn what_cannot_be_is_refused() {
    let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
    let aligner = EvidenceAligner::new(EvidenceConfig::default()).unwrap();
    let lengths: [&[u32]; 1] = [&[1]];
    let error = aligner.align_paragraphs(&lengths, &lengths, &[], work).unwrap_err();
    assert_eq!(error.to_string(), "evidence = 0: must be one kind or more");
    let error = EvidenceAligner::new(EvidenceConfig::default().with(|c| c.radius = 3)).unwrap_err();
    assert_eq!(error.to_string(), "radius = 3: must be 4 or more");
}

/// Scores and candidates as they come, whatever they mean.
#[derive(Debug)]
struct Anything {
    scores: Vec<f64>,
    candidates: Vec<Candidate>,
    scale: Scale,
}

impl Evidence for Anything {
    fn score(&self, source: Range<usize>, target: Range<usize>) -> f64 {
        let place = source.start * 31 + source.end * 7 + target.start * 17 + target.end;
        self.scores[place % self.scores.len()]
    }

    fn scale(&self) -> Scale {
        self.scale
    }

    fn candidates(&self, _work: Work<'_>) -> Result<Option<Vec<Candidate>>> {
        Ok(Some(self.candidates.clone()))
    }
}

/// Numbers of all sizes, and what is none.
fn scores() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.0..1.0, 1 => -1e6..1e6, 1 => Just(f64::NAN), 1 => Just(0.0)]
}

fn anything() -> impl Strategy<Value = ([Vec<u32>; 2], Anything)> {
    let lengths = || proptest::collection::vec(prop_oneof![5 => 0u32..300, 1 => any::<u32>()], 1..40);
    (lengths(), lengths()).prop_flat_map(|(source, target)| {
        let candidate = (0..source.len(), 0..target.len(), 1e-3..10.0).prop_map(|(source, target, weight)| Candidate {
            source,
            target,
            weight,
        });
        let candidates = proptest::collection::vec(candidate, 0..60);
        let scores = proptest::collection::vec(scores(), 1..50);
        let scale = (0.0..1.0, 0.0..1.0, 1e-3..1.0).prop_map(|(unrelated, related, deviation)| Scale {
            unrelated,
            related,
            deviation,
        });
        (scores, candidates, scale).prop_map(move |(scores, candidates, scale)| {
            ([source.clone(), target.clone()], Anything { scores, candidates, scale })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Every sentence is in one group, in order, and confidences are probabilities.
    #[test]
    fn any_evidence_gives_an_alignment((lengths, evidence) in anything(), radius in 4usize..30) {
        let aligner = EvidenceAligner::new(EvidenceConfig::default().with(|c| c.radius = radius)).unwrap();
        let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
        let [source, target] = &lengths;
        let found = aligner.align_paragraphs(&[source], &[target], &[&evidence], work).unwrap();
        let mut at = (0, 0);
        for ConfidentBead { bead, confidence } in &found {
            prop_assert_eq!((bead.source.start, bead.target.start), at);
            prop_assert!(KINDS.contains(&(bead.source.len(), bead.target.len())));
            prop_assert!((0.0..=1.0).contains(confidence), "{:?} {}", bead, confidence);
            prop_assert!(bead.cost.is_finite(), "{:?}", bead);
            at = (bead.source.end, bead.target.end);
        }
        prop_assert_eq!(at, (source.len(), target.len()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    /// The corridor around right anchors loses nothing, and threads change nothing.
    #[test]
    fn a_wide_corridor_changes_nothing(seed in any::<u64>(), sentences in 0usize..60) {
        let made = made(seed, sentences, true);
        let narrow = align(&made, 20, 1);
        prop_assert_eq!(groups(&narrow), groups(&align(&made, 1000, 1)));
        prop_assert_eq!(narrow, align(&made, 20, 3));
    }
}
