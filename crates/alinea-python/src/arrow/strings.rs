//! Strings and integers in Arrow arrays, read in place.
//!
//! | type | layout |
//! |---|---|
//! | `Utf8`, `LargeUtf8` | offsets of 32 or 64 bits into one buffer of bytes |
//! | `Utf8View` | 16 bytes each: the length, then up to 12 bytes inline, or prefix, buffer number and offset |
//! | `Dictionary` | integer keys into an array of strings |
//! | `Null` | nothing: the items of lists that are all empty |
//!
//! All layouts honor the offset of a sliced array and its validity bitmap: nulls are `None`. `import` validates arrays
//! before they come here. Layouts: <https://arrow.apache.org/docs/format/Columnar.html>.

use std::ops::Range;

use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// The bytes of a view, and how many of these a short string has for itself.
const VIEW: usize = 16;
const INLINE: usize = 12;

/// An array of strings.
pub(super) struct Strings<'a> {
    data: &'a ArrayData,
    form: Form<'a>,
}

enum Form<'a> {
    /// One after another; where each begins is a number of 32 or, if large, of 64 bits.
    Joined { is_large: bool },
    /// Length, and the string itself or where it is.
    Views,
    /// Numbers of strings.
    Numbers(Integers<'a>, Box<Strings<'a>>),
    /// All null.
    Nulls,
}

/// Whether items of this type are strings.
pub(super) fn are_strings(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => are_strings(values),
        _ => false,
    }
}

impl<'a> Strings<'a> {
    /// An array of [strings](are_strings), or of nulls.
    pub(super) fn new(data: &'a ArrayData) -> Self {
        let form = match data.data_type() {
            DataType::LargeUtf8 => Form::Joined { is_large: true },
            DataType::Utf8View => Form::Views,
            DataType::Null => Form::Nulls,
            DataType::Dictionary(_, _) => {
                Form::Numbers(Integers::new(data), Box::new(Strings::new(&data.child_data()[0])))
            }
            _ => Form::Joined { is_large: false },
        };
        Self { data, form }
    }

    /// The `n`-th string, or nothing if it is null.
    pub(super) fn get(&self, n: usize) -> Option<&'a str> {
        if self.data.is_null(n) {
            return None;
        }
        let bytes = match &self.form {
            Form::Joined { is_large } => &self.data.buffers()[1].as_slice()[range(self.data, n, *is_large)],
            Form::Views => view(self.data, n),
            Form::Nulls => return None,
            Form::Numbers(numbers, values) => {
                return values.get(usize::try_from(numbers.get(n)?).ok()?);
            }
        };
        // Arrays are checked when they come; this costs little beside what is done with the words.
        std::str::from_utf8(bytes).ok()
    }
}

/// From where to where the `n`-th item goes, of strings or lists.
pub(super) fn range(data: &ArrayData, n: usize, is_large: bool) -> Range<usize> {
    if is_large {
        let ends = &data.buffer::<i64>(0)[n..];
        ends[0].as_usize()..ends[1].as_usize()
    } else {
        let ends = &data.buffer::<i32>(0)[n..];
        ends[0].as_usize()..ends[1].as_usize()
    }
}

/// The `n`-th string of an array of views.
fn view(data: &ArrayData, n: usize) -> &[u8] {
    let start = (data.offset() + n) * VIEW;
    let view = &data.buffers()[0].as_slice()[start..start + VIEW];
    let number = |at: usize| u32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]) as usize;
    let length = number(0);
    if length <= INLINE {
        return &view[4..4 + length];
    }
    let (buffer, offset) = (number(8), number(12));
    &data.buffers()[1 + buffer].as_slice()[offset..offset + length]
}

/// Integers of any width, or the keys of a dictionary.
pub(super) struct Integers<'a> {
    data: &'a ArrayData,
    /// Numbers of more than 63 bits are -1, which is as little allowed as they are.
    numbers: Vec<i64>,
}

impl<'a> Integers<'a> {
    /// An array of integers, or a dictionary; of an array of nulls there are no numbers.
    pub(super) fn new(data: &'a ArrayData) -> Self {
        let data_type = match data.data_type() {
            DataType::Dictionary(keys, _) => keys.as_ref(),
            other => other,
        };
        let bytes = data.buffers().first().map_or(&[] as &[u8], Buffer::as_slice);
        let numbers = match data_type {
            DataType::Int8 => parts(bytes, data).map(|part| i8::from_ne_bytes(part).into()).collect(),
            DataType::UInt8 => parts(bytes, data).map(|part| u8::from_ne_bytes(part).into()).collect(),
            DataType::Int16 => parts(bytes, data).map(|part| i16::from_ne_bytes(part).into()).collect(),
            DataType::UInt16 => parts(bytes, data).map(|part| u16::from_ne_bytes(part).into()).collect(),
            DataType::Int32 => parts(bytes, data).map(|part| i32::from_ne_bytes(part).into()).collect(),
            DataType::UInt32 => parts(bytes, data).map(|part| u32::from_ne_bytes(part).into()).collect(),
            DataType::Int64 => parts(bytes, data).map(i64::from_ne_bytes).collect(),
            DataType::UInt64 => {
                parts(bytes, data).map(|part| u64::from_ne_bytes(part).try_into().unwrap_or(-1)).collect()
            }
            _ => Vec::new(),
        };
        Self { data, numbers }
    }

    /// The `n`-th number, or nothing if it is null or there is none.
    pub(super) fn get(&self, n: usize) -> Option<i64> {
        let number = *self.numbers.get(n)?;
        (!self.data.is_null(n)).then_some(number)
    }
}

/// The items of an array, cut out of its buffer.
fn parts<const WIDTH: usize>(bytes: &[u8], data: &ArrayData) -> impl Iterator<Item = [u8; WIDTH]> {
    bytes.as_chunks::<WIDTH>().0.iter().copied().skip(data.offset()).take(data.len())
}
