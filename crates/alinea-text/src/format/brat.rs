//! Standoff annotation of brat: a text, and a file of lines that say what is where in it.
//!
//! ```text
//! T1  PER 0 4             Anna            an entity: label, from, to, and what stands there
//! T2  LOC 10 13;18 22     New York        in several pieces
//! R1  lives Arg1:T1 Arg2:T2               a relation, by numbers
//! E1  Move:T3 Who:T1                      an event, whose trigger is T3
//! A1  Certain E1                          an attribute (also M1)
//! N1  Reference T2 Wikipedia:123  York    a normalization
//! #1  AnnotatorNotes R1   check           a note
//! *   Equiv T1 T4                         things that are the same
//! ```
//!
//! There is a tab behind the number, and before the text. Places count characters from the beginning of the text, line breaks too, or
//! [other units](Offsets); a piece that goes over a line break counts as one on each line. What stands at the end of an entity must be
//! what is there: otherwise something else was counted. Numbers are unique, and what is referred to must be there.
//!
//! In [another text](Brat::write) entities are where they are put, and all that refers to them, directly or not, is there if they are.
//!
//! ```
//! use alinea::format::brat::{Brat, Put};
//! use alinea::format::lines::{LineReader, Utf8};
//! use alinea::format::offsets::Offsets;
//!
//! let file = "T1\tPER 0 4\tAnna\nT2\tLOC 14 18\tYork\nR1\tlives Arg1:T1 Arg2:T2\n#1\tNote T1\ta person\n";
//! let lines = LineReader::new(file.as_bytes(), "a.ann", Utf8::Strict);
//! let brat = Brat::read(lines, "Anna lives in York", Offsets::Characters)?;
//! assert_eq!((brat.entities[1].label.as_str(), brat.entities[1].pieces.as_slice()), ("LOC", &[14..18][..]));
//!
//! let mut written = String::new();
//! let left_out = brat.write("hier wohnt Anna", &[Put { entity: 0, pieces: vec![11..15] }], Offsets::Characters, &mut written);
//! assert_eq!((written.as_str(), left_out), ("T1\tPER 11 15\tAnna\n#1\tNote T1\ta person\n", 1));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::BufRead;
use std::ops::Range;

use super::lines::LineReader;
use super::offsets::{OffsetTable, Offsets};
use crate::error::{Error, Result};

/// An entity: a label on pieces of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Its number, such as `T1`.
    pub id: String,
    /// What it is labeled with.
    pub label: String,
    /// Where it is, in bytes, in the order of the text, at least one; none has a line break.
    pub pieces: Vec<Range<usize>>,
}

/// An entity in another text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// Which of the entities it is, by number from 0.
    pub entity: usize,
    /// Where it is, in bytes; at least one. Those with nothing but blanks between them are written as one.
    pub pieces: Vec<Range<usize>>,
}

/// The annotation of a text.
#[derive(Debug, Clone, Default)]
pub struct Brat {
    /// What messages call its file.
    pub name: String,
    /// Its entities, in the order of the file.
    pub entities: Vec<Entity>,
    lines: Vec<Line>,
}

/// A line of the file.
#[derive(Debug, Clone)]
struct Line {
    /// Its number; empty for `*`, of which there may be many.
    id: String,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    /// The entity of this number.
    Entity(usize),
    /// The line, and what it refers to.
    Other(String, Vec<String>),
}

impl Brat {
    /// Reads the annotation of a text. O(bytes).
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `Parse` for lines that are none, places outside the text or where other text is than is said, numbers that
    /// come twice, and references to what there is not.
    pub fn read<R: BufRead>(mut lines: LineReader<R>, text: &str, unit: Offsets) -> Result<Self> {
        let table = OffsetTable::new(text, unit);
        let mut brat = Self { name: lines.name().to_owned(), ..Self::default() };
        let mut places: BTreeMap<String, u64> = BTreeMap::new();
        let mut line = String::new();
        while lines.read_into(&mut line)? {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let (id, rest) = line.split_once('\t').unwrap_or((&line, ""));
            let kind = id.chars().next().unwrap_or_default();
            if !"TREAMN#*".contains(kind) || id.contains(' ') || (id.len() == 1) != (kind == '*') || rest.is_empty() {
                let expected =
                    "a line of brat: T, R, E, A, M, N or # with a number, or *, and behind a tab what it says";
                return Err(Error::parse(lines.position(1), expected, line.as_bytes()));
            }
            let what = if kind == 'T' {
                brat.entities.push(entity(&lines, &table, id, rest)?);
                What::Entity(brat.entities.len() - 1)
            } else {
                let references = references(kind, rest);
                if references.is_empty() {
                    let expected = "what it is about, such as T1";
                    return Err(Error::parse(lines.position(id.len() + 2), expected, rest.as_bytes()));
                }
                What::Other(line.clone(), references)
            };
            if kind != '*' && places.insert(id.to_owned(), lines.number()).is_some() {
                return Err(Error::parse(lines.position(1), "a number that no other line has", id.as_bytes()));
            }
            let id = if kind == '*' { String::new() } else { id.to_owned() };
            brat.lines.push(Line { id, what });
        }
        brat.check_references(&places)?;
        Ok(brat)
    }

    fn check_references(&self, places: &BTreeMap<String, u64>) -> Result<()> {
        for Line { id, what } in &self.lines {
            let What::Other(line, references) = what else { continue };
            if let Some(missing) = references.iter().find(|reference| !places.contains_key(*reference)) {
                let position = crate::error::Position::new(self.name.as_str(), places.get(id).copied().unwrap_or(0), 0);
                return Err(Error::parse(
                    position,
                    format!("references to other lines, {missing} is none"),
                    line.as_bytes(),
                ));
            }
        }
        Ok(())
    }

    /// Adds the annotation of another text, and says how many lines had to be left out since something that they refer to is not there.
    /// Of entities that are put several times the first keeps its number, others get new ones.
    ///
    /// # Panics
    /// If something is put where the text has no characters.
    pub fn write(&self, text: &str, put: &[Put], unit: Offsets, file: &mut String) -> u64 {
        let table = OffsetTable::new(text, unit);
        let number = |id: &str| id.get(1..).and_then(|digits| digits.parse::<u64>().ok());
        let mut next = self.entities.iter().filter_map(|entity| number(&entity.id)).max().unwrap_or(0);
        let there = self.there(put);
        let mut of_entities: BTreeMap<usize, Vec<&Put>> = BTreeMap::new();
        for put in put {
            of_entities.entry(put.entity).or_default().push(put);
        }
        let mut left_out = 0;
        for Line { id, what } in &self.lines {
            match what {
                What::Entity(number) => {
                    let Entity { label, .. } = &self.entities[*number];
                    for (copy, put) in of_entities.get(number).into_iter().flatten().enumerate() {
                        if copy == 0 {
                            let _ = write!(file, "{id}\t{label} ");
                        } else {
                            next = next.saturating_add(1);
                            let _ = write!(file, "T{next}\t{label} ");
                        }
                        push_places(&table, &joined(text, &put.pieces), file);
                    }
                }
                What::Other(line, references) if references.iter().all(|id| there.contains(id.as_str())) => {
                    let _ = writeln!(file, "{line}");
                }
                What::Other(..) => left_out += 1,
            }
        }
        left_out
    }

    /// The numbers of all that is there if these entities are: all but what refers to something that is not.
    fn there(&self, put: &[Put]) -> BTreeSet<&str> {
        let entities: BTreeSet<usize> = put.iter().map(|put| put.entity).collect();
        let mut there: BTreeSet<&str> = self.lines.iter().map(|line| line.id.as_str()).collect();
        loop {
            let is_gone = |line: &&Line| match &line.what {
                What::Entity(number) => !entities.contains(number),
                What::Other(_, references) => references.iter().any(|id| !there.contains(id.as_str())),
            };
            let gone: BTreeSet<&str> = self.lines.iter().filter(is_gone).map(|line| line.id.as_str()).collect();
            let before = there.len();
            there.retain(|id| id.is_empty() || !gone.contains(id));
            if there.len() == before {
                return there;
            }
        }
    }
}

/// What a line refers to, by its kind.
fn references(kind: char, rest: &str) -> Vec<String> {
    let said = rest.split('\t').next().unwrap_or_default().split(' ').filter(|word| !word.is_empty());
    let behind_colon = |word: &str| word.split_once(':').map(|(_, id)| id.to_owned());
    match kind {
        'R' => said.skip(1).filter_map(behind_colon).collect(),
        'E' => said.filter_map(behind_colon).collect(),
        '*' => said.skip(1).map(str::to_owned).collect(),
        _ => said.skip(1).take(1).map(str::to_owned).collect(),
    }
}

/// `LABEL 0 4;6 9`, a tab, and the text.
fn entity<R: BufRead>(lines: &LineReader<R>, table: &OffsetTable<'_>, id: &str, rest: &str) -> Result<Entity> {
    let (said, stands) = rest.split_once('\t').unwrap_or((rest, ""));
    let (label, places) = said.split_once(' ').unwrap_or((said, ""));
    let column = id.len() + label.len() + 3;
    let text = table.text();
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for place in places.split(';') {
        let ends = place.split_once(' ').and_then(|(start, end)| Some([start.parse().ok()?, end.parse().ok()?]));
        let bytes = ends.and_then(|ends| table.bytes(ends)).filter(|bytes| {
            let behind = pieces.last().map_or(0, |piece: &Range<usize>| piece.end);
            !label.is_empty() && bytes.start >= behind
        });
        let Some(bytes) = bytes else {
            let expected = format!("places such as `0 4` or `0 4;6 9`, rising, within the text of {}", table.len());
            return Err(Error::parse(lines.position(column), expected, places.as_bytes()));
        };
        let mut start = bytes.start;
        for line in text[bytes].split('\n') {
            if !line.trim_end_matches('\r').is_empty() {
                pieces.push(start..start + line.trim_end_matches('\r').len());
            }
            start += line.len() + 1;
        }
    }
    let there = pieces.iter().flat_map(|piece| text[piece.clone()].split_whitespace());
    if !there.clone().flat_map(str::chars).eq(stands.split_whitespace().flat_map(str::chars)) || pieces.is_empty() {
        let there = there.collect::<Vec<_>>().join(" ");
        let column = id.len() + said.len() + 3;
        let expected = format!("`{there}`, which is in the text at {places} (or other units of places)");
        return Err(Error::parse(lines.position(column), expected, stands.as_bytes()));
    }
    Ok(Entity { id: id.to_owned(), label: label.to_owned(), pieces })
}

/// Pieces in order; those with nothing but blanks between them are one, and so are those that overlap.
fn joined(text: &str, pieces: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut sorted = pieces.to_vec();
    sorted.sort_by_key(|piece| (piece.start, piece.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for piece in sorted {
        let is_near = |last: &&mut Range<usize>| {
            let between = text.get(last.end..piece.start).unwrap_or_default();
            between.trim().is_empty() && !between.contains('\n')
        };
        match joined.last_mut().filter(is_near) {
            Some(last) => last.end = last.end.max(piece.end),
            None => joined.push(piece),
        }
    }
    joined
}

fn push_places(table: &OffsetTable<'_>, pieces: &[Range<usize>], file: &mut String) {
    for (number, piece) in pieces.iter().enumerate() {
        let [start, end] = table.of_bytes(piece);
        let _ = write!(file, "{}{start} {end}", if number > 0 { ";" } else { "" });
    }
    for (number, piece) in pieces.iter().enumerate() {
        file.push(if number > 0 { ' ' } else { '\t' });
        file.extend(
            table.text()[piece.clone()].chars().map(|character| if character == '\t' { ' ' } else { character }),
        );
    }
    file.push('\n');
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a list of one range is meant")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::lines::Utf8;

    fn read(file: &str, text: &str) -> Result<Brat> {
        Brat::read(LineReader::new(file.as_bytes(), "a.ann", Utf8::Strict), text, Offsets::Characters)
    }

    fn same(brat: &Brat) -> Vec<Put> {
        let put = |(entity, found): (usize, &Entity)| Put { entity, pieces: found.pieces.clone() };
        brat.entities.iter().enumerate().map(put).collect()
    }

    const TEXT: &str = "Äpfel und Birnen in New York\n\nEva kam. Sie ging.\n";
    const ANN: &str = "T1\tFruit 0 5\tÄpfel\nT2\tLOC 20 23;24 28\tNew York\nT3\tFruit 0 5;10 16\tÄpfel Birnen\n\
        T4\tMove 34 37\tkam\nT5\tPER 30 33\tEva\nT6\tPER 39 42\tSie\nE1\tMove:T4 Who:T5 From:E2\nE2\tMove:T4\n\
        R1\tin Arg1:T1 Arg2:T2\nA1\tCertain E1\nA2\tDegree R1 high\nM1\tOld T3\nN1\tRef T2 Wiki:645042\tNew York\n\
        #1\tAnnotatorNotes A1\twhy?\n*\tEquiv T5 T6\n";

    #[test]
    fn what_was_read_is_written() {
        let brat = read(ANN, TEXT).unwrap();
        let mut written = String::new();
        assert_eq!(brat.write(TEXT, &same(&brat), Offsets::Characters, &mut written), 0);
        // Pieces with a blank between them are one.
        assert_eq!(written, ANN.replace("20 23;24 28", "20 28"));
        assert_eq!(brat.entities[2].pieces, [0..6, 11..17]);
        let across = read("T1\tX 24 33\tYork Eva\n", TEXT).unwrap();
        assert_eq!(across.entities[0].pieces, [25..29, 31..34]);
        let mut written = String::new();
        across.write(TEXT, &same(&across), Offsets::Characters, &mut written);
        assert_eq!(written, "T1\tX 24 28;30 33\tYork Eva\n");
    }

    #[test]
    fn what_refers_to_something_missing_is_left_out() {
        let brat = read(ANN, TEXT).unwrap();
        let without = |id: &str| {
            let put: Vec<Put> = same(&brat).into_iter().filter(|put| brat.entities[put.entity].id != id).collect();
            let mut written = String::new();
            let left_out = brat.write(TEXT, &put, Offsets::Characters, &mut written);
            let there: Vec<&str> = written.lines().map(|line| line.split('\t').next().unwrap()).collect();
            (there.join(" "), left_out)
        };
        assert_eq!(without("T1"), ("T2 T3 T4 T5 T6 E1 E2 A1 M1 N1 #1 *".to_owned(), 2));
        assert_eq!(without("T4"), ("T1 T2 T3 T5 T6 R1 A2 M1 N1 *".to_owned(), 4));
        assert_eq!(without("T6"), ("T1 T2 T3 T4 T5 E1 E2 R1 A1 A2 M1 N1 #1".to_owned(), 1));
        let twice = [Put { entity: 0, pieces: vec![0..6] }, Put { entity: 0, pieces: vec![11..17] }];
        let mut written = String::new();
        brat.write(TEXT, &twice, Offsets::Characters, &mut written);
        assert_eq!(written, "T1\tFruit 0 5\tÄpfel\nT7\tFruit 10 16\tBirnen\n");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let refused = |file: &str| read(file, "Anna lives").unwrap_err().to_string();
        let places = "expected places such as `0 4` or `0 4;6 9`, rising, within the text of 10";
        assert_eq!(refused("T1\tPER 0 11\tx"), format!("a.ann:1:8: {places}, found `0 11`"));
        assert_eq!(refused("T1\tPER 4 4\t"), format!("a.ann:1:8: {places}, found `4 4`"));
        assert_eq!(refused("T1\tPER 5 10;0 4\tx"), format!("a.ann:1:8: {places}, found `5 10;0 4`"));
        assert_eq!(refused("T1\tPER"), format!("a.ann:1:8: {places}, found nothing"));
        let message =
            "a.ann:1:12: expected `nna`, which is in the text at 1 4 (or other units of places), found `Anna`";
        assert_eq!(refused("T1\tPER 1 4\tAnna"), message);
        let kinds = "expected a line of brat: T, R, E, A, M, N or # with a number, or *, and behind a tab what it says";
        for line in ["X1\tPER 0 4\tAnna", "T\tPER 0 4\tAnna", "T1", "R1 x", "**\tEquiv T1"] {
            assert_eq!(
                refused(&format!("\n{line}\n")),
                format!("a.ann:2:1: {kinds}, found `{}`", line.replace('\t', "\\t"))
            );
        }
        let again = "T1\tPER 0 4\tAnna\nT1\tPER 0 4\tAnna\n";
        assert_eq!(refused(again), "a.ann:2:1: expected a number that no other line has, found `T1`");
        let missing = refused("T1\tPER 0 4\tAnna\nR1\tx Arg1:T1 Arg2:T2\n");
        assert!(missing.starts_with("a.ann:2: expected references to other lines, T2 is none, found `R1"), "{missing}");
        assert_eq!(refused("A1\tOld\n"), "a.ann:1:4: expected what it is about, such as T1, found `Old`");
    }

    proptest! {
        #[test]
        fn any_pieces_are_read_as_they_are_written(
            text in "[aé👍 \n]{1,30}", cuts in prop::collection::vec((0..30_usize, 1..6_usize), 1..4), unit in 0..3_usize,
        ) {
            let unit = Offsets::ALL[unit];
            let places: Vec<usize> = text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect();
            let piece = |&(start, length): &(usize, usize)| {
                let [start, end] = [start, start + length].map(|place| places[place.min(places.len() - 1)]);
                (start < end && !text[start..end].contains('\n') && !text[start..end].trim().is_empty()).then_some(start..end)
            };
            let pieces: Vec<Range<usize>> = cuts.iter().filter_map(piece).collect();
            prop_assume!(!pieces.is_empty());
            let brat = Brat {
                name: "a.ann".to_owned(),
                entities: vec![Entity { id: "T1".to_owned(), label: "X".to_owned(), pieces: pieces.clone() }],
                lines: vec![Line { id: "T1".to_owned(), what: What::Entity(0) }],
            };
            let mut written = String::new();
            brat.write(&text, &[Put { entity: 0, pieces: pieces.clone() }], unit, &mut written);
            let again = Brat::read(LineReader::new(written.as_bytes(), "a.ann", Utf8::Strict), &text, unit).unwrap();
            prop_assert_eq!(&again.entities[0].pieces, &joined(&text, &pieces));
            let mut twice = String::new();
            again.write(&text, &same(&again), unit, &mut twice);
            prop_assert_eq!(twice, written);
        }
    }
}
