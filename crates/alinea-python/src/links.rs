//! Arrays of links: numpy, one row a link, the source position and the target position.

use alinea::alignment::{Alignment, GoldAlignment, Link};
use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// An array that goes to Python.
pub(crate) type LinkArray<'py> = Bound<'py, PyArray2<u32>>;

/// An array that came from Python. The façade has made it so; other arrays are a `TypeError`.
pub(crate) type ReadLinks<'py> = PyReadonlyArray2<'py, u32>;

/// The links of one sentence pair. Rows with fewer than two columns are no links.
pub(crate) fn alignment(array: &ReadLinks<'_>) -> Alignment {
    let link = |row: numpy::ndarray::ArrayView1<'_, u32>| Some(Link::new(*row.get(0)?, *row.get(1)?));
    array.as_array().rows().into_iter().filter_map(link).collect()
}

/// The links of many.
pub(crate) fn alignments(arrays: &[ReadLinks<'_>]) -> Vec<Alignment> {
    arrays.iter().map(alignment).collect()
}

/// A new array of one pair's links, in order.
pub(crate) fn array<'py>(py: Python<'py>, alignment: &Alignment) -> PyResult<LinkArray<'py>> {
    let flat: Vec<u32> = alignment.iter().flat_map(|link| [link.source, link.target]).collect();
    let rows = ArrayView2::from_shape((alignment.len(), 2), &flat)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyArray2::from_array(py, &rows))
}

/// New arrays of many pairs' links.
pub(crate) fn arrays<'py>(py: Python<'py>, alignments: &[Alignment]) -> PyResult<Vec<LinkArray<'py>>> {
    alignments.iter().map(|alignment| array(py, alignment)).collect()
}

/// New arrays of the sure and the possible links.
pub(crate) fn gold_arrays<'py>(py: Python<'py>, gold: &GoldAlignment) -> PyResult<(LinkArray<'py>, LinkArray<'py>)> {
    Ok((array(py, gold.sure())?, array(py, gold.possible())?))
}
