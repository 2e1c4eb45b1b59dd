//! What is known of a text before a model is trained on it.
//!
//! A [`Dictionary`] gives pseudo-counts: an entry (e, f) of weight w adds w to the prior of t(f|e) and of t(e|f), and so
//! to the pairs of their stems too.
//!
//! Links that are known for some sentence pairs are kept to: there the emission of every cell without a link is
//! multiplied by epsilon = 1e-15, and so is the empty word's for words with a sure link. (It is not set to zero, so that
//! every sentence keeps a path.) A word with several links is shared among them, a word with possible links alone may have
//! them or none, a word without any has no counterpart. So such pairs teach in every pass of the HMM what is right, and
//! when the pair is decoded, the posteriors of sure links are one. Passes of Model 1 know nothing of it.
//!
//! [`SoftLinks`] are known with some confidence: see [`soft_links`](super::soft_links).

use crate::alignment::{Alignment, GoldAlignment, Link};
use crate::bitext::{Dictionary, DistinctPairs, RankedBitext, fnv_1a};
use crate::error::{Error, ErrorKind, Result};
use crate::model::pair::rows::Emission;
use crate::model::refinement::soft_links::SoftLinks;
use crate::numeric::simd::padded;

/// Translations, and links of some sentence pairs.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Supervision {
    /// Translations of words.
    pub dictionary: Dictionary,
    /// For pairs of the text their links, all of them; by ascending number of the pair, from 0.
    pub links: Vec<(usize, GoldAlignment)>,
    /// For pairs of the text links that are known with some confidence, by ascending number of the pair, from 0. All other
    /// links of such a pair have confidence 0. Pairs that have `links` keep to those.
    pub soft_links: Vec<(usize, SoftLinks)>,
}

alinea_text::configurable!(Supervision);

impl Supervision {
    /// The links that have no effect, since they are between words of different stretches of a long pair; each with the number
    /// of its pair, from 0. Linear in the number of links.
    pub fn across_stretches(&self, text: &RankedBitext) -> Vec<(usize, Link)> {
        let given = self.links.iter().filter(|(n, _)| *n < text.len());
        let apart = given.flat_map(|(n, links)| {
            let cuts = text.pair(*n).cuts;
            let stretch = |side: usize, word: u32| cuts.partition_point(|cut| cut[side] <= word);
            let apart = move |link: &Link| stretch(0, link.source) != stretch(1, link.target);
            links.possible().iter().filter(apart).map(|link| (*n, link))
        });
        apart.collect()
    }

    /// Refuses links of pairs that are none of the first `pairs` of a text, and links outside of their sentences.
    ///
    /// # Errors
    /// `Inconsistent`.
    pub(crate) fn check(&self, text: &RankedBitext, pairs: usize) -> Result<()> {
        self.links.iter().try_for_each(|(n, links)| check(*n, pairs, links, text))?;
        self.soft_links.iter().try_for_each(|(n, links)| check_soft(*n, pairs, links, text))
    }

    /// The same for a text whose long pairs are cut into stretches, each of which counts as a pair there. A link between
    /// words of different stretches is none.
    ///
    /// # Errors
    /// `Inconsistent` for pairs that the text does not have, and links outside of their sentences.
    pub(in crate::model) fn in_stretches(&self, text: &RankedBitext) -> Result<Self> {
        let cuts = text.cuts();
        let mut links_of = Vec::with_capacity(self.links.len());
        for (n, links) in &self.links {
            check(*n, text.len(), links, text)?;
            for (number, (start, stretch)) in text.pair(*n).stretches().enumerate() {
                let end = [start[0] + stretch.source.len() as u32, start[1] + stretch.target.len() as u32];
                let inside = |link: &Link| {
                    (start[0]..end[0]).contains(&link.source) && (start[1]..end[1]).contains(&link.target)
                };
                let part = |links: &Alignment| -> Alignment {
                    let moved = |link: Link| Link::new(link.source - start[0], link.target - start[1]);
                    links.iter().filter(inside).map(moved).collect()
                };
                let links = GoldAlignment::from_parts(part(links.sure()), &part(links.possible()));
                links_of.push((cuts.first_of(*n) + number, links));
            }
        }
        let mut soft_links = Vec::with_capacity(self.soft_links.len());
        for (n, links) in &self.soft_links {
            check_soft(*n, text.len(), links, text)?;
            for (number, ([s, t], stretch)) in text.pair(*n).stretches().enumerate() {
                let (sources, targets) = (s..s + stretch.source.len() as u32, t..t + stretch.target.len() as u32);
                soft_links.push((cuts.first_of(*n) + number, links.within(&sources, &targets)));
            }
        }
        Ok(Self { dictionary: self.dictionary.clone(), links: links_of, soft_links })
    }
}

/// Refuses links of pairs that a text of so many does not have, and links outside of their sentences.
fn check(n: usize, pairs: usize, links: &GoldAlignment, text: &RankedBitext) -> Result<()> {
    check_with(n, pairs, text, |[source, target]| links.possible().first_outside(source, target))
}

/// The same of soft links.
fn check_soft(n: usize, pairs: usize, links: &SoftLinks, text: &RankedBitext) -> Result<()> {
    check_with(n, pairs, text, |lengths| links.first_outside(lengths))
}

/// The same; given is what finds a link outside of a pair with so many words on both sides.
fn check_with(
    n: usize,
    pairs: usize,
    text: &RankedBitext,
    first_outside: impl FnOnce([usize; 2]) -> Option<Link>,
) -> Result<()> {
    if n >= pairs {
        let message = format!("links are given for pair {} of a text of {pairs}", n + 1);
        return Err(ErrorKind::Inconsistent(message).into());
    }
    let pair = text.pair(n);
    let lengths = [pair.source.len(), pair.target.len()];
    match first_outside(lengths).filter(|_| !pair.has_empty_side()) {
        Some(link) => Err(Error::link_outside_sentences(link, lengths).within(format_args!("pair {}", n + 1))),
        None => Ok(()),
    }
}

/// The links that are known of distinct sentence pairs.
#[derive(Debug, Default)]
pub(in crate::model) struct GivenLinks {
    /// By place among the distinct pairs; of equal pairs, what was said of the first.
    by_place: Vec<Option<GoldAlignment>>,
}

impl GivenLinks {
    /// Those of a text that has no long pairs.
    pub(in crate::model) fn new(links: &[(usize, GoldAlignment)], distinct: &DistinctPairs) -> Self {
        let mut by_place = Vec::new();
        for (n, links) in links {
            let Some(place) = distinct.place_of(*n) else { continue };
            by_place.resize(by_place.len().max(place + 1), None);
            by_place[place].get_or_insert_with(|| links.clone());
        }
        Self { by_place }
    }

    /// A number that tells these from others.
    pub(in crate::model) fn fingerprint(&self) -> u64 {
        let numbers = self.by_place.iter().zip(0u32..).filter_map(|(links, place)| Some((place, links.as_ref()?)));
        fnv_1a(numbers.flat_map(|(place, links)| {
            let of = |link: Link| [link.source, link.target, u32::from(links.sure().contains(link))];
            let links = links.possible().iter().flat_map(of);
            [place, u32::MAX].into_iter().chain(links).flat_map(u32::to_le_bytes).collect::<Vec<_>>()
        }))
    }

    /// What is known of the pair at a place.
    #[inline(always)]
    pub(in crate::model) fn of(&self, place: usize) -> Option<&GoldAlignment> {
        self.by_place.get(place)?.as_ref()
    }
}

/// What the emission of cells is multiplied by that were not given a link.
const NOT_GIVEN: f32 = 1e-15;

/// The emissions of one direction of a sentence pair whose links are known: a row for each step, where there was one for
/// each distinct word. Given are links as step, state, and whether they are sure, the
/// emissions by word, and p(empty word) by step, which is changed.
pub(in crate::model) fn keep_to(
    links: impl Iterator<Item = (usize, usize, bool)>,
    Emission { rows, slots, positions }: Emission<'_>,
    null: &mut [f32],
    kept: &mut Vec<f32>,
) {
    let stride = padded(positions.len());
    let row = |slot: u32| &rows[slot as usize * stride..][..stride];
    kept.clear();
    for &slot in slots {
        kept.extend(row(slot).iter().map(|emission| emission * NOT_GIVEN));
    }
    let mut has_sure = vec![false; slots.len()];
    for (step, state, sure) in links {
        kept[step * stride + state] = row(slots[step])[state];
        has_sure[step] |= sure;
    }
    for (null, _) in null.iter_mut().zip(has_sure).filter(|(_, has_sure)| *has_sure) {
        *null *= NOT_GIVEN;
    }
}
