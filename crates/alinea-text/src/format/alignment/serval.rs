//! Word alignments as SIL's Serval gives them: objects with tokens of both sides and linked positions.
//!
//! ```text
//! [{"refs":["MAT 1:1"],"sourceTokens":["la","maison"],"targetTokens":["the","house"],
//!   "alignment":[{"sourceIndex":0,"targetIndex":0,"score":0.9},{"sourceIndex":1,"targetIndex":1,"score":0.8}]}]
//! ```
//!
//! A file is an array of such objects, or has one on each line. Positions count from 0. `alignment` may also be called
//! `alignedWordPairs`, and be a text of links, as `0-0:0.9 1-1`; tokens may be missing. The names may have underscores
//! (`source_tokens`), as in files of the library beneath. Other fields are ignored. Written is an object a line.

use std::io::BufRead;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::fault::{Fault, push_number, push_weight};
use super::links::push_links;
use super::{Base, LinkRecord, PairRecord, TokenList};
use crate::error::{Position, Result};
use crate::format::lines::LineReader;

#[derive(Deserialize)]
struct Object {
    #[serde(alias = "source_tokens", rename = "sourceTokens")]
    source: Option<TokenList>,
    #[serde(alias = "target_tokens", rename = "targetTokens")]
    target: Option<TokenList>,
    #[serde(alias = "alignedWordPairs", alias = "aligned_word_pairs", rename = "alignment")]
    links: Links,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Links {
    Text(String),
    Pairs(Vec<Pair>),
}

#[derive(Deserialize)]
struct Pair {
    #[serde(alias = "source_index", rename = "sourceIndex")]
    source: u32,
    #[serde(alias = "target_index", rename = "targetIndex")]
    target: u32,
    score: Option<f32>,
}

/// Reads a file, an array as a whole, lines one by one.
#[derive(Debug)]
pub(super) struct Reader<R> {
    lines: LineReader<R>,
    base: Base,
    /// What is left of an array: objects, each with its place; the last comes first.
    left: Vec<(String, Position)>,
    line: String,
    position: Position,
    pairs: u64,
    null_links: u64,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(lines: LineReader<R>, base: Base) -> Self {
        let position = lines.position(0);
        Self { lines, base, left: Vec::new(), line: String::new(), position, pairs: 0, null_links: 0 }
    }

    /// The next pair; its links lie between its words, if it has them.
    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        record.clear();
        if !self.next_object()? {
            return Ok(false);
        }
        self.pairs += 1;
        record.number = self.pairs;
        self.null_links += parse(&self.line, self.base, record).map_err(|fault| self.at(fault))?;
        record.check_own_range(self.base, |_| self.position.clone())?;
        Ok(true)
    }

    /// Where the object read last begins.
    pub(super) fn position(&self) -> Position {
        self.position.clone()
    }

    /// The links to the empty word so far.
    pub(super) fn null_links(&self) -> u64 {
        self.null_links
    }

    /// The error, in an object that begins anywhere in a line.
    fn at(&self, fault: Fault) -> crate::error::Error {
        let column = self.position.column.saturating_sub(1) as usize;
        fault.shifted(column).at(self.position.clone())
    }

    /// Puts the next object into `line`.
    fn next_object(&mut self) -> Result<bool> {
        loop {
            if let Some((object, position)) = self.left.pop() {
                (self.line, self.position) = (object, position);
                return Ok(true);
            }
            if !self.lines.read_into(&mut self.line)? {
                return Ok(false);
            }
            self.position = self.lines.position(1);
            let text = self.line.trim_ascii_start();
            if text.starts_with('[') {
                self.read_array()?;
            } else if !text.is_empty() {
                return Ok(true);
            }
        }
    }

    /// Reads the array that begins in the current line, to the end of the file.
    fn read_array(&mut self) -> Result<()> {
        let first = self.lines.number();
        let mut text = std::mem::take(&mut self.line);
        while self.lines.read_into(&mut self.line)? {
            text.push('\n');
            text.push_str(&self.line);
        }
        let objects: Vec<&RawValue> = serde_json::from_str(&text).map_err(|error| {
            let position = Position { line: first + error.line() as u64 - 1, ..self.lines.position(0) };
            Fault::new(error.column().saturating_sub(1), format!("an array of objects: {error}"), b"").at(position)
        })?;
        let (mut line, mut start, mut done) = (first, 0, 0);
        for object in objects {
            let offset = object.get().as_ptr().addr() - text.as_ptr().addr();
            for (end, _) in text[done..offset].match_indices('\n') {
                (line, start) = (line + 1, done + end + 1);
            }
            done = offset;
            let position = Position { line, column: (offset - start) as u64 + 1, ..self.lines.position(0) };
            self.left.push((object.get().to_owned(), position));
        }
        self.left.reverse();
        Ok(())
    }
}

fn parse(object: &str, base: Base, record: &mut PairRecord) -> Result<u64, Fault> {
    let read: Object = serde_json::from_str(object).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        Fault::new(0, format!("an object with `alignment`: {message}"), object.as_bytes())
    })?;
    (record.source, record.target) = (read.source, read.target);
    let pairs = match read.links {
        Links::Text(text) => {
            return push_links(&text, base, &mut record.links)
                .map_err(|_| Fault::new(0, "links in `alignment` such as `0-1:0.9`", text.as_bytes()));
        }
        Links::Pairs(pairs) => pairs,
    };
    for Pair { source, target, score } in pairs {
        let (Some(source), Some(target)) = (base.position(source), base.position(target)) else {
            return Err(Fault::position_zero(0, object.as_bytes()));
        };
        let weight = score.filter(|score| score.is_finite());
        record.links.push(LinkRecord { weight, ..LinkRecord::sure(source, target) });
    }
    Ok(0)
}

/// Appends the line of a record.
pub(super) fn write(record: &PairRecord, base: Base, digits: Option<usize>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (name, words) in [("sourceTokens", &record.source), ("targetTokens", &record.target)] {
        let Some(words) = words else { continue };
        out.extend_from_slice(format!("\"{name}\":").as_bytes());
        let words: Vec<&str> = words.iter().collect();
        serde_json::to_writer(&mut *out, &words).expect("strings have a JSON form and memory takes it");
        out.push(b',');
    }
    out.extend_from_slice(b"\"alignment\":[");
    for (n, LinkRecord { link, weight, .. }) in record.links.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b"," } else { b"" });
        out.extend_from_slice(b"{\"sourceIndex\":");
        push_number(base.written(link.source), out);
        out.extend_from_slice(b",\"targetIndex\":");
        push_number(base.written(link.target), out);
        if let Some(weight) = weight {
            out.extend_from_slice(b",\"score\":");
            push_weight(*weight, digits, out);
        }
        out.push(b'}');
    }
    out.extend_from_slice(b"]}\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    const ARRAY: &str = r#"[
  {"refs": ["MAT 1:1"], "sourceTokens": ["la", "maison"], "targetTokens": ["the", "house"],
   "alignment": [{"sourceIndex": 0, "targetIndex": 0, "score": 0.5}, {"sourceIndex": 1, "targetIndex": 1}]},
  {"source_tokens": ["a"], "target_tokens": ["b"], "alignment": "0-0:0.25 NULL-0"}
]
"#;

    fn records(text: &str) -> Result<Vec<PairRecord>> {
        let mut reader = Reader::new(LineReader::new(text.as_bytes(), "f", Utf8::Strict), Base::Zero);
        let (mut record, mut records) = (PairRecord::default(), Vec::new());
        while reader.read_into(&mut record)? {
            records.push(record.clone());
        }
        Ok(records)
    }

    #[test]
    fn arrays_and_lines_are_read_alike() {
        let read = records(ARRAY).unwrap();
        assert_eq!(read[0].links, [LinkRecord::sure(0, 0).with_weight(0.5), LinkRecord::sure(1, 1)]);
        assert_eq!(read[0].target, Some(["the", "house"].into_iter().collect()));
        assert_eq!((read[1].number, &read[1].links[..]), (2, &[LinkRecord::sure(0, 0).with_weight(0.25)][..]));
        let mut out = Vec::new();
        for record in &read {
            write(record, Base::Zero, None, &mut out);
        }
        let lines = String::from_utf8(out).unwrap();
        assert_eq!(lines.lines().count(), 2);
        assert_eq!(records(&lines).unwrap(), read);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let message = |text: &str| records(text).unwrap_err().to_string();
        let outside = ARRAY.replace("0-0:0.25", "0-1");
        assert_eq!(message(&outside), "f:4:3: link 0-1 is out of range, the source has 1 token, the target 1");
        let bad = message(&ARRAY.replace("0-0:0.25", "0=1"));
        assert!(bad.starts_with("f:4:3: expected links in `alignment` such as `0-1:0.9`, found `0=1"), "{bad}");
        assert!(message("{\"links\":[]}\n").starts_with("f:1:1: expected an object with `alignment`: missing field"));
        let truncated = message(&ARRAY[..ARRAY.len() - 3]);
        assert!(truncated.starts_with("f:4:") && truncated.contains("an array of objects: EOF"), "{truncated}");
    }
}
