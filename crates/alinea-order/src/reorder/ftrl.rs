//! Steps of FTRL-Proximal (McMahan et al. 2013, *Ad click prediction*, algorithm 1), feature by feature.
//!
//! With `g` the slope, `n` the sum of squared slopes so far, α the rate and λ the penalty (that of a Gaussian prior):
//!
//! ```text
//! z += g - (√(n + g²) - √n) / α · w        n += g²        w = -z / ((1 + √n) / α + λ)
//! ```
//!
//! Where weights start from others, of another text, it is the distance from those that is learned and drawn to 0 in this way
//! (Chelba and Acero 2004, *Adaptation of Maximum Entropy Capitalizer*: a Gaussian prior around them).
//!
//! A weight that has had many slopes moves little, so that frequent features settle while rare ones still learn.

use super::feature_table::FeatureTable;
use super::feature_weights::FeatureWeights;

/// The weights of features while they are learned.
#[derive(Debug)]
pub(super) struct Ftrl<'s, const LABELS: usize> {
    /// What weights start from; 0 without.
    start: Option<&'s FeatureWeights<LABELS>>,
    /// How far they are from there.
    states: FeatureTable<State<LABELS>>,
    rate: f64,
    penalty: f64,
}

/// The weights of a feature, one for each label, beside those that they start from, and what there is to learn them by.
#[derive(Debug, Clone, Copy)]
struct State<const LABELS: usize> {
    weights: [f32; LABELS],
    sums: [f32; LABELS],
    squares: [f32; LABELS],
}

impl<'s, const LABELS: usize> Ftrl<'s, LABELS> {
    /// Of no features yet but those that weights start from; `rate` above 0, `penalty` at least 0.
    pub(super) fn new(rate: f64, penalty: f64, start: Option<&'s FeatureWeights<LABELS>>) -> Self {
        Self { start, states: FeatureTable::default(), rate, penalty }
    }

    /// The weights of a feature; what they start from if it has had no slope.
    #[inline(always)]
    pub(super) fn weights(&self, key: u64) -> [f32; LABELS] {
        let weights = self.states.get(key).weights;
        match self.start {
            None => weights,
            Some(start) => sum(weights, start.row(key)),
        }
    }

    /// One step of a feature down these slopes.
    pub(super) fn step(&mut self, key: u64, slopes: [f32; LABELS]) {
        self.states.get_mut(key).step(slopes, self.rate, self.penalty);
    }

    /// What was learned.
    pub(super) fn finish(self) -> FeatureWeights<LABELS> {
        let learned = self.states.iter().map(|(key, _)| (key, self.weights(key)));
        let others = self.start.map(FeatureWeights::rows).into_iter().flatten();
        others.filter(|(key, _)| self.states.known(*key).is_none()).chain(learned).collect()
    }
}

#[inline(always)]
fn sum<const LABELS: usize>(one: [f32; LABELS], other: [f32; LABELS]) -> [f32; LABELS] {
    std::array::from_fn(|label| one[label] + other[label])
}

impl<const LABELS: usize> Default for State<LABELS> {
    fn default() -> Self {
        let zeros = [0.0; LABELS];
        Self { weights: zeros, sums: zeros, squares: zeros }
    }
}

impl<const LABELS: usize> State<LABELS> {
    fn step(&mut self, slopes: [f32; LABELS], rate: f64, penalty: f64) {
        for (label, slope) in slopes.into_iter().enumerate() {
            let slope = f64::from(slope);
            let square = f64::from(self.squares[label]);
            let (before, after) = (square.sqrt(), (square + slope * slope).sqrt());
            let sum = f64::from(self.sums[label]) + slope - (after - before) / rate * f64::from(self.weights[label]);
            self.sums[label] = sum as f32;
            self.squares[label] = (square + slope * slope) as f32;
            self.weights[label] = (-sum / ((1.0 + after) / rate + penalty)) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: z = -1 then -1 - 0.5 - (√1.25 - 1)·w/α; the labels do not see each other.
    #[test]
    fn steps_are_those_of_the_paper() {
        let mut learned = Ftrl::<2>::new(0.5, 1.0, None);
        assert!(learned.weights(7).iter().all(|weight| weight.abs() < 1e-12));
        learned.step(7, [-1.0, 0.0]);
        let [first, other] = learned.weights(7);
        assert!((first - 1.0 / 5.0).abs() < 1e-6 && other.abs() < 1e-6);
        learned.step(7, [-0.5, 0.0]);
        let root = 1.25f64.sqrt();
        let sum = -1.5 - (root - 1.0) / 0.5 * 0.2;
        let finished = learned.finish();
        assert_eq!(finished.len(), 1);
        assert!((finished.get(7)[0] + sum / ((1.0 + root) / 0.5 + 1.0)).abs() < 1e-6);
        assert!(finished.get(8).iter().all(|weight| weight.abs() < 1e-12));
    }

    /// The same steps, from other weights; a feature without slopes keeps its own.
    #[test]
    fn weights_start_from_others() {
        let start: FeatureWeights<2> = [(7, [0.3, -0.4]), (9, [0.5, 0.25])].into_iter().collect();
        let (mut one, mut other) = (Ftrl::<2>::new(0.5, 1.0, None), Ftrl::<2>::new(0.5, 1.0, Some(&start)));
        assert!((other.weights(7)[1] + 0.4).abs() < 1e-6);
        for slopes in [[-1.0, 0.0], [-0.5, 2.0], [0.25, -1.0]] {
            one.step(7, slopes);
            one.step(8, slopes);
            other.step(7, slopes);
            other.step(8, slopes);
        }
        let (one, other) = (one.finish(), other.finish());
        assert_eq!((one.len(), other.len()), (2, 3));
        for (key, from) in [(7, [0.3, -0.4]), (8, [0.0, 0.0]), (9, [0.5, 0.25])] {
            for (label, from) in from.into_iter().enumerate() {
                assert!((other.get(key)[label] - one.get(key)[label] - from).abs() < 1e-6, "{key}");
            }
        }
    }
}
