//! The search against enumeration, and the band against the whole grid.

use proptest::prelude::*;

use super::*;
use crate::progress::Silent;

/// The cost of every path, and its kinds of beads from the end, by walking all of them.
fn all_paths(config: &GaleChurchConfig, source: &[u32], target: &[u32]) -> Vec<(f64, Vec<(usize, usize)>)> {
    if source.is_empty() && target.is_empty() {
        return vec![(0.0, Vec::new())];
    }
    let mut paths = Vec::new();
    for (s, t) in KINDS {
        if s <= source.len() && t <= target.len() {
            let (source, last_source) = source.split_at(source.len() - s);
            let (target, last_target) = target.split_at(target.len() - t);
            let sum = |lengths: &[u32]| lengths.iter().map(|&length| u64::from(length)).sum();
            let cost = config.cost((s, t), sum(last_source), sum(last_target)).unwrap();
            for (total, mut kinds) in all_paths(config, source, target) {
                kinds.insert(0, (s, t));
                paths.push((total + cost, kinds));
            }
        }
    }
    paths
}

fn total(beads: &[Bead]) -> f64 {
    beads.iter().map(|bead| bead.cost).sum()
}

/// Checks that the beads cover both texts in order, and that each costs what it should.
fn check(config: &GaleChurchConfig, source: &[u32], target: &[u32], beads: &[Bead]) {
    let (mut row, mut column) = (0, 0);
    for bead in beads {
        assert_eq!((bead.source.start, bead.target.start), (row, column));
        (row, column) = (bead.source.end, bead.target.end);
        let sum = |lengths: &[u32]| lengths.iter().map(|&length| u64::from(length)).sum();
        let kind = (bead.source.len(), bead.target.len());
        let cost = config.cost(kind, sum(&source[bead.source.clone()]), sum(&target[bead.target.clone()]));
        assert_eq!(Some(bead.cost), cost);
    }
    assert_eq!((row, column), (source.len(), target.len()));
}

fn align(config: &GaleChurchConfig, source: &[u32], target: &[u32], width: usize) -> Vec<Bead> {
    let mut aligner = SentenceAligner::new(config.clone()).unwrap();
    aligner.first_width = width;
    let beads = aligner.align(source, target, &Silent).unwrap();
    check(config, source, target, &beads);
    beads
}

fn configs() -> impl Strategy<Value = GaleChurchConfig> {
    (0.5f64..2.0, 0.5f64..20.0, 1usize..6).prop_map(|(ratio, variance, most)| {
        let priors = if most == 5 { even() } else { Priors::up_to(most) };
        GaleChurchConfig { ratio, variance, priors }
    })
}

fn even() -> Priors {
    Priors {
        one_zero: 1.0,
        zero_one: 1.0,
        one_one: 1.0,
        two_one: 1.0,
        one_two: 1.0,
        two_two: 1.0,
        three_one: 1.0,
        one_three: 1.0,
        four_one: 1.0,
        one_four: 1.0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_path_is_better(
        config in configs(),
        source in proptest::collection::vec(0u32..60, 0..5),
        target in proptest::collection::vec(0u32..60, 0..5),
    ) {
        let beads = align(&config, &source, &target, 2);
        let paths = all_paths(&config, &source, &target);
        let least = paths.iter().map(|(cost, _)| *cost).fold(f64::INFINITY, f64::min);
        prop_assert!((total(&beads) - least).abs() <= 1e-12 * (1.0 + least), "{} {least}", total(&beads));
    }

    /// A text and what is left of it after some sentences were dropped, joined and changed; narrow bands must grow.
    #[test]
    fn the_band_changes_nothing(
        config in configs(),
        source in proptest::collection::vec((0u32..12, 0u32..200), 1..150),
        drift in 0u32..12,
        lengths in 1u32..200,
    ) {
        let mut target: Vec<u32> = Vec::new();
        for (what, length) in &source {
            let length = length % lengths + what;
            match what {
                0 if drift < 6 => {}
                1 if length % 5 == 0 => target.extend([length / 4, length / 4, length / 4, length - 3 * (length / 4)]),
                1 => target.extend([length / 2, length - length / 2]),
                2..4 if !target.is_empty() => *target.last_mut().unwrap() += length,
                _ => target.push(length),
            }
        }
        let source: Vec<u32> = source.iter().map(|(_, length)| length % lengths).collect();
        prop_assert_eq!(align(&config, &source, &target, 2), align(&config, &source, &target, 1000));
    }

    /// Long sentences beside many short ones: the diagonal is steep, then flat.
    #[test]
    fn the_band_changes_nothing_where_it_is_steep(
        config in configs(),
        source in proptest::collection::vec(prop_oneof![1u32..4, 50u32..400], 0..40),
        target in proptest::collection::vec(prop_oneof![1u32..4, 50u32..400], 0..40),
    ) {
        prop_assert_eq!(align(&config, &source, &target, 4), align(&config, &source, &target, 1000));
    }

    /// Texts that have nothing to do with each other, and many paths that are as good.
    #[test]
    fn the_band_changes_nothing_where_nothing_fits(
        config in configs(),
        source in proptest::collection::vec(0u32..3, 0..80),
        target in proptest::collection::vec(0u32..3, 0..80),
        unit in 0u32..40,
    ) {
        let scaled = |text: &[u32]| text.iter().map(|n| n * unit).collect::<Vec<_>>();
        let (source, target) = (scaled(&source), scaled(&target));
        prop_assert_eq!(align(&config, &source, &target, 2), align(&config, &source, &target, 1000));
    }
}

#[test]
fn texts_longer_than_a_checkpoint_are_traced() {
    let source: Vec<u32> = (0..1000u32).map(|n| 20 + n * n % 97).collect();
    let target: Vec<u32> = source.iter().filter(|&&length| length != 36).map(|length| length + length % 5).collect();
    assert!(source.len() > target.len() + 5, "{}", target.len());
    let config = GaleChurchConfig::default();
    let beads = align(&config, &source, &target, 2);
    assert_eq!(beads, align(&config, &source, &target, usize::MAX));
    assert!(beads.iter().filter(|bead| bead.source.len() == 1 && bead.target.len() == 1).count() > 900);
}

#[test]
fn one_empty_text_is_left_out_sentence_by_sentence() {
    let config = GaleChurchConfig::default();
    let shown = |beads: Vec<Bead>| beads.iter().map(Bead::to_string).collect::<Vec<_>>();
    assert_eq!(shown(align(&config, &[], &[], 2)), [""; 0]);
    assert_eq!(shown(align(&config, &[5, 7], &[], 2)), ["0\t", "1\t"]);
    assert_eq!(shown(align(&config, &[], &[5, 7, 9, 4, 1], 2)), ["\t0", "\t1", "\t2", "\t3", "\t4"]);
    // Sentences without characters, as blank lines: the priors decide.
    assert_eq!(shown(align(&config, &[0, 0], &[0, 0], 2)), ["0\t0", "1\t1"]);
    let far = align(&config, &[u32::MAX, u32::MAX], &[1], 2);
    assert!(total(&far).is_finite());
}

#[test]
fn configurations_are_checked() {
    let message = |config: GaleChurchConfig| SentenceAligner::new(config).unwrap_err().to_string();
    let config = GaleChurchConfig::default();
    assert_eq!(message(GaleChurchConfig { ratio: 0.0, ..config.clone() }), "ratio = 0: must be 0.000001 to 1000000");
    assert_eq!(
        message(GaleChurchConfig { variance: f64::NAN, ..config.clone() }),
        "variance = NaN: must be 0.000001 to 1000000"
    );
    let priors = Priors { two_two: 1.5, ..Priors::default() };
    assert_eq!(message(GaleChurchConfig { priors, ..config }), "prior = 1.5: must be 0 to 1");
    let priors = Priors { zero_one: 0.0, ..Priors::default() };
    assert_eq!(message(GaleChurchConfig { priors, ..config }), "prior = 0: must be above 0 for 1-0 and 0-1");
    let config = GaleChurchConfig::default();
    assert_eq!(
        config.signature(),
        "gale-church ratio:1 variance:6.8 1-0:0.0099 0-1:0.0099 1-1:0.89 2-1:0.089 1-2:0.089 2-2:0.011 \
         3-1:0.0089 1-3:0.0089 4-1:0.00089 1-4:0.00089"
    );
}

/// Equal lengths fit exactly, so the priors decide: one bead of three, which the published model cannot have, costs its
/// prior, where splitting it up costs differences of lengths as well.
#[test]
fn groups_of_three_and_four_are_found() {
    let shown = |source: &[u32], target: &[u32], most: usize| {
        let config = GaleChurchConfig { priors: Priors::up_to(most), ..GaleChurchConfig::default() };
        align(&config, source, target, 2).iter().map(Bead::to_string).collect::<Vec<_>>()
    };
    let (source, target) = ([40, 30, 35, 25, 60], [40, 90, 60]);
    assert_eq!(shown(&source, &target, 3), ["0\t0", "1,2,3\t1", "4\t2"]);
    assert_eq!(shown(&target, &source, 4), ["0\t0", "1\t1,2,3", "2\t4"]);
    assert_ne!(shown(&source, &target, 2), shown(&source, &target, 3));
    let (source, target) = ([40, 30, 35, 25, 50, 60], [40, 140, 60]);
    assert_eq!(shown(&source, &target, 4), ["0\t0", "1,2,3,4\t1", "5\t2"]);
    assert_eq!(shown(&target, &source, 4), ["0\t0", "1\t1,2,3,4", "2\t5"]);
}

#[test]
fn paragraphs_must_be_as_many() {
    let mut aligner = SentenceAligner::new(GaleChurchConfig::default()).unwrap();
    let error = aligner.align_paragraphs(&[vec![1], vec![2]], &[vec![1]], &Silent).unwrap_err();
    assert_eq!(error.to_string(), "the source has 2 paragraphs, the target 1 paragraph");
    let error = aligner.align_paragraphs(&[vec![1], vec![2]], &[[0; 0]; 0], &Silent).unwrap_err();
    assert_eq!(error.to_string(), "the target has no sentences, and the source has some");
}

#[test]
fn the_search_can_be_stopped() {
    struct Stop;
    impl Observer for Stop {
        fn cancelled(&self) -> bool {
            true
        }
    }
    let mut aligner = SentenceAligner::new(GaleChurchConfig::default()).unwrap();
    let error = aligner.align(&[1], &[1], &Stop).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Cancelled));
}

#[test]
fn beads_of_other_texts_have_no_confidences() {
    let mut aligner = SentenceAligner::new(GaleChurchConfig::default()).unwrap();
    let (source, target) = ([vec![10], vec![30, 12, 7]], [vec![11, 29], vec![13, 6]]);
    let beads = aligner.align_paragraphs(&source, &target, &Silent).unwrap();
    assert_eq!(aligner.with_confidences(beads.clone(), &source, &target, &Silent).unwrap().len(), beads.len());
    let whole = || vec![bead_of(0..1, 0..2), bead_of(1..2, 2..3), bead_of(2..4, 3..4)];
    assert!(aligner.with_confidences(whole(), &source, &target, &Silent).is_ok());
    let changed = |change: fn(&mut Vec<Bead>)| {
        let mut beads = whole();
        change(&mut beads);
        beads
    };
    for beads in [
        Vec::new(),
        changed(|beads| beads.truncate(2)),
        changed(|beads| *beads = beads.split_off(1)),
        changed(|beads| beads.swap(0, 1)),
        changed(|beads| beads.push(bead_of(4..5, 4..4))),
        changed(|beads| beads[2] = bead_of(2..5, 3..4)),
        changed(|beads| beads[1] = bead_of(1..1, 2..2)),
        // Across the end of a paragraph, a kind that there is not, and backwards.
        vec![bead_of(0..2, 0..1), bead_of(2..3, 1..3), bead_of(3..4, 3..4)],
        vec![bead_of(0..1, 0..2), bead_of(1..4, 2..4)],
        changed(|beads| beads[1].source = Range { start: 1, end: 0 }),
    ] {
        let error = aligner.with_confidences(beads.clone(), &source, &target, &Silent).unwrap_err();
        assert_eq!(error.to_string(), "the groups are not an alignment of these texts", "{beads:?}");
    }
    let error = aligner.with_confidences(whole(), &source, &target[..1], &Silent).unwrap_err();
    assert_eq!(error.to_string(), "the source has 2 paragraphs, the target 1 paragraph");
}

fn bead_of(source: Range<usize>, target: Range<usize>) -> Bead {
    Bead { source, target, cost: 0.0, misfit: 0.0 }
}
