//! The results for a long sentence pair, stretch by stretch.
//!
//! A pair with a side of more than 256 words is cut into stretches, and each is computed as a pair of its own. The
//! buffers of the worker serve the next stretch, so the posteriors and log-likelihoods of each stretch are copied here,
//! with its start and end on both sides. `find` locates the stretch of a link by binary search over the ends on the
//! source side; a link between different stretches has posterior 0. The log-likelihood of the pair is the sum over its
//! stretches, as if each had been generated independently.

use crate::alignment::Link;
use crate::bitext::SentencePair;
use crate::model::pair::rows::{Logs, Rows};

/// Posteriors and log-likelihoods of the stretches of one pair, in order. Between words of different stretches
/// there are no links.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct Stretches {
    parts: Vec<Part>,
}

/// The posteriors of one stretch, forward and reverse.
#[derive(Debug, Clone)]
pub(in crate::model) struct Part {
    /// Where it starts and ends on both sides.
    start: [u32; 2],
    end: [u32; 2],
    posteriors: [Vec<f32>; 2],
    strides: [usize; 2],
    logs: Logs,
}

impl Stretches {
    pub(in crate::model) fn clear(&mut self) {
        self.parts.clear();
    }

    /// Adds what was found for the stretch that starts here.
    pub(in crate::model) fn push(
        &mut self,
        start: [u32; 2],
        stretch: SentencePair<'_>,
        rows: [Rows<'_>; 2],
        logs: Logs,
    ) {
        let end = [start[0] + stretch.source.len() as u32, start[1] + stretch.target.len() as u32];
        let posteriors = rows.map(|rows| rows.posterior.to_vec());
        self.parts.push(Part { start, end, posteriors, strides: rows.map(|rows| rows.stride), logs });
    }

    /// The stretches so far.
    pub(in crate::model) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What is known of the pair as a whole.
    pub(in crate::model) fn logs(&self) -> Logs {
        self.parts.iter().map(|part| part.logs).sum()
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
