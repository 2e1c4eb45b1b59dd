//! Writing: outputs that are complete or absent.
//!
//! [`create`] takes a path, or `-` for standard output. A path that ends in `.gz`, `.zst`, `.xz` or `.bz2` is compressed. A file is
//! written under a temporary name beside its place (`.` + its name + `.` + ten random letters + `.alinea-part`) and takes
//! its name in [`Output::finish`], when it is on the disk; an [`Output`] dropped before leaves nothing, and what was there
//! before stays. Several outputs take their names together, in [`finish_all`].
//!
//! The file behind a symbolic link is replaced, not the link. The new file has the permissions of the old one, and its
//! owner and group where the process may give them; other names of the old file (hard links) keep the old content, and
//! [`take_parted`] tells. A file that is read-only is refused. Devices, pipes, and descriptors that are open already
//! (`/dev/stdout`, `/dev/fd/3`) are written through, never replaced, also where they are those of files.
//!
//! A process that is told to stop calls [`remove_unfinished`]: no temporary file survives it, and an output that
//! another thread tries to finish afterwards says that it was cancelled. What a process that was killed has left, the
//! next output to the same place removes (on Unix).
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

mod place;
mod staged;

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

use self::place::{Place, STDOUT};
use self::staged::Staged;
pub use self::staged::{remove_unfinished, remove_unfinished_without_memory, take_parted};
use super::source::{BUFFER_BYTES, is_dash};
use crate::error::{Error, ErrorKind, Result};
use crate::terminal::Shown;

/// What standard output is called in messages.
pub const STDOUT_NAME: &str = "<stdout>";

/// Compression levels: the usual defaults of the programs.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;
const XZ_LEVEL: u32 = 6;
const BZIP2_LEVEL: u32 = 9;

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
    Xz(Box<XzWriter<BufWriter<Target>>>),
    Bzip2(BzEncoder<BufWriter<Target>>),
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain(_) => "plain",
            Self::Gzip(_) => "gzip",
            Self::Zstd(_) => "zstd",
            Self::Xz(_) => "xz",
            Self::Bzip2(_) => "bzip2",
        })
    }
}

/// Where bytes go in the end; escaped if it is a terminal, whatever its name.
#[derive(Debug)]
enum Target {
    Stdout(Shown<io::Stdout>),
    File(Shown<File>),
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

impl Target {
    /// Has what was written on the disk, also where standard output is a file.
    fn sync(&self) -> io::Result<()> {
        match self {
            Self::File(file) => staged::sync(file.get_ref()),
            #[cfg(unix)]
            Self::Stdout(_) => {
                use std::os::fd::AsFd as _;
                // It may be closed.
                io::stdout().as_fd().try_clone_to_owned().map_or(Ok(()), |stdout| staged::sync(&stdout.into()))
            }
            #[cfg(not(unix))]
            Self::Stdout(_) => Ok(()),
        }
    }
}

/// Opens an output for what is read by place, such as a model.
///
/// # Errors
/// As [`create`]; `UnusablePath` for a name of compressed files.
pub fn create_uncompressed(path: impl AsRef<Path>) -> Result<Output> {
    let path = path.as_ref();
    let ending = path.extension().and_then(|extension| extension.to_str());
    if matches!(ending, Some("gz" | "zst" | "xz" | "bz2")) {
        let reason = "such a file cannot be compressed, its arrays are read one by one";
        return Err(ErrorKind::UnusablePath { path: path.display().to_string(), reason }.into());
    }
    create(path)
}

/// Opens an output: a file, or standard output if the path is `-`.
///
/// # Errors
/// `Io` if the path is a directory, or nothing can be created where it points, or what is there is read-only, or an
/// output to the same file is not finished yet; the message names a directory that does not exist.
pub fn create(path: impl AsRef<Path>) -> Result<Output> {
    let path = path.as_ref();
    let failed = |error: io::Error| Error::io(path, error);
    let (target, staged) = match Place::of(path).map_err(failed)? {
        Place::Descriptor(STDOUT) => (Target::Stdout(Shown::on(io::stdout())), None),
        Place::Descriptor(other) => (Target::File(Shown::on(place::duplicate(other).map_err(failed)?)), None),
        Place::Stream(place) => (Target::File(Shown::on(place::open_stream(&place).map_err(failed)?)), None),
        Place::File(place, older) => {
            let (file, staged) = Staged::create(place, older.as_ref()).map_err(failed)?;
            (Target::File(Shown::on(file)), Some(staged))
        }
    };
    let buffered = BufWriter::with_capacity(BUFFER_BYTES, target);
    let encoder = match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => Encoder::Gzip(GzEncoder::new(buffered, flate2::Compression::new(GZIP_LEVEL))),
        Some("zst") => {
            let mut encoder = zstd::stream::write::Encoder::new(buffered, ZSTD_LEVEL).map_err(failed)?;
            encoder.include_checksum(true).map_err(failed)?;
            Encoder::Zstd(encoder)
        }
        Some("xz") => {
            let options = XzOptions::with_preset(XZ_LEVEL);
            Encoder::Xz(Box::new(XzWriter::new(buffered, options).map_err(failed)?))
        }
        Some("bz2") => Encoder::Bzip2(BzEncoder::new(buffered, bzip2::Compression::new(BZIP2_LEVEL))),
        _ => Encoder::Plain(buffered),
    };
    let name = if is_dash(path) { STDOUT_NAME.to_owned() } else { path.display().to_string() };
    Ok(Output { encoder, name, staged })
}

impl Output {
    /// What follows is a picture, whose colors are for the terminal, and which has itself made harmless what it shows.
    /// Everything else is [escaped](crate::terminal) where it goes to a terminal.
    pub fn draw(&mut self) {
        if let Encoder::Plain(buffered) = &mut self.encoder {
            match buffered.get_mut() {
                Target::Stdout(stdout) => stdout.draw(),
                Target::File(file) => file.draw(),
            }
        }
    }

    /// The name for messages: the path as given, or `<stdout>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a file of its own, which takes its name when it is finished; if not, it writes to what is there.
    pub fn takes_name(&self) -> bool {
        self.staged.is_some()
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

    /// Completes the file, has it on the disk, and gives it its name.
    ///
    /// # Errors
    /// `Io` with the output's name; `Cancelled` after [`remove_unfinished`].
    pub fn finish(self) -> Result<()> {
        finish_all([self])
    }

    /// Writes everything that is to be written, down to the disk.
    fn complete(self) -> Result<Complete> {
        let Self { encoder, name, staged } = self;
        let ended = match encoder {
            Encoder::Plain(buffered) => Ok(buffered),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
            Encoder::Xz(encoder) => encoder.finish(),
            Encoder::Bzip2(encoder) => encoder.finish(),
        };
        let written = ended.and_then(|mut buffered| {
            buffered.flush()?;
            buffered.get_ref().sync()?;
            Ok(buffered)
        });
        match written {
            Ok(target) => Ok(Complete { name, staged, _target: target }),
            Err(error) => Err(Error::io(&name, error)),
        }
    }
}

/// An output of which only the name is missing, if it is to have one.
struct Complete {
    name: String,
    staged: Option<Staged>,
    /// Kept open, and so locked, until it has its name.
    _target: BufWriter<Target>,
}

/// Completes all outputs or none: everything is written, down to the disk, before the first file takes its name. When
/// this returns, the names are on the disk, too.
///
/// # Errors
/// As [`Output::finish`].
pub fn finish_all(outputs: impl IntoIterator<Item = Output>) -> Result<()> {
    let complete = outputs.into_iter().map(Output::complete).collect::<Result<Vec<_>>>()?;
    let (mut staged, mut targets) = (Vec::new(), Vec::new());
    for Complete { name, staged: file, _target: target } in complete {
        staged.extend(file.map(|file| (name, file)));
        targets.push(target);
    }
    Staged::name_all(&staged)
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.encoder {
            Encoder::Plain(writer) => writer.write(bytes),
            Encoder::Gzip(writer) => writer.write(bytes),
            Encoder::Zstd(writer) => writer.write(bytes),
            Encoder::Xz(writer) => writer.write(bytes),
            Encoder::Bzip2(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.encoder {
            Encoder::Plain(writer) => writer.flush(),
            Encoder::Gzip(writer) => writer.flush(),
            Encoder::Zstd(writer) => writer.flush(),
            Encoder::Xz(writer) => writer.flush(),
            Encoder::Bzip2(writer) => writer.flush(),
        }
    }
}

/// Whether a path leads to something that is written through and has no name of its own: a device, a pipe, or a descriptor
/// that is open already, as standard output is, even where that is a file.
pub fn is_stream(path: impl AsRef<Path>) -> bool {
    matches!(Place::of(path.as_ref()), Ok(Place::Descriptor(_) | Place::Stream(_)))
}

/// Whether writing to `output` would change or replace what `input` holds: both lead to one regular file, or, where
/// neither exists yet, to one name in one directory. `-` is standard output, and never an input's file.
pub fn same_file(input: impl AsRef<Path>, output: impl AsRef<Path>) -> bool {
    !is_dash(input.as_ref()) && same_output(input, output)
}

/// Whether two outputs are one: one file, one name, or one open descriptor. `-` is standard output.
pub fn same_output(a: impl AsRef<Path>, b: impl AsRef<Path>) -> bool {
    let identity = |path: &Path| Place::of(path).ok()?.identity();
    matches!((identity(a.as_ref()), identity(b.as_ref())), (Some(a), Some(b)) if a == b)
}

#[cfg(test)]
pub(super) mod tests;
