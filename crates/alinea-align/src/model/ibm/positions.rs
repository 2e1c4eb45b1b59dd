//! Alignment probabilities a(i | j, I, J) of Model 1, Model 2 and the diagonal model.
//!
//! ```text
//! Model 1     1 / (I + 1)
//! Model 2     c(i | j, I, J) / sum over i' of c(i' | j, I, J)          (Brown et al. 1993, section 4.2)
//! diagonal    p0 for i = 0 ,  else (1 - p0) e^(λ h(i)) / sum over i' of e^(λ h(i')) ,   h(i) = -|i / I - j / J|
//! ```
//!
//! The diagonal model is that of Dyer, Chahuneau and Smith (2013, equations 1 and 2). p0 is given; λ, the *tension*, is
//! estimated by Newton's method: the likelihood is concave in λ, and at its maximum the mean of h under the model is
//! that of the counts. Model 2 and the diagonal model have a table for each pair of lengths in the text (`shapes`);
//! where there is none, because a side has more than 100 words, Model 2 is uniform and the diagonal model computes the
//! formula.

use super::directed::Generated;
use super::shapes::{Conditioning, Shapes, normalize};
use super::shared_counts::SharedCounts;
use crate::bitext::RankedBitext;

/// Probabilities of positions, and how they are estimated.
#[derive(Debug)]
pub(super) struct Positions {
    kind: Kind,
    shapes: Shapes,
    /// By cell of a shape.
    values: Vec<f64>,
}

/// What is known of positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Model 1: all are alike.
    Uniform,
    /// Model 2: each has a probability.
    Free,
    /// They lie along the diagonal: e^(tension h) / Z with h = -|i / I - j / J|, and the empty word has a fixed
    /// probability (Dyer, Chahuneau and Smith 2013, equations 1 and 2).
    Diagonal {
        /// How closely (λ).
        tension: f64,
        /// Probability of the empty word (p0).
        null: f64,
    },
}

impl Positions {
    /// Model 1.
    pub(super) fn uniform() -> Self {
        Self { kind: Kind::Uniform, shapes: Shapes::default(), values: Vec::new() }
    }

    /// Model 2 or the diagonal model before training: alike, or as the tension says.
    pub(super) fn initial(kind: Kind, bitext: &RankedBitext, generated: Generated) -> Self {
        let shapes = Shapes::of(bitext, generated);
        let values = vec![0.0; shapes.len()];
        let mut positions = Self { kind, shapes, values };
        positions.lay_out();
        positions
    }

    /// The probabilities of all cells of a pair with I conditioning and J generated words.
    pub(super) fn fill(&self, shape: [usize; 2], into: &mut Vec<f64>) {
        into.clear();
        if let Some(cells) = self.shapes.cells(shape) {
            into.extend_from_slice(&self.values[cells]);
        } else {
            self.kind.fill(shape, into);
        }
    }

    /// Where the counts of a pair's cells begin, if its shape has any.
    pub(super) fn start(&self, shape: [usize; 2]) -> Option<usize> {
        self.shapes.cells(shape).map(|cells| cells.start)
    }

    /// Zero counts for it.
    pub(super) fn counts(&self) -> PositionCounts {
        PositionCounts(SharedCounts::zeros(self.values.len()))
    }

    /// The M-step: relative frequencies (Brown et al. 1993, equation 24), or the tension of the highest likelihood.
    pub(super) fn maximize(&mut self, counts: PositionCounts) {
        let counts = counts.0.into_values();
        match self.kind {
            Kind::Uniform => {}
            Kind::Free => normalize(&self.shapes, &counts, Conditioning::Generated, 0.0, &mut self.values),
            Kind::Diagonal { tension, null } => {
                self.kind = Kind::Diagonal { tension: best_tension(&self.shapes, &counts, tension), null };
                self.lay_out();
            }
        }
    }

    /// What is known of positions.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Visits all probabilities of shapes that occur: i (0 for the empty word), j from 1, I, J.
    pub(super) fn for_each(&self, mut visit: impl FnMut([usize; 4], f64)) {
        for ([conditions, words], cells) in self.shapes.iter() {
            for (n, &value) in self.values[cells].iter().enumerate() {
                visit([n % (conditions + 1), n / (conditions + 1) + 1, conditions, words], value);
            }
        }
    }

    fn lay_out(&mut self) {
        let mut row = Vec::new();
        for (shape, cells) in self.shapes.iter() {
            row.clear();
            self.kind.fill(shape, &mut row);
            self.values[cells].copy_from_slice(&row);
        }
    }
}

impl Kind {
    fn fill(self, [conditions, words]: [usize; 2], into: &mut Vec<f64>) {
        match self {
            Self::Uniform | Self::Free => into.resize((conditions + 1) * words, 1.0 / (conditions + 1) as f64),
            Self::Diagonal { tension, null } => {
                for j in 1..=words {
                    into.push(null);
                    let row = into.len();
                    into.extend((1..=conditions).map(|i| (tension * nearness([i, j], [conditions, words])).exp()));
                    let scale = (1.0 - null) / into[row..].iter().sum::<f64>();
                    into[row..].iter_mut().for_each(|value| *value *= scale);
                }
            }
        }
    }
}

/// h(i, j, I, J): 0 on the diagonal, down to -1.
fn nearness([i, j]: [usize; 2], [conditions, words]: [usize; 2]) -> f64 {
    -(i as f64 / conditions as f64 - j as f64 / words as f64).abs()
}

/// The bounds of the tension: that of Dyer et al.'s program.
const TENSIONS: std::ops::RangeInclusive<f64> = 0.1..=14.0;

/// Newton's steps from one tension to the next pass's: the likelihood is concave in it, and these are more than enough.
const STEPS: usize = 20;

/// The tension λ for which the expected nearness of the model is that of the counts: where the derivative of
/// Σ c(i, j) (λ h - ln Z) is zero.
fn best_tension(shapes: &Shapes, counts: &[f64], mut tension: f64) -> f64 {
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (shape, cells) in shapes.iter() {
            for (row, counts) in counts[cells].chunks_exact(shape[0] + 1).enumerate() {
                let at = |i: usize| nearness([i, row + 1], shape);
                let (mut mass, mut observed, mut whole, mut first, mut second) = (0.0, 0.0, 0.0, 0.0, 0.0);
                for (i, &count) in counts.iter().enumerate().skip(1) {
                    let h = at(i);
                    let weight = (tension * h).exp();
                    mass += count;
                    observed += count * h;
                    whole += weight;
                    first += weight * h;
                    second += weight * h * h;
                }
                let mean = first / whole;
                slope += observed - mass * mean;
                curvature += mass * (second / whole - mean * mean);
            }
        }
        if curvature <= 0.0 {
            break;
        }
        let step = slope / curvature;
        let next = (tension + step).clamp(*TENSIONS.start(), *TENSIONS.end());
        let done = (next - tension).abs() < 1e-9;
        tension = next;
        if done {
            break;
        }
    }
    tension
}

/// Expected counts of positions.
#[derive(Debug)]
pub(super) struct PositionCounts(SharedCounts);

impl PositionCounts {
    /// Adds a row of counts, from this cell on.
    #[inline(always)]
    pub(super) fn add(&self, start: usize, values: &[f64]) {
        values.iter().enumerate().for_each(|(n, &value)| self.0.add(start + n, value));
    }
}
