//! Links of some sentence pairs that are known with some confidence: expected counts that are given.
//!
//! Of a pair with soft links, confidences c(i, j) of source word i and target word j are given, 0 where nothing is said. In
//! each pass of the HMM that counts the pair, they take the place of the model's own posteriors,
//!
//! ```text
//! P_f(i|j) = c(i,j) / max(1, sum_i' c(i',j)) ,      P_r(j|i) = c(i,j) / max(1, sum_j' c(i,j')) ,
//! q(i,j)   = c(i,j) / ( max(1, sum_i' c(i',j)) max(1, sum_j' c(i,j')) ) ,
//! ```
//!
//! so that no word is generated more than once, and what the words of the other side leave of it is the empty word's. Where
//! directions agree both count q, which is the product of P_f and P_r for links that are certain; elsewhere they count P_f
//! and P_r. Fertilities are counted from these, too. Jumps are those of a lattice whose emissions are P_f(i|j), and 1 -
//! sum_i P_f(i|j) for the empty word, and likewise P_r in the other direction.
//!
//! With confidences of 1 and 0, the pair teaches what [known links](super::supervision) of it do, but for words with several
//! links, which are shared equally. Confidences are not multiplied into the emissions of the model, as known links are: a
//! word with a single candidate, of confidence 0.1, would count it almost fully, since the empty word is improbable.
//!
//! Self-counts are what was counted, wherever that came from. So leave-one-out takes it away when the pair is aligned: its
//! posteriors are what the rest of the text says of it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::alignment::{Link, WeightedLink};
use crate::bitext::{DistinctPairs, fnv_1a};
use crate::error::{Error, Result};
use crate::numeric::simd::padded;

/// Links of one sentence pair, each known with some confidence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SoftLinks(Vec<SoftLink>);

/// What a link counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::model) struct SoftLink {
    pub(in crate::model) link: Link,
    /// P_f.
    pub(in crate::model) forward: f32,
    /// P_r.
    pub(in crate::model) reverse: f32,
    /// q.
    pub(in crate::model) both: f32,
}

impl SoftLinks {
    /// Links with their confidences; of a link that is named twice the greater one. O(n log n).
    ///
    /// # Errors
    /// `Config` for a confidence that is not from 0 to 1.
    pub fn new(links: impl IntoIterator<Item = WeightedLink>) -> Result<Self> {
        let mut links: Vec<WeightedLink> = links.into_iter().collect();
        if let Some(found) = links.iter().find(|found| !(0.0..=1.0).contains(&found.weight)) {
            return Err(Error::config("soft_links", found.weight, "confidences from 0 to 1"));
        }
        links.sort_by(|a, b| a.link.cmp(&b.link).then(b.weight.total_cmp(&a.weight)));
        links.dedup_by_key(|found| found.link);
        let mut sums: [BTreeMap<u32, f32>; 2] = Default::default();
        for &WeightedLink { link, weight } in &links {
            *sums[0].entry(link.source).or_default() += weight;
            *sums[1].entry(link.target).or_default() += weight;
        }
        let share = |side: usize, word: u32| 1.0 / sums[side].get(&word).copied().unwrap_or_default().max(1.0);
        let soft = links.into_iter().map(|WeightedLink { link, weight }| {
            let (of_source, of_target) = (share(0, link.source), share(1, link.target));
            let [forward, reverse] = [weight * of_target, weight * of_source];
            SoftLink { link, forward, reverse, both: forward * of_source }
        });
        Ok(Self(soft.collect()))
    }

    /// How many links there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none: all words are the empty word's.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first link that a pair with so many words on both sides does not have.
    pub(in crate::model) fn first_outside(&self, [source, target]: [usize; 2]) -> Option<Link> {
        let is_outside = |link: &Link| link.source as usize >= source || link.target as usize >= target;
        self.0.iter().map(|soft| soft.link).find(is_outside)
    }

    /// The links between the words of a stretch of the pair, counted from its first ones.
    pub(in crate::model) fn within(&self, sources: &Range<u32>, targets: &Range<u32>) -> Self {
        let is_inside = |link: Link| sources.contains(&link.source) && targets.contains(&link.target);
        let moved = |soft: &SoftLink| {
            let link = Link::new(soft.link.source - sources.start, soft.link.target - targets.start);
            SoftLink { link, ..*soft }
        };
        Self(self.0.iter().filter(|soft| is_inside(soft.link)).map(moved).collect())
    }

    /// The same for a pair whose words are in pieces: those of a word share what it counts.
    pub(in crate::model) fn in_pieces(
        &self,
        sources: impl Fn(usize) -> Range<u32>,
        targets: impl Fn(usize) -> Range<u32>,
    ) -> Self {
        let mut pieces = Vec::new();
        for soft in &self.0 {
            let (of_source, of_target) = (sources(soft.link.source as usize), targets(soft.link.target as usize));
            let [s, t] = [of_source.len(), of_target.len()].map(|pieces| 1.0 / pieces as f32);
            let (forward, reverse, both) = (soft.forward * s, soft.reverse * t, soft.both * (s * t));
            for source in of_source {
                let links = of_target.clone().map(|target| Link::new(source, target));
                pieces.extend(links.map(|link| SoftLink { link, forward, reverse, both }));
            }
        }
        pieces.sort_by_key(|soft| soft.link);
        Self(pieces)
    }
}

/// The soft links of distinct sentence pairs.
#[derive(Debug, Default)]
pub(in crate::model) struct GivenPosteriors {
    /// By place among the distinct pairs; of equal pairs, what was said of the first.
    by_place: Vec<Option<SoftLinks>>,
}

impl GivenPosteriors {
    /// Those of a text that has no long pairs, but for the places of which more is known.
    pub(in crate::model) fn new(
        links: &[(usize, SoftLinks)],
        distinct: &DistinctPairs,
        is_known: impl Fn(usize) -> bool,
    ) -> Self {
        let mut by_place = Vec::new();
        for (n, links) in links {
            let Some(place) = distinct.place_of(*n).filter(|&place| !is_known(place)) else { continue };
            by_place.resize(by_place.len().max(place + 1), None);
            by_place[place].get_or_insert_with(|| links.clone());
        }
        Self { by_place }
    }

    /// A number that tells these from others; 0 if there are none.
    pub(in crate::model) fn fingerprint(&self) -> u64 {
        if self.by_place.is_empty() {
            return 0;
        }
        let numbers = self.by_place.iter().zip(0u32..).filter_map(|(links, place)| Some((place, links.as_ref()?)));
        fnv_1a(numbers.flat_map(|(place, links)| {
            let of = |soft: &SoftLink| {
                let counts = [soft.forward, soft.reverse, soft.both].map(f32::to_bits);
                [soft.link.source, soft.link.target, counts[0], counts[1], counts[2]]
            };
            let links = links.0.iter().flat_map(of);
            [place, u32::MAX].into_iter().chain(links).flat_map(u32::to_le_bytes).collect::<Vec<_>>()
        }))
    }

    /// What is given of the pair at a place.
    #[inline(always)]
    pub(in crate::model) fn of(&self, place: usize) -> Option<&[SoftLink]> {
        self.by_place.get(place)?.as_ref().map(|links| links.0.as_slice())
    }
}

/// No emission is below this, so that every sentence keeps a path.
const LEAST: f32 = 1e-15;

/// The emissions of one direction of a sentence pair whose posteriors are given: a row for each step, and what the empty word
/// has by step. Given are step, state and posterior, and how many states there are.
pub(in crate::model) fn emit(
    given: impl Iterator<Item = (usize, usize, f32)>,
    states: usize,
    null: &mut [f32],
    emissions: &mut Vec<f32>,
) {
    let stride = padded(states);
    emissions.clear();
    emissions.resize(null.len() * stride, 0.0);
    emissions.chunks_exact_mut(stride).for_each(|row| row[..states].fill(LEAST));
    null.fill(1.0);
    for (step, state, posterior) in given {
        emissions[step * stride + state] = posterior.max(LEAST);
        null[step] -= posterior;
    }
    for null in null.iter_mut() {
        *null = null.max(LEAST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soft(links: &[(u32, u32, f32)]) -> SoftLinks {
        let weighted =
            |&(source, target, weight): &(u32, u32, f32)| WeightedLink { link: Link::new(source, target), weight };
        SoftLinks::new(links.iter().map(weighted)).unwrap()
    }

    /// Sums of P_f by target word and of P_r by source word.
    fn sums(links: &SoftLinks) -> [Vec<f32>; 2] {
        let mut sums = [vec![0.0; 4], vec![0.0; 4]];
        for soft in &links.0 {
            sums[0][soft.link.target as usize] += soft.forward;
            sums[1][soft.link.source as usize] += soft.reverse;
        }
        sums
    }

    #[test]
    fn no_word_is_generated_more_than_once() {
        let links = soft(&[(0, 0, 0.9), (0, 1, 0.9), (1, 1, 0.6), (2, 3, 0.3)]);
        let [of_targets, of_sources] = sums(&links);
        for (found, expected) in of_targets.iter().zip([0.9, 1.0, 0.0, 0.3]) {
            assert!((found - expected).abs() < 1e-6, "{of_targets:?}");
        }
        for (found, expected) in of_sources.iter().zip([1.0, 0.6, 0.3, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{of_sources:?}");
        }
        // q = c / (1.5 * 1.8) where both words have more than one link's worth.
        let shared = links.0.iter().find(|soft| soft.link == Link::new(0, 1)).unwrap();
        assert!((shared.both - 0.9 / (1.5 * 1.8)).abs() < 1e-6, "{shared:?}");
        assert!(links.0.iter().all(|soft| soft.both <= soft.forward.min(soft.reverse)));
    }

    #[test]
    fn pieces_share_what_a_word_counts() {
        let words = soft(&[(0, 0, 0.8), (1, 1, 0.5)]);
        // The first source word is in three pieces, the second target word in two.
        let source = |word: usize| if word == 0 { 0..3 } else { 3..4 };
        let target = |word: usize| if word == 0 { 0..1 } else { 1..3 };
        let pieces = words.in_pieces(source, target);
        assert_eq!(pieces.len(), 5);
        assert!(pieces.0.is_sorted_by_key(|soft| soft.link));
        let [of_targets, of_sources] = sums(&pieces);
        for (found, expected) in of_targets.iter().zip([0.8, 0.5, 0.5]) {
            assert!((found - expected).abs() < 1e-6, "{of_targets:?}");
        }
        for (found, expected) in of_sources.iter().zip([0.8, 0.8, 0.8, 0.5]) {
            assert!((found - expected).abs() < 1e-6, "{of_sources:?}");
        }
    }

    #[test]
    fn links_are_those_of_the_stretch() {
        let links = soft(&[(0, 0, 0.5), (3, 2, 0.7), (3, 9, 1.0)]);
        let stretch = links.within(&(2..5), &(1..4));
        let [SoftLink { link, forward, .. }] = stretch.0[..] else { panic!("{stretch:?}") };
        assert_eq!((link, forward.to_bits()), (Link::new(1, 1), 0.7f32.to_bits()));
        assert_eq!(links.first_outside([4, 3]), Some(Link::new(3, 9)));
        assert_eq!(links.first_outside([4, 10]), None);
        assert!(links.within(&(0..1), &(5..9)).is_empty());
    }

    #[test]
    fn confidences_are_checked() {
        for weight in [-0.1, 1.1, f32::NAN] {
            let error = SoftLinks::new([WeightedLink { link: Link::new(0, 0), weight }]).unwrap_err();
            assert!(error.to_string().ends_with("must be confidences from 0 to 1"), "{error}");
        }
        assert_eq!(soft(&[(0, 0, 0.2), (0, 0, 0.4), (0, 0, 0.3)]), soft(&[(0, 0, 0.4)]));
    }

    #[test]
    fn emissions_are_posteriors() {
        let (mut null, mut emissions) = (vec![0.3, 0.3], vec![9.0]);
        emit([(0, 1, 0.75), (1, 0, 1.0)].into_iter(), 3, &mut null, &mut emissions);
        let stride = padded(3);
        assert_eq!(emissions.len(), 2 * stride);
        assert_eq!(&emissions[..3], [LEAST, 0.75, LEAST]);
        assert_eq!(&emissions[stride..][..3], [1.0, LEAST, LEAST]);
        assert!(emissions[3..stride].iter().all(|&padding| padding.to_bits() == 0));
        assert_eq!(&null[..], [0.25, LEAST]);
    }
}
