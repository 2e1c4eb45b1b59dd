//! Headers of the files that models and counts are in: a format of its own, of a version.

use crate::error::Result;
use crate::storage::Container;

/// The header of a file that describes something, in a format of its own, of a version.
///
/// # Errors
/// `Model` if it has another format or version.
pub(super) fn read(file: &Container, (what, format, version): (&str, &str, u32)) -> Result<serde_json::Value> {
    let bad = |error: serde_json::Error| file.error(format!("a header that describes {what}"), error.to_string());
    let header: serde_json::Value = serde_json::from_str(file.text()).map_err(bad)?;
    if header.get("format").and_then(serde_json::Value::as_str) != Some(format) {
        return Err(file.error(format!("format `{format}`"), "another".to_owned()));
    }
    let found = header.get("version").and_then(serde_json::Value::as_u64);
    if found != Some(u64::from(version)) {
        let program = header.get("program").and_then(serde_json::Value::as_str).unwrap_or("another program");
        let found = found.map_or_else(|| "none".to_owned(), |found| found.to_string());
        let expected = format!("{what} of version {version} (this is alinea {})", env!("CARGO_PKG_VERSION"));
        return Err(file.error(expected, format!("version {found}, written by alinea {program}")));
    }
    Ok(header)
}
