//! Segments with inline markup: text and tags, taken apart and put together again.
//!
//! A segment is a line with tags in it: a piece of XML or HTML, of XLIFF or TMX, or of a text of the Bible in USFM. [`Markup`] reads it
//! as a [`Segment`]: its text without tags, references such as `&amp;` replaced by what they mean, and for each [`InlineTag`] its
//! bytes as they stand there, its place in the text, and its [`Role`]: it opens or closes something, or stands alone.
//!
//! | [`Syntax`] | pairs | alone | not text |
//! |---|---|---|---|
//! | `Xml` | elements | `<x/>`, comments, instructions | |
//! | `Html` | elements | void elements such as `<br>`, `<x/>`, comments | `script`, `style` |
//! | `Xliff` (1.2, 2) | `g` `mrk` `pc`; `bx`–`ex`, `bpt`–`ept` by `rid` or `id`; `sc`–`ec`, `sm`–`em` by `startRef` | `x` `ph` `it` `cp`, one of a pair without the other | what is in `bpt` `ept` `ph` `it` |
//! | `Tmx` | `hi`; `bpt`–`ept` by `i` | `ph` `it` `ut` | what is in `bpt` `ept` `ph` `it` `ut` |
//! | `Usfm` | `\nd LORD\nd*`, `\+nd`; attributes belong to the end | markers without end; `\v 1`; milestones | notes, figures |
//! | `Plain` | | | |
//!
//! Beside them, whatever a regular expression matches in the text as it is written stands alone ([`Markup::with_placeholders`]). Elements nest,
//! or they are refused with their place; pairs of tags that stand alone (`bx`–`ex`) may overlap. CDATA is text.
//!
//! The [`Translation`] of a segment is text without tags. It is taken as it is, and escaped when it is written; or it is escaped
//! already. A translation that has tags is refused: whose places would those be? [`write()`] puts tags into it, and changes nothing else:
//! if what is written is read again, its text is the translation.
//!
//! [`Segment::words`] and [`Translation::words`] are the words that links count, the same on both sides: those of [`Tokenize::Script`](super::tokens::Tokenize::Script), unless told otherwise.
//!
//! ```
//! use alinea::error::Position;
//! use alinea::format::markup::{Markup, Place, Role, Syntax, write};
//!
//! let markup = Markup::new(Syntax::Xml);
//! let line = Position::new("text.xml", 1, 0);
//! let segment = markup.segment("Save &amp; <b id='1'>close</b>", &line)?;
//! assert_eq!(segment.text, "Save & close");
//! assert_eq!((segment.code(0), segment.tags[0].role, segment.tags[0].at), ("<b id='1'>", Role::Open(1), 7));
//!
//! let translation = markup.translation("Sichern & schließen", &segment, &line)?;
//! let places = [Place { tag: 0, at: 10 }, Place { tag: 1, at: 20 }];
//! assert_eq!(write(&segment, &translation, &places), "Sichern &amp; <b id='1'>schließen</b>");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod angle;
mod build;
mod elements;
mod exchange;
mod references;
mod segment;
mod translation;
mod usfm;

#[cfg(test)]
mod tests;

use regex::Regex;

use self::build::{Builder, Fault};
pub use self::segment::{InlineTag, Role, Segment, Syntax};
pub use self::translation::{Place, Translation, TranslationWord, write};
use crate::error::{Error, Position, Result};

/// How segments are marked up.
#[derive(Debug, Clone)]
pub struct Markup {
    syntax: Syntax,
    placeholders: Vec<Regex>,
    is_escaped: bool,
}

impl Markup {
    /// By tags of a syntax.
    pub fn new(syntax: Syntax) -> Self {
        Self { syntax, placeholders: Vec::new(), is_escaped: false }
    }

    /// Also by what these regular expressions match (those of the crate `regex`), in the text as it is written. Where two overlap, the one that begins first is
    /// taken, then that of the expression given first.
    ///
    /// # Errors
    /// `Config` for an expression that is none.
    pub fn with_placeholders<S: AsRef<str>>(mut self, expressions: &[S]) -> Result<Self> {
        for expression in expressions.iter().map(AsRef::as_ref) {
            let compiled = Regex::new(expression);
            self.placeholders
                .push(compiled.map_err(|_| Error::config("placeholder", expression, "a regular expression"))?);
        }
        Ok(self)
    }

    /// Whether translations are escaped already: `&amp;` in them is `&`.
    #[must_use]
    pub fn with_escaped_translations(mut self, is_escaped: bool) -> Self {
        self.is_escaped = is_escaped;
        self
    }

    /// Takes a segment apart, in time proportional to its length. `line` is where it stands.
    ///
    /// # Errors
    /// `Parse` with the column for a tag that is not complete, closes nothing, or is not closed; and for `<` or `&` that should have been escaped.
    pub fn segment(&self, raw: &str, line: &Position) -> Result<Segment> {
        let mut builder = Builder::new(raw, self.syntax, &self.placeholders);
        let read = match self.syntax {
            Syntax::Xml | Syntax::Html => elements::read(raw, self.syntax, &mut builder),
            Syntax::Xliff | Syntax::Tmx => exchange::read(raw, self.syntax, &mut builder),
            Syntax::Usfm => usfm::read(raw, &mut builder),
            Syntax::Plain => builder.text(0..raw.len()),
        };
        read.map_err(|fault| fault.at(line, raw))?;
        Ok(builder.finish())
    }

    /// Reads the translation of a segment. `line` is where it stands.
    ///
    /// # Errors
    /// `Parse` with the column if it has tags: any, if translations are escaped, or under USFM; otherwise one of those of the segment.
    pub fn translation(&self, raw: &str, segment: &Segment, line: &Position) -> Result<Translation> {
        let read = if self.is_escaped && self.syntax.is_angle() {
            Translation::escaped(raw, self.syntax)
                .and_then(|read| self.refuse_placeholders(raw, segment).map(|()| read))
        } else {
            self.refuse_tags(raw, segment).map(|()| Translation::plain(raw, self.syntax.is_angle()))
        };
        read.map_err(|fault| fault.at(line, raw))
    }

    fn refuse_tags(&self, raw: &str, segment: &Segment) -> Result<(), Fault> {
        if self.syntax == Syntax::Usfm {
            usfm::refuse(raw)?;
        } else if self.syntax.is_angle() {
            translation::refuse_codes(raw, segment)?;
        }
        self.refuse_placeholders(raw, segment)
    }

    fn refuse_placeholders(&self, raw: &str, segment: &Segment) -> Result<(), Fault> {
        if self.placeholders.is_empty() {
            return Ok(());
        }
        let known: std::collections::BTreeSet<&str> = (0..segment.tags.len()).map(|tag| segment.code(tag)).collect();
        let found = build::matches(raw, &self.placeholders).into_iter();
        match found.map(|range| (range.start, &raw[range])).find(|(_, code)| known.contains(code)) {
            Some((at, code)) => Err(Fault::tag_in_translation(at, code)),
            None => Ok(()),
        }
    }
}
