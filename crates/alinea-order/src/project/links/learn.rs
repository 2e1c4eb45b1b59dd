//! Learning of weighted rules from annotated sentence pairs: the steps, from examples to a rule set.
//!
//! 1. `rounds`: candidate links of all examples and their features; these are rules instantiated from `templates`.
//! 2. `choice`: cross-validation of `half_annotated` and `threshold`, unless both are given or there are too few pairs.
//! 3. `rounds` again: a logistic regression (`logistic`) on all examples with the chosen settings, over two rounds of
//!    projection.
//! 4. Here: features with a weight other than 0 become rules, each with its tally; rules that carry links come first,
//!    by falling weight to three decimals, then by their text, so that the file is reproducible.
//!
//! The features are described at `learn`; `weigh` applies the rules.

use super::choice::{FOLDS, Grid, cross_validate, preferred};
use super::learning_config::{Example, LearningConfig, Trial};
use super::projection::DEFAULT_THRESHOLD;
use super::rounds::{Fitted, Material};
use super::rule::Rule;
use super::rule_set::RuleSet;
use super::templates::Templates;
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::progress::Observer;

/// Rules, and how their settings were chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The rules, with weights.
    pub rules: RuleSet,
    /// The settings that were chosen; none if they were given, or there were too few pairs to choose by.
    pub chosen: Option<Trial>,
    /// All that were tried.
    pub trials: Vec<Trial>,
}

/// Learns rules with weights from annotated pairs.
///
/// A candidate is what the rules would look at when they are applied; its features are the rules that might be: for each link
/// that it is reached from, the edges with and without parts of speech, in that direction; the two parts of speech, and
/// each of them; and clues. Weights maximize the likelihood of the gold standard, with a penalty. They are learned from two
/// rounds: rules learned from the even pairs add links to the odd ones and the other way round, and candidates
/// are looked at before and after.
///
/// Settings are chosen by cross-validation in five folds, the n-th pair in fold n modulo 5: of all within one standard error
/// of the highest F the largest `half_annotated`, and with it the lowest threshold. Fewer than five pairs are too few to
/// choose by; 1 and 0.4 are used. Rules that carry links come first, by falling weight. The result does not depend on the
/// number of threads.
///
/// Takes time in the number of candidates times the number of settings tried.
///
/// # Errors
/// As [`LearningConfig::validate`]; `Inconsistent` for links out of the sentences; `Cancelled`.
pub fn learn(
    examples: &[Example<'_>],
    config: &LearningConfig,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Learned> {
    config.validate()?;
    let material = Material::new(examples, config)?;
    let grid = Grid::new(config);
    let trials = if examples.len() < FOLDS || grid.len() == 1 {
        Vec::new()
    } else {
        cross_validate(&material, &grid, parallelism, observer)?
    };
    let chosen = preferred(&trials);
    let half_annotated = chosen.map_or(config.half_annotated.unwrap_or(1.0), |trial| trial.half_annotated);
    let settings = grid.settings(half_annotated);
    let mut templates = material.templates.clone();
    let all: Vec<usize> = (0..examples.len()).collect();
    let fitted = material.fit_rounds(&all, settings, &mut templates);
    let threshold = chosen.map_or(config.threshold.unwrap_or(DEFAULT_THRESHOLD), |trial| trial.threshold);
    Ok(Learned { rules: rule_set(&material, &fitted, &templates, threshold), chosen, trials })
}

/// The rules, those that carry links first, by falling weight.
fn rule_set(material: &Material<'_>, fitted: &Fitted, templates: &Templates, threshold: f64) -> RuleSet {
    let mut rules: Vec<Rule> = Vec::new();
    for (number, &template) in templates.all().iter().enumerate() {
        if fitted.weights[number] != 0.0 {
            let (condition, direction) = material.sides.rule(template);
            let (tally, weight) = (Some(fitted.tallies[number]), Some(fitted.weights[number]));
            rules.push(Rule { condition, direction, tally, weight });
        }
    }
    rules.sort_by_cached_key(|rule| {
        let weight = (rule.weight.unwrap_or(0.0) * 1000.0).round() as i64;
        (!rule.condition.carries(), -weight, rule.to_string())
    });
    RuleSet { rules, bias: Some(fitted.bias), threshold: Some(threshold) }
}
