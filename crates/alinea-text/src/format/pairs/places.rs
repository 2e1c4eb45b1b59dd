//! The bytes of an XML file as UTF-8, with line and column of what was read.
//!
//! The encoding is told by a byte order mark, by zeros in every second of the first bytes, or by the XML declaration (XML 1.0, appendix
//! F): UTF-8, UTF-16 of both byte orders, or Latin-1 (ISO 8859-1, of which ASCII is a part). Others are refused by name, and so is UTF-16
//! with a surrogate that has no other, or that ends within a character. UTF-8 is handed on unchecked: the parser checks it.
//!
//! A parser takes whole events into memory, so bytes are counted from where the caller says that an event begins, and reading stops at
//! [`limits::MARKUP`].

use std::io::{self, BufRead, Read};

use bstr::ByteSlice as _;

use crate::error::{Error, Position, Result};
use crate::format::source::Input;
use crate::limits;

/// How far into a file its declaration is looked for.
const DECLARATION: usize = 256;

/// A place in the decoded text; lines and columns from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u64,
    /// In bytes.
    pub(super) column: u64,
}

impl Place {
    /// The place behind these bytes.
    pub(super) fn behind(self, bytes: &[u8]) -> Self {
        match memchr::memrchr(b'\n', bytes) {
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
                Self { line: self.line + lines, column: (bytes.len() - last) as u64 }
            }
            None => Self { line: self.line, column: self.column + bytes.len() as u64 },
        }
    }

    pub(super) fn of(self, name: &str) -> Position {
        Position::new(name, self.line, self.column)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 { big: bool },
    Latin1,
}

/// That an event is longer than allowed; what an I/O error has inside then.
#[derive(Debug, thiserror::Error)]
#[error("too long")]
pub(super) struct TooLong;

/// Decodes, and knows where it is.
pub(super) struct Places {
    inner: Input,
    encoding: Encoding,
    /// What was decoded, unless the input is UTF-8, and how much of it was consumed.
    decoded: String,
    at: usize,
    /// What stands before the next bytes of UTF-16: half a unit, and half a character.
    half: Option<u8>,
    high: Option<u16>,
    place: Place,
    bytes: u64,
    /// Bytes since the event began.
    event: u64,
}

impl Places {
    /// Finds out the encoding.
    ///
    /// # Errors
    /// `Io`; `Parse` for an encoding that is not read.
    pub(super) fn new(mut input: Input) -> Result<Self> {
        let start = input.peek(DECLARATION)?;
        let (encoding, mark) = match start.as_slice() {
            [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
            [0xFE, 0xFF, ..] => (Encoding::Utf16 { big: true }, 2),
            [0xFF, 0xFE, ..] => (Encoding::Utf16 { big: false }, 2),
            [0, b'<', ..] => (Encoding::Utf16 { big: true }, 0),
            [b'<', 0, ..] => (Encoding::Utf16 { big: false }, 0),
            _ => (declared(&start).map_err(|name| unknown(&input, &name))?, 0),
        };
        input.consume(mark);
        Ok(Self {
            inner: input,
            encoding,
            decoded: String::new(),
            at: 0,
            half: None,
            high: None,
            place: Place { line: 1, column: 1 },
            bytes: 0,
            event: 0,
        })
    }

    /// Where the next byte stands.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Decoded bytes that were read.
    pub(super) fn decoded_bytes(&self) -> u64 {
        self.bytes
    }

    /// Says that an event begins here.
    pub(super) fn begin_event(&mut self) {
        self.event = 0;
    }

    /// Decodes more, if there is more.
    fn decode(&mut self) -> io::Result<()> {
        self.decoded.clear();
        self.at = 0;
        while self.decoded.is_empty() {
            let bytes = self.inner.fill_buf()?;
            let length = bytes.len();
            if length == 0 {
                return if self.half.is_some() || self.high.is_some() { Err(bad_utf16()) } else { Ok(()) };
            }
            match self.encoding {
                Encoding::Utf16 { big } => {
                    for &byte in bytes {
                        let Some(first) = self.half.take() else {
                            self.half = Some(byte);
                            continue;
                        };
                        let pair = [first, byte];
                        let unit = if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
                        push_unit(unit, &mut self.high, &mut self.decoded)?;
                    }
                }
                Encoding::Latin1 | Encoding::Utf8 => self.decoded.extend(bytes.iter().map(|&byte| char::from(byte))),
            }
            self.inner.consume(length);
        }
        Ok(())
    }
}

/// Adds a character if this unit completes one.
fn push_unit(unit: u16, high: &mut Option<u16>, text: &mut String) -> io::Result<()> {
    let (units, number) = match high.take() {
        Some(high) => ([high, unit], 2),
        None if (0xD800..0xDC00).contains(&unit) => {
            *high = Some(unit);
            return Ok(());
        }
        None => ([unit, 0], 1),
    };
    for character in char::decode_utf16(units[..number].iter().copied()) {
        text.push(character.map_err(|_| bad_utf16())?);
    }
    Ok(())
}

#[cold]
fn bad_utf16() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "invalid UTF-16")
}

/// What the declaration says; the error is the name of another encoding.
fn declared(start: &[u8]) -> Result<Encoding, String> {
    let declaration = start.trim_start().strip_prefix(b"<?xml").and_then(|rest| Some(&rest[..rest.find("?>")?]));
    let Some(value) = declaration.and_then(|declaration| Some(&declaration[declaration.find("encoding")? + 8..]))
    else {
        return Ok(Encoding::Utf8);
    };
    let value = value.trim_start().strip_prefix(b"=").unwrap_or_default().trim_start();
    let name = value.get(1..).and_then(|rest| Some(&rest[..rest.find_byteset(b"'\"")?])).unwrap_or_default();
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    match name.as_str() {
        // Some programs convert the text and leave the declaration as it was.
        "" | "utf-8" | "utf8" | "utf-16" | "unicode" => Ok(Encoding::Utf8),
        "iso-8859-1" | "latin1" | "latin-1" | "us-ascii" | "ascii" => Ok(Encoding::Latin1),
        _ => Err(name),
    }
}

#[cold]
fn unknown(input: &Input, name: &str) -> Error {
    let position = Position::new(input.name(), 1, 1);
    Error::parse(position, "the encoding UTF-8, UTF-16 or ISO-8859-1", name.as_bytes())
}

impl Read for Places {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Places {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.event > limits::MARKUP.most {
            return Err(io::Error::other(TooLong));
        }
        if self.encoding == Encoding::Utf8 {
            return self.inner.fill_buf();
        }
        if self.at == self.decoded.len() {
            self.decode()?;
        }
        Ok(&self.decoded.as_bytes()[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        if amount == 0 {
            return;
        }
        self.bytes += amount as u64;
        self.event += amount as u64;
        if self.encoding == Encoding::Utf8 {
            // What is consumed was lent before, and is still there.
            if let Ok(bytes) = self.inner.fill_buf() {
                self.place = self.place.behind(&bytes[..amount.min(bytes.len())]);
            }
            self.inner.consume(amount);
        } else {
            self.place = self.place.behind(&self.decoded.as_bytes()[self.at..self.at + amount]);
            self.at += amount;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<String, String> {
        let mut places = Places::new(Input::from_bytes("f", bytes)).map_err(|error| error.to_string())?;
        let mut text = String::new();
        places.read_to_string(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn encodings_are_told_by_marks_and_zeros() {
        let text = "<a>été 𝄞\n</a>";
        for big in [false, true] {
            assert_eq!(read(&utf16(text, big)).unwrap(), text);
            assert_eq!(read(&utf16(&format!("\u{feff}{text}"), big)).unwrap(), text);
            let whole = utf16("<𝄞", big);
            for cut in [3, 4, 5] {
                assert_eq!(read(&whole[..cut]).unwrap_err(), "invalid UTF-16", "{cut}");
            }
            let alone = utf16("<a", big).into_iter().chain(if big { [0xDC, 0] } else { [0, 0xDC] }).collect::<Vec<_>>();
            assert_eq!(read(&alone).unwrap_err(), "invalid UTF-16");
        }
        assert_eq!(read(text.as_bytes()).unwrap(), text);
        assert_eq!(read(format!("\u{feff}{text}").as_bytes()).unwrap(), text);
    }

    #[test]
    fn encodings_are_told_by_declarations() {
        let latin = b"<?xml version='1.0' encoding = 'ISO-8859-1' ?><a>\xE9</a>";
        assert!(read(latin).unwrap().ends_with("<a>é</a>"));
        let error = read(b"<?xml version=\"1.0\" encoding=\"windows-1252\"?><a/>").unwrap_err();
        assert_eq!(error, "f:1:1: expected the encoding UTF-8, UTF-16 or ISO-8859-1, found `windows-1252`");
        assert!(read(b"<?xml encoding?><a/>").is_ok() && read(b"<?xml encoding=").is_ok());
    }

    #[test]
    fn places_count_lines_and_bytes() {
        for text in [&b"ab\n\xC3\xA9c"[..], &utf16("\u{feff}ab\néc", true)] {
            let mut places = Places::new(Input::from_bytes("f", text)).unwrap();
            for (line, column) in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (2, 4)] {
                assert_eq!(places.place(), Place { line, column });
                places.fill_buf().unwrap();
                places.consume(usize::from(places.place() != Place { line: 2, column: 4 }));
            }
            assert_eq!(places.decoded_bytes(), 6);
        }
    }
}
