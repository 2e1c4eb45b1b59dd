//! Where the path of an output leads, behind `-` and all symbolic links.
//!
//! `Place::of` follows links one by one, 40 at most as on Linux, and ends at one of three kinds of places. A descriptor
//! of this process (`-`, `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`) is written to as it is, from its current
//! position: opening the path would open the file anew, at its beginning. A stream is a device, a pipe or a
//! descriptor of another process, and is opened for appending. A regular file, or a free name in an existing directory,
//! is replaced in the end by a temporary file (`staged`).
//!
//! An `Identity` tells whether two outputs would overwrite each other. On Unix that of a file is its device and inode,
//! so hard links are the same file; otherwise it is the path, canonicalized if it exists.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::super::source::is_dash;

/// So many symbolic links are followed, as on Linux.
const MOST_LINKS: usize = 40;

/// The descriptor of standard output.
pub(super) const STDOUT: u32 = 1;

/// What is behind a path and all its symbolic links.
#[derive(Debug)]
pub(super) enum Place {
    /// A descriptor that this process has open, as `/dev/stdout` and `/dev/fd/3` are. It may be that of a file, which
    /// others write to as well: so it is written to as it is.
    Descriptor(u32),
    /// A device, a pipe, a descriptor of another process.
    Stream(PathBuf),
    /// A regular file, or a name that is free, in a directory that exists.
    File(PathBuf, Option<fs::Metadata>),
}

/// What two places have in common if writing to the one changes what is in the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Identity {
    /// Device and number: one file, whatever its names.
    #[cfg(unix)]
    Node(u64, u64),
    Path(PathBuf),
    Descriptor(u32),
}

impl Place {
    /// Follows a path; `-` is standard output.
    ///
    /// # Errors
    /// If nothing can be written there: a directory, or a name in a directory that does not exist.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        if is_dash(path) {
            return Ok(Self::Descriptor(STDOUT));
        }
        let mut at = path.to_path_buf();
        for _ in 0..MOST_LINKS {
            if let Some(place) = Self::of_descriptor(&at) {
                return Ok(place);
            }
            match at.read_link() {
                Ok(link) => at = directory_of(&at).join(link),
                Err(_) => return Self::of_last(&at),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }

    /// A path such as `/proc/self/fd/3`, or `/dev/fd/3`. Opening it would open the file anew, at its beginning.
    fn of_descriptor(path: &Path) -> Option<Self> {
        let number = path.file_name()?.to_str()?.parse().ok()?;
        let directory = directory_of(path).canonicalize().ok()?;
        if directory == Path::new("/dev/fd") {
            return Some(Self::Descriptor(number));
        }
        if !(directory.starts_with("/proc") && directory.ends_with("fd")) {
            return None;
        }
        let own = fs::canonicalize("/proc/self").is_ok_and(|own| directory.starts_with(own));
        Some(if own { Self::Descriptor(number) } else { Self::Stream(path.to_path_buf()) })
    }

    /// A path that is no symbolic link.
    fn of_last(path: &Path) -> io::Result<Self> {
        if path.as_os_str().is_empty() {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let directory = directory_of(path);
        let place = directory.canonicalize().map_err(|error| named_error(&directory, &error))?.join(name);
        if !directory.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        match fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            _ if path.as_os_str().as_encoded_bytes().ends_with(b"/") => Err(io::ErrorKind::NotADirectory.into()),
            Ok(metadata) if metadata.is_file() => Ok(Self::File(place, Some(metadata))),
            Ok(_) => Ok(Self::Stream(place)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::File(place, None)),
            Err(error) => Err(error.kind().into()),
        }
    }

    /// What makes it the same as others; nothing for what has no content of its own, such as `/dev/null`.
    pub(super) fn identity(&self) -> Option<Identity> {
        match self {
            Self::Descriptor(number) => match fs::metadata(path_of_descriptor(*number)) {
                Ok(metadata) if metadata.is_file() => {
                    Some(Identity::of_file(&path_of_descriptor(*number), Some(&metadata)))
                }
                _ => Some(Identity::Descriptor(*number)),
            },
            Self::Stream(_) => None,
            Self::File(path, metadata) => Some(Identity::of_file(path, metadata.as_ref())),
        }
    }
}

impl Identity {
    /// Of a path without symbolic links, and of what is there.
    pub(super) fn of_file(path: &Path, metadata: Option<&fs::Metadata>) -> Self {
        #[cfg(unix)]
        if let Some(metadata) = metadata {
            use std::os::unix::fs::MetadataExt as _;
            return Self::Node(metadata.dev(), metadata.ino());
        }
        // The file system may ignore case.
        #[cfg(not(unix))]
        if metadata.is_some() {
            return Self::Path(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        }
        Self::Path(path.to_path_buf())
    }
}

/// Opens a device or a pipe; what turns out to be a file is appended to.
pub(super) fn open_stream(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

/// A descriptor of this process once more, with the same position in the file, if it is one.
#[cfg(target_os = "linux")]
pub(super) fn duplicate(descriptor: u32) -> io::Result<File> {
    use rustix::io::Errno;
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let number = i32::try_from(descriptor).map_err(|_| Errno::BADF)?;
    let this = pidfd_open(getpid(), PidfdFlags::empty());
    match this.and_then(|this| pidfd_getfd(this, number, PidfdGetfdFlags::empty())) {
        Ok(duplicate) => Ok(duplicate.into()),
        Err(Errno::BADF) => Err(Errno::BADF.into()),
        // An old system, or one that forbids it.
        Err(_) => open_stream(&path_of_descriptor(descriptor)),
    }
}

/// A descriptor of this process once more: opening its name is that, on these systems.
#[cfg(not(target_os = "linux"))]
pub(super) fn duplicate(descriptor: u32) -> io::Result<File> {
    open_stream(&path_of_descriptor(descriptor))
}

fn path_of_descriptor(descriptor: u32) -> PathBuf {
    PathBuf::from(format!("/dev/fd/{descriptor}"))
}

/// The error without a name in its message that means nothing to anybody.
pub(super) fn named_error(directory: &Path, error: &io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::NotFound && !directory.exists() {
        return io::Error::new(error.kind(), format!("the directory {} does not exist", directory.display()));
    }
    error.kind().into()
}

pub(super) fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
