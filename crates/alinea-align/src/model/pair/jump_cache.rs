//! A cache of HMM transitions by sentence length, for one thread.
//!
//! The scale factors of the transition matrix depend on the jump table and the number of states alone, and many
//! sentences have the same length. Those for fewer than 256 states are computed on first use and kept; longer sentences
//! are prepared each time. For a sentence longer than any in training, the table is first extended to reach across it.
//!
//! Entries do not record which table they were made from: a cache serves one table.

use crate::model::pair::jumps::{JumpTable, SentenceJumps};

/// Sentence transitions by length: most sentences share theirs with many others.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct JumpCache {
    by_length: Vec<SentenceJumps>,
    long: SentenceJumps,
    /// The table for a sentence longer than all that were trained on.
    wider: Option<JumpTable>,
}

const CACHED_LENGTHS: usize = 256;

impl JumpCache {
    /// The transitions for a sentence of this many states, and the table they refer to.
    #[inline(always)]
    pub(in crate::model) fn of<'c>(
        &'c mut self,
        table: &'c JumpTable,
        states: usize,
    ) -> (&'c JumpTable, &'c SentenceJumps) {
        if states > table.longest() {
            let wider = self.wider.insert(table.reaching(states));
            self.long.prepare(wider, states);
            return (wider, &self.long);
        }
        if states >= CACHED_LENGTHS {
            self.long.prepare(table, states);
            return (table, &self.long);
        }
        if self.by_length.is_empty() {
            self.by_length.resize_with(CACHED_LENGTHS, SentenceJumps::default);
        }
        let jumps = &mut self.by_length[states];
        if jumps.is_empty() {
            jumps.prepare(table, states);
        }
        (table, jumps)
    }
}
