//! Steps of FTRL-Proximal (McMahan et al. 2013, *Ad click prediction*, algorithm 1), feature by feature.
//!
//! With `g` the slope, `n` the sum of squared slopes so far, α the rate and λ the penalty (that of a Gaussian prior):
//!
//! ```text
//! z += g - (√(n + g²) - √n) / α · w        n += g²        w = -z / ((1 + √n) / α + λ)
//! ```
//!
//! A weight that has had many slopes moves little, so that frequent features settle while rare ones still learn.

/// The weights of a feature, one for each label, and what there is to learn them by.
#[derive(Debug, Clone, Copy)]
pub(super) struct State<const LABELS: usize> {
    /// The weights.
    pub(super) weights: [f32; LABELS],
    sums: [f32; LABELS],
    squares: [f32; LABELS],
}

impl<const LABELS: usize> Default for State<LABELS> {
    fn default() -> Self {
        let zeros = [0.0; LABELS];
        Self { weights: zeros, sums: zeros, squares: zeros }
    }
}

impl<const LABELS: usize> State<LABELS> {
    /// One step down these slopes.
    pub(super) fn step(&mut self, slopes: [f32; LABELS], rate: f64, penalty: f64) {
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
        let mut state = State::<2>::default();
        state.step([-1.0, 0.0], 0.5, 1.0);
        assert!((state.weights[0] - 1.0 / 5.0).abs() < 1e-6 && state.weights[1].abs() < 1e-6);
        state.step([-0.5, 0.0], 0.5, 1.0);
        let root = 1.25f32.sqrt();
        let sum = -1.5 - (root - 1.0) / 0.5 * 0.2;
        assert!((state.weights[0] + sum / ((1.0 + root) / 0.5 + 1.0)).abs() < 1e-6);
    }
}
