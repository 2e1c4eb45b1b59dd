//! Links and their confidences, read off the output of a model for one sentence pair.
//!
//! A [`LinkReader`] applies the [`LinkRule`] of a decoding: links whose mean posterior reaches a threshold, or the best
//! paths of both directions, symmetrized. A threshold may have a second value for pairs that a saved model was not
//! trained on. The confidence of a link is its mean posterior or, with a [`Calibration`], the probability that this is
//! calibrated to. The threshold is applied to the mean posterior in either case, so calibration does not change which
//! links there are.

use super::decode::Found;
use super::request::Decoding;
use crate::alignment::{Link, WeightedLink};
use crate::model::{Calibrated, Calibration, LinkRule, Posteriors};
use crate::symmetrize::Symmetrizer;

/// A link, and how sure of it the model is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundLink {
    /// The link.
    pub link: Link,
    /// From 0 to 1: its mean posterior, or what that is calibrated to; none where there are no posteriors.
    pub confidence: Option<f32>,
}

impl From<Link> for FoundLink {
    /// A link of which nobody says how sure it is.
    fn from(link: Link) -> Self {
        Self { link, confidence: None }
    }
}

/// How sure a model is of the links of a pair: the means of their posteriors, or the probabilities that these are calibrated
/// to.
#[derive(Debug)]
pub struct Confidences<'w> {
    posteriors: Posteriors<'w>,
    calibrated: Option<Calibrated>,
}

impl<'w> Confidences<'w> {
    /// Those of a pair.
    pub fn new(posteriors: Posteriors<'w>, calibration: Option<Calibration>) -> Self {
        Self { posteriors, calibrated: calibration.map(|calibration| calibration.of_pair(&posteriors)) }
    }

    /// The links whose mean posterior is at least so much, in order.
    pub fn links(&self, least: f32) -> impl Iterator<Item = FoundLink> + '_ {
        self.posteriors.weighted_links(least).into_iter().map(|found| self.shown(found))
    }

    /// A link with its confidence.
    pub fn of(&self, link: Link) -> FoundLink {
        self.shown(WeightedLink { link, weight: self.posteriors.mean(link) })
    }

    fn shown(&self, found: WeightedLink) -> FoundLink {
        let confidence = self.calibrated.as_ref().map_or(found.weight, |calibrated| calibrated.probability(found));
        FoundLink { link: found.link, confidence: Some(confidence) }
    }
}

/// Reads links off what was found of one pair after another, in the same buffers.
#[derive(Debug, Clone)]
pub struct LinkReader {
    decoding: Decoding,
    symmetrizer: Option<Symmetrizer>,
}

impl LinkReader {
    /// By this rule.
    pub fn new(decoding: Decoding) -> Self {
        let symmetrizer = match decoding.rule {
            LinkRule::Paths(method) => Some(Symmetrizer::new(method)),
            LinkRule::Threshold { .. } => None,
        };
        Self { decoding, symmetrizer }
    }

    /// The confidences of a pair, if its posteriors were found.
    pub fn confidences<'w>(&self, found: &Found<'w>) -> Option<Confidences<'w>> {
        found.posteriors.map(|posteriors| Confidences::new(posteriors, self.decoding.calibration))
    }

    /// The links of a pair, in order, and their confidences where these are given.
    pub fn links(&mut self, found: &Found<'_>, confidences: Option<&Confidences<'_>>) -> Vec<FoundLink> {
        if let Some(symmetrizer) = &mut self.symmetrizer {
            let links = symmetrizer.symmetrize(&found.paths[0], &found.paths[1]);
            let found = |link: Link| confidences.map_or_else(|| link.into(), |confidences| confidences.of(link));
            return links.iter().map(found).collect();
        }
        let (LinkRule::Threshold { least, of_new }, Some(confidences)) = (self.decoding.rule, confidences) else {
            return Vec::new();
        };
        let least = of_new.filter(|_| confidences.posteriors.is_new()).unwrap_or(least);
        confidences.links(least).collect()
    }
}
