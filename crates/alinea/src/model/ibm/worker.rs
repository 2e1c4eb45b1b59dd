//! The posteriors of a text that was trained on, pair by pair.

use super::aligner::{IbmAligner, Tables};
use super::fertile::Fertile;
use super::search::Search;
use super::side::Generated;
use super::word_by_word::{Buffers, WordByWord};
use super::{Directed, Paths};
use crate::bitext::RankedBitext;
use crate::model::Posteriors;
use crate::model::posteriors::Rows;

/// What one thread needs to compute posteriors of one sentence pair after another.
#[derive(Debug)]
pub struct IbmWorker<'a> {
    bitext: &'a RankedBitext,
    directions: [Direction<'a>; 2],
}

/// One direction.
#[derive(Debug)]
struct Direction<'a> {
    directed: Directed<'a>,
    tables: Found<'a>,
    /// By generated word and position, the empty word's first.
    links: Vec<f64>,
    /// The same without the empty word.
    rows: Vec<f32>,
    log_likelihood: f64,
}

/// Tables with the buffers for them.
#[derive(Debug)]
enum Found<'a> {
    WordByWord(&'a WordByWord, Box<Buffers>),
    Fertile(&'a Fertile, Box<Search<'a>>, &'a Paths),
}

impl<'a> IbmWorker<'a> {
    pub(super) fn new(aligner: &'a IbmAligner, bitext: &'a RankedBitext) -> Self {
        let directions = Generated::BOTH.map(|generated| {
            let directed = Directed { bitext, index: &aligner.index, generated };
            let trained = &aligner.directions[generated as usize];
            let tables = match &trained.tables {
                Tables::WordByWord(tables) => Found::WordByWord(tables, Box::default()),
                Tables::Fertile(tables) => {
                    Found::Fertile(tables, Box::new(Search::new(tables, directed)), &trained.paths)
                }
            };
            Direction { directed, tables, links: Vec::new(), rows: Vec::new(), log_likelihood: 0.0 }
        });
        Self { bitext, directions }
    }

    /// The posteriors of the `n`-th pair, each direction by itself; nothing if a side is empty. Under Models 1 and 2 and
    /// the diagonal one they are exact, and take O(I J). Under models with fertilities they are relative to the alignments
    /// that a pass of training sums over, and take as long as the pair does there; of pairs with a side of more than 100
    /// words that is one alignment.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn posteriors(&mut self, n: usize) -> Option<Posteriors<'_>> {
        let pair = self.bitext.pair(n);
        if pair.has_empty_side() {
            return None;
        }
        self.directions.iter_mut().for_each(|direction| direction.find(n));
        let [forward, reverse] = &self.directions;
        let rows = [(forward, pair.source.len()), (reverse, pair.target.len())]
            .map(|(direction, stride)| Rows { posterior: &direction.rows, stride });
        let log_likelihoods = [forward.log_likelihood, reverse.log_likelihood].map(|log| log.min(0.0));
        Some(Posteriors::of_rows(rows, (log_likelihoods, Some(log_likelihoods)), pair))
    }
}

impl Direction<'_> {
    fn find(&mut self, n: usize) {
        let pair = self.directed.bitext.pair(n);
        self.log_likelihood = match &mut self.tables {
            Found::WordByWord(tables, buffers) => tables.posteriors(self.directed, n, buffers, &mut self.links),
            Found::Fertile(tables, search, paths) => tables.posteriors(search, (pair, paths.of(n)), &mut self.links),
        };
        let (conditions, _) = self.directed.generated.split(pair);
        self.rows.clear();
        for row in self.links.chunks_exact(conditions.len() + 1) {
            self.rows.extend(row[1..].iter().map(|&share| share as f32));
        }
    }
}
