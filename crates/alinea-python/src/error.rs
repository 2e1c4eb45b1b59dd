//! The library's errors as Python exceptions.
//!
//! The exceptions are written in Python, `alinea._errors`, where their attributes are typed and documented. A file
//! that cannot be read is an `OSError` of the kind Python itself would raise.

use alinea::error::{Error, ErrorKind, Hint, system_message};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;

mod python {
    pyo3::import_exception!(alinea._errors, Error);
    pyo3::import_exception!(alinea._errors, ParseError);
    pyo3::import_exception!(alinea._errors, ConfigError);
}

/// The exception that says the same.
pub(crate) fn to_python(error: Error) -> PyErr {
    let hint = advice(&error).map_or_else(String::new, |advice| format!("; {advice}"));
    let message = format!("{error}{hint}");
    if let Some(position) = error.position() {
        return python::ParseError::new_err((message, position.path.clone(), position.line, position.column));
    }
    match error.into_kind() {
        ErrorKind::Io { path, source } => match source.raw_os_error() {
            // Given the number, Python chooses FileNotFoundError and so on. Windows has its own numbers, in the last place.
            Some(number) => PyOSError::new_err((number, system_message(&source), path, number)),
            None => std::io::Error::new(source.kind(), message).into(),
        },
        ErrorKind::Config { field, value, allowed } => python::ConfigError::new_err((message, field, value, allowed)),
        ErrorKind::Unsupported { option, models, model } => {
            // No keyword asks for this one: the function does.
            let (asked, field) = if option == "model_file" { ("train", "model") } else { (option, option) };
            let message = format!("{asked} is for the models {models}, not for {model}");
            python::ConfigError::new_err((message, field, model, models))
        }
        ErrorKind::Cancelled => PyKeyboardInterrupt::new_err(()),
        _ => python::Error::new_err(message),
    }
}

/// What to do about an error, in the words of this package.
fn advice(error: &Error) -> Option<String> {
    let text = match error.hint()? {
        Hint::CountsFromOne => "do positions count from 1 (base=1)?",
        Hint::CountsFromZero => "do positions count from 0 (base=0)?",
        Hint::SidesSwapped => "are source and target swapped?",
        Hint::LineTooLong { .. } => "set max_length to allow more",
        Hint::SeveralRoots => "several_roots=True reads trees with several roots",
        Hint::OtherCheckpoint => "delete the file, or give another one, to train from scratch",
        Hint::OtherProject => {
            "without source and target the project is opened as it is; another folder takes another text"
        }
        Hint::FewerThreads => "fewer threads need less memory: threads=1",
        Hint::Decompress(command) => return Some(format!("decompress it first: {command}")),
        Hint::SaveAsUtf8 => "save it as UTF-8",
        Hint::ReadPairs => "alinea.read_bitext reads its sentence pairs",
        Hint::ChooseLanguages => "choose two: languages=(\"en\", \"fr\")",
        Hint::ReplaceCharacters => "replace such characters: replace=\"?\"",
        Hint::ChooseFields => "choose two: fields=(\"src\", \"tgt\")",
        Hint::WordsOfTrees => "this needs the words of its sentences (column 2)",
        Hint::FetchEncoder => {
            let ErrorKind::Encoder { name: Some(name), .. } = error.kind() else { return None };
            return Some(format!("fetch it first: hf download {name} config.json tokenizer.json model.safetensors"));
        }
        _ => return None,
    };
    Some(text.to_owned())
}
