//! Arrow export: arrays of the package as list columns for pyarrow, polars, pandas and others.
//!
//! A column of links or phrases is a `LargeList` of structures of `uint32`, with one field for each column of the
//! array; numbers for each sentence pair are a `LargeList` of numbers. Both are returned as the pair of capsules that
//! `__arrow_c_array__` must return (the Arrow PyCapsule interface); the consumer releases them. Numpy arrays are
//! copied, since Arrow keeps each field in a buffer of its own, and every array is validated when it is built. The name of
//! a column, if it has one, is that of its type.

use std::sync::Arc;

use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Lends a column of lists of structures: the rows of many sentence pairs, whose fields have these names, and where those
/// of each pair begin. The capsules are those of `__arrow_c_array__`.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn export_arrow<'py>(
    py: Python<'py>,
    offsets: PyReadonlyArray1<'py, i64>,
    rows: PyReadonlyArray2<'py, u32>,
    fields: Vec<String>,
    name: Option<&str>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (offsets, rows) = (offsets.as_array(), rows.as_array());
    let columns = rows.columns().into_iter().map(|column| column.iter().copied().collect()).collect();
    let data = structures(columns, &fields).and_then(|items| lists(offsets.iter().copied().collect(), items));
    lend(py, data, name)
}

/// Lends a column of lists of numbers, and where those of each list begin.
pub(crate) fn lend_lists<'py, T: ArrowNativeType>(
    py: Python<'py>,
    offsets: Vec<i64>,
    kind: DataType,
    numbers: Vec<T>,
    name: Option<&str>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let items = ArrayData::builder(kind).len(numbers.len()).add_buffer(Buffer::from_vec(numbers)).build();
    lend(py, items.and_then(|items| lists(offsets, items)), name)
}

/// The capsules of a column.
fn lend<'py>(
    py: Python<'py>,
    data: Result<ArrayData, ArrowError>,
    name: Option<&str>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let lent = data.and_then(|data| {
        let schema = FFI_ArrowSchema::try_from(data.data_type())?;
        let schema = match name {
            Some(name) => schema.with_name(name)?,
            None => schema,
        };
        Ok((schema, FFI_ArrowArray::new(&data)))
    });
    let (schema, array) = lent.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((PyCapsule::new_with_value(py, schema, c"arrow_schema")?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
}

/// Structures of numbers, checked.
fn structures(columns: Vec<Vec<u32>>, names: &[String]) -> Result<ArrayData, ArrowError> {
    let rows = columns.first().map_or(0, Vec::len);
    let fields: Fields = names.iter().map(|name| Field::new(name, DataType::UInt32, false)).collect();
    let numbers = |numbers: Vec<u32>| {
        ArrayData::builder(DataType::UInt32).len(rows).add_buffer(Buffer::from_vec(numbers)).build()
    };
    let columns = columns.into_iter().map(numbers).collect::<Result<_, _>>()?;
    ArrayData::builder(DataType::Struct(fields)).len(rows).child_data(columns).build()
}

/// Lists of items, checked.
fn lists(offsets: Vec<i64>, items: ArrayData) -> Result<ArrayData, ArrowError> {
    let field = Arc::new(Field::new_list_field(items.data_type().clone(), false));
    let lists = ArrayData::builder(DataType::LargeList(field)).len(offsets.len().saturating_sub(1));
    lists.add_buffer(Buffer::from_vec(offsets)).add_child_data(items).build()
}
