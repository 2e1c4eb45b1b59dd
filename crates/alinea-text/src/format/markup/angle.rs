//! What is in angle brackets: tags, comments, instructions, CDATA.

use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

use super::Syntax;
use super::build::Fault;

/// What a piece in angle brackets is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// `<name ...>`
    Start,
    /// `</name>`
    End,
    /// `<name .../>`
    Empty,
    /// A comment, an instruction, a declaration.
    Other,
    /// CDATA, with the text in it.
    Data(Range<usize>),
}

/// A piece in angle brackets.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    /// All of it.
    pub(super) range: Range<usize>,
    /// Its name, if it has one.
    pub(super) name: Range<usize>,
    /// Where attributes may be.
    attributes: Range<usize>,
}

impl Piece {
    /// The value of an attribute, as it is written.
    pub(super) fn attribute<'r>(&self, raw: &'r str, wanted: &str) -> Option<&'r str> {
        let mut rest = raw[self.attributes.clone()].trim_start();
        while let Some(end) = rest.find('=') {
            let name = rest[..end].trim();
            let value = rest[end + 1..].trim_start();
            let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
            let (value, after) = match quote {
                Some(quote) => value[1..].split_once(quote)?,
                None => value.split_once(|blank: char| blank.is_ascii_whitespace()).unwrap_or((value, "")),
            };
            if name == wanted {
                return Some(value);
            }
            rest = after.trim_start();
        }
        None
    }
}

/// The next piece from a place on; the text before it is no piece.
pub(super) fn next(raw: &str, mut from: usize, syntax: Syntax) -> Result<Option<Piece>, Fault> {
    while let Some(step) = memchr(b'<', &raw.as_bytes()[from..]) {
        let start = from + step;
        if let Some(piece) = piece(raw, start, syntax)? {
            return Ok(Some(piece));
        }
        from = start + 1;
    }
    Ok(None)
}

/// The piece that begins at a place; none if that is text, as it may be in HTML.
fn piece(raw: &str, start: usize, syntax: Syntax) -> Result<Option<Piece>, Fault> {
    let rest = &raw[start + 1..];
    let other = |skip: usize, end: &str| {
        let stop = find(raw, start, skip, end)?;
        Ok(Some(Piece { kind: Kind::Other, range: start..stop, name: start..start, attributes: start..start }))
    };
    if rest.starts_with("!--") {
        return other(4, "-->");
    }
    if rest.starts_with("![CDATA[") && syntax != Syntax::Html {
        let stop = find(raw, start, 9, "]]>")?;
        let data = Kind::Data(start + 9..stop - 3);
        return Ok(Some(Piece { kind: data, range: start..stop, name: start..start, attributes: start..start }));
    }
    if rest.starts_with('!') {
        return other(2, ">");
    }
    if rest.starts_with('?') {
        return other(2, if syntax == Syntax::Html { ">" } else { "?>" });
    }
    let is_end = rest.starts_with('/');
    let from = start + 1 + usize::from(is_end);
    let is_first = |first: char| {
        first.is_ascii_alphabetic() || syntax != Syntax::Html && (matches!(first, '_' | ':') || first.is_alphabetic())
    };
    if !raw[from..].starts_with(is_first) {
        if syntax == Syntax::Html {
            return Ok(None);
        }
        return Err(Fault::new(start, "a tag, or `&lt;`", raw[start..].chars().take(12).collect::<String>()));
    }
    let length = raw[from..].find(|end: char| end.is_ascii_whitespace() || matches!(end, '>' | '/' | '<'));
    let name = from..length.map_or(raw.len(), |length| from + length);
    let stop = tag_end(raw, start, name.end)?;
    let kind = match (is_end, raw[..stop].ends_with("/>")) {
        (true, _) => Kind::End,
        (false, true) => Kind::Empty,
        (false, false) => Kind::Start,
    };
    let attributes = name.end..stop - if kind == Kind::Empty { 2 } else { 1 };
    Ok(Some(Piece { kind, range: start..stop, name, attributes }))
}

/// Where something ends that begins at `start`.
fn find(raw: &str, start: usize, skip: usize, end: &str) -> Result<usize, Fault> {
    let from = raw.len().min(start + skip);
    match memmem::find(&raw.as_bytes()[from..], end.as_bytes()) {
        Some(length) => Ok(from + length + end.len()),
        None => Err(Fault::new(start, format!("`{end}` at its end"), "")),
    }
}

/// Where a tag ends: behind a `>` that is not in quotes.
fn tag_end(raw: &str, start: usize, mut from: usize) -> Result<usize, Fault> {
    let bytes = raw.as_bytes();
    loop {
        let found = memchr3(b'>', b'"', b'\'', &bytes[from..]);
        let at = from + found.ok_or_else(|| Fault::new(start, "a tag that ends with `>`", ""))?;
        if let Some(other) = memchr(b'<', &bytes[from..at]) {
            return Err(Fault::new(from + other, "a tag that ends with `>` before the next one", ""));
        }
        if bytes[at] == b'>' {
            return Ok(at + 1);
        }
        let Some(length) = memchr(bytes[at], &bytes[at + 1..]) else {
            return Err(Fault::new(at, "a value that ends with a quotation mark", ""));
        };
        from = at + length + 2;
    }
}
