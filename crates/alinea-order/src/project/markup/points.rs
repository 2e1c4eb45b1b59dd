//! Where tags go that are around no words: between two.
//!
//! The place behind the counterpart of the word before is worth 1.2 times the probability of that link, the place before the counterpart of the word
//! behind once that of this one. Where pairs of tags begin and end beside the point in the source, so they do in the target. This was
//! measured with pairs whose content is the same in both languages, taken for points (`docs/benchmarks/projection.md`).

use std::collections::BTreeMap;
use std::ops::Range;

use super::sides::Sides;

/// What the word before counts against the word behind.
const BEFORE: f64 = 1.2;

/// What it is worth to be at a border of the text that the point is at in the source.
const AT_BORDER: f64 = 0.5;

/// What nearness to the same place of the sentence, in proportion, is worth at most.
const NEARNESS: f64 = 0.01;

/// Neighbors are looked at so far if the first have no links.
const FAR: usize = 8;

/// What a place at a border of a pair of tags is worth.
const BESIDE: f64 = 1.0;

/// What is around a point and beside it.
pub(super) struct Surroundings<'a> {
    pub(super) sides: &'a Sides,
    /// The target words that what it is in goes around; and the source words.
    pub(super) range: Range<usize>,
    pub(super) source: Range<usize>,
    /// Whether that is a pair of tags.
    pub(super) is_in_pair: bool,
    /// Stretches beside it, by their starts.
    pub(super) beside: &'a BTreeMap<usize, usize>,
    /// Those that end, and begin, in the source where a point may be, and where they do in the target.
    pub(super) ends: &'a BTreeMap<usize, usize>,
    pub(super) begins: &'a BTreeMap<usize, usize>,
}

impl Surroundings<'_> {
    /// The place in the target of a place between source words.
    pub(super) fn place(&self, source: usize) -> usize {
        let mut worth: BTreeMap<usize, f64> = BTreeMap::new();
        let mut add = |place: usize, value: f64| {
            if self.is_allowed(place) {
                *worth.entry(place).or_default() += value;
            }
        };
        if let Some(&end) = self.ends.get(&source) {
            add(end, BEFORE * BESIDE);
        }
        if let Some(&start) = self.begins.get(&source) {
            add(start, BESIDE);
        }
        let at_border = if self.is_in_pair { BESIDE } else { AT_BORDER };
        if source == self.source.start {
            add(self.range.start, BEFORE * at_border);
        }
        if source == self.source.end {
            add(self.range.end, at_border);
        }
        for distance in 0..FAR {
            // What is farther away counts only if nothing nearer does.
            let value = |probability: f64| probability * 0.1_f64.powi(distance as i32);
            if let Some(before) = source.checked_sub(distance + 1).filter(|before| self.source.contains(before)) {
                for &(target, probability) in self.sides.links(before) {
                    add(target as usize + 1, BEFORE * value(probability));
                }
            }
            let behind = source + distance;
            if self.source.contains(&behind) {
                for &(target, probability) in self.sides.links(behind) {
                    add(target as usize, value(probability));
                }
            }
        }
        let proportional = self.proportional(source);
        let length = self.range.len().max(1) as f64;
        let near = |place: usize| NEARNESS * (place as f64 - proportional).abs() / length;
        let best = worth.into_iter().fold(None, |best: Option<(f64, usize)>, (place, value)| {
            let value = value - near(place);
            match best {
                Some(best) if best.0 >= value => Some(best),
                _ => Some((value, place)),
            }
        });
        best.map_or_else(|| self.allowed_near(proportional as usize), |(_, place)| place)
    }

    fn proportional(&self, source: usize) -> f64 {
        let share = (source - self.source.start) as f64 / self.source.len().max(1) as f64;
        self.range.start as f64 + share * self.range.len() as f64
    }

    /// Whether a place is in the range and not in a stretch beside the point.
    fn is_allowed(&self, place: usize) -> bool {
        self.range.start <= place && place <= self.range.end && self.within(place).is_none()
    }

    fn within(&self, place: usize) -> Option<Range<usize>> {
        let (&start, &end) = self.beside.range(..place).next_back()?;
        (place < end).then_some(start..end)
    }

    fn allowed_near(&self, place: usize) -> usize {
        let place = place.clamp(self.range.start, self.range.end);
        self.within(place).map_or(place, |words| words.end)
    }
}
