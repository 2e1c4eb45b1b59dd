//! What readers of all syntaxes fill: text and tags.

use std::ops::Range;

use regex::Regex;

use super::{InlineTag, Role, Segment, Syntax, references};
use crate::error::{Error, Position};

/// What is wrong with a segment, and where.
#[derive(Debug)]
pub(super) struct Fault {
    at: usize,
    expected: String,
    found: String,
}

impl Fault {
    pub(super) fn new(at: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { at, expected: expected.into(), found: found.into() }
    }

    pub(super) fn tag_in_translation(at: usize, code: &str) -> Self {
        Self::new(at, "a translation without tags", code)
    }

    /// In a line; what was found is the rest of it if nothing else is known.
    pub(super) fn at(self, line: &Position, raw: &str) -> Error {
        let Self { at, expected, found } = self;
        let position = Position { column: at as u64 + 1, ..line.clone() };
        let found = if found.is_empty() { &raw[at..] } else { &found };
        Error::parse(position, expected, found.as_bytes())
    }
}

/// A segment that is being read.
pub(super) struct Builder<'a> {
    raw: &'a str,
    syntax: Syntax,
    placeholders: &'a [Regex],
    text: String,
    tags: Vec<InlineTag>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(raw: &'a str, syntax: Syntax, placeholders: &'a [Regex]) -> Self {
        Self { raw, syntax, placeholders, text: String::new(), tags: Vec::new() }
    }

    /// Adds text, with placeholders in it.
    pub(super) fn text(&mut self, range: Range<usize>) -> Result<(), Fault> {
        let mut from = range.start;
        for found in matches(&self.raw[range.clone()], self.placeholders) {
            let found = range.start + found.start..range.start + found.end;
            self.plain(from..found.start)?;
            from = found.end;
            self.tag(found, true);
        }
        self.plain(from..range.end)
    }

    /// Adds text that has no placeholders.
    fn plain(&mut self, range: Range<usize>) -> Result<(), Fault> {
        if self.syntax.is_angle() {
            return references::decode(self.raw, range, self.syntax, |_, text| self.text.push_str(text));
        }
        self.text.push_str(&self.raw[range]);
        Ok(())
    }

    /// Adds text in which nothing has a meaning.
    pub(super) fn verbatim(&mut self, range: Range<usize>) {
        self.text.push_str(&self.raw[range]);
    }

    /// Adds a tag that stands alone as long as nobody says otherwise.
    pub(super) fn tag(&mut self, code: Range<usize>, is_standalone: bool) -> usize {
        self.tags.push(InlineTag { code, at: self.text.len(), role: Role::Alone, is_standalone });
        self.tags.len() - 1
    }

    /// Two tags are a pair.
    pub(super) fn pair(&mut self, open: usize, close: usize) {
        self.tags[open].role = Role::Open(close);
        self.tags[close].role = Role::Close(open);
    }

    pub(super) fn finish(self) -> Segment {
        Segment { raw: self.raw.to_owned(), text: self.text, tags: self.tags }
    }
}

/// Where expressions match, without overlaps, in order.
pub(super) fn matches(text: &str, expressions: &[Regex]) -> Vec<Range<usize>> {
    let mut all: Vec<(usize, usize, usize)> = Vec::new();
    for (number, expression) in expressions.iter().enumerate() {
        all.extend(expression.find_iter(text).map(|found| (found.start(), number, found.end())));
    }
    all.sort_unstable();
    let mut end = 0;
    all.retain(|&(start, _, stop)| {
        let stays = start >= end && stop > start;
        end = if stays { stop } else { end };
        stays
    });
    all.into_iter().map(|(start, _, stop)| start..stop).collect()
}
