//! The order of words in Model 4: each position's words lie relative to those of the position before.
//!
//! The words of a conditioning word e_i, ascending, are its *cept*; the first is the *head*. The head lies relative to the
//! center of the cept before (the mean of its words' places, rounded up; 0 before the first), depending on the class of
//! that cept's conditioning word and on the class of the head; each other word lies relative to the one before it in the
//! cept, depending on its class (Brown et al. 1993, section 4.3, equations 35 to 38):
//!
//! ```text
//! d_1(j - center(i - 1) | A(e_(i-1)), B(f_j))      d_>1(j - previous | B(f_j))
//! ```
//!
//! Words of the empty word have no order: they fill the places that are left.

use super::MIN_PROBABILITY;
use super::side::Cells;
use super::translation::Count;

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
        DisplacementCounts(Count::zeros(self.logarithms.len()))
    }

    /// Relative frequencies, those of each class drawn to the mean of all; none below [`MIN_PROBABILITY`].
    pub(super) fn maximize(&mut self, counts: &mut DisplacementCounts) {
        let mut mean = [0.0; WIDTH];
        for row in counts.0.chunks_exact(WIDTH) {
            mean.iter_mut().zip(row).for_each(|(sum, count)| *sum += count.get());
        }
        let all: f64 = mean.iter().sum();
        let same = 1.0 / WIDTH as f64;
        for sum in &mut mean {
            *sum = if all > 0.0 { (1.0 - UNIFORM) * *sum / all + UNIFORM * same } else { same };
        }
        for (counts, row) in counts.0.chunks_exact_mut(WIDTH).zip(self.logarithms.chunks_exact_mut(WIDTH)) {
            let total: f64 = counts.iter().map(Count::get).sum();
            let strength = if total > 0.0 { self.strength } else { 1.0 };
            for ((logarithm, count), mean) in row.iter_mut().zip(counts).zip(mean) {
                *logarithm = ((count.take() + strength * mean) / (total + strength)).max(MIN_PROBABILITY).ln();
            }
        }
    }
}

/// Expected counts of displacements.
#[derive(Debug)]
pub(super) struct DisplacementCounts(Vec<Count>);

impl DisplacementCounts {
    pub(super) fn add(&self, class: usize, displacement: i64, value: f64) {
        self.0[class * WIDTH + bin(displacement)].add(value);
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
    pub(super) fn maximize(&mut self, counts: &mut RelativeCounts) {
        self.heads.maximize(&mut counts.heads);
        self.others.maximize(&mut counts.others);
    }

    /// What the order of a sentence's words costs.
    pub(super) fn scale(&self, classes: &Classes, cells: &Cells) -> Scale<'_> {
        let [before_first, numbers] = classes.numbers;
        let after = cells.conditions.iter().map(|&word| classes.conditions[word as usize] as usize);
        let conditions = std::iter::once(before_first).chain(after).map(|class| class * numbers).collect();
        let generated = classes.of_generated(cells);
        Scale {
            relative: self,
            conditions,
            generated,
            sums: Vec::new(),
            before: Vec::new(),
            centers: Vec::new(),
            changed: [const { Vec::new() }; 2],
        }
    }

    /// Counts the order of an alignment, given the words of each position.
    pub(super) fn count(counts: &RelativeCounts, (classes, cells): (&Classes, &Cells), words: &[Vec<u32>], value: f64) {
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
    /// For each position the cost of all cepts before it, and of its own.
    sums: Vec<f64>,
    /// For each position the last one before it that has words; 0 if none has.
    before: Vec<u32>,
    /// The centers of the positions that have words.
    centers: Vec<i64>,
    changed: [Vec<u32>; 2],
}

impl Scale<'_> {
    /// The cost of a cept after the one at a position with a center.
    #[inline(always)]
    fn cost(&self, (before, at): (usize, i64), cept: &[u32]) -> f64 {
        let Relative { heads, others } = self.relative;
        let mut last = cept[0] as usize;
        let mut cost = heads.logarithm(self.conditions[before] + self.generated[last], last as i64 + 1 - at);
        for &word in &cept[1..] {
            let word = word as usize;
            cost += others.logarithm(self.generated[word], (word - last) as i64);
            last = word;
        }
        cost
    }

    /// The cost of an alignment, given the words of each position; kept for [`change`](Self::change).
    pub(super) fn walk(&mut self, words: &[Vec<u32>]) -> f64 {
        self.sums.clear();
        self.before.clear();
        self.centers.clear();
        let (mut before, mut at, mut sum) = (0, 0, 0.0);
        for (position, cept) in words[..self.conditions.len()].iter().enumerate() {
            self.before.push(before);
            let mut own = 0;
            if position > 0 && !cept.is_empty() {
                sum += self.cost((before as usize, at), cept);
                own = center(cept);
                (before, at) = (position as u32, own);
            }
            self.centers.push(own);
            self.sums.push(sum);
        }
        sum
    }

    /// By how much the cost changes if two positions lose or get words. O(words of the positions from the first of the two
    /// to the one after the second).
    pub(super) fn change(&mut self, words: &[Vec<u32>], changes: [Change; 2]) -> f64 {
        let mut changed = std::mem::take(&mut self.changed);
        for (cept, &(position, lost, got)) in changed.iter_mut().zip(&changes) {
            cept.clear();
            cept.extend(words[position].iter().copied().filter(|&word| Some(word as usize) != lost));
            if let Some(got) = got {
                let place = cept.partition_point(|&word| (word as usize) < got);
                cept.insert(place, got as u32);
            }
        }
        let [one, other] = changes.map(|(position, ..)| position);
        let (first, last) = (one.min(other), one.max(other));
        // The empty word has no order.
        let first = if first == 0 { last } else { first };
        let mut before = self.before[first] as usize;
        let mut at = self.centers[before];
        let mut cost = 0.0;
        let mut position = first;
        while position < self.conditions.len() {
            let cept = match position {
                _ if position == one => &changed[0],
                _ if position == other => &changed[1],
                _ => &words[position],
            };
            if !cept.is_empty() {
                cost += self.cost((before, at), cept);
                if position > last {
                    break;
                }
                (before, at) = (position, center(cept));
            }
            position += 1;
        }
        let end = position.min(self.conditions.len() - 1);
        self.changed = changed;
        cost - (self.sums[end] - self.sums[first - 1])
    }
}

/// A position, the word it loses, and the word it gets.
pub(super) type Change = (usize, Option<usize>, Option<usize>);
