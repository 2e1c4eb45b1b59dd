//! Columns of rows of numbers, for others.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Lends a column of lists of structures: the rows of many sentence pairs, whose columns have these names, and where those
/// of each pair begin. The capsules are those of `__arrow_c_array__`.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn export_arrow<'py>(
    py: Python<'py>,
    offsets: PyReadonlyArray1<'py, i64>,
    rows: PyReadonlyArray2<'py, u32>,
    names: Vec<String>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (offsets, rows) = (offsets.as_array(), rows.as_array());
    let columns = rows.columns().into_iter().map(|column| column.iter().copied().collect()).collect();
    let data = lists(offsets.iter().copied().collect(), columns, &names);
    let lent = data.and_then(|data| {
        let schema = FFI_ArrowSchema::try_from(data.data_type())?;
        Ok((schema, FFI_ArrowArray::new(&data)))
    });
    let (schema, array) = lent.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((PyCapsule::new_with_value(py, schema, c"arrow_schema")?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
}

/// The column, checked.
fn lists(offsets: Vec<i64>, columns: Vec<Vec<u32>>, names: &[String]) -> Result<ArrayData, ArrowError> {
    let (pairs, rows) = (offsets.len().saturating_sub(1), columns.first().map_or(0, Vec::len));
    let fields: Fields = names.iter().map(|name| Field::new(name, DataType::UInt32, false)).collect();
    let numbers = |numbers: Vec<u32>| {
        ArrayData::builder(DataType::UInt32).len(rows).add_buffer(Buffer::from_vec(numbers)).build()
    };
    let columns = columns.into_iter().map(numbers).collect::<Result<_, _>>()?;
    let structures = ArrayData::builder(DataType::Struct(fields.clone())).len(rows).child_data(columns).build()?;
    let items = Arc::new(Field::new_list_field(DataType::Struct(fields), false));
    let lists = ArrayData::builder(DataType::LargeList(items)).len(pairs);
    lists.add_buffer(Buffer::from_vec(offsets)).add_child_data(structures).build()
}
