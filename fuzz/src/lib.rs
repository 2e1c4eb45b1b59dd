//! What fuzz targets share: inputs from memory, several texts in one input, files for readers that want a path.

pub mod container;
pub mod parts;
pub mod sample;

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use alinea::error::{ErrorKind, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;

/// The name of inputs in messages.
pub const NAME: &str = "<input>";

/// An input as a stream.
pub fn input(bytes: &[u8]) -> Input {
    Input::from_bytes(NAME, bytes)
}

/// An input as lines.
pub fn lines(bytes: &[u8], utf8: Utf8) -> LineReader<&[u8]> {
    LineReader::new(bytes, NAME, utf8)
}

/// A choice, by the first byte of an input, and the rest.
pub fn choice(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(&first, rest)| (usize::from(first), rest))
}

/// Whether a bit of a choice is set.
pub fn bit(choice: usize, bit: u32) -> bool {
    choice >> bit & 1 == 1
}

/// What was read of what was written; nothing if its first bytes are those of another format, which text may have by chance.
///
/// # Panics
/// If it was refused for anything else.
pub fn read_again<T>(read: Result<T>) -> Option<T> {
    match read {
        Err(error) if matches!(error.kind(), ErrorKind::OtherFormat { .. }) => None,
        read => Some(read.expect("what was written is read")),
    }
}

/// A folder of this process, for readers that want a path; in `TMPDIR`.
pub fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("alinea-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        folder
    })
}

/// A file in that folder.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}
