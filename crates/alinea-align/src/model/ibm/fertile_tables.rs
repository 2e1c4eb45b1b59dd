//! The parameters of Models 3 to 5 in one direction.
//!
//! The three models share t(f | e), fertilities n(φ | e) and the probability p1 of inserting words of the empty word.
//! They differ in the order of words: Model 3 has absolute positions (`absolute`), Model 4 displacements from the cept
//! before (`relative`), Model 5 displacements in vacancies (`vacancies`). Model 5 keeps the tables of Model 4 as well
//! and goes on estimating them, since the search for good alignments runs under Model 4.

use super::absolute::Absolute;
use super::fertility::{FertilityTable, NullInsertion};
use super::relative::{Classes, Relative};
use super::translation::TranslationTable;
use super::vacancies::Vacancies;

/// The parameters of one direction.
#[derive(Debug)]
pub(super) struct Fertile {
    pub(super) translation: TranslationTable,
    pub(super) fertility: FertilityTable,
    pub(super) null: NullInsertion,
    pub(super) order: Order,
    /// Pseudo-counts that draw each word's fertilities to the mean.
    pub(super) fertility_strength: f64,
    /// Whether alignments with each link held fixed are counted too.
    pub(super) pegging: bool,
}

/// Where words go.
#[derive(Debug)]
pub(super) enum Order {
    /// Model 3: by position and lengths.
    Absolute(Absolute),
    /// Model 4: relative to the words of the position before.
    Relative(Classes, Relative),
    /// Model 5: the same over vacancies; Model 4 leads the way to alignments.
    Vacancies(Classes, Relative, Vacancies),
}
