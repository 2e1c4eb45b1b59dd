//! Opening: files, standard input, and what is compressed in them.
//!
//! [`open`] takes a path, or `-` for standard input, and returns an [`Input`]: a buffered reader that remembers what
//! to call itself in messages. Gzip, zstd, xz and bzip2 (of one or many members) are recognized by their first bytes, never by
//! the name, so a compressed pipe works like a compressed file. A compressed stream that ends early gives an error that says
//! after how many bytes; it is never taken for a short file. Memory for a window of xz is refused as that of zstd, above 128 MiB.
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
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
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

/// The same of xz, in KiB, with what a decoder needs beside the window.
const XZ_MEMORY_KIB: u32 = (1 << 17) + 1024;

/// What names of compressed files end in.
const ENDINGS: [&str; 4] = [".gz", ".zst", ".xz", ".bz2"];

/// What zstd's functions return for a frame that needs more: its error 16, `frameParameter_windowTooLarge`, as all errors
/// counted down from zero.
const WINDOW_TOO_LARGE: usize = 0usize.wrapping_sub(16);

/// A decompressed, buffered stream with a name.
pub struct Input {
    reader: Box<dyn BufRead + Send>,
    name: String,
    compression: Compression,
    /// Bytes that were read before they were decompressed.
    taken: Arc<AtomicU64>,
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
    /// Xz, one stream or many.
    Xz,
    /// Bzip2, one stream or many.
    Bzip2,
}

impl Compression {
    /// What the first bytes of a stream say. Ten bytes are enough.
    pub fn detect(start: &[u8]) -> Self {
        match start {
            [0x1F, 0x8B, 8, ..] => Self::Gzip,
            // A frame, or a skippable frame as parallel compressors write first.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Self::Zstd,
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            // The size of blocks, and the number π; an empty stream ends at once, by the root of π.
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90") =>
            {
                Self::Bzip2
            }
            _ => Self::None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }
}

/// A stream, and how many bytes of it were read.
struct Counted<R> {
    inner: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
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
        let taken = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: Cursor::new(start).chain(reader), bytes: Arc::clone(&taken) };
        let whole = BufReader::with_capacity(BUFFER_BYTES, counted);
        let reader: Box<dyn BufRead + Send> = match compression {
            Compression::None => Box::new(whole),
            Compression::Gzip => buffered(MultiGzDecoder::new(whole)),
            Compression::Zstd => {
                let mut decoder =
                    zstd::stream::read::Decoder::with_buffer(whole).map_err(|error| Error::io(&name, error))?;
                decoder.window_log_max(ZSTD_WINDOW_LOG_MAX).map_err(|error| Error::io(&name, error))?;
                buffered(decoder)
            }
            Compression::Xz => buffered(XzReader::new_mem_limit(whole, true, XZ_MEMORY_KIB)),
            Compression::Bzip2 => buffered(MultiBzDecoder::new(whole)),
        };
        Ok(Self { reader, name, compression, taken })
    }

    /// Plain text in memory, called `name` in messages.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let reader = Box::new(Cursor::new(bytes.into()));
        Self { reader, name: name.into(), compression: Compression::None, taken: Arc::default() }
    }

    /// The next bytes, so many or all that there are, which are read again afterwards. Waits for them.
    pub(super) fn peek(&mut self, bytes: usize) -> Result<Vec<u8>> {
        let mut start = Vec::new();
        let read = self.by_ref().take(bytes as u64).read_to_end(&mut start);
        read.map_err(|error| Error::io(&self.name, error))?;
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(start.clone()).chain(rest));
        Ok(start)
    }

    /// The first line with its break, or so many bytes of it, which are read again afterwards. Waits for no more.
    pub(super) fn peek_line(&mut self, most: usize) -> Result<Vec<u8>> {
        let mut start = Vec::new();
        while start.len() < most {
            let buffer = match self.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) => return Err(Error::io(&self.name, error)),
            };
            let end = memchr::memchr(b'\n', buffer).map_or(buffer.len(), |end| end + 1);
            let length = end.min(most - start.len());
            start.extend_from_slice(&buffer[..length]);
            self.consume(length);
            if length == 0 || start.ends_with(b"\n") {
                break;
            }
        }
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(start.clone()).chain(rest));
        Ok(start)
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
            let bytes = self.taken.load(Ordering::Relaxed);
            let message = format!("the {name} data ends early, after {bytes} bytes; the file is truncated");
            return io::Error::new(io::ErrorKind::UnexpectedEof, message);
        }
        // zstd's errors come without their codes, so the name of one is looked for.
        if self.compression == Compression::Zstd && error.to_string() == get_error_name(WINDOW_TOO_LARGE) {
            return io::Error::new(error.kind(), WideWindow("zstd"));
        }
        if self.compression == Compression::Xz && error.kind() == io::ErrorKind::OutOfMemory {
            return io::Error::new(error.kind(), WideWindow("xz"));
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

/// The name of a file without what it ends in if it is compressed.
pub fn plain_name(name: &str) -> &str {
    ENDINGS.into_iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

fn buffered(reader: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(BufReader::with_capacity(BUFFER_BYTES, reader))
}

/// The first four bytes, or all if there are fewer; of what may be bzip2 the first ten, since its mark is text.
fn read_start(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(10);
    reader.take(4).read_to_end(&mut start)?;
    if start.starts_with(b"BZh") || start.starts_with(b"\xFD7zX") {
        reader.take(6).read_to_end(&mut start)?;
    }
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

    fn xz(text: &[u8]) -> Vec<u8> {
        let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
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
            assert_eq!(read(xz(text)).unwrap(), text);
            assert_eq!(read(bzip2(text)).unwrap(), text);
        }
        for text in [&b"BZh is a name\n"[..], b"BZh", b"BZh91AY&S", b"\xFD7zX", b"\xFD7zXz and more"] {
            assert_eq!(read(text.to_vec()).unwrap(), text);
        }
        assert_eq!(plain_name("a.tmx.xz"), "a.tmx");
        assert_eq!(plain_name("a.tmx"), "a.tmx");
    }

    /// Made by Python 3.11: `lzma.compress(b"the house\n" * 3)`, and with `check=lzma.CHECK_SHA256`, and `bz2.compress(b"")`.
    #[test]
    fn files_of_another_program_are_read() {
        let first: &[u8] =
            b"\xFD\x37\x7A\x58\x5A\x00\x00\x04\xE6\xD6\xB4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2F\xE5\xA3\
            \xE0\x00\x1D\x00\x11\x5D\x00\x3A\x1A\x08\xCE\x76\x76\xBA\xFF\xB7\x55\x52\x63\x34\xC7\x56\x00\x00\
            \x00\x00\x00\x00\x38\xC8\xF9\x74\xD2\x16\xD9\x91\x00\x01\x2D\x1E\xA7\xD2\xA3\xFA\x1F\xB6\xF3\x7D\
            \x01\x00\x00\x00\x00\x04\x59\x5A";
        let second: &[u8] =
            b"\xFD\x37\x7A\x58\x5A\x00\x00\x0A\xE1\xFB\x0C\xA1\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2F\xE5\xA3\
            \xE0\x00\x1D\x00\x11\x5D\x00\x3A\x1A\x08\xCE\x76\x76\xBA\xFF\xB7\x55\x52\x63\x34\xC7\x56\x00\x00\
            \x00\x00\x00\x00\x15\x19\x02\x7F\xA2\x85\xF8\xB3\x5A\xD8\xE1\x60\x40\xF2\x65\xC2\x15\xE2\xA6\x68\
            \xCB\x0B\x3E\x81\xFC\xA5\x61\xAD\xD2\x4A\xFA\xDC\x00\x01\x45\x1E\x08\x33\x87\x57\x18\x9B\x4B\x9A\
            \x01\x00\x00\x00\x00\x0A\x59\x5A";
        let text = b"the house\n".repeat(3);
        assert_eq!(read(first.to_vec()).unwrap(), text);
        assert_eq!(read([second, first].concat()).unwrap(), text.repeat(2));
        assert_eq!(read(b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0".to_vec()).unwrap(), b"");
    }

    #[test]
    fn members_and_frames_are_joined() {
        assert_eq!(read([gzip(b"a\n"), gzip(b""), gzip(b"b\n")].concat()).unwrap(), b"a\nb\n");
        assert_eq!(read([zstd(b"a\n"), zstd(b"b\n")].concat()).unwrap(), b"a\nb\n");
        assert_eq!(read([bzip2(b"a\n"), bzip2(b"b\n")].concat()).unwrap(), b"a\nb\n");
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
        for (name, whole) in [("gzip", gzip(&text)), ("zstd", zstd(&text)), ("xz", xz(&text)), ("bzip2", bzip2(&text))]
        {
            let middle = (40..whole.len()).step_by(997);
            // The mark of bzip2 is text, so it takes more of it.
            let least = if name == "bzip2" { 10 } else { 6 };
            for cut in (least..40).chain(middle).chain(whole.len() - 12..whole.len()) {
                let error = read(whole[..cut].to_vec()).unwrap_err();
                let expected = format!("data: the {name} data ends early, after {cut} bytes; the file is truncated");
                assert_eq!(error, expected, "cut at {cut}");
            }
        }
    }

    #[test]
    fn what_was_peeked_at_is_read_again() {
        let mut input = Input::from_reader("data", Cursor::new(gzip(b"abcdef"))).unwrap();
        assert_eq!(input.peek(3).unwrap(), b"abc");
        assert_eq!(input.peek(99).unwrap(), b"abcdef");
        assert_eq!(input.read_all().unwrap(), b"abcdef");
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
        fn no_bytes_cause_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), magic in 0usize..5) {
            let magics: [&[u8]; 5] =
                [&[], &[0x1F, 0x8B, 8], &[0x28, 0xB5, 0x2F, 0xFD], b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4F", b"BZh11AY&SY"];
            let mut all = magics[magic].to_vec();
            all.extend(bytes);
            let _ = read(all);
        }
    }
}
