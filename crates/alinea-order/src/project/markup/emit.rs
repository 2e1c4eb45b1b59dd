//! The order of all tags in the target.
//!
//! What is found are places between words; this makes bytes of them. A pair begins directly before its first word and ends directly behind its
//! last. A point beside a blank is on the side of it where it is in the source; between two blanks, before the next word.

use std::collections::BTreeMap;
use std::ops::Range;

use alinea_text::format::markup::Place;

use super::config::Unplaced;
use super::pair::MarkedPair;
use super::placed::{Fate, Loss, PlacedMarkup};
use super::placing::Stretches;
use super::points::Surroundings;
use super::sides::Sides;
use super::structure::Structure;

/// A step through the forest.
enum Step {
    Enter(usize),
    Leave(usize),
}

struct Emitting<'a> {
    structure: &'a Structure,
    sides: &'a Sides,
    stretches: &'a Stretches,
    unplaced: Unplaced,
    /// The bytes of the translation.
    length: usize,
    /// Where each unit goes, between which words.
    spans: Vec<Range<usize>>,
    /// Units in the order of the target: those in none, and those in each.
    order: Vec<Vec<usize>>,
    /// Units that go before and behind everything.
    moved: [Vec<usize>; 2],
    is_moved: Vec<bool>,
    is_dropped: Vec<bool>,
    places: Vec<Place>,
}

/// Puts all tags into order.
pub(super) fn emit(
    pair: &MarkedPair<'_>,
    structure: &Structure,
    sides: &Sides,
    stretches: &Stretches,
    unplaced: Unplaced,
) -> PlacedMarkup {
    let units = structure.units.len();
    if units == 0 {
        return PlacedMarkup::default();
    }
    let mut emitting = Emitting {
        structure,
        sides,
        stretches,
        unplaced,
        length: pair.target.raw.len(),
        spans: vec![0..0; units],
        order: Vec::with_capacity(units + 1),
        moved: [Vec::new(), Vec::new()],
        is_moved: vec![false; units],
        is_dropped: vec![false; units],
        places: Vec::with_capacity(pair.source.tags.len()),
    };
    emitting.arrange(None, 0..sides.target_forms.len());
    for unit in 0..units {
        emitting.arrange(Some(unit), emitting.spans[unit].clone());
    }
    emitting.walk();
    let crossed = emitting.untangle();
    emitting.finish(&crossed)
}

impl Emitting<'_> {
    /// Finds places for what is in a unit and has no words, and orders all of it.
    fn arrange(&mut self, parent: Option<usize>, range: Range<usize>) {
        let structure = self.structure;
        let children = structure.children_of(parent);
        if parent.is_some_and(|parent| self.is_dropped[parent]) {
            for &child in children {
                self.is_dropped[child] = true;
            }
        }
        if parent.is_some() && range.is_empty() {
            for &child in children {
                self.spans[child] = range.clone();
            }
            self.order.push(children.to_vec());
            return;
        }
        let (mut beside, mut ends, mut begins) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for &child in children {
            if let Some(words) = self.stretches.words[child].clone() {
                beside.insert(words.start, words.end);
                ends.insert(structure.units[child].words.end, words.end);
                begins.insert(structure.units[child].words.start, words.start);
                self.spans[child] = words;
            }
        }
        let surroundings = Surroundings {
            sides: self.sides,
            range,
            source: parent.map_or(0..self.sides.source_forms.len(), |parent| structure.units[parent].words.clone()),
            is_in_pair: parent.is_some(),
            beside: &beside,
            ends: &ends,
            begins: &begins,
        };
        let mut order = Vec::with_capacity(children.len());
        for &child in children {
            if self.stretches.words[child].is_none() && !self.set_aside(child) {
                let place = surroundings.place(structure.units[child].words.start);
                self.spans[child] = place..place;
            }
            if !self.is_moved[child] {
                order.push(child);
            }
        }
        // Behind what ends at a place, and before what begins there, is what is around nothing.
        order.sort_by_key(|&child| (self.spans[child].start, !self.spans[child].is_empty(), child));
        self.order.push(order);
    }

    /// Puts a unit where the option says, if it was lost; says whether it does so.
    fn set_aside(&mut self, unit: usize) -> bool {
        if self.stretches.losses[unit].is_none_or(|loss| loss == Loss::Inside) {
            return false;
        }
        let end = self.sides.target_forms.len();
        match self.unplaced {
            Unplaced::Near => return false,
            Unplaced::Start => self.moved[0].push(unit),
            Unplaced::End => {
                self.moved[1].push(unit);
                self.spans[unit] = end..end;
            }
            Unplaced::Drop => {
                self.is_dropped[unit] = true;
                return true;
            }
        }
        self.is_moved[unit] = true;
        true
    }

    /// Goes through the forest in the order of the target.
    fn walk(&mut self) {
        let [before, behind] = std::mem::take(&mut self.moved);
        let mut from = 0;
        for (number, units) in [before, std::mem::take(&mut self.order[0]), behind].into_iter().enumerate() {
            let mut steps: Vec<Step> = units.into_iter().rev().map(Step::Enter).collect();
            if number == 2 {
                from = self.length;
            }
            while let Some(step) = steps.pop() {
                let (Step::Enter(unit) | Step::Leave(unit)) = step;
                if self.is_dropped[unit] {
                    continue;
                }
                let is_fixed = number != 1;
                let (tag, at) = match step {
                    Step::Enter(unit) => {
                        let close = self.structure.units[unit].close;
                        steps.extend(close.map(|_| Step::Leave(unit)));
                        steps.extend(std::mem::take(&mut self.order[unit + 1]).into_iter().rev().map(Step::Enter));
                        (Some(self.structure.units[unit].tag), self.start(unit))
                    }
                    Step::Leave(unit) => (self.structure.units[unit].close, self.end(unit)),
                };
                from = if is_fixed { from } else { from.max(at) };
                self.places.extend(tag.map(|tag| Place { tag, at: from }));
            }
        }
    }

    fn is_whole(&self, unit: usize) -> bool {
        self.structure.is_whole[unit] && self.spans[unit] == (0..self.sides.target_forms.len())
    }

    /// The byte that a unit begins at.
    fn start(&self, unit: usize) -> usize {
        let span = &self.spans[unit];
        if span.is_empty() {
            self.point(unit, span.start)
        } else if self.is_whole(unit) {
            0
        } else {
            self.sides.target_bytes[span.start].start
        }
    }

    /// The byte that a unit ends at.
    fn end(&self, unit: usize) -> usize {
        let span = &self.spans[unit];
        if span.is_empty() {
            self.point(unit, span.start)
        } else if self.is_whole(unit) {
            self.length
        } else {
            self.sides.target_bytes[span.end - 1].end
        }
    }

    /// The byte of a place between words for a unit.
    fn point(&self, unit: usize, place: usize) -> usize {
        let bytes = &self.sides.target_bytes;
        let before = place.checked_sub(1).map_or(0, |word| bytes[word].end);
        let behind = bytes.get(place).map_or(self.length, |word| word.start);
        let unit = &self.structure.units[unit];
        let parent = unit.parent.map(|parent| &self.spans[parent]).filter(|span| !span.is_empty());
        match (parent, unit.is_glued) {
            (Some(span), _) if span.end == place => before,
            (Some(span), _) if span.start == place => behind,
            (_, [true, _]) => before,
            _ => behind,
        }
    }

    /// Pairs that were taken apart: where their tags came into another order than in the source, both go to one place. Returns which did, by their
    /// second units.
    fn untangle(&mut self) -> Vec<bool> {
        let units = &self.structure.units;
        let mut crossed = vec![false; units.len()];
        if units.iter().all(|unit| unit.half_of.is_none()) {
            return crossed;
        }
        let mut place_of = vec![None; units.len()];
        let unit_of: BTreeMap<usize, usize> =
            units.iter().enumerate().map(|(number, unit)| (unit.tag, number)).collect();
        for (place, tag) in self.places.iter().enumerate() {
            if let Some(&unit) = unit_of.get(&tag.tag) {
                place_of[unit] = Some(place);
            }
        }
        let pairs: Vec<(usize, usize)> =
            units.iter().enumerate().filter_map(|(number, unit)| Some((unit.half_of?, number))).collect();
        let mut halves: Vec<usize> = pairs.iter().flat_map(|&(open, close)| [open, close]).collect();
        halves.sort_unstable();
        let is_wrong = out_of_order(&halves.iter().map(|&unit| place_of[unit]).collect::<Vec<_>>());
        let wrong: std::collections::BTreeSet<usize> =
            halves.iter().zip(is_wrong).filter(|(_, wrong)| *wrong).map(|(&unit, _)| unit).collect();
        let mut is_away = self.is_moved.clone();
        for (number, unit) in units.iter().enumerate() {
            is_away[number] |= unit.parent.is_some_and(|parent| is_away[parent]);
        }
        let mut moved = BTreeMap::new();
        for (open, close) in pairs {
            let is_there = [open, close].map(|unit| place_of[unit].is_some());
            if is_there == [true, true]
                && (wrong.contains(&open) || wrong.contains(&close) || is_away[open] != is_away[close])
            {
                crossed[close] = true;
                moved.insert(units[open].tag, units[close].tag);
                self.spans[close] = self.spans[open].clone();
            } else if is_there != [true, true] {
                (self.is_dropped[open], self.is_dropped[close]) = (true, true);
            }
        }
        let closing: std::collections::BTreeSet<usize> = moved.values().copied().collect();
        let is_gone = |tag: usize| unit_of.get(&tag).is_some_and(|&unit| self.is_dropped[unit]);
        let mut places = Vec::with_capacity(self.places.len());
        for &place in self.places.iter().filter(|place| !closing.contains(&place.tag) && !is_gone(place.tag)) {
            places.push(place);
            places.extend(moved.get(&place.tag).map(|&tag| Place { tag, at: place.at }));
        }
        self.places = places;
        crossed
    }

    fn finish(self, crossed: &[bool]) -> PlacedMarkup {
        let units = &self.structure.units;
        let mut fates: Vec<Fate> = Vec::with_capacity(units.len());
        let mut fate_of = vec![0; units.len()];
        for (number, unit) in units.iter().enumerate() {
            let span = (!self.is_dropped[number]).then(|| self.spans[number].clone());
            if let Some(open) = unit.half_of {
                let fate = &mut fates[fate_of[open]];
                fate.close = Some(unit.tag);
                fate.source.end = unit.words.end;
                fate.lost = fate.lost.or(crossed[number].then_some(Loss::Crossing));
                if let (Some(target), Some(span)) = (&mut fate.target, span) {
                    target.end = span.end.max(target.start);
                }
                continue;
            }
            fate_of[number] = fates.len();
            fates.push(Fate {
                tag: unit.tag,
                close: unit.close,
                source: unit.words.clone(),
                target: span,
                confidence: self.stretches.confidences[number] as f32,
                lost: self.stretches.losses[number],
            });
        }
        PlacedMarkup { places: self.places, fates }
    }
}

/// Which numbers are not where they would be if all were in order: some number before is greater, or one behind is less.
fn out_of_order(numbers: &[Option<usize>]) -> Vec<bool> {
    let mut wrong = vec![false; numbers.len()];
    let mut most = 0;
    for (number, wrong) in numbers.iter().zip(&mut wrong) {
        if let &Some(number) = number {
            *wrong |= number < most;
            most = most.max(number);
        }
    }
    let mut least = usize::MAX;
    for (number, wrong) in numbers.iter().zip(&mut wrong).rev() {
        if let &Some(number) = number {
            *wrong |= number > least;
            least = least.min(number);
        }
    }
    wrong
}
