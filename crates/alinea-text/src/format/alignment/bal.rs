//! What symal reads: both directions of an alignment, before they are symmetrized (`.bal`).
//!
//! ```text
//! 1
//! 3 la maison bleue # 1 3 0
//! 3 the blue house # 1 3 2
//! ```
//!
//! Three lines a pair: how often it occurs, which is not used, and for each sentence its length, its words, `#`, and for each word the
//! position, from 1, of the word of the other sentence that it is linked to, 0 for none. A link that both directions have is sure, one of
//! only one direction possible. The first sentence is the source; see [`GizaDirection`] for the other way. A word may be `#`.
//!
//! Files of this format are read, not written, as they cannot have words with several links in one direction.

use std::io::BufRead;

use super::fault::{Fault, fields, whole_number};
use super::{GizaDirection, LinkKind, LinkRecord, PairRecord, TokenList};
use crate::alignment::Link;
use crate::error::{Position, Result};
use crate::format::lines::LineReader;

/// Reads pair by pair.
#[derive(Debug)]
pub(super) struct Reader<R> {
    lines: LineReader<R>,
    direction: GizaDirection,
    pairs: u64,
    sides: [Side; 2],
}

/// One sentence, and what its words are linked to, positions from 0.
#[derive(Debug, Default)]
struct Side {
    words: TokenList,
    linked: Vec<Option<u32>>,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(lines: LineReader<R>, direction: GizaDirection) -> Self {
        Self { lines, direction, pairs: 0, sides: Default::default() }
    }

    /// The next pair; its links lie between its words.
    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        record.clear();
        let Some(count) = self.lines.read()? else { return Ok(false) };
        if whole_number::<u64>(count.trim_ascii()).is_none() {
            let expected = "the number of occurrences of a pair";
            return Err(Fault::new(0, expected, count.as_bytes()).at(self.lines.position(0)));
        }
        for side in 0..2 {
            let end = Position { line: self.lines.number() + 1, ..self.lines.position(1) };
            let Some(line) = self.lines.read()? else {
                return Err(Fault::new(0, "three lines for each sentence pair", b"").at(end));
            };
            let parsed = Side::parse(line);
            self.sides[side] = parsed.map_err(|fault| fault.at(self.lines.position(0)))?;
        }
        let lengths = self.sides.each_ref().map(|side| side.words.len());
        for (side, other) in [(0, lengths[1]), (1, lengths[0])] {
            self.sides[side].check(other).map_err(|expected| {
                let line = self.lines.number() + side as u64 - 1;
                Fault::new(0, expected, b"").at(Position { line, ..self.lines.position(0) })
            })?;
        }
        self.pairs += 1;
        record.number = self.pairs;
        let [first, second] = &self.sides;
        record.links.extend(links(&first.linked, &second.linked));
        let (mut source, mut target) = (first.words.clone(), second.words.clone());
        if self.direction == GizaDirection::TargetToSource {
            std::mem::swap(&mut source, &mut target);
            for link in &mut record.links {
                link.link = Link::new(link.link.target, link.link.source);
            }
            record.links.sort_by_key(|link| link.link);
        }
        (record.source, record.target) = (Some(source), Some(target));
        Ok(true)
    }

    pub(super) fn position(&self) -> Position {
        self.lines.position(0)
    }
}

impl Side {
    fn parse(line: &str) -> Result<Self, Fault> {
        let mut parts = fields(line);
        let length = parts.next().and_then(|(_, length)| whole_number::<usize>(length));
        let length = length.ok_or_else(|| Fault::new(0, "the number of words, and the words", line.as_bytes()))?;
        let end = |expected: String| Fault::new(line.len(), expected, b"");
        let mut side = Self::default();
        for number in 0..length {
            let (_, word) = parts.next().ok_or_else(|| end(format!("{length} words (there are {number})")))?;
            side.words.push(word);
        }
        match parts.next() {
            Some((_, "#")) => {}
            Some((start, found)) => {
                return Err(Fault::new(start, format!("`#` after {length} words"), found.as_bytes()));
            }
            None => return Err(end(format!("`#` after {length} words"))),
        }
        for number in 0..length {
            let expected = || format!("a position for each of {length} words (there are {number})");
            let (start, found) = parts.next().ok_or_else(|| end(expected()))?;
            let position = whole_number::<u32>(found);
            let position = position.ok_or_else(|| Fault::new(start, "a position, or 0", found.as_bytes()))?;
            side.linked.push(position.checked_sub(1));
        }
        match parts.next() {
            None => Ok(side),
            Some((start, found)) => {
                Err(Fault::new(start, format!("the end of the line after {length} positions"), found.as_bytes()))
            }
        }
    }

    /// What is wrong if the other sentence has so many words.
    fn check(&self, other: usize) -> Result<(), String> {
        let outside = self.linked.iter().flatten().find(|&&position| position as usize >= other);
        outside.map_or(Ok(()), |position| {
            Err(format!(
                "positions up to {other}, the number of words of the other sentence (there is {})",
                position + 1
            ))
        })
    }
}

/// The links of both directions, in order.
fn links(first: &[Option<u32>], second: &[Option<u32>]) -> Vec<LinkRecord> {
    let of_first = (0..).zip(first).filter_map(|(source, target)| Some(Link::new(source, (*target)?)));
    let of_second = (0..).zip(second).filter_map(|(target, source)| Some(Link::new((*source)?, target)));
    let mut links: Vec<Link> = of_first.chain(of_second).collect();
    links.sort_unstable();
    let groups = links.chunk_by(|one, other| one == other);
    groups
        .map(|same| LinkRecord {
            link: same[0],
            kind: if same.len() == 2 { LinkKind::Sure } else { LinkKind::Possible },
            weight: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    /// Both directions written down by hand: `bleue` is linked by the second sentence only.
    const FILE: &str = "1\n3 la maison bleue # 1 3 0\n3 the blue house # 1 3 2\n1\n1 # # 0\n2 no # # 0 0\n";

    fn records(text: &str, direction: GizaDirection) -> Result<Vec<PairRecord>> {
        let mut reader = Reader::new(LineReader::new(text.as_bytes(), "f", Utf8::Strict), direction);
        let (mut record, mut records) = (PairRecord::default(), Vec::new());
        while reader.read_into(&mut record)? {
            records.push(record.clone());
        }
        Ok(records)
    }

    #[test]
    fn links_of_both_directions_are_sure() {
        let read = records(FILE, GizaDirection::SourceToTarget).unwrap();
        assert_eq!(read[0].links, [LinkRecord::sure(0, 0), LinkRecord::sure(1, 2), LinkRecord::possible(2, 1)]);
        assert_eq!((read[1].source.as_ref().unwrap().get(0), read[1].links.len(), read[1].number), (Some("#"), 0, 2));
        let swapped = records(FILE, GizaDirection::TargetToSource).unwrap();
        assert_eq!(swapped[0].links, [LinkRecord::sure(0, 0), LinkRecord::possible(1, 2), LinkRecord::sure(2, 1)]);
        assert_eq!(swapped[0].source, read[0].target);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let message = |text: &str| records(text, GizaDirection::SourceToTarget).unwrap_err().to_string();
        assert_eq!(message("x\n"), "f:1:1: expected the number of occurrences of a pair, found `x`");
        assert_eq!(message("1\n1 a # 1\n"), "f:3:1: expected three lines for each sentence pair, found nothing");
        assert_eq!(message("1\n2 a # 1\n1 b # 1\n"), "f:2:7: expected `#` after 2 words, found `1`");
        assert_eq!(
            message("1\n1 a # 1 2\n1 b # 1\n"),
            "f:2:9: expected the end of the line after 1 positions, found `2`"
        );
        let message = message("1\n1 a # 1\n1 b # 2\n");
        assert!(
            message.starts_with("f:3:1: expected positions up to 1, the number of words of the other"),
            "{message}"
        );
    }
}
