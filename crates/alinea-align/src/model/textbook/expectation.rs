//! EM for Models 1 and 2, and their best alignments (Brown et al. 1993, sections 4.1 and 4.2).
//!
//! Model 1 goes through the text word by word. The row t(f | ·) of a generated word f is spread over an array by
//! conditioning word, so no cell has to be looked up. Each occurrence of f then adds the reciprocal of its probability
//! to every word of the conditioning sentence:
//!
//! ```text
//! c(f, e) = t(f | e) × sum over occurrences of f, and over the e in their sentences, of  1 / sum over i of t(f | e_i)
//! ```
//!
//! The sums that normalize counts are complete only at the end of a pass; so a row is normalized in the next pass, when
//! its word comes up. Threads take blocks of words. Model 2 multiplies t by a(i | j, I, J) and runs in one thread.
//! Probabilities are raised to [`MIN_PROBABILITY`]; of equally probable states the last is the best.

use super::MIN_PROBABILITY;
use super::text::{Block, Occurrence, PairedText, by_block};
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};

/// Occurrences of words between two looks at whether to go on.
const BETWEEN_CHECKS: usize = 1 << 14;

/// Why a block is there to be had.
const ONCE: &str = "no two threads have the same block";

/// The tables of Model 1, or of Model 2.
#[derive(Debug, Clone, PartialEq)]
pub struct WordByWord {
    /// t, by cell of the text.
    pub translation: Vec<f64>,
    /// a, by cell of the grids of the text; none in Model 1.
    pub positions: Option<Vec<f64>>,
}

impl WordByWord {
    /// Model 1 with the same probability everywhere.
    pub fn uniform(text: &PairedText, probability: f64) -> Self {
        Self { translation: vec![probability; text.columns().len()], positions: None }
    }

    /// Equal probabilities for all states of a word, by cell of the grids.
    pub fn uniform_positions(text: &PairedText) -> Vec<f64> {
        let of = text.grids().iter().map(|(lengths, _)| (1.0 / lengths.states() as f64, lengths.cells()));
        of.flat_map(|(same, cells)| std::iter::repeat_n(same, cells)).collect()
    }

    /// Passes of expectation maximization: expected counts under the posteriors, then relative frequencies, none below
    /// [`MIN_PROBABILITY`] (Brown et al. 1993, sections 4.1 and 4.2). A word counts as often as it occurs. Probabilities to
    /// begin with are raised to that, too. O(sum of I J) for each pass.
    ///
    /// # Errors
    /// `Cancelled` if the observer wants it to end.
    ///
    /// # Panics
    /// If the tables are not of this text.
    pub fn train(
        &mut self,
        text: &PairedText,
        passes: usize,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<()> {
        if passes == 0 {
            return Ok(());
        }
        let Self { translation, positions } = self;
        observer.started(if positions.is_none() { "Model 1" } else { "Model 2" }, passes as u64);
        let Some(positions) = positions else {
            train_words(text, translation, passes, parallelism, observer)?;
            observer.finished("");
            return Ok(());
        };
        for probability in translation.iter_mut().chain(positions.iter_mut()) {
            *probability = probability.max(MIN_PROBABILITY);
        }
        let mut counts = vec![0.0; translation.len()];
        let mut position_counts = vec![0.0; positions.len()];
        for _ in 0..passes {
            expect_with_positions(text, translation, positions, &mut counts, &mut position_counts, observer)?;
            maximize_positions(text, positions, &mut position_counts);
            maximize(text, translation, &mut counts);
            observer.advance(1);
        }
        observer.finished("");
        Ok(())
    }
}

/// The most probable state of every generated word, in the order of the text: 0 for the empty word. Of equal ones the
/// last. The empty word is what remains where all are below [`MIN_PROBABILITY`]. Tables are those of a [`WordByWord`].
///
/// # Panics
/// If the tables are not of this text.
pub fn best_states(
    text: &PairedText,
    translation: &[f64],
    positions: Option<&[f64]>,
    parallelism: &Parallelism,
) -> Vec<u32> {
    let mut states = vec![0; text.occurrences.len()];
    let joined = parallelism.map_ordered(
        text.blocks.len(),
        || vec![0.0; text.condition_numbers],
        |row, n| Ok((n, best_of_block(text, &text.blocks[n], translation, positions, row))),
        |(n, of_block): (usize, Vec<u32>)| {
            for (occurrence, state) in text.occurrences[text.blocks[n].occurrences.clone()].iter().zip(of_block) {
                states[text.words.range(occurrence.pair as usize).start + occurrence.place as usize] = state;
            }
            Ok(())
        },
    );
    joined.expect("nothing here fails");
    states
}

/// The same of the occurrences of a block, in their order. `row` has room for the probabilities of a word, by number of the
/// conditioning word.
fn best_of_block(
    text: &PairedText,
    block: &Block,
    translation: &[f64],
    positions: Option<&[f64]>,
    row: &mut [f64],
) -> Vec<u32> {
    let mut states = Vec::with_capacity(block.occurrences.len());
    for of_word in text.occurrences[block.occurrences.clone()].chunk_by(|one, next| one.word == next.word) {
        let cells = text.row(of_word[0].word);
        for (&condition, &probability) in text.columns()[cells.clone()].iter().zip(&translation[cells]) {
            row[condition as usize] = probability;
        }
        for &Occurrence { pair, place, states: len, .. } in of_word {
            let conditions = text.conditions.sentence(pair as usize);
            let of = |n: usize| row[n.checked_sub(1).map_or(0, |n| conditions[n] as usize)];
            states.push(match positions {
                None => best_of((0..len as usize).map(of)),
                Some(positions) => {
                    let start = text.grids.of_pair(pair as usize).1 + place as usize * len as usize;
                    best_of(positions[start..][..len as usize].iter().enumerate().map(|(n, position)| of(n) * position))
                }
            });
        }
    }
    states
}

/// The last of the greatest probabilities, unless all are below the least.
fn best_of(probabilities: impl Iterator<Item = f64>) -> u32 {
    let (mut best, mut state) = (MIN_PROBABILITY, 0);
    for (probability, n) in probabilities.zip(0..) {
        if probability >= best {
            (best, state) = (probability, n);
        }
    }
    state
}

/// What a pass over Model 1 knows of a conditioning word, side by side in memory. All but the last is about the generated
/// word whose turn it is.
#[derive(Debug, Clone, Copy, Default)]
struct Condition {
    probability: f64,
    /// The sum of 1 / (probability of a word) over all occurrences of the generated word. Posteriors of the pair, which are
    /// its probability times that, need not be added up one by one.
    shares: f64,
    /// What turns counts of the pass before into probabilities.
    scale: f64,
    total: f64,
}

/// Passes of Model 1, word by word: all that is read and written is that word's, but for the sums of counts. These are
/// known at the end of a pass; so counts become probabilities in the next one, when the word's turn comes.
fn train_words(
    text: &PairedText,
    values: &mut [f64],
    passes: usize,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<()> {
    let mut scales = vec![1.0; text.condition_numbers];
    let slices = by_block(values, text.blocks.iter().map(|block| text.rows(block).len()));
    for _ in 0..passes {
        let mut totals = vec![0.0; text.condition_numbers];
        parallelism.map_ordered(
            text.blocks.len(),
            || scales.iter().map(|&scale| Condition { scale, ..Condition::default() }).collect::<Vec<_>>(),
            |conditions, n| {
                check(observer)?;
                count_words(text, &text.blocks[n], &mut slices[n].lock().expect(ONCE), conditions);
                Ok(conditions.iter_mut().map(|condition| std::mem::take(&mut condition.total)).collect())
            },
            |of_block: Vec<f64>| {
                totals.iter_mut().zip(of_block).for_each(|(total, more)| *total += more);
                Ok(())
            },
        )?;
        scales = reciprocals(totals);
        observer.advance(1);
    }
    let scale = |(): &mut (), n: usize| {
        let columns = &text.columns()[text.rows(&text.blocks[n])];
        scale(&mut slices[n].lock().expect(ONCE), columns, &scales);
        Ok(())
    };
    parallelism.map_ordered(text.blocks.len(), || (), scale, Ok)
}

/// Turns the counts of the pass before into probabilities, and these into counts.
fn count_words(text: &PairedText, block: &Block, values: &mut [f64], conditions: &mut [Condition]) {
    let mut rest = values;
    for of_word in text.occurrences[block.occurrences.clone()].chunk_by(|one, next| one.word == next.word) {
        let columns = &text.columns()[text.row(of_word[0].word)];
        let (values, later) = rest.split_at_mut(columns.len());
        rest = later;
        if of_word.len() == 1 && columns.len() == of_word[0].states as usize {
            count_once(columns, values, conditions);
        } else {
            count_often(text, of_word, columns, values, conditions);
        }
    }
}

/// The same for a word that occurs once, with words that occur once in its sentence: its states are its cells.
fn count_once(columns: &[u32], values: &mut [f64], conditions: &mut [Condition]) {
    let mut lanes = [0.0; 2];
    for (n, (value, &column)) in values.iter_mut().zip(columns).enumerate() {
        *value = (*value * conditions[column as usize].scale).max(MIN_PROBABILITY);
        lanes[n % 2] += *value;
    }
    let share = 1.0 / (lanes[0] + lanes[1]);
    for (value, &column) in values.iter_mut().zip(columns) {
        *value *= share;
        conditions[column as usize].total += *value;
    }
}

/// The same for any word.
fn count_often(
    text: &PairedText,
    of_word: &[Occurrence],
    columns: &[u32],
    values: &mut [f64],
    conditions: &mut [Condition],
) {
    for (value, &column) in values.iter().zip(columns) {
        let condition = &mut conditions[column as usize];
        condition.probability = (value * condition.scale).max(MIN_PROBABILITY);
        condition.shares = 0.0;
    }
    let of_null = conditions[0].probability;
    let mut shares_of_null = 0.0;
    for occurrence in of_word {
        let sentence = text.conditions.sentence(occurrence.pair as usize);
        let share = 1.0 / (of_null + sum_of(sentence, conditions));
        shares_of_null += share;
        add_to(sentence, conditions, share);
    }
    conditions[0].shares += shares_of_null;
    for (value, &column) in values.iter_mut().zip(columns) {
        let condition = &mut conditions[column as usize];
        *value = condition.probability * condition.shares;
        condition.total += *value;
    }
}

/// Makes probabilities of the counts of some cells.
fn scale(values: &mut [f64], columns: &[u32], scales: &[f64]) {
    for (value, &condition) in values.iter_mut().zip(columns) {
        *value = (*value * scales[condition as usize]).max(MIN_PROBABILITY);
    }
}

/// What to multiply counts by: products are much faster than quotients. A total of nothing has counts of nothing.
fn reciprocals(mut totals: Vec<f64>) -> Vec<f64> {
    for total in &mut totals {
        *total = if *total > 0.0 { 1.0 / *total } else { 0.0 };
    }
    totals
}

/// The sum of the probabilities of some conditioning words, in four lanes.
#[inline(always)]
fn sum_of(sentence: &[u32], conditions: &[Condition]) -> f64 {
    let of = |number: &u32| conditions[*number as usize].probability;
    let mut lanes = [0.0; 4];
    let (fours, rest) = sentence.as_chunks::<4>();
    for four in fours {
        lanes.iter_mut().zip(four).for_each(|(lane, number)| *lane += of(number));
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest.iter().map(of).sum::<f64>()
}

/// Adds a share to some conditioning words, one after another: one may be there twice.
#[inline(always)]
fn add_to(sentence: &[u32], conditions: &mut [Condition], share: f64) {
    let (fours, rest) = sentence.as_chunks::<4>();
    for &[a, b, c, d] in fours {
        conditions[a as usize].shares += share;
        conditions[b as usize].shares += share;
        conditions[c as usize].shares += share;
        conditions[d as usize].shares += share;
    }
    for &number in rest {
        conditions[number as usize].shares += share;
    }
}

/// The E-step of Model 2.
fn expect_with_positions(
    text: &PairedText,
    translation: &[f64],
    positions: &[f64],
    counts: &mut [f64],
    position_counts: &mut [f64],
    observer: &dyn Observer,
) -> Result<()> {
    let mut rest = text.cells();
    let mut shares = Vec::new();
    for (n, occurrence) in text.occurrences.iter().enumerate() {
        if n % BETWEEN_CHECKS == 0 {
            check(observer)?;
        }
        let (cells, later) = rest.split_at(occurrence.states as usize);
        rest = later;
        let row = text.row(occurrence.word);
        let (probabilities, counts) = (&translation[row.clone()], &mut counts[row]);
        let start = text.grids.of_pair(occurrence.pair as usize).1 + occurrence.place as usize * cells.len();
        let grid = start..start + cells.len();
        shares.clear();
        shares.extend(cells.iter().zip(&positions[grid.clone()]).map(|(&cell, a)| probabilities[cell as usize] * a));
        let whole: f64 = shares.iter().sum();
        let scale = 1.0 / whole;
        for ((&cell, value), position) in cells.iter().zip(&shares).zip(&mut position_counts[grid]) {
            counts[cell as usize] += value * scale;
            *position += value * scale;
        }
    }
    Ok(())
}

/// Shares of counts among those of the same conditioning word. Leaves zeros.
fn maximize(text: &PairedText, translation: &mut [f64], counts: &mut [f64]) {
    let mut totals = vec![0.0; text.condition_numbers];
    for (&condition, count) in text.columns().iter().zip(&*counts) {
        totals[condition as usize] += count;
    }
    translation.copy_from_slice(counts);
    counts.fill(0.0);
    scale(translation, text.columns(), &reciprocals(totals));
}

/// Shares of counts among those of the same generated position. Leaves zeros.
fn maximize_positions(text: &PairedText, positions: &mut [f64], counts: &mut [f64]) {
    for &(lengths, start) in text.grids() {
        let grid = start..start + lengths.cells();
        let rows = positions[grid.clone()].chunks_exact_mut(lengths.states());
        for (row, counts) in rows.zip(counts[grid].chunks_exact_mut(lengths.states())) {
            let total: f64 = counts.iter().sum();
            let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
            for (probability, count) in row.iter_mut().zip(counts) {
                *probability = (std::mem::take(count) * scale).max(MIN_PROBABILITY);
            }
        }
    }
}
