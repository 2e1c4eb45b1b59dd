//! Word types as points, and a bilingual dictionary from their neighborhoods.
//!
//! The vector of a type is the mean of those of its first ten occurrences, with length 1. Scores of all pairs of types of
//! both sides are those of [`Similarity`], with ten neighbors; a pair is an entry of the dictionary, with its score as the
//! weight, from .05 on.
//!
//! The cosines of all pairs are not kept but computed again for each sum: memory is a few numbers a type.

use super::similarity::{Cosines, Similarity};
use crate::error::Result;
use crate::numeric::simd::dispatch;
use crate::parallel::{Work, chunk_range};
use crate::progress::check;

/// The least score of an entry.
pub const LEAST_ENTRY: f32 = 0.05;

/// The most occurrences that count for a type.
const MOST: u8 = 10;

/// Types of one side whose cosines are computed at once.
const CHUNK: usize = 64;

/// The mean vectors of word types, which have numbers from 0.
#[derive(Debug, Clone)]
pub struct TypeVectors {
    width: usize,
    sums: Vec<f32>,
    occurrences: Vec<u8>,
}

impl TypeVectors {
    /// For vectors of `width` numbers.
    ///
    /// # Panics
    /// If `width` is 0.
    pub fn new(width: usize) -> Self {
        assert!(width > 0, "vectors without numbers");
        Self { width, sums: Vec::new(), occurrences: Vec::new() }
    }

    /// Adds an occurrence of a type; those after the tenth change nothing.
    ///
    /// # Panics
    /// If the vector has another width.
    pub fn add(&mut self, number: usize, vector: &[f32]) {
        assert_eq!(vector.len(), self.width, "a vector of another width");
        if number >= self.occurrences.len() {
            self.occurrences.resize(number + 1, 0);
            self.sums.resize((number + 1) * self.width, 0.0);
        }
        if self.occurrences[number] < MOST {
            self.occurrences[number] += 1;
            let sum = &mut self.sums[number * self.width..][..self.width];
            sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
        }
    }

    /// The types that occur, and their vectors of length 1, one after another.
    fn finish(&self) -> (Vec<usize>, Vec<f32>) {
        let numbers: Vec<usize> = (0..self.occurrences.len()).filter(|&number| self.occurrences[number] > 0).collect();
        let mut vectors = Vec::with_capacity(numbers.len() * self.width);
        for &number in &numbers {
            let sum = &self.sums[number * self.width..][..self.width];
            let length = sum.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt() + 1e-9;
            vectors.extend(sum.iter().map(|&value| (f64::from(value) / length) as f32));
        }
        (numbers, vectors)
    }
}

/// The pairs of types whose score is above `least`, by source type and then target type, with their scores from 0 to 1.
///
/// O(S T width) for S and T types, five times; memory grows with S + T and the entries.
///
/// # Errors
/// `Cancelled` if the observer says so.
///
/// # Panics
/// If the sides have vectors of different width.
pub fn entries(
    source: &TypeVectors,
    target: &TypeVectors,
    least: f32,
    work: Work<'_>,
) -> Result<Vec<([usize; 2], f32)>> {
    assert_eq!(source.width, target.width, "vectors of different width");
    let similarity = Similarity::OF_TYPES;
    let width = source.width;
    let ((source_numbers, source), (target_numbers, target)) = (source.finish(), target.finish());
    let (forward, reverse) =
        (Block { own: &source, others: &target, width }, Block { own: &target, others: &source, width });
    let near = |block: Block<'_>| block.map(work, |_, cosines| similarity.nearness(&mut cosines.iter().copied()));
    let nearness = [near(forward)?, near(reverse)?];
    let sum = |block: Block<'_>, own: &[f64], others: &[f64]| -> Result<Vec<f64>> {
        let of_type = |n: usize, cosines: &[f32]| {
            cosines.iter().zip(others).map(|(&cosine, &other)| similarity.weight(cosine, [own[n], other])).sum()
        };
        block.map(work, of_type)
    };
    let sums = [sum(forward, &nearness[0], &nearness[1])?, sum(reverse, &nearness[1], &nearness[0])?];
    let rows = forward.map(work, |s, cosines| {
        let scores = cosines.iter().enumerate().map(|(t, &cosine)| {
            (t, similarity.score(cosine, [nearness[0][s], nearness[1][t]], [sums[0][s], sums[1][t]]))
        });
        scores.filter(|&(_, score)| score > least).collect::<Vec<_>>()
    })?;
    let row = |(s, row): (usize, Vec<(usize, f32)>)| row.into_iter().map(move |(t, score)| ([s, t], score));
    let all = source_numbers.into_iter().zip(rows).flat_map(row);
    Ok(all.map(|([s, t], score)| ([s, target_numbers[t]], score)).collect())
}

/// The types of one side beside those of the other.
#[derive(Clone, Copy)]
struct Block<'v> {
    own: &'v [f32],
    others: &'v [f32],
    width: usize,
}

impl Block<'_> {
    /// What a function makes of each type and its cosines, in order.
    fn map<T: Send>(
        self,
        Work { parallelism, observer }: Work<'_>,
        of: impl Fn(usize, &[f32]) -> T + Sync + Send,
    ) -> Result<Vec<T>> {
        let Self { own, others, width } = self;
        let (types, columns) = (own.len() / width, others.len() / width);
        let of_chunk = |cosines: &mut Vec<f32>, chunk: usize| {
            check(observer)?;
            let range = chunk_range(types, CHUNK, chunk);
            cosines.clear();
            dispatch(Cosines {
                source: &own[range.start * width..range.end * width],
                target: others,
                width,
                cells: cosines,
            });
            Ok(range.clone().map(|n| of(n, &cosines[(n - range.start) * columns..][..columns])).collect::<Vec<T>>())
        };
        let mut all = Vec::with_capacity(types);
        let end = |made: Vec<T>| {
            all.extend(made);
            Ok(())
        };
        parallelism.map_ordered(types.div_ceil(CHUNK), Vec::new, of_chunk, end)?;
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    fn of(source: &TypeVectors, target: &TypeVectors, threads: usize) -> Vec<([usize; 2], f32)> {
        let parallelism = Parallelism::new(threads).unwrap();
        entries(source, target, LEAST_ENTRY, Work { parallelism: &parallelism, observer: &Silent }).unwrap()
    }

    #[test]
    fn types_have_their_numbers() {
        let (mut source, mut target) = (TypeVectors::new(2), TypeVectors::new(2));
        source.add(4, &[1.0, 0.0]);
        source.add(1, &[0.0, 1.0]);
        target.add(0, &[0.0, 2.0]);
        target.add(7, &[3.0, 0.0]);
        let found: Vec<[usize; 2]> = of(&source, &target, 1).into_iter().map(|(pair, _)| pair).collect();
        assert_eq!(found, [[1, 0], [4, 7]]);
    }

    #[test]
    fn ten_occurrences_are_enough() {
        let mut types = TypeVectors::new(2);
        (0..10).for_each(|_| types.add(0, &[1.0, 0.0]));
        types.add(0, &[0.0, 1000.0]);
        assert_eq!(types.finish(), (vec![0], vec![1.0, 0.0]));
    }

    #[test]
    fn threads_change_nothing() {
        let mut sides = [TypeVectors::new(3), TypeVectors::new(3)];
        for (k, side) in sides.iter_mut().enumerate() {
            for n in 0..200 {
                let value = |of: usize| ((n * n * of + 31 * n + k) % 101) as f32 / 50.0 - 1.0;
                side.add(n, &[value(1), value(2), value(5)]);
            }
        }
        let [source, target] = &sides;
        assert!(!of(source, target, 1).is_empty());
        assert_eq!(of(source, target, 1), of(source, target, 3));
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert!(of(&TypeVectors::new(2), &TypeVectors::new(2), 1).is_empty());
    }
}
