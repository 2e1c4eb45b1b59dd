//! Weights of rules, learned from two rounds.
//!
//! Rules are applied in rounds, so they must know what the second round looks like: rules learned from the even pairs add links to
//! the odd ones and the other way round, and what is fitted is both rounds together. What the first round looks like does not
//! depend on any setting and is computed once, for all settings and parts of the text.

use super::learning_config::{Example, LearningConfig};
use super::logistic::{Examples, fit};
use super::projection::{DEFAULT_THRESHOLD, Restriction};
use super::rule::Tally;
use super::situation::Scene;
use super::templates::{Sides, Template, Templates, WordSides, sides_of};
use crate::alignment::{Alignment, AnnotatedWords, Link};
use crate::error::Result;
use crate::numeric::sigmoid;

/// What a fit is made with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FitSettings {
    /// The penalty on the squares of weights.
    pub(super) penalty: f64,
    /// How much a candidate counts that has one annotated word.
    pub(super) half_annotated: f64,
    /// The least number of candidates that a rule fits.
    pub(super) least_proposed: u64,
}

/// How many of a candidate's words have gold links, as far as that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Annotated {
    Neither,
    One,
    Both,
}

/// A candidate, and what people say of it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    link: Link,
    correct: bool,
    annotated: Annotated,
    /// Where the rules that fit it end.
    end: usize,
}

/// Candidates with the rules that fit them.
#[derive(Debug, Clone, Default)]
struct Observed {
    features: Vec<u32>,
    candidates: Vec<Candidate>,
}

impl Observed {
    fn iter(&self) -> impl Iterator<Item = (&[u32], &Candidate)> {
        let starts = std::iter::once(0).chain(self.candidates.iter().map(|candidate| candidate.end));
        starts.zip(&self.candidates).map(|(start, candidate)| (&self.features[start..candidate.end], candidate))
    }
}

/// Weights of rules, by the number of the template.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    pub(super) bias: f64,
    /// 0 for rules that are left out.
    pub(super) weights: Vec<f64>,
    pub(super) tallies: Vec<Tally>,
}

impl Fitted {
    /// The probability of a candidate that these rules fit.
    fn probability(&self, rules: impl Iterator<Item = u32>) -> f64 {
        let weights = rules.map(|rule| self.weights.get(rule as usize).copied().unwrap_or_default());
        sigmoid(self.bias + weights.sum::<f64>())
    }
}

/// An annotated pair, and what is computed of it once.
#[derive(Debug)]
pub(super) struct Prepared<'e> {
    pub(super) example: &'e Example<'e>,
    pub(super) annotated: AnnotatedWords,
    sides: [WordSides; 2],
    first: Observed,
}

/// Annotated pairs that rules are learned from.
#[derive(Debug)]
pub(super) struct Material<'e> {
    pub(super) pairs: Vec<Prepared<'e>>,
    pub(super) sides: Sides,
    pub(super) templates: Templates,
    restriction: Restriction,
    annotated_only: bool,
}

impl<'e> Material<'e> {
    /// Looks at the first round of all pairs.
    pub(super) fn new(examples: &'e [Example<'e>], config: &LearningConfig) -> Result<Self> {
        let (sides, templates) = (Sides::new(), Templates::default());
        let (restriction, annotated_only) = (config.restriction, config.annotated_only);
        let mut material = Self { pairs: Vec::new(), sides, templates, restriction, annotated_only };
        let mut templates = Templates::default();
        for example in examples {
            example.pair.check(example.anchors)?;
            example.pair.check_proposals(example.anchors)?;
            example.pair.check(example.gold)?;
            example.pair.check(&example.confidences.iter().map(|weighted| weighted.link).collect())?;
            let sides = sides_of(&mut material.sides, &example.pair);
            let annotated = AnnotatedWords::of(example.gold);
            let mut pair = Prepared { example, annotated, sides, first: Observed::default() };
            let mut first = Observed::default();
            material.observe(&pair, example.anchors, &mut templates, &mut first);
            pair.first = first;
            material.pairs.push(pair);
        }
        material.templates = templates;
        Ok(material)
    }

    /// Whether a link is scored: with gold standards that leave out words, only one between annotated words.
    pub(super) fn counts(&self, pair: &Prepared<'_>, link: Link) -> bool {
        !self.annotated_only || pair.annotated.both(link)
    }

    /// Calls `each` with the candidates of a pair that has these links, and the rules that fit.
    fn candidates(&self, pair: &Prepared<'_>, links: &Alignment, mut each: impl FnMut(Link, Vec<Template>)) {
        let Example { pair: sentences, confidences, .. } = pair.example;
        let scene = Scene::new(sentences, links, confidences);
        for link in scene.candidates() {
            if !self.restriction.forbids(sentences, link) {
                each(link, self.sides.fitting(&scene, &pair.sides, link));
            }
        }
    }

    /// Adds the candidates of a pair that has these links.
    fn observe(&self, pair: &Prepared<'_>, links: &Alignment, templates: &mut Templates, observed: &mut Observed) {
        self.candidates(pair, links, |link, fitting| {
            let annotated = match pair.annotated.either(link) {
                _ if self.counts(pair, link) => Annotated::Both,
                true => Annotated::One,
                false => Annotated::Neither,
            };
            let correct = pair.example.gold.contains(link);
            observed.features.extend(fitting.into_iter().map(|template| templates.intern(template)));
            observed.candidates.push(Candidate { link, correct, annotated, end: observed.features.len() });
        });
    }

    /// Rules learned from two rounds of the pairs with these numbers. Numbers of templates that only the second round has are
    /// added to `templates`.
    pub(super) fn fit_rounds(&self, numbers: &[usize], settings: FitSettings, templates: &mut Templates) -> Fitted {
        let part = |which| numbers.iter().copied().skip(which).step_by(2).collect::<Vec<usize>>();
        let mut second = Observed::default();
        for [taught, other] in [[part(0), part(1)], [part(1), part(0)]] {
            let rules = fit_observed(&self.first_of(&taught), settings, templates);
            for pair in other.into_iter().map(|n| &self.pairs[n]) {
                let scores = self.score(pair, pair.example.anchors, &rules, templates);
                let links = accept(pair.example.anchors, &scores, DEFAULT_THRESHOLD);
                if links.len() > pair.example.anchors.len() {
                    self.observe(pair, &links, templates, &mut second);
                }
            }
        }
        let mut both = self.first_of(numbers);
        both.push(&second);
        fit_observed(&both, settings, templates)
    }

    /// The first round of the pairs with these numbers.
    fn first_of(&self, numbers: &[usize]) -> Vec<&Observed> {
        numbers.iter().map(|&n| &self.pairs[n].first).collect()
    }

    /// The probabilities of all candidates of a pair that has these links.
    fn score(
        &self,
        pair: &Prepared<'_>,
        links: &Alignment,
        rules: &Fitted,
        templates: &Templates,
    ) -> Vec<WeightedProbability> {
        if links == pair.example.anchors {
            let known = pair.first.iter();
            return known.map(|(rows, found)| (found.link, rules.probability(rows.iter().copied()))).collect();
        }
        let mut scores = Vec::new();
        self.candidates(pair, links, |link, fitting| {
            let numbers = fitting.into_iter().filter_map(|template| templates.number(template));
            scores.push((link, rules.probability(numbers)));
        });
        scores
    }

    /// The links of a pair under each threshold, in the end. Thresholds that accept the same links share the work.
    pub(super) fn carry(
        &self,
        pair: &Prepared<'_>,
        rules: &Fitted,
        templates: &Templates,
        thresholds: &[f64],
    ) -> Vec<Alignment> {
        let mut scored: Vec<(Alignment, Vec<WeightedProbability>)> = Vec::new();
        let mut carry = |threshold: f64| {
            let mut links = pair.example.anchors.clone();
            loop {
                let known = scored.iter().position(|(scored, _)| *scored == links);
                let known = known.unwrap_or_else(|| {
                    scored.push((links.clone(), self.score(pair, &links, rules, templates)));
                    scored.len() - 1
                });
                let accepted = accept(&links, &scored[known].1, threshold);
                if accepted.len() == links.len() {
                    return links;
                }
                links = accepted;
            }
        };
        thresholds.iter().map(|&threshold| carry(threshold)).collect()
    }
}

/// A candidate and its probability.
type WeightedProbability = (Link, f64);

/// The links, and the candidates that are probable enough.
fn accept(links: &Alignment, scores: &[WeightedProbability], threshold: f64) -> Alignment {
    let accepted = scores.iter().filter(|(_, probability)| *probability >= threshold).map(|&(link, _)| link);
    links.iter().chain(accepted).collect()
}

/// Fits weights, in thousandths as they are written, of the rules that fit often enough.
fn fit_observed(observed: &[&Observed], settings: FitSettings, templates: &Templates) -> Fitted {
    let count = |candidate: &Candidate| match candidate.annotated {
        Annotated::Both => 1.0,
        Annotated::One => settings.half_annotated,
        Annotated::Neither => 0.0,
    };
    let examples = || observed.iter().copied().flat_map(Observed::iter).filter(|(_, candidate)| count(candidate) > 0.0);
    let mut tallies = vec![Tally::default(); templates.all().len()];
    for (features, candidate) in examples() {
        for &feature in features {
            tallies[feature as usize].add(candidate.correct);
        }
    }
    // Rules that are left out have no column.
    let mut kept = Vec::new();
    let columns: Vec<Option<u32>> = (0..)
        .zip(&tallies)
        .map(|(number, tally): (usize, _)| {
            (tally.proposed >= settings.least_proposed).then(|| {
                kept.push(number);
                kept.len() as u32 - 1
            })
        })
        .collect();
    let mut fitted = Examples::default();
    for (features, candidate) in examples() {
        let features = features.iter().filter_map(|&feature| columns[feature as usize]);
        fitted.push(features, candidate.correct, count(candidate));
    }
    let found = fit(&fitted, kept.len(), settings.penalty);
    let rounded = |weight: f64| (weight * 1000.0).round() / 1000.0;
    let mut weights = vec![0.0; tallies.len()];
    for (number, weight) in kept.into_iter().zip(found.weights) {
        weights[number] = rounded(weight);
    }
    Fitted { bias: rounded(found.bias), weights, tallies }
}
