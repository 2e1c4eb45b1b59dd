//! Links between other tokens of the same sentences.
//!
//! A side is two texts, words and tokens, which are compared by what they spell; or, where a tokenizer has said it, the places of
//! both in the sentence, in characters.

use std::ops::Range;

use alinea::bitext::Text;
use alinea::error::{Error, ErrorKind, Result, Snippet};
use alinea::format::alignment::PairRecord;
use alinea::progress::check;
use alinea::token_map::{LinkTransfer, Mismatch, TokenMap, TokenMatcher};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::formats::{Parts, Records, records_of};
use crate::text::{TextOptions, read};
use crate::work::run;

/// Pairs between two questions whether to stop.
const BATCH: usize = 4096;

/// Places of tokens: of each sentence, first character and one past the last.
type Spans = Vec<Vec<(usize, usize)>>;

/// A side as Python gives it, words and tokens.
#[derive(FromPyObject)]
pub(crate) enum GivenSide<'py> {
    Placed(Spans, Spans),
    Spelled(Bound<'py, PyAny>, Bound<'py, PyAny>),
}

/// The same, read.
enum Side {
    Placed(Spans, Spans),
    Spelled(Box<[Text; 2]>),
}

/// What is done with all pairs.
#[derive(Clone, Copy)]
struct Options {
    skip: bool,
    ignore_case: bool,
}

/// The links; which are only possible; weights; the numbers of the pairs that were left out; how many links were.
type Converted<'py> = (Records<'py>, Bound<'py, PyArray1<i64>>, u64);

/// Makes links count other tokens.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn convert_links<'py>(
    py: Python<'py>,
    links: Parts<'py>,
    source: Option<GivenSide<'py>>,
    target: Option<GivenSide<'py>>,
    skip: bool,
    ignore_case: bool,
) -> PyResult<Converted<'py>> {
    let mut records = links.records();
    let sides = [read_side(source, "source")?, read_side(target, "target")?];
    let options = Options { skip, ignore_case };
    let (records, unmatched, left_out) = run(py, move |observer| {
        for (side, name) in sides.iter().zip(NAMES) {
            check_lengths(side.as_ref(), name, records.len())?;
        }
        let mut matcher = TokenMatcher::new().ignoring_case(options.ignore_case);
        let (mut maps, mut transfer) = (<[TokenMap; 2]>::default(), LinkTransfer::default());
        let (mut unmatched, mut left_out) = (Vec::new(), 0);
        for (n, record) in records.iter_mut().enumerate() {
            if n % BATCH == 0 {
                check(observer)?;
            }
            let mut matches = true;
            for ((side, map), name) in sides.iter().zip(&mut maps).zip(NAMES) {
                let Some(side) = side else { continue };
                if let Err(mismatch) = side.match_pair(n, &mut matcher, map) {
                    if !options.skip {
                        return Err(side.error(n, name, mismatch));
                    }
                    matches = false;
                }
            }
            if matches {
                left_out += carry(record, &sides, &maps, &mut transfer)
                    .map_err(|error| error.within(format_args!("links[{n}]")))?;
            } else {
                unmatched.push(n as i64);
                record.links.clear();
            }
        }
        Ok((records, unmatched, left_out))
    })?;
    Ok((records_of(py, &records)?, PyArray1::from_vec(py, unmatched), left_out))
}

const NAMES: [&str; 2] = ["source", "target"];

fn carry(
    record: &mut PairRecord,
    sides: &[Option<Side>; 2],
    maps: &[TokenMap; 2],
    transfer: &mut LinkTransfer,
) -> Result<u64> {
    let [source, target] = [0, 1].map(|side| sides[side].as_ref().map(|_| &maps[side]));
    transfer.transfer(record, source, target)
}

fn read_side(given: Option<GivenSide<'_>>, name: &str) -> PyResult<Option<Side>> {
    Ok(match given {
        None => None,
        Some(GivenSide::Placed(words, tokens)) => Some(Side::Placed(words, tokens)),
        Some(GivenSide::Spelled(words, tokens)) => {
            let words = read(&words, &format!("{name}_words"), TextOptions::AS_IS)?;
            let tokens = read(&tokens, &format!("{name}_tokens"), TextOptions::AS_IS)?;
            Some(Side::Spelled(Box::new([words, tokens])))
        }
    })
}

fn check_lengths(side: Option<&Side>, name: &str, pairs: usize) -> Result<()> {
    let Some(side) = side else { return Ok(()) };
    let lengths = match side {
        Side::Placed(words, tokens) => [words.len(), tokens.len()],
        Side::Spelled(texts) => texts.each_ref().map(Text::len),
    };
    for (length, what) in lengths.into_iter().zip(["words", "tokens"]) {
        if length != pairs {
            return Err(Error::unequal_lengths("links", pairs as u64, &format!("{name}_{what}"), length as u64));
        }
    }
    Ok(())
}

impl Side {
    fn match_pair(&self, n: usize, matcher: &mut TokenMatcher, map: &mut TokenMap) -> Result<(), Mismatch> {
        match self {
            Self::Placed(words, tokens) => {
                let ranges = |spans: &[(usize, usize)]| -> Vec<Range<usize>> {
                    spans.iter().map(|&(start, end)| start..end).collect()
                };
                *map = TokenMap::of_spans(&ranges(&words[n]), &ranges(&tokens[n]));
                Ok(())
            }
            Self::Spelled(texts) => {
                let [words, tokens] = texts.each_ref().map(|text| {
                    text.sentence(n).iter().map(|&word| text.vocabulary().word(word)).collect::<Vec<&[u8]>>()
                });
                matcher.match_tokens(words.into_iter(), tokens.into_iter(), map)
            }
        }
    }

    /// That a pair does not match: both tokens, and where they are.
    fn error(&self, n: usize, name: &str, mismatch: Mismatch) -> Error {
        let token = |text: usize, number: Option<usize>| match self {
            Self::Spelled(texts) => number.map(|number| {
                let text = &texts[text];
                (number, Snippet::new(text.vocabulary().word(text.sentence(n)[number])))
            }),
            Self::Placed(..) => None,
        };
        let expected = match token(0, mismatch.from) {
            Some((number, word)) => format!("the characters of {word} ({name}_words[{n}][{number}])"),
            None => format!("the end of {name}_words[{n}]"),
        };
        let found = match token(1, mismatch.to) {
            Some((number, token)) => format!("{name}_tokens[{n}][{number}]: expected {expected}, found {token}"),
            None => format!("{name}_tokens[{n}]: expected {expected}, found the end"),
        };
        ErrorKind::Inconsistent(found).into()
    }
}
