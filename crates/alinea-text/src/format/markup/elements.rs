//! Fragments of XML and HTML: elements, and what stands alone.

use super::Syntax;
use super::angle::{Kind, Piece, next};
use super::build::{Builder, Fault};

/// Elements of HTML that have no end (HTML Standard, section 13.1.2, void elements, with two that are obsolete).
const VOID: [&str; 15] = [
    "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Elements of HTML whose content is no text.
const CODE: [&str; 2] = ["script", "style"];

/// Elements that are open.
pub(super) struct OpenElements<'r> {
    raw: &'r str,
    syntax: Syntax,
    open: Vec<(usize, Piece)>,
}

impl<'r> OpenElements<'r> {
    pub(super) fn new(raw: &'r str, syntax: Syntax) -> Self {
        Self { raw, syntax, open: Vec::new() }
    }

    fn is_same(&self, one: &Piece, other: &Piece) -> bool {
        let [one, other] = [one, other].map(|piece| &self.raw[piece.name.clone()]);
        one == other || self.syntax == Syntax::Html && one.eq_ignore_ascii_case(other)
    }

    /// Adds a start or an end.
    pub(super) fn add(&mut self, piece: Piece, builder: &mut Builder<'_>) -> Result<(), Fault> {
        let raw = self.raw;
        if piece.kind == Kind::Start {
            let tag = builder.tag(piece.range.clone(), false);
            self.open.push((tag, piece));
            return Ok(());
        }
        match self.open.pop() {
            Some((open, start)) if self.is_same(&start, &piece) => {
                let close = builder.tag(piece.range, false);
                builder.pair(open, close);
                Ok(())
            }
            Some((_, start)) => {
                let column = start.range.start + 1;
                let expected = format!("`</{}>`, the end of the element of column {column}", &raw[start.name]);
                Err(Fault::new(piece.range.start, expected, &raw[piece.range]))
            }
            None => Err(Fault::new(piece.range.start, "no end tag, since nothing is open", &raw[piece.range])),
        }
    }

    /// Refuses what is not closed.
    pub(super) fn finish(mut self) -> Result<(), Fault> {
        match self.open.pop() {
            Some((_, start)) => {
                let expected = format!("an element that is closed by `</{}>`", &self.raw[start.name]);
                Err(Fault::new(start.range.start, expected, &self.raw[start.range]))
            }
            None => Ok(()),
        }
    }
}

/// Reads a fragment.
pub(super) fn read(raw: &str, syntax: Syntax, builder: &mut Builder<'_>) -> Result<(), Fault> {
    let mut open = OpenElements::new(raw, syntax);
    let mut from = 0;
    while let Some(piece) = next(raw, from, syntax)? {
        builder.text(from..piece.range.start)?;
        from = piece.range.end;
        let is_one_of = |names: &[&str]| {
            syntax == Syntax::Html && names.iter().any(|name| raw[piece.name.clone()].eq_ignore_ascii_case(name))
        };
        match piece.kind.clone() {
            Kind::Data(text) => builder.verbatim(text),
            Kind::Empty | Kind::Other => _ = builder.tag(piece.range, true),
            Kind::Start if is_one_of(&VOID) => _ = builder.tag(piece.range, true),
            Kind::Start if is_one_of(&CODE) => {
                from = end_of_code(raw, &piece)?;
                builder.tag(piece.range.start..from, true);
            }
            Kind::Start | Kind::End => open.add(piece, builder)?,
        }
    }
    builder.text(from..raw.len())?;
    open.finish()
}

/// Where a script or a style ends, behind its end tag.
fn end_of_code(raw: &str, piece: &Piece) -> Result<usize, Fault> {
    let name = &raw[piece.name.clone()];
    let mut from = piece.range.end;
    while let Some(step) = raw[from..].find("</") {
        let start = from + step + 2;
        let end = start + name.len();
        if raw.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            let Some(length) = raw[end..].find('>') else { break };
            return Ok(end + length + 1);
        }
        from = start;
    }
    Err(Fault::new(piece.range.start, format!("an element that is closed by `</{name}>`"), &raw[piece.range.clone()]))
}
