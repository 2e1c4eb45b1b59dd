//! Whether a file that alinea wrote is as it was written.

use std::path::Path;

use serde_json::Value;

use super::Container;
use crate::error::{Error, Result};

/// What was found of a file: a model of alignment or of word order, a checkpoint, or the counts of a part.
///
/// ```
/// use alinea::storage::FileCheck;
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("en-fr.alinea");
/// std::fs::write(&path, b"no model").unwrap();
/// assert!(FileCheck::of(&path).is_err());
/// ```
#[derive(Debug)]
pub struct FileCheck {
    /// What its header says it is, such as `alinea model`; nothing if it does not say.
    pub kind: Option<String>,
    /// How long it is.
    pub bytes: u64,
    /// How many arrays it has.
    pub arrays: usize,
    /// The arrays that are not as they were written; none in a sound file.
    pub damage: Vec<Error>,
}

impl FileCheck {
    /// Reads all of a file, and compares it with the checksums in it. O(bytes).
    ///
    /// # Errors
    /// `Io`; `Model` if its header cannot be read.
    pub fn of(path: &Path) -> Result<Self> {
        let file = Container::open(path)?;
        let header: Value = serde_json::from_str(file.text()).unwrap_or_default();
        let kind = header.get("format").and_then(Value::as_str).map(str::to_owned);
        Ok(Self { kind, bytes: file.bytes(), arrays: file.names().len(), damage: file.check() })
    }
}
