//! Correlations with human scores against SciPy, and against all pairs.

use std::sync::atomic::{AtomicU64, Ordering};

use alinea::error::ErrorKind;
use alinea::metric::correlation::{Agreement, Coefficient, ItemScores, PairCounts, bootstrap, williams};
use alinea::parallel::Parallelism;
use alinea::progress::{Observer, Silent};
use serde_json::Value;

const VECTORS: &str = include_str!("../vectors/correlations.jsonl");

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[track_caller]
fn close(found: Option<f64>, expected: &Value) {
    let (found, expected) = (found.unwrap(), expected.as_f64().unwrap());
    assert!((found - expected).abs() <= 1e-10 * expected.abs().max(1e-3), "{found} {expected}");
}

#[test]
fn coefficients_are_as_scipy_has_them() {
    let mut checked = 0;
    for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let human = numbers(&vector["human"]);
        let items = human.len();
        let scores = |name: &str| ItemScores::new(human.clone(), numbers(&vector[name]), vec![items]).unwrap();
        let (metric, other) = (scores("metric"), scores("other"));
        close(Coefficient::Pearson.of(&metric), &vector["pearson"]);
        close(Coefficient::Spearman.of(&metric), &vector["spearman"]);
        close(Coefficient::TauB.of(&metric), &vector["kendall"]);
        let test = williams(&metric, &other).unwrap();
        close(Some(test.t), &vector["williams_t"]);
        close(Some(test.p_value), &vector["williams_p"]);
        let PairCounts { concordant, discordant, metric_ties, human_ties, both_ties } = metric.pairs();
        let found = [concordant, discordant, metric_ties, human_ties, both_ties].map(|count| count as f64);
        assert_eq!(found.to_vec(), numbers(&vector["pairs"]));
        let [c, d, t, h, b] = found;
        for (coefficient, expected) in [
            (Coefficient::Tau10, (c - d - t) / (c + d + t)),
            (Coefficient::Tau13, (c - d) / (c + d)),
            (Coefficient::Tau14, (c - d) / (c + d + t)),
            (Coefficient::Accuracy, (c + b) / (c + d + t + h + b)),
        ] {
            close(coefficient.of(&metric), &expected.into());
        }
        checked += 1;
    }
    assert_eq!(checked, 6);
}

/// Scores of segments by systems, one of which agrees with people better than the other.
fn systems() -> [ItemScores; 2] {
    let noise = |seed: usize, item: usize| ((item * 7919 + seed * 104_729) % 1013) as f64 / 1013.0;
    let human: Vec<f64> = (0..300).map(|item| noise(1, item)).collect();
    let ends: Vec<usize> = (1..=100).map(|segment| 3 * segment).collect();
    [0.2, 2.0].map(|share| {
        let metric = human.iter().enumerate().map(|(item, score)| score + share * noise(5, item * item)).collect();
        ItemScores::new(human.clone(), metric, ends.clone()).unwrap()
    })
}

/// The bootstrap, by so many threads.
fn drawn(metrics: &[ItemScores], coefficient: Coefficient, samples: usize, seed: u64, threads: usize) -> Agreement {
    bootstrap(metrics, coefficient, samples, seed, &Parallelism::new(threads).unwrap(), &Silent).unwrap()
}

/// Wants the work to end as soon as some of it is done.
#[derive(Default)]
struct Impatient {
    samples: AtomicU64,
    announced: AtomicU64,
}

impl Observer for Impatient {
    fn started(&self, _: &str, units: u64) {
        self.announced.store(units, Ordering::Relaxed);
    }

    fn advance(&self, units: u64) {
        self.samples.fetch_add(units, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.samples.load(Ordering::Relaxed) > 0
    }
}

#[test]
fn the_bootstrap_stops_when_it_is_told_to() {
    for threads in [1, 2] {
        let (observer, parallelism) = (Impatient::default(), Parallelism::new(threads).unwrap());
        let stopped = bootstrap(&systems(), Coefficient::Spearman, 100_000, 1, &parallelism, &observer).unwrap_err();
        assert!(matches!(stopped.kind(), ErrorKind::Cancelled), "{stopped}");
        let (samples, announced) = (observer.samples.into_inner(), observer.announced.into_inner());
        assert!(announced == 100_000 && samples < 10_000, "{samples} of {announced}");
    }
}

#[test]
fn samples_say_how_sure_coefficients_are() {
    let metrics = systems();
    for coefficient in Coefficient::ALL {
        let found = drawn(&metrics, coefficient, 200, 12_345, 1);
        for (value, interval) in found.values.iter().zip(&found.intervals) {
            let (value, interval) = (value.unwrap(), interval.unwrap());
            assert!(interval.low < value && value < interval.high, "{coefficient}");
        }
        let difference = found.differences[0];
        assert!(difference.interval.unwrap().low > 0.0, "{coefficient}");
        assert_eq!(difference.p_value, Some(2.0 / 201.0), "{coefficient}");
        assert_eq!(drawn(&metrics, coefficient, 200, 12_345, 3), found);
        let same = drawn(&[metrics[0].clone(), metrics[0].clone()], coefficient, 50, 1, 1);
        assert_eq!(same.differences[0].p_value, Some(1.0), "{coefficient}");
    }
}

/// The standard error of Pearson's r over independent items is about (1 - r²) / sqrt(n) (Fisher 1915).
#[test]
fn intervals_are_as_wide_as_theory_has_them() {
    let human: Vec<f64> = systems()[0].human().to_vec();
    let metric = systems()[1].metric().to_vec();
    let scores = ItemScores::new(human, metric, vec![300]).unwrap();
    let found = drawn(&[scores], Coefficient::Pearson, 1000, 12_345, 1);
    let (r, interval) = (found.values[0].unwrap(), found.intervals[0].unwrap());
    let expected = 2.0 * 1.96 * (1.0 - r * r) / 300.0_f64.sqrt();
    let found = interval.high - interval.low;
    assert!((found / expected - 1.0).abs() < 0.25, "{found} {expected}");
}

#[test]
fn metrics_must_have_scored_the_same() {
    let [one, other] = systems();
    let fewer = ItemScores::new(vec![1.0; 3], vec![1.0; 3], vec![3]).unwrap();
    let refused = |metrics: &[ItemScores], samples: usize| {
        bootstrap(metrics, Coefficient::TauB, samples, 1, &Parallelism::serial(), &Silent).unwrap_err().to_string()
    };
    assert_eq!(refused(&[one.clone(), fewer.clone()], 10), "metrics have scored other items");
    assert_eq!(refused(&[one.clone(), other], 0), "samples = 0: must be 1 or more");
    assert_eq!(williams(&one, &fewer), None);
}
