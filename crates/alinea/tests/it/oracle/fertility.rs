//! How many words a word generates: 0 to 6, or 7 and more.

/// A value for each number of words.
pub(super) type Numbers = [f64; 8];

/// How likely it is that so many of independent events happen, x being the probabilities of each; those below 0.0001
/// do not count. Seven stands for more, too.
pub(super) fn numbers(x: impl IntoIterator<Item = f64>) -> Numbers {
    let mut numbers = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for x in x {
        if x < 0.0001 {
            continue;
        }
        let before = numbers;
        numbers[0] = (1.0 - x) * before[0];
        for n in 1..7 {
            numbers[n] = (1.0 - x) * before[n] + x * before[n - 1];
        }
        numbers[7] = before[7] + x * before[6];
    }
    numbers
}

/// th(e,n), from how often each e was expected to generate n words. `strength` pseudo-counts are distributed like the
/// counts of all words.
pub(super) fn table(counts: &[Numbers], strength: f64) -> Vec<Numbers> {
    let all: f64 = counts.iter().flatten().sum();
    let mut mean = [0.0; 8];
    for (n, mean) in mean.iter_mut().enumerate() {
        *mean = (counts.iter().map(|counts| counts[n]).sum::<f64>() + 0.01) / (all + 0.08);
    }
    let of = |counts: &Numbers| {
        let total: f64 = counts.iter().sum();
        let mut row = [0.0; 8];
        for n in 0..8 {
            row[n] = (counts[n] + strength * mean[n]) / (total + strength) + 1e-6;
        }
        row
    };
    counts.iter().map(of).collect()
}

/// R(i,j) by j for one position i: x are the posteriors P(i|j), `row` the th(e,n) of its word.
pub(super) fn factors(x: &[f64], row: &Numbers) -> Vec<f64> {
    let cavity: Vec<f64> = x.iter().map(|x| x / (x + (1.0 - x).max(1e-6))).collect();
    let factor = |j: usize| {
        let others = (0..x.len()).filter(|&k| k != j && cavity[k] > 0.001).map(|k| cavity[k]);
        let numbers = numbers(others);
        let without: f64 = (0..8).map(|n| numbers[n] * row[n]).sum();
        let with: f64 = (0..7).map(|n| numbers[n] * row[n + 1]).sum::<f64>() + 0.1 * numbers[7] * row[7];
        (with / without.max(1e-12)).clamp(1e-3, 1e3)
    };
    (0..x.len()).map(factor).collect()
}

/// Every subset of ten events once: those in it happen, the others do not.
#[test]
fn numbers_are_sums_over_all_subsets() {
    let x: [f64; 10] = [0.9, 0.8, 0.001, 0.5, 1.0, 0.3, 0.95, 0.7, 0.99, 0.6];
    let mut expected = [0.0; 8];
    for subset in 0..1_usize << x.len() {
        let inside = |k: usize| subset >> k & 1 == 1;
        let size = subset.count_ones().min(7) as usize;
        expected[size] += (0..x.len()).map(|k| if inside(k) { x[k] } else { 1.0 - x[k] }).product::<f64>();
    }
    for (ours, expected) in numbers(x).iter().zip(expected) {
        assert!((ours - expected).abs() < 1e-12, "{ours} instead of {expected}");
    }
}
