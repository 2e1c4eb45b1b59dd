//! Model 1 against all alignments.

use alinea::alignment::Link;
use alinea::bitext::RankedBitext;
use alinea::model::{Aligner, AlignerConfig, NullProbability, Schedule};
use alinea::numeric::Generator;

use crate::oracle::{Direction, Oracle, Stage, parameters_of};
use crate::texts::{Lines, bitext, tiny, train};

/// Texts to try.
pub(crate) const TEXTS: u64 = 150;

/// What single precision may change in one step: a relative and an absolute part.
const STEP: (f64, f64) = (1e-4, 2e-6);

/// What rounding may change in one pass: a posterior on the edge between two multiples of 2^-16 may be rounded up here
/// and down there.
const PASS: (f64, f64) = (5e-4, 2e-4);

/// What it may change in several passes.
const TRAINING: (f64, f64) = (2e-3, 5e-4);

/// A comparison that failed says where.
pub(crate) fn assert_close(ours: f64, expected: f64, (relative, absolute): (f64, f64), place: &str) {
    let allowed = relative * expected.abs() + absolute;
    assert!((ours - expected).abs() <= allowed, "{place}: {ours} instead of {expected}");
}

/// Posteriors, their weights and best paths of every pair, under the model's own parameters.
pub(crate) fn compare_decoding(text: &RankedBitext, aligner: &Aligner, stage: Stage, lines: &Lines) {
    let parameters = parameters_of(aligner, text);
    let oracle = Oracle::new(text, aligner.config());
    let mut worker = aligner.worker(text).judging();
    for n in 0..text.len() {
        let expected = oracle.alignments(n, &parameters, stage);
        let place = format!("{stage:?}, pair {n} of {lines:?}");
        let paths = worker.viterbi(n);
        let posteriors = worker.posteriors(n).expect("no side is empty");
        for (side, expected) in expected.iter().enumerate() {
            assert_close(posteriors.log_weights()[side], expected.likelihood.ln(), (1e-6, 1e-4), &place);
            let (judging, config) = parameters[side].likelihood(aligner.config());
            let judged = Oracle::new(text, &config).alignments_of(n, side, &judging, stage);
            let likelihood = posteriors.log_likelihoods().expect("the worker was asked")[side];
            assert_close(likelihood, judged.likelihood.ln(), (1e-6, 1e-4), &place);
            let link = |i: usize, j: usize| [Link::new(i as u32, j as u32), Link::new(j as u32, i as u32)][side];
            let mut path = Vec::new();
            for (j, row) in expected.posterior.iter().enumerate() {
                let ours = |i| f64::from([posteriors.forward(link(i, j)), posteriors.reverse(link(i, j))][side]);
                for (i, &posterior) in row.iter().enumerate() {
                    assert_close(ours(i), posterior, STEP, &place);
                }
                let null = 1.0 - (0..row.len()).map(ours).sum::<f64>();
                assert_close(null, expected.null[j], STEP, &place);
                path.push((0..row.len()).find(|&i| paths[side].contains(link(i, j))));
            }
            assert_eq!(paths[side].len(), path.iter().flatten().count(), "a word with two links: {place}");
            // Where several alignments are about as good, ours has to be one of them.
            let unique = expected.best_weight > expected.second_weight * (1.0 + 1e-4);
            if unique {
                assert_eq!(path, expected.best, "{place}");
            }
            let weight = oracle.weight((n, side), &parameters[side], stage, &path);
            assert_close(weight, expected.best_weight, (1e-4, 0.0), &place);
        }
    }
}

/// Every parameter.
pub(crate) fn compare_parameters(ours: &[Direction; 2], expected: &[Direction; 2], tolerance: (f64, f64), place: &str) {
    for (side, (ours, expected)) in ours.iter().zip(expected).enumerate() {
        let tables = ours.translation.iter().zip(&expected.translation);
        for (e, (ours, expected)) in tables.enumerate() {
            for (f, (&ours, &expected)) in ours.iter().zip(expected).enumerate() {
                assert_eq!(ours.is_nan(), expected.is_nan(), "which words occur together: {place}");
                if !expected.is_nan() {
                    assert_close(ours, expected, tolerance, &format!("t({f}|{e}), direction {side}, {place}"));
                }
            }
        }
        for (f, (&ours, &expected)) in ours.null.iter().zip(&expected.null).enumerate() {
            assert_close(ours, expected, tolerance, &format!("p({f}|empty), direction {side}, {place}"));
        }
        for (ours, expected) in ours.jumps.weights().zip(expected.jumps.weights()) {
            assert_close(ours, expected, tolerance, &format!("jumps, direction {side}, {place}"));
        }
    }
}

/// Each pass of the library, started from the library's own parameters before it; then all passes together.
pub(crate) fn compare_training(text: &RankedBitext, config: &AlignerConfig, passes: &[Stage], lines: &Lines) {
    let oracle = Oracle::new(text, config);
    let mut before = oracle.start();
    let mut whole = oracle.start();
    for (n, &stage) in passes.iter().enumerate() {
        let hmm = passes[..=n].iter().filter(|&&stage| stage == Stage::Hmm).count() as u32;
        let schedule = Schedule { ibm1: n as u32 + 1 - hmm, hmm };
        let aligner = train(text, &config.clone().with(|c| c.schedule = Some(schedule)));
        let ours = parameters_of(&aligner, text);
        let place = format!("pass {n} under {} of {lines:?}", aligner.signature());
        let (expected, log_likelihood) = oracle.pass(&before, stage);
        for (ours, expected) in aligner.log_likelihoods()[n].iter().zip(log_likelihood) {
            assert_close(*ours, expected, (1e-5, 1e-4), &place);
        }
        compare_parameters(&ours, &expected, PASS, &place);
        whole = oracle.pass(&whole, stage).0;
        compare_parameters(&ours, &whole, TRAINING, &format!("whole {place}"));
        before = ours;
    }
}

#[test]
fn sums_over_all_alignments() {
    for seed in 0..TEXTS {
        let lines = tiny(&mut Generator::new(seed, 1));
        let text = bitext(&lines);
        for schedule in [1, 2, 5] {
            let config = AlignerConfig::ibm1().with(|c| c.schedule = Some(Schedule { ibm1: schedule, hmm: 0 }));
            compare_decoding(&text, &train(&text, &config), Stage::Ibm1, &lines);
        }
    }
}

#[test]
fn training_is_that_of_enumeration() {
    for seed in 0..TEXTS {
        let lines = tiny(&mut Generator::new(seed, 2));
        let text = bitext(&lines);
        let fixed = NullProbability::Fixed(0.2);
        for config in [
            AlignerConfig::ibm1(),
            AlignerConfig::ibm1().with(|c| c.null_probability = fixed),
            AlignerConfig::agreement(),
        ] {
            compare_training(&text, &config, &[Stage::Ibm1; 3], &lines);
        }
    }
}
