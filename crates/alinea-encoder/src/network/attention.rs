//! Self-attention: each piece of a sentence takes the values of all pieces, weighted by how well their keys fit its query.

use super::functions::exp;
use crate::numeric::simd::{Kernel, LANES, sum};

/// Keys and values of one head of one sentence.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// A row for each dimension, with the keys of all pieces.
    keys: Vec<f32>,
    /// A row for each piece.
    values: Vec<f32>,
    /// How much each piece counts for one query.
    weights: Vec<f32>,
}

/// The attention of sentences, all heads.
pub(super) struct Attention<'a> {
    /// Query, key and value of each piece, of `width` each.
    pub(super) attended: &'a [f32],
    /// How many pieces each sentence has.
    pub(super) lengths: &'a [usize],
    pub(super) width: usize,
    pub(super) heads: usize,
    /// Receives what each piece takes, `width` for each.
    pub(super) context: &'a mut [f32],
    pub(super) buffers: &'a mut Buffers,
}

impl Kernel for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { attended, lengths, width, heads, context, buffers } = self;
        let mut start = 0;
        for &length in lengths {
            let attended = &attended[start * 3 * width..][..length * 3 * width];
            let context = &mut context[start * width..][..length * width];
            for head in 0..heads {
                of_head(attended, head * (width / heads), [width, width / heads], context, buffers);
            }
            start += length;
        }
    }
}

/// One head, whose numbers begin at `from` in each row of queries, keys and values.
#[inline(always)]
fn of_head(attended: &[f32], from: usize, [width, of_head]: [usize; 2], context: &mut [f32], buffers: &mut Buffers) {
    let Buffers { keys, values, weights } = buffers;
    let length = context.len() / width;
    let padded = length.next_multiple_of(LANES);
    let scale = 1.0 / (of_head as f32).sqrt();
    keys.clear();
    keys.resize(of_head * padded, 0.0);
    values.clear();
    for (piece, row) in attended.chunks_exact(3 * width).enumerate() {
        let key = &row[width + from..][..of_head];
        key.iter().enumerate().for_each(|(n, &key)| keys[n * padded + piece] = key);
        values.extend_from_slice(&row[2 * width + from..][..of_head]);
    }
    weights.clear();
    weights.resize(padded, 0.0);
    for (row, context) in attended.chunks_exact(3 * width).zip(context.chunks_exact_mut(width)) {
        let query = &row[from..][..of_head];
        for (weights, block) in weights.as_chunks_mut::<LANES>().0.iter_mut().zip(0..) {
            let mut sums = [0f32; LANES];
            for (&query, keys) in query.iter().zip(keys.chunks_exact(padded)) {
                let keys = &keys.as_chunks::<LANES>().0[block];
                for lane in 0..LANES {
                    sums[lane] += query * keys[lane];
                }
            }
            *weights = sums;
        }
        let weights = &mut weights[..length];
        let greatest = weights.iter().fold(f32::NEG_INFINITY, |greatest, &w| if w > greatest { w } else { greatest });
        for weight in weights.iter_mut() {
            *weight = exp((*weight - greatest) * scale);
        }
        let inverse = 1.0 / sum(weights);
        let context = &mut context[from..][..of_head];
        let (wide, rest) = context.as_chunks_mut::<{ 4 * LANES }>();
        let after = wide.len() * 4 * LANES;
        for (n, context) in wide.iter_mut().enumerate() {
            *context = mean(weights, inverse, values, [n * 4 * LANES, of_head]);
        }
        for (n, context) in rest.iter_mut().enumerate() {
            let [value] = mean(weights, inverse, values, [after + n, of_head]);
            *context = value;
        }
    }
}

/// The weighted mean of some values of all pieces: `N` from place `from` on, in rows of a length.
#[inline(always)]
fn mean<const N: usize>(weights: &[f32], inverse: f32, values: &[f32], [from, row]: [usize; 2]) -> [f32; N] {
    let mut sums = [0f32; N];
    for (&weight, values) in weights.iter().zip(values.chunks_exact(row)) {
        if let Some(values) = values[from..].first_chunk::<N>() {
            for n in 0..N {
                sums[n] += weight * values[n];
            }
        }
    }
    sums.map(|sum| sum * inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::simd::dispatch;

    /// As the formula at the head of `network` says, in double precision.
    fn direct(attended: &[f32], width: usize, heads: usize) -> Vec<f64> {
        let d = width / heads;
        let at = |piece: usize, part: usize, n: usize| f64::from(attended[(piece * 3 + part) * width + n]);
        let length = attended.len() / (3 * width);
        let mut context = vec![0.0; length * width];
        for head in 0..heads {
            for piece in 0..length {
                let score = |other| (head * d..(head + 1) * d).map(|n| at(piece, 0, n) * at(other, 1, n)).sum::<f64>();
                let weights: Vec<f64> = (0..length).map(|other| (score(other) / (d as f64).sqrt()).exp()).collect();
                for n in head * d..(head + 1) * d {
                    let sum: f64 = (0..length).map(|other| weights[other] * at(other, 2, n)).sum();
                    context[piece * width + n] = sum / weights.iter().sum::<f64>();
                }
            }
        }
        context
    }

    #[test]
    fn sentences_attend_to_themselves() {
        let (width, heads) = (12, 3);
        let attended: Vec<f32> = (0..11 * 3 * width).map(|n| ((n * 37 + n * n) % 101) as f32 / 50.0 - 1.0).collect();
        let lengths = [2, 9];
        let mut context = vec![0.0; 11 * width];
        let mut buffers = Buffers::default();
        dispatch(Attention {
            attended: &attended,
            lengths: &lengths,
            width,
            heads,
            context: &mut context,
            buffers: &mut buffers,
        });
        let (first, second) = attended.split_at(2 * 3 * width);
        let expected = [direct(first, width, heads), direct(second, width, heads)].concat();
        for (found, expected) in context.iter().zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 1e-5, "{found} {expected}");
        }
    }
}
