//! The cells of pairs with gold links: what a guideline is learned from.

use super::super::features::{FEATURES, PairFeatures};
use crate::alignment::{AnnotatedWords, GoldAlignment, Link};

/// What people said of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    /// Only possible.
    Possible,
    Sure,
}

/// A cell that may be a link.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// The place of its pair among those with gold links.
    pub(super) pair: usize,
    pub(super) link: Link,
    pub(super) mark: Mark,
    /// The log-odds that were decided.
    pub(super) decided: f64,
    pub(super) features: [f32; FEATURES],
    /// Of both words.
    pub(super) spellings: [u64; 2],
}

/// The candidate cells of pairs with gold links, pair by pair.
#[derive(Debug, Clone)]
pub struct GoldCells {
    /// Whether words without a gold link were left out on purpose.
    annotated_only: bool,
    /// What people said of the pair that was begun last.
    last: Option<(GoldAlignment, AnnotatedWords)>,
    pub(super) cells: Vec<Cell>,
    /// Of each pair, how many sure links it has, whether or not their cells are candidates.
    pub(super) sure: Vec<usize>,
}

impl GoldCells {
    /// None yet. `annotated_only`: words without a gold link were left out on purpose, and nothing is known of their cells.
    pub fn new(annotated_only: bool) -> Self {
        Self { annotated_only, last: None, cells: Vec::new(), sure: Vec::new() }
    }

    /// Begins the next pair.
    pub fn begin(&mut self, gold: &GoldAlignment) {
        self.sure.push(gold.sure().len());
        self.last = Some((gold.clone(), AnnotatedWords::of(gold.possible())));
    }

    /// Adds the cells of a stretch of the pair that was begun, which starts here: their features, and the log-odds that were
    /// decided of all cells.
    ///
    /// # Panics
    /// If no pair was begun.
    pub fn add(&mut self, start: [u32; 2], features: &PairFeatures<'_>, log_odds: &[f64]) {
        let (gold, annotated) = self.last.as_ref().expect("a pair was begun");
        let pair = self.sure.len() - 1;
        let [sources, targets] = features.words();
        self.cells.extend(features.candidates().filter_map(|(cell, [row, column])| {
            let link = Link::new(start[0] + row as u32, start[1] + column as u32);
            (!self.annotated_only || annotated.both(link)).then(|| Cell {
                pair,
                link,
                mark: Mark::of(gold, link),
                decided: log_odds[cell],
                features: features.of(row, column),
                spellings: [sources[row].spelling, targets[column].spelling],
            })
        }));
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.sure.len()
    }
}

impl Mark {
    fn of(gold: &GoldAlignment, link: Link) -> Self {
        if gold.sure().contains(link) {
            Self::Sure
        } else if gold.possible().contains(link) {
            Self::Possible
        } else {
            Self::None
        }
    }
}
