//! Links between Python and Rust: numpy arrays of `uint32`, one row `[source, target]` a link.
//!
//! Links of a whole text are a column: one array with the rows of all sentence pairs, and `int64` offsets, one more
//! than there are pairs. Input may also be a list with an array for each pair. The Python side has checked shapes and
//! types; since a caller can change an array afterwards, each row is read with bounds checks, and what is out of bounds
//! is left out. Output is always new arrays, sorted by source, then target.
//!
//! `rows_column` and `flat_column` make columns with other numbers of columns, for phrases and for orders.

use alinea::alignment::{Alignment, GoldAlignment, Link, WeightedLink};
use alinea::error::{ErrorKind, Result};
use alinea::project::labels::UNWEIGHTED;
use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// An array that goes to Python.
pub(crate) type LinkArray<'py> = Bound<'py, PyArray2<u32>>;

/// An array that came from Python. The façade has made it so; other arrays are a `TypeError`.
pub(crate) type ReadLinks<'py> = PyReadonlyArray2<'py, u32>;

/// The rows of many sentence pairs in one array, and where those of each begin; the last of these is their number.
pub(crate) type Column<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<u32>>);

/// The links of one sentence pair. Rows with fewer than two columns are no links.
pub(crate) fn alignment(array: &ReadLinks<'_>) -> Alignment {
    let link = |row: numpy::ndarray::ArrayView1<'_, u32>| Some(Link::new(*row.get(0)?, *row.get(1)?));
    array.as_array().rows().into_iter().filter_map(link).collect()
}

/// The links of many pairs that came from Python: a column, or an array for each pair.
#[derive(FromPyObject)]
pub(crate) enum ReadMany<'py> {
    Column(PyReadonlyArray1<'py, i64>, PyReadonlyArray2<'py, u32>),
    #[pyo3(transparent)]
    Arrays(Vec<ReadLinks<'py>>),
}

/// The links of many. The façade has checked a column; of one that was changed since, what is not there is left out.
pub(crate) fn alignments(many: &ReadMany<'_>) -> Vec<Alignment> {
    match many {
        ReadMany::Arrays(arrays) => arrays.iter().map(alignment).collect(),
        ReadMany::Column(offsets, rows) => {
            let (offsets, rows) = (offsets.as_array(), rows.as_array());
            let link = |n: i64| {
                let n = usize::try_from(n).ok()?;
                Some(Link::new(*rows.get([n, 0])?, *rows.get([n, 1])?))
            };
            let pairs = offsets.iter().zip(offsets.iter().skip(1));
            pairs
                .map(|(&start, &end)| (start.max(0)..end.min(rows.nrows() as i64)).filter_map(link).collect())
                .collect()
        }
    }
}

/// The links of one pair, in order.
fn array<'py>(py: Python<'py>, alignment: &Alignment) -> PyResult<LinkArray<'py>> {
    let flat: Vec<u32> = alignment.iter().flat_map(|link| [link.source, link.target]).collect();
    let rows = ArrayView2::from_shape((alignment.len(), 2), &flat)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyArray2::from_array(py, &rows))
}

/// Links of a text with their confidences, which are [`UNWEIGHTED`] without any.
///
/// # Errors
/// `Inconsistent` if there are more or fewer confidences than links.
pub(crate) fn weighted(links: &[Alignment], confidences: Option<Vec<f32>>) -> Result<Vec<Vec<WeightedLink>>> {
    let number = links.iter().map(|links| links.links().len()).sum::<usize>();
    if let Some(given) = confidences.as_ref().filter(|given| given.len() != number) {
        let message = format!("{number} links have {} confidences", given.len());
        return Err(ErrorKind::Inconsistent(message).into());
    }
    let mut weights = confidences.into_iter().flatten();
    let mut weight = |&link: &Link| WeightedLink { link, weight: weights.next().unwrap_or(UNWEIGHTED) };
    Ok(links.iter().map(|links| links.links().iter().map(&mut weight).collect()).collect())
}

/// Refuses what belongs to a text, by name, and does not have as many sentences as its source.
///
/// # Errors
/// `Inconsistent` with both numbers.
pub(crate) fn check_lengths(source: usize, others: &[(&str, usize)]) -> Result<()> {
    match others.iter().find(|(_, length)| *length != source) {
        Some((name, length)) => {
            let message = format!("unequal lengths: source has {source} sentences, {name} has {length}");
            Err(ErrorKind::Inconsistent(message).into())
        }
        None => Ok(()),
    }
}

/// The links of many pairs, in order.
pub(crate) fn column<'py>(py: Python<'py>, alignments: &[Alignment]) -> PyResult<Column<'py>> {
    let links = alignments.iter().map(|alignment| alignment.iter().map(|link| [link.source, link.target]));
    rows_column(py, links)
}

/// Rows of many pairs, all of as many columns.
pub(crate) fn rows_column<const COLUMNS: usize>(
    py: Python<'_>,
    pairs: impl IntoIterator<Item = impl IntoIterator<Item = [u32; COLUMNS]>>,
) -> PyResult<Column<'_>> {
    let (mut offsets, mut flat) = (vec![0], Vec::new());
    for rows in pairs {
        flat.extend(rows.into_iter().flatten());
        offsets.push((flat.len() / COLUMNS) as i64);
    }
    flat_column(py, offsets, flat, COLUMNS)
}

/// The same of numbers that are in place already.
pub(crate) fn flat_column(py: Python<'_>, offsets: Vec<i64>, flat: Vec<u32>, columns: usize) -> PyResult<Column<'_>> {
    let rows = flat.len() / columns;
    Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, flat).reshape([rows, columns])?))
}

/// New arrays of the sure and the possible links.
pub(crate) fn gold_arrays<'py>(py: Python<'py>, gold: &GoldAlignment) -> PyResult<(LinkArray<'py>, LinkArray<'py>)> {
    Ok((array(py, gold.sure())?, array(py, gold.possible())?))
}
