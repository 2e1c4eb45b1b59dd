//! The tables that Models 3 to 5 are given, beside t: word order and fertilities.
//!
//! [`WordOrder`] is d(j | i, I, J) by cell of the grids in Model 3; in Model 4 a table of displacements, in Model 5 one
//! of displacements and one of vacancies, with values in the places of a [`Layout`]. [`FertilityRows`] gives each
//! conditioning word, and the empty word as number 0, a row of n(φ | e) for φ from 0 to the longest generated sentence
//! that it occurs with.
//!
//! Tables are kept as logarithms. Probabilities below [`MIN_PROBABILITY`] are raised to it first. A NaN is a missing
//! value: it stays NaN, and the search reports an error only if it needs it.

use super::MIN_PROBABILITY;
use super::layout::{Layout, WordClasses};
use super::text::PairedText;

/// A table of word order: logarithms in the places of a layout.
#[derive(Debug)]
pub struct Displacements {
    pub(super) layout: Layout,
    pub(super) classes: WordClasses,
    pub(super) logarithms: Vec<f64>,
}

impl Displacements {
    /// A table of these probabilities, in the places of the layout.
    ///
    /// # Panics
    /// If there are not as many as the layout has places.
    pub fn new(layout: Layout, classes: WordClasses, probabilities: Vec<f64>) -> Self {
        assert_eq!(layout.values(), probabilities.len(), "a probability for each place");
        Self { layout, classes, logarithms: logarithms(probabilities) }
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

/// What a model says of the order of words.
#[derive(Debug)]
pub enum WordOrder {
    /// Model 3: d(j | i, I, J), the probability of each place, by cell of the grids.
    Absolute(Vec<f64>),
    /// Model 4: displacements.
    Relative(Displacements),
    /// Model 5: differences of vacancies. Alignments are found by Model 4, and those that it finds less probable than the
    /// best times the least share are left out.
    Vacancies(Displacements, Displacements, f64),
}

/// How many words each word has: rows of probabilities by number of words, for each conditioning word.
#[derive(Debug, Clone)]
pub struct FertilityRows {
    starts: Vec<usize>,
}

impl FertilityRows {
    /// Rows from no word to all words of the longest sentence that a conditioning word occurs with.
    pub fn of(text: &PairedText) -> Self {
        let mut longest = vec![0; text.condition_numbers];
        for pair in 0..text.len() {
            let words = text.words().range(pair).len();
            for &condition in std::iter::once(&0).chain(text.conditions().sentence(pair)) {
                let longest: &mut usize = &mut longest[condition as usize];
                *longest = words.max(*longest);
            }
        }
        let mut starts = vec![0];
        starts.extend(longest.iter().scan(0, |end, longest| {
            *end += longest + 1;
            Some(*end)
        }));
        Self { starts }
    }

    /// The places of a conditioning word's row, 0 for the empty word.
    ///
    /// # Panics
    /// If the text has no such word.
    pub fn row(&self, condition: u32) -> std::ops::Range<usize> {
        self.starts[condition as usize]..self.starts[condition as usize + 1]
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none; there is always one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many places all rows have.
    pub fn places(&self) -> usize {
        self.starts[self.len()]
    }
}

/// Logarithms of probabilities that are not below the least. What is not a number stays so.
pub(super) fn logarithms(mut probabilities: Vec<f64>) -> Vec<f64> {
    for value in &mut probabilities {
        *value = if *value < MIN_PROBABILITY { MIN_PROBABILITY.ln() } else { value.ln() };
    }
    probabilities
}
