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

use std::collections::HashSet;

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
        let mut seen = HashSet::new();
        sample.join(search, 0.0, least, &mut seen);
        let mut reached = HashSet::from([first.clone()]);
        for word in 0..first.len() {
            for position in (0..states).filter(|&position| position != first[word] as usize) {
                search.start(&first);
                search.take(Step::Move(word, position));
                search.climb_with(Some(word));
                if reached.insert(search.path.clone()) {
                    let above = search.logarithm() - logarithm;
                    sample.join(search, above, least, &mut seen);
                }
            }
        }
        let highest = sample.members.iter().map(|member| member.gain).fold(f64::NEG_INFINITY, f64::max);
        sample.members.retain(|member| member.gain >= highest + least);
        search.start(&first);
        sample
    }

    /// Adds a summit, so much above the first, and its neighbors, if they are new.
    fn join(&mut self, search: &mut Search<'_>, above: f64, least: f64, seen: &mut HashSet<Vec<u32>>) {
        let summit = self.summits.len();
        self.summits.push(search.path.clone());
        if above >= least && seen.insert(search.path.clone()) {
            self.members.push(Member { summit, step: None, gain: above });
        }
        for step in search.neighbors(least - above) {
            let back = search.take(step);
            if seen.insert(search.path.clone()) {
                self.members.push(Member { summit, step: Some(step), gain: above + search.gain(step) });
            }
            search.take(back);
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
