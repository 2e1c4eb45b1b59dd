//! Groups of sentences against those of people: precision, recall and F, strict and lax.
//!
//! *Strict*: a group is right if the gold standard has the same, with the same sentences on both sides. *Lax*: if there is a
//! gold group with which it shares a sentence on both sides, or the same one. Precision is the share of right ones among the
//! groups that were found, those with an empty side too; recall that of the gold groups that have both sides and are found,
//! in the same sense. F is their harmonic mean. A group that occurs twice counts once.
//!
//! Source: the evaluation of Thompson and Koehn 2019, *Vecalign: improved sentence alignment in linear time and space*, EMNLP,
//! section 5, and of Sennrich and Volk 2010, *MT-based sentence alignment for OCR-generated parallel texts*, AMTA.
//!
//! ```
//! use alinea::format::sentence_groups::SentenceGroup;
//! use alinea::sentence_align::GroupScores;
//!
//! let group = |source: &[usize], target: &[usize]| SentenceGroup { source: source.to_vec(), target: target.to_vec() };
//! let gold = [group(&[0], &[0]), group(&[1, 2], &[1]), group(&[3], &[])];
//! let found = [group(&[0], &[0]), group(&[1], &[1]), group(&[2], &[]), group(&[3], &[])];
//! let scores = GroupScores::of(&found, &gold);
//! assert_eq!((scores.strict.precision(), scores.strict.recall()), (0.5, Some(0.5)));
//! assert_eq!((scores.lax.precision(), scores.lax.recall()), (0.75, Some(1.0)));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::format::sentence_groups::SentenceGroup;

/// How many groups are right, in both senses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupScores {
    /// Right is what is the same in both.
    pub strict: GroupCounts,
    /// Right is what overlaps on both sides.
    pub lax: GroupCounts,
}

/// How many groups are right, in one sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupCounts {
    /// Groups found.
    pub found: u64,
    /// Those of them that are right.
    pub right: u64,
    /// Gold groups with both sides.
    pub gold: u64,
    /// Those of them that are found.
    pub recalled: u64,
}

impl GroupScores {
    /// Those of groups by gold groups. O(sentences × log sentences).
    pub fn of(found: &[SentenceGroup], gold: &[SentenceGroup]) -> Self {
        let (found, gold) = (Groups::new(found, |_| true), Groups::new(gold, |_| true));
        let [right, right_lax] = gold.having(&found);
        let both = |group: &SentenceGroup| !group.source.is_empty() && !group.target.is_empty();
        let (found_pairs, gold_pairs) = (found.only(both), gold.only(both));
        let [recalled, recalled_lax] = found_pairs.having(&gold_pairs);
        let counts = |right: u64, recalled: u64| GroupCounts {
            found: found.all.len() as u64,
            right,
            gold: gold_pairs.all.len() as u64,
            recalled,
        };
        Self { strict: counts(right, recalled), lax: counts(right_lax, recalled_lax) }
    }
}

impl GroupCounts {
    /// The share of right ones among the groups found, from 0 to 1; 0 if there are none.
    pub fn precision(&self) -> f64 {
        if self.found == 0 { 0.0 } else { self.right as f64 / self.found as f64 }
    }

    /// The share of the gold groups with both sides that are found, from 0 to 1; nothing if there are none.
    pub fn recall(&self) -> Option<f64> {
        (self.gold > 0).then_some(self.recalled as f64 / self.gold as f64)
    }

    /// The harmonic mean of precision and recall, 0 if both are 0; nothing without recall.
    pub fn f(&self) -> Option<f64> {
        let (precision, recall) = (self.precision(), self.recall()?);
        Some(if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 })
    }
}

/// Distinct groups, without empty ones, and where the sentences of the source are.
struct Groups {
    all: BTreeSet<SentenceGroup>,
    /// For each source sentence the target sentences of its groups.
    targets: BTreeMap<usize, BTreeSet<usize>>,
}

impl Groups {
    fn new<'g>(groups: impl IntoIterator<Item = &'g SentenceGroup>, keep: impl Fn(&SentenceGroup) -> bool) -> Self {
        let mut all = BTreeSet::new();
        let mut targets: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for group in groups {
            let mut group = group.clone();
            group.source.sort_unstable();
            group.target.sort_unstable();
            if group.source.is_empty() && group.target.is_empty() || !keep(&group) {
                continue;
            }
            for &source in &group.source {
                targets.entry(source).or_default().extend(&group.target);
            }
            all.insert(group);
        }
        Self { all, targets }
    }

    fn only(&self, keep: impl Fn(&SentenceGroup) -> bool) -> Self {
        Self::new(&self.all, keep)
    }

    /// How many of the others are here, strictly and laxly.
    fn having(&self, others: &Self) -> [u64; 2] {
        let (mut strict, mut lax) = (0, 0);
        for group in &others.all {
            let is_here = self.all.contains(group);
            let shares = |source: &usize| {
                self.targets.get(source).is_some_and(|here| group.target.iter().any(|target| here.contains(target)))
            };
            strict += u64::from(is_here);
            lax += u64::from(is_here || group.source.iter().any(shares));
        }
        [strict, lax]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(text: &str) -> Vec<SentenceGroup> {
        let side = |text: &str| text.split(',').filter_map(|n| n.parse().ok()).collect();
        let group = |(source, target): (&str, &str)| SentenceGroup { source: side(source), target: side(target) };
        text.split(' ').filter_map(|group| group.split_once(':')).map(group).collect()
    }

    /// Worked out by hand from the definitions.
    #[test]
    fn scores_are_those_of_the_definitions() {
        let gold = groups("0:0 1,2:1 3:2,3 4: 5:4 :5");
        for (found, strict, lax) in [
            ("0:0 1,2:1 3:2,3 4: 5:4 :5", [6, 6, 4, 4], [6, 6, 4, 4]),
            ("0:0 1:1 2: 3:2 :3 4:4 5:5", [7, 1, 4, 1], [7, 3, 4, 3]),
            ("", [0, 0, 4, 0], [0, 0, 4, 0]),
            // Sides overlap with different groups.
            ("0:1 1:0", [2, 0, 4, 0], [2, 0, 4, 0]),
            ("0:0 0:0 2,1:1", [2, 2, 4, 2], [2, 2, 4, 2]),
            ("0,1,2,3,4,5:0,1,2,3,4,5", [1, 0, 4, 0], [1, 1, 4, 4]),
        ] {
            let scores = GroupScores::of(&groups(found), &gold);
            let counts = |counts: GroupCounts| [counts.found, counts.right, counts.gold, counts.recalled];
            assert_eq!((counts(scores.strict), counts(scores.lax)), (strict, lax), "{found}");
        }
        assert_eq!(GroupScores::of(&[], &gold).strict.f(), Some(0.0));
        let untranslated = groups("4: :5");
        let scores = GroupScores::of(&untranslated, &untranslated).strict;
        assert_eq!((scores.precision(), scores.recall(), scores.f()), (1.0, None, None));
    }
}
