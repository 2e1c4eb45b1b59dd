//! What scores say about links, learned from a text without links made by people.
//!
//! Scores fall into 14 ranges. Let z be the probability that a cell is a link, at first its mean posterior p; r_b is how
//! much more often range b is found among links than elsewhere, as a logarithm:
//!
//! ```text
//! f1_b = Σ_{cells in b} z + n1_b ,   f0_b = Σ_{cells in b} (1 - z) + n0_b ,   each divided by its sum over b
//! r_b  = max_{b' <= b} ln(f1_b' / f0_b')
//! z    = σ( logit p + r_b ) ,   fifteen times.
//! ```
//!
//! The pseudo-counts n are 1,000 links and 20,000 other cells as they fall into ranges in texts of many languages: those
//! of ten pairs have too few links to learn from. How much scores say about links of this text, the divergence
//! Σ_b f1_b r_b in nats, is measured without them, with half a cell in each range.
//!
//! All that is kept of the cells is how many have which posterior, in steps of 1/400 in log-odds, and which range.

use crate::numeric::sigmoid;

/// How many ranges of scores there are.
pub const RANGES: usize = 14;

/// Where one range ends and the next begins.
const EDGES: [f32; RANGES - 1] = [0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.16, 0.25, 0.35, 0.45, 0.55, 0.7, 0.85];

/// Which ranges the links, and the other cells, of texts in many languages fall into.
const LINKS: [f64; RANGES] =
    [0.0003, 0.0017, 0.0063, 0.0133, 0.0152, 0.0180, 0.0223, 0.0312, 0.0332, 0.0326, 0.0315, 0.0569, 0.0805, 0.657];
const OTHERS: [f64; RANGES] = [
    0.788_945, 0.071_455, 0.058_224, 0.03697, 0.016_552, 0.009_606, 0.006_852, 0.005_021, 0.002_675, 0.001_553,
    0.000_955, 0.000_805, 0.000_318, 0.00007,
];

/// How many of each are added to the cells of a text.
const PSEUDO_LINKS: f64 = 1000.0;
const PSEUDO_OTHERS: f64 = 20_000.0;

/// What is added where the divergence is measured.
const HALF: f64 = 0.5;

/// Posteriors are taken for no less and no more than these.
const LEAST: f64 = 0.002;
const MOST: f64 = 0.97;

/// Levels of posteriors, for a unit of log-odds and in all: from logit 0.002 to logit 0.97 there are 9.7 units.
const LEVELS_OF_ONE: f64 = 400.0;
const LEVELS: usize = 3876;

const STEPS: usize = 15;

/// The range that a score from 0 to 1 is in, from 0 to 13.
pub fn range_of(score: f32) -> u8 {
    EDGES.iter().map(|&edge| u8::from(score >= edge)).sum()
}

/// How many cells of a text have which posterior and a score in which range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellCounts(Vec<[u64; RANGES]>);

impl Default for CellCounts {
    fn default() -> Self {
        Self(vec![[0; RANGES]; LEVELS])
    }
}

impl CellCounts {
    /// Counts a cell: its mean posterior from 0 to 1, and the [range](range_of) of its score.
    ///
    /// # Panics
    /// If there is no such range.
    pub fn add(&mut self, posterior: f32, range: u8) {
        let level = (logit(f64::from(posterior).clamp(LEAST, MOST)) - logit(LEAST)) * LEVELS_OF_ONE;
        self.0[(level.round() as usize).min(LEVELS - 1)][usize::from(range)] += 1;
    }

    /// Adds those of another part of the text.
    pub fn merge(&mut self, other: &Self) {
        for (level, of_other) in self.0.iter_mut().zip(&other.0) {
            level.iter_mut().zip(of_other).for_each(|(count, other)| *count += other);
        }
    }

    /// What scores say about links. O(1): 15 steps over the counts.
    pub fn evidence(&self) -> Evidence {
        let pseudo = [LINKS.map(|share| share * PSEUDO_LINKS), OTHERS.map(|share| share * PSEUDO_OTHERS)];
        let (ratios, _) = self.learn(pseudo);
        let (_, divergence) = self.learn([[HALF; RANGES]; 2]);
        Evidence { ratios, divergence }
    }

    /// The logarithms r, and the divergence, with these pseudo-counts of links and of other cells.
    fn learn(&self, pseudo: [[f64; RANGES]; 2]) -> ([f64; RANGES], f64) {
        let mut of_range: Option<[f64; RANGES]> = None;
        let mut divergence = 0.0;
        for _ in 0..STEPS {
            let [mut links, mut others] = pseudo;
            for (level, counts) in self.0.iter().enumerate().filter(|(_, counts)| counts.iter().any(|&count| count > 0))
            {
                let prior = logit(LEAST) + level as f64 / LEVELS_OF_ONE;
                for (range, &count) in counts.iter().enumerate() {
                    let probability = sigmoid(prior + of_range.map_or(0.0, |ratios| ratios[range]));
                    links[range] += count as f64 * probability;
                    others[range] += count as f64 * (1.0 - probability);
                }
            }
            let sums = [links.iter().sum::<f64>(), others.iter().sum::<f64>()];
            let mut highest = f64::NEG_INFINITY;
            let ratios = std::array::from_fn(|range| {
                highest = highest.max((links[range] / sums[0]).ln() - (others[range] / sums[1]).ln());
                highest
            });
            divergence = links.iter().zip(&ratios).map(|(links, ratio): (&f64, &f64)| links / sums[0] * ratio).sum();
            of_range = Some(ratios);
        }
        (of_range.unwrap_or_default(), divergence)
    }
}

/// What scores say about links of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    ratios: [f64; RANGES],
    divergence: f64,
}

impl Evidence {
    /// ln(P(range | link) / P(range | no link)) of each range, ascending.
    pub fn ratios(&self) -> &[f64; RANGES] {
        &self.ratios
    }

    /// How much a score says about a link on average, in nats: 5 to 10 for a language that the encoder knows well, below 1
    /// for one that it does not know.
    pub fn divergence(&self) -> f64 {
        self.divergence
    }

    /// How far the evidence is trusted: from 0, below a divergence of 1, to 1, from 4 on.
    pub fn trust(&self) -> f64 {
        ((self.divergence - 1.0) / 3.0).clamp(0.0, 1.0)
    }
}

fn logit(probability: f64) -> f64 {
    (probability / (1.0 - probability)).ln()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;

    #[test]
    fn ranges_begin_at_their_edges() {
        assert_eq!([0.0, 0.000_999, 0.001, 0.84, 0.85, 1.0].map(range_of), [0, 0, 1, 12, 13, 13]);
    }

    #[test]
    fn posteriors_have_levels() {
        assert_eq!(((logit(MOST) - logit(LEAST)) * LEVELS_OF_ONE).round() as usize, LEVELS - 1);
        let mut counts = CellCounts::default();
        for posterior in [0.0, 0.002, 1.0, f32::MIN_POSITIVE] {
            counts.add(posterior, 3);
        }
        assert_eq!((counts.0[0][3], counts.0[LEVELS - 1][3]), (3, 1));
    }

    /// Scores that have nothing to do with posteriors say nothing.
    #[test]
    fn scores_without_meaning_are_not_trusted() {
        let mut counts = CellCounts::default();
        for n in 0..100_000u32 {
            let posterior = if n % 25 == 0 { 0.9 } else { 0.004 };
            counts.add(posterior, ((n / 25) % 14) as u8);
        }
        let evidence = counts.evidence();
        assert!(evidence.divergence() < 0.05, "{evidence:?}");
        assert_eq!(evidence.trust(), 0.0);
    }

    #[test]
    fn nothing_is_known_of_no_cells() {
        let evidence = CellCounts::default().evidence();
        assert!(evidence.divergence().abs() < 1e-12);
        assert!(evidence.ratios().is_sorted() && evidence.ratios().iter().all(|ratio| ratio.is_finite()));
    }

    #[test]
    fn parts_add_up() {
        let (mut all, mut parts) = (CellCounts::default(), [CellCounts::default(), CellCounts::default()]);
        for n in 0..1000u16 {
            let (posterior, range) = (f32::from(n) / 1000.0, (n % 14) as u8);
            all.add(posterior, range);
            parts[usize::from(n % 2)].add(posterior, range);
        }
        let [mut first, second] = parts;
        first.merge(&second);
        assert_eq!(first, all);
    }
}
