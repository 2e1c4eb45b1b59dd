//! One alignment for each sentence pair of a text in one direction, and the parallel loop over pairs.
//!
//! [`Paths`] has a position for every generated word: 0 for the empty word, 1..I for the conditioning words. The
//! positions of all pairs are one array, with the end of each pair. Models 3 to 5 climb from the alignment of the pass
//! before, so one is kept for every pair, at 4 bytes a word.
//!
//! `gather` hands threads chunks of 256 pairs and joins results in the order of the text: paths, and a sum of floats
//! such as the log-likelihood, are the same with any number of threads.

use super::PAIRS_PER_CHUNK;
use crate::error::Result;
use crate::parallel::{Work, chunk_range};
use crate::progress::check;

/// Goes through the pairs of a text, many at a time: a worker adds the paths of each, in N directions, and returns a
/// number. Gives all paths in order, and the sum of the numbers.
pub(super) fn gather<W: Send, const N: usize>(
    pairs: usize,
    Work { parallelism, observer }: Work<'_>,
    init: impl Fn() -> W + Sync + Send,
    visit: impl Fn(&mut W, usize, &mut [Paths; N]) -> f64 + Sync + Send,
) -> Result<([Paths; N], f64)> {
    let mut all = ([const { Paths::EMPTY }; N], 0.0);
    parallelism.map_ordered(
        pairs.div_ceil(PAIRS_PER_CHUNK),
        init,
        |worker, chunk| {
            check(observer)?;
            let numbers = chunk_range(pairs, PAIRS_PER_CHUNK, chunk);
            observer.advance(numbers.len() as u64);
            let (mut some, mut sum) = ([const { Paths::EMPTY }; N], 0.0);
            for n in numbers {
                sum += visit(worker, n, &mut some);
            }
            Ok((some, sum))
        },
        |(some, sum)| {
            all.0.iter_mut().zip(&some).for_each(|(all, some)| all.append(some));
            all.1 += sum;
            Ok(())
        },
    )?;
    Ok(all)
}

/// For each pair the position of every generated word: 0 for the empty word, from 1 for the conditioning words. 4 bytes a
/// word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths {
    positions: Vec<u32>,
    ends: Vec<u64>,
}

impl Paths {
    const EMPTY: Self = Self { positions: Vec::new(), ends: Vec::new() };

    /// The numbers of pairs and of generated words.
    pub(super) fn shape(&self) -> [usize; 2] {
        [self.ends.len(), self.positions.len()]
    }

    /// Adds the path of the next pair.
    pub(super) fn push(&mut self, path: &[u32]) {
        self.positions.extend_from_slice(path);
        self.ends.push(self.positions.len() as u64);
    }

    /// Adds those of other pairs.
    fn append(&mut self, others: &Self) {
        let before = self.positions.len() as u64;
        self.positions.extend_from_slice(&others.positions);
        self.ends.extend(others.ends.iter().map(|end| before + end));
    }

    /// The path of the `n`-th pair.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn of(&self, n: usize) -> &[u32] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.positions[start as usize..self.ends[n] as usize]
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
