//! Links and their confidences, read off the output of a model for one sentence pair.
//!
//! A [`LinkReader`] applies the [`LinkRule`] of a decoding: links whose mean posterior reaches a threshold, or the best
//! paths of both directions, symmetrized. The confidence of a link is its mean posterior, or what was
//! [decided](crate::decision) in place of it.

use super::decode::Found;
use super::request::Decoding;
use crate::alignment::{Link, WeightedLink};
use crate::decision::Calibration;
use crate::model::{LinkRule, Posteriors};
use crate::symmetrize::Symmetrizer;

/// A link, and how sure of it the model is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundLink {
    /// The link.
    pub link: Link,
    /// From 0 to 1: its mean posterior, or what was decided in place of it; none where there are no posteriors.
    pub confidence: Option<f32>,
}

impl From<Link> for FoundLink {
    /// A link of which nobody says how sure it is.
    fn from(link: Link) -> Self {
        Self { link, confidence: None }
    }
}

/// How sure a model is of the links of a pair.
#[derive(Debug)]
pub struct Confidences<'w> {
    posteriors: Posteriors<'w>,
    calibration: Option<Calibration>,
}

impl<'w> Confidences<'w> {
    /// Those of a pair.
    pub fn new(posteriors: Posteriors<'w>, calibration: Option<Calibration>) -> Self {
        Self { posteriors, calibration }
    }

    /// The links with a confidence of at least so much before it is calibrated, in order.
    pub fn links(&self, least: f32) -> impl Iterator<Item = FoundLink> + '_ {
        self.posteriors.weighted_links(least).into_iter().map(|found| self.shown(found))
    }

    /// A link with its confidence.
    pub fn of(&self, link: Link) -> FoundLink {
        self.shown(WeightedLink { link, weight: self.posteriors.mean(link) })
    }

    fn shown(&self, found: WeightedLink) -> FoundLink {
        let confidence = self.calibration.map_or(found.weight, |calibration| calibration.probability(found.weight));
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
            LinkRule::Threshold(_) => None,
        };
        Self { decoding, symmetrizer }
    }

    /// The confidences of a pair, if its posteriors were found.
    pub fn confidences<'w>(&self, found: &Found<'w>) -> Option<Confidences<'w>> {
        found.posteriors.map(|posteriors| Confidences::new(posteriors, self.decoding.calibration()))
    }

    /// The links of a pair, in order, and their confidences where these are given.
    pub fn links(&mut self, found: &Found<'_>, confidences: Option<&Confidences<'_>>) -> Vec<FoundLink> {
        if let Some(symmetrizer) = &mut self.symmetrizer {
            let links = symmetrizer.symmetrize(&found.paths[0], &found.paths[1]);
            let found = |link: Link| confidences.map_or_else(|| link.into(), |confidences| confidences.of(link));
            return links.iter().map(found).collect();
        }
        let (LinkRule::Threshold(least), Some(confidences)) = (self.decoding.rule, confidences) else {
            return Vec::new();
        };
        confidences.links(least).collect()
    }
}
