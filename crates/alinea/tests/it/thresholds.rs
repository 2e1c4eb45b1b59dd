//! Thresholds chosen for a text, against the definition: sums over all cells in double precision.

use alinea::align::{ExpectedLinks, Found, Objective, THRESHOLDS, Trained, TrainingData, Wants};
use alinea::model::{AlignerConfig, Schedule};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;

use crate::texts::{Lines, bitext, models, sample, train};

/// The confidences of all cells of each pair.
fn confidences(trained: &Trained, data: &TrainingData) -> Vec<Vec<f64>> {
    let wants = Wants { posteriors: true, ..Wants::default() };
    let means = |found: Found<'_>| {
        found.posteriors.map_or_else(Vec::new, |posteriors| posteriors.means().map(f64::from).collect())
    };
    let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
    trained.each(data, wants, means, work).expect("nobody says stop")
}

/// The number of links of a threshold, and the expected number of them that are right.
fn links(confidences: &[f64], threshold: f32) -> (f64, f64) {
    let made = confidences.iter().filter(|&&p| p >= f64::from(threshold));
    (made.clone().count() as f64, made.sum())
}

fn measure(trained: &Trained, data: &TrainingData, threads: usize) -> ExpectedLinks {
    let parallelism = Parallelism::new(threads).expect("a few threads");
    let work = Work { parallelism: &parallelism, observer: &Silent };
    trained.expected_links(data, None, work).expect("nobody says stop")
}

#[test]
fn the_best_expected_f_is_chosen_under_any_number_of_threads() {
    let mut lines = sample();
    lines.insert(7, ("word".to_owned(), String::new()));
    let data = TrainingData::from(bitext(&lines));
    let text = data.text();
    for config in models() {
        let trained = Trained::from(train(text, &config));
        let confidences = confidences(&trained, &data).concat();
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
        let chosen = expected.choose(Objective::F(0.5)).scores;
        assert_eq!(Some(chosen.threshold), best, "{}", config.name);
        assert!((chosen.f.expect("there are links") - f(chosen.threshold)).abs() < 1e-6, "{}", config.name);
    }
}

#[test]
fn of_a_long_text_evenly_spaced_pairs_are_measured() {
    let words = |n: usize| ["a b", "b", "c a", "b c"][n % 4].to_owned();
    let lines: Lines = (0..50_001).map(|n| (words(n / 3), words(n / 3 + n % 2))).collect();
    let data = TrainingData::from(bitext(&lines));
    let config = AlignerConfig::ibm1().with(|c| c.schedule = Some(Schedule { ibm1: 1, hmm: 0 }));
    let trained = Trained::from(train(data.text(), &config));
    let all = confidences(&trained, &data);
    let confidences: Vec<f64> = (0..20_000).flat_map(|n| all[n * 50_001 / 20_000].iter().copied()).collect();
    let expected = measure(&trained, &data, 2);
    let all: f64 = confidences.iter().sum();
    for scores in expected.scores(0.5) {
        let (links, right) = links(&confidences, scores.threshold);
        assert!((scores.precision.unwrap_or(0.0) - right / links.max(1.0)).abs() < 1e-9, "{scores:?}");
        assert!((scores.recall.unwrap_or(0.0) - right / all).abs() < 1e-9, "{scores:?}");
    }
}
