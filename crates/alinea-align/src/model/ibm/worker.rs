//! Posteriors of the training text under a chain of IBM models, pair by pair, in one thread.
//!
//! Each direction computes P(a_j = i | f, e) for all its J words and I + 1 positions. Without the column of the empty
//! word, the rows of both directions are lent out as [`Posteriors`], as those of joint models are. Under Models 1 and 2
//! and the diagonal model they are exact. Under Models 3 to 5 the search climbs from the stored alignment of the pair,
//! and posteriors are relative to the alignments that a pass of training would count from there. Likelihoods are sums
//! over the same alignments. Long pairs are computed stretch by stretch.

use super::aligner::{IbmAligner, Tables};
use super::directed::{Directed, Generated};
use super::fertile_tables::Fertile;
use super::paths::Paths;
use super::schedule::IbmModel;
use super::search::Search;
use super::word_by_word::{Buffers, WordByWord};
use crate::bitext::{Bitext, Cuts, RankedBitext, SentencePair};
use crate::model::Posteriors;
use crate::model::pair::rows::{Logs, Rows};
use crate::model::pair::stretches::Stretches;

/// What one thread needs to compute posteriors of one sentence pair after another.
#[derive(Debug)]
pub struct IbmWorker<'a> {
    bitext: &'a RankedBitext,
    /// The number of the first stretch of a pair.
    cuts: &'a Cuts,
    directions: [Direction<'a>; 2],
    stretches: Stretches,
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

impl IbmAligner {
    /// A worker for the text that was trained on. There may be one in each thread.
    ///
    /// # Panics
    /// If the chain ends with the HMM ([`check_posteriors`](Self::check_posteriors)), or the text is another, as far as the
    /// numbers of pairs and words tell.
    pub fn worker<'a>(&'a self, bitext: &'a RankedBitext) -> IbmWorker<'a> {
        assert!(self.model != IbmModel::Hmm, "chains that end with the HMM have no posteriors");
        let Bitext { source, target } = bitext.bitext();
        let shapes = [target, source].map(|generated| [bitext.in_stretches().len(), generated.token_count()]);
        assert_eq!(shapes, self.directions.each_ref().map(|trained| trained.paths.shape()), "the text trained on");
        IbmWorker::new(self, bitext)
    }
}

impl<'a> IbmWorker<'a> {
    pub(super) fn new(aligner: &'a IbmAligner, bitext: &'a RankedBitext) -> Self {
        let directions = Generated::BOTH.map(|generated| {
            let directed = Directed { bitext: bitext.in_stretches(), index: &aligner.index, generated };
            let trained = &aligner.directions[generated as usize];
            let tables = match &trained.tables {
                Tables::WordByWord(tables) => Found::WordByWord(tables, Box::default()),
                Tables::Fertile(tables) => {
                    Found::Fertile(tables, Box::new(Search::new(tables, directed)), &trained.paths)
                }
            };
            Direction { directed, tables, links: Vec::new(), rows: Vec::new(), log_likelihood: 0.0 }
        });
        Self { bitext, cuts: &aligner.cuts, directions, stretches: Stretches::default() }
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
        let Self { cuts, directions, stretches, .. } = self;
        stretches.clear();
        for (number, (start, stretch)) in (cuts.first_of(n)..).zip(pair.stretches()) {
            for direction in &mut *directions {
                direction.find(number);
            }
            if !pair.cuts.is_empty() {
                let (rows, logs) = found(directions, stretch);
                stretches.push(start, stretch, rows, logs);
            }
        }
        if !pair.cuts.is_empty() {
            return Some(Posteriors::of_stretches(stretches, pair));
        }
        let (rows, logs) = found(directions, pair);
        Some(Posteriors::of_rows(rows, logs, pair))
    }
}

/// What both directions found last, for this pair.
fn found<'d>([forward, reverse]: &'d [Direction<'_>; 2], pair: SentencePair<'_>) -> ([Rows<'d>; 2], Logs) {
    let rows = [(forward, pair.source.len()), (reverse, pair.target.len())]
        .map(|(direction, stride)| Rows { posterior: &direction.rows, stride });
    let weights = [forward.log_likelihood, reverse.log_likelihood].map(|log| log.min(0.0));
    (rows, Logs { weights, likelihoods: Some(weights) })
}

impl Direction<'_> {
    fn find(&mut self, n: usize) {
        let pair = self.directed.bitext.pair(n);
        self.log_likelihood = match &mut self.tables {
            Found::WordByWord(tables, buffers) => tables.posteriors(self.directed, n, buffers, &mut self.links),
            Found::Fertile(tables, search, paths) => tables.posteriors(search, pair, paths.of(n), &mut self.links),
        };
        let (conditions, _) = self.directed.generated.split(pair);
        self.rows.clear();
        for row in self.links.chunks_exact(conditions.len() + 1) {
            self.rows.extend(row[1..].iter().map(|&share| share as f32));
        }
    }
}
