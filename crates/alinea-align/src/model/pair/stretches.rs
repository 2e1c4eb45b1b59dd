//! The results for a long sentence pair, stretch by stretch.
//!
//! A pair with a side of more than 256 words is cut into stretches, and each is computed as a pair of its own. The
//! buffers of the worker serve the next stretch, so the posteriors and log-likelihoods of each stretch are copied here,
//! with its start and end on both sides, in buffers that serve the next pair. `find` locates the stretch of a link by
//! binary search over the ends on the source side; a link between different stretches has posterior 0. The log-likelihood of
//! the pair is the sum over its stretches, as if each had been generated independently.
//!
//! Other confidences, which are put in place of the posteriors of a pair, have the same form: the pair is then one stretch,
//! if it is not long.

use crate::alignment::Link;
use crate::bitext::SentencePair;
use crate::model::pair::rows::{Logs, Rows};
use crate::numeric::simd::padded;

/// Posteriors and log-likelihoods of the stretches of one pair after another, in order. Between words of different stretches
/// there are no links.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stretches {
    parts: Vec<Part>,
    /// How many of the parts are of the pair; the others are buffers.
    used: usize,
}

/// The posteriors of one stretch, forward and reverse.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct Part {
    /// Where it starts and ends on both sides.
    start: [u32; 2],
    end: [u32; 2],
    posteriors: [Vec<f32>; 2],
    strides: [usize; 2],
    logs: Logs,
}

impl Stretches {
    /// Begins another pair.
    pub(in crate::model) fn clear(&mut self) {
        self.used = 0;
    }

    /// Adds what was found for the stretch that starts here.
    pub(in crate::model) fn push(
        &mut self,
        start: [u32; 2],
        stretch: SentencePair<'_>,
        rows: [Rows<'_>; 2],
        logs: Logs,
    ) {
        let part = self.next_part(start, stretch.lengths());
        for (posteriors, rows) in part.posteriors.iter_mut().zip(rows) {
            posteriors.clear();
            posteriors.extend_from_slice(rows.posterior);
        }
        part.strides = rows.map(|rows| rows.stride);
        part.logs = logs;
    }

    /// Adds the confidences of the cells of a stretch that starts here, those of the first source word first. Of the stretch as a
    /// whole nothing is known.
    pub(in crate::model) fn push_confidences(
        &mut self,
        start: [u32; 2],
        lengths @ [sources, targets]: [usize; 2],
        confidences: &[f32],
    ) {
        let part = self.next_part(start, lengths);
        part.strides = [padded(sources), padded(targets)];
        part.logs = Logs::default();
        let ([forward_stride, reverse_stride], [forward, reverse]) = (part.strides, &mut part.posteriors);
        for (rows, size) in [(&mut *forward, targets * forward_stride), (&mut *reverse, sources * reverse_stride)] {
            rows.clear();
            rows.resize(size, 0.0);
        }
        for (source, row) in confidences.chunks_exact(targets).enumerate() {
            reverse[source * reverse_stride..][..targets].copy_from_slice(row);
            for (target, &confidence) in row.iter().enumerate() {
                forward[target * forward_stride + source] = confidence;
            }
        }
    }

    /// The part for the stretch that starts here and has so many words, with what was in its buffers.
    fn next_part(&mut self, start: [u32; 2], [sources, targets]: [usize; 2]) -> &mut Part {
        if self.used == self.parts.len() {
            self.parts.push(Part::default());
        }
        let part = &mut self.parts[self.used];
        self.used += 1;
        part.start = start;
        part.end = [start[0] + sources as u32, start[1] + targets as u32];
        part
    }

    /// The stretches so far.
    pub(in crate::model) fn parts(&self) -> &[Part] {
        &self.parts[..self.used]
    }

    /// What is known of the pair as a whole.
    pub(in crate::model) fn logs(&self) -> Logs {
        self.parts().iter().map(|part| part.logs).sum()
    }
}

impl Part {
    /// Where it starts, and how many words it has, on both sides.
    pub(in crate::model) fn start_and_lengths(&self) -> ([u32; 2], [usize; 2]) {
        (self.start, [0, 1].map(|side| (self.end[side] - self.start[side]) as usize))
    }

    /// The posteriors, forward and reverse.
    pub(in crate::model) fn rows(&self) -> [Rows<'_>; 2] {
        [0, 1].map(|direction| Rows { posterior: &self.posteriors[direction], stride: self.strides[direction] })
    }
}

/// The stretch that both words of a link are in, and their places in it.
pub(in crate::model) fn find(parts: &[Part], link: Link) -> Option<(&Part, Link)> {
    let part = parts.get(parts.partition_point(|part| part.end[0] <= link.source))?;
    (part.start[1]..part.end[1])
        .contains(&link.target)
        .then(|| (part, Link::new(link.source - part.start[0], link.target - part.start[1])))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are only moved")]
mod tests {
    use super::*;

    #[test]
    fn confidences_lie_where_posteriors_do() {
        let mut rows = Stretches::default();
        // A greater pair first, so that something is left in the buffers.
        for (sources, targets) in [(9, 17), (2, 3)] {
            rows.clear();
            for start in [[0, 0], [sources, targets]] {
                let confidences: Vec<f32> = (0..sources * targets).map(|n| (n + start[0]) as f32 / 512.0).collect();
                rows.push_confidences(start, [sources as usize, targets as usize], &confidences);
            }
            let parts = rows.parts();
            assert_eq!(parts.len(), 2);
            for (s, t) in (0..2 * sources).flat_map(|s| (0..2 * targets).map(move |t| (s, t))) {
                let Some((part, link)) = find(parts, Link::new(s, t)) else {
                    assert_ne!(s < sources, t < targets);
                    continue;
                };
                let [forward, reverse] = part.rows();
                let expected = (link.source * targets + link.target + part.start[0]) as f32 / 512.0;
                assert_eq!(forward.of_cell(link.target, link.source), expected);
                assert_eq!(reverse.of_cell(link.source, link.target), expected);
            }
            let mut visited = 0;
            let [forward, _] = parts[0].rows();
            forward.for_each_above(-1.0, sources as usize, |_, _| visited += 1);
            assert_eq!(visited, sources * targets);
        }
    }
}
