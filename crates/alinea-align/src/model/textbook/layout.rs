//! The layout of the word-order tables of Models 4 and 5.
//!
//! A table is one array. Each [`RowKey`] that the text can ask for has a row: for the head of a cept, the class of the
//! previous cept's conditioning word and the class of the head; for its other words, their class alone. With r, the
//! *reach*, the longest generated sentence in which the key occurs, a row has
//!
//! ```text
//! displacements (Model 4)    2 r + 1 values               by difference, from -r to r
//! vacancies (Model 5)        (2 r + 1) (r + 1) values     by difference, then by the number of vacancies, from 0 to r
//! ```
//!
//! In tables of vacancies the class of the previous cept is always 0.

use std::collections::BTreeMap;

use super::text::PairedText;

/// Word classes by number of the word, from 0.
#[derive(Debug, Clone, Default)]
pub struct WordClasses {
    /// Of the conditioning words. That of the empty word, number 0, stands for the place before the first cept.
    pub conditions: Vec<u32>,
    /// Of the generated words.
    pub words: Vec<u32>,
}

/// What a row of a table of word order is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    /// For the head of a cept, the class of the conditioning word before; nothing for its other words.
    pub head_after: Option<u32>,
    /// The class of the generated word.
    pub class: u32,
}

/// The rows of a table. Each begins at a place in the array of values.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    rows: Vec<LayoutRow>,
    numbers: BTreeMap<RowKey, usize>,
    len: usize,
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub struct LayoutRow {
    /// What it is for.
    pub key: RowKey,
    /// Where its values begin.
    pub start: usize,
    /// The longest generated sentence that it is for.
    pub reach: usize,
}

impl LayoutRow {
    /// The place of a displacement, from minus the reach to the reach, in a row of these.
    #[inline]
    pub fn displacement(&self, displacement: i64) -> usize {
        self.start + (displacement + self.reach as i64) as usize
    }

    /// The place of a difference of vacancies, from minus the reach to the reach, given how many there are, up to the
    /// reach, in a row of these.
    #[inline]
    pub fn vacancies(&self, difference: i64, most: usize) -> usize {
        self.start + (difference + self.reach as i64) as usize * (self.reach + 1) + most
    }
}

impl Layout {
    /// Rows for displacements: those of heads by both classes, others by their own.
    pub fn displacements(text: &PairedText, classes: &WordClasses) -> Self {
        Self::of(text, classes, |after| after, |reach| 2 * reach + 1)
    }

    /// Rows for differences of vacancies, in which the word before is always the same.
    pub fn vacancies(text: &PairedText, classes: &WordClasses) -> Self {
        Self::of(text, classes, |_| 0, |reach| (2 * reach + 1) * (reach + 1))
    }

    fn of(
        text: &PairedText,
        classes: &WordClasses,
        after: impl Fn(u32) -> u32,
        width: impl Fn(usize) -> usize,
    ) -> Self {
        let mut layout = Self::default();
        for pair in 0..text.len() {
            let (words, conditions) = (text.words().sentence(pair), text.conditions().sentence(pair));
            for &word in words {
                let class = classes.words[word as usize];
                let heads = std::iter::once(&0).chain(conditions);
                let heads = heads.map(|&condition| Some(after(classes.conditions[condition as usize])));
                for head_after in heads.chain([None]) {
                    layout.reach(RowKey { head_after, class }, words.len());
                }
            }
        }
        for row in &mut layout.rows {
            row.start = layout.len;
            layout.len += width(row.reach);
        }
        layout
    }

    fn reach(&mut self, key: RowKey, length: usize) {
        let number = *self.numbers.entry(key).or_insert(self.rows.len());
        if number == self.rows.len() {
            self.rows.push(LayoutRow { key, start: 0, reach: 0 });
        }
        let row = &mut self.rows[number];
        row.reach = row.reach.max(length);
    }

    /// All rows, in the order of the values.
    pub fn rows(&self) -> &[LayoutRow] {
        &self.rows
    }

    /// How many values there are.
    pub fn values(&self) -> usize {
        self.len
    }

    /// The row for a key that the text has.
    pub(super) fn row(&self, key: RowKey) -> LayoutRow {
        self.rows[self.numbers[&key]]
    }
}
