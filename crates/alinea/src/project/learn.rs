//! Rules from annotated sentence pairs: which to trust, and which there might be.

use std::collections::BTreeMap;

use super::logistic::{Examples, fit};
use super::pair::{ParsedPair, edge};
use super::rule::{Condition, Direction, Pattern, Rule, Side, Tally};
use super::rule_set::RuleSet;
use super::situation::{Scene, Step};
use super::{ProjectionConfig, Projector, Restriction};
use crate::alignment::{Alignment, AnnotatedWords, WeightedLink};
use crate::error::{Error, Result};

/// How rules are learned.
#[derive(Debug, Clone, PartialEq)]
pub struct LearningConfig {
    /// A rule must have proposed so many candidates, from 1. Default 3.
    pub least_proposed: u64,
    /// The penalty on the squares of weights, above 0. Default 3.
    pub penalty: f64,
    /// For gold standards that leave out words, such as those of grammar: whether pairs of words without any gold link say
    /// nothing, and what is scored is links between words that both have one. Default false.
    pub annotated_only: bool,
    /// With `annotated_only`: how much a candidate counts of whose words only one has a gold link, from 0 to 1. Such a link
    /// is wrong if people linked all that belongs to the word that they did link. Default 0.25.
    pub half_annotated: f64,
    /// Which words may be linked. Default all.
    pub restriction: Restriction,
}

impl Default for LearningConfig {
    fn default() -> Self {
        Self {
            least_proposed: 3,
            penalty: 3.0,
            annotated_only: false,
            half_annotated: 0.25,
            restriction: Restriction::None,
        }
    }
}

impl LearningConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// `Config` naming the field.
    pub fn validate(&self) -> Result<()> {
        if self.least_proposed == 0 {
            return Err(Error::config("least_proposed", self.least_proposed, "1 or more"));
        }
        if !(self.penalty > 0.0 && self.penalty.is_finite()) {
            return Err(Error::config("penalty", self.penalty, "a number above 0"));
        }
        if !(0.0..=1.0).contains(&self.half_annotated) {
            return Err(Error::config("half_annotated", self.half_annotated, "0 to 1"));
        }
        Ok(())
    }
}

/// A rule that might be: its condition and the way it goes.
type Template = (Condition, Option<Direction>);

/// An annotated sentence pair: what there will be when links are carried (anchors, confidences sorted by link), and the links
/// that there should be.
#[derive(Debug, Clone, Copy)]
pub struct Example<'e> {
    /// The two sentences.
    pub pair: ParsedPair<'e>,
    /// Links to start from.
    pub anchors: &'e Alignment,
    /// Confidences in candidates.
    pub confidences: &'e [WeightedLink],
    /// The gold standard.
    pub gold: &'e Alignment,
}

/// Learns rules with weights from annotated pairs.
///
/// A candidate is what the rules would look at when they are applied; its features are the rules that might be: for each link
/// that it is reached from, the edges with and without parts of speech, in that direction; the two parts of speech, and
/// each of them; and clues. Weights maximize the likelihood of the gold standard, with a penalty.
///
/// Rules are applied in rounds, so they must know what the second round looks like: rules learned from the even pairs add links to
/// the odd ones and the other way round, and the rules that are returned are learned from both rounds. In the same way the
/// threshold is chosen that gives the highest F on pairs that were not learned from. Rules that carry links come first, by
/// falling weight. Takes time in the number of candidates times the number of passes of the fit.
///
/// # Errors
/// As [`LearningConfig::validate`]; `Inconsistent` for links out of the sentences.
pub fn learn(examples: &[Example<'_>], config: &LearningConfig) -> Result<RuleSet> {
    config.validate()?;
    let examples: Vec<&Example<'_>> = examples.iter().collect();
    let mut rules = fit_rounds(&examples, config)?;
    let mut judged = Vec::new();
    for [taught, other] in halves(&examples) {
        judged.push((fit_rounds(&taught, config)?, other));
    }
    rules.threshold = best_threshold(&judged, config)?;
    Ok(rules)
}

/// The even pairs and the odd ones, and the other way round.
fn halves<'e, 'p>(examples: &[&'e Example<'p>]) -> [[Vec<&'e Example<'p>>; 2]; 2] {
    let part =
        |which: usize| examples.iter().enumerate().filter(move |(n, _)| n % 2 == which).map(|(_, &example)| example);
    let part = |which| part(which).collect::<Vec<_>>();
    [[part(0), part(1)], [part(1), part(0)]]
}

/// Rules learned from two rounds.
fn fit_rounds(examples: &[&Example<'_>], config: &LearningConfig) -> Result<RuleSet> {
    let mut learner = Learner::new(config.clone());
    for example in examples {
        learner.observe(example, example.anchors)?;
    }
    for [taught, other] in halves(examples) {
        let mut first = Learner::new(config.clone());
        for example in taught {
            first.observe(example, example.anchors)?;
        }
        let rules = first.finish();
        let projection =
            ProjectionConfig { restriction: config.restriction, rounds: Some(1), ..ProjectionConfig::default() };
        let mut projector = Projector::new(&rules, projection)?;
        for example in other {
            let links = projector.project(&example.pair, example.anchors, example.confidences)?.links;
            if links.len() > example.anchors.len() {
                learner.observe(example, &links)?;
            }
        }
    }
    Ok(learner.finish())
}

/// How much F may be given away for recall, which is what links are carried for.
const TOLERANCE: f64 = 0.002;

/// Of the thresholds from 0.25 to 0.7 in steps of 0.05 the lowest whose F is nearly the highest, on pairs that the rules
/// were not learned from. None if there is no link to find.
fn best_threshold(judged: &[(RuleSet, Vec<&Example<'_>>)], config: &LearningConfig) -> Result<Option<f64>> {
    let mut scores = Vec::new();
    for step in 5..=14 {
        let threshold = f64::from(step) * 0.05;
        scores.extend(f_of(threshold, judged, config)?.map(|f| (threshold, f)));
    }
    let highest = scores.iter().map(|&(_, f)| f).max_by(f64::total_cmp);
    let good = highest.and_then(|highest| scores.iter().find(|(_, f)| *f >= highest - TOLERANCE));
    Ok(good.map(|&(threshold, _)| threshold))
}

/// F of what the rules find under a threshold, counts pooled; none if there is nothing.
fn f_of(threshold: f64, judged: &[(RuleSet, Vec<&Example<'_>>)], config: &LearningConfig) -> Result<Option<f64>> {
    let (mut all, mut correct) = (0, 0);
    let projection =
        ProjectionConfig { restriction: config.restriction, threshold: Some(threshold), ..ProjectionConfig::default() };
    for (rules, examples) in judged {
        let mut projector = Projector::new(rules, projection.clone())?;
        for Example { pair, anchors, confidences, gold } in examples.iter().copied() {
            let links = projector.project(pair, anchors, confidences)?.links;
            let annotated = AnnotatedWords::of(gold);
            let counted = links.iter().filter(|&link| !config.annotated_only || annotated.both(link));
            all += counted.count() + gold.len();
            correct += links.intersection_len(gold);
        }
    }
    Ok((all > 0).then(|| 2.0 * correct as f64 / all as f64))
}

/// Collects candidates with the rules that might be, and fits weights.
#[derive(Debug)]
struct Learner {
    config: LearningConfig,
    numbers: BTreeMap<Template, u32>,
    templates: Vec<Template>,
    tallies: Vec<Tally>,
    examples: Examples,
}

impl Learner {
    fn new(config: LearningConfig) -> Self {
        Self {
            config,
            numbers: BTreeMap::new(),
            templates: Vec::new(),
            tallies: Vec::new(),
            examples: Examples::default(),
        }
    }

    /// Learns from the candidates of a pair that has these links.
    fn observe(&mut self, example: &Example<'_>, links: &Alignment) -> Result<()> {
        let Example { pair, confidences, gold, .. } = example;
        pair.check(links)?;
        pair.check(gold)?;
        let annotated = AnnotatedWords::of(gold);
        let scene = Scene::new(pair, links, confidences);
        for link in scene.candidates() {
            let counts = if !self.config.annotated_only || annotated.both(link) {
                1.0
            } else if annotated.either(link) {
                self.config.half_annotated
            } else {
                0.0
            };
            if counts == 0.0 || self.config.restriction.forbids(pair, link) {
                continue;
            }
            let contexts = scene.contexts(link);
            let mut templates = Vec::new();
            for context in &contexts {
                templates.extend(carrying(pair, (context.source, context.target), context.direction));
            }
            templates.extend(tagging(pair, link));
            templates.extend(scene.clues(link, contexts.len()).into_iter().map(|clue| (Condition::Clue(clue), None)));
            let correct = gold.contains(link);
            let mut features: Vec<u32> = templates.into_iter().map(|template| self.number(template)).collect();
            features.sort_unstable();
            features.dedup();
            for &feature in &features {
                self.tallies[feature as usize].add(correct);
            }
            self.examples.push(&features, correct, counts);
        }
        Ok(())
    }

    /// The rules, those that carry links first, by falling weight.
    fn finish(self) -> RuleSet {
        let kept: Vec<bool> = self.tallies.iter().map(|tally| tally.proposed >= self.config.least_proposed).collect();
        let mut examples = Examples::default();
        for (features, positive, weight) in self.examples.iter() {
            let features: Vec<u32> = features.iter().copied().filter(|&feature| kept[feature as usize]).collect();
            examples.push(&features, positive, weight);
        }
        let fitted = fit(&examples, self.templates.len(), self.config.penalty);
        let mut rules: Vec<Rule> = Vec::new();
        for (feature, (condition, direction)) in self.templates.into_iter().enumerate() {
            if kept[feature] {
                let weight = Some((fitted.weights[feature] * 1000.0).round() / 1000.0);
                rules.push(Rule { condition, direction, tally: Some(self.tallies[feature]), weight });
            }
        }
        rules.retain(|rule| rule.weight != Some(0.0));
        rules.sort_by_cached_key(|rule| {
            let weight = (rule.weight.unwrap_or(0.0) * 1000.0) as i64;
            (!rule.condition.carries(), -weight, rule.to_string())
        });
        RuleSet { rules, bias: Some((fitted.bias * 1000.0).round() / 1000.0), threshold: None }
    }

    fn number(&mut self, template: Template) -> u32 {
        let next = self.templates.len() as u32;
        *self.numbers.entry(template).or_insert_with_key(|template| {
            self.templates.push(template.clone());
            self.tallies.push(Tally::default());
            next
        })
    }
}

/// Rules that carry a link this way: by relations alone, and with parts of speech.
fn carrying(pair: &ParsedPair<'_>, steps: (Step, Step), direction: Direction) -> Vec<Template> {
    let tags = |tagged| {
        let source = side(pair, steps.0, true, tagged)?;
        Some((Condition::Sides(source, side(pair, steps.1, false, tagged)?), Some(direction)))
    };
    [tags(false), tags(true)].into_iter().flatten().collect()
}

/// One side of a rule; relations without their subtypes.
fn side(pair: &ParsedPair<'_>, step: Step, is_source: bool, tagged: bool) -> Option<Side> {
    let (sentence, tree) =
        if is_source { (pair.source(), pair.source_tree()) } else { (pair.target(), pair.target_tree()) };
    let pattern = |tag: &str| if tagged { Pattern::new(tag) } else { Pattern::ANY };
    Some(match step {
        Step::Stay(word) => Side::Word(pattern(sentence.word(word).upos())),
        Step::Along(word) => {
            let edge = edge(sentence, tree, word)?;
            let relation = edge.relation.split(':').next().unwrap_or_default();
            Side::Edge { head: Pattern::ANY, relation: Pattern::new(relation), dependent: pattern(edge.dependent) }
        }
    })
}

/// Rules about the parts of speech of the two words: both, and each of them.
fn tagging(pair: &ParsedPair<'_>, link: crate::alignment::Link) -> Vec<Template> {
    let tags = [pair.source().word(link.source).upos(), pair.target().word(link.target).upos()].map(Pattern::new);
    let [source, target] = tags;
    let rule = |source: &Pattern, target: &Pattern| {
        (Condition::Sides(Side::Word(source.clone()), Side::Word(target.clone())), None)
    };
    vec![rule(&source, &target), rule(&source, &Pattern::ANY), rule(&Pattern::ANY, &target)]
}
