//! Shifts, by the greedy search of Tercom (Snover et al. 2006, section 3, *Translation edit rate*).
//!
//! A shift moves words that stand together and are the same as some words of the reference to where the best alignment of
//! the rest has those, or beside. As long as a shift lowers the edit distance, the one that lowers it most is made. Rules
//! and limits are those of the program:
//!
//! * up to 10 words are moved, and they stand at most 50 places from the words of the reference;
//! * at least one of them, and one of the words of the reference, has an error in the alignment, and the words of the
//!   reference do not begin inside those that are moved;
//! * of shifts that lower the distance equally, the one of most words counts, of those the first, of those the one that
//!   goes to the first place;
//! * when 1000 shifts have been tried for a sentence, those made so far are all.
//!
//! Most shifts need not be computed to know that they are not the best. However words are shifted, the distance stays at
//! least that of the two bags of words; and what moves l words over k others changes the distance by at most 2 min(l, k).

use super::edit_distance::{Distances, Operation, Reference};

/// The most words of a shift.
const MOST_WORDS: usize = 10;

/// The farthest that words of the reference are from those that are the same.
const FARTHEST: usize = 50;

/// When the search ends.
const MOST_SHIFTS: usize = 1000;

/// Buffers for the search.
#[derive(Debug, Default)]
pub(super) struct Search {
    distances: Distances,
    /// The hypothesis, as rows of the reference.
    words: Vec<u32>,
    shifted: Vec<u32>,
    alignment: Alignment,
    shifts: Vec<Shift>,
    /// How often each word of the reference is left.
    left: Vec<u32>,
}

/// Words to move; in the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shift {
    /// Ten minus the number of words.
    fewer: u32,
    start: u32,
    /// In front of which word; counted without those that are moved if it is among them.
    target: u32,
}

impl Shift {
    fn length(self) -> usize {
        MOST_WORDS - self.fewer as usize
    }

    /// The words that change places, and by how many places they go to the right, going around at the end.
    fn moves(self, words: usize) -> (std::ops::Range<usize>, usize) {
        let (start, target, length) = (self.start as usize, self.target as usize, self.length());
        let end = start + length;
        if target < start {
            (target..end, length)
        } else {
            let end = if target > end { target } else { (target + length).min(words) };
            (start..end, end - start - length)
        }
    }
}

/// Where words of the reference are in the hypothesis.
#[derive(Debug, Default)]
struct Alignment {
    /// The place behind the word that each word of the reference is aligned to; in front of all, 0.
    targets: Vec<u32>,
    /// Errors up to each word.
    reference_errors: Vec<u32>,
    hypothesis_errors: Vec<u32>,
}

impl Alignment {
    fn read(&mut self, distances: &Distances, hypothesis: &[u32], reference: &Reference) {
        for (numbers, length) in [
            (&mut self.targets, reference.len()),
            (&mut self.reference_errors, reference.len()),
            (&mut self.hypothesis_errors, hypothesis.len()),
        ] {
            numbers.clear();
            numbers.resize(length + 1, 0);
        }
        distances.operations(hypothesis, reference, |operation, i, j| {
            let error = u32::from(operation != Operation::Match);
            if operation != Operation::Insert {
                self.targets[j] = i as u32;
                self.reference_errors[j] = error;
            }
            if operation != Operation::Delete {
                self.hypothesis_errors[i] = error;
            }
        });
        for errors in [&mut self.reference_errors, &mut self.hypothesis_errors] {
            let mut sum = 0;
            for error in errors {
                sum += *error;
                *error = sum;
            }
        }
    }

    /// Whether words from `start` of the hypothesis may be moved to those from `place` of the reference.
    fn allows(&self, start: usize, place: usize, length: usize) -> bool {
        let inside = start + 1..=start + length;
        self.hypothesis_errors[start + length] > self.hypothesis_errors[start]
            && self.reference_errors[place + length] > self.reference_errors[place]
            && !inside.contains(&(self.targets[place + 1] as usize))
    }
}

impl Search {
    /// The edits that turn a hypothesis into a reference; words are numbers below those of the reference, or higher.
    pub(super) fn edits(&mut self, words: &[u32], reference: &Reference) -> usize {
        if reference.len() == 0 {
            return words.len();
        }
        self.words.clear();
        self.words.extend(words.iter().map(|&word| reference.row(word)));
        self.distances.begin(words.len(), reference);
        let least = self.distance_of_bags(reference);
        let (mut made, mut tried) = (0, 0);
        loop {
            let distance = self.distances.keep(&self.words, reference);
            if distance <= least {
                return made + distance;
            }
            self.alignment.read(&self.distances, &self.words, reference);
            tried += self.find(reference, MOST_SHIFTS - tried);
            if tried >= MOST_SHIFTS {
                return made + distance;
            }
            let Some(best) = self.best(distance, least, reference) else { return made + distance };
            let (range, length) = best.moves(self.words.len());
            self.words[range].rotate_right(length);
            made += 1;
        }
    }

    /// The edit distance of the words if their order did not matter.
    fn distance_of_bags(&mut self, reference: &Reference) -> usize {
        self.left.clear();
        let mut common = 0;
        for &word in &self.words {
            let row = word as usize;
            if self.left.len() <= row {
                let from = self.left.len() as u32;
                self.left.extend((from..=word).map(|word| reference.places(word).len() as u32));
            }
            if self.left[row] > 0 {
                self.left[row] -= 1;
                common += 1;
            }
        }
        self.words.len().max(reference.len()) - common
    }

    /// Finds the shifts to try, up to a number that may be exceeded by those of one group of words. Returns how many.
    fn find(&mut self, reference: &Reference, most: usize) -> usize {
        self.shifts.clear();
        for start in 0..self.words.len() {
            for &place in reference.places(self.words[start]) {
                let place = place as usize;
                if place.abs_diff(start) > FARTHEST {
                    continue;
                }
                let pairs = self.words[start..].iter().zip(&reference.words()[place..]);
                let common =
                    pairs.take(MOST_WORDS).take_while(|(word, other)| **word == reference.row(**other)).count();
                for length in (1..=common).filter(|&length| self.alignment.allows(start, place, length)) {
                    let mut before = None;
                    for &target in &self.alignment.targets[place..=place + length] {
                        if before != Some(target) {
                            let fewer = (MOST_WORDS - length) as u32;
                            self.shifts.push(Shift { fewer, start: start as u32, target });
                            before = Some(target);
                        }
                    }
                    if self.shifts.len() >= most {
                        return self.shifts.len();
                    }
                }
            }
        }
        self.shifts.len()
    }

    /// The best of the shifts, if one lowers the distance.
    fn best(&mut self, distance: usize, least: usize, reference: &Reference) -> Option<Shift> {
        self.shifts.sort_unstable();
        self.shifts.dedup();
        let beyond = distance - self.distances.whole(distance, &self.words, reference);
        let (mut best, mut most) = (None, 0);
        for &shift in &self.shifts {
            let (range, length) = shift.moves(self.words.len());
            let others = range.len() - shift.length();
            if distance - least <= most {
                break;
            }
            if 2 * others.min(shift.length()) + beyond <= most {
                continue;
            }
            self.shifted.clear();
            self.shifted.extend_from_slice(&self.words);
            self.shifted[range.clone()].rotate_right(length);
            let shifted = self.distances.after(range.start, &self.shifted, reference);
            if distance > shifted + most {
                (best, most) = (Some(shift), distance - shifted);
            }
        }
        best
    }
}
