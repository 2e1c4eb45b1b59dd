//! Thresholds chosen for a text, against the definition: sums over all cells in double precision.

use alinea::align::{ExpectedLinks, Objective, THRESHOLDS, Trained, TrainingData};
use alinea::alignment::Link;
use alinea::bitext::RankedBitext;
use alinea::model::{Aligner, AlignerConfig, Schedule};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;

use crate::texts::{Lines, bitext, models, sample, train};

/// The confidences of all cells of some pairs.
fn confidences(aligner: &Aligner, text: &RankedBitext, pairs: impl Iterator<Item = usize>) -> Vec<f64> {
    let mut worker = aligner.worker(text);
    let mut all = Vec::new();
    for n in pairs {
        let pair = text.pair(n);
        let Some(posteriors) = worker.posteriors(n) else { continue };
        for source in 0..pair.source.len() as u32 {
            let cells = (0..pair.target.len() as u32).map(|target| posteriors.mean(Link::new(source, target)));
            all.extend(cells.map(f64::from));
        }
    }
    all
}

/// The number of links of a threshold, and the expected number of them that are right.
fn links(confidences: &[f64], threshold: f32) -> (f64, f64) {
    let made = confidences.iter().filter(|&&p| p >= f64::from(threshold));
    (made.clone().count() as f64, made.sum())
}

fn measure(trained: &Trained, data: &TrainingData, threads: usize) -> ExpectedLinks {
    let parallelism = Parallelism::new(threads).expect("a few threads");
    let work = Work { parallelism: &parallelism, observer: &Silent };
    trained.expected_links(data, work).expect("nobody says stop")
}

#[test]
fn the_best_expected_f_is_chosen_under_any_number_of_threads() {
    let mut lines = sample();
    lines.insert(7, ("word".to_owned(), String::new()));
    let data = TrainingData::from(bitext(&lines));
    let text = data.text();
    for config in models() {
        let aligner = train(text, &config);
        let confidences = confidences(&aligner, text, 0..text.len());
        let trained = Trained::from(aligner);
        let expected = measure(&trained, &data, 1);
        for threads in [2, 3] {
            assert_eq!(measure(&trained, &data, threads), expected, "{} under {threads} threads", config.name);
        }
        let all: f64 = confidences.iter().sum();
        let f = |threshold| {
            let (links, right) = links(&confidences, threshold);
            2.0 * right / (links + all)
        };
        let best = THRESHOLDS.into_iter().reduce(|best, next| if f(next) > f(best) { next } else { best });
        let chosen = expected.choose(Objective::default()).scores;
        assert_eq!(Some(chosen.threshold), best, "{}", config.name);
        assert!((chosen.f.expect("there are links") - f(chosen.threshold)).abs() < 1e-6, "{}", config.name);
    }
}

#[test]
fn of_a_long_text_evenly_spaced_pairs_are_measured() {
    let words = |n: usize| ["a b", "b", "c a", "b c"][n % 4].to_owned();
    let lines: Lines = (0..50_001).map(|n| (words(n / 3), words(n / 3 + n % 2))).collect();
    let data = TrainingData::from(bitext(&lines));
    let aligner = train(data.text(), &AlignerConfig::ibm1().with(|c| c.schedule = Some(Schedule { ibm1: 1, hmm: 0 })));
    let confidences = confidences(&aligner, data.text(), (0..20_000).map(|n| n * 50_001 / 20_000));
    let expected = measure(&Trained::from(aligner), &data, 2);
    let all: f64 = confidences.iter().sum();
    for scores in expected.scores(0.5) {
        let (links, right) = links(&confidences, scores.threshold);
        assert!((scores.precision.unwrap_or(0.0) - right / links.max(1.0)).abs() < 1e-9, "{scores:?}");
        assert!((scores.recall.unwrap_or(0.0) - right / all).abs() < 1e-9, "{scores:?}");
    }
}
