//! Settings chosen by cross-validation on the pairs that rules are learned from.
//!
//! The pairs are dealt into folds. For each fold and each setting rules are learned from the other folds and applied to its pairs
//! under each threshold; counts are pooled over the folds, which gives F of every setting, and its standard error by how
//! much sentences differ. Of settings that are within one standard error of the highest F (Breiman, Friedman, Olshen and Stone
//! 1984, *Classification and Regression Trees*, section 3.4.3), which the pairs do not tell apart, the one is taken that is
//! wanted for other reasons: see [`preferred`].

use super::learning_config::{LearningConfig, Trial};
use super::rounds::{FitSettings, Material};
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::progress::{self, Observer};

/// Parts of the text that are left out one after another.
pub(super) const FOLDS: usize = 5;

/// What is tried where nothing is given.
const HALF_ANNOTATED: [f64; 4] = [0.0, 0.25, 0.5, 1.0];

/// Thresholds in steps of 0.05.
fn thresholds() -> Vec<f64> {
    (2..=14).map(|step| f64::from(step) / 20.0).collect()
}

/// What there is to choose from.
pub(super) struct Grid {
    halves: Vec<f64>,
    thresholds: Vec<f64>,
    penalty: f64,
    least_proposed: u64,
}

impl Grid {
    /// What the configuration gives, and where it gives nothing all that is tried.
    pub(super) fn new(config: &LearningConfig) -> Self {
        let halves = match config.half_annotated {
            Some(half) => vec![half],
            None if config.annotated_only => HALF_ANNOTATED.to_vec(),
            None => vec![1.0],
        };
        let thresholds = config.threshold.map_or_else(thresholds, |threshold| vec![threshold]);
        Self { halves, thresholds, penalty: config.penalty, least_proposed: config.least_proposed }
    }

    /// The number of combinations.
    pub(super) fn len(&self) -> usize {
        self.halves.len() * self.thresholds.len()
    }

    /// What fits are made with.
    pub(super) fn settings(&self, half_annotated: f64) -> FitSettings {
        FitSettings { penalty: self.penalty, half_annotated, least_proposed: self.least_proposed }
    }
}

/// What a fold says of one fit: for each threshold and pair the links that count, found and gold, and twice the correct ones.
type FoldCounts = Vec<Vec<[f64; 2]>>;

/// F of all settings of the grid, on pairs that were not learned from.
pub(super) fn cross_validate(
    material: &Material<'_>,
    grid: &Grid,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Trial>> {
    let jobs = grid.halves.len() * FOLDS;
    let mut counts: Vec<FoldCounts> = Vec::with_capacity(jobs);
    observer.started("choose settings", jobs as u64);
    parallelism.map_ordered(
        jobs,
        || (),
        |(), job| {
            progress::check(observer)?;
            let counted = count_fold(material, grid, grid.halves[job / FOLDS], job % FOLDS);
            observer.advance(1);
            Ok(counted)
        },
        |counted| {
            counts.push(counted);
            Ok(())
        },
    )?;
    observer.finished("");
    let mut trials = Vec::new();
    for (&half_annotated, folds) in grid.halves.iter().zip(counts.chunks(FOLDS)) {
        for (n, &threshold) in grid.thresholds.iter().enumerate() {
            let pairs: Vec<[f64; 2]> = folds.iter().flat_map(|fold| fold[n].iter().copied()).collect();
            let (f, standard_error) = pooled(&pairs);
            trials.push(Trial { half_annotated, threshold, f, standard_error });
        }
    }
    Ok(trials)
}

/// Learns from all folds but one, and applies the rules to that.
fn count_fold(material: &Material<'_>, grid: &Grid, half_annotated: f64, fold: usize) -> FoldCounts {
    let (held_out, taught): (Vec<usize>, Vec<usize>) =
        (0..material.pairs.len()).partition(|number| number % FOLDS == fold);
    let mut templates = material.templates.clone();
    let rules = material.fit_rounds(&taught, grid.settings(half_annotated), &mut templates);
    let mut counts = vec![Vec::with_capacity(held_out.len()); grid.thresholds.len()];
    for pair in held_out.into_iter().map(|number| &material.pairs[number]) {
        let gold = pair.example.gold;
        for (links, counts) in material.carry(pair, &rules, &templates, &grid.thresholds).iter().zip(&mut counts) {
            let found = links.iter().filter(|&link| material.counts(pair, link)).count();
            counts.push([(found + gold.len()) as f64, 2.0 * links.intersection_len(gold) as f64]);
        }
    }
    counts
}

/// F of counts that are added up, from 0 to 1, and its standard error: a ratio of means, linearized (Cochran 1977, *Sampling
/// techniques*, section 6.3). 0 if there is nothing to find.
fn pooled(pairs: &[[f64; 2]]) -> (f64, f64) {
    let [all, correct] = pairs.iter().fold([0.0, 0.0], |sums, pair| [sums[0] + pair[0], sums[1] + pair[1]]);
    if all == 0.0 {
        return (0.0, 0.0);
    }
    let f = correct / all;
    let squares: f64 = pairs.iter().map(|[all, correct]| (correct - f * all).powi(2)).sum();
    let number = pairs.len() as f64;
    (f, (squares * number / (number - 1.0).max(1.0)).sqrt() / all)
}

/// Of the trials within one standard error of the highest F: those that learn most from pairs with one annotated word, as
/// that adds fewest links to words that nobody looked at; and of these the lowest threshold, as links are carried for
/// recall.
pub(super) fn preferred(trials: &[Trial]) -> Option<Trial> {
    let best = trials.iter().rev().max_by(|a, b| a.f.total_cmp(&b.f))?;
    let near = trials.iter().filter(|trial| trial.f >= best.f - best.standard_error);
    near.min_by(|a, b| b.half_annotated.total_cmp(&a.half_annotated).then(a.threshold.total_cmp(&b.threshold))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: F is 8 of 10, the residuals are -1.2 and 1.2, and √(2 · 2.88) / 10 is 0.24.
    #[test]
    fn the_standard_error_is_that_of_a_ratio() {
        let (f, standard_error) = pooled(&[[4.0, 2.0], [6.0, 6.0]]);
        assert!((f - 0.8).abs() < 1e-12 && (standard_error - 0.24).abs() < 1e-12, "{f} {standard_error}");
        assert_eq!(pooled(&[[0.0, 0.0]]), (0.0, 0.0));
    }

    #[test]
    fn ties_go_to_the_precise_and_then_to_the_low() {
        let trial = |half_annotated, threshold, f| Trial { half_annotated, threshold, f, standard_error: 0.01 };
        let trials = [
            trial(0.0, 0.3, 0.900),
            trial(0.5, 0.2, 0.889),
            trial(0.5, 0.3, 0.892),
            trial(0.5, 0.4, 0.895),
            trial(1.0, 0.3, 0.880),
        ];
        assert_eq!(preferred(&trials), Some(trials[2]));
        assert_eq!(preferred(&trials[4..]), Some(trials[4]));
        assert_eq!(preferred(&[]), None);
    }

    #[test]
    fn what_is_given_is_not_chosen() {
        let given = LearningConfig { half_annotated: Some(0.3), threshold: Some(0.4), ..LearningConfig::default() };
        assert_eq!(Grid::new(&given).len(), 1);
        let all = LearningConfig { annotated_only: true, ..LearningConfig::default() };
        assert_eq!(Grid::new(&all).len(), 4 * 13);
        assert_eq!(Grid::new(&LearningConfig::default()).len(), 13);
    }
}
