//! Writing: outputs that are complete or absent.
//!
//! [`create`] takes a path, or `-` for standard output. A path that ends in `.gz` or `.zst` is compressed. A file is
//! written under a temporary name beside its place (`.` + its name + random letters) and takes its name in
//! [`Output::finish`]; an [`Output`] dropped before leaves nothing, and what was there before stays. Devices, pipes
//! and other things that are not regular files are written directly.
//!
//! A process that is told to stop calls [`remove_unfinished`]: no temporary file survives it, and an output that
//! another thread tries to finish afterwards says that it was cancelled.
//!
//! ```
//! use alinea::format::sink;
//!
//! let directory = tempfile::tempdir().unwrap();
//! let path = directory.path().join("links.txt");
//! let mut output = sink::create(&path)?;
//! output.write_bytes(b"0-0 1-1\n")?;
//! assert!(!path.exists());
//! output.finish()?;
//! assert_eq!(std::fs::read(&path).unwrap(), b"0-0 1-1\n");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::write::GzEncoder;
use tempfile::TempPath;

use super::source::{BUFFER_BYTES, DASH, is_dash};
use crate::error::{Error, ErrorKind, Result};
use crate::terminal::{self, Shown};

/// What standard output is called in messages.
pub const STDOUT_NAME: &str = "<stdout>";

/// Compression levels: the usual defaults of the two programs.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;

/// Longest part of a final name that goes into the temporary one: file systems stop at 255 bytes.
const NAME_BYTES: usize = 200;

/// Temporary files that wait for their name.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all outputs that are not finished. For the handler of an interruption.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *unfinished()) {
        // There is nobody left to tell, and the file may be gone already.
        let _ = fs::remove_file(path);
    }
}

/// An output that is being written. Standard output is buffered here and so locked once a buffer, not once a line.
#[derive(Debug)]
pub struct Output {
    encoder: Encoder,
    name: String,
    staged: Option<Staged>,
}

enum Encoder {
    Plain(BufWriter<Target>),
    Gzip(GzEncoder<BufWriter<Target>>),
    Zstd(zstd::stream::write::Encoder<'static, BufWriter<Target>>),
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain(_) => "plain",
            Self::Gzip(_) => "gzip",
            Self::Zstd(_) => "zstd",
        })
    }
}

/// Where bytes go in the end.
#[derive(Debug)]
enum Target {
    /// Escaped if it is a terminal.
    Stdout(Shown<io::Stdout>),
    File(File),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// A temporary file and the place it will take.
#[derive(Debug)]
struct Staged {
    temporary: TempPath,
    place: PathBuf,
}

impl Drop for Staged {
    fn drop(&mut self) {
        let mut registry = unfinished();
        // Gone already after a renaming; otherwise nobody wants it.
        let _ = fs::remove_file(&self.temporary);
        registry.remove(&self.temporary.to_path_buf());
    }
}

/// Opens an output: a file, or standard output if the path is `-`.
///
/// # Errors
/// `Io` if the path is a directory, or nothing can be created where it points; the message names a directory that does
/// not exist.
pub fn create(path: impl AsRef<Path>) -> Result<Output> {
    let path = path.as_ref();
    if is_dash(path) {
        let encoder = Encoder::Plain(BufWriter::with_capacity(BUFFER_BYTES, Target::Stdout(terminal::stdout())));
        return Ok(Output { encoder, name: STDOUT_NAME.to_owned(), staged: None });
    }
    let failed = |error: io::Error| Error::io(path, error);
    let (file, staged) = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(metadata) if !metadata.is_file() => (OpenOptions::new().write(true).open(path).map_err(failed)?, None),
        Ok(metadata) => stage(path, Some(metadata.permissions())).map_err(failed)?,
        Err(_) => stage(path, None).map_err(failed)?,
    };
    let buffered = BufWriter::with_capacity(BUFFER_BYTES, Target::File(file));
    let encoder = match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => Encoder::Gzip(GzEncoder::new(buffered, flate2::Compression::new(GZIP_LEVEL))),
        Some("zst") => {
            let mut encoder = zstd::stream::write::Encoder::new(buffered, ZSTD_LEVEL).map_err(failed)?;
            encoder.include_checksum(true).map_err(failed)?;
            Encoder::Zstd(encoder)
        }
        _ => Encoder::Plain(buffered),
    };
    Ok(Output { encoder, name: path.display().to_string(), staged })
}

/// Creates the temporary file for `path`, with the permissions of the file it will replace.
fn stage(path: &Path, permissions: Option<fs::Permissions>) -> io::Result<(File, Option<Staged>)> {
    // The file behind a symbolic link is replaced, not the link.
    let place = match (path.canonicalize(), path.read_link()) {
        (Ok(place), _) => place,
        (Err(_), Ok(link)) => directory_of(path).join(link),
        (Err(_), Err(_)) => path.to_path_buf(),
    };
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.is_empty() {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let mut cut = name.len().min(NAME_BYTES);
    while !name.is_char_boundary(cut) {
        cut -= 1;
    }
    let prefix = format!(".{}.", &name[..cut]);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    set_permissions(&mut builder, permissions);
    // The registry is locked over the creation: an interruption finds the file or prevents it.
    let mut registry = unfinished();
    let directory = directory_of(&place);
    let created = builder.tempfile_in(&directory).map_err(|error| told(&directory, &error))?;
    let (file, temporary) = created.into_parts();
    registry.insert(temporary.to_path_buf());
    drop(registry);
    Ok((file, Some(Staged { temporary, place })))
}

/// The error without the temporary name in its message, which means nothing to anybody.
fn told(directory: &Path, error: &io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::NotFound && !directory.exists() {
        return io::Error::new(error.kind(), format!("the directory {} does not exist", directory.display()));
    }
    error.kind().into()
}

/// Without an older file to follow: what any new file may have, less what the process's mask takes away.
#[cfg(unix)]
fn set_permissions(builder: &mut tempfile::Builder<'_, '_>, older: Option<fs::Permissions>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(older.unwrap_or_else(|| fs::Permissions::from_mode(0o666)));
}

#[cfg(not(unix))]
fn set_permissions(_: &mut tempfile::Builder<'_, '_>, _: Option<fs::Permissions>) {}

fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

impl Output {
    /// What follows is a picture, whose colors are for the terminal, and which has itself made harmless what it shows.
    /// Everything else is [escaped](crate::terminal) where standard output is a terminal.
    pub fn draw(&mut self) {
        if let Encoder::Plain(buffered) = &mut self.encoder
            && let Target::Stdout(stdout) = buffered.get_mut()
        {
            stdout.draw();
        }
    }

    /// The name for messages: the path as given, or `<stdout>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes `bytes`.
    ///
    /// # Errors
    /// `Io` with the output's name.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        match self.write_all(bytes) {
            Ok(()) => Ok(()),
            Err(error) => Err(Error::io(&self.name, error)),
        }
    }

    /// Writes what is buffered and gives the file its name.
    ///
    /// # Errors
    /// `Io` with the output's name; `Cancelled` after [`remove_unfinished`].
    pub fn finish(self) -> Result<()> {
        let Self { encoder, name, staged } = self;
        let flushed = match encoder {
            Encoder::Plain(buffered) => Ok(buffered),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
        };
        flushed.and_then(|mut buffered| buffered.flush()).map_err(|error| Error::io(&name, error))?;
        let Some(staged) = staged else { return Ok(()) };
        // Locked over the renaming: an interruption comes before it or after it.
        let mut registry = unfinished();
        if !registry.remove(&staged.temporary.to_path_buf()) {
            drop(registry);
            return Err(ErrorKind::Cancelled.into());
        }
        let renamed = fs::rename(&staged.temporary, &staged.place);
        drop(registry);
        renamed.map_err(|error| Error::io(&name, error))
    }
}

/// Completes all outputs or none: what is buffered is written everywhere before the first file takes its name.
///
/// # Errors
/// As [`Output::finish`].
pub fn finish_all(outputs: impl IntoIterator<Item = Output>) -> Result<()> {
    let mut outputs: Vec<Output> = outputs.into_iter().collect();
    for output in &mut outputs {
        output.flush().map_err(|error| Error::io(output.name(), error))?;
    }
    outputs.into_iter().try_for_each(Output::finish)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.encoder {
            Encoder::Plain(writer) => writer.write(bytes),
            Encoder::Gzip(writer) => writer.write(bytes),
            Encoder::Zstd(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.encoder {
            Encoder::Plain(writer) => writer.flush(),
            Encoder::Gzip(writer) => writer.flush(),
            Encoder::Zstd(writer) => writer.flush(),
        }
    }
}

/// Whether writing to one of the paths would destroy what the other holds: both lead to one regular file, or, where
/// neither exists yet, to one name in one directory. `-` is never a file.
pub fn same_file(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    let (a, b) = (a.as_ref(), b.as_ref());
    if a.as_os_str() == DASH || b.as_os_str() == DASH {
        return false;
    }
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(first), Ok(second)) => first.is_file() && second.is_file() && same_node(a, &first, b, &second),
        (Err(_), Err(_)) => {
            let place = |path: &Path| Some((directory_of(path).canonicalize().ok()?, path.file_name()?.to_owned()));
            matches!((place(a), place(b)), (Some(a), Some(b)) if a == b)
        }
        _ => false,
    }
}

#[cfg(unix)]
fn same_node(_: &Path, first: &fs::Metadata, _: &Path, second: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    first.dev() == second.dev() && first.ino() == second.ino()
}

#[cfg(not(unix))]
fn same_node(a: &Path, _: &fs::Metadata, b: &Path, _: &fs::Metadata) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::source;
    use std::io::Read;

    /// One test at a time may have unfinished outputs: `remove_unfinished` means all of the process.
    static ALONE: Mutex<()> = Mutex::new(());

    fn alone() -> MutexGuard<'static, ()> {
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_appear_when_they_are_complete() {
        let _alone = alone();
        let directory = tempfile::tempdir().unwrap();
        let text = "line\n".repeat(100_000);
        for name in ["plain", "zipped.gz", "zipped.zst"] {
            let path = directory.path().join(name);
            fs::write(&path, "before").unwrap();
            let mut output = create(&path).unwrap();
            output.write_bytes(text.as_bytes()).unwrap();
            output.flush().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"before");
            let during = names(directory.path());
            assert!(during[0].starts_with(&format!(".{name}.")), "{during:?}");
            output.finish().unwrap();
            let mut back = String::new();
            source::open(&path).unwrap().read_to_string(&mut back).unwrap();
            assert!(back == text);
        }
        assert_eq!(names(directory.path()), ["plain", "zipped.gz", "zipped.zst"]);
        assert!(fs::metadata(directory.path().join("zipped.zst")).unwrap().len() < 10_000);
    }

    #[test]
    fn dropped_and_interrupted_outputs_leave_nothing() {
        let _alone = alone();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.gz");
        let mut output = create(&path).unwrap();
        output.write_bytes(b"half").unwrap();
        drop(output);
        assert_eq!(names(directory.path()), [""; 0]);

        let mut output = create(&path).unwrap();
        output.write_bytes(b"half").unwrap();
        remove_unfinished();
        assert_eq!(names(directory.path()), [""; 0]);
        assert!(matches!(output.finish().unwrap_err().kind(), ErrorKind::Cancelled));
        assert_eq!(names(directory.path()), [""; 0]);
    }

    #[test]
    fn errors_name_the_output() {
        let _alone = alone();
        let directory = tempfile::tempdir().unwrap();
        let error = create(directory.path()).unwrap_err().to_string();
        assert_eq!(error, format!("{}: is a directory", directory.path().display()));
        let missing = directory.path().join("missing");
        let path = missing.join("out");
        let error = create(&path).unwrap_err();
        let message = format!("{}: the directory {} does not exist", path.display(), missing.display());
        assert_eq!(error.to_string(), message);
        assert!(matches!(error.kind(), ErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::NotFound));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_directly() {
        let _alone = alone();
        let mut output = create("/dev/null").unwrap();
        output.write_bytes(b"gone").unwrap();
        output.finish().unwrap();
        if Path::new("/dev/full").exists() {
            let mut output = create("/dev/full").unwrap();
            output.write_bytes(b"no room").unwrap();
            let error = output.finish().unwrap_err().to_string();
            assert_eq!(error, "/dev/full: No space left on device (os error 28)");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_into_missing_directories_name_the_directory() {
        let _alone = alone();
        let directory = tempfile::tempdir().unwrap();
        let (link, missing) = (directory.path().join("link"), directory.path().join("missing"));
        std::os::unix::fs::symlink("missing/out", &link).unwrap();
        let error = create(&link).unwrap_err().to_string();
        assert_eq!(error, format!("{}: the directory {} does not exist", link.display(), missing.display()));
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_survive() {
        use std::os::unix::fs::PermissionsExt;
        let _alone = alone();
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "before").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let mut output = create(&link).unwrap();
        output.write_bytes(b"after").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"after");
        assert!(link.is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(same_file(&file, &link));

        let fresh = directory.path().join("fresh");
        create(&fresh).unwrap().finish().unwrap();
        fs::write(directory.path().join("usual"), "").unwrap();
        let mode = |name: &str| fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("fresh"), mode("usual"));
    }

    #[test]
    fn same_files_are_recognized() {
        let directory = tempfile::tempdir().unwrap();
        let (a, b) = (directory.path().join("a"), directory.path().join("b"));
        let detour = directory.path().join(".").join("a");
        assert!(same_file(&a, &detour), "neither exists, one name");
        assert!(!same_file(&a, &b));
        fs::write(&a, "").unwrap();
        assert!(same_file(&a, &detour));
        assert!(!same_file(&a, &b));
        fs::write(&b, "").unwrap();
        assert!(!same_file(&a, &b));
        assert!(!same_file("-", "-"));
        assert!(!same_file("/dev/null", "/dev/null"));
    }
}
