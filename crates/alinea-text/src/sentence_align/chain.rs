//! Anchors: of many candidates, pairs of sentences that probably translate each other, those that the search goes by.
//!
//! Translations mostly keep the order of sentences, so the anchors are the candidates of the greatest total weight of which
//! each comes after the one before it in both texts (a heaviest increasing subsequence). It is found in O(c log m) for c
//! candidates and m target sentences: candidates are visited by source sentence, and a Fenwick tree over target sentences has
//! the best chain that ends before any of them.
//!
//! Where nothing is translated, a chance candidate may be all that there is, and would lead the search astray. An anchor is
//! kept if the anchor before or behind it supports it: there about as many source as target sentences lie between the two.

use super::Candidate;

/// How far two anchors may be off each other's diagonal, in sentences, and as a share of their distance.
const OFF: usize = 4;
const SHARE: usize = 4;

/// The heaviest chain of candidates, in order. Candidates without a positive weight are left out; of chains of equal weight the
/// one that is found first stays.
pub(super) fn heaviest_chain(candidates: &[Candidate]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = candidates.iter().copied().filter(|c| c.weight > 0.0).collect();
    // Those of one source sentence from the last target on, so that none follows another.
    candidates.sort_by_key(|c| (c.source, std::cmp::Reverse(c.target)));
    let last = candidates.iter().map(|c| c.target).max().unwrap_or(0);
    let mut best = Fenwick::new(last + 1);
    let mut before: Vec<Option<usize>> = Vec::with_capacity(candidates.len());
    for (place, candidate) in candidates.iter().enumerate() {
        let (weight, end) = best.up_to(candidate.target);
        before.push(end);
        best.raise(candidate.target, (weight + candidate.weight, Some(place)));
    }
    let mut chain = Vec::new();
    let mut next = best.up_to(last + 1).1;
    while let Some(place) = next {
        chain.push(candidates[place]);
        next = before[place];
    }
    chain.reverse();
    chain
}

/// Those of a chain that a neighbor in it supports. One alone is kept: nothing contradicts it.
pub(super) fn supported(chain: Vec<Candidate>) -> Vec<Candidate> {
    if chain.len() < 2 {
        return chain;
    }
    let agree = |a: &Candidate, b: &Candidate| {
        let (down, across) = (b.source.abs_diff(a.source), b.target.abs_diff(a.target));
        down.abs_diff(across) <= OFF + down.min(across) / SHARE
    };
    let is_supported = |n: usize| {
        let one = &chain[n];
        n > 0 && agree(&chain[n - 1], one) || chain.get(n + 1).is_some_and(|next| agree(one, next))
    };
    (0..chain.len()).filter(|&n| is_supported(n)).map(|n| chain[n]).collect()
}

/// A weight, and the place of the candidate that ends its chain.
type Chain = (f64, Option<usize>);

/// Prefix maxima of chains by the target sentence that they end at.
struct Fenwick(Vec<Chain>);

impl Fenwick {
    fn new(len: usize) -> Self {
        Self(vec![(0.0, None); len + 1])
    }

    /// The heaviest chain that ends before a target sentence.
    fn up_to(&self, target: usize) -> Chain {
        let mut best = (0.0, None);
        let mut n = target;
        while n > 0 {
            if self.0[n].0 > best.0 {
                best = self.0[n];
            }
            n &= n - 1;
        }
        best
    }

    /// Takes in a chain that ends at a target sentence.
    fn raise(&mut self, target: usize, chain: Chain) {
        let mut n = target + 1;
        while n < self.0.len() {
            if chain.0 > self.0[n].0 {
                self.0[n] = chain;
            }
            n += n & n.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate((source, target, weight): (usize, usize, u8)) -> Candidate {
        Candidate { source, target, weight: f64::from(weight) }
    }

    fn pairs(chain: &[Candidate]) -> Vec<(usize, usize)> {
        chain.iter().map(|c| (c.source, c.target)).collect()
    }

    #[test]
    fn chains_rise_in_both_texts() {
        let candidates = [(0, 0, 1), (0, 3, 2), (1, 1, 1), (1, 2, 1), (2, 2, 1), (2, 0, 3), (3, 0, 0)].map(candidate);
        assert_eq!(pairs(&heaviest_chain(&candidates)), [(0, 0), (1, 1), (2, 2)]);
        assert!(heaviest_chain(&[]).is_empty());
        assert!(heaviest_chain(&[candidate((3, 0, 0))]).is_empty());
    }

    #[test]
    fn what_leads_astray_is_dropped() {
        let of = |pairs: &[(usize, usize)]| pairs.iter().map(|&(s, t)| candidate((s, t, 1))).collect::<Vec<_>>();
        let kept = |chain: &[(usize, usize)]| pairs(&supported(of(chain)));
        assert_eq!(kept(&[(0, 0), (10, 10), (20, 60), (100, 100)]), [(0, 0), (10, 10)]);
        // Behind a stretch that nothing translates all goes on; 100 and 101 support each other.
        assert_eq!(kept(&[(0, 0), (1, 1), (100, 2), (101, 3)]), [(0, 0), (1, 1), (100, 2), (101, 3)]);
        assert_eq!(kept(&[(7, 50)]), [(7, 50)]);
    }

    proptest! {
        /// Against all subsets.
        #[test]
        fn no_chain_is_heavier(all in proptest::collection::vec((0usize..6, 0usize..6, 0u8..9), 0..10)) {
            let candidates: Vec<Candidate> = all.into_iter().map(candidate).collect();
            let weight = |chain: &[Candidate]| chain.iter().map(|c| c.weight).sum::<f64>();
            let mut heaviest = 0.0f64;
            for subset in 0u32..1 << candidates.len() {
                let mut chosen: Vec<Candidate> =
                    (0..candidates.len()).filter(|n| subset >> n & 1 == 1).map(|n| candidates[n]).collect();
                chosen.sort_by_key(|c| c.source);
                if chosen.windows(2).all(|two| two[0].source < two[1].source && two[0].target < two[1].target) {
                    heaviest = heaviest.max(weight(&chosen));
                }
            }
            let chain = heaviest_chain(&candidates);
            prop_assert!(chain.windows(2).all(|two| two[0].source < two[1].source && two[0].target < two[1].target));
            // Small whole numbers are exact.
            prop_assert!((weight(&chain) - heaviest).abs() < 1e-9);
        }
    }
}
