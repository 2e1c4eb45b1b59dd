//! What systems predicted: rows of the shared task, or lines of positions.

use std::path::Path;

use alinea::error::{Error, ErrorKind, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::rsmt::{self, Block, Unknown};
use alinea::format::tokens;

use super::gold::{Gold, GoldSentence};

/// Reads a run: if its name ends in `.conll` rows of the shared task, otherwise a line of positions for each sentence, from 0,
/// in their new order, in which words that the gold standard leaves out may be missing. Gives orders of the kept words.
pub(super) fn read(path: &Path, gold: &Gold) -> Result<Vec<Vec<u32>>> {
    let name = path.to_string_lossy();
    let bare = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    if Path::new(bare).extension().is_some_and(|extension| extension == "conll") {
        return of_blocks(&rsmt::read(path, Unknown::Refused)?, &name, gold);
    }
    let mut reader = LineReader::open(path, Utf8::Strict)?;
    let mut orders = Vec::with_capacity(gold.sentences.len());
    let mut sentences = gold.sentences.iter().peekable();
    let mut line = String::new();
    for (number, &length) in gold.lengths.iter().enumerate() {
        if !reader.read_into(&mut line)? {
            return Err(unequal(gold, &mut reader)?);
        }
        let order = positions(&line, length, &reader)?;
        if let Some(sentence) = sentences.next_if(|sentence| sentence.number == number) {
            orders.push(kept(&order, sentence, &reader)?);
        }
    }
    if reader.read_into(&mut line)? {
        return Err(unequal(gold, &mut reader)?);
    }
    Ok(orders)
}

/// The orders of rows that have the words of the gold standard.
pub(super) fn of_blocks(blocks: &[Block], name: &str, gold: &Gold) -> Result<Vec<Vec<u32>>> {
    if blocks.len() != gold.sentences.len() {
        let counts = (blocks.len(), gold.sentences.len());
        let message = format!("{name} has {} sentences with rows, {} has {}", counts.0, gold.name, counts.1);
        return Err(ErrorKind::Inconsistent(message).into());
    }
    let pairs = blocks.iter().zip(&gold.sentences);
    pairs
        .map(|(block, sentence)| {
            let differs = (0..block.len().max(sentence.words.len())).find(|&row| {
                row >= block.len() || sentence.words.get(row).map(String::as_str) != Some(block.word(row))
            });
            let problem = match differs {
                Some(row) if row >= block.len() => format!("lacks `{}`, word {}", sentence.words[row], row + 1),
                Some(row) => match sentence.words.get(row) {
                    None => format!("has one word more, `{}`", block.word(row)),
                    Some(word) => {
                        format!("has `{}` as word {}, where {} has `{word}`", block.word(row), row + 1, gold.name)
                    }
                },
                None => match block.order() {
                    Some(order) => return Ok(order.inverse().places().to_vec()),
                    None => "has no order".to_owned(),
                },
            };
            let message =
                format!("{name}: sentence {} (from line {}) {problem}", sentence.number + 1, block.line_of(0));
            Err(ErrorKind::Inconsistent(message).into())
        })
        .collect()
}

/// The positions of a line, each with the column, from 1, where it stands.
fn positions(line: &str, length: usize, reader: &LineReader<impl std::io::BufRead>) -> Result<Vec<(u32, usize)>> {
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
        order.push((position, column));
    }
    Ok(order)
}

/// An order of the kept words, from one of words of the whole sentence.
fn kept(
    order: &[(u32, usize)],
    sentence: &GoldSentence,
    reader: &LineReader<impl std::io::BufRead>,
) -> Result<Vec<u32>> {
    let place = |&(position, _): &(u32, usize)| sentence.kept.binary_search(&position).ok().map(|place| place as u32);
    let kept: Vec<u32> = order.iter().filter_map(place).collect();
    if kept.len() == sentence.words.len() {
        return Ok(kept);
    }
    let missing = (0..).zip(&sentence.kept).find(|(place, _)| !kept.contains(place));
    let (place, position) = missing.map_or((0, 0), |(place, &position)| (place, position));
    let expected = format!("position {position}, of `{}`, too", sentence.words[place as usize]);
    Err(Error::parse(reader.position(0), expected, b""))
}

fn unequal(gold: &Gold, reader: &mut LineReader<impl std::io::BufRead>) -> Result<Error> {
    let lines = reader.count_all()?;
    Ok(Error::unequal_lengths((&gold.name, gold.lengths.len() as u64), (reader.name(), lines)))
}
