//! Opening: files, standard input, and what is compressed in them.
//!
//! [`open`] takes a path, or `-` for standard input, and returns an [`Input`]: a buffered reader that remembers what
//! to call itself in messages. Gzip (of one or many members) and zstd are recognized by their first bytes, never by
//! the name, so a compressed pipe works like a compressed file. A compressed stream that ends early gives an error
//! where its bytes run out; it is never taken for a short file.
//!
//! ```
//! use std::io::{Read, Write};
//! use alinea::format::source::Input;
//!
//! let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
//! gzip.write_all(b"the house\n").unwrap();
//! let mut input = Input::from_reader("memory.gz", std::io::Cursor::new(gzip.finish().unwrap()))?;
//! let mut text = String::new();
//! input.read_to_string(&mut text).unwrap();
//! assert_eq!(text, "the house\n");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use zstd::zstd_safe::get_error_name;

use super::other;
use crate::error::{Error, Result, WideWindow};
use crate::limits::{self, Limit};

/// The size of the buffers between a file and its reader.
pub const BUFFER_BYTES: usize = 256 * 1024;

/// What standard input is called in messages.
pub const STDIN_NAME: &str = "<stdin>";

/// The path that stands for standard input, and among outputs for standard output.
pub const DASH: &str = "-";

/// Frames that need a larger window than this are refused, because memory is taken for it: 128 MiB, which zstd itself allows
/// by default.
const ZSTD_WINDOW_LOG_MAX: u32 = 27;

/// What zstd's functions return for a frame that needs more: its error 16, `frameParameter_windowTooLarge`, as all errors
/// counted down from zero.
const WINDOW_TOO_LARGE: usize = 0usize.wrapping_sub(16);

/// A decompressed, buffered stream with a name.
pub struct Input {
    reader: Box<dyn BufRead + Send>,
    name: String,
    compression: Compression,
}

/// How an input is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// Gzip, RFC 1952, one member or many.
    Gzip,
    /// Zstandard, RFC 8878, one frame or many.
    Zstd,
}

impl Compression {
    /// What the first bytes of a stream say. Four bytes are enough.
    pub fn detect(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, 8, ..] => Self::Gzip,
            // A frame, or a skippable frame as parallel compressors write first.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Self::Zstd,
            _ => Self::None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

impl Input {
    /// The stream `reader`, decompressed if its first bytes say so, called `name` in messages.
    ///
    /// # Errors
    /// `Io` if the first bytes cannot be read.
    pub fn from_reader(name: impl Into<String>, mut reader: impl Read + Send + 'static) -> Result<Self> {
        let name = name.into();
        let start = read_start(&mut reader).map_err(|error| Error::io(&name, error))?;
        let compression = Compression::detect(&start);
        let whole = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(start).chain(reader));
        let reader: Box<dyn BufRead + Send> = match compression {
            Compression::None => Box::new(whole),
            Compression::Gzip => Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(whole))),
            Compression::Zstd => {
                let mut decoder =
                    zstd::stream::read::Decoder::with_buffer(whole).map_err(|error| Error::io(&name, error))?;
                decoder.window_log_max(ZSTD_WINDOW_LOG_MAX).map_err(|error| Error::io(&name, error))?;
                Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder))
            }
        };
        Ok(Self { reader, name, compression })
    }

    /// Plain text in memory, called `name` in messages.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { reader: Box::new(Cursor::new(bytes.into())), name: name.into(), compression: Compression::None }
    }

    /// The name for messages: the path as given, or `<stdin>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All of it, decompressed.
    ///
    /// # Errors
    /// `Io`; `OverLimit` if it is more than [`limits::FILE`], of which no more is read.
    pub fn read_all(self) -> Result<Vec<u8>> {
        self.read_within(limits::FILE)
    }

    /// The same of a text.
    ///
    /// # Errors
    /// As [`read_all`](Self::read_all); `OtherFormat` for a file that is no text.
    pub fn read_text(self) -> Result<Vec<u8>> {
        let name = self.name.clone();
        let bytes = self.read_all()?;
        let end = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |end| end + 1);
        let (line, rest) = bytes.split_at(end);
        match other::no_lines(line, || rest.to_vec()) {
            Some(format) => Err(format.refused(&name, "UTF-8 text")),
            None => Ok(bytes),
        }
    }

    fn read_within(self, limit: Limit) -> Result<Vec<u8>> {
        let name = self.name.clone();
        let mut bytes = Vec::new();
        self.take(limit.most + 1).read_to_end(&mut bytes).map_err(|error| Error::io(&name, error))?;
        if bytes.len() as u64 > limit.most {
            return Err(limit.unbounded().at(name));
        }
        Ok(bytes)
    }

    /// How the stream is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Says in words what decompressors say in codes.
    fn explain(&self, error: io::Error) -> io::Error {
        if self.compression == Compression::None || error.kind() == io::ErrorKind::Interrupted {
            return error;
        }
        let name = self.compression.name();
        if error.kind() == io::ErrorKind::UnexpectedEof {
            let message = format!("the {name} data ends early; the file is truncated");
            return io::Error::new(io::ErrorKind::UnexpectedEof, message);
        }
        // zstd's errors come without their codes, so the name of one is looked for.
        if self.compression == Compression::Zstd && error.to_string() == get_error_name(WINDOW_TOO_LARGE) {
            return io::Error::new(error.kind(), WideWindow);
        }
        io::Error::new(error.kind(), format!("the {name} data is damaged: {error}"))
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .field("compression", &self.compression)
            .finish_non_exhaustive()
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer).map_err(|error| self.explain(error))
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        // Asked twice, because the borrow of the first answer would forbid the explanation; the second is free.
        if let Err(error) = self.reader.fill_buf() {
            return Err(self.explain(error));
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
    }
}

/// Opens a file, or standard input if the path is `-`.
///
/// # Errors
/// `Io` if there is no such file, it is a directory, or its first bytes cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<Input> {
    let path = path.as_ref();
    if is_dash(path) {
        return Input::from_reader(STDIN_NAME, io::stdin());
    }
    let file = File::open(path).map_err(|error| {
        // Windows opens no directory, and says that access is denied.
        let is_directory = cfg!(windows) && path.is_dir();
        Error::io(path, if is_directory { io::ErrorKind::IsADirectory.into() } else { error })
    })?;
    let metadata = file.metadata().map_err(|error| Error::io(path, error))?;
    if metadata.is_dir() {
        return Err(Error::io(path, io::Error::from(io::ErrorKind::IsADirectory)));
    }
    Input::from_reader(path.display().to_string(), file)
}

/// Whether the path stands for a standard stream.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == DASH
}

/// The first four bytes, or all if there are fewer.
fn read_start(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(4);
    reader.take(4).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Hint;
    use proptest::prelude::*;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        zstd::encode_all(text, 1).unwrap()
    }

    fn read(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut input = Input::from_reader("data", Cursor::new(bytes)).map_err(|error| error.to_string())?;
        let mut text = Vec::new();
        input.read_to_end(&mut text).map_err(|error| Error::io(input.name(), error).to_string())?;
        Ok(text)
    }

    #[test]
    fn compression_is_recognized_by_content() {
        for text in [&b"a b\nc\n"[..], b"", b"\x1f", b"\x1f\x8b", b"ab"] {
            assert_eq!(read(text.to_vec()).unwrap(), text);
        }
        for text in [&b"a b\nc\n"[..], b""] {
            assert_eq!(read(gzip(text)).unwrap(), text);
            assert_eq!(read(zstd(text)).unwrap(), text);
        }
    }

    #[test]
    fn members_and_frames_are_joined() {
        assert_eq!(read([gzip(b"a\n"), gzip(b""), gzip(b"b\n")].concat()).unwrap(), b"a\nb\n");
        assert_eq!(read([zstd(b"a\n"), zstd(b"b\n")].concat()).unwrap(), b"a\nb\n");
        let skippable = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 9, 9, 9, 9];
        assert_eq!(read([skippable.to_vec(), zstd(b"b\n")].concat()).unwrap(), b"b\n");
    }

    #[test]
    fn frames_that_ask_for_much_memory_are_refused() {
        let frame = |window_log| {
            let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
            encoder.window_log(window_log).unwrap();
            encoder.write_all(b"a b\n").unwrap();
            encoder.finish().unwrap()
        };
        assert_eq!(read(frame(27)).unwrap(), b"a b\n");
        for window_log in 28..=31 {
            let input = Input::from_reader("data", Cursor::new(frame(window_log))).unwrap();
            let error = input.read_all().unwrap_err();
            assert_eq!(error.to_string(), "data: zstd data with a window of more than 128 MiB");
            assert_eq!(error.hint(), Some(Hint::Decompress("zstd -dc --long=31 FILE")));
        }
    }

    #[test]
    fn every_truncation_is_an_error() {
        let text: Vec<u8> = (0..20_000u32).flat_map(|n| format!("{} ", n * n % 7919).into_bytes()).collect();
        let (gzip, zstd) = (gzip(&text), zstd(&text));
        for cut in (4..40).chain((40..gzip.len()).step_by(997)).chain(gzip.len() - 12..gzip.len()) {
            let error = read(gzip[..cut].to_vec()).unwrap_err();
            assert_eq!(error, "data: the gzip data ends early; the file is truncated", "cut at {cut}");
        }
        for cut in (4..40).chain((40..zstd.len()).step_by(997)).chain(zstd.len() - 12..zstd.len()) {
            let error = read(zstd[..cut].to_vec()).unwrap_err();
            assert_eq!(error, "data: the zstd data ends early; the file is truncated", "cut at {cut}");
        }
    }

    #[test]
    fn what_is_read_as_a_whole_has_a_limit() {
        let limit = Limit::new("zeros", 999);
        let error = Input::from_reader("zero", io::repeat(0)).unwrap().read_within(limit).unwrap_err().to_string();
        assert_eq!(error, "zero: zeros: 1000 or more, more than the limit of 999");
        assert_eq!(Input::from_reader("gzip", Cursor::new(gzip(b"a"))).unwrap().read_all().unwrap(), b"a");
    }

    #[test]
    fn damage_is_an_error() {
        let mut damaged = gzip(&b"some text that is long enough ".repeat(50));
        let last = damaged.len() - 6;
        damaged[last] ^= 0xFF;
        assert!(read(damaged).unwrap_err().starts_with("data: the gzip data is damaged: "));
        let garbage = [gzip(b"a\n"), b"garbage, and enough of it".to_vec()].concat();
        assert!(read(garbage).unwrap_err().starts_with("data: the gzip data is damaged: "));
    }

    #[test]
    fn what_cannot_be_opened_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("missing");
        let error = open(&missing).unwrap_err().to_string();
        assert_eq!(error, format!("{}: No such file or directory", missing.display()));
        let error = open(directory.path()).unwrap_err().to_string();
        assert_eq!(error, format!("{}: is a directory", directory.path().display()));
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), magic in 0usize..3) {
            let magics: [&[u8]; 3] = [&[], &[0x1F, 0x8B, 8], &[0x28, 0xB5, 0x2F, 0xFD]];
            let mut all = magics[magic].to_vec();
            all.extend(bytes);
            let _ = read(all);
        }
    }
}
