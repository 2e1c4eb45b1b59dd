//! Orders as arrays: the word positions of all sentences, one sentence after another, and where those of each begin.
//!
//! An order has the positions of words in their new order, from 0; words without a place may be missing. The orders of
//! a text are two arrays, offsets and positions: those of sentence n are `positions[offsets[n]..offsets[n + 1]]`. The
//! Python side has checked arrays that come from it; positions that are not there are errors that name the sentence.
//!
//! Here are the conversions, also to training examples; `gold_orders` and `gold_ranks`, the total and the partial order
//! that follow from links (-1 for words without rank, no ranks where a word is linked around another); and
//! `export_orders`, which lends orders to other libraries through Arrow.

use alinea::alignment::Alignment;
use alinea::error::Result;
use alinea::reorder::example::Example;
use alinea::reorder::{Attach, Incomparable, Key, Ranks, Sentence, Skipped, Unaligned, gold_order, whole_order};
use arrow_schema::DataType;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::{check_length, inconsistent};
use crate::arrow::lend_lists;
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::work::run;

/// Orders that go to Python.
pub(super) type Orders<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>);

/// Orders that came from Python. The façade has made them so.
pub(super) type ReadOrders<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i32>);

/// Puts orders into arrays.
pub(super) fn arrays(py: Python<'_>, orders: impl IntoIterator<Item = impl AsRef<[u32]>>) -> Orders<'_> {
    let positions = |order: &[u32]| order.iter().map(|&word| word as i32).collect::<Vec<_>>();
    signed_arrays(py, orders.into_iter().map(|order| positions(order.as_ref())))
}

/// The same of numbers that may be -1.
fn signed_arrays(py: Python<'_>, rows: impl IntoIterator<Item = Vec<i32>>) -> Orders<'_> {
    let (mut offsets, mut flat) = (vec![0], Vec::new());
    for row in rows {
        flat.extend(row);
        offsets.push(flat.len() as i64);
    }
    (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, flat))
}

/// The orders of each sentence of the argument `name`.
pub(super) fn orders((offsets, rows): &ReadOrders<'_>, name: &str) -> PyResult<Vec<Vec<u32>>> {
    let (offsets, rows) = (offsets.as_array(), rows.as_array());
    let position = |sentence: usize, place: i64| {
        let found = usize::try_from(place).ok().and_then(|place| rows.get(place).copied()).unwrap_or(-1);
        u32::try_from(found)
            .map_err(|_| to_python(inconsistent(format!("{name}[{sentence}]: there is no word {found}"))))
    };
    let pairs = offsets.iter().zip(offsets.iter().skip(1)).enumerate();
    pairs.map(|(number, (&start, &end))| (start..end).map(|place| position(number, place)).collect()).collect()
}

/// The place of each word, from an order in which some may be missing.
pub(super) fn places(order: &[u32], words: usize) -> Result<Vec<Option<u32>>> {
    let mut places = vec![None; words];
    for (place, &word) in (0..).zip(order) {
        match places.get_mut(word as usize) {
            Some(free @ None) => *free = Some(place),
            _ => {
                return Err(inconsistent(format!(
                    "word {word} occurs twice, or is outside a sentence of {words} words"
                )));
            }
        }
    }
    Ok(places)
}

/// The links of each sentence, which has so many words.
fn links_of(lengths: &[usize], links: &ReadMany<'_>) -> Result<Vec<Alignment>> {
    let links = alignments(links);
    check_length("links", links.len(), lengths.len())?;
    for (number, (links, &words)) in links.iter().zip(lengths).enumerate() {
        check_links(links, words).map_err(|error| super::located("links", number, error))?;
    }
    Ok(links)
}

fn check_links(links: &Alignment, words: usize) -> Result<()> {
    match links.iter().find(|link| link.source as usize >= words) {
        None => Ok(()),
        Some(link) => Err(inconsistent(format!("a link from word {} of a sentence of {words}", link.source))),
    }
}

/// Sentences with links, to learn from.
pub(super) fn examples_of_links(source: &[Sentence], links: Vec<Alignment>) -> Result<Vec<Example>> {
    check_length("links", links.len(), source.len())?;
    let example = |(number, (sentence, links)): (usize, (&Sentence, Alignment))| {
        Example::of_links(sentence.clone(), links).map_err(|error| super::located("links", number, error))
    };
    source.iter().zip(links).enumerate().map(example).collect()
}

/// Sentences with orders, to learn from.
pub(super) fn examples_of_orders(source: &[Sentence], orders: &[Vec<u32>]) -> Result<Vec<Example>> {
    check_length("orders", orders.len(), source.len())?;
    let example = |(number, (sentence, order)): (usize, (&Sentence, &Vec<u32>))| {
        let places = places(order, sentence.len()).map_err(|error| super::located("orders", number, error))?;
        Example::of_places(sentence.clone(), places)
    };
    source.iter().zip(orders).enumerate().map(example).collect()
}

/// The gold order of each sentence, which has so many words; with `attach` that of all its words.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn gold_orders<'py>(
    py: Python<'py>,
    lengths: Vec<usize>,
    links: ReadMany<'py>,
    key: &str,
    unaligned: &str,
    attach: Option<&str>,
) -> PyResult<Orders<'py>> {
    let (key, unaligned): (Key, Unaligned) = (key.parse().map_err(to_python)?, unaligned.parse().map_err(to_python)?);
    let attach: Option<Attach> = attach.map(str::parse).transpose().map_err(to_python)?;
    let links = links_of(&lengths, &links).map_err(to_python)?;
    let found = run(py, move |_| {
        let order = |(links, &words): (&Alignment, &usize)| {
            let gold = gold_order(words, links, key, unaligned);
            match attach {
                None => Ok(gold.words().to_vec()),
                Some(attach) => Ok(whole_order(words, gold.words(), attach)?.inverse().places().to_vec()),
            }
        };
        links.iter().zip(&lengths).map(order).collect::<Result<Vec<_>>>()
    })?;
    Ok(arrays(py, found))
}

/// Two words of which one is linked around the other; nothing if there are ranks, or no links.
type Reason = Option<(u32, u32)>;

/// The ranks of each sentence's words, -1 for those without; whether there are ranks; if not, why; and whether a binary tree
/// reaches the order.
type FoundRanks<'py> = (Orders<'py>, Vec<bool>, Vec<Reason>, Vec<bool>);

/// The ranks of each sentence's words.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn gold_ranks<'py>(
    py: Python<'py>,
    lengths: Vec<usize>,
    links: ReadMany<'py>,
    incomparable: &str,
) -> PyResult<FoundRanks<'py>> {
    let incomparable: Incomparable = incomparable.parse().map_err(to_python)?;
    let links = links_of(&lengths, &links).map_err(to_python)?;
    let found = run(py, move |_| {
        let ranks = |(links, &words): (&Alignment, &usize)| Ranks::of_alignment(words, links, incomparable);
        Ok(links.iter().zip(&lengths).map(ranks).collect::<Vec<_>>())
    })?;
    let number = |rank: &Option<u32>| rank.map_or(-1, |rank| rank as i32);
    let row = |ranks: &std::result::Result<Ranks, Skipped>| match ranks {
        Ok(ranks) => ranks.ranks().iter().map(number).collect(),
        Err(_) => Vec::new(),
    };
    let reason = |ranks: &std::result::Result<Ranks, Skipped>| match ranks {
        Err(Skipped::Incomparable { first, second }) => Some((*first, *second)),
        _ => None,
    };
    Ok((
        signed_arrays(py, found.iter().map(row)),
        found.iter().map(std::result::Result::is_ok).collect(),
        found.iter().map(reason).collect(),
        found.iter().map(|ranks| ranks.as_ref().is_ok_and(Ranks::is_bracketable)).collect(),
    ))
}

/// Lends a column of lists of positions. The capsules are those of `__arrow_c_array__`.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn export_orders<'py>(
    py: Python<'py>,
    offsets: PyReadonlyArray1<'py, i64>,
    rows: PyReadonlyArray1<'py, i32>,
    name: Option<&str>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let numbers: Vec<i32> = rows.as_array().iter().copied().collect();
    lend_lists(py, offsets.as_array().iter().copied().collect(), DataType::Int32, numbers, name)
}
