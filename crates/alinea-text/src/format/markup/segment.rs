//! A segment: its text and its tags.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::format::tokens::{self, Tokenize};

/// How tags are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Syntax {
    /// A fragment of XML.
    #[default]
    Xml,
    /// A fragment of HTML, with all elements closed.
    Html,
    /// A `source` of XLIFF 1.2 or 2.
    Xliff,
    /// A `seg` of TMX 1.4.
    Tmx,
    /// Unified Standard Format Markers.
    Usfm,
    /// None but placeholders.
    Plain,
}

impl Syntax {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Xml, Self::Html, Self::Xliff, Self::Tmx, Self::Usfm, Self::Plain];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xml => "xml",
            Self::Html => "html",
            Self::Xliff => "xliff",
            Self::Tmx => "tmx",
            Self::Usfm => "usfm",
            Self::Plain => "plain",
        }
    }

    /// Whether tags are in angle brackets, and text is escaped.
    pub(super) const fn is_angle(self) -> bool {
        !matches!(self, Self::Usfm | Self::Plain)
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Syntax {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|syntax| syntax.name() == name);
        known.ok_or_else(|| Error::config("syntax", name, "xml, html, xliff, tmx, usfm or plain"))
    }
}

/// What a tag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It opens what the tag of this number closes.
    Open(usize),
    /// It closes what the tag of this number opens.
    Close(usize),
    /// Neither.
    Alone,
}

/// A tag of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineTag {
    /// Its bytes in the segment as it is written.
    pub code: Range<usize>,
    /// Its place in the text, in bytes.
    pub at: usize,
    /// What it does.
    pub role: Role,
    /// Whether it is well-formed without its partner, so that its pair may overlap others.
    pub is_standalone: bool,
}

/// A segment taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    /// As it is written.
    pub raw: String,
    /// Its text, without tags, as it is meant.
    pub text: String,
    /// Its tags, in order.
    pub tags: Vec<InlineTag>,
}

impl Segment {
    /// A tag as it is written.
    pub fn code(&self, tag: usize) -> &str {
        &self.raw[self.tags[tag].code.clone()]
    }

    /// Its words, as bytes of its text.
    ///
    /// A word ends at a tag that stands alone, and where one pair ends and another begins (`</li><li>`), but not at other tags:
    /// `<b>H</b>ello` is one word.
    pub fn words(&self, tokenize: Tokenize) -> Vec<Range<usize>> {
        let mut cuts = Vec::new();
        let mut closed_at = None;
        for tag in &self.tags {
            match tag.role {
                Role::Alone => cuts.push(tag.at),
                Role::Close(_) => closed_at = Some(tag.at),
                Role::Open(_) if closed_at == Some(tag.at) => cuts.push(tag.at),
                Role::Open(_) => {}
            }
        }
        cut(tokens::places(&self.text, tokenize), &cuts)
    }
}

/// Cuts words at places, which are in order.
fn cut(words: Vec<Range<usize>>, places: &[usize]) -> Vec<Range<usize>> {
    if places.is_empty() {
        return words;
    }
    let mut places = places.iter().copied().peekable();
    let mut cut = Vec::with_capacity(words.len());
    for Range { mut start, end } in words {
        while let Some(place) = places.next_if(|&place| place < end) {
            if place > start {
                cut.push(start..place);
                start = place;
            }
        }
        cut.push(start..end);
    }
    cut
}
