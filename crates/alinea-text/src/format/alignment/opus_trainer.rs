//! OpusTrainer's three columns: source sentence, target sentence and links, separated by tabs.
//!
//! ```text
//! la maison bleue<TAB>the blue house<TAB>0-0 1-2 2-1
//! ```
//!
//! Words are what stands between blanks, links are those of Pharaoh, and lie between the words: OpusTrainer and Marian stop at one that
//! does not. A line of two columns has no links; tabs behind the third are ignored.

use super::fault::{Fault, bad_word, check_word, fields};
use super::links::{self, push_links};
use super::{Base, PairRecord, TokenList};
use crate::alignment::Link;
use crate::error::{ErrorKind, Result as TextResult};

const EXPECTED: &str = "three columns separated by tabs: source, target, and links such as `0-0 1-2`";

/// Reads a line into a record.
pub(super) fn parse(line: &str, base: Base, record: &mut PairRecord) -> Result<u64, Fault> {
    let [source, target, links] = cut(line)?;
    let words = |sentence| fields(sentence).map(|(_, word)| word).collect::<TokenList>();
    (record.source, record.target) = (Some(words(source)), Some(words(target)));
    push_links(links, base, &mut record.links).map_err(|fault| fault.shifted(offset(line, links)))
}

/// The columns; tabs at the end of the line are none.
fn cut(line: &str) -> Result<[&str; 3], Fault> {
    let mut columns = line.splitn(4, '\t');
    let (Some(source), Some(target)) = (columns.next(), columns.next()) else {
        return Err(Fault::new(0, EXPECTED, line.as_bytes()));
    };
    let links = columns.next().unwrap_or(&line[line.len()..]);
    match columns.next().map(|more| more.trim_end_matches('\t')) {
        None | Some("") => Ok([source, target, links]),
        Some(more) => Err(Fault::new(offset(line, more), EXPECTED, more.as_bytes())),
    }
}

fn offset(line: &str, part: &str) -> usize {
    part.as_ptr().addr() - line.as_ptr().addr()
}

/// Where a link begins in a line that was read, in bytes from 0.
pub(super) fn find(line: &str, base: Base, link: Link) -> Option<usize> {
    let [.., links] = cut(line).ok()?;
    links::find(links, base, link).map(|start| offset(line, links) + start)
}

/// Appends the line of a record, which is the first of the file or not.
pub(super) fn write(
    record: &PairRecord,
    is_first: bool,
    base: Base,
    digits: Option<usize>,
    out: &mut Vec<u8>,
) -> TextResult<()> {
    let (Some(source), Some(target)) = (&record.source, &record.target) else {
        let message = format!("pair {} has no words, which OpusTrainer's columns have", record.number);
        return Err(ErrorKind::Inconsistent(message).into());
    };
    record.check_words().map_err(|error| error.within(format_args!("pair {}", record.number)))?;
    // A byte order mark where the file begins would be none of the word.
    if let Some(word) = source.get(0).filter(|word| is_first && word.starts_with('\u{FEFF}')) {
        return Err(bad_word(word, record.number, "OpusTrainer"));
    }
    for words in [source, target] {
        for (n, word) in words.iter().enumerate() {
            check_word(word, record.number, "OpusTrainer")?;
            out.extend_from_slice(if n > 0 { b" " } else { b"" });
            out.extend_from_slice(word.as_bytes());
        }
        out.push(b'\t');
    }
    links::write(record, base, digits, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::LinkRecord;
    use super::*;

    fn record(line: &str) -> Result<PairRecord, String> {
        let mut record = PairRecord { number: 3, ..PairRecord::default() };
        let position = crate::error::Position::new("f", 3, 0);
        parse(line, Base::Zero, &mut record).map(|_| record).map_err(|fault| fault.at(position).to_string())
    }

    #[test]
    fn three_columns_are_a_pair() {
        let read = record("la maison\tthe  house \t0-0 1-1").unwrap();
        assert_eq!(read.source, Some(["la", "maison"].into_iter().collect()));
        assert_eq!(read.target, Some(["the", "house"].into_iter().collect()));
        assert_eq!(read.links, [LinkRecord::sure(0, 0), LinkRecord::sure(1, 1)]);
        assert_eq!((record("a\tb").unwrap().links, record("a\tb\t\t").unwrap().links), (vec![], vec![]));
        assert_eq!(find("a b\tc\t1-0 0-0", Base::Zero, Link::new(0, 0)), Some(10));
        let mut out = Vec::new();
        write(&read, true, Base::Zero, None, &mut out).unwrap();
        assert_eq!(out, b"la maison\tthe house\t0-0 1-1\n");
    }

    #[test]
    fn what_is_wrong_has_its_column() {
        assert_eq!(record("a ||| b").unwrap_err(), format!("f:3:1: expected {EXPECTED}, found `a ||| b`"));
        assert_eq!(record("a\tb\t0-0\tc").unwrap_err(), format!("f:3:9: expected {EXPECTED}, found `c`"));
        let message = record("a\tb\t0-0 x").unwrap_err();
        assert_eq!(message, "f:3:9: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `x`");
        let words: TokenList = ["a\tb"].into_iter().collect();
        let odd = PairRecord { number: 1, source: Some(words.clone()), target: Some(words), ..PairRecord::default() };
        let error = write(&odd, true, Base::Zero, None, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "pair 1: the word \"a\\tb\" cannot stand in the OpusTrainer format");
    }
}
