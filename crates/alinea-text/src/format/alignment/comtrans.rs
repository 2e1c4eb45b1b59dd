//! The three-line format of NLTK's Comtrans corpus, and of its reader of aligned corpora.
//!
//! ```text
//! klein ist das Haus
//! the house is small
//! 0-3 1-2 2-0 3-1
//! ```
//!
//! Three lines a pair, always: the words of the first sentence, those of the second, and the links between them, in the
//! notation of Pharaoh. An empty line is an empty sentence, or no links; nothing stands between two pairs. Links must lie
//! between the words.

use std::io::BufRead;

use super::fault::{Fault, bad_word, check_word, fields, push_number, push_words};
use super::{Base, LinkRecord, PairRecord, links};
use crate::alignment::Link;
use crate::error::{Error, ErrorKind, Position, Result};
use crate::format::lines::LineReader;

/// Lines of a pair.
const LINES: u64 = 3;

/// Reads pair by pair.
#[derive(Debug)]
pub(super) struct Reader<R> {
    lines: LineReader<R>,
    base: Base,
    /// The links read last, for messages.
    links: String,
    null_links: u64,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(lines: LineReader<R>, base: Base) -> Self {
        Self { lines, base, links: String::new(), null_links: 0 }
    }

    /// The next pair. After an error in one of its lines the reader can go on with the pair behind it.
    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        let mut words = [record.source.take().unwrap_or_default(), record.target.take().unwrap_or_default()];
        record.clear();
        let mut result = Ok(());
        for (n, words) in words.iter_mut().enumerate() {
            words.clear();
            match self.lines.read() {
                Ok(Some(line)) => fields(line).for_each(|(_, word)| words.push(word)),
                Ok(None) if n == 0 => return Ok(false),
                Ok(None) => return Err(self.ends_early()),
                Err(error) => keep_first(&mut result, error)?,
            }
        }
        match self.lines.read() {
            Ok(Some(line)) => {
                let parsed = links::parse(line, self.base, record);
                self.links.clear();
                self.links.push_str(line);
                match parsed {
                    Ok(null_links) => self.null_links += null_links,
                    Err(fault) => keep_first(&mut result, fault.at(self.lines.position(0)))?,
                }
            }
            Ok(None) => return Err(self.ends_early()),
            Err(error) => keep_first(&mut result, error)?,
        }
        result?;
        let [source, target] = words;
        record.number = self.lines.number() / LINES;
        record.source = Some(source);
        record.target = Some(target);
        record.check_own_range(self.base, |link| {
            let (line, column) = self.place_of(self.lines.number() / LINES, link);
            Position { line, column, ..self.lines.position(0) }
        })?;
        Ok(true)
    }

    /// The line of a link of the pair with this number, from 1, and its column; 0 if the pair was not read last.
    pub(super) fn place_of(&self, pair: u64, link: Link) -> (u64, u64) {
        let line = pair * LINES;
        let found = (line == self.lines.number()).then(|| links::find(&self.links, self.base, link)).flatten();
        (line, found.map_or(0, |start| start as u64 + 1))
    }

    pub(super) fn position(&self) -> Position {
        self.lines.position(0)
    }

    /// The links to the empty word so far.
    pub(super) fn null_links(&self) -> u64 {
        self.null_links
    }

    /// The error for a pair whose first lines are the last of the file.
    fn ends_early(&self) -> Error {
        let end = Position { line: self.lines.number() + 1, ..self.lines.position(1) };
        Fault::new(0, "three lines for each sentence pair", b"").at(end)
    }
}

/// Keeps the first error in a pair, so that its other lines can be stepped over; an error of the input is the end.
fn keep_first(result: &mut Result<()>, error: Error) -> Result<()> {
    if matches!(error.kind(), ErrorKind::Io { .. }) {
        return Err(error);
    }
    if result.is_ok() {
        *result = Err(error);
    }
    Ok(())
}

/// Appends the three lines of a record, which is the first of the file or not.
pub(super) fn write(record: &PairRecord, is_first: bool, base: Base, out: &mut Vec<u8>) -> Result<()> {
    let (Some(source), Some(target)) = (&record.source, &record.target) else {
        let message = format!("pair {} has no words, which the Comtrans format requires", record.number);
        return Err(ErrorKind::Inconsistent(message).into());
    };
    record.check_words().map_err(|error| error.within(format_args!("pair {}", record.number)))?;
    // A byte order mark where the file begins would be none of the word.
    if let Some(word) = source.get(0).filter(|word| is_first && word.starts_with('\u{FEFF}')) {
        return Err(bad_word(word, record.number, "Comtrans"));
    }
    for words in [source, target] {
        words.iter().try_for_each(|word| check_word(word, record.number, "Comtrans"))?;
        push_words(words, out);
    }
    for (n, LinkRecord { link, .. }) in record.links.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b" " } else { b"" });
        push_number(base.written(link.source), out);
        out.push(b'-');
        push_number(base.written(link.target), out);
    }
    out.push(b'\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::TokenList;
    use super::*;
    use crate::format::lines::Utf8;
    use proptest::prelude::*;

    /// The first pair is that of the test vectors of aligned sentences, which NLTK built.
    const FILE: &str = "klein ist das Haus\nthe house is small\n0-3 1-2 2-0 3-1\n\n\n\nja\nyes\n\n";

    fn records(text: &[u8], utf8: Utf8) -> Result<Vec<PairRecord>> {
        let mut reader = Reader::new(LineReader::new(text, "f", utf8), Base::Zero);
        let mut records = Vec::new();
        let mut record = PairRecord::default();
        while reader.read_into(&mut record)? {
            records.push(record.clone());
        }
        Ok(records)
    }

    fn written(records: &[PairRecord]) -> String {
        let mut out = Vec::new();
        for (n, record) in records.iter().enumerate() {
            write(record, n == 0, Base::Zero, &mut out).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn three_lines_are_a_pair() {
        let records = records(FILE.as_bytes(), Utf8::Strict).unwrap();
        assert_eq!(records.iter().map(|record| record.number).collect::<Vec<_>>(), [1, 2, 3]);
        let words = |side: &Option<TokenList>| side.iter().flat_map(TokenList::iter).collect::<Vec<_>>().join(" ");
        assert_eq!(words(&records[0].source), FILE.lines().next().unwrap());
        assert_eq!(words(&records[0].target), FILE.lines().nth(1).unwrap());
        assert_eq!(records[0].alignment(), [(0, 3), (1, 2), (2, 0), (3, 1)].into());
        assert!(records[1].source.as_ref().unwrap().is_empty() && records[2].links.is_empty());
        assert_eq!(written(&records), FILE);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let message = |text: &str| records(text.as_bytes(), Utf8::Strict).unwrap_err().to_string();
        assert_eq!(message("a\nb\n"), "f:3:1: expected three lines for each sentence pair, found nothing");
        assert_eq!(message("a\nb\n0-0\nc"), "f:5:1: expected three lines for each sentence pair, found nothing");
        let expected = "expected a link such as `0-1`, `0p1` or `0-1:0.9`, found";
        assert_eq!(message("a\nb\n0-0\nc\nd\n0-0 e\n"), format!("f:6:5: {expected} `e`"));
        // A line between two pairs is found at once.
        assert_eq!(message("a\nb\n0-0\n\na b\nb\n0-0\n"), format!("f:6:1: {expected} `b`"));
        assert_eq!(message("a\nb\n0-0 1-0\n"), "f:3:5: link 1-0 is out of range, the source has 1 token, the target 1");
        assert_eq!(message("a\nb\n1-1\n"), "f:3:1: link 1-1 is out of range, the source has 1 token, the target 1");
    }

    #[test]
    fn the_pair_behind_an_error_is_read() {
        let text = b"caf\xE9\nb\n0-0\nc\nd\n0-0\n";
        let mut reader = Reader::new(LineReader::new(&text[..], "f", Utf8::Strict), Base::Zero);
        let mut record = PairRecord::default();
        let error = reader.read_into(&mut record).unwrap_err().to_string();
        assert_eq!(error, "f:1:4: invalid UTF-8 at byte 3 of the file (`caf\\xE9`)");
        assert!(reader.read_into(&mut record).unwrap());
        assert_eq!((record.number, record.source.unwrap().get(0)), (2, Some("c")));
        let records = records(text, Utf8::Latin1).unwrap();
        assert_eq!(records[0].source.as_ref().unwrap().get(0), Some("café"));
    }

    #[test]
    fn records_that_do_not_fit_are_refused() {
        let refused = |record: &PairRecord| write(record, true, Base::Zero, &mut Vec::new()).unwrap_err().to_string();
        let words = |words: &[&str]| Some(words.iter().copied().collect::<TokenList>());
        let mut record = PairRecord { number: 7, source: words(&["a"]), ..PairRecord::default() };
        assert_eq!(refused(&record), "pair 7 has no words, which the Comtrans format requires");
        record.target = words(&["b c"]);
        assert_eq!(refused(&record), "pair 7: the word \"b c\" cannot stand in the Comtrans format");
        record.target = words(&["b"]);
        record.source = words(&["\u{FEFF}a"]);
        assert_eq!(refused(&record), "pair 7: the word \"\\u{feff}a\" cannot stand in the Comtrans format");
        let mut out = Vec::new();
        write(&record, false, Base::Zero, &mut out).unwrap();
        assert_eq!(out, "\u{FEFF}a\nb\n\n".as_bytes());
        record.links = vec![LinkRecord::sure(0, 1)];
        assert_eq!(refused(&record), "pair 7: link 0-1 is out of range, the source has 1 token, the target 1");
    }

    proptest! {
        /// Without NUL: short words of every other byte NUL look like UTF-16.
        #[test]
        fn what_is_written_is_read(
            pairs in proptest::collection::vec(
                (proptest::collection::vec("[^ \t\r\n\0]{1,4}", 0..4), proptest::collection::vec("[a-z]{1,2}", 0..4),
                 proptest::collection::vec((0u32..4, 0u32..4), 0..5)), 0..5),
        ) {
            let records_in: Vec<PairRecord> = (1..).zip(&pairs).map(|(number, (source, target, links))| PairRecord {
                number,
                source: Some(source.iter().map(String::as_str).collect()),
                target: Some(target.iter().map(String::as_str).collect()),
                links: links.iter()
                    .filter(|(s, t)| (*s as usize) < source.len() && (*t as usize) < target.len())
                    .map(|&(s, t)| LinkRecord::sure(s, t)).collect(),
                ..PairRecord::default()
            }).collect();
            prop_assume!(pairs.first().and_then(|(source, ..)| source.first()).is_none_or(|word| !word.starts_with('\u{FEFF}')));
            let text = written(&records_in);
            prop_assert_eq!(records(text.as_bytes(), Utf8::Strict).unwrap(), records_in);
        }

        #[test]
        fn no_bytes_cause_a_panic(bytes in proptest::collection::vec(
            prop_oneof![Just(b'\n'), Just(b' '), Just(b'0'), Just(b'-'), any::<u8>()], 0..60)) {
            let _ = records(&bytes, Utf8::Strict).is_ok();
        }
    }
}
