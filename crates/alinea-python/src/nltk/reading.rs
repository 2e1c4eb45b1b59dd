//! Looking up tables that users own: dictionaries in dictionaries, or whatever has keys.

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// The package's own tables, which know what to say of keys that they do not have.
fn probabilities(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "alinea.nltk._tables", "Probabilities")
}

/// A table, or what it has for some of its keys.
#[derive(Clone)]
pub(crate) enum Row<'py> {
    /// Further keys lead on.
    Table(Bound<'py, PyAny>),
    /// Whatever the further keys are, there is nothing but this.
    Default(f64),
    /// A key is missing.
    Missing,
}

impl<'py> Row<'py> {
    /// What it has for one more key. The package's own tables stay as they are: no rows are made in them.
    pub(crate) fn of(&self, key: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Self::Table(table) = self else { return Ok(self.clone()) };
        if table.get_type().is(probabilities(table.py())?) {
            return match table.cast::<PyDict>()?.get_item(key)? {
                Some(found) => Ok(Self::Table(found)),
                None => Ok(Self::Default(table.getattr(pyo3::intern!(table.py(), "default"))?.extract()?)),
            };
        }
        match table.get_item(key) {
            Ok(found) => Ok(Self::Table(found)),
            Err(error) if error.is_instance_of::<PyKeyError>(table.py()) => Ok(Self::Missing),
            Err(error) => Err(error),
        }
    }

    /// The probability that all keys led to; not a number if one is missing.
    pub(crate) fn probability(&self) -> PyResult<f64> {
        match self {
            Self::Table(found) => found.extract(),
            Self::Default(value) => Ok(*value),
            Self::Missing => Ok(f64::NAN),
        }
    }
}

/// The error for a probability that is needed and missing.
pub(crate) fn missing(table: &str, keys: &[Bound<'_, PyAny>]) -> PyErr {
    let keys: Result<Vec<String>, PyErr> = keys.iter().map(|key| Ok(key.repr()?.to_str()?.to_owned())).collect();
    match keys {
        Ok(keys) => PyValueError::new_err(format!("{table} has no probability for {}", keys.join(", "))),
        Err(error) => error,
    }
}
