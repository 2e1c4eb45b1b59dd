//! What is in what: the tags of a segment as a forest.
//!
//! Pairs that overlap others are taken apart: of two that cross, one stands alone by its syntax (or the segment had been refused), and its tags
//! become points. So everything that is left nests.

use std::ops::Range;

use alinea_text::format::markup::{Role, Segment};

use super::sides::{Forms, Sides};

/// Phrases of more words are not looked for elsewhere.
const LONGEST_PHRASE: usize = 24;

/// A pair of tags, or a tag that is a point.
#[derive(Debug)]
pub(super) struct Unit {
    /// The tag, the first of a pair.
    pub(super) tag: usize,
    /// The other tag of a pair that nests.
    pub(super) close: Option<usize>,
    /// What it is in.
    pub(super) parent: Option<usize>,
    /// Its source words; of a point, the place between two.
    pub(super) words: Range<usize>,
    /// How many are around it that have other words.
    pub(super) level: usize,
    /// The number of its words in lower case.
    pub(super) phrase: Option<u32>,
    /// Whether there is no blank before it and behind it in the source.
    pub(super) is_glued: [bool; 2],
    /// The point that is the other tag of a pair taken apart.
    pub(super) half_of: Option<usize>,
}

impl Unit {
    /// Whether it looks for words.
    pub(super) fn has_words(&self) -> bool {
        !self.words.is_empty()
    }
}

/// The units of a segment.
#[derive(Debug)]
pub(super) struct Structure {
    /// In the order of their first tags, so that what is around a unit comes before it.
    pub(super) units: Vec<Unit>,
    /// Units that are in none, and behind them those in each unit.
    pub(super) children: Vec<Vec<usize>>,
    /// Whether a unit is around the whole text, with its blanks.
    pub(super) is_whole: Vec<bool>,
}

impl Structure {
    pub(super) fn new(segment: &Segment, words: &[Range<usize>], sides: &Sides, forms: &mut Forms) -> Self {
        let loose = loose(segment);
        let mut structure = Self { units: Vec::new(), children: vec![Vec::new()], is_whole: Vec::new() };
        let mut unit_of = vec![usize::MAX; segment.tags.len()];
        let mut open: Vec<usize> = Vec::new();
        // The first words that end, and that begin, behind a place.
        let (mut ends, mut begins) = (0, 0);
        for (number, tag) in segment.tags.iter().enumerate() {
            while words.get(ends).is_some_and(|word| word.end <= tag.at) {
                ends += 1;
            }
            while words.get(begins).is_some_and(|word| word.start < tag.at) {
                begins += 1;
            }
            let (opens, closes) = match tag.role {
                _ if loose[number] => (None, None),
                Role::Open(partner) => (Some(partner), None),
                Role::Close(partner) => (None, Some(partner)),
                Role::Alone => (None, None),
            };
            if let Some(partner) = closes {
                open.pop();
                let unit = unit_of[partner];
                structure.close(unit, begins, tag.at == segment.text.len());
                let words = structure.units[unit].words.clone();
                if words.len() <= LONGEST_PHRASE && !words.is_empty() {
                    structure.units[unit].phrase = Some(forms.phrase(&sides.source_forms[words]));
                }
                continue;
            }
            unit_of[number] = structure.units.len();
            let half_of = match tag.role {
                Role::Close(partner) if loose[number] => Some(unit_of[partner]),
                _ => None,
            };
            structure.push(Unit {
                tag: number,
                close: opens,
                parent: open.last().copied(),
                words: ends..ends,
                level: 0,
                phrase: None,
                is_glued: glued(&segment.text, tag.at),
                half_of,
            });
            structure.is_whole.push(tag.at == 0);
            if opens.is_some() {
                open.push(unit_of[number]);
            }
        }
        structure.find_levels();
        structure
    }

    fn push(&mut self, unit: Unit) {
        let parent = unit.parent.map_or(0, |parent| parent + 1);
        self.children[parent].push(self.units.len());
        self.units.push(unit);
        self.children.push(Vec::new());
    }

    /// A unit ends before a word.
    fn close(&mut self, unit: usize, end: usize, is_at_end: bool) {
        let words = &mut self.units[unit].words;
        // A word that is cut by the end of the unit belongs to it.
        words.end = words.start.max(end);
        self.is_whole[unit] &= is_at_end;
    }

    fn find_levels(&mut self) {
        for number in 0..self.units.len() {
            if let Some(parent) = self.units[number].parent {
                let around = &self.units[parent];
                self.units[number].level = around.level + usize::from(around.words != self.units[number].words);
            }
        }
    }

    /// The units in a unit, or those in none.
    pub(super) fn children_of(&self, unit: Option<usize>) -> &[usize] {
        &self.children[unit.map_or(0, |unit| unit + 1)]
    }
}

/// Whether there is no blank before and behind a place.
fn glued(text: &str, at: usize) -> [bool; 2] {
    let is_letter = |character: Option<char>| character.is_some_and(|character| !character.is_whitespace());
    [is_letter(text[..at].chars().next_back()), is_letter(text[at..].chars().next())]
}

/// Which tags belong to pairs that overlap others, so that they are taken apart.
fn loose(segment: &Segment) -> Vec<bool> {
    let mut loose = vec![false; segment.tags.len()];
    let mut open: Vec<usize> = Vec::new();
    for (number, tag) in segment.tags.iter().enumerate() {
        match tag.role {
            Role::Open(_) => open.push(number),
            Role::Close(partner) if !loose[partner] => {
                if tag.is_standalone && open.last() != Some(&partner) {
                    // What is in between and still open is not of this pair; it stays.
                    loose[partner] = true;
                    loose[number] = true;
                } else {
                    while let Some(last) = open.pop().filter(|&last| last != partner) {
                        loose[last] = true;
                    }
                }
            }
            Role::Close(_) => loose[number] = true,
            Role::Alone => {}
        }
        while open.last().is_some_and(|&last| loose[last]) {
            open.pop();
        }
    }
    loose
}
