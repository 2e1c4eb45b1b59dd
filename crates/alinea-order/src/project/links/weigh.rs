//! Rules with weights: links are added where the sum of what speaks for them is high enough.
//!
//! Each candidate has a probability, `1 / (1 + exp(-x))`, where `x` is the bias and the sum of the weights of all rules that
//! fit it, each counted once. In rounds, all candidates of at least the threshold become links; the next round sees them.
//! A word may get several links: whether it should is for the rules to say.

use std::collections::{BTreeMap, BTreeSet};

use super::pair::{Matches, Numbered, Numbering, ParsedPair, edge};
use super::projection::{Carried, Origin, Proposal, Restriction};
use super::rule::{Clue, Condition, Direction, Side};
use super::rule_set::RuleSet;
use super::situation::{Context, Scene, Step};
use crate::alignment::{Alignment, Link, WeightedLink};
use crate::error::Result;
use crate::numeric::sigmoid;
use crate::tree::{DependencyTree, ParsedSentence};

/// Weighs candidates. Keeps what it learned about edges, for the next pair.
#[derive(Debug)]
pub(super) struct Weigher<'r> {
    rules: &'r RuleSet,
    threshold: f64,
    rounds: u32,
    source: Numbering,
    target: Numbering,
    /// By whether the two sides are edges.
    matches: [[Matches; 2]; 2],
    /// The rule of each clue.
    clues: BTreeMap<Clue, u32>,
    /// By rule: whether it fitted a candidate.
    used: Vec<bool>,
}

/// The rules that fit a candidate.
struct Fitting {
    /// Their numbers, ascending.
    rules: Vec<u32>,
    /// Those that carry it, and the way.
    carrying: Vec<(u32, Direction)>,
    /// The carrying rule with the highest weight, and where it carries from.
    best: Option<(u32, Context)>,
    /// How many links a carrying rule comes from.
    supports: usize,
}

impl<'r> Weigher<'r> {
    pub(super) fn new(rules: &'r RuleSet, threshold: f64, rounds: Option<u32>) -> Self {
        let clues = (0..).zip(&rules.rules).filter_map(|(index, rule)| match rule.condition {
            Condition::Clue(clue) => Some((clue, index)),
            Condition::Sides(..) => None,
        });
        let (source, target) = (Numbering::default(), Numbering::default());
        Self {
            rules,
            threshold,
            rounds: rounds.unwrap_or(u32::MAX),
            source,
            target,
            matches: Default::default(),
            clues: clues.collect(),
            used: vec![false; rules.rules.len()],
        }
    }

    /// By rule: whether it fitted a candidate so far.
    pub(super) fn used(&self) -> &[bool] {
        &self.used
    }

    /// The links that rules add to the anchors, in the order in which they were added.
    pub(super) fn carry(
        &mut self,
        pair: &ParsedPair<'_>,
        anchors: &Alignment,
        confidences: &[WeightedLink],
        allowed: Restriction,
        recorded: &mut Option<BTreeSet<Proposal>>,
    ) -> Result<Vec<Carried>> {
        let source = self.source.sentence(pair.source(), pair.source_tree());
        let target = self.target.sentence(pair.target(), pair.target_tree());
        let mut links = anchors.clone();
        let mut added = Vec::new();
        for round in 1..=self.rounds {
            pair.check_proposals(&links)?;
            let scene = Scene::new(pair, &links, confidences);
            let mut accepted = Vec::new();
            for link in scene.candidates() {
                if !allowed.forbids(pair, link) {
                    accepted.extend(self.judge(&scene, [&source, &target], link, round, recorded));
                }
            }
            if accepted.is_empty() {
                break;
            }
            for carried in &accepted {
                links.insert(carried.link);
            }
            added.extend(accepted);
        }
        Ok(added)
    }

    /// The candidate as a link, if it is probable enough.
    fn judge(
        &mut self,
        scene: &Scene<'_, '_>,
        numbered: [&Numbered; 2],
        link: Link,
        round: u32,
        recorded: &mut Option<BTreeSet<Proposal>>,
    ) -> Option<Carried> {
        let fitting = self.fitting(scene, numbered, link);
        if let Some(recorded) = recorded {
            recorded.extend(fitting.carrying.iter().map(|&(rule, direction)| Proposal {
                link,
                rule: rule as usize,
                direction,
            }));
        }
        let weights = fitting.rules.iter().map(|&rule| self.weight(rule));
        let sum = self.rules.bias.unwrap_or(0.0) + weights.sum::<f64>();
        let probability = sigmoid(sum);
        let origin = |(rule, context): (u32, Context)| Origin {
            from: context.from,
            direction: context.direction,
            rule: rule as usize,
        };
        (probability >= self.threshold).then(|| Carried {
            link,
            origin: fitting.best.map(origin),
            supports: fitting.supports,
            round,
            probability: Some(probability),
        })
    }

    fn fitting(&mut self, scene: &Scene<'_, '_>, numbered: [&Numbered; 2], link: Link) -> Fitting {
        let mut rules = Vec::new();
        let mut carrying = Vec::new();
        let mut best: Option<(u32, Context)> = None;
        let contexts = scene.contexts(link);
        let mut supports = 0;
        for context in &contexts {
            let found = self.context_rules(scene, numbered, (context.source, context.target), Some(context.direction));
            supports += usize::from(!found.is_empty());
            for rule in found {
                if best.is_none_or(|(other, _)| self.weight(rule) > self.weight(other)) {
                    best = Some((rule, *context));
                }
                rules.push(rule);
                carrying.push((rule, context.direction));
            }
        }
        rules.extend(self.context_rules(scene, numbered, (Step::Stay(link.source), Step::Stay(link.target)), None));
        rules.extend(scene.clues(link, contexts.len()).iter().filter_map(|clue| self.clues.get(clue)));
        rules.sort_unstable();
        rules.dedup();
        for &rule in &rules {
            self.used[rule as usize] = true;
        }
        Fitting { rules, carrying, best, supports }
    }

    /// The rules that fit two steps, and go that way.
    fn context_rules(
        &mut self,
        scene: &Scene<'_, '_>,
        numbered: [&Numbered; 2],
        steps: (Step, Step),
        direction: Option<Direction>,
    ) -> Vec<u32> {
        let number = |side: &Numbered, step| match step {
            Step::Stay(word) => Some(side.tags[word as usize]),
            Step::Along(word) => side.edges[word as usize],
        };
        let (Some(source), Some(target)) = (number(numbered[0], steps.0), number(numbered[1], steps.1)) else {
            return Vec::new();
        };
        let pair = scene.pair;
        let along = |step: Step| usize::from(matches!(step, Step::Along(_)));
        let matches = &mut self.matches[along(steps.0)][along(steps.1)];
        let found = matches.find(
            (source, target),
            self.rules,
            |side| fits(side, steps.0, pair.source(), pair.source_tree()),
            |side| fits(side, steps.1, pair.target(), pair.target_tree()),
        );
        let goes = |rule: u32| direction.is_none_or(|direction| self.rules.rules[rule as usize].goes(direction));
        found.iter().copied().filter(|&rule| goes(rule)).collect()
    }

    fn weight(&self, rule: u32) -> f64 {
        self.rules.rules[rule as usize].weight.unwrap_or(0.0)
    }
}

/// Whether a side of a rule fits a step.
fn fits(side: &Side, step: Step, sentence: &ParsedSentence, tree: &DependencyTree) -> bool {
    match step {
        Step::Stay(word) => side.fits_word(sentence.word(word).upos()),
        Step::Along(word) => edge(sentence, tree, word).is_some_and(|edge| side.fits_edge(&edge)),
    }
}
