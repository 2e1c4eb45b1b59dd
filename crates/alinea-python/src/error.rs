//! The library's errors as Python exceptions.
//!
//! The exceptions are written in Python, `alinea._errors`, where their attributes are typed and documented. A file
//! that cannot be read is an `OSError` of the kind Python itself would raise.

use alinea::error::{Error, ErrorKind, Position};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;

mod python {
    pyo3::import_exception!(alinea._errors, Error);
    pyo3::import_exception!(alinea._errors, ParseError);
    pyo3::import_exception!(alinea._errors, ConfigError);
}

/// The exception that says the same.
pub(crate) fn to_python(error: Error) -> PyErr {
    let message = error.to_string();
    if let Some(position) = error.position() {
        return python::ParseError::new_err((message, position.path.clone(), position.line, position.column));
    }
    match error.into_kind() {
        ErrorKind::Io { path, source } => match source.raw_os_error() {
            // Given the number, Python chooses FileNotFoundError and so on.
            Some(number) => PyOSError::new_err((number, strip_number(&source), path)),
            None => std::io::Error::new(source.kind(), message).into(),
        },
        ErrorKind::Config { field, value, allowed } => python::ConfigError::new_err((message, field, value, allowed)),
        ErrorKind::Unsupported { option, models, model } => {
            // What has another name here.
            let option = if option == "model_file" { "path" } else { option };
            let message = format!("{option} is for the models {models}, not for {model}");
            python::ConfigError::new_err((message, option, model, models))
        }
        ErrorKind::Cancelled => PyKeyboardInterrupt::new_err(()),
        _ => python::Error::new_err(message),
    }
}

/// The same error in line `line` of `path`, for the kind that tells of one line in memory.
pub(crate) fn relocated(error: Error, path: &str, line: u64) -> Error {
    match error.into_kind() {
        ErrorKind::Parse { position, expected, found } => {
            let position = Position::new(path, line, position.column);
            ErrorKind::Parse { position, expected, found }.into()
        }
        ErrorKind::SecondRoot { position, expected, found } => {
            let position = Position::new(path, line, position.column);
            ErrorKind::SecondRoot { position, expected, found }.into()
        }
        kind => kind.into(),
    }
}

/// What the operating system says, without the number that Python shows in front.
fn strip_number(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.as_str(), |(message, _)| message).to_owned()
}
