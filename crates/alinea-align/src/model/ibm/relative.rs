//! The order of words in Model 4: each position's words lie relative to those of the position before.
//!
//! The words of a conditioning word e_i, ascending, are its *cept*; the first is the *head*. The head lies relative to
//! the center of the cept before (the mean of its words' places, rounded up; 0 before the first), depending on the
//! class of that cept's conditioning word and on the class of the head; each other word lies relative to the one before
//! it in the cept, depending on its class (Brown et al. 1993, section 4.6):
//!
//! ```text
//! d_1(j - center(i - 1) | A(e_(i-1)), B(f_j))      d_>1(j - previous | B(f_j))
//! ```
//!
//! Words of the empty word have no order: they fill the places that are left.

use super::MIN_PROBABILITY;
use super::shared_counts::SharedCounts;
use super::side::Cells;

/// The farthest displacement with a number of its own.
const FARTHEST: usize = 100;
const WIDTH: usize = 2 * FARTHEST + 1;

/// The share of the uniform distribution in what displacements of all classes are drawn to.
const UNIFORM: f64 = 0.05;

/// Word classes of one direction, by rank, from 0; one more class stands for what is before the first cept.
#[derive(Debug, Clone, Default)]
pub(super) struct Classes {
    pub(super) conditions: Vec<u32>,
    pub(super) generated: Vec<u32>,
    /// How many there are on each side.
    pub(super) numbers: [usize; 2],
}

impl Classes {
    /// The classes of a sentence's generated words.
    pub(super) fn of_generated(&self, cells: &Cells) -> Vec<usize> {
        cells.generated.iter().map(|&word| self.generated[word as usize] as usize).collect()
    }
}

/// Logarithms of weights of displacements, a row for each class.
#[derive(Debug)]
pub(super) struct Displacements {
    logarithms: Vec<f64>,
    /// How many pseudo-counts draw each class to the mean of all.
    strength: f64,
}

impl Displacements {
    /// All alike.
    pub(super) fn initial(classes: usize, strength: f64) -> Self {
        Self { logarithms: vec![(1.0 / WIDTH as f64).ln(); classes * WIDTH], strength }
    }

    /// ln of the weight of a displacement; those that are too far share that of the farthest.
    #[inline(always)]
    pub(super) fn logarithm(&self, class: usize, displacement: i64) -> f64 {
        self.logarithms[class * WIDTH + bin(displacement)]
    }

    /// Zero counts.
    pub(super) fn counts(&self) -> DisplacementCounts {
        DisplacementCounts(SharedCounts::zeros(self.logarithms.len()))
    }

    /// Relative frequencies, those of each class drawn to the mean of all; none below [`MIN_PROBABILITY`].
    pub(super) fn maximize(&mut self, counts: DisplacementCounts) {
        let counts = counts.0.into_values();
        let mut mean = [0.0; WIDTH];
        for row in counts.chunks_exact(WIDTH) {
            mean.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
        let all: f64 = mean.iter().sum();
        let same = 1.0 / WIDTH as f64;
        for sum in &mut mean {
            *sum = if all > 0.0 { (1.0 - UNIFORM) * *sum / all + UNIFORM * same } else { same };
        }
        for (counts, row) in counts.chunks_exact(WIDTH).zip(self.logarithms.chunks_exact_mut(WIDTH)) {
            let total: f64 = counts.iter().sum();
            let strength = if total > 0.0 { self.strength } else { 1.0 };
            for ((logarithm, count), mean) in row.iter_mut().zip(counts).zip(mean) {
                *logarithm = ((count + strength * mean) / (total + strength)).max(MIN_PROBABILITY).ln();
            }
        }
    }
}

/// Expected counts of displacements.
#[derive(Debug)]
pub(super) struct DisplacementCounts(SharedCounts);

impl DisplacementCounts {
    pub(super) fn add(&self, class: usize, displacement: i64, value: f64) {
        self.0.add(class * WIDTH + bin(displacement), value);
    }
}

fn bin(displacement: i64) -> usize {
    (displacement.clamp(-(FARTHEST as i64), FARTHEST as i64) + FARTHEST as i64) as usize
}

/// The center of a cept: the mean of its words' places, from 1, rounded up.
pub(super) fn center(words: &[u32]) -> i64 {
    let sum: u64 = words.iter().map(|&word| u64::from(word) + 1).sum();
    sum.div_ceil(words.len() as u64) as i64
}

/// d_1 and d_>1.
#[derive(Debug)]
pub(super) struct Relative {
    /// By class of the conditioning word before, then of the head.
    pub(super) heads: Displacements,
    /// By class of the word.
    pub(super) others: Displacements,
}

/// Expected counts for it.
#[derive(Debug)]
pub(super) struct RelativeCounts {
    pub(super) heads: DisplacementCounts,
    pub(super) others: DisplacementCounts,
}

impl Relative {
    /// All displacements alike.
    pub(super) fn initial(classes: &Classes, strength: f64) -> Self {
        let [conditions, generated] = classes.numbers;
        Self {
            heads: Displacements::initial((conditions + 1) * generated, strength),
            others: Displacements::initial(generated, strength),
        }
    }

    /// Zero counts.
    pub(super) fn counts(&self) -> RelativeCounts {
        RelativeCounts { heads: self.heads.counts(), others: self.others.counts() }
    }

    /// Relative frequencies.
    pub(super) fn maximize(&mut self, counts: RelativeCounts) {
        self.heads.maximize(counts.heads);
        self.others.maximize(counts.others);
    }

    /// What the order of a sentence's words costs.
    pub(super) fn scale(&self, classes: &Classes, cells: &Cells) -> Scale<'_> {
        let [before_first, numbers] = classes.numbers;
        let after = cells.conditions.iter().map(|&word| classes.conditions[word as usize] as usize);
        let conditions = std::iter::once(before_first).chain(after).map(|class| class * numbers).collect();
        let generated = classes.of_generated(cells);
        Scale { relative: self, conditions, generated, cepts: Vec::new() }
    }

    /// Counts the order of an alignment, given the words of each position.
    pub(super) fn count(counts: &RelativeCounts, classes: &Classes, cells: &Cells, words: &[Vec<u32>], value: f64) {
        let [before_first, numbers] = classes.numbers;
        let (mut class, mut at) = (before_first, 0);
        for (&condition, cept) in cells.conditions.iter().zip(&words[1..]).filter(|(_, cept)| !cept.is_empty()) {
            let of = |word: u32| classes.generated[cells.generated[word as usize] as usize] as usize;
            counts.heads.add(class * numbers + of(cept[0]), i64::from(cept[0]) + 1 - at, value);
            for two in cept.windows(2) {
                counts.others.add(of(two[1]), i64::from(two[1]) - i64::from(two[0]), value);
            }
            (class, at) = (classes.conditions[condition as usize] as usize, center(cept));
        }
    }
}

/// What the order of one sentence's words costs.
#[derive(Debug)]
pub(super) struct Scale<'m> {
    relative: &'m Relative,
    /// Where the heads after what is before the first cept are in the table, and after each conditioning word.
    conditions: Vec<usize>,
    /// The class of each word.
    generated: Vec<usize>,
    /// By position, and one more, for what is behind the last.
    cepts: Vec<Cept>,
}

/// What the words of a position cost where they are now.
#[derive(Debug, Clone, Copy, Default)]
struct Cept {
    /// The first word, if there is one.
    head: u32,
    center: i64,
    /// ln d_1 of the head, and the same with ln d_>1 of the others; 0 if there are no words.
    cost_of_head: f64,
    cost: f64,
    /// The last position before it that has words, 0 if none has; and the first after it, the last number if none has.
    before: u32,
    after: u32,
}

/// Words that a position has or might have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    head: u32,
    center: i64,
    /// ln d_>1 of all but the head.
    cost_of_others: f64,
}

/// A position, and the words that it gets in place of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) position: usize,
    pub(super) words: Option<Words>,
}

/// Words of a position, as far as they were gone through.
#[derive(Debug, Clone, Copy)]
struct Chain {
    head: u32,
    last: u32,
    /// Of places, from 1.
    sum: u32,
    count: u32,
    cost_of_others: f64,
}

impl Scale<'_> {
    /// ln d_1 of a head after a position whose words have this center.
    #[inline(always)]
    fn cost_of_head(&self, (before, center): (usize, i64), head: u32) -> f64 {
        let class = self.conditions[before] + self.generated[head as usize];
        self.relative.heads.logarithm(class, i64::from(head) + 1 - center)
    }

    /// The words of a cept when it has lost one and got one; nothing if there are none. O(words).
    #[inline(always)]
    pub(super) fn words(&self, cept: &[u32], lost: Option<usize>, got: Option<usize>) -> Option<Words> {
        // No word is as large.
        let mut got = got.map_or(u32::MAX, |got| got as u32);
        let lost = lost.map_or(u32::MAX, |lost| lost as u32);
        let mut words = None;
        for &word in cept {
            if got < word {
                words = Some(self.followed(words, got));
                got = u32::MAX;
            }
            if word != lost {
                words = Some(self.followed(words, word));
            }
        }
        if got != u32::MAX {
            words = Some(self.followed(words, got));
        }
        words.map(|Chain { head, sum, count, cost_of_others, .. }| {
            let center = i64::from(if count == 1 { sum } else { sum.div_ceil(count) });
            Words { head, center, cost_of_others }
        })
    }

    /// Words, and one more behind them.
    #[inline(always)]
    fn followed(&self, before: Option<Chain>, word: u32) -> Chain {
        let Some(Chain { head, last, sum, count, cost_of_others }) = before else {
            return Chain { head: word, last: word, sum: word + 1, count: 1, cost_of_others: 0.0 };
        };
        let class = self.generated[word as usize];
        let cost = self.relative.others.logarithm(class, i64::from(word) - i64::from(last));
        Chain { head, last: word, sum: sum + word + 1, count: count + 1, cost_of_others: cost_of_others + cost }
    }

    /// What words cost at a position after the one at a position with a center; and what is then the last position with
    /// words, and its center.
    #[inline(always)]
    fn place(&self, before: (usize, i64), position: usize, words: Option<Words>) -> (f64, (usize, i64)) {
        match words {
            None => (0.0, before),
            Some(Words { head, center, cost_of_others }) => {
                (self.cost_of_head(before, head) + cost_of_others, (position, center))
            }
        }
    }

    /// The cost of an alignment, given the words of each position; kept for [`change`](Self::change).
    pub(super) fn walk(&mut self, words: &[Vec<u32>]) -> f64 {
        let positions = self.conditions.len();
        self.cepts.clear();
        let (mut at, mut sum) = ((0, 0), 0.0);
        for (position, cept) in words[..positions].iter().enumerate() {
            let mut own = Cept { before: at.0 as u32, ..Cept::default() };
            if let Some(found) = self.words(cept, None, None).filter(|_| position > 0) {
                own.cost_of_head = self.cost_of_head(at, found.head);
                own.cost = own.cost_of_head + found.cost_of_others;
                (own.head, own.center) = (found.head, found.center);
                at = (position, found.center);
                sum += own.cost;
            }
            self.cepts.push(own);
        }
        self.cepts.push(Cept::default());
        let mut after = positions as u32;
        for (position, own) in self.cepts[..positions].iter_mut().enumerate().rev() {
            own.after = after;
            if position > 0 && !words[position].is_empty() {
                after = position as u32;
            }
        }
        sum
    }

    /// By how much the cost changes if a position gets other words, and no other does. O(1).
    #[inline(always)]
    pub(super) fn change_of(&self, position: usize, words: Option<Words>) -> f64 {
        if position == 0 {
            // The empty word has no order.
            return 0.0;
        }
        let own = &self.cepts[position];
        let before = own.before as usize;
        let (cost, at) = self.place((before, self.cepts[before].center), position, words);
        cost - own.cost + self.change_after(position, at)
    }

    /// By how much the cost of what is after a position changes if the last words up to there are at a position with a
    /// center.
    #[inline(always)]
    fn change_after(&self, position: usize, at: (usize, i64)) -> f64 {
        let after = self.cepts[position].after as usize;
        if after == self.conditions.len() {
            return 0.0;
        }
        let Cept { head, cost_of_head, .. } = self.cepts[after];
        self.cost_of_head(at, head) - cost_of_head
    }

    /// Whether words are between two positions, or one is the empty word's, so that what changes at one does not matter at
    /// the other.
    #[inline(always)]
    pub(super) fn are_apart(&self, one: usize, other: usize) -> bool {
        let (first, last) = (one.min(other), one.max(other));
        first == 0 || (self.cepts[first].after as usize) < last
    }

    /// By how much the cost changes if two positions get other words. O(1): only they themselves and the next positions
    /// with words after them have other costs.
    #[inline(always)]
    pub(super) fn change(&self, one: Change, other: Change) -> f64 {
        if self.are_apart(one.position, other.position) {
            return self.change_of(one.position, one.words) + self.change_of(other.position, other.words);
        }
        let (first, last) = if one.position < other.position { (one, other) } else { (other, one) };
        let [own, own_last] = [first, last].map(|change| &self.cepts[change.position]);
        let before = own.before as usize;
        let (cost, at) = self.place((before, self.cepts[before].center), first.position, first.words);
        let (cost_last, at) = self.place(at, last.position, last.words);
        cost - own.cost + cost_last - own_last.cost + self.change_after(last.position, at)
    }
}
