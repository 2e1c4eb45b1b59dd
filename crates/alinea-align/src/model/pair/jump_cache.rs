//! The jumps of sentences, by their length, for one thread.

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
