//! Partial orders from alignments: of which pairs of words is it certain which comes first?
//!
//! A word that is linked to several positions covers an interval, from the first to the last of them. `x` comes before or
//! with `y` if its interval begins no later and ends no later (Neubig, Watanabe and Mori 2012; Nakagawa 2015). Words with
//! equal intervals have one rank, and any order among them is right; words without link have none. If one interval lies
//! strictly inside another there is no answer, and the sentence is left out ([`Incomparable::Skip`]), or everything between
//! the two words, in the source, becomes one block with one rank ([`Incomparable::Merge`], as the program LADER does). One
//! thing more may make a sentence useless to an engine that builds binary trees: no tree reaches the order
//! ([`Ranks::is_bracketable`]).

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use super::oracle::named;
use crate::alignment::{Alignment, Link};
use crate::error::{Error, Result};

/// What to do with a sentence in which two words have no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Incomparable {
    /// It is left out.
    #[default]
    Skip,
    /// The words from the one to the other become one block.
    Merge,
}

named!(Incomparable, "incomparable", [Skip = "skip", Merge = "merge"], "skip, merge");

/// Why a sentence has no ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Skipped {
    /// No word has a link.
    Unaligned,
    /// The positions of one of these two words lie strictly inside those of the other.
    Incomparable {
        /// The word that comes first in the source.
        first: u32,
        /// The other one.
        second: u32,
    },
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unaligned => f.write_str("no word has a link"),
            Self::Incomparable { first, second } => {
                write!(f, "of words {first} and {second}, the target span of one lies inside that of the other")
            }
        }
    }
}

/// The rank of each word of a sentence, from 0; none for words without link.
///
/// ```
/// use alinea::reorder::{Incomparable, Ranks, Skipped};
///
/// let ranks = Ranks::of_alignment(4, &[(0, 2), (1, 2), (3, 0)].into(), Incomparable::Skip)?;
/// assert_eq!(ranks.ranks(), [Some(1), Some(1), None, Some(0)]);
/// let skipped = Ranks::of_alignment(2, &[(0, 0), (0, 2), (1, 1)].into(), Incomparable::Skip);
/// assert_eq!(skipped, Err(Skipped::Incomparable { first: 0, second: 1 }));
/// # Ok::<(), Skipped>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranks {
    ranks: Vec<Option<u32>>,
    count: u32,
}

/// The first and the last position of a word.
type Interval = (u32, u32);

fn comparable(one: Interval, other: Interval) -> bool {
    one.0 <= other.0 && one.1 <= other.1 || one.0 >= other.0 && one.1 >= other.1
}

impl Ranks {
    /// By the intervals of an alignment, for a source of `words` words; links of others do not count. O(links + words log
    /// words), which merging often takes once more, at most as often as there are words.
    ///
    /// # Errors
    /// Why there are none.
    pub fn of_alignment(words: usize, alignment: &Alignment, incomparable: Incomparable) -> Result<Self, Skipped> {
        let interval = |word: u32| {
            let links = alignment.of_source(word);
            Some((links.first()?.target, links.last()?.target))
        };
        let mut intervals: Vec<Option<Interval>> = (0..words as u32).map(interval).collect();
        let mut levels = levels(&intervals);
        if levels.is_empty() {
            return Err(Skipped::Unaligned);
        }
        let mut joined = vec![false; words];
        // Sorted by where they begin, all are comparable if neighbors are.
        while !levels.is_sorted_by(|one, other| comparable(*one, *other)) {
            let spans = incomparable_spans(&intervals);
            if incomparable == Incomparable::Skip
                && let Some((first, second)) = first_incomparable(&intervals, &spans)
            {
                return Err(Skipped::Incomparable { first: first as u32, second: second as u32 });
            }
            join_spans(&mut joined, spans);
            merge(&mut intervals, &joined);
            levels = self::levels(&intervals);
        }
        let rank = |interval: Interval| levels.partition_point(|&level| level < interval) as u32;
        let ranks = intervals.into_iter().map(|interval| interval.map(rank)).collect();
        Ok(Self { ranks, count: levels.len() as u32 })
    }

    /// By the sets of positions, as Nakagawa's program ranks the words that it learns from: `x` comes before or with `y` if no
    /// position of `x` that is not one of `y` lies behind a position of `y`, and no position of `y` that is not one of `x` before
    /// one of `x`. So `{0, 6}` and `{0, 3, 6}`, which are one interval, have no order. O(words · ranks · links).
    ///
    /// # Errors
    /// Why there are none.
    pub fn of_target_sets(words: usize, alignment: &Alignment) -> Result<Self, Skipped> {
        let links = |word: u32| alignment.of_source(word);
        // Of each rank its first word.
        let mut first_words: Vec<u32> = Vec::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for word in (0..words as u32).filter(|&word| !links(word).is_empty()) {
            let mut place = (first_words.len(), false);
            for (rank, &other) in first_words.iter().enumerate() {
                let (before, behind) =
                    (sets_in_order(links(word), links(other)), sets_in_order(links(other), links(word)));
                if !before && !behind {
                    return Err(Skipped::Incomparable { first: other.min(word), second: other.max(word) });
                }
                if before {
                    place = (rank, behind);
                    break;
                }
            }
            match place {
                (rank, true) => groups[rank].push(word),
                (rank, false) => {
                    first_words.insert(rank, word);
                    groups.insert(rank, vec![word]);
                }
            }
        }
        if groups.is_empty() {
            return Err(Skipped::Unaligned);
        }
        let mut ranks = vec![None; words];
        for (rank, group) in (0..).zip(&groups) {
            for &word in group {
                ranks[word as usize] = Some(rank);
            }
        }
        Ok(Self { ranks, count: groups.len() as u32 })
    }

    /// By a total order of all words: the rank of each is its place.
    pub fn of_order(order: &crate::permutation::Permutation) -> Self {
        let ranks = order.places().iter().map(|&place| Some(place)).collect();
        Self { ranks, count: order.len() as u32 }
    }

    /// The rank of each word.
    pub fn ranks(&self) -> &[Option<u32>] {
        &self.ranks
    }

    /// The number of different ranks.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The ranks of the words that have one, in the order in which `order` names the words of the sentence; names of words
    /// that there are not are passed over.
    pub fn along<'a>(&'a self, order: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        order.iter().filter_map(|&word| *self.ranks.get(word as usize)?)
    }

    /// Whether some binary tree over the words, whose nodes keep or exchange their two parts, brings the words with ranks into
    /// an order in which ranks never fall. That fails if, equal ranks and words without rank set aside, they contain the
    /// patterns 2-4-1-3 or 3-1-4-2. Any valid split of a span will do, so there is no search; O(words log words).
    ///
    /// ```
    /// use alinea::permutation::Permutation;
    /// use alinea::reorder::Ranks;
    ///
    /// let bracketable = |places| Permutation::from_places(places).map(|order| Ranks::of_order(&order).is_bracketable());
    /// assert!(bracketable(vec![3, 1, 0, 2])?);
    /// assert!(!bracketable(vec![1, 3, 0, 2])?);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    pub fn is_bracketable(&self) -> bool {
        let bounds = Bounds::new(self.ranks.iter().copied().flatten());
        let mut spans = vec![(0, bounds.len())];
        while let Some((start, end)) = spans.pop() {
            if end - start < 2 {
                continue;
            }
            let splits = |split: &usize| {
                let ((least, most), (least_behind, most_behind)) = (bounds.of(start, *split), bounds.of(*split, end));
                most <= least_behind || least >= most_behind
            };
            // From both ends in turn, so that it takes no longer than the shorter part is.
            let mut inward = (1..=(end - start) / 2).flat_map(|away| [start + away, end - away]);
            let Some(split) = inward.find(splits) else { return false };
            spans.extend([(start, split), (split, end)]);
        }
        true
    }
}

/// The least and the greatest of any stretch of some ranks, in constant time after O(n log n).
struct Bounds(Vec<Vec<(u32, u32)>>);

impl Bounds {
    fn new(ranks: impl Iterator<Item = u32>) -> Self {
        // In row k, at place p, those of the 2^k ranks from p on.
        let mut rows = vec![ranks.map(|rank| (rank, rank)).collect::<Vec<_>>()];
        let mut half = 1;
        while 2 * half <= rows[0].len() {
            let shorter = &rows[rows.len() - 1];
            rows.push(shorter.iter().zip(&shorter[half..]).map(|(&one, &other)| join(one, other)).collect());
            half *= 2;
        }
        Self(rows)
    }

    fn len(&self) -> usize {
        self.0[0].len()
    }

    /// Those from `start` to before `end`, which is behind it.
    fn of(&self, start: usize, end: usize) -> (u32, u32) {
        let row = (end - start).ilog2() as usize;
        join(self.0[row][start], self.0[row][end - (1 << row)])
    }
}

/// From the lesser of two beginnings to the greater of two ends.
fn join<T: Ord>(one: (T, T), other: (T, T)) -> (T, T) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// Whether the positions of one word lie before or among those of another.
fn sets_in_order(one: &[Link], other: &[Link]) -> bool {
    let targets = |links: &[Link]| links.iter().map(|link| link.target).collect::<Vec<u32>>();
    let (one, other) = (targets(one), targets(other));
    let own = |of: &[u32], but: &[u32]| of.iter().copied().filter(|target| !but.contains(target)).collect::<Vec<u32>>();
    let none_behind = |last: Option<u32>, first: Option<u32>| last.zip(first).is_none_or(|(last, first)| last <= first);
    none_behind(own(&one, &other).last().copied(), other.first().copied())
        && none_behind(one.last().copied(), own(&other, &one).first().copied())
}

/// The different intervals, sorted.
fn levels(intervals: &[Option<Interval>]) -> Vec<Interval> {
    let mut levels: Vec<Interval> = intervals.iter().copied().flatten().collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

/// For each word whose interval has others strictly inside: where these and the word itself begin and end in the source.
/// O(words log words).
fn incomparable_spans(intervals: &[Option<Interval>]) -> Vec<(usize, usize)> {
    let mut words: Vec<(Interval, usize)> =
        intervals.iter().enumerate().filter_map(|(word, interval)| Some(((*interval)?, word))).collect();
    words.sort_unstable_by_key(|&((first, _), word)| (Reverse(first), word));
    let mut ends: Vec<u32> = words.iter().map(|&((_, last), _)| last).collect();
    ends.sort_unstable();
    let mut spans = Vec::new();
    let mut seen = SpansByEnd(vec![None; ends.len()]);
    // Those that begin last come first, so that all that was seen begins behind those of a group.
    for group in words.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
        let place = |last| ends.partition_point(|&end| end < last);
        let around = |&((_, last), word)| seen.before(place(last)).map(|inside| join(inside, (word, word)));
        spans.extend(group.iter().filter_map(around));
        for &((_, last), word) in group {
            seen.add(place(last), word);
        }
    }
    spans
}

/// The first and the last word that were seen with an end at one of the first places: a tree of prefixes (Fenwick 1994).
struct SpansByEnd(Vec<Option<(usize, usize)>>);

impl SpansByEnd {
    fn add(&mut self, place: usize, word: usize) {
        let mut node = place;
        while let Some(span) = self.0.get_mut(node) {
            *span = Some(span.map_or((word, word), |span| join(span, (word, word))));
            node |= node + 1;
        }
    }

    /// Of all ends at places before this one.
    fn before(&self, place: usize) -> Option<(usize, usize)> {
        let mut span = None;
        let mut rest = place;
        while rest > 0 {
            span = span.into_iter().chain(self.0[rest - 1]).reduce(join);
            rest &= rest - 1;
        }
        span
    }
}

/// The first word that has no order with one behind it, and the first of these.
fn first_incomparable(intervals: &[Option<Interval>], spans: &[(usize, usize)]) -> Option<(usize, usize)> {
    let first = spans.iter().map(|&(start, _)| start).min()?;
    let unordered = |other: &Option<Interval>| (*other).zip(intervals[first]).is_some_and(|(x, y)| !comparable(x, y));
    Some((first, first + 1 + intervals[first + 1..].iter().position(unordered)?))
}

/// Marks each word that is of one block with the next.
fn join_spans(joined: &mut [bool], mut spans: Vec<(usize, usize)>) {
    spans.sort_unstable();
    let mut done = 0;
    for (start, end) in spans {
        let start = start.max(done);
        if start < end {
            joined[start..end].fill(true);
            done = end;
        }
    }
}

/// Gives the words of each block the union of their intervals; a word and the next are of one block where `joined` says so.
fn merge(intervals: &mut [Option<Interval>], joined: &[bool]) {
    let mut start = 0;
    for word in 0..intervals.len() {
        if joined[word] {
            continue;
        }
        let block = &mut intervals[start..=word];
        let union = block.iter().flatten().copied().reduce(join);
        block.iter_mut().flatten().for_each(|interval| *interval = union.unwrap_or(*interval));
        start = word + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permutation::Permutation;
    use proptest::prelude::*;

    #[test]
    fn reasons_are_reported() {
        let none = Ranks::of_alignment(3, &Alignment::new(), Incomparable::Merge).unwrap_err();
        assert_eq!(none.to_string(), "no word has a link");
        let inside = Ranks::of_alignment(2, &[(0, 0), (0, 2), (1, 1)].into(), Incomparable::Skip).unwrap_err();
        let expected = "of words 0 and 1, the target span of one lies inside that of the other";
        assert_eq!(inside.to_string(), expected);
    }

    #[test]
    fn words_between_join_the_block() {
        // Word 0 is linked around word 2; word 1 lies between them in the source, word 3 behind everything.
        let links = [(0, 0), (0, 2), (1, 5), (2, 1), (3, 9)].into();
        let ranks = Ranks::of_alignment(4, &links, Incomparable::Merge).unwrap();
        assert_eq!(ranks.ranks(), [Some(0), Some(0), Some(0), Some(1)]);
        assert_eq!(ranks.count(), 2);
    }

    /// A word around all others, in a sentence whose pairs of words are ten billion.
    #[test]
    fn long_sentences_are_merged() {
        let count = 100_000;
        let around = [(0, 0), (0, count)].into_iter();
        let links = around.chain((1..count).map(|word| (word, word)));
        let links: Alignment = links.map(|(source, target)| Link::new(source, target)).collect();
        let ranks = Ranks::of_alignment(count as usize, &links, Incomparable::Merge).unwrap();
        assert_eq!(ranks.count(), 1);
        let skipped = Ranks::of_alignment(count as usize, &links, Incomparable::Skip).unwrap_err();
        assert_eq!(skipped, Skipped::Incomparable { first: 0, second: 1 });
    }

    /// All pairs of words, one by one.
    fn incomparable_pairs(intervals: &[Option<Interval>]) -> Vec<(usize, usize)> {
        let unordered = |&(first, second): &(usize, usize)| {
            intervals[first].zip(intervals[second]).is_some_and(|(one, other)| !comparable(one, other))
        };
        let count = intervals.len();
        (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second))).filter(unordered).collect()
    }

    fn contains_pattern(order: &[u32]) -> bool {
        let n = order.len();
        let quadruples = (0..n).flat_map(|a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| (a, b, c))));
        quadruples.into_iter().any(|(a, b, c)| {
            (c + 1..n).any(|d| {
                let [a, b, c, d] = [a, b, c, d].map(|place| order[place]);
                c < a && a < d && d < b || b < d && d < a && a < c
            })
        })
    }

    /// Each split takes one word off; with a look at the others each time it took ten billion steps.
    #[test]
    fn long_orders_are_bracketed() {
        use crate::permutation::Permutation;
        let count = 100_000u32;
        let bracketable = |order: Vec<u32>| Ranks::of_order(&Permutation::from_places(order).unwrap()).is_bracketable();
        assert!(bracketable((0..count).rev().collect()));
        assert!(bracketable(
            (0..count).map(|place| if place % 2 == 0 { place / 2 } else { count - 1 - place / 2 }).collect()
        ));
        let middle = [1, 3, 0, 2].map(|place| place + count / 2);
        let mut order: Vec<u32> = (0..count).rev().collect();
        let at = (count - count / 2 - 4) as usize;
        order[at..at + 4].copy_from_slice(&middle);
        assert!(!bracketable(order));
    }

    proptest! {
        #[test]
        fn spans_are_those_of_all_pairs(
            intervals in prop::collection::vec(prop::option::of((0u32..9, 0u32..9).prop_map(|(a, b)| (a.min(b), a.max(b)))), 0..12)
        ) {
            let pairs = incomparable_pairs(&intervals);
            let spans = incomparable_spans(&intervals);
            prop_assert_eq!(first_incomparable(&intervals, &spans), pairs.first().copied());
            let mut expected = vec![false; intervals.len()];
            for &(first, second) in &pairs {
                expected[first..second].fill(true);
            }
            let mut joined = vec![false; intervals.len()];
            join_spans(&mut joined, spans);
            prop_assert_eq!(joined, expected);
        }

        /// Bose, Buss and Lubiw (1998): an order is separable unless it contains 2-4-1-3 or 3-1-4-2.
        #[test]
        fn orders_are_bracketable_without_two_patterns(values in prop::collection::vec(any::<u16>(), 0..9)) {
            let order = Permutation::ranks(&values);
            prop_assert_eq!(Ranks::of_order(&order).is_bracketable(), !contains_pattern(order.places()));
        }

        #[test]
        fn ranks_are_the_partial_order(links in prop::collection::btree_set((0u32..6, 0u32..6), 0..14)) {
            let links: Alignment = links.into_iter().map(|(source, target)| Link::new(source, target)).collect();
            let targets = |word: u32| -> Vec<u32> { links.of_source(word).iter().map(|link| link.target).collect() };
            let interval = |word: u32| { let t = targets(word); Some((*t.first()?, *t.last()?)) };
            let pairs = || (0..6u32).flat_map(|x| (0..6).map(move |y| (x, y)));
            let before = |x: Interval, y: Interval| x.0 <= y.0 && x.1 <= y.1;
            match Ranks::of_alignment(6, &links, Incomparable::Skip) {
                Ok(ranks) => for (x, y) in pairs() {
                    let (Some(one), Some(other)) = (interval(x), interval(y)) else { continue };
                    prop_assert_eq!(ranks.ranks()[x as usize] <= ranks.ranks()[y as usize], before(one, other));
                },
                Err(Skipped::Unaligned) => prop_assert!(links.is_empty()),
                Err(Skipped::Incomparable { first, second }) => {
                    let (one, other) = (interval(first).unwrap(), interval(second).unwrap());
                    prop_assert!(!before(one, other) && !before(other, one));
                }
            }
            // With blocks there are always ranks, and what was certain of two words outside of blocks stays.
            if let Ok(merged) = Ranks::of_alignment(6, &links, Incomparable::Merge) {
                let ranks = merged.ranks();
                for (x, y) in pairs() {
                    let (Some(one), Some(other)) = (interval(x), interval(y)) else { continue };
                    let (at, then) = (ranks[x as usize], ranks[y as usize]);
                    prop_assert!(at.is_some() && then.is_some());
                    if !before(one, other) && !before(other, one) {
                        prop_assert_eq!(at, then);
                    }
                }
                prop_assert_eq!(ranks.iter().flatten().max().map(|&rank| rank + 1), Some(merged.count()));
            }
        }
    }
}
