//! Expectations are computed by hand from the exact distribution of the samples.

use super::*;

fn mean(counts: &[u64]) -> [Option<f64>; 1] {
    [(counts[1] > 0).then(|| counts[0] as f64 / counts[1] as f64)]
}

fn coins(ones: u64, rows: u64) -> Statistics {
    Statistics::from_rows((0..rows).map(|row| [u64::from(row < ones), 1]))
}

fn many() -> Bootstrap {
    Bootstrap { samples: 20_000, ..Bootstrap::default() }
}

#[test]
fn the_standard_error_of_a_share_is_that_of_the_binomial_distribution() {
    // sqrt(p (1 - p) / n) with p = 3/10, n = 40; 20,000 samples estimate it to about 0.5 % (one standard deviation).
    let [estimate] = many().estimate(&coins(12, 40), mean, &Parallelism::serial()).unwrap();
    let exact = (0.3f64 * 0.7 / 40.0).sqrt();
    assert_eq!(estimate.value, Some(0.3));
    assert!((estimate.standard_error.unwrap() / exact - 1.0).abs() < 0.025);
}

#[test]
fn the_interval_of_a_share_is_that_of_the_binomial_distribution() {
    // Binomial(27, 4/27): P(X <= 0) = 0.013, P(X <= 1) = 0.075; P(X >= 9) = 0.013, P(X >= 8) = 0.037. The 2.5 %
    // quantile is 1 and the 97.5 % quantile 8, with ten standard deviations of the sampled shares to spare.
    let [estimate] = many().estimate(&coins(4, 27), mean, &Parallelism::serial()).unwrap();
    assert_eq!(estimate.interval, Some(Interval { low: 1.0 / 27.0, high: 8.0 / 27.0 }));
}

#[test]
fn the_p_value_is_that_of_the_exact_bootstrap_distribution() {
    // Two sentences, d = 1/2: the first system is better by 1 on one and equal on the other. Samples have d* = 0, 1/2,
    // 1 with probabilities 1/4, 1/2, 1/4, and |d* - d| >= |d| for the outer two: p = 1/2.
    let [difference] = many().compare(&coins(2, 2), &coins(1, 2), mean, &Parallelism::serial()).unwrap();
    assert_eq!(difference.difference, Some(0.5));
    assert!((difference.p_value.unwrap() - 0.5).abs() < 0.02);
    assert!((difference.higher as f64 / 20_000.0 - 0.75).abs() < 0.02);
    assert_eq!(difference.lower, 0);
    assert_eq!(difference.interval, Some(Interval { low: 0.0, high: 1.0 }));
}

#[test]
fn equal_systems_do_not_differ() {
    let [difference] = many().compare(&coins(3, 9), &coins(3, 9), mean, &Parallelism::serial()).unwrap();
    assert_eq!((difference.difference, difference.p_value), (Some(0.0), Some(1.0)));
    assert_eq!((difference.higher, difference.lower), (0, 0));
}

#[test]
fn exchanging_the_systems_changes_signs_only() {
    let (a, b) = (coins(11, 30), coins(7, 30));
    let [one] = Bootstrap::default().compare(&a, &b, mean, &Parallelism::serial()).unwrap();
    let [two] = Bootstrap::default().compare(&b, &a, mean, &Parallelism::serial()).unwrap();
    assert_eq!(one.difference, two.difference.map(|d| -d));
    assert_eq!((one.higher, one.lower), (two.lower, two.higher));
    assert_eq!(one.p_value, two.p_value);
    assert_eq!(one.interval.map(|i| (i.low, i.high)), two.interval.map(|i| (-i.high, -i.low)));
}

#[test]
fn threads_do_not_change_results() {
    let (a, b) = (coins(11, 30), coins(7, 30));
    let bootstrap = Bootstrap { samples: 333, ..Bootstrap::default() };
    let serial = bootstrap.compare(&a, &b, mean, &Parallelism::serial()).unwrap();
    for threads in [2, 3, 5] {
        let parallelism = Parallelism::new(threads).unwrap();
        assert_eq!(bootstrap.compare(&a, &b, mean, &parallelism).unwrap(), serial);
    }
}

/// Every sample of one row is that row, which says nothing of others.
#[test]
fn one_row_is_not_resampled() {
    let [one, other] = [[1, 1], [0, 1]].map(|row| Statistics::from_rows([row]));
    let [estimate] = Bootstrap::default().estimate(&one, mean, &Parallelism::serial()).unwrap();
    assert_eq!(estimate, Estimate { value: Some(1.0), interval: None, standard_error: None, undefined: 0 });
    let [difference] = Bootstrap::default().compare(&one, &other, mean, &Parallelism::serial()).unwrap();
    assert_eq!((difference.difference, difference.interval, difference.p_value), (Some(1.0), None, None));
    assert_eq!((difference.higher, difference.standard_error), (0, None));
}

#[test]
fn samples_without_a_score_are_left_out_and_counted() {
    // A sample of two rows holds only the empty row with probability 1/4.
    let statistics = Statistics::from_rows([[0, 0], [1, 1]]);
    let [estimate] = many().estimate(&statistics, mean, &Parallelism::serial()).unwrap();
    assert!((estimate.undefined as f64 / 20_000.0 - 0.25).abs() < 0.02);
    assert_eq!(estimate.interval, Some(Interval { low: 1.0, high: 1.0 }));
    assert_eq!(estimate.standard_error, Some(0.0));

    let nothing = Statistics::from_rows([[0, 0], [0, 0]]);
    let [estimate] = Bootstrap::default().estimate(&nothing, mean, &Parallelism::serial()).unwrap();
    let expected = Estimate { value: None, interval: None, standard_error: None, undefined: 1000 };
    assert_eq!(estimate, expected);
}

#[test]
fn percentiles_leave_out_the_same_number_on_both_sides() {
    let hundred = || (1..=100).map(f64::from).rev().collect::<Vec<_>>();
    assert_eq!(percentile_interval(hundred(), 0.90), Some(Interval { low: 6.0, high: 95.0 }));
    assert_eq!(percentile_interval(hundred(), 0.95), Some(Interval { low: 3.0, high: 98.0 }));
    assert_eq!(percentile_interval(hundred(), 1e-12), Some(Interval { low: 50.0, high: 51.0 }));
    assert_eq!(percentile_interval(vec![7.0], 0.5), Some(Interval { low: 7.0, high: 7.0 }));
}

#[test]
fn impossible_requests_are_errors() {
    let two = coins(1, 2);
    let serial = Parallelism::serial();
    let none = Bootstrap { samples: 0, ..Bootstrap::default() };
    assert_eq!(none.estimate(&two, mean, &serial).unwrap_err().to_string(), "samples = 0: must be 1 or more");
    let certain = Bootstrap { confidence: 1.0, ..Bootstrap::default() };
    assert!(certain.validate().is_err());
    assert!(Bootstrap { confidence: f64::NAN, ..Bootstrap::default() }.validate().is_err());
    let usual = Bootstrap::default();
    let error = usual.estimate(&Statistics::new(2), mean, &serial).unwrap_err();
    assert_eq!(error.to_string(), "no sentences to resample");
    let error = usual.compare(&two, &coins(1, 3), mean, &serial).unwrap_err();
    assert_eq!(error.to_string(), "unequal lengths: first has 2 lines, second has 3");
    assert!(usual.compare(&two, &Statistics::from_rows([[1], [2]]), mean, &serial).is_err());
    assert!(Statistics::new(2).push(&[1]).is_err());
}

#[test]
fn sums_do_not_overflow() {
    assert_eq!(Statistics::from_rows([[u64::MAX], [1]]).totals(), [u64::MAX]);
}
