//! An index with some of its pairs dropped.
//!
//! Rows keep their owners and universes, so each cell of a sentence still belongs to exactly one row; what a row has
//! left is laid out anew. A pair that was dropped is found like one that never occurred: it is not in its bitmap or its
//! list. A dense row could not tell, since it gives an id to every word; so a row that stays dense keeps all its pairs.
//! Such rows are few.

use std::ops::Range;

use super::gather::Piece;
use super::{Layout, Owner, PairIndex, Side};
use crate::error::Result;
use crate::lexicon::IdSet;
use crate::parallel::Parallelism;

impl PairIndex {
    /// The index of the pairs that `keep` wants, given id, source and target word, and of the other pairs of rows that
    /// stay dense; with the ids that are kept, which are numbered anew in the same order. Chunks are ranges of rows in
    /// order.
    ///
    /// # Errors
    /// None of its own.
    pub(crate) fn pruned(
        &self,
        chunks: &[Range<usize>],
        keep: impl Fn(usize, usize, usize) -> bool + Sync + Send,
        parallelism: &Parallelism,
    ) -> Result<(Self, IdSet)> {
        let mut pruned = Self::empty(self.by_word.each_ref().map(Vec::len));
        let mut kept = IdSet::new(self.ids());
        parallelism.map_ordered(
            chunks.len(),
            || Pruner { index: self, keep: &keep, partners: Vec::new(), bits: Vec::new() },
            |pruner, chunk| {
                let (mut piece, mut ids) = (Piece::default(), Vec::new());
                chunks[chunk].clone().for_each(|row| pruner.prune(row, &mut piece, &mut ids));
                Ok((piece, ids))
            },
            |(piece, ids)| {
                for id in ids {
                    kept.insert(id as usize);
                }
                pruned.append(&piece)
            },
        )?;
        pruned.shrink();
        pruned.is_pruned = self.is_pruned || pruned.len < self.len;
        Ok((pruned, kept))
    }
}

/// Prunes one row after another.
struct Pruner<'a, K> {
    index: &'a PairIndex,
    keep: &'a K,
    /// The partners that stay.
    partners: Vec<u32>,
    /// The same, one bit each; no bits between rows.
    bits: Vec<u32>,
}

impl<K: Fn(usize, usize, usize) -> bool> Pruner<'_, K> {
    /// Adds what stays of a row, and its ids.
    fn prune(&mut self, row: usize, piece: &mut Piece, ids: &mut Vec<u32>) {
        let owner = self.index.owners[row];
        let first = ids.len();
        self.partners.clear();
        self.index.for_each_pair(row..row + 1, |id, source, target| {
            if (self.keep)(id, source, target) {
                ids.push(id as u32);
                self.partners.push(if owner.side == Side::Source { target } else { source } as u32);
            }
        });
        let len = self.partners.len() as u32;
        let universe = self.index.row(owner).universe;
        let layout = Layout::of_few(len, universe);
        if layout == Layout::Dense {
            ids.truncate(first);
            ids.extend(self.index.ids_of(row..row + 1).map(|id| id as u32));
            self.copy(owner, piece);
            return;
        }
        let row = piece.begin_row(owner, len, universe, layout);
        if layout == Layout::List {
            piece.lists.extend_from_slice(&self.partners);
            return;
        }
        self.bits.resize(self.bits.len().max(row.blocks()), 0);
        for &partner in &self.partners {
            self.bits[(partner / 32) as usize] |= 1 << (partner % 32);
        }
        piece.extend_blocks(&mut self.bits[..row.blocks()]);
    }

    /// Adds a dense row as it is.
    fn copy(&self, owner: Owner, piece: &mut Piece) {
        let old = self.index.row(owner);
        piece.begin_row(owner, old.len, old.universe, old.layout);
        piece.blocks.extend_from_slice(self.index.blocks_of(old));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::tests::{distinct, lines, ranked};
    use super::*;
    use crate::numeric::Generator;
    use crate::progress::Silent;

    type Pairs = BTreeMap<(u32, u32), usize>;

    fn pairs(index: &PairIndex) -> Pairs {
        let (mut pairs, mut last) = (BTreeMap::new(), None);
        index.for_each_pair(index.rows(), |id, source, target| {
            assert!(last < Some(id) && id < index.ids());
            last = Some(id);
            assert!(pairs.insert((source as u32, target as u32), id).is_none());
        });
        assert_eq!(pairs.len(), index.len());
        pairs
    }

    fn assert_found(index: &PairIndex, known: &Pairs, sources: &[u32], targets: &[u32]) {
        let mut ids = vec![0; sources.len() * targets.len()];
        index.resolve(sources, targets, &mut ids);
        let cells = sources.iter().flat_map(|&source| targets.iter().map(move |&target| (source, target)));
        for (cell, &id) in cells.zip(&ids) {
            match known.get(&cell) {
                Some(&expected) => assert_eq!(id as usize, expected, "{cell:?}"),
                None => assert_eq!(id as usize, index.ids(), "{cell:?}"),
            }
        }
    }

    fn check(index: &PairIndex, share: f64, seed: u64, threads: usize) -> PairIndex {
        let old = pairs(index);
        let mut generator = Generator::new(seed, 0);
        // Of some words more is dropped than of others.
        let shares: Vec<f64> = (0..256).map(|_| share * 2.0 * generator.unit()).collect();
        let mut wanted = IdSet::new(index.ids());
        for (&(source, target), &id) in &old {
            if generator.unit() < shares[(source as usize).max(target as usize) % 256] {
                wanted.insert(id);
            }
        }
        let chunks: Vec<_> = index.rows().step_by(3).map(|row| row..(row + 3).min(index.rows().end)).collect();
        let parallelism = Parallelism::new(threads).unwrap();
        let (pruned, kept) = index.pruned(&chunks, |id, _, _| wanted.contains(id), &parallelism).unwrap();
        let new = pairs(&pruned);
        assert_eq!(pruned.is_pruned(), index.is_pruned() || new.len() < old.len());
        assert_eq!(kept.len(), pruned.ids());
        let numbers = kept.numbers();
        for (pair, &id) in &old {
            let expected = kept.contains(id).then(|| numbers.of(id as u32) as usize);
            assert_eq!(new.get(pair).copied(), expected);
            assert!(expected.is_some() || !wanted.contains(id));
        }
        let dense = |pruned: &PairIndex, (source, target): (u32, u32)| {
            let own = pruned.by_word[0][source as usize];
            let row = if target < own.universe { own } else { pruned.by_word[1][target as usize] };
            row.layout == Layout::Dense
        };
        assert!(new.keys().all(|&pair| wanted.contains(old[&pair]) || dense(&pruned, pair)));
        pruned
    }

    proptest! {
        #[test]
        fn what_is_kept_is_found_and_what_is_dropped_is_not(
            lines in lines(),
            share in prop_oneof![Just(0.0), 0.0..1.2],
            seed in any::<u64>(),
            threads in 1usize..4,
        ) {
            let bitext = ranked(&lines);
            let index = PairIndex::build(&bitext, &Parallelism::serial(), &Silent).unwrap();
            let once = check(&index, share, seed, threads);
            for index in [&once, &check(&once, share, seed ^ 1, threads)] {
                let known = pairs(index);
                for pair in bitext.bitext().pairs() {
                    assert_found(index, &known, &distinct(pair.source), &distinct(pair.target));
                }
                // One word beside all, as in a very long sentence: steps through lists double.
                let all: Vec<u32> = (0..bitext.target_frequencies().len() as u32).collect();
                for source in 0..bitext.source_frequencies().len() as u32 {
                    let met: Vec<u32> = all.iter().copied().filter(|&target| {
                        let row = index.by_word[0][source as usize];
                        let row = if target < row.universe { row } else { index.by_word[1][target as usize] };
                        row.layout != Layout::Dense
                    }).collect();
                    assert_found(index, &known, &[source], &met);
                    for target in met {
                        assert_found(index, &known, &[source], &[target]);
                    }
                }
            }
        }
    }
}
