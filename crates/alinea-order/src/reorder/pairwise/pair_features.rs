//! The features of all pairs of the words of a sentence.
//!
//! Positions are the words of the sentence; with `borders` also its start, before them, and its end. The pair of the
//! positions `left < right` has the number `right (right - 1) / 2 + left`. A feature is a key of 64 bits: the
//! fingerprint of the template's text, mixed with the value of each item in turn. A template with `B` has one feature
//! for each different value between the two words. Templates that need a tree are left out where the sentence has none.
//!
//! Numbers are binned. Distances have classes that begin at 1, 2, 3, 4, 5, 7, 10, 15 and 25. Words without letters and
//! digits between the two are counted up to 3, as are the steps up and down on the path between them in the tree. Their
//! lowest common ancestor is found by moving from the deeper of the two to its head until both are the same word.

use super::template::{Item, Slot, Template};
use crate::error::Result;
use crate::reorder::engine::Sentence;
use crate::reorder::features::{Column, Columns};
use crate::reorder::fingerprint::{fingerprint, mix};
use crate::tree::DependencyTree;

/// Numbers for all pairs of positions, the smaller one first.
pub(super) fn pair(left: usize, right: usize) -> usize {
    right * right.saturating_sub(1) / 2 + left
}

/// A sentence whose features are asked for. Its *positions* are its words, or these between the start and the end.
#[derive(Debug)]
pub(super) struct PairFeatures<'m> {
    templates: &'m [Template],
    columns: Columns,
    tree: Option<&'m DependencyTree>,
    depths: Vec<u32>,
    /// Words without letters and digits before each position.
    marks: Vec<u32>,
    borders: bool,
}

/// Where two words meet in the tree: places as [`Columns::shifted`] has them, 0 for none.
#[derive(Debug, Clone, Copy, Default)]
struct Meeting {
    sides: [usize; 2],
    common: usize,
    heads: [usize; 2],
    path: u64,
}

/// Where columns have nothing.
const NOWHERE: usize = 0;

/// The most steps in the tree that are counted, and the most marks.
const MOST: u32 = 3;

/// The path of words that are not in one tree.
const NO_PATH: u64 = 255;

/// First distances of a class: from 1, 2, 3, 4, from 5 to 6, and so on.
const DISTANCES: [usize; 9] = [1, 2, 3, 4, 5, 7, 10, 15, 25];

impl<'m> PairFeatures<'m> {
    /// Of a sentence, with its start and its end if `borders`.
    ///
    /// # Errors
    /// `Inconsistent` if it lacks a layer.
    pub(super) fn new(
        templates: &'m [Template],
        columns: &[Column],
        sentence: &'m Sentence,
        borders: bool,
    ) -> Result<Self> {
        let shapes = Columns::new(&[Column::Shape], sentence)?;
        let mark = fingerprint(b"-");
        let border = usize::from(borders);
        let mut marks = vec![0];
        for position in 0..sentence.len() + 2 * border {
            let is_mark = shapes.shifted(0, position + 2 - border) == mark;
            marks.push(marks[position] + u32::from(is_mark));
        }
        let tree = sentence.tree();
        Ok(Self {
            templates,
            columns: Columns::new(columns, sentence)?,
            tree,
            depths: tree.map(DependencyTree::depths).unwrap_or_default(),
            marks,
            borders,
        })
    }

    /// The number of positions.
    pub(super) fn positions(&self) -> usize {
        self.columns.words() + 2 * usize::from(self.borders)
    }

    /// Visits the keys of all features of the wanted pairs, with the pairs' numbers.
    pub(super) fn visit(&self, wanted: impl Fn(usize, usize) -> bool, mut visit: impl FnMut(usize, u64)) {
        let templates: Vec<&Template> =
            self.templates.iter().filter(|template| self.tree.is_some() || !template.needs_tree).collect();
        let mut columns: Vec<usize> = templates.iter().filter_map(|template| template.between).collect();
        columns.sort_unstable();
        columns.dedup();
        // By column: its different values between the two positions.
        let mut between: Vec<Vec<u64>> = vec![Vec::new(); columns.last().map_or(0, |&column| column + 1)];
        for left in 0..self.positions() {
            between.iter_mut().for_each(Vec::clear);
            for right in left + 1..self.positions() {
                if right > left + 1 {
                    for &column in &columns {
                        let value = self.columns.shifted(column, self.place(right - 1));
                        if !between[column].contains(&value) {
                            between[column].push(value);
                        }
                    }
                }
                if wanted(left, right) {
                    self.visit_pair(&templates, [left, right], &between, &mut visit);
                }
            }
        }
    }

    fn visit_pair(
        &self,
        templates: &[&Template],
        [left, right]: [usize; 2],
        between: &[Vec<u64>],
        visit: &mut impl FnMut(usize, u64),
    ) {
        let number = pair(left, right);
        let meeting = self.meeting(self.place(left), self.place(right));
        for template in templates {
            let value = |key, item: &Item| mix(key, self.value(*item, [left, right], &meeting));
            let key = template.items.iter().fold(template.seed, value);
            match template.between {
                None => visit(number, key),
                Some(column) => between[column].iter().for_each(|&value| visit(number, mix(key, value))),
            }
        }
    }

    /// Where columns have a position.
    #[inline(always)]
    fn place(&self, position: usize) -> usize {
        position + 2 - usize::from(self.borders)
    }

    #[inline(always)]
    fn value(&self, item: Item, [left, right]: [usize; 2], meeting: &Meeting) -> u64 {
        match item {
            Item::Distance => self.distance(left, right),
            Item::Marks => u64::from((self.marks[right] - self.marks[left + 1]).min(MOST)),
            Item::Path => meeting.path,
            Item::Word(slot, column) => {
                let (left, right) = (self.place(left), self.place(right));
                let place = match slot {
                    Slot::BeforeLeft => left - 1,
                    Slot::Left => left,
                    Slot::BehindLeft => left + 1,
                    Slot::BeforeRight => right - 1,
                    Slot::Right => right,
                    Slot::BehindRight => right + 1,
                    Slot::LeftHead => meeting.heads[0],
                    Slot::RightHead => meeting.heads[1],
                    Slot::LeftSide => meeting.sides[0],
                    Slot::RightSide => meeting.sides[1],
                    Slot::Common => meeting.common,
                };
                self.columns.shifted(column, place)
            }
        }
    }

    fn distance(&self, left: usize, right: usize) -> u64 {
        let class = DISTANCES.partition_point(|&first| first <= right - left);
        let start = self.borders && left == 0;
        let end = self.borders && right + 1 == self.positions();
        class as u64 + 16 * u64::from(start) + 32 * u64::from(end)
    }

    /// The word at a place, if there is one.
    fn word(&self, place: usize) -> Option<u32> {
        place.checked_sub(2).filter(|&word| word < self.columns.words()).map(|word| word as u32)
    }

    fn meeting(&self, left: usize, right: usize) -> Meeting {
        let nothing = Meeting { path: NO_PATH, ..Meeting::default() };
        let (Some(tree), Some(left), Some(right)) = (self.tree, self.word(left), self.word(right)) else {
            return nothing;
        };
        let place = |word: Option<u32>| word.map_or(NOWHERE, |word| word as usize + 2);
        let heads = [left, right].map(|word| place(tree.head(word)));
        let mut at = [Some(left), Some(right)];
        let mut sides = [None; 2];
        let mut steps = [0u32; 2];
        while at[0] != at[1] {
            let depth = |word: Option<u32>| word.map_or(0, |word| self.depths[word as usize] + 1);
            let lower = usize::from(depth(at[0]) < depth(at[1]));
            sides[lower] = at[lower];
            at[lower] = at[lower].and_then(|word| tree.head(word));
            steps[lower] += 1;
        }
        let path = if at[0].is_none() {
            NO_PATH
        } else {
            let [up, down] = steps.map(|steps| u64::from(steps.min(MOST)));
            up * u64::from(MOST + 1) + down
        };
        Meeting { sides: sides.map(place), common: place(at[0]), heads, path }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Roots;
    use std::collections::BTreeSet;

    fn sentence() -> Sentence {
        let words = ["he", ",", "too", ",", "saw", "red", "birds", "."].map(str::to_owned).to_vec();
        let heads = vec![Some(4), Some(2), Some(0), Some(2), None, Some(6), Some(4), None];
        Sentence::new(words).with_tree(DependencyTree::new(heads, Roots::Many).unwrap()).unwrap()
    }

    fn features(text: &str, borders: bool, pairs: [usize; 2]) -> Vec<u64> {
        let columns = ["words".parse().unwrap()];
        let templates = [Template::parse(text, &columns).unwrap()];
        let sentence = sentence();
        let features = PairFeatures::new(&templates, &columns, &sentence, borders).unwrap();
        let mut found = Vec::new();
        features.visit(
            |left, right| [left, right] == pairs,
            |number, key| {
                assert_eq!(number, pair(pairs[0], pairs[1]));
                found.push(key);
            },
        );
        found
    }

    fn expected(text: &str, values: &[u64]) -> Vec<u64> {
        vec![values.iter().fold(fingerprint(text.as_bytes()), |key, &value| mix(key, value))]
    }

    fn words(words: &[&str]) -> Vec<u64> {
        words.iter().map(|word| fingerprint(word.as_bytes())).collect()
    }

    #[test]
    fn slots_are_where_they_should_be() {
        let all = "L-.words&L.words&L+.words&R-.words&R.words&R+.words";
        assert_eq!(features(all, false, [0, 7]), expected(all, &words(&["", "he", ",", "birds", ".", ""])));
        assert_eq!(features(all, true, [0, 8]), expected(all, &words(&["", "", "he", "birds", ".", ""])));
        // From the start to the end, and beyond.
        assert_eq!(features(all, true, [0, 9]), expected(all, &words(&["", "", "he", ".", "", ""])));
    }

    #[test]
    fn trees_say_where_words_meet() {
        let all = "Lh.words&Rh.words&Ls.words&Rs.words&C.words&path";
        let expected = |names: &[&str], path| expected(all, &[words(names), vec![path]].concat());
        // Up from `,` by `too` and `he` to `saw`, down by `birds` to `red`.
        assert_eq!(features(all, false, [1, 5]), expected(&["too", "birds", "he", "birds", "saw"], 3 * 4 + 2));
        // One is above the other.
        assert_eq!(features(all, false, [0, 3]), expected(&["saw", "too", "", "too", "he"], 2));
        assert_eq!(features(all, false, [5, 6]), expected(&["birds", "saw", "red", "", "birds"], 4));
        // Two trees, and no word.
        assert_eq!(features(all, false, [6, 7]), expected(&["saw", "", "saw", ".", ""], NO_PATH));
        assert_eq!(features(all, true, [0, 1]), expected(&["", "", "", "", ""], NO_PATH));
    }

    #[test]
    fn what_stands_between_counts() {
        assert_eq!(features("marks", false, [0, 4]), expected("marks", &[2]));
        assert_eq!(features("marks", false, [1, 3]), expected("marks", &[0]));
        assert_eq!(features("marks", true, [1, 5]), expected("marks", &[2]));
        assert_eq!(features("marks", true, [0, 9]), expected("marks", &[3]));
        let seed = fingerprint(b"B.words");
        let between: BTreeSet<u64> = words(&[",", "too"]).into_iter().map(|word| mix(seed, word)).collect();
        let found = features("B.words", false, [0, 4]);
        assert_eq!((found.len(), found.into_iter().collect::<BTreeSet<_>>()), (2, between));
        assert!(features("B.words", false, [0, 1]).is_empty());
    }

    #[test]
    fn distances_have_classes() {
        assert_eq!(features("distance", false, [0, 4]), expected("distance", &[4]));
        assert_eq!(features("distance", false, [0, 5]), features("distance", false, [1, 7]));
        assert_eq!(features("distance", true, [0, 1]), expected("distance", &[1 + 16]));
        assert_eq!(features("distance", true, [0, 9]), expected("distance", &[6 + 16 + 32]));
    }

    #[test]
    fn pairs_have_numbers_without_gaps() {
        let numbers: Vec<usize> = (0..6).flat_map(|right| (0..right).map(move |left| pair(left, right))).collect();
        assert_eq!(numbers, (0..15).collect::<Vec<_>>());
    }
}
