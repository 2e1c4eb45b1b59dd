//! The names of annotators, which are names of files, too.

use unicode_normalization::UnicodeNormalization as _;

use crate::error::{Error, Result};

/// The longest name, in characters.
const LONGEST: usize = 40;

/// A name as it is kept: accented letters are one character (NFC), as people may type them, and not two, as file systems may have them.
pub(super) fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Refuses a name that is not allowed, or that is one of others but for case.
///
/// # Errors
/// `Config`.
pub(super) fn check<'o>(name: &str, mut others: impl Iterator<Item = &'o str>) -> Result<()> {
    let is_allowed = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let length = name.chars().count();
    if length == 0 || length > LONGEST || name.starts_with('.') || !name.chars().all(is_allowed) {
        return Err(Error::config("annotator", name, "up to 40 letters, digits, -, _ and ., not beginning with ."));
    }
    if is_device(name) || others.any(|other| other.to_lowercase() == name.to_lowercase()) {
        let allowed = "a name of its own, also in lower case, and no device of Windows";
        return Err(Error::config("annotator", name, allowed));
    }
    Ok(())
}

/// Whether Windows takes a name for that of a device, whatever follows after a point.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| matches!(rest.as_bytes(), [digit] if digit.is_ascii_digit()))
    };
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}
