//! From the confidences of a pair's links to the probabilities that they are right.
//!
//! The mean posterior of a link orders links well, but what is nearly certain to the model is right less often, and what is
//! nearly impossible to it more often than that. How much more depends on the neighborhood: a pair of words whose other
//! links leave room, or that stands beside certain links, is linked by people more often than the model says, since they
//! link phrases and it links words. With p(i, j) the mean posterior of the words i and j,
//!
//! ```text
//! ln P/(1-P) = b + w1 ln p/(1-p) + w2 ln r(i, j) + w3 max(p(i-1, j-1), p(i+1, j+1)) + w4 max(p(i±1, j), p(i, j±1)),
//! r(i, j)    = (1 - Σ p(i, j')) (1 - Σ p(i', j)),      j' ≠ j, i' ≠ i; each factor at least 0.1,
//! ```
//!
//! where p below 0.01 count as 0. The five numbers were fitted by maximum likelihood to hand-aligned texts of nine language
//! pairs, none of which its accuracy is reported on (`docs/gold-split.md`,
//! `docs/benchmarks/confidences.md`), for two models: [`ModelName::AgreementLoo`] and [`ModelName::Quality`].
//!
//! Right is what people would link surely; how much people link differs between guidelines by more than the map corrects.
//!
//! ```
//! use alinea::alignment::{Link, WeightedLink};
//! use alinea::model::{Calibration, ModelName};
//!
//! let links = [(0, 0, 0.99), (0, 1, 0.05), (1, 1, 0.9), (3, 0, 0.05)];
//! let links = links.map(|(source, target, weight)| WeightedLink { link: Link::new(source, target), weight });
//! let calibrated = Calibration::of(ModelName::default()).expect("it was measured").of_links(links);
//! let probabilities = links.map(|found| calibrated.probability(found));
//! assert!(probabilities[0] < 0.99);
//! assert!(probabilities[1] > probabilities[3], "beside two certain links");
//! ```

use crate::alignment::{Link, WeightedLink};
use crate::model::name::ModelName;
use crate::model::pair::posteriors::Posteriors;
use crate::numeric::sigmoid;

/// The bias and the weights of [`Calibrated::features`] for `agreement-loo`.
const AGREEMENT_LOO: [f64; 5] = [-0.1661, 0.5868, 0.3373, -0.3051, 1.8898];

/// The same for `quality`.
const QUALITY: [f64; 5] = [0.7535, 0.8220, 0.5678, -0.1737, 1.7498];

/// The least room that is left to a word by its other links.
const LEAST_ROOM: f64 = 0.1;

/// The least odds that are told from impossible and from certain ones.
const LEAST: f64 = 1e-4;

/// What was fitted for a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// The bias, then the weights.
    weights: [f64; 5],
}

impl Calibration {
    /// That of a model, if it was measured.
    pub fn of(model: ModelName) -> Option<Self> {
        match model {
            ModelName::AgreementLoo => Some(Self { weights: AGREEMENT_LOO }),
            ModelName::Quality => Some(Self { weights: QUALITY }),
            _ => None,
        }
    }

    /// Takes the confidences of a pair.
    pub fn of_pair(self, posteriors: &Posteriors<'_>) -> Calibrated {
        self.of_links(posteriors.weighted_links(Calibrated::FLOOR))
    }

    /// The same of links with their mean posteriors from 0 to 1, in order; those below the floor do not count.
    ///
    /// Time and memory grow with the links.
    pub fn of_links(self, links: impl IntoIterator<Item = WeightedLink>) -> Calibrated {
        let links: Vec<WeightedLink> = links.into_iter().filter(|found| found.weight >= Calibrated::FLOOR).collect();
        let mut sums = [Vec::new(), Vec::new()];
        for WeightedLink { link, weight } in &links {
            for (sums, word) in sums.iter_mut().zip([link.source, link.target]) {
                let word = word as usize;
                if sums.len() <= word {
                    sums.resize(word + 1, 0.0);
                }
                sums[word] += f64::from(*weight);
            }
        }
        Calibrated { calibration: self, links, sums }
    }
}

/// The confidences of a sentence pair, and what they say of the links beside.
#[derive(Debug, Clone)]
pub struct Calibrated {
    calibration: Calibration,
    /// Links with a confidence of [`Calibrated::FLOOR`] or more, in order.
    links: Vec<WeightedLink>,
    /// The sums of these confidences for each source and each target word.
    sums: [Vec<f64>; 2],
}

impl Calibrated {
    /// The least confidence of a link that tells of the links beside it.
    pub const FLOOR: f32 = 0.01;

    /// The probability that a link with this mean posterior is right, from 0 to 1: the greater the greater the posterior.
    pub fn probability(&self, found: WeightedLink) -> f32 {
        let [bias, weights @ ..] = self.calibration.weights;
        let products = self.features(found).into_iter().zip(weights).map(|(feature, weight)| feature * weight);
        sigmoid(bias + products.sum::<f64>()) as f32
    }

    /// What the probability is reckoned from: the logarithms of the odds and of the room that the other links of both words
    /// leave, and the greatest confidences of the two neighbors along the diagonal and of the four beside.
    pub fn features(&self, WeightedLink { link, weight }: WeightedLink) -> [f64; 4] {
        let p = f64::from(weight);
        let odds = p.max(LEAST).ln() - (1.0 - p).max(LEAST).ln();
        let own = self.confidence(link);
        let room = |sums: &[f64], word: u32| {
            let others = sums.get(word as usize).map_or(0.0, |sum| sum - own);
            (1.0 - others).max(LEAST_ROOM).ln()
        };
        let room = room(&self.sums[0], link.source) + room(&self.sums[1], link.target);
        let greatest = |steps: &[[i32; 2]]| {
            let beside = steps.iter().filter_map(|&[source, target]| {
                Some(Link::new(link.source.checked_add_signed(source)?, link.target.checked_add_signed(target)?))
            });
            beside.map(|link| self.confidence(link)).fold(0.0, f64::max)
        };
        let (diagonal, beside) = (greatest(&[[-1, -1], [1, 1]]), greatest(&[[-1, 0], [1, 0], [0, -1], [0, 1]]));
        [odds, room, diagonal, beside]
    }

    /// The mean posterior of a link, 0 if it is below the floor.
    fn confidence(&self, link: Link) -> f64 {
        let found = self.links.binary_search_by_key(&link, |found| found.link);
        found.map_or(0.0, |place| f64::from(self.links[place].weight))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every cell of a pair has a confidence, in one source word's row after another.
    fn links(rows: &[Vec<f32>]) -> Vec<WeightedLink> {
        let cells = rows.iter().zip(0..).flat_map(|(row, source)| {
            row.iter().zip(0..).map(move |(&weight, target)| WeightedLink { link: Link::new(source, target), weight })
        });
        cells.collect()
    }

    /// The head of the module, over the whole grid.
    fn defined(rows: &[Vec<f32>], (i, j): (usize, usize), [b, w1, w2, w3, w4]: [f64; 5]) -> f64 {
        let p = |i: usize, j: usize| -> f64 {
            let p = rows.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0.0);
            if p < 0.01 { 0.0 } else { f64::from(p) }
        };
        let before = |n: usize| n.wrapping_sub(1);
        let row: f64 = (0..rows[0].len()).filter(|&other| other != j).map(|other| p(i, other)).sum();
        let column: f64 = (0..rows.len()).filter(|&other| other != i).map(|other| p(other, j)).sum();
        let room = (1.0 - row).max(0.1) * (1.0 - column).max(0.1);
        let diagonal = p(before(i), before(j)).max(p(i + 1, j + 1));
        let beside = p(before(i), j).max(p(i + 1, j)).max(p(i, before(j))).max(p(i, j + 1));
        let own = f64::from(rows[i][j]);
        let odds = own.max(1e-4).ln() - (1.0 - own).max(1e-4).ln();
        1.0 / (1.0 + (-(b + w1 * odds + w2 * room.ln() + w3 * diagonal + w4 * beside)).exp())
    }

    fn grid() -> impl Strategy<Value = Vec<Vec<f32>>> {
        let p = prop_oneof![Just(0.0f32), 0.0f32..0.02, 0.0f32..=1.0, Just(1.0f32)];
        (1usize..5)
            .prop_flat_map(move |width| proptest::collection::vec(proptest::collection::vec(p.clone(), width), 1..5))
    }

    proptest! {
        #[test]
        fn probabilities_are_those_of_the_definition(rows in grid()) {
            let links = links(&rows);
            for weights in [AGREEMENT_LOO, QUALITY] {
                let calibrated = Calibration { weights }.of_links(links.iter().copied());
                for &found in &links {
                    let expected = defined(&rows, (found.link.source as usize, found.link.target as usize), weights);
                    prop_assert!((f64::from(calibrated.probability(found)) - expected).abs() < 1e-6);
                }
            }
        }

        #[test]
        fn a_link_is_the_likelier_the_surer_the_model_is(rows in grid(), other in 0.0f32..=1.0) {
            let links = links(&rows);
            let calibrated = Calibration { weights: AGREEMENT_LOO }.of_links(links[1..].iter().copied());
            let [low, high] = [links[0].weight.min(other), links[0].weight.max(other)];
            let [low, high] = [low, high].map(|weight| calibrated.probability(WeightedLink { weight, ..links[0] }));
            prop_assert!(low <= high && low > 0.0 && high < 1.0);
        }
    }
}
