//! Pairs of items, counted by how people and a metric order them, for coefficients like Kendall's tau.
//!
//! A pair is concordant (C), discordant (D), tied by the metric alone (T), by people alone (H), or by both (B). People
//! see a difference if their scores are at least so far apart as is asked, or, if that is 0, not equal.
//!
//! Counting takes O(n log n). Items are visited by rising human score. Those far enough below the current one are in a
//! Fenwick tree over the ranks of the metric, and two sums tell how many the metric puts below it (C) and beside it
//! (T); the rest is D. B and H follow from the numbers of pairs that the metric ties and of all pairs. The usual way, a
//! merge sort (Knight 1966), has no place for a least difference.

use std::cmp::Ordering;

use super::sign;

/// How pairs of items compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairCounts {
    /// C: both see the same difference.
    pub concordant: u64,
    /// D: they see opposite differences.
    pub discordant: u64,
    /// T: tied by the metric, not by humans.
    pub metric_ties: u64,
    /// H: tied by humans, not by the metric.
    pub human_ties: u64,
    /// B: both see none.
    pub both_ties: u64,
}

impl PairCounts {
    /// The pairs of items with these scores; people see differences of at least `least`, or, if that is 0, any.
    /// O(n log n).
    ///
    /// Items come in the order of their human scores. Those before one from which people see a difference are in a table of
    /// counts by the rank of the metric (Fenwick 1994, *A New Data Structure for Cumulative Frequency Tables*), so that
    /// it takes two sums to know in how many of these pairs the metric agrees. It is the method of Knight (1966, *A Computer
    /// Method for Calculating Kendall's Tau with Ungrouped Data*) but for the least difference, which merging cannot have.
    pub(super) fn of(human: &[f64], metric: &[f64], least: f64) -> Self {
        let mut order: Vec<usize> = (0..human.len()).collect();
        order.sort_by(|&one, &other| sign(human[one] - human[other]));
        let (ranks, distinct) = dense_ranks(metric);
        let mut before = Cumulative::new(distinct);
        let mut counts = Self::default();
        let mut seen = order.iter().peekable();
        let mut apart = 0;
        for &item in &order {
            while let Some(&other) = seen.next_if(|&&other| differ(human[item] - human[other], least)) {
                before.add(ranks[other]);
                apart += 1;
            }
            let below = before.sum(ranks[item]);
            let equal = before.sum(ranks[item] + 1) - below;
            counts.concordant += below;
            counts.metric_ties += equal;
            counts.discordant += apart - below - equal;
        }
        let pairs = |items: u64| items * items.saturating_sub(1) / 2;
        let mut of_rank = vec![0_u64; distinct];
        for &rank in &ranks {
            of_rank[rank] += 1;
        }
        let tied: u64 = of_rank.into_iter().map(pairs).sum();
        counts.both_ties = tied - counts.metric_ties;
        let differing = counts.concordant + counts.discordant + counts.metric_ties;
        counts.human_ties = pairs(human.len() as u64) - differing - counts.both_ties;
        counts
    }

    /// The sums of two counts.
    pub(super) fn plus(self, other: &Self) -> Self {
        Self {
            concordant: self.concordant + other.concordant,
            discordant: self.discordant + other.discordant,
            metric_ties: self.metric_ties + other.metric_ties,
            human_ties: self.human_ties + other.human_ties,
            both_ties: self.both_ties + other.both_ties,
        }
    }
}

/// Whether people see a difference, where the first item has no lower score.
fn differ(apart: f64, least: f64) -> bool {
    sign(apart) == Ordering::Greater && apart >= least
}

/// The rank of each value from 0, equal ones having the same, and how many ranks there are.
fn dense_ranks(values: &[f64]) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| sign(values[one] - values[other]));
    let mut ranks = vec![0; values.len()];
    let mut distinct = 0;
    for equal in order.chunk_by(|&one, &other| sign(values[one] - values[other]).is_eq()) {
        for &item in equal {
            ranks[item] = distinct;
        }
        distinct += 1;
    }
    (ranks, distinct)
}

/// Counts by rank whose sums over the first ranks are to be had at any time, in logarithmic time.
struct Cumulative(Vec<u64>);

impl Cumulative {
    fn new(ranks: usize) -> Self {
        Self(vec![0; ranks + 1])
    }

    fn add(&mut self, rank: usize) {
        let mut at = rank + 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// The sum of the counts of ranks below `rank`.
    fn sum(&self, rank: usize) -> u64 {
        let (mut at, mut sum) = (rank, 0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pair by pair, as the definition says.
    fn by_definition(human: &[f64], metric: &[f64], least: f64) -> PairCounts {
        let mut counts = PairCounts::default();
        for one in 0..human.len() {
            for other in one + 1..human.len() {
                let apart = human[one] - human[other];
                let by_human = if apart.abs() < least { Ordering::Equal } else { sign(apart) };
                *match (by_human, sign(metric[one] - metric[other])) {
                    (Ordering::Equal, Ordering::Equal) => &mut counts.both_ties,
                    (Ordering::Equal, _) => &mut counts.human_ties,
                    (_, Ordering::Equal) => &mut counts.metric_ties,
                    (one, other) if one == other => &mut counts.concordant,
                    _ => &mut counts.discordant,
                } += 1;
            }
        }
        counts
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_definition(
            scores in proptest::collection::vec((-3i8..4, -3i8..4), 0..40),
            tenths in 0u8..40,
        ) {
            let (human, metric): (Vec<f64>, Vec<f64>) =
                scores.iter().map(|&(human, metric)| (f64::from(human) * 0.7, f64::from(metric) * 0.1)).unzip();
            let least = f64::from(tenths) / 10.0;
            prop_assert_eq!(PairCounts::of(&human, &metric, least), by_definition(&human, &metric, least));
        }
    }
}
