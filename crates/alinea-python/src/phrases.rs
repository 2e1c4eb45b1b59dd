//! Phrase extraction for Python: `phrases` returns the consistent phrase pairs of a whole text as one column.
//!
//! A row has begin and end of the source span and of the target span, counted from 0, end exclusive; offsets say where
//! the rows of each sentence pair begin. Sentences are extracted in chunks of 256 by several threads, in the order of
//! the text. The algorithm and the definition of consistency are in `alinea::phrase`. Links out of the sentences are an
//! error that names the pair.

use std::num::NonZeroU32;

use alinea::bitext::Bitext;
use alinea::error::{Error, Result};
use alinea::parallel::{Parallelism, chunk_range};
use alinea::phrase::PhraseExtractor;
use alinea::progress::check;
use pyo3::prelude::*;

use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::links::{Column, ReadMany, alignments, rows_column};
use crate::tables::of_pair;
use crate::text::{self, TextOptions};
use crate::work::run;

/// The pairs of a chunk.
const PAIRS_PER_CHUNK: usize = 256;

/// A row of an array: beginning and end of the source phrase and of the target phrase.
type Row = [u32; 4];

/// Extracts the phrase pairs of each sentence pair.
#[pyfunction]
#[pyo3(signature = (source, target, links, *, max_length, threads))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn phrases<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    links: ReadMany<'py>,
    max_length: Option<i64>,
    threads: i64,
) -> PyResult<Column<'py>> {
    let (py, max_length) = (source.py(), max_length.map(longest).transpose().map_err(to_python)?);
    let threads = arguments::threads(threads).map_err(to_python)?;
    let options = TextOptions::AS_IS;
    let [source, target] = text::read_both([source, target], options)?;
    let bitext = Bitext::new(source, target).map_err(to_python)?;
    let links = alignments(&links);
    if links.len() != bitext.len() {
        let lengths = [links.len() as u64, bitext.len() as u64];
        return Err(to_python(Error::unequal_lengths("links", lengths[0], "source", lengths[1])));
    }
    let found = run(py, move |observer| {
        let mut all = Vec::with_capacity(links.len());
        Parallelism::new(threads)?.map_ordered(
            links.len().div_ceil(PAIRS_PER_CHUNK),
            || PhraseExtractor::new(max_length),
            |extractor, chunk| {
                check(observer)?;
                let pairs = chunk_range(links.len(), PAIRS_PER_CHUNK, chunk);
                pairs.map(|n| rows(extractor, &bitext, &links, n)).collect::<Result<Vec<_>>>()
            },
            |rows| {
                all.extend(rows);
                Ok(())
            },
        )?;
        Ok(all)
    })?;
    rows_column(py, found)
}

/// The greatest length of a phrase; none is as long as the greatest number.
fn longest(max_length: i64) -> Result<NonZeroU32> {
    let length = natural("max_length", max_length, 1, "1 or more, or None")?;
    Ok(NonZeroU32::new(u32::try_from(length).unwrap_or(u32::MAX)).unwrap_or(NonZeroU32::MIN))
}

/// The rows of the `n`-th pair.
fn rows(
    extractor: &mut PhraseExtractor,
    bitext: &Bitext,
    links: &[alinea::alignment::Alignment],
    n: usize,
) -> Result<Vec<Row>> {
    let pair = bitext.pair(n);
    let found = extractor.extract(&links[n], pair.source.len(), pair.target.len());
    let found = found.map_err(|error| of_pair(n, error))?;
    let row =
        |pair: &alinea::phrase::PhrasePair| [pair.source.start, pair.source.end, pair.target.start, pair.target.end];
    Ok(found.pairs().iter().map(row).collect())
}
