//! Runs that files have: rows of the shared task, or lines of positions.

use std::io::BufRead;
use std::path::Path;

use super::super::submission::{begin_of, other_count};
use super::{GoldSentence, GoldStandard};
use crate::error::{Error, ErrorKind, Result};
use crate::format::lines::{LineReader, Utf8};
use crate::format::rsmt::{self, Block, Unknown};
use crate::format::tokens;

impl GoldStandard {
    /// Reads a run: if its name ends in `.conll` rows of the shared task, otherwise a line of positions for each sentence,
    /// from 0, in their new order, in which words that are not kept may be missing. Gives orders of the kept words.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`; `Parse` for what is no position, and for orders that lack a kept word; `UnequalLengths`; as
    /// [`run_of_blocks`](Self::run_of_blocks).
    pub fn read_run(&self, path: &Path) -> Result<Vec<Vec<u32>>> {
        let name = path.to_string_lossy();
        let bare = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        if Path::new(bare).extension().is_some_and(|extension| extension == "conll") {
            return self.run_of_blocks(&rsmt::read(path, Unknown::Refused)?, &name);
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
                orders.push(kept(order, sentence, &reader)?);
            }
        }
        if reader.read_into(&mut line)? {
            return Err(self.unequal(&mut reader)?);
        }
        Ok(orders)
    }

    /// The orders of rows that have the words of the gold standard; `name` is what messages call them.
    ///
    /// # Errors
    /// `Inconsistent` if there are more or fewer sentences, or other words, or a sentence has no order.
    pub fn run_of_blocks(&self, blocks: &[Block], name: &str) -> Result<Vec<Vec<u32>>> {
        let counts = || other_count(blocks, self.sentences.len(), &format!("{} has", self.name));
        let fault = |problem: String| Error::from(ErrorKind::Inconsistent(format!("{name}: {problem}{}", counts())));
        let both = blocks.iter().zip(&self.sentences);
        let orders = both.map(|(block, sentence)| self.order_of(block, sentence).map_err(fault));
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
    fn order_of(&self, block: &Block, sentence: &GoldSentence) -> std::result::Result<Vec<u32>, String> {
        let differs = (0..block.len().max(sentence.words.len()))
            .find(|&row| row >= block.len() || sentence.words.get(row).map(String::as_str) != Some(block.word(row)));
        let problem = match differs {
            Some(row) if row >= block.len() => format!("lacks `{}`, word {}", sentence.words[row], row + 1),
            Some(row) => match sentence.words.get(row) {
                None => format!("has one word more, `{}`", block.word(row)),
                Some(word) => {
                    format!("has `{}` as word {}, where {} has `{word}`", block.word(row), row + 1, self.name)
                }
            },
            None => match block.order() {
                Some(order) => return Ok(order.inverse().places().to_vec()),
                None => "has no order".to_owned(),
            },
        };
        Err(format!("sentence {} (from line {}) {problem}", sentence.number + 1, block.line_of(0)))
    }

    fn unequal(&self, reader: &mut LineReader<impl BufRead>) -> Result<Error> {
        let lines = reader.count_all()?;
        Ok(Error::unequal_lengths((&self.name, self.lengths.len() as u64), (reader.name(), lines)))
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
fn kept(order: Vec<u32>, sentence: &GoldSentence, reader: &LineReader<impl BufRead>) -> Result<Vec<u32>> {
    sentence.kept_order(order.into_iter()).map_err(|missing| {
        let expected = format!("position {}, of `{}`, too", sentence.kept[missing], sentence.words[missing]);
        Error::parse(reader.position(0), expected, b"")
    })
}
