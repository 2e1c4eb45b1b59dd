//! Unified Standard Format Markers (USFM 3.0, SIL and United Bible Societies).
//!
//! A marker is a backslash, a `+` where character markers are nested, and a name; a blank behind it belongs to it. What is closed by the same name
//! with a star is a pair, and a list of attributes before the end belongs to the end: `\w gnat` and `|lemma="gnat"\w*`. Markers without
//! end stand alone, as do chapter and verse with their numbers, milestones (`\qt-s |who="Pilate"\*`), and notes and figures with all
//! that is in them.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memchr;

use super::build::{Builder, Fault};

/// Notes and figures: what is in them is no text.
const WHOLE: [&str; 6] = ["f", "fe", "ef", "x", "ex", "fig"];

/// Markers with a number.
const NUMBERED: [&str; 2] = ["c", "v"];

/// A marker in a line.
#[derive(Debug, Clone)]
struct Marker<'r> {
    range: Range<usize>,
    /// With its `+`; nothing for the end of a milestone.
    name: &'r str,
    is_end: bool,
}

/// The next marker from a place on.
fn next(raw: &str, mut from: usize) -> Option<Marker<'_>> {
    while let Some(step) = memchr(b'\\', &raw.as_bytes()[from..]) {
        let start = from + step;
        let name_start = start + 1;
        let after_plus = name_start + usize::from(raw[name_start..].starts_with('+'));
        let is_inner = |character: char| character.is_ascii_alphanumeric() || character == '-';
        let length = raw[after_plus..].find(|end| !is_inner(end)).unwrap_or(raw.len() - after_plus);
        let end = after_plus + length;
        let (is_end, has_name) =
            (raw[end..].starts_with('*'), raw[after_plus..].starts_with(|first: char| first.is_ascii_alphabetic()));
        if has_name || is_end && end == name_start {
            let tail = is_end || raw[end..].starts_with([' ', '\t']);
            return Some(Marker { range: start..end + usize::from(tail), name: &raw[name_start..end], is_end });
        }
        from = name_start;
    }
    None
}

/// What a marker turns out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Alone,
    Open(usize),
    Close(usize),
    /// It is in a tag that stands alone.
    Inside,
}

/// Reads a segment.
pub(super) fn read(raw: &str, builder: &mut Builder<'_>) -> Result<(), Fault> {
    let mut markers = Vec::new();
    let mut from = 0;
    while let Some(marker) = next(raw, from) {
        from = marker.range.end;
        markers.push(marker);
    }
    let fates = pair(raw, &mut markers)?;
    let mut tags = vec![0; markers.len()];
    from = 0;
    for (number, marker) in markers.iter().enumerate() {
        let mut code = marker.range.clone();
        match fates[number] {
            Fate::Inside => continue,
            Fate::Close(_) => {
                let before = from..code.start;
                let bar = memchr(b'|', &raw.as_bytes()[before.clone()]);
                code.start = bar.map_or(code.start, |length| before.start + length);
            }
            Fate::Alone if NUMBERED.contains(&marker.name) => code.end = end_of_number(raw, code.end),
            _ => {}
        }
        builder.text(from..code.start)?;
        from = code.end;
        tags[number] = builder.tag(code, false);
        if let Fate::Close(open) = fates[number] {
            builder.pair(tags[open], tags[number]);
        }
    }
    builder.text(from..raw.len())
}

/// Which markers belong together. Those that go as a whole get the range of the whole.
fn pair(raw: &str, markers: &mut [Marker<'_>]) -> Result<Vec<Fate>, Fault> {
    let mut fates = vec![Fate::Alone; markers.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..markers.len() {
        let Marker { range, name, is_end } = markers[number].clone();
        if !is_end {
            open.push(number);
            *counts.entry(name).or_default() += 1;
            continue;
        }
        if !name.is_empty() && counts.get(name).is_none_or(|&count| count == 0) {
            return Err(Fault::new(range.start, format!("an open marker `\\{name}`"), &raw[range]));
        }
        let start = loop {
            let Some(last) = open.pop() else {
                return Err(Fault::new(range.start, "a milestone that ends here", &raw[range]));
            };
            counts.entry(markers[last].name).and_modify(|count| *count -= 1);
            if name.is_empty() || markers[last].name == name {
                break last;
            }
        };
        if name.is_empty() || WHOLE.contains(&name) {
            markers[start].range.end = range.end;
            fates[start + 1..=number].fill(Fate::Inside);
        } else {
            (fates[start], fates[number]) = (Fate::Open(number), Fate::Close(start));
        }
    }
    Ok(fates)
}

/// Where the number of a chapter or a verse ends, with the blank behind it.
fn end_of_number(raw: &str, from: usize) -> usize {
    let rest = &raw[from..];
    let length = rest.find([' ', '\t', '\\']).unwrap_or(rest.len());
    let blank = rest[length..].starts_with([' ', '\t']);
    from + length + usize::from(blank)
}

/// Refuses a translation with markers.
pub(super) fn refuse(raw: &str) -> Result<(), Fault> {
    match next(raw, 0) {
        Some(marker) => Err(Fault::tag_in_translation(marker.range.start, &raw[marker.range])),
        None => Ok(()),
    }
}
