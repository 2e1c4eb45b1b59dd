//! What all words of a side of a text have in common, and words without it.
//!
//! The vectors of an encoder lie in a narrow cone: their mean and the direction in which they vary most say little about
//! single words (Mu and Viswanath 2018, *All-but-the-top*). With m the mean of the vectors of a side and d their first
//! principal direction, x becomes
//!
//! ```text
//! x' = (x - m) - ((x - m) · d) d ,   then x' / |x'| .
//! ```
//!
//! d is found by power iteration, from the vector that is farthest from the mean.

use crate::error::{Error, Result};
use crate::parallel::{Work, chunk_range};
use crate::progress::check;
use crate::word_vectors::WordVectors;

/// Vectors that are summed in one go; results depend on it, so it never changes with the number of threads.
const CHUNK: usize = 1024;

/// Words of a text that are looked at: a mean and one direction are known well enough from these.
const MOST_WORDS: usize = 1 << 16;

/// Power iteration ends when the direction turns by no more than this (1 - cosine), or after so many steps.
const STILL: f64 = 1e-14;
const MOST_STEPS: usize = 300;

/// What keeps a vector of nothing from being divided by zero.
const LEAST_LENGTH: f64 = 1e-9;

/// The mean and the first principal direction of the word vectors of one side of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Centering {
    mean: Vec<f64>,
    direction: Vec<f64>,
}

impl Centering {
    /// Those of vectors of `width` numbers, one after another.
    ///
    /// O(vectors × width × steps of the power iteration), of which some dozens are usual and 300 the most.
    ///
    /// # Errors
    /// `Config` if there are no vectors, the values are no whole number of them, or one of them is not finite;
    /// `Cancelled` if the observer says so.
    pub fn of(vectors: &[f32], width: usize, work: Work<'_>) -> Result<Self> {
        if width == 0 || vectors.is_empty() || !vectors.len().is_multiple_of(width) {
            return Err(Error::config("vectors", vectors.len(), "one or more vectors of as many numbers"));
        }
        if let Some(value) = vectors.iter().find(|value| !value.is_finite()) {
            return Err(Error::config("vectors", value, "finite numbers"));
        }
        let words = (vectors.len() / width) as f64;
        let all = sum_of_rows(vectors, width, work, |_, row, sum| {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += f64::from(*value));
        })?;
        let mean: Vec<f64> = all.into_iter().map(|sum| sum / words).collect();
        let farthest = vectors.chunks_exact(width).max_by(|a, b| distance(a, &mean).total_cmp(&distance(b, &mean)));
        let mut direction = vec![0.0; width];
        if let Some(row) = farthest {
            subtract(row, &mean, &mut direction);
        }
        normalize(&mut direction);
        for _ in 0..MOST_STEPS {
            let mut next = sum_of_rows(vectors, width, work, |centered, row, sum| {
                subtract(row, &mean, centered);
                let along = dot(centered, &direction);
                sum.iter_mut().zip(&*centered).for_each(|(sum, c)| *sum += along * c);
            })?;
            normalize(&mut next);
            let turned = 1.0 - dot(&next, &direction).abs();
            direction = next;
            if turned <= STILL {
                break;
            }
        }
        Ok(Self { mean, direction })
    }

    /// Those of the words of a text: of all of them, or of 65,536, evenly spaced.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_words(vectors: &WordVectors, work: Work<'_>) -> Result<Self> {
        let (words, width) = (vectors.words(), vectors.width());
        let some = words.min(MOST_WORDS);
        let mut sample = vec![0.0; some * width];
        for (n, vector) in sample.chunks_exact_mut(width).enumerate() {
            vectors.word((n as u64 * words as u64 / some as u64) as usize, vector);
        }
        Self::of(&sample, width, work)
    }

    /// How many numbers a vector has.
    pub fn width(&self) -> usize {
        self.mean.len()
    }

    /// Takes the mean and the direction from vectors, one after another, and gives them length 1.
    ///
    /// # Panics
    /// If the values are no whole number of vectors.
    pub fn apply(&self, vectors: &mut [f32]) {
        assert!(vectors.len().is_multiple_of(self.width()), "vectors of another width");
        let mut centered = vec![0.0; self.width()];
        for row in vectors.chunks_exact_mut(self.width()) {
            subtract(row, &self.mean, &mut centered);
            let along = dot(&centered, &self.direction);
            centered.iter_mut().zip(&self.direction).for_each(|(c, d)| *c -= along * d);
            let length = dot(&centered, &centered).sqrt() + LEAST_LENGTH;
            row.iter_mut().zip(&centered).for_each(|(x, c)| *x = (c / length) as f32);
        }
    }
}

/// Adds up what a function makes of each vector; it has a buffer of one vector.
fn sum_of_rows(
    vectors: &[f32],
    width: usize,
    Work { parallelism, observer }: Work<'_>,
    add: impl Fn(&mut [f64], &[f32], &mut [f64]) + Sync + Send,
) -> Result<Vec<f64>> {
    let words = vectors.len() / width;
    let mut sum = vec![0.0; width];
    let of_chunk = |buffer: &mut Vec<f64>, chunk: usize| {
        check(observer)?;
        let mut sum = vec![0.0; width];
        let range = chunk_range(words, CHUNK, chunk);
        for row in vectors[range.start * width..range.end * width].chunks_exact(width) {
            add(buffer, row, &mut sum);
        }
        Ok(sum)
    };
    let join = |of_chunk: Vec<f64>| {
        sum.iter_mut().zip(of_chunk).for_each(|(sum, value)| *sum += value);
        Ok(())
    };
    parallelism.map_ordered(words.div_ceil(CHUNK), || vec![0.0; width], of_chunk, join)?;
    Ok(sum)
}

/// A vector without the mean.
fn subtract(row: &[f32], mean: &[f64], centered: &mut [f64]) {
    centered.iter_mut().zip(row).zip(mean).for_each(|((centered, value), mean)| *centered = f64::from(*value) - mean);
}

fn distance(row: &[f32], mean: &[f64]) -> f64 {
    row.iter().zip(mean).map(|(value, mean)| (f64::from(*value) - mean).powi(2)).sum()
}

/// The sum of products in eight lanes, which are joined in one order.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (x_blocks, y_blocks) = (x.chunks_exact(8), y.chunks_exact(8));
    let rest: f64 = x_blocks.remainder().iter().zip(y_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in x_blocks.zip(y_blocks) {
        for lane in 0..8 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// Gives a vector length 1; one of zeros keeps its length.
fn normalize(vector: &mut [f64]) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    fn of(vectors: &[f32], width: usize, threads: usize) -> Result<Centering> {
        let parallelism = Parallelism::new(threads).unwrap();
        Centering::of(vectors, width, Work { parallelism: &parallelism, observer: &Silent })
    }

    #[test]
    fn words_lose_what_they_have_in_common() {
        // Far out on one line, a little to either side of it.
        let vectors = [11.0, 2.125, 7.0, 1.875, 3.0, 2.125, -1.0, 1.875];
        let centering = of(&vectors, 2, 1).unwrap();
        assert_eq!(centering.mean, [5.0, 2.0]);
        assert!(centering.direction[0].abs() > 0.999, "{centering:?}");
        let mut centered = vectors;
        centering.apply(&mut centered);
        for row in centered.chunks(2) {
            assert!((row[0].hypot(row[1]) - 1.0).abs() < 1e-6);
            assert!(row[1].abs() > 0.99, "only what is off the line is left: {row:?}");
        }
    }

    #[test]
    fn one_word_is_nothing() {
        let mut word = [3.0, 4.0];
        of(&word, 2, 1).unwrap().apply(&mut word);
        assert_eq!(word, [0.0, 0.0]);
    }

    #[test]
    fn threads_change_nothing() {
        let vectors: Vec<f32> = (0..5000 * 12u64).map(|n| ((n * n + 7 * n) % 1013) as f32 / 101.0).collect();
        assert_eq!(of(&vectors, 12, 1).unwrap(), of(&vectors, 12, 3).unwrap());
    }

    #[test]
    fn words_of_a_text_are_those_of_its_sentences() {
        let values: Vec<f32> = (0..600u32).map(|n| (n * n % 61) as f32 / 8.0).collect();
        let mut vectors = WordVectors::new("", 3);
        values.chunks(30).for_each(|sentence| vectors.push(sentence));
        let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
        assert_eq!(Centering::of_words(&vectors, work).unwrap(), of(&values, 3, 1).unwrap());
        assert!(Centering::of_words(&WordVectors::new("", 3), work).is_err());
    }

    #[test]
    fn of_many_words_some_are_looked_at() {
        // Of twice as many as are looked at every second one.
        let value = |n: usize| if n.is_multiple_of(2) { 1.0 + (n % 3) as f32 } else { -9.0 };
        let values: Vec<f32> = (0..2 * MOST_WORDS).map(value).collect();
        let mut vectors = WordVectors::new("", 1);
        vectors.push(&values);
        let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
        let some: Vec<f32> = values.iter().copied().step_by(2).collect();
        assert_eq!(Centering::of_words(&vectors, work).unwrap(), of(&some, 1, 1).unwrap());
    }

    #[test]
    fn numbers_that_are_no_vectors_are_refused() {
        for (vectors, width) in [(&[][..], 2), (&[1.0][..], 2), (&[1.0][..], 0), (&[f32::NAN, 1.0][..], 2)] {
            assert!(of(vectors, width, 1).is_err(), "{vectors:?} {width}");
        }
    }
}
