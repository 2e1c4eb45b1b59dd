//! A folder that one process has for itself.

use std::fs::{File, OpenOptions};
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

const NAME: &str = ".lock";

/// A folder is one process's as long as this lives; it ends with the process, however that ends.
#[derive(Debug)]
pub(super) struct FolderLock(#[expect(dead_code, reason = "held open")] File);

impl FolderLock {
    /// Takes a folder.
    ///
    /// # Errors
    /// `Io`; `Inconsistent` if another process has it.
    pub(super) fn of(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        match open_alone(&path) {
            Ok(Some(file)) => Ok(Self(file)),
            Ok(None) => {
                let message = format!("{}: another process has this project open", folder.display());
                Err(ErrorKind::Inconsistent(message).into())
            }
            Err(error) => Err(Error::io(path, error)),
        }
    }
}

/// Opens a file that no other process may open as long as it is open; nothing if one has.
#[cfg(unix)]
fn open_alone(path: &Path) -> std::io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(windows)]
fn open_alone(path: &Path) -> std::io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// `ERROR_SHARING_VIOLATION`.
    const SHARED: i32 = 32;
    match OpenOptions::new().write(true).create(true).truncate(false).share_mode(0).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(SHARED) => Ok(None),
        Err(error) => Err(error),
    }
}
