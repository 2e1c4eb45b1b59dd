//! A part in bounded memory: its pairs of words are not there all at once.
//!
//! The text of a part, the words of the whole and what the part keeps for itself are always in memory. What is left of the limit is for
//! pairs of words: the chunks of the text are counted in *slices*, one after another, each with an index of its own pairs and what the
//! state says of these. What was counted of a slice waits in a file until the counts are written, and is added up there. Nothing of it
//! depends on how the text was cut.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::bitext::DistinctPair;
use crate::error::{ErrorKind, Result};
use crate::lexicon::PairIndex;
use crate::model::em::pass::{Pass, Stage};
use crate::model::em::text::TrainingText;
use crate::model::refinement::fertility::NUMBERS;
use crate::parallel::Work;

/// How much memory the process should have at most while it counts a part, and where that goes which does not fit.
#[derive(Debug, Clone)]
pub struct MemoryLimit {
    /// Bytes.
    pub bytes: u64,
    /// The directory for files without a name, which are gone when the part is counted.
    pub directory: PathBuf,
}

/// Bytes of a pair of words while it is counted: 16 for probabilities and counts, 8 for what Model 1 said, 4 for its id in the state, up
/// to 4 for the index; and what pairs of stems take for each, when they are numbered.
const OF_A_PAIR: u64 = 48;

/// Bytes for each word of a sentence while the pairs of words are gathered.
const OF_A_TOKEN: u64 = 8;

/// No slice gets less than this.
const LEAST: u64 = 4 << 20;

/// The slices of a text, one after another.
pub(super) struct Slices<'a> {
    text: &'a TrainingText<'a>,
    /// Bytes for pairs of words; nothing if there is no limit.
    budget: Option<u64>,
    /// The chunk that is next; none at the end.
    next: Option<usize>,
    /// How many chunks the last slice had.
    length: usize,
}

/// What a limit leaves for pairs of words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget<'l> {
    pub(super) bytes: u64,
    /// Where that goes which does not fit.
    pub(super) directory: &'l Path,
}

impl MemoryLimit {
    /// What is left of it for pairs of words in a pass over a text that is in memory, with so many words on both sides.
    ///
    /// # Errors
    /// `Inconsistent` if too little is.
    pub(super) fn budget(
        &self,
        text: &TrainingText<'_>,
        (pass, remembers): (Pass, bool),
        words: usize,
        work: Work<'_>,
    ) -> Result<Budget<'_>> {
        let in_use = memory_stats::memory_stats().map_or(0, |found| found.physical_mem as u64);
        let needed = in_use + of_a_pass(text, (pass, remembers), words, work.parallelism.threads());
        if let Some(bytes) = self.bytes.checked_sub(needed).filter(|&left| left >= LEAST) {
            return Ok(Budget { bytes, directory: &self.directory });
        }
        let message =
            format!("{} bytes of memory are too few: this part takes {} at least", self.bytes, needed + LEAST);
        Err(ErrorKind::Inconsistent(message).into())
    }
}

impl<'a> Slices<'a> {
    /// Those of a text whose pairs of words take so many bytes at a time.
    pub(super) fn new(text: &'a TrainingText<'a>, budget: Option<u64>) -> Self {
        Self { text, budget, next: Some(0), length: text.chunks.len() }
    }

    /// The next one, and the index of its pairs of words; nothing at the end. A text without chunks has one.
    ///
    /// # Errors
    /// If there are 2^32 pairs or more; `Cancelled` if the observer says so.
    pub(super) fn next(&mut self, work: Work<'_>) -> Result<Option<(Range<usize>, PairIndex)>> {
        let (Some(start), chunks) = (self.next, self.text.chunks.len()) else { return Ok(None) };
        let mut length = (chunks - start).min(self.length + self.length / 4 + 1);
        if let Some(budget) = self.budget {
            length = self.gathered_in(start..start + length, budget / 2);
        }
        loop {
            let slice = start..start + length;
            let index = PairIndex::of_distinct(
                self.text.bitext,
                self.pairs_of(slice.clone()),
                work.parallelism,
                work.observer,
            )?;
            let needed = index.ids() as u64 * OF_A_PAIR;
            if let Some(budget) = self.budget.filter(|&budget| needed > budget && length > 1) {
                // Pairs of words grow with about this root of the text.
                let share = (budget as f64 / needed as f64).powf(1.6);
                length = ((length as f64 * share) as usize).clamp(1, length - 1);
                continue;
            }
            (self.next, self.length) = (Some(slice.end).filter(|&end| end < chunks), length);
            return Ok(Some((slice, index)));
        }
    }

    /// The sentence pairs of some chunks.
    pub(super) fn pairs_of(&self, chunks: Range<usize>) -> &'a [DistinctPair] {
        let (text, starts) = (self.text, &self.text.chunks);
        match (starts.get(chunks.start), chunks.end.checked_sub(1).and_then(|last| starts.get(last))) {
            (Some(first), Some(last)) if !chunks.is_empty() => &text.distinct.pairs()[first.start..last.end],
            _ => &[],
        }
    }

    /// How many of these chunks can be gathered in so many bytes; at least one, if there is one.
    fn gathered_in(&self, chunks: Range<usize>, bytes: u64) -> usize {
        let tokens = |chunk: usize| -> u64 {
            let pairs = self.pairs_of(chunk..chunk + 1).iter().map(|pair| self.text.bitext.pair(pair.first as usize));
            pairs.map(|pair| (pair.source.len() + pair.target.len()) as u64).sum()
        };
        let mut left = bytes / OF_A_TOKEN;
        let fits = |&chunk: &usize| {
            let enough = left.checked_sub(tokens(chunk));
            left = enough.unwrap_or(0);
            enough.is_some()
        };
        chunks.clone().take_while(fits).count().max(1).min(chunks.len())
    }
}

/// Bytes that a pass takes besides pairs of words: what each thread counts by word, what the state says by word and stem, and what
/// each sentence pair adds.
fn of_a_pass(text: &TrainingText<'_>, (pass, remembers): (Pass, bool), words: usize, threads: usize) -> u64 {
    let numbers = if pass.stage == Stage::Hmm { NUMBERS } else { 0 };
    let counted = size_of::<u64>() * (1 + numbers) * (threads + 1);
    let stated = size_of::<f32>() * (12 + NUMBERS);
    let tokens = if remembers && pass.stage == Stage::Hmm {
        text.distinct
            .pairs()
            .iter()
            .map(|pair| text.bitext.pair(pair.first as usize))
            .map(|pair| pair.target.len())
            .sum()
    } else {
        0
    };
    (words * (counted + stated) + 12 * tokens) as u64
}
