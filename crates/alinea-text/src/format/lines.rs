//! Lines, checked for UTF-8 on the way.
//!
//! Only `\n` ends a line, and a last line without `\n` is a line. Every `\r` at its end goes with it, so that what is read
//! of a line can be written as a line and is read again. Every other character that some program calls a line break (vertical
//! tab, form feed, a `\r` that something follows, U+0085, U+2028) is an ordinary character, as is NUL: two files that `wc -l`
//! finds equally long are equally long here. Byte order marks at the very start are dropped.
//!
//! A line may have [`limits::LINE`] bytes; reading stops where one has more, wherever they come from.
//!
//! [`LineReader::read`] lends the line straight from the input's buffer where it lies in one piece, which is nearly
//! always; [`LineReader::read_into`] copies it to the caller's. What is not UTF-8 is an error that says where
//! ([`Utf8::Strict`]) or is replaced by U+FFFD and counted ([`Utf8::Lossy`]); old files are read as Latin-1 where the
//! caller says that they are ([`Utf8::Latin1`]).
//!
//! ```
//! use alinea::format::lines::{LineReader, Utf8};
//!
//! let mut lines = LineReader::new(&b"the house\r\nthe flower"[..], "<memory>", Utf8::Strict);
//! assert_eq!(lines.read()?, Some("the house"));
//! assert_eq!(lines.read()?, Some("the flower"));
//! assert_eq!(lines.number(), 2);
//! assert_eq!(lines.read()?, None);
//!
//! let mut lines = LineReader::new(&b"ok\ncaf\xe9\n"[..], "latin1.txt", Utf8::Strict);
//! assert_eq!(lines.read()?, Some("ok"));
//! let error = lines.read().unwrap_err().to_string();
//! assert_eq!(error, "latin1.txt:2:4: invalid UTF-8 at byte 6 of the file (`caf\\xE9`)");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::io::{self, BufRead};
use std::path::Path;

use bstr::ByteSlice;

use super::blanks::{self, Blanks, ForeignBlanks};
use super::other;
use super::source::{self, Input};
use crate::error::{Error, ErrorKind, Position, Result, Snippet};
use crate::limits;

/// How bytes become characters: what to do with those that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Utf8 {
    /// They are an error.
    #[default]
    Strict,
    /// Each maximal invalid sequence becomes U+FFFD.
    Lossy,
    /// The text is no UTF-8 but Latin-1 (ISO 8859-1): each byte is the character of that number. Nothing is invalid,
    /// and a byte order mark means nothing.
    Latin1,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads lines one by one.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    name: String,
    policy: Utf8,
    /// Lines read.
    number: u64,
    /// Bytes of the input that belong to the lines read.
    bytes: u64,
    /// Lines in which something was replaced.
    replaced: u64,
    /// Bytes of the lent line that are still in the input's buffer.
    pending: usize,
    /// A line that lay across the end of a buffer.
    carry: Vec<u8>,
    /// A line with replacements, or in another encoding.
    repaired: String,
    words: Option<Words>,
}

/// What a reader of sentences looks for.
#[derive(Debug)]
struct Words {
    blanks: Blanks,
    are_sentences: bool,
    /// Whether the caller counts blanks inside words.
    counted_by_caller: bool,
    /// Whether each sentence stands in a segment, as the first does.
    in_segments: bool,
    /// Those inside of words.
    foreign: Option<ForeignBlanks>,
    /// A line cut at them.
    cut: String,
}

/// Where the line just found lies.
enum Place {
    End,
    /// The first bytes of the input's buffer, its line break included.
    Buffer(usize),
    Carry,
}

impl LineReader<Input> {
    /// Opens a file, or standard input if the path is `-`.
    ///
    /// # Errors
    /// `Io` as [`source::open`].
    pub fn open(path: impl AsRef<Path>, policy: Utf8) -> Result<Self> {
        Ok(Self::from_input(source::open(path)?, policy))
    }

    /// Reads an opened input, under its name.
    pub fn from_input(input: Input, policy: Utf8) -> Self {
        let name = input.name().to_owned();
        Self::new(input, name, policy)
    }
}

impl<R: BufRead> LineReader<R> {
    /// Reads `input`, called `name` in messages.
    pub fn new(input: R, name: impl Into<String>, policy: Utf8) -> Self {
        Self {
            input,
            name: name.into(),
            policy,
            number: 0,
            bytes: 0,
            replaced: 0,
            pending: 0,
            carry: Vec::new(),
            repaired: String::new(),
            words: None,
        }
    }

    /// Says that the lines have words which are cut at these blanks: white space of other kinds becomes `' '`
    /// ([`Blanks::Unicode`]), or is counted ([`take_foreign_blanks`](Self::take_foreign_blanks)).
    #[must_use]
    pub fn of_words(mut self, blanks: Blanks) -> Self {
        self.words = Some(Words {
            blanks,
            are_sentences: false,
            counted_by_caller: false,
            in_segments: false,
            foreign: None,
            cut: String::new(),
        });
        self
    }

    /// Says besides that each line is a sentence, and the file none of trees: CoNLL-U is refused. Of a file whose first line is a segment
    /// `<s snum=0001> a sentence </s>`, as in the shared task of 2003, each line has to be one, and the sentence is what stands in it.
    #[must_use]
    pub fn of_sentences(self, blanks: Blanks) -> Self {
        let mut lines = self.of_words(blanks);
        lines.words.iter_mut().for_each(|words| words.are_sentences = true);
        lines
    }

    /// Says that each line is a pair of sentences, and that the file has no trees. Blanks inside words are left to the
    /// caller to count, who cuts the lines.
    #[must_use]
    pub(super) fn of_sentence_pairs(self) -> Self {
        let mut lines = self.of_sentences(Blanks::Ascii);
        lines.words.iter_mut().for_each(|words| words.counted_by_caller = true);
        lines
    }

    /// White space other than blanks and tabs inside of words, in the lines read since this was asked last; nothing if the
    /// reader does not look for it, or cuts there.
    pub fn take_foreign_blanks(&mut self) -> Option<ForeignBlanks> {
        self.words.as_mut().and_then(|words| words.foreign.take())
    }

    /// The next line without its line break, or nothing at the end.
    ///
    /// # Errors
    /// `Io`; `OtherFormat` for a file that is no text; `OverLimit` for a line that is longer than [`limits::LINE`]; under
    /// [`Utf8::Strict`] `InvalidUtf8`. After an error of the last kind the reader can go on with the next line.
    pub fn read(&mut self) -> Result<Option<&str>> {
        let start = self.bytes;
        let place = self.find_line()?;
        if start == 0 {
            self.refuse_other_formats(&place)?;
        }
        let raw = match place {
            Place::End => return Ok(None),
            Place::Buffer(length) => &self.input.fill_buf().map_err(|error| Error::io(&self.name, error))?[..length],
            Place::Carry => &self.carry[..],
        };
        let mut line = without_break(raw);
        let mut offset = start;
        if start == 0 && self.policy != Utf8::Latin1 {
            while let Some(rest) = line.strip_prefix(BYTE_ORDER_MARK) {
                line = rest;
                offset += BYTE_ORDER_MARK.len() as u64;
            }
        }
        let text = match (simdutf8::compat::from_utf8(line), self.policy) {
            (_, Utf8::Latin1) => {
                self.repaired.clear();
                self.repaired.extend(line.iter().map(|&byte| char::from(byte)));
                &self.repaired
            }
            (Ok(text), _) => text,
            (Err(error), Utf8::Strict) => {
                return Err(invalid(&self.name, self.number, offset, line, error.valid_up_to()));
            }
            (Err(_), Utf8::Lossy) => {
                self.replaced += 1;
                self.repaired.clear();
                line.to_str_lossy_into(&mut self.repaired);
                &self.repaired
            }
        };
        let Some(words) = &mut self.words else { return Ok(Some(text)) };
        if start == 0
            && words.are_sentences
            && let Some(format) = other::no_sentences(text)
        {
            return Err(format.refused(&self.name, "text with one sentence per line"));
        }
        if start == 0 {
            words.in_segments = words.are_sentences && !words.counted_by_caller && segment(text).is_some();
        }
        let text = if words.in_segments {
            segment(text).ok_or_else(|| {
                let position = Position::new(self.name.as_str(), self.number, 1);
                Error::parse(position, "a segment such as `<s snum=0001> a sentence </s>`, as before", text.as_bytes())
            })?
        } else {
            text
        };
        words.look(text, || Position::new(self.name.as_str(), self.number, 0));
        Ok(Some(if words.cut.is_empty() { text } else { &words.cut }))
    }

    /// Puts the next line without its line break into `line`; says whether there was one.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_into(&mut self, line: &mut String) -> Result<bool> {
        line.clear();
        match self.read()? {
            Some(text) => {
                line.push_str(text);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Counts the lines that are left, without looking at what they contain, and returns the number of all lines.
    ///
    /// # Errors
    /// `Io`, `OverLimit`.
    pub fn count_all(&mut self) -> Result<u64> {
        while !matches!(self.find_line()?, Place::End) {}
        Ok(self.number)
    }

    /// The number of the line read last, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The name used in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A place in the line read last; the column is in bytes, from 1, or 0 for the whole line.
    pub fn position(&self, column: usize) -> Position {
        Position::new(self.name.as_str(), self.number, column as u64)
    }

    /// The (decompressed) bytes of all lines read so far, line breaks included.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Refuses a sentence of many lines that is longer than [`limits::SENTENCE`]; before its first line so many
    /// [`bytes`](Self::bytes) were read.
    pub(crate) fn check_sentence(&self, before: u64) -> Result<()> {
        let at = |error: Error| error.at(format_args!("{}:{}", self.name, self.number));
        limits::SENTENCE.check(self.bytes - before).map_err(at)
    }

    /// In how many lines something was replaced by U+FFFD.
    pub fn replaced_lines(&self) -> u64 {
        self.replaced
    }

    /// `OtherFormat` if the first line is the beginning of something that has no lines of text.
    #[cold]
    fn refuse_other_formats(&mut self, place: &Place) -> Result<()> {
        let Self { input, carry, name, .. } = self;
        let found = match *place {
            Place::End => None,
            Place::Buffer(length) => {
                let buffer = input.fill_buf().map_err(|error| Error::io(&*name, error))?;
                let (line, rest) = buffer.split_at(length);
                other::no_lines(line, || rest.to_vec())
            }
            Place::Carry => other::no_lines(carry, || input.fill_buf().map(<[u8]>::to_vec).unwrap_or_default()),
        };
        found.map_or(Ok(()), |format| Err(format.refused(name, "UTF-8 text")))
    }

    /// Finds the end of the next line and counts it.
    fn find_line(&mut self) -> Result<Place> {
        self.input.consume(std::mem::take(&mut self.pending));
        self.carry.clear();
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::io(&self.name, error)),
            };
            let (length, complete) = match memchr::memchr(b'\n', buffer) {
                Some(end) => (end + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            if (self.carry.len() + length) as u64 > limits::LINE.most + u64::from(complete) {
                return Err(limits::LINE.unbounded().at(format_args!("{}:{}", self.name, self.number + 1)));
            }
            if complete && self.carry.is_empty() {
                if length == 0 {
                    return Ok(Place::End);
                }
                self.pending = length;
                self.number += 1;
                self.bytes += length as u64;
                return Ok(Place::Buffer(length));
            }
            self.carry.extend_from_slice(&buffer[..length]);
            self.input.consume(length);
            if complete {
                self.number += 1;
                self.bytes += self.carry.len() as u64;
                return Ok(Place::Carry);
            }
        }
    }
}

impl Words {
    /// Counts blanks inside of words, or makes a line of which they are gone, which is empty if there are none.
    fn look(&mut self, text: &str, line: impl FnOnce() -> Position) {
        match self.blanks {
            Blanks::Ascii if self.counted_by_caller => {}
            Blanks::Ascii => ForeignBlanks::add(&mut self.foreign, ForeignBlanks::of_line(text, line)),
            Blanks::Unicode => {
                self.cut.clear();
                if blanks::find(text.as_bytes()).is_some() {
                    blanks::replace(text, &mut self.cut);
                }
            }
        }
    }
}

/// What stands in a segment, without the blanks around.
fn segment(line: &str) -> Option<&str> {
    let line = line.trim_ascii().strip_prefix("<s snum=")?.strip_suffix("</s>")?;
    line.split_once('>').map(|(_, sentence)| sentence.trim_ascii())
}

/// A line without what ends it.
#[inline]
fn without_break(raw: &[u8]) -> &[u8] {
    let mut line = raw.strip_suffix(b"\n").unwrap_or(raw);
    while let [before @ .., b'\r'] = line {
        line = before;
    }
    line
}

/// The error for the byte `bad` of a line that begins at `offset`; the snippet begins a little before it.
#[cold]
pub(super) fn invalid(name: &str, number: u64, offset: u64, line: &[u8], bad: usize) -> Error {
    const BEFORE: usize = 20;
    let mut from = bad.saturating_sub(BEFORE);
    while from < bad && (line[from] & 0xC0) == 0x80 {
        from += 1;
    }
    let to = line.len().min(bad + BEFORE);
    ErrorKind::InvalidUtf8 {
        position: Position::new(name, number, bad as u64 + 1),
        offset: offset + bad as u64,
        found: Snippet::new(&line[from..to]),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    fn all(bytes: &[u8], capacity: usize, policy: Utf8) -> Result<Vec<String>> {
        let mut lines = LineReader::new(BufReader::with_capacity(capacity, bytes), "f", policy);
        let mut result = Vec::new();
        while let Some(line) = lines.read()? {
            result.push(line.to_owned());
        }
        assert_eq!(lines.bytes(), bytes.len() as u64);
        assert_eq!(lines.number(), result.len() as u64);
        Ok(result)
    }

    #[test]
    fn only_newlines_end_lines() {
        for capacity in [1, 2, 3, 7, 4096] {
            let read = |bytes: &[u8]| all(bytes, capacity, Utf8::Strict).unwrap();
            assert_eq!(read(b""), [""; 0]);
            assert_eq!(read(b"\n"), [""]);
            assert_eq!(read(b"a"), ["a"]);
            assert_eq!(read(b"a\n\nb"), ["a", "", "b"]);
            assert_eq!(read(b"a\r\nb\r\r\nc\r"), ["a", "b", "c"]);
            assert_eq!(read(b"a\rb\x0bc\x0cd\0e\n"), ["a\rb\x0bc\x0cd\0e"]);
            let breaks = "a\u{85}b\u{2028}c\u{2029}d\n";
            assert_eq!(read(breaks.as_bytes()), [breaks.trim_end_matches('\n')]);
            assert_eq!(read(b"\xEF\xBB\xBFa\n\xEF\xBB\xBFb\n"), ["a", "\u{FEFF}b"]);
            assert_eq!(read(b"\xEF\xBB\xBF"), [""]);
        }
    }

    #[test]
    fn segments_are_cut_out_of_sentences() {
        let read = |text: &str| {
            let mut lines = LineReader::new(text.as_bytes(), "f", Utf8::Strict).of_sentences(Blanks::Ascii);
            let mut result = Vec::new();
            while let Some(line) = lines.read()? {
                result.push(line.to_owned());
            }
            Ok::<_, Error>(result)
        };
        assert_eq!(read("<s snum=0001> mr. x </s>\n<s snum=0002></s>\n").unwrap(), ["mr. x", ""]);
        let message = read("<s snum=0001> a </s>\nb\n").unwrap_err().to_string();
        assert!(message.starts_with("f:2:1: expected a segment such as"), "{message}");
        assert_eq!(read("a\n<s snum=0001> b </s>\n").unwrap(), ["a", "<s snum=0001> b </s>"]);
    }

    /// Bytes that a reader took from an endless line.
    struct Endless(u64);

    impl io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'a');
            self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn reading_stops_at_the_longest_line() {
        for count in [false, true] {
            let mut input = BufReader::with_capacity(1 << 20, Endless(0));
            let mut lines = LineReader::new(&mut input, "f", Utf8::Strict);
            let error = if count { lines.count_all().unwrap_err() } else { lines.read().unwrap_err() };
            let expected = "f:1: bytes of a line: 67108865 or more, more than the limit of 67108864";
            assert_eq!(error.to_string(), expected);
            assert!(lines.carry.capacity() as u64 <= 2 * limits::LINE.most);
            assert!(input.get_ref().0 <= limits::LINE.most + (1 << 20), "{} bytes were read", input.get_ref().0);
        }
        let longest = vec![b'a'; limits::LINE.most as usize];
        for rest in [&b""[..], b"\n", b"\nb"] {
            let input = io::Read::chain(&longest[..], rest);
            let mut lines = LineReader::new(BufReader::new(input), "f", Utf8::Strict);
            assert_eq!(lines.read().unwrap().map(str::len), Some(longest.len()));
        }
        let mut lines = LineReader::new(BufReader::new(io::Read::chain(&longest[..], &b"a\n"[..])), "f", Utf8::Strict);
        assert!(lines.read().is_err());
    }

    #[test]
    fn invalid_bytes_have_a_place() {
        for capacity in [1, 5, 4096] {
            let error = all(b"\xEF\xBB\xBFab\xC3\n", capacity, Utf8::Strict).unwrap_err();
            assert_eq!(error.to_string(), "f:1:3: invalid UTF-8 at byte 5 of the file (`ab\\xC3`)");
            let error = all("é\r\nüx\u{0}".as_bytes().repeat(2).as_slice(), capacity, Utf8::Strict);
            assert!(error.is_ok());
            let error = all(b"one\r\n\xC3\xA9\xFFz\n", capacity, Utf8::Strict).unwrap_err();
            assert_eq!(error.to_string(), "f:2:3: invalid UTF-8 at byte 7 of the file (`é\\xFFz`)");
        }
        let lossy = all(b"a\xFFb\xE2\x82\nok\n", 4, Utf8::Lossy).unwrap();
        assert_eq!(lossy, ["a\u{FFFD}b\u{FFFD}", "ok"]);
    }

    #[test]
    fn bytes_of_latin_1_are_the_first_characters_of_unicode() {
        let every: Vec<u8> = (0..=255u8).filter(|byte| !b"\r\n".contains(byte)).collect();
        let expected: String = every.iter().map(|&byte| char::from_u32(u32::from(byte)).unwrap()).collect();
        for capacity in [3, 4096] {
            let bytes = [every.as_slice(), b"\r\n\xEF\xBB\xBFcaf\xE9"].concat();
            assert_eq!(all(&bytes, capacity, Utf8::Latin1).unwrap(), [expected.as_str(), "ï»¿café"]);
        }
        assert_eq!(all(b"\xEF\xBB\xBFa\n", 9, Utf8::Latin1).unwrap(), ["ï»¿a"]);
    }

    #[test]
    fn reading_goes_on_after_an_invalid_line() {
        let mut lines = LineReader::new(&b"\xFF\nb\nc\nd"[..], "f", Utf8::Strict);
        assert!(lines.read().is_err());
        assert_eq!(lines.read().unwrap(), Some("b"));
        assert_eq!(lines.position(3).to_string(), "f:2:3");
        assert_eq!(lines.count_all().unwrap(), 4);
        assert_eq!(lines.read().unwrap(), None);
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_the_buffer(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a'), any::<u8>()], 0..60),
            capacity in 1usize..20,
        ) {
            prop_assume!(other::no_lines(&bytes, Vec::new).is_none());
            let expected: Vec<String> = {
                let mut text = &bytes[..];
                while let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
                    text = rest;
                }
                let pieces = text.split_inclusive(|&b| b == b'\n');
                let ends = |p: &&[u8]| p.strip_suffix(b"\n").unwrap_or(p).trim_end_with(|end| end == '\r').to_vec();
                let lines: Vec<Vec<u8>> = if text.is_empty() && !bytes.is_empty() { vec![Vec::new()] } else { pieces.map(|p| ends(&p)).collect() };
                lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
            };
            prop_assert_eq!(all(&bytes, capacity, Utf8::Lossy).unwrap(), expected);
            let _ = all(&bytes, capacity, Utf8::Strict).is_ok();
        }
    }
}
