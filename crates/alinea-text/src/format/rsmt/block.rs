//! The `.conll` file of an RSMT corpus: for each sentence a block of ten-column rows, with the new order in column 7.
//!
//! A block has a row for each aligned word, its cells separated by tabs, and ends with an empty line. Column 1 numbers
//! the rows from 1, 2 is the word, 4 and 5 are its coarse and fine tag, and 7 is the number of the word before it in
//! the new order (see `previous`). An empty cell is written `-` or `_`; a cell of no characters is an error.
//!
//! A [`Block`] keeps the text of its rows and the offsets at which cells end, so unused columns survive, and rows are
//! written as they were read, apart from line ends. A new order replaces column 7 and nothing else. Where the order is
//! known, column 7 has been checked to be one chain over all rows.
//!
//! Two kinds of incomplete files are read on request. [`Unknown::Allowed`] accepts test data, whose column 7 is `-`,
//! `_` or, with several rows, 0 throughout. [`Missing::Allowed`] accepts blocks that lack rows: column 1 may then
//! ascend with gaps, and column 7 must be a chain over the rows that are there.

use std::io::BufRead;
use std::ops::Range;
use std::path::Path;

use super::previous::{order_from_previous, previous_from_order};
use crate::error::{Error, Result};
use crate::format::lines::{LineReader, Utf8};
use crate::format::source::Input;
use crate::permutation::Permutation;

/// The number of columns, and those that mean something, counted from 1.
const COLUMNS: usize = 10;
const INDEX: usize = 1;
const WORD: usize = 2;
const COARSE_TAG: usize = 4;
const FINE_TAG: usize = 5;
const PREVIOUS: usize = 7;

/// Cells in which nothing stands.
const EMPTY: [&str; 2] = ["-", "_"];

/// What to do with sentences whose order is unknown: column 7 is `-`, `_`, or `0` throughout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknown {
    /// They are an error.
    #[default]
    Refused,
    /// They have no order: it is to be predicted.
    Allowed,
}

/// What to do with sentences that lack rows. The rows that are there keep their numbers, so that it is known which words they
/// are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// They are an error.
    #[default]
    Refused,
    /// Column 7 is a chain over the words that are there.
    Allowed,
}

/// The aligned words of a sentence, with all cells as they were read. Column 7, where it is known, is one chain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// All rows, each with its line break.
    text: String,
    rows: Vec<StoredRow>,
    order: Option<Permutation>,
    line: u64,
}

/// Where a row begins in the text, and where its cells end, from there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StoredRow {
    start: usize,
    ends: [u32; COLUMNS],
}

/// Where, in bytes from 0, something stands in a word that would be none of it in another file: a blank, a carriage return,
/// which may end a line, or a byte order mark at the beginning, which may begin a file.
pub(super) fn odd_byte(word: &str) -> Option<usize> {
    word.find([' ', '\r']).or(word.starts_with('\u{FEFF}').then_some(0))
}

/// A row to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRow<'r> {
    /// The word, without blanks.
    pub word: &'r str,
    /// Its coarse tag; `-` if there is none.
    pub coarse_tag: &'r str,
    /// Its fine tag; `-` if there is none.
    pub fine_tag: &'r str,
}

impl Block {
    /// Rows of words and tags, and their order if it is known; empty cells are `-`. If the order is of another number of
    /// words than there are rows, it is as good as none.
    ///
    /// ```
    /// use alinea::format::rsmt::{Block, NewRow};
    ///
    /// let row = NewRow { word: "home", coarse_tag: "N", fine_tag: "NN" };
    /// let mut file = Vec::new();
    /// Block::new([row], None).write(&mut file);
    /// assert_eq!(file, b"1\thome\t-\tN\tNN\t-\t-\t-\t-\t-\n\n");
    /// ```
    pub fn new<'r>(rows: impl IntoIterator<Item = NewRow<'r>>, order: Option<&Permutation>) -> Self {
        let rows: Vec<NewRow<'_>> = rows.into_iter().collect();
        let order = order.filter(|order| order.len() == rows.len());
        let previous = order.map(previous_from_order);
        let mut block = Self { order: order.cloned(), ..Self::default() };
        for (row, NewRow { word, coarse_tag, fine_tag }) in rows.into_iter().enumerate() {
            let previous = previous.as_ref().map_or("-".to_owned(), |previous| previous[row].to_string());
            let line = format!("{}\t{word}\t-\t{coarse_tag}\t{fine_tag}\t-\t{previous}\t-\t-\t-", row + 1);
            let mut ends = [0; COLUMNS];
            let tabs = line.bytes().enumerate().filter(|&(_, byte)| byte == b'\t').map(|(at, _)| at);
            for (end, at) in ends.iter_mut().zip(tabs.chain([line.len()])) {
                *end = at as u32;
            }
            block.push(&line, ends);
        }
        block
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The word of a row, from 0.
    ///
    /// # Panics
    /// If there is no such row; as below.
    pub fn word(&self, row: usize) -> &str {
        self.cell(row, WORD)
    }

    /// The number of a row, column 1; one more than its place, unless rows are [`Missing`].
    pub fn number(&self, row: usize) -> u32 {
        self.cell(row, INDEX).parse().unwrap_or(row as u32 + 1)
    }

    /// The words of all rows.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|row| self.word(row))
    }

    /// The coarse tag of a row; none where the cell is empty (`-`, `_`).
    pub fn coarse_tag(&self, row: usize) -> Option<&str> {
        Some(self.cell(row, COARSE_TAG)).filter(|cell| !EMPTY.contains(cell))
    }

    /// The fine tag of a row; none where the cell is empty.
    pub fn fine_tag(&self, row: usize) -> Option<&str> {
        Some(self.cell(row, FINE_TAG)).filter(|cell| !EMPTY.contains(cell))
    }

    /// The order of the rows: the place of each; none if it is unknown.
    pub fn order(&self) -> Option<&Permutation> {
        self.order.as_ref()
    }

    /// The line of the file that a row stood in, from 1; 0 if it was not read.
    pub fn line_of(&self, row: usize) -> u64 {
        if self.line == 0 { 0 } else { self.line + row as u64 }
    }

    /// Appends the rows as they were read, and the empty line after them; nothing if there are no rows.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.text.as_bytes());
        if !self.is_empty() {
            out.push(b'\n');
        }
    }

    /// The rows in another order: column 7 is replaced, everything else stays. None if the order is of another number of
    /// words.
    pub fn reordered(&self, order: &Permutation) -> Option<Self> {
        if order.len() != self.len() {
            return None;
        }
        let previous = previous_from_order(order).into_iter().map(|previous| previous.to_string());
        Some(self.with_previous(previous, Some(order.clone())))
    }

    /// The rows as test data have them: column 7 is `-`, everything else stays.
    ///
    /// ```
    /// use alinea::format::rsmt::{self, Unknown};
    ///
    /// let file = "1\tgo\t-\tV\tVB\t-\t2\t-\t-\t-\n2\thome\t-\tN\tNN\t-\t0\t-\t-\t-\n\n";
    /// let hidden = rsmt::parse(file, "x.conll", Unknown::Refused)?[0].without_order();
    /// assert_eq!(hidden.order(), None);
    /// let mut written = Vec::new();
    /// hidden.write(&mut written);
    /// assert_eq!(written, file.replace("\t2\t-\t", "\t-\t-\t").replace("\t0\t", "\t-\t").as_bytes());
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    #[must_use]
    pub fn without_order(&self) -> Self {
        self.with_previous(std::iter::repeat_n(EMPTY[0].to_owned(), self.len()), None)
    }

    /// The rows with other cells in column 7, which say what `order` does.
    fn with_previous(&self, cells: impl Iterator<Item = String>, order: Option<Permutation>) -> Self {
        let mut block = Self { line: self.line, order, ..Self::default() };
        for (row, previous) in cells.enumerate() {
            let cell = self.range(row, PREVIOUS);
            let stored = &self.rows[row];
            let end = stored.start + stored.ends[COLUMNS - 1] as usize;
            let line = [&self.text[stored.start..cell.start], &previous, &self.text[cell.end..end]].concat();
            let mut ends = stored.ends;
            for end in &mut ends[PREVIOUS - 1..] {
                *end = *end + previous.len() as u32 - cell.len() as u32;
            }
            block.push(&line, ends);
        }
        block
    }

    /// The first row, from 0, in which something else stands than in that of another, apart from column 7; if one has
    /// fewer rows, the first that it lacks. Empty cells are the same, whether `-` or `_`; a word may be one of these.
    pub fn first_difference(&self, other: &Self) -> Option<usize> {
        let same = |row: usize, column: usize| {
            let [cell, its] = [self, other].map(|block| block.cell(row, column));
            cell == its || column != WORD && EMPTY.contains(&cell) && EMPTY.contains(&its)
        };
        let differs = |row: usize| (1..=COLUMNS).any(|column| column != PREVIOUS && !same(row, column));
        let shared = self.len().min(other.len());
        (0..shared).find(|&row| differs(row)).or((self.len() != other.len()).then_some(shared))
    }

    fn push(&mut self, line: &str, ends: [u32; COLUMNS]) {
        self.rows.push(StoredRow { start: self.text.len(), ends });
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn cell(&self, row: usize, column: usize) -> &str {
        &self.text[self.range(row, column)]
    }

    fn range(&self, row: usize, column: usize) -> Range<usize> {
        let StoredRow { start, ends } = &self.rows[row];
        let from = if column == 1 { 0 } else { ends[column - 2] as usize + 1 };
        start + from..start + ends[column - 1] as usize
    }
}

/// Reads sentences one by one. Also an iterator over them.
#[derive(Debug)]
pub struct Reader<R> {
    lines: LineReader<R>,
    unknown: Unknown,
    missing: Missing,
    line: String,
    /// Sentences read.
    number: u64,
}

impl Reader<Input> {
    /// Opens a file, or standard input if the path is `-`.
    ///
    /// # Errors
    /// `Io`.
    pub fn open(path: impl AsRef<Path>, unknown: Unknown) -> Result<Self> {
        Ok(Self::new(LineReader::open(path, Utf8::Strict)?, unknown))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the sentences of a file.
    pub fn new(lines: LineReader<R>, unknown: Unknown) -> Self {
        Self { lines, unknown, missing: Missing::Refused, line: String::new(), number: 0 }
    }

    /// The same with another answer to missing rows.
    #[must_use]
    pub fn with_missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    /// The name of the file in messages.
    pub fn name(&self) -> &str {
        self.lines.name()
    }

    /// Puts the next sentence into `block`; says whether there was one.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `OverLimit` for a sentence of more than [`limits::SENTENCE`](crate::limits::SENTENCE); `Parse`, with the sentence, for another number of columns than ten, an empty cell, a word with
    /// blanks (or carriage returns) in it, rows that are not numbered from 1, or lack numbers where that is refused, and a column 7 that is no chain over all words, or is
    /// unknown where that is refused.
    pub fn read_into(&mut self, block: &mut Block) -> Result<bool> {
        block.text.clear();
        block.rows.clear();
        block.order = None;
        let mut before = self.lines.bytes();
        loop {
            let more = self.lines.read_into(&mut self.line)?;
            if more && !self.line.trim_ascii().is_empty() {
                self.lines.check_sentence(before)?;
                self.add_row(block)?;
            } else if !block.is_empty() {
                self.number += 1;
                block.order = self.order(block)?;
                return Ok(true);
            } else if !more {
                return Ok(false);
            } else {
                before = self.lines.bytes();
            }
        }
    }

    fn add_row(&self, block: &mut Block) -> Result<()> {
        let sentence = self.number + 1;
        let fault = |column: usize, expected: String, found: &str| {
            let expected = format!("in sentence {sentence} {expected}");
            Err(Error::parse(self.lines.position(column), expected, found.as_bytes()))
        };
        let count = self.line.split('\t').count();
        if count != COLUMNS {
            return fault(1, format!("10 tab-separated columns (this line has {count})"), &self.line);
        }
        let mut ends = [0; COLUMNS];
        let mut start = 0;
        for (column, cell) in self.line.split('\t').enumerate() {
            if cell.is_empty() {
                return fault(start + 1, format!("a value in column {}, `-` if there is none", column + 1), "");
            }
            if column + 1 == WORD
                && let Some(at) = odd_byte(cell)
            {
                let expected = "a word as it stands in the other files, without blanks".to_owned();
                return fault(start + at + 1, expected, cell);
            }
            ends[column] = (start + cell.len()) as u32;
            start += cell.len() + 1;
        }
        let next = block.len().checked_sub(1).map_or(1, |last| block.number(last).saturating_add(1));
        let index = &self.line[..ends[INDEX - 1] as usize];
        let later = || index.parse().is_ok_and(|number: u32| number > next && number.to_string() == index);
        if index != next.to_string() && !(self.missing == Missing::Allowed && later()) {
            let or = if self.missing == Missing::Allowed { " or a greater one" } else { "" };
            return fault(1, format!("word number {next}{or}"), index);
        }
        if block.is_empty() {
            block.line = self.lines.number();
        }
        block.push(&self.line, ends);
        Ok(())
    }

    /// What column 7 says.
    fn order(&self, block: &Block) -> Result<Option<Permutation>> {
        let cells = || (0..block.len()).map(|row| block.cell(row, PREVIOUS));
        let unknown = cells().all(|cell| EMPTY.contains(&cell)) || block.len() > 1 && cells().all(|cell| cell == "0");
        if unknown && self.unknown == Unknown::Allowed {
            return Ok(None);
        }
        let fault = |row: usize, expected: String| {
            let column = (block.range(row, PREVIOUS).start - block.rows[row].start) as u64 + 1;
            let position = crate::error::Position::new(self.lines.name(), block.line_of(row), column);
            let expected = format!("in sentence {} {expected}", self.number);
            Error::parse(position, expected, block.cell(row, PREVIOUS).as_bytes())
        };
        if unknown {
            let expected = "an order in column 7, which is hidden as in test data".to_owned();
            return Err(fault(0, expected));
        }
        let numbers: Vec<u32> = (0..block.len()).map(|row| block.number(row)).collect();
        let gaps = numbers.last().is_some_and(|&last| last as usize > numbers.len());
        let mut previous = Vec::with_capacity(numbers.len());
        for (row, cell) in cells().enumerate() {
            let index = cell.parse().ok().filter(|_| cell.bytes().all(|byte| byte.is_ascii_digit()));
            // Among the rows that are there.
            let place = index.and_then(|index: u32| match index {
                index if index == 0 || !gaps => Some(index),
                index => numbers.binary_search(&index).ok().map(|place| place as u32 + 1),
            });
            let range = match numbers.last() {
                Some(last) if gaps => format!("0 to {last}, that of a row of the sentence"),
                _ => format!("0 to {}", numbers.len()),
            };
            let expected = || format!("the index of the word before in the new order, from {range}");
            previous.push(place.ok_or_else(|| fault(row, expected()))?);
        }
        match order_from_previous(&previous) {
            Ok(order) => Ok(Some(order)),
            Err(broken) => Err(fault(broken.word() as usize, broken.numbered(&numbers).to_string())),
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Block>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut block = Block::default();
        match self.read_into(&mut block) {
            Ok(true) => Some(Ok(block)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// All sentences of a text, called `name` in messages.
///
/// # Errors
/// As [`Reader::read_into`].
pub fn parse(text: &str, name: &str, unknown: Unknown) -> Result<Vec<Block>> {
    Reader::new(LineReader::new(text.as_bytes(), name, Utf8::Strict), unknown).collect()
}

/// All sentences of a file, or of standard input if the path is `-`.
///
/// # Errors
/// As [`Reader::open`] and [`Reader::read_into`].
pub fn read(path: impl AsRef<Path>, unknown: Unknown) -> Result<Vec<Block>> {
    Reader::open(path, unknown)?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(previous: &[&str]) -> String {
        let row = |(row, cell): (usize, &&str)| format!("{}\tw{row}\t_\tC\tF\t-\t{cell}\t-\tx y\t_\n", row + 1);
        previous.iter().enumerate().map(row).collect::<Vec<_>>().concat() + "\n"
    }

    fn message(text: &str) -> String {
        parse(text, "f", Unknown::Allowed).unwrap_err().to_string()
    }

    #[test]
    fn every_error_says_where() {
        let good = file(&["0", "1"]);
        let row = "in sentence 2 ";
        for (bad, expected) in [
            (
                file(&["0", "4", "1"]),
                "f:5:14: expected in sentence 2 the index of the word before in the new order, from 0 to 3, found `4`",
            ),
            (file(&["0", "2"]), "f:5:14: expected in sentence 2 the index of another word than this one, found `2`"),
            (
                file(&["0", "x"]),
                "f:5:14: expected in sentence 2 the index of the word before in the new order, from 0 to 2, found `x`",
            ),
            (
                file(&["0", "-"]),
                "f:5:14: expected in sentence 2 the index of the word before in the new order, from 0 to 2, found `-`",
            ),
            (
                file(&["0", "+1"]),
                "f:5:14: expected in sentence 2 the index of the word before in the new order, from 0 to 2, found `+1`",
            ),
            (
                file(&["0", "1", "1"]),
                "f:6:14: expected in sentence 2 one word after word 1, but word 2 comes there already, found `1`",
            ),
            (
                file(&["0", "1", "0"]),
                "f:6:14: expected in sentence 2 one word that comes first (index 0), but word 1 does already, found `0`",
            ),
            (
                file(&["0", "3", "2"]),
                "f:5:14: expected in sentence 2 one chain over all words, but words 2 ← 3 ← 2 form a cycle, found `3`",
            ),
            (
                "1\tw\t-\t-\t-\t-\t0\t-\t-\n".to_owned(),
                "f:4:1: expected in sentence 2 10 tab-separated columns (this line has 9), found `1\\tw\\t-\\t-\\t-\\t-\\t0\\t-\\t-`",
            ),
            (
                "1\tw\t-\t-\t-\t-\t0\t-\t-\t-\t-\n".to_owned(),
                "f:4:1: expected in sentence 2 10 tab-separated columns (this line has 11), found `1\\tw\\t-\\t-\\t-\\t-\\t0\\t-\\t-\\t-\\t-`",
            ),
            (
                "1 w\n".to_owned(),
                "f:4:1: expected in sentence 2 10 tab-separated columns (this line has 1), found `1 w`",
            ),
            (
                "1\tw\t\t-\t-\t-\t0\t-\t-\t-\n".to_owned(),
                "f:4:5: expected in sentence 2 a value in column 3, `-` if there is none, found nothing",
            ),
            (
                "1\ta b\t-\t-\t-\t-\t0\t-\t-\t-\n".to_owned(),
                "f:4:4: expected in sentence 2 a word as it stands in the other files, without blanks, found `a b`",
            ),
            (
                "1\ta\r\t-\t-\t-\t-\t0\t-\t-\t-\n".to_owned(),
                "f:4:4: expected in sentence 2 a word as it stands in the other files, without blanks, found `a\\r`",
            ),
            (
                "1\t\u{FEFF}a\t-\t-\t-\t-\t0\t-\t-\t-\n".to_owned(),
                "f:4:3: expected in sentence 2 a word as it stands in the other files, without blanks, found `\\u{feff}a`",
            ),
            (good.replace("\n2\t", "\n3\t"), "f:5:1: expected in sentence 2 word number 2, found `3`"),
        ] {
            assert!(expected.contains(row));
            assert_eq!(message(&(good.clone() + &bad)), expected);
        }
        assert!(parse("1\tw\u{FFFD}", "f", Unknown::Allowed).is_err());
    }

    #[test]
    fn unknown_orders_are_allowed_where_they_may_be() {
        for cell in ["-", "_", "0"] {
            let text = file(&[cell, cell]);
            assert_eq!(parse(&text, "f", Unknown::Allowed).unwrap()[0].order(), None);
            assert!(parse(&text, "f", Unknown::Refused).is_err(), "{cell}");
        }
        let one = &parse(&file(&["0"]), "f", Unknown::Allowed).unwrap()[0];
        assert_eq!(one.order(), Some(&Permutation::identity(1)));
    }

    #[test]
    fn ends_of_lines_and_files_may_differ() {
        let plain = file(&["0", "1"]) + &file(&["2", "0"]);
        for text in [
            plain.clone(),
            plain.replace('\n', "\r\n"),
            plain.replace('\n', "\r\r\n"),
            plain.trim_end().to_owned(),
            format!("\u{FEFF}\n\n{}", plain.replace("\n\n", "\n \n\n")),
        ] {
            let mut written = Vec::new();
            parse(&text, "f", Unknown::Refused).unwrap().iter().for_each(|block| block.write(&mut written));
            assert_eq!(String::from_utf8(written).unwrap(), plain);
        }
        assert!(parse("\n\r\n", "f", Unknown::Refused).unwrap().is_empty());
    }

    #[test]
    fn sentences_that_do_not_end_are_refused() {
        let row = |n: usize| format!("{n}\tw\t-\t-\t-\t-\t-\t-\t-\t{}\n", "x".repeat(1 << 16));
        let rows: String = (1..1100).map(row).collect();
        assert!(message(&rows).starts_with("f:1024: bytes of the lines of a sentence: "));
        let blocks = parse(&(row(1) + "\n").repeat(1100), "f", Unknown::Allowed).unwrap();
        assert_eq!(blocks.len(), 1100);
    }

    #[test]
    fn differences_beside_column_7_are_found() {
        let block = |text: &str| parse(text, "f", Unknown::Allowed).unwrap().remove(0);
        let one = block(&file(&["0", "1"]));
        assert_eq!(one.first_difference(&block(&file(&["2", "0"]))), None);
        assert_eq!(one.first_difference(&block(&file(&["0"]))), Some(1));
        assert_eq!(block(&file(&["0"])).first_difference(&one), Some(1));
        assert_eq!(one.first_difference(&block(&file(&["0", "1"]).replace("w1", "w2"))), Some(1));
        assert!(one.reordered(&Permutation::identity(3)).is_none());
    }

    /// Rows keep their numbers, so that 1, 3 and 4 are left of four; 4 comes first, then 1 and 3.
    #[test]
    fn rows_may_be_missing_where_that_is_allowed() {
        let file = "1\ta\t-\t-\t-\t-\t4\t-\t-\t-\n3\tc\t-\t-\t-\t-\t1\t-\t-\t-\n4\td\t-\t-\t-\t-\t0\t-\t-\t-\n";
        let read = |text: &str, missing| {
            let lines = LineReader::new(text.as_bytes(), "f", Utf8::Strict);
            let blocks = Reader::new(lines, Unknown::Refused).with_missing(missing).collect::<Result<Vec<_>>>();
            blocks.map(|mut blocks| blocks.remove(0)).map_err(|error| error.to_string())
        };
        let block = read(file, Missing::Allowed).unwrap();
        assert_eq!((0..3).map(|row| block.number(row)).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(block.order().unwrap().inverse().places(), [2, 0, 1]);
        let message = |from: &str, to: &str| read(&file.replace(from, to), Missing::Allowed).unwrap_err();
        assert_eq!(read(file, Missing::Refused).unwrap_err(), "f:2:1: expected in sentence 1 word number 2, found `3`");
        let expected = "f:2:13: expected in sentence 1 the index of the word before in the new order, from 0 to 4, that of a \
                        row of the sentence, found `2`";
        assert_eq!(message("\t1\t-\t-", "\t2\t-\t-"), expected);
        let expected =
            "f:2:13: expected in sentence 1 one word after word 4, but word 1 comes there already, found `4`";
        assert_eq!(message("\t1\t-\t-", "\t4\t-\t-"), expected);
        let expected = "f:2:13: expected in sentence 1 the index of another word than this one, found `3`";
        assert_eq!(message("\t1\t-\t-", "\t3\t-\t-"), expected);
        let expected = "f:3:13: expected in sentence 1 one chain over all words, but words 1 ← 4 ← 1 form a cycle, \
                        found `1`";
        let circle = file.replace("\t1\t-\t-", "\t0\t-\t-").replace("4\td\t-\t-\t-\t-\t0", "4\td\t-\t-\t-\t-\t1");
        assert_eq!(
            read(&circle, Missing::Allowed).unwrap_err().replace("f:1:13", "f:3:13").replace("`4`", "`1`"),
            expected
        );
        for number in ["1", "03", "+4", "x"] {
            let again = message("\n3\t", &format!("\n{number}\t"));
            assert_eq!(
                again,
                format!("f:2:1: expected in sentence 1 word number 2 or a greater one, found `{number}`")
            );
        }
    }

    /// `-` and `_` are both what stands in empty columns; as words they differ.
    #[test]
    fn empty_cells_are_the_same() {
        let block = |text: &str| parse(text, "f", Unknown::Allowed).unwrap().remove(0);
        let file = "1\t-\t-\t-\t-\t-\t-\t-\t-\t-\n2\tb\t-\tC\t-\t-\t-\t-\t-\t-\n";
        let other = "1\t-\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\tC\t_\t_\t-\t_\t_\t_\n";
        assert_eq!(block(file).first_difference(&block(other)), None);
        assert_eq!(block(other).order(), None);
        assert_eq!(block(file).first_difference(&block(&other.replace("1\t-", "1\t_"))), Some(0));
        assert_eq!(block(file).first_difference(&block(&other.replace("\tC\t", "\t_\t"))), Some(1));
    }

    proptest! {
        #[test]
        fn orders_are_written_and_read(values in prop::collection::vec(any::<u32>(), 1..14)) {
            let order = Permutation::ranks(&values);
            let unknown = file(&vec!["-"; values.len()]);
            let block = &parse(&unknown, "f", Unknown::Allowed).unwrap()[0];
            let reordered = block.reordered(&order).unwrap();
            let mut written = Vec::new();
            reordered.write(&mut written);
            let text = String::from_utf8(written).unwrap();
            let again = &parse(&text, "f", Unknown::Refused).unwrap()[0];
            prop_assert_eq!(again, &Block { line: 1, ..reordered.clone() });
            prop_assert_eq!(again.order(), Some(&order));
            prop_assert_eq!(again.first_difference(block), None);
            let rows = (0..block.len()).map(|row| NewRow { word: block.word(row), coarse_tag: "C", fine_tag: "F" });
            let new = Block::new(rows, Some(&order));
            let mut written = Vec::new();
            new.write(&mut written);
            let again = parse(std::str::from_utf8(&written).unwrap(), "f", Unknown::Refused).unwrap().remove(0);
            prop_assert_eq!(again, Block { line: 1, ..new });
        }
    }
}
