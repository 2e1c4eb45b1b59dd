//! Columns of data frames, through Arrow's C data interface.
//!
//! Whatever has the methods `__arrow_c_stream__` or `__arrow_c_array__` (arrays of pyarrow, series of polars and pandas,
//! and others) lends its memory: nothing is copied, and no library but this one is needed. A [`Column`] has one type
//! and comes in pieces. `import` takes it from Python, which is the only unsafe part; `strings` reads strings, in each of
//! the ways that Arrow stores them; [`export_arrow`] goes the other way.
//!
//! Specification: <https://arrow.apache.org/docs/format/CDataInterface.html>.

mod export;
mod import;
mod strings;

use std::ops::Range;

use alinea::error::{ErrorKind, Position};
use alinea::progress::{Observer, check};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

pub(crate) use self::export::{export_arrow, lend_lists};
use self::import::Lent;
use self::strings::{Integers, Strings};
use crate::error::to_python;
use crate::work::run;

/// Items between two questions whether to stop.
const BATCH: usize = 4096;

/// Why a column is refused.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It is of another type than is needed.
    Type(String),
    /// An item has a value that is not allowed.
    Value(String),
    /// A sentence is longer than allowed: its number, its length and the limit.
    TooLong([usize; 3]),
}

impl Refused {
    /// The exception for the argument `name`.
    pub(crate) fn to_python(&self, name: &str) -> PyErr {
        match self {
            Self::Type(message) => PyTypeError::new_err(format!("{name}{message}")),
            Self::Value(message) => PyValueError::new_err(format!("{name}{message}")),
            &Self::TooLong([number, tokens, limit]) => too_long(name, number, [tokens, limit]),
        }
    }
}

impl From<ArrowError> for Refused {
    fn from(error: ArrowError) -> Self {
        Self::Value(format!(": not a column that can be read: {error}"))
    }
}

/// The error for sentence `number`, from 0.
pub(crate) fn too_long(name: &str, number: usize, [tokens, limit]: [usize; 2]) -> PyErr {
    let position = Position::new(name, number as u64 + 1, 0);
    to_python(ErrorKind::TooLong { position, tokens, limit }.into())
}

/// Calls `visit`, without Python's lock, for a column that Python lends under the name `name`. Nothing if it lends none.
pub(crate) fn with_column<T: Send>(
    object: &Bound<'_, PyAny>,
    name: &str,
    visit: impl FnOnce(Column, &dyn Observer) -> Result<T, Refused> + Send,
) -> PyResult<Option<T>> {
    let Some(lent) = lent(object)? else { return Ok(None) };
    let visited = run(object.py(), move |observer| {
        let visited = Column::new(lent).and_then(|column| visit(column, observer));
        check(observer)?;
        Ok(visited)
    })?;
    visited.map(Some).map_err(|refused| refused.to_python(name))
}

/// What an object lends. Objects that cannot lend what they have, as a series of pandas without pyarrow, lend nothing.
fn lent(object: &Bound<'_, PyAny>) -> PyResult<Option<Lent>> {
    if object.is_instance_of::<PyType>() {
        return Ok(None);
    }
    for (method, take) in [
        ("__arrow_c_stream__", import::stream as fn(&Bound<'_, PyAny>) -> PyResult<Lent>),
        ("__arrow_c_array__", import::array),
    ] {
        if object.hasattr(method)? {
            return match object.call_method0(method) {
                Ok(capsules) => take(&capsules).map(Some),
                Err(error) if error.is_instance_of::<PyException>(object.py()) => Ok(None),
                Err(error) => Err(error),
            };
        }
    }
    Ok(None)
}

/// A column, of which nothing is known but its type. It is read once.
pub(crate) struct Column {
    data_type: DataType,
    lent: Lent,
}

/// One item of a column of text.
pub(crate) enum Item<'a> {
    /// A sentence in one string.
    Line(&'a str),
    /// Its words.
    Words(Words<'a>),
}

/// The words of a sentence.
pub(crate) struct Words<'a> {
    strings: &'a Strings<'a>,
    range: Range<usize>,
}

impl<'a> Words<'a> {
    /// The words; nothing in place of one that is null.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<&'a str>> {
        let strings = self.strings;
        self.range.clone().map(move |n| strings.get(n))
    }
}

impl Column {
    fn new(lent: Lent) -> Result<Self, Refused> {
        Ok(Self { data_type: lent.data_type()?, lent })
    }

    /// Its pieces, checked, if the type is one that is `wanted`. A column without items need not have a type.
    fn pieces(self, is_wanted: bool, wanted: &str) -> Result<Vec<ArrayData>, Refused> {
        let Self { data_type, lent } = self;
        if data_type == DataType::Null && lent.is_empty() {
            Ok(Vec::new())
        } else if is_wanted {
            Ok(lent.into_pieces(&data_type)?)
        } else {
            Err(Refused::Type(format!(": expected a column of {wanted}, not of {data_type}")))
        }
    }

    /// Whether its items are strings.
    pub(crate) fn is_of_strings(&self) -> bool {
        strings::are_strings(&self.data_type)
    }

    /// Visits the items of a column of strings or of lists of strings, by number. Nothing in place of an item is null.
    pub(crate) fn for_each_text(
        self,
        observer: &dyn Observer,
        mut visit: impl FnMut(usize, Option<Item<'_>>) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let are_words = |items: &DataType| strings::are_strings(items) || *items == DataType::Null;
        let is_text = self.is_of_strings() || items(&self.data_type).is_some_and(are_words);
        let mut number = 0;
        for piece in &self.pieces(is_text, "strings or of lists of strings")? {
            let lists = Lists::new(piece);
            let strings = Strings::new(lists.as_ref().map_or(piece, |lists| lists.items));
            for n in 0..piece.len() {
                if number % BATCH == 0 && observer.cancelled() {
                    return Ok(());
                }
                let item = match &lists {
                    Some(lists) => lists.range(n).map(|range| Item::Words(Words { strings: &strings, range })),
                    None => strings.get(n).map(Item::Line),
                };
                visit(number, item)?;
                number += 1;
            }
        }
        Ok(())
    }

    /// The links of a column of lists of links: where those of each pair begin, and the positions. Links are structures of
    /// two integers, `source` and `target`, or lists of two, of any or of fixed size. Where all lists are empty their items
    /// may have no type.
    pub(crate) fn links(self) -> Result<(Vec<i64>, Vec<u32>), Refused> {
        let is_wanted = items(&self.data_type).is_some_and(are_links);
        let wanted = "strings or of lists of structures of `source` and `target`, or of pairs of integers,";
        let (mut offsets, mut flat) = (vec![0], Vec::new());
        for piece in &self.pieces(is_wanted, wanted)? {
            let Some(lists) = Lists::new(piece) else { continue };
            let Some(links) = Links::new(lists.items) else { continue };
            for n in 0..piece.len() {
                let number = offsets.len() - 1;
                let range = lists.range(n).ok_or_else(|| null_link(number))?;
                for link in range {
                    for position in links.get(link, number)? {
                        let wrong = |_| Refused::Value(format!("[{number}]: positions are from 0 to {}", u32::MAX));
                        flat.push(u32::try_from(position).map_err(wrong)?);
                    }
                }
                offsets.push((flat.len() / 2) as i64);
            }
        }
        Ok((offsets, flat))
    }
}

/// Links in one array.
enum Links<'a> {
    /// Structures, and the fields that are the positions.
    Structures(&'a ArrayData, [Integers<'a>; 2]),
    /// Lists of two, and their items.
    Pairs(Lists<'a>, Integers<'a>),
    /// Nulls, which are no links.
    Nulls,
}

impl<'a> Links<'a> {
    /// Nothing if they are no links.
    fn new(data: &'a ArrayData) -> Option<Self> {
        if let Some(sides) = sides(data.data_type()) {
            return Some(Self::Structures(data, sides.map(|side| Integers::new(&data.child_data()[side]))));
        }
        if *data.data_type() == DataType::Null {
            return Some(Self::Nulls);
        }
        let lists = Lists::new(data)?;
        let numbers = Integers::new(lists.items);
        Some(Self::Pairs(lists, numbers))
    }

    /// The positions of a link, which is one of pair `number`.
    fn get(&self, link: usize, number: usize) -> Result<[i64; 2], Refused> {
        let null = || null_link(number);
        let [source, target] = match self {
            Self::Nulls => return Err(null()),
            Self::Structures(data, _) if data.is_null(link) => return Err(null()),
            Self::Structures(data, sides) => sides.each_ref().map(|side| side.get(data.offset() + link)),
            Self::Pairs(lists, numbers) => {
                let range = lists.range(link).ok_or_else(null)?;
                if range.len() != 2 {
                    let message = format!("[{number}]: links are pairs of positions, not {} numbers", range.len());
                    return Err(Refused::Value(message));
                }
                [numbers.get(range.start), numbers.get(range.start + 1)]
            }
        };
        Ok([source.ok_or_else(null)?, target.ok_or_else(null)?])
    }
}

fn null_link(number: usize) -> Refused {
    Refused::Type(format!("[{number}]: links are pairs of positions, not null"))
}

/// Whether items of this type are links. Of the type `Null` are the items, or numbers, of lists that are all empty.
fn are_links(data_type: &DataType) -> bool {
    let are_positions = |items: &DataType| items.is_integer() || *items == DataType::Null;
    *data_type == DataType::Null || sides(data_type).is_some() || items(data_type).is_some_and(are_positions)
}

/// The type of the items of lists, if they are lists.
fn items(data_type: &DataType) -> Option<&DataType> {
    match data_type {
        DataType::List(items) | DataType::LargeList(items) | DataType::FixedSizeList(items, _) => {
            Some(items.data_type())
        }
        _ => None,
    }
}

/// Which fields of structures are the positions of links, if these are links.
fn sides(data_type: &DataType) -> Option<[usize; 2]> {
    let DataType::Struct(fields) = data_type else { return None };
    let place = |name| fields.iter().position(|field| field.name() == name && field.data_type().is_integer());
    Some([place("source")?, place("target")?])
}

/// Lists of items.
struct Lists<'a> {
    data: &'a ArrayData,
    items: &'a ArrayData,
}

impl<'a> Lists<'a> {
    /// Nothing if they are no lists.
    fn new(data: &'a ArrayData) -> Option<Self> {
        items(data.data_type()).map(|_| Self { data, items: &data.child_data()[0] })
    }

    /// The items of the `n`-th list, or nothing if that is null.
    fn range(&self, n: usize) -> Option<Range<usize>> {
        if self.data.is_null(n) {
            return None;
        }
        Some(match self.data.data_type() {
            DataType::FixedSizeList(_, size) => {
                // Not negative, and no list ends behind the items: `import` has looked at it.
                let (size, n) = (*size as usize, self.data.offset() + n);
                n * size..(n + 1) * size
            }
            other => strings::range(self.data, n, matches!(other, DataType::LargeList(_))),
        })
    }
}
