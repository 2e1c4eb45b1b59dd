//! How near two sentences are to each other, and how near to everything: evidence of word vectors.
//!
//! The vector of a sentence is the sum of those of its words, each less the mean of all words of its side of the text; that of
//! a group is the sum of its sentences, so that it is what one long sentence would have. With cos(x, y) the cosine of two, and
//! h(x) the mean cosine of a sentence and the four nearest sentences of the other text (of a group, the mean of its
//! sentences'), the score is the margin
//!
//! ```text
//! cos(x, y) − (h(x) + h(y)) / 2
//! ```
//!
//! Some sentences are near to many of the other text, short ones above all, and would be paired with all of them without it.
//! Nearest sentences are looked for among 10,000 around the diagonal, which is all where texts are no longer.
//!
//! Source: Artetxe and Schwenk 2019, *Margin-based parallel corpus mining with multilingual sentence embeddings*, ACL, section
//! 3, with the difference (`distance`) in place of their ratio: cosines of centered vectors may be negative.

use std::ops::Range;

use crate::error::Result;
use crate::numeric::simd::{Kernel, dispatch, dot};
use crate::parallel::{Work, chunk_range};
use crate::progress::check;
use crate::sentence_align::{Candidate, Evidence, Scale};
use crate::word_vectors::WordVectors;

/// How many sentences of the other text are near one.
const NEAREST: usize = 4;

/// How many sentences of the other text are looked at.
const WINDOW: usize = 10_000;

/// Sentences that are compared with all others at once: their vectors stay in the cache.
const CHUNK: usize = 8;

/// The most sentences of a side of a group.
const MOST: usize = 4;

/// The least length of a centered vector, as a share of what it was.
const LEAST_SHARE: f64 = 1e-5;

/// The vectors of the sentences of two texts.
#[derive(Debug, Clone)]
pub struct VectorEvidence {
    sides: [Vectors; 2],
    /// For each source sentence those that are nearest to it.
    nearest: Vec<Nearest>,
}

#[derive(Debug, Clone)]
struct Vectors {
    width: usize,
    /// One after another, the sums of the words.
    values: Vec<f32>,
    /// For stretches of one sentence to four, by their first sentence, one by the length of the sum; 0 if it has none.
    scales: [Vec<f32>; MOST],
    /// The mean cosine of the nearest sentences.
    hubs: Vec<f32>,
}

impl VectorEvidence {
    /// That of two texts, from the vectors of the words of their sentences.
    ///
    /// O(sentences × sentences of the other text, 10,000 at most, × width); memory 4 bytes for each number of a sentence.
    ///
    /// # Errors
    /// `Cancelled` if the observer wants it to end.
    ///
    /// # Panics
    /// If the vectors of both texts have different widths.
    pub fn new(source: &WordVectors, target: &WordVectors, work: Work<'_>) -> Result<Self> {
        assert_eq!(source.width(), target.width(), "vectors of one width");
        let mut sides = [Vectors::of(source), Vectors::of(target)];
        work.observer.started("comparing sentences", (source.len() + target.len()) as u64);
        let nearest = sides[0].nearest(&sides[1], work)?;
        let back = sides[1].nearest(&sides[0], work)?;
        work.observer.finished("");
        sides[0].hubs = nearest.iter().map(Nearest::mean).collect();
        sides[1].hubs = back.iter().map(Nearest::mean).collect();
        Ok(Self { sides, nearest })
    }
}

impl Evidence for VectorEvidence {
    fn score(&self, source: Range<usize>, target: Range<usize>) -> f64 {
        let [sources, targets] = &self.sides;
        let scale = sources.scale(&source) * targets.scale(&target);
        if scale == 0.0 {
            return f64::NAN;
        }
        let [of_source, of_target] = [(sources, &source), (targets, &target)]
            .map(|(side, range)| &side.values[range.start * side.width..range.end * side.width]);
        let product = dispatch(Products { source: of_source, target: of_target, width: sources.width });
        let hub = f32::midpoint(sources.hub(&source), targets.hub(&target));
        f64::from(product * scale - hub)
    }

    fn name(&self) -> &'static str {
        "word vectors"
    }

    fn scale(&self) -> Scale {
        Scale { unrelated: -0.3, related: 0.15, deviation: 0.12 }
    }

    fn candidates(&self, _work: Work<'_>) -> Result<Option<Vec<Candidate>>> {
        let mut all = Vec::new();
        for (source, nearest) in self.nearest.iter().enumerate() {
            for &(_, target) in &nearest.found {
                let target = target as usize;
                let weight = self.score(source..source + 1, target..target + 1);
                if weight > 0.0 {
                    all.push(Candidate { source, target, weight });
                }
            }
        }
        Ok(Some(all))
    }
}

impl Vectors {
    fn of(words: &WordVectors) -> Self {
        let width = words.width();
        let mut mean = vec![0.0f64; width];
        let mut sums = vec![0.0f64; words.len() * width];
        let mut sentence = Vec::new();
        for n in 0..words.len() {
            words.sentence(n, &mut sentence);
            let sum = &mut sums[n * width..(n + 1) * width];
            for word in sentence.chunks_exact(width) {
                for (sum, value) in sum.iter_mut().zip(word) {
                    *sum += f64::from(*value);
                }
            }
            mean.iter_mut().zip(&*sum).for_each(|(mean, sum)| *mean += sum);
        }
        let all = words.words().max(1) as f64;
        for mean in &mut mean {
            *mean /= all;
        }
        let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let centered = |(n, sum): (usize, &[f64])| {
            let count = words.words_of(n) as f64;
            let centered: Vec<f64> = sum.iter().zip(&mean).map(|(sum, mean)| sum - count * mean).collect();
            // What rounding has left of a sentence like all others is no direction.
            let least = LEAST_SHARE * LEAST_SHARE * square(sum);
            let factor = if square(&centered) > least { 1.0 } else { 0.0 };
            centered.into_iter().map(|value| (factor * value) as f32).collect::<Vec<f32>>()
        };
        let values: Vec<f32> = sums.chunks_exact(width).enumerate().flat_map(centered).collect();
        let scales = [1, 2, 3, 4].map(|sentences| {
            (0..words.len())
                .map(|first| scale_of(&values, width, first..(first + sentences).min(words.len())))
                .collect()
        });
        Self { width, values, scales, hubs: Vec::new() }
    }

    /// One by the length of the sum of sentences, 0 if it has none, or there are none or more than four.
    fn scale(&self, sentences: &Range<usize>) -> f32 {
        let of_count = sentences.len().checked_sub(1).and_then(|n| self.scales.get(n));
        of_count.map_or(0.0, |scales| scales[sentences.start])
    }

    fn hub(&self, sentences: &Range<usize>) -> f32 {
        self.hubs[sentences.clone()].iter().sum::<f32>() / sentences.len() as f32
    }

    /// For each sentence those of the other text that are nearest.
    fn nearest(&self, other: &Self, work: Work<'_>) -> Result<Vec<Nearest>> {
        let (own, others) = (self.scales[0].len(), other.scales[0].len());
        let width = self.width;
        let compare = |(): &mut (), chunk: usize| {
            check(work.observer)?;
            let rows = chunk_range(own, CHUNK, chunk);
            // Where the diagonal is, half a window before and behind.
            let center = (rows.start as u64 * others as u64 / own.max(1) as u64) as usize;
            let first = center.saturating_sub(WINDOW / 2).min(others.saturating_sub(WINDOW));
            let columns = first..(first + WINDOW).min(others);
            let mut nearest = vec![Nearest::default(); rows.len()];
            dispatch(Comparison {
                rows: &self.values[rows.start * width..rows.end * width],
                row_scales: &self.scales[0][rows.clone()],
                columns: &other.values[columns.start * width..columns.end * width],
                column_scales: &other.scales[0][columns.clone()],
                first: columns.start,
                width,
                nearest: &mut nearest,
            });
            work.observer.advance(rows.len() as u64);
            Ok(nearest)
        };
        let mut all = Vec::with_capacity(own);
        work.parallelism.map_ordered(
            own.div_ceil(CHUNK),
            || (),
            compare,
            |nearest| {
                all.extend(nearest);
                Ok(())
            },
        )?;
        Ok(all)
    }
}

/// One by the length of a sum of vectors.
fn scale_of(values: &[f32], width: usize, sentences: Range<usize>) -> f32 {
    let mut sum = vec![0.0f32; width];
    for vector in values[sentences.start * width..sentences.end * width].chunks_exact(width) {
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
    }
    let square = dispatch(Products { source: &sum, target: &sum, width });
    if square > 0.0 && square.is_finite() { 1.0 / square.sqrt() } else { 0.0 }
}

/// The nearest sentences so far, the nearest first; of equally near ones those that come first.
#[derive(Debug, Clone, Default)]
struct Nearest {
    found: Vec<(f32, u32)>,
}

impl Nearest {
    #[inline(always)]
    fn add(&mut self, cosine: f32, sentence: usize) {
        if self.found.len() == NEAREST && self.found.last().is_some_and(|last| cosine <= last.0) {
            return;
        }
        let place = self.found.iter().position(|found| cosine > found.0).unwrap_or(self.found.len());
        self.found.insert(place, (cosine, sentence as u32));
        self.found.truncate(NEAREST);
    }

    /// Their mean cosine; 0 if there are none.
    fn mean(&self) -> f32 {
        self.found.iter().map(|found| found.0).sum::<f32>() / self.found.len().max(1) as f32
    }
}

/// The sum of the products of all vectors of two sides: the product of their sums.
struct Products<'a> {
    source: &'a [f32],
    target: &'a [f32],
    width: usize,
}

impl Kernel for Products<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        let mut total = 0.0;
        for source in self.source.chunks_exact(self.width) {
            for target in self.target.chunks_exact(self.width) {
                total += dot(source, target);
            }
        }
        total
    }
}

/// A few sentences against many.
struct Comparison<'a> {
    rows: &'a [f32],
    row_scales: &'a [f32],
    columns: &'a [f32],
    column_scales: &'a [f32],
    /// The number of the first column.
    first: usize,
    width: usize,
    nearest: &'a mut [Nearest],
}

impl Kernel for Comparison<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let columns = self.columns.chunks_exact(self.width).zip(self.column_scales);
        for (number, (column, column_scale)) in columns.enumerate() {
            if *column_scale == 0.0 {
                continue;
            }
            let rows = self.rows.chunks_exact(self.width).zip(self.row_scales).zip(self.nearest.iter_mut());
            for ((row, row_scale), nearest) in rows {
                if *row_scale > 0.0 {
                    nearest.add(dot(row, column) * row_scale * column_scale, self.first + number);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    /// Sentences of words with vectors of three numbers.
    fn vectors(sentences: &[&[[f32; 3]]]) -> WordVectors {
        let mut vectors = WordVectors::new("test", 3);
        for sentence in sentences {
            vectors.push(sentence.as_flattened());
        }
        vectors
    }

    fn evidence(source: &WordVectors, target: &WordVectors) -> VectorEvidence {
        let parallelism = Parallelism::new(2).unwrap();
        VectorEvidence::new(source, target, Work { parallelism: &parallelism, observer: &Silent }).unwrap()
    }

    const X: [f32; 3] = [2.0, 0.0, 0.0];
    const Y: [f32; 3] = [0.0, 2.0, 0.0];
    const Z: [f32; 3] = [-2.0, -2.0, 0.0];

    /// The only sentence of a text is its mean; what rounding leaves of it says nothing.
    #[test]
    fn sentences_like_all_others_say_nothing() {
        let words = [[0.1, 0.7, -0.3], [0.3, -0.2, 0.9], [1.1, 0.4, 0.6]];
        let found = evidence(&vectors(&[&words]), &vectors(&[&[X], &[Y], &words]));
        assert!((0..3).all(|target| found.score(0..1, target..target + 1).is_nan()));
    }

    /// The words of each side add up to nothing, so centering changes nothing: cosines are those of the vectors.
    #[test]
    fn scores_are_margins() {
        let text = vectors(&[&[X], &[Y], &[Z]]);
        let found = evidence(&text, &text);
        let half = 0.5f64.sqrt();
        // Of each sentence the cosines with all three, the mean of which is its hub.
        let hubs = [(1.0 - half) / 3.0, (1.0 - half) / 3.0, (1.0 - 2.0 * half) / 3.0];
        let cosines = [[1.0, 0.0, -half], [0.0, 1.0, -half], [-half, -half, 1.0]];
        for (source, row) in cosines.iter().enumerate() {
            for (target, cosine) in row.iter().enumerate() {
                let expected = cosine - f64::midpoint(hubs[source], hubs[target]);
                let score = found.score(source..source + 1, target..target + 1);
                assert!((score - expected).abs() < 1e-6, "{source} {target}");
            }
        }
    }

    #[test]
    fn groups_are_as_one_sentence() {
        let apart = vectors(&[&[X, Y], &[Y], &[Z, Z], &[X]]);
        let joined = vectors(&[&[X, Y, Y], &[Z, Z, X]]);
        let found = evidence(&apart, &joined);
        let margin = |source: Range<usize>, target: usize| {
            let hubs = f32::midpoint(found.sides[0].hub(&source), found.sides[1].hub(&(target..target + 1)));
            found.score(source, target..target + 1) + f64::from(hubs)
        };
        assert!((margin(0..2, 0) - 1.0).abs() < 1e-6 && (margin(2..4, 1) - 1.0).abs() < 1e-6);
        assert!(margin(0..1, 0) < 0.999 && margin(0..3, 0) < 0.999);
    }

    #[test]
    fn the_nearest_are_proposed_and_what_is_empty_says_nothing() {
        let source = vectors(&[&[X], &[Y], &[], &[Z]]);
        let target = vectors(&[&[Y], &[Z], &[X]]);
        let found = evidence(&source, &target);
        assert!(found.score(2..3, 0..1).is_nan());
        let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
        let mut pairs: Vec<_> = found.candidates(work).unwrap().unwrap().iter().map(|c| (c.source, c.target)).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 2), (1, 0), (3, 1)]);
    }
}
