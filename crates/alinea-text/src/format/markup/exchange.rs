//! Segments of XLIFF and TMX: what their inline elements are.
//!
//! XLIFF 1.2 (OASIS 2008, section 2.4), XLIFF 2.1 (OASIS 2018, section 4.2.3), TMX 1.4b (LISA 2005, section 2.2). Native code in an
//! element, and text in it that is a segment of its own (`sub`), are part of the tag.

use std::collections::BTreeMap;

use super::Syntax;
use super::angle::{Kind, Piece, next};
use super::build::{Builder, Fault};
use super::elements::OpenElements;

/// What an element with code is.
#[derive(Clone, Copy)]
enum Part {
    /// It opens the pair of this kind that an attribute names.
    Opens(u8),
    Closes(u8),
    Alone,
}

/// What an element is that has code in it, or nothing.
fn part(name: &str, syntax: Syntax) -> Option<Part> {
    let part = match (name, syntax) {
        ("bpt", _) => Part::Opens(0),
        ("ept", _) => Part::Closes(0),
        ("ph" | "it" | "ut", _) => Part::Alone,
        (_, Syntax::Tmx) => return None,
        ("bx", _) => Part::Opens(1),
        ("ex", _) => Part::Closes(1),
        ("sc", _) => Part::Opens(2),
        ("ec", _) => Part::Closes(2),
        ("sm", _) => Part::Opens(3),
        ("em", _) => Part::Closes(3),
        ("x" | "cp", _) => Part::Alone,
        _ => return None,
    };
    Some(part)
}

/// The attributes that name a pair, the first that is there.
fn keys(part: Part, syntax: Syntax) -> &'static [&'static str] {
    match part {
        _ if syntax == Syntax::Tmx => &["i"],
        Part::Opens(2 | 3) => &["id"],
        Part::Closes(2 | 3) => &["startRef"],
        _ => &["rid", "id"],
    }
}

/// Reads a segment.
pub(super) fn read(raw: &str, syntax: Syntax, builder: &mut Builder<'_>) -> Result<(), Fault> {
    let mut elements = OpenElements::new(raw, syntax);
    let mut halves: BTreeMap<(u8, &str), Vec<usize>> = BTreeMap::new();
    let mut from = 0;
    while let Some(piece) = next(raw, from, syntax)? {
        builder.text(from..piece.range.start)?;
        from = piece.range.end;
        let name = &raw[piece.name.clone()];
        let name = name.rsplit_once(':').map_or(name, |(_, local)| local);
        let part = part(name, syntax).filter(|_| matches!(piece.kind, Kind::Start | Kind::Empty));
        let Some(part) = part else {
            match piece.kind.clone() {
                Kind::Data(text) => builder.verbatim(text),
                Kind::Empty | Kind::Other => _ = builder.tag(piece.range, true),
                Kind::Start | Kind::End => elements.add(piece, builder)?,
            }
            continue;
        };
        if piece.kind == Kind::Start {
            from = end_of(raw, &piece, syntax)?;
        }
        let tag = builder.tag(piece.range.start..from, true);
        let Some(key) = keys(part, syntax).iter().find_map(|key| piece.attribute(raw, key)) else { continue };
        match part {
            Part::Opens(kind) => halves.entry((kind, key)).or_default().push(tag),
            Part::Closes(kind) => {
                if let Some(open) = halves.get_mut(&(kind, key)).and_then(Vec::pop) {
                    builder.pair(open, tag);
                }
            }
            Part::Alone => {}
        }
    }
    builder.text(from..raw.len())?;
    elements.finish()
}

/// Where an element ends, behind its end tag.
fn end_of(raw: &str, start: &Piece, syntax: Syntax) -> Result<usize, Fault> {
    let name = &raw[start.name.clone()];
    let (mut from, mut depth) = (start.range.end, 1);
    while let Some(piece) = next(raw, from, syntax)? {
        from = piece.range.end;
        if &raw[piece.name.clone()] == name {
            match piece.kind {
                Kind::Start => depth += 1,
                Kind::End => depth -= 1,
                _ => {}
            }
        }
        if depth == 0 {
            return Ok(from);
        }
    }
    Err(Fault::new(start.range.start, format!("an element that is closed by `</{name}>`"), &raw[start.range.clone()]))
}
