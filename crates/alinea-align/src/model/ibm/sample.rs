//! The alignments of a pair that are counted one by one, where a sum over all is out of reach.
//!
//! They are the neighborhood of the summit that a climb has reached, or as much of it as matters. With *pegging* (Brown et
//! al. 1993, section 4.4) those of many more summits join them: each word j in turn is held at each position i, the empty
//! word's too, while the search climbs from the first summit, but for that link, to the best alignment that has it; its
//! neighborhood, in which the link may be gone, is counted as well. An alignment that is in several neighborhoods counts
//! once. (Brown et al. climb from the best alignment under Model 2 that has the link.)
//!
//! All links of a pair are so looked at in an alignment that suits them, where the neighborhood of one summit has them only
//! beside links that do not. That costs I J climbs in place of one.

use std::collections::BTreeSet;

use super::search::{Search, Step};

/// Alignments of one pair, a few steps from each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    /// The first is where the search stood.
    summits: Vec<Vec<u32>>,
    /// In the order of their summits.
    members: Vec<Member>,
}

/// One alignment: a summit or a neighbor of it.
#[derive(Debug, Clone, Copy)]
struct Member {
    summit: usize,
    step: Option<Step>,
    /// By how much its ln P is above that of the first summit.
    gain: f64,
}

impl Sample {
    /// The alignment of a search alone.
    pub(super) fn summit(search: &Search<'_>) -> Self {
        let member = Member { summit: 0, step: None, gain: 0.0 };
        Self { summits: vec![search.path.clone()], members: vec![member] }
    }

    /// The summit that a search has reached, and its neighbors with at least this gain.
    pub(super) fn neighborhood(search: &Search<'_>, least: f64) -> Self {
        let mut sample = Self::summit(search);
        let neighbors = search.neighbors(least).into_iter();
        let members = neighbors.map(|step| Member { summit: 0, step: Some(step), gain: search.gain(step) });
        sample.members.extend(members);
        sample
    }

    /// The same with pegging; gains are at least so much above (or below) that of the best. Leaves the search at the first
    /// summit, but with other gains. O(I J × steps × (I J + J²)).
    pub(super) fn pegged(search: &mut Search<'_>, least: f64) -> Self {
        let first = search.path.clone();
        let (states, logarithm) = (search.cells.states(), search.logarithm());
        let mut sample = Self::default();
        let mut seen = BTreeSet::new();
        sample.join(search, 0.0, least, &mut seen);
        let mut reached = BTreeSet::from([key(&first)]);
        for word in 0..first.len() {
            for position in (0..states).filter(|&position| position != first[word] as usize) {
                search.start(&first);
                search.take(Step::Move(word, position));
                search.climb_with(Some(word));
                if reached.insert(key(&search.path)) {
                    let above = search.logarithm() - logarithm;
                    sample.join(search, above, least, &mut seen);
                }
            }
        }
        let highest = sample.gains().fold(f64::NEG_INFINITY, f64::max);
        sample.members.retain(|member| member.gain >= highest + least);
        search.start(&first);
        sample
    }

    /// Adds a summit, so much above the first, and its neighbors, if they are new.
    fn join(&mut self, search: &Search<'_>, above: f64, least: f64, seen: &mut BTreeSet<u128>) {
        let (summit, path, own) = (self.summits.len(), &search.path, key(&search.path));
        self.summits.push(path.clone());
        if above >= least && seen.insert(own) {
            self.members.push(Member { summit, step: None, gain: above });
        }
        for step in search.neighbors(least - above) {
            let changed = match step {
                Step::Move(word, to) => link_key(word, path[word]) ^ link_key(word, to as u32),
                Step::Swap(one, other) => {
                    let (at, other_at) = (path[one], path[other]);
                    link_key(one, at) ^ link_key(one, other_at) ^ link_key(other, at) ^ link_key(other, other_at)
                }
            };
            if seen.insert(own ^ changed) {
                self.members.push(Member { summit, step: Some(step), gain: above + search.gain(step) });
            }
        }
    }

    /// By how much the ln P of each alignment is above that of the first summit.
    pub(super) fn gains(&self) -> impl Iterator<Item = f64> {
        self.members.iter().map(|member| member.gain)
    }

    /// Puts a search on each alignment in turn, numbered from 0.
    pub(super) fn for_each<'m>(&self, search: &mut Search<'m>, mut visit: impl FnMut(&Search<'m>, usize)) {
        let mut summit = None;
        for (n, member) in self.members.iter().enumerate() {
            if summit != Some(member.summit) {
                search.start(&self.summits[member.summit]);
                summit = Some(member.summit);
            }
            let back = member.step.map(|step| search.take(step));
            visit(search, n);
            back.map(|back| search.take(back));
        }
    }

    /// Leaves a search on the first summit.
    pub(super) fn go_to_summit(&self, search: &mut Search<'_>) {
        search.start(&self.summits[0]);
    }

    /// Leaves a search on one of the alignments.
    pub(super) fn go_to(&self, n: usize, search: &mut Search<'_>) {
        let Member { summit, step, .. } = self.members[n];
        search.start(&self.summits[summit]);
        step.map(|step| search.take(step));
    }
}

/// A number that no other alignment of the pair has: of 128 bits that are as good as random, so that it is not worth a
/// comparison. It is a sum without carries over the links, and known for a neighbor at once.
fn key(path: &[u32]) -> u128 {
    path.iter().enumerate().fold(0, |key, (word, &position)| key ^ link_key(word, position))
}

fn link_key(word: usize, position: u32) -> u128 {
    let link = (word as u64) << 32 | u64::from(position);
    u128::from(mixed(link)) << 64 | u128::from(mixed(!link))
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014), after one step of its counter.
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
