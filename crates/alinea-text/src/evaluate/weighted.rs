//! Links with confidences against a gold standard: every threshold at once, and whether the confidences are probabilities.
//!
//! [`threshold_curve`] has the counts of the links that are left above each threshold, which is the curve of precision
//! over recall. [`reliability`] compares what links promise with what they keep: links are put into bins by confidence,
//! and of each bin the mean confidence stands beside the share of its links that people made (the reliability diagram of
//! DeGroot and Fienberg 1983, *The comparison and evaluation of forecasters*). The mean distance of the two, weighed by
//! the number of links, is the expected calibration error (Naeini, Cooper and Hauskrecht 2015, *Obtaining well calibrated
//! probabilities using Bayesian binning*).
//!
//! ```
//! use alinea::alignment::{GoldAlignment, Link, WeightedLink};
//! use alinea::evaluate::{reliability, threshold_curve};
//!
//! let gold = [GoldAlignment::from_parts([(0, 0), (1, 1)].into(), &[].into())];
//! let weighted = |source, target, weight| WeightedLink { link: Link::new(source, target), weight };
//! let links = [vec![weighted(0, 0, 0.75), weighted(0, 1, 0.25), weighted(1, 1, 0.25)]];
//! let curve = threshold_curve(&gold, &links)?;
//! assert_eq!((curve[0].threshold, curve[0].counts.precision()), (0.75, Some(1.0)));
//! assert_eq!((curve[1].threshold, curve[1].counts.precision()), (0.25, Some(2.0 / 3.0)));
//! // Of the links of confidence 0.25 one half is right, and the one of 0.75 is.
//! assert_eq!(reliability(&gold, &links, 2)?.expected_error, Some(0.25));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::Counts;
use crate::alignment::{GoldAlignment, WeightedLink};
use crate::error::{Error, Result};

/// What is left of links above a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThresholdPoint {
    /// Links of at least this confidence are left.
    pub threshold: f32,
    /// Their counts, over all sentences.
    pub counts: Counts,
}

/// Links of about the same confidence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReliabilityBin {
    /// How many there are.
    pub links: u64,
    /// How many of them are sure.
    pub sure: u64,
    /// How many are possible, the sure among them.
    pub possible: u64,
    /// Their mean confidence, from 0 to 1; 0 where there are none.
    pub mean_confidence: f64,
}

impl ReliabilityBin {
    /// The share of the links that are sure; none where there are no links.
    pub fn sure_share(&self) -> Option<f64> {
        (self.links > 0).then(|| self.sure as f64 / self.links as f64)
    }

    /// The share of the links that are possible, the sure among them; none where there are no links.
    pub fn possible_share(&self) -> Option<f64> {
        (self.links > 0).then(|| self.possible as f64 / self.links as f64)
    }
}

/// Whether confidences are probabilities of sure links.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    /// Bin `n` of `N` has the confidences from `n / N` to below `(n + 1) / N`; the last has 1 too.
    pub bins: Vec<ReliabilityBin>,
    /// The expected calibration error, from 0 (best) to 1; none where there are no links.
    pub expected_error: Option<f64>,
}

/// The counts of the links left by each threshold that makes a difference, from the highest. Of two confidences of a link
/// the higher counts. O(links · log links).
///
/// # Errors
/// `UnequalLengths` if there are more or fewer sentences with links than gold alignments; `Config` for a confidence that is
/// no number.
pub fn threshold_curve(gold: &[GoldAlignment], links: &[Vec<WeightedLink>]) -> Result<Vec<ThresholdPoint>> {
    let mut judged = judge(gold, links)?;
    judged.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut counts: Counts = gold.iter().map(|gold| Counts::of(gold, &[].into())).sum();
    let mut curve: Vec<ThresholdPoint> = Vec::new();
    for link in judged {
        counts.hypothesis += 1;
        counts.in_sure += u64::from(link.sure);
        counts.in_possible += u64::from(link.possible);
        match curve.last_mut() {
            Some(last) if last.threshold.total_cmp(&link.weight).is_eq() => last.counts = counts,
            _ => curve.push(ThresholdPoint { threshold: link.weight, counts }),
        }
    }
    Ok(curve)
}

/// The reliability of the confidences of links, in the given number of bins. Of two confidences of a link the higher
/// counts; what is not between 0 and 1 is taken for the nearer of the two. O(links · log links).
///
/// # Errors
/// `UnequalLengths` if there are more or fewer sentences with links than gold alignments; `Config` for a confidence that is
/// no number, and without bins.
pub fn reliability(gold: &[GoldAlignment], links: &[Vec<WeightedLink>], bins: usize) -> Result<Reliability> {
    if bins == 0 {
        return Err(Error::config("bins", bins, "1 or more"));
    }
    let mut found = vec![ReliabilityBin::default(); bins];
    for link in judge(gold, links)? {
        let weight = f64::from(link.weight).clamp(0.0, 1.0);
        let bin = &mut found[((weight * bins as f64) as usize).min(bins - 1)];
        bin.links += 1;
        bin.sure += u64::from(link.sure);
        bin.possible += u64::from(link.possible);
        bin.mean_confidence += weight;
    }
    let mut distance = 0.0;
    for bin in &mut found {
        distance += (bin.mean_confidence - bin.sure as f64).abs();
        bin.mean_confidence /= bin.links.max(1) as f64;
    }
    let links: u64 = found.iter().map(|bin| bin.links).sum();
    let expected_error = (links > 0).then(|| distance / links as f64);
    Ok(Reliability { bins: found, expected_error })
}

struct Judged {
    weight: f32,
    sure: bool,
    possible: bool,
}

/// Each link once, with what people say of it, in the order of sentences and links.
fn judge(gold: &[GoldAlignment], links: &[Vec<WeightedLink>]) -> Result<Vec<Judged>> {
    if gold.len() != links.len() {
        let lengths = [gold.len() as u64, links.len() as u64];
        return Err(Error::unequal_lengths("gold", lengths[0], "hypothesis", lengths[1]));
    }
    let mut judged = Vec::new();
    for (gold, links) in gold.iter().zip(links) {
        if links.iter().any(|link| link.weight.is_nan()) {
            return Err(Error::config("weight", f32::NAN, "a number"));
        }
        let mut links = links.clone();
        links.sort_by(|a, b| a.link.cmp(&b.link).then(b.weight.total_cmp(&a.weight)));
        links.dedup_by_key(|weighted| weighted.link);
        judged.extend(links.iter().map(|&WeightedLink { link, weight }| Judged {
            weight,
            sure: gold.sure().contains(link),
            possible: gold.possible().contains(link),
        }));
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::{Alignment, Link};
    use proptest::prelude::*;

    fn weighted(source: u32, target: u32, weight: f32) -> WeightedLink {
        WeightedLink { link: Link::new(source, target), weight }
    }

    type Sentence = (Vec<(u32, u32, bool)>, Vec<(u32, u32, u8)>);

    fn sentences() -> impl Strategy<Value = Vec<Sentence>> {
        let gold = proptest::collection::vec((0u32..4, 0u32..4, any::<bool>()), 0..8);
        let links = proptest::collection::vec((0u32..4, 0u32..4, 0u8..=20), 0..8);
        proptest::collection::vec((gold, links), 1..6)
    }

    fn build(sentences: &[Sentence]) -> (Vec<GoldAlignment>, Vec<Vec<WeightedLink>>) {
        let part = |gold: &[(u32, u32, bool)], sure: bool| -> Alignment {
            gold.iter().filter(|link| link.2 == sure).map(|&(source, target, _)| Link::new(source, target)).collect()
        };
        let gold = |(gold, _): &Sentence| GoldAlignment::from_parts(part(gold, true), &part(gold, false));
        let links =
            |(_, links): &Sentence| links.iter().map(|&(s, t, w)| weighted(s, t, f32::from(w) / 20.0)).collect();
        (sentences.iter().map(gold).collect(), sentences.iter().map(links).collect())
    }

    proptest! {
        /// A threshold is the same as leaving links out.
        #[test]
        fn points_are_evaluations_of_what_is_left(sentences in sentences()) {
            let (gold, links) = build(&sentences);
            let curve = threshold_curve(&gold, &links).unwrap();
            prop_assert!(curve.windows(2).all(|pair| pair[0].threshold > pair[1].threshold));
            for point in curve {
                let left = |links: &Vec<WeightedLink>| -> Alignment {
                    links.iter().filter(|link| link.weight >= point.threshold).map(|link| link.link).collect()
                };
                let counts: Counts = gold.iter().zip(&links).map(|(gold, links)| Counts::of(gold, &left(links))).sum();
                prop_assert_eq!(point.counts, counts);
            }
        }

        /// Bins share the links out among them, and confidences lie within their bin.
        #[test]
        fn bins_have_every_link_once(sentences in sentences(), bins in 1usize..12) {
            let (gold, links) = build(&sentences);
            let curve = threshold_curve(&gold, &links).unwrap();
            let found = reliability(&gold, &links, bins).unwrap();
            let all = curve.last().map_or(Counts::default(), |point| point.counts);
            prop_assert_eq!(found.bins.iter().map(|bin| bin.links).sum::<u64>(), all.hypothesis);
            prop_assert_eq!(found.bins.iter().map(|bin| bin.sure).sum::<u64>(), all.in_sure);
            prop_assert_eq!(found.bins.iter().map(|bin| bin.possible).sum::<u64>(), all.in_possible);
            for (n, bin) in found.bins.iter().enumerate().filter(|(_, bin)| bin.links > 0) {
                let [low, high] = [n as f64 / bins as f64, (n + 1) as f64 / bins as f64];
                prop_assert!((low - 1e-9..=high + 1e-9).contains(&bin.mean_confidence), "{bin:?} {low} {high}");
            }
        }
    }

    /// By hand: three links promise 0.9, 0.8 and 0.2, of which the first and the last are right; (0.85 - 0.5) and
    /// (0.2 - 1) in bins of two links and one.
    #[test]
    fn the_expected_error_is_the_mean_distance() {
        let gold = [GoldAlignment::from_parts([(0, 0), (2, 2)].into(), &[(1, 1)].into())];
        let links = [vec![weighted(0, 0, 0.9), weighted(1, 1, 0.8), weighted(2, 2, 0.2), weighted(2, 2, 0.1)]];
        let found = reliability(&gold, &links, 2).unwrap();
        let expected = (2.0 * 0.35 + 0.8) / 3.0;
        assert!((found.expected_error.unwrap() - expected).abs() < 1e-6, "{found:?}");
        assert_eq!(found.bins[1].possible_share(), Some(1.0));
        assert_eq!(found.bins[1].sure_share(), Some(0.5));
        assert_eq!(reliability(&gold, &[vec![]], 3).unwrap().expected_error, None);
        assert_eq!(ReliabilityBin::default().sure_share(), None);
    }

    #[test]
    fn what_cannot_be_judged_is_refused() {
        let gold = [GoldAlignment::default()];
        let message = |links: &[Vec<WeightedLink>], bins| reliability(&gold, links, bins).unwrap_err().to_string();
        assert_eq!(message(&[], 1), "unequal lengths: gold has 1 line, hypothesis has 0");
        assert!(message(&[vec![]], 0).starts_with("bins = 0"), "{}", message(&[vec![]], 0));
        assert!(message(&[vec![weighted(0, 0, f32::NAN)]], 1).contains("a number"));
        assert!(threshold_curve(&gold, &[]).is_err());
    }
}
