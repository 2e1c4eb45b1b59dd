//! The statistics of all segments of a system: a row of numbers each, whose sums give the score of any set of segments.
//!
//! A [`Metric`] reduces each segment to `width` numbers. [`Statistics`] keeps those of one system in rows. The score of
//! a text, a segment or a bootstrap sample is that of the sum of its rows. Rows are added from first to last, so that
//! sums are always the same to the bit. The last [`Metric::of_last`] numbers of a row are not added: those of the last
//! row stand for all, as in some of NLTK's scores of corpora.
//!
//! [`measure`] counts all segments of all systems. It cuts them into chunks of 64, whatever the number of threads; each
//! thread has a [`Measurer`] with its own buffers, and the chunks are put back in order. The references of a segment
//! are read once for all systems.

use std::ops::Range;

use super::{Measurer, Metric, Segments};
use crate::error::{Error, Result};
use crate::parallel::{Parallelism, chunk_range};

/// Segments that a thread counts at a time.
const SEGMENTS_PER_CHUNK: usize = 64;

/// A row of numbers for each segment.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    width: usize,
    /// Numbers at the end of a row that are not added.
    of_last: usize,
    values: Vec<f64>,
}

impl Statistics {
    /// No segments yet; a row has `width` numbers, at least one.
    ///
    /// # Panics
    /// If the width is 0.
    pub fn new(width: usize) -> Self {
        assert!(width > 0, "a row has numbers");
        Self { width, of_last: 0, values: Vec::new() }
    }

    /// No segments yet, for the rows of a metric.
    pub fn of(metric: &dyn Metric) -> Self {
        Self { of_last: metric.of_last(), ..Self::new(metric.width()) }
    }

    /// Numbers of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds segments: whole rows, one after another.
    ///
    /// # Panics
    /// If these are no whole rows.
    pub fn extend_from_slice(&mut self, rows: &[f64]) {
        assert_eq!(rows.len() % self.width, 0, "whole rows");
        self.values.extend_from_slice(rows);
    }

    /// All numbers, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The rows.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.width)
    }

    /// Numbers at the end of a row of which the last row's stand for all; see [`Metric::of_last`].
    pub fn of_last(&self) -> usize {
        self.of_last
    }

    /// The sum of each column, added from first to last.
    pub fn sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        self.rows().for_each(|row| self.add(&mut sums, row));
        sums
    }

    /// Adds a row to sums of rows before it.
    pub fn add(&self, sums: &mut [f64], row: &[f64]) {
        let added = self.width - self.of_last;
        sums.iter_mut().zip(&row[..added]).for_each(|(sum, value)| *sum += value);
        sums[added..].copy_from_slice(&row[added..]);
    }
}

/// Counts some segments, in the order of systems: the rows of the first system, then those of the second, and so on. The
/// measurer is one of the metric.
///
/// # Errors
/// As [`Measurer::measure`]; what is over a limit is told by the [number](Segments::number) of the segment.
///
/// # Panics
/// If there are fewer segments.
pub fn measure_range(
    metric: &dyn Metric,
    measurer: &mut dyn Measurer,
    segments: &Segments,
    range: Range<usize>,
) -> Result<Vec<f64>> {
    let width = metric.width();
    let mut rows = vec![0.0; range.len() * width * segments.systems()];
    let mut references = Vec::new();
    for (place, segment) in range.clone().enumerate() {
        references.clear();
        references.extend(segments.references(segment));
        let at = |error: Error| error.at(format_args!("segment {}", segments.number(segment)));
        measurer.read_references(&references).map_err(at)?;
        for system in 0..segments.systems() {
            let start = (system * range.len() + place) * width;
            measurer.measure(segments.hypothesis(segment, system), &mut rows[start..start + width]).map_err(at)?;
        }
    }
    Ok(rows)
}

/// Counts all segments, for each system.
///
/// # Errors
/// As [`measure_range`].
pub fn measure(metric: &dyn Metric, segments: &Segments, parallelism: &Parallelism) -> Result<Vec<Statistics>> {
    let systems = segments.systems();
    let chunks = segments.len().div_ceil(SEGMENTS_PER_CHUNK);
    let workers = parallelism.fold(
        chunks,
        || (metric.measurer(), Vec::new()),
        |(measurer, counted), chunk| {
            let range = chunk_range(segments.len(), SEGMENTS_PER_CHUNK, chunk);
            let rows = measure_range(metric, &mut **measurer, segments, range)?;
            counted.push((chunk, rows));
            Ok(())
        },
    )?;
    let mut counted: Vec<(usize, Vec<f64>)> = workers.into_iter().flat_map(|(_, counted)| counted).collect();
    counted.sort_unstable_by_key(|&(chunk, _)| chunk);
    let mut all = vec![Statistics::of(metric); systems];
    for (_, rows) in counted {
        let each = rows.len() / systems.max(1);
        for (system, statistics) in all.iter_mut().enumerate() {
            statistics.extend_from_slice(&rows[system * each..(system + 1) * each]);
        }
    }
    Ok(all)
}
