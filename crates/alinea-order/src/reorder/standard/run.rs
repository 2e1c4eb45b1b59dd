//! Runs, the predicted orders of a system: read from files and checked against the gold standard.
//!
//! A file whose name ends in `.conll`, compressed or not, has rows of the shared task, with the order in column 7.
//! There is a block for each sentence with kept words, and the rows must have the words of the gold standard; where
//! rows may be missing, the others keep the numbers that they have there. Any other file has a line for each sentence
//! of the text: the positions of its words, from 0, in the predicted order, each at most once. Words that are not kept
//! may be missing there, and are dropped.
//!
//! The result is an order of the kept words of each sentence, as places among them. A kept word that is missing is an
//! error, unless `Missing::Allowed`; so is a run of more or fewer sentences.

use std::io::BufRead;
use std::path::Path;

use super::super::submission::{begin_of, other_count};
use super::{GoldSentence, GoldStandard, ONLY_IF_ASKED_FOR};
use crate::error::{Error, ErrorKind, Result};
use crate::format::lines::{LineReader, Utf8};
use crate::format::rsmt::{self, Block, Missing, Unknown};
use crate::format::source::plain_name;
use crate::format::tokens;

impl GoldStandard {
    /// Reads a run: if its name ends in `.conll` rows of the shared task, otherwise a line of positions for each sentence,
    /// from 0, in their new order, in which words that are not kept may be missing, and where `missing` allows it others, too.
    /// Gives orders of the kept words.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `Parse` for what is no position, and for orders that lack a kept word where that is refused;
    /// `UnequalLengths`; as [`run_of_blocks`](Self::run_of_blocks).
    pub fn read_run(&self, path: &Path, missing: Missing) -> Result<Vec<Vec<u32>>> {
        let name = path.to_string_lossy();
        let bare = plain_name(&name);
        if Path::new(bare).extension().is_some_and(|extension| extension == "conll") {
            // Missing rows are told by their words.
            let reader = rsmt::Reader::open(path, Unknown::Refused)?.with_missing(Missing::Allowed);
            return self.run_of_blocks(&reader.collect::<Result<Vec<_>>>()?, &name, missing);
        }
        let mut reader = LineReader::open(path, Utf8::Strict)?;
        let mut orders = Vec::with_capacity(self.sentences.len());
        let mut sentences = self.sentences.iter().peekable();
        let mut line = String::new();
        for (number, &length) in self.lengths.iter().enumerate() {
            if !reader.read_into(&mut line)? {
                return Err(self.unequal(&mut reader)?);
            }
            let order = positions(&line, length, &reader)?;
            if let Some(sentence) = sentences.next_if(|sentence| sentence.number == number) {
                orders.push(kept(order, sentence, &reader, missing)?);
            }
        }
        if reader.read_into(&mut line)? {
            return Err(self.unequal(&mut reader)?);
        }
        Ok(orders)
    }

    /// The orders of rows that have the words of the gold standard; `name` is what messages call them. Where words may be
    /// missing, rows have the numbers that they have in the gold standard.
    ///
    /// # Errors
    /// `Inconsistent` if there are more or fewer sentences, or other words, or a sentence has no order.
    pub fn run_of_blocks(&self, blocks: &[Block], name: &str, missing: Missing) -> Result<Vec<Vec<u32>>> {
        let counts = || other_count(blocks, self.sentences.len(), &format!("{} has", self.name));
        let fault = |problem: String| Error::from(ErrorKind::Inconsistent(format!("{name}: {problem}{}", counts())));
        let both = blocks.iter().zip(&self.sentences);
        let orders = both.map(|(block, sentence)| self.order_of(block, sentence, missing).map_err(fault));
        let orders = orders.collect::<Result<Vec<_>>>()?;
        match (blocks.get(orders.len()), self.sentences.get(orders.len())) {
            (Some(more), _) => Err(fault(format!("the rows from line {} are of no sentence", more.line_of(0)))),
            (None, Some(lacking)) => {
                let words = begin_of(lacking.words.iter().map(String::as_str));
                Err(fault(format!("sentence {}, `{words}`, is missing", lacking.number + 1)))
            }
            (None, None) => Ok(orders),
        }
    }

    /// The order of a sentence, or what is wrong.
    fn order_of(
        &self,
        block: &Block,
        sentence: &GoldSentence,
        missing: Missing,
    ) -> std::result::Result<Vec<u32>, String> {
        let words = &sentence.words;
        // The places of the words among those of the gold standard.
        let places: Vec<usize> = (0..block.len()).map(|row| block.number(row) as usize - 1).collect();
        let other = (0..block.len()).find(|&row| words.get(places[row]).is_none_or(|word| word != block.word(row)));
        let lacking = || (0..words.len()).find(|place| places.get(*place) != Some(place));
        let problem = match (other, block.order()) {
            (Some(row), _) => match words.get(places[row]) {
                None => format!("has an extra word, `{}`", block.word(row)),
                Some(word) => {
                    let (its, number, gold) = (block.word(row), places[row] + 1, &self.name);
                    let numbers = if missing == Missing::Allowed && block.len() < words.len() {
                        "; where rows are missing, the others keep their numbers"
                    } else {
                        ""
                    };
                    format!("has `{its}` as word {number}, where {gold} has `{word}`{numbers}")
                }
            },
            (None, _) if missing == Missing::Refused && lacking().is_some() => {
                let place = lacking().unwrap_or_default();
                format!("lacks `{}`, word {}{ONLY_IF_ASKED_FOR}", words[place], place + 1)
            }
            (None, None) => "has no order".to_owned(),
            (None, Some(order)) => {
                return Ok(order.inverse().places().iter().map(|&row| places[row as usize] as u32).collect());
            }
        };
        Err(format!("sentence {} (from line {}) {problem}", sentence.number + 1, block.line_of(0)))
    }

    fn unequal(&self, reader: &mut LineReader<impl BufRead>) -> Result<Error> {
        let lines = reader.count_all()?;
        Ok(Error::unequal_lengths(&self.name, self.lengths.len() as u64, reader.name(), lines))
    }
}

/// The positions of a line.
fn positions(line: &str, length: usize, reader: &LineReader<impl BufRead>) -> Result<Vec<u32>> {
    let mut split = tokens::split(line.as_bytes());
    let mut seen = vec![false; length];
    let mut order = Vec::new();
    while let Some(token) = split.next() {
        let column = split.offset() - token.len() + 1;
        let position = std::str::from_utf8(token).ok().and_then(|token| token.parse::<u32>().ok());
        let place = position.and_then(|position| seen.get_mut(position as usize));
        let (Some(position), Some(seen @ false)) = (position, place) else {
            let expected = match length {
                0 => "nothing, as the sentence has no words".to_owned(),
                _ => format!("the position of a word, from 0 to {}, each once", length - 1),
            };
            return Err(Error::parse(reader.position(column), expected, token));
        };
        *seen = true;
        order.push(position);
    }
    Ok(order)
}

/// An order of the kept words, from one of words of the whole sentence.
fn kept(
    order: Vec<u32>,
    sentence: &GoldSentence,
    reader: &LineReader<impl BufRead>,
    missing: Missing,
) -> Result<Vec<u32>> {
    sentence.kept_order(order.into_iter(), missing).map_err(|lacking| {
        let (position, word) = (sentence.kept[lacking], &sentence.words[lacking]);
        let expected = format!("position {position}, of `{word}`, too{ONLY_IF_ASKED_FOR}");
        Error::parse(reader.position(0), expected, b"")
    })
}
