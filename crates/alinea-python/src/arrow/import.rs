//! Memory that others lend, as arrays whose contents are checked.
//!
//! Who lends says where the memory is and how much of it there is; that cannot be checked, and makes this unsafe. All
//! else is: offsets that lead out of what is lent, strings that are not UTF-8, keys without a value.
#![expect(unsafe_code, reason = "memory that others lend is behind pointers")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use arrow_buffer::{Buffer, MutableBuffer};
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A type, and arrays of it.
pub(super) struct Lent {
    schema: FFI_ArrowSchema,
    arrays: Vec<FFI_ArrowArray>,
}

/// Takes what `__arrow_c_array__` returns: the capsules of a type and of an array.
pub(super) fn array(capsules: &Bound<'_, PyAny>) -> PyResult<Lent> {
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast();
    // SAFETY: capsules of these names hold initialized structures of these types, whose contents are moved out.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if schema.release().is_none() || array.is_released() {
        return Err(PyValueError::new_err("an Arrow array that has been consumed already"));
    }
    Ok(Lent { schema, arrays: vec![array] })
}

/// Takes what `__arrow_c_stream__` returns: the capsule of a stream of arrays.
pub(super) fn stream(capsule: &Bound<'_, PyAny>) -> PyResult<Lent> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer: NonNull<Stream> = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast();
    // SAFETY: a capsule of this name holds an initialized structure of this type. It is moved out, and no longer released
    // by its capsule.
    let mut stream = unsafe { ptr::replace(pointer.as_ptr(), Stream::EMPTY) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("an Arrow stream that has been consumed already"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is not released, and the schema is one to be filled.
    let status = unsafe { get_schema(&raw mut stream, &raw mut schema) };
    stream.check(status)?;
    let mut arrays = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, and the array is one to be filled.
        let status = unsafe { get_next(&raw mut stream, &raw mut array) };
        stream.check(status)?;
        // So the end is told.
        if array.is_released() {
            return Ok(Lent { schema, arrays });
        }
        arrays.push(array);
    }
}

/// The structure of Arrow's C stream interface.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Self, *mut FFI_ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Self, *mut FFI_ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Self) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

impl Stream {
    const EMPTY: Self =
        Self { get_schema: None, get_next: None, get_last_error: None, release: None, private_data: ptr::null_mut() };

    /// The exception that a status stands for.
    fn check(&mut self, status: c_int) -> PyResult<()> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: the last call failed and the stream is not released; then this is null or a string.
        let message = self.get_last_error.map_or(ptr::null(), |get| unsafe { get(self) });
        let message = if message.is_null() {
            std::io::Error::from_raw_os_error(status).to_string()
        } else {
            // SAFETY: it is not null, and remains until the next call.
            unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
        };
        Err(PyValueError::new_err(message))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was not released before, and nothing that it gave is taken back: arrays live for themselves.
            unsafe { release(self) };
        }
    }
}

impl Lent {
    /// The type.
    pub(super) fn data_type(&self) -> Result<DataType, ArrowError> {
        DataType::try_from(&self.schema)
    }

    /// Whether there are no items.
    pub(super) fn is_empty(&self) -> bool {
        self.arrays.iter().all(FFI_ArrowArray::is_empty)
    }

    /// The arrays, which have that type, checked.
    pub(super) fn into_pieces(self, data_type: &DataType) -> Result<Vec<ArrayData>, ArrowError> {
        let piece = |array: FFI_ArrowArray| {
            let owner = Arc::new(array);
            Borrowed { array: &owner, owner: &owner }.data(data_type)
        };
        self.arrays.into_iter().map(piece).collect()
    }
}

/// An array, or one inside it, and what keeps its memory.
struct Borrowed<'a> {
    array: &'a FFI_ArrowArray,
    owner: &'a Arc<FFI_ArrowArray>,
}

impl Borrowed<'_> {
    /// The array, checked.
    fn data(&self, data_type: &DataType) -> Result<ArrayData, ArrowError> {
        let (length, offset) = (self.array.len(), self.array.offset());
        let items = isize::try_from(length).ok().zip(isize::try_from(offset).ok());
        let end = items.and_then(|(length, offset)| length.checked_add(offset)).ok_or_else(|| wrong("lengths"))?;
        let (buffers, children) = self.parts(data_type, end.cast_unsigned())?;
        let nulls = match self.array.null_count_opt() {
            Some(0) => None,
            // Arrays of nulls alone have no bitmap, and no buffer at all.
            _ if *data_type == DataType::Null || self.array.buffer(0).is_null() => None,
            _ => Some(self.buffer(0, end.cast_unsigned().div_ceil(8))?),
        };
        let builder = ArrayData::builder(data_type.clone()).len(length).offset(offset).null_bit_buffer(nulls);
        builder.buffers(buffers).child_data(children).align_buffers(true).build()
    }

    /// The buffers and the arrays inside, if the array has `end` items in memory.
    fn parts(&self, data_type: &DataType, end: usize) -> Result<(Vec<Buffer>, Vec<ArrayData>), ArrowError> {
        let (has_buffers, has_children) = (self.array.num_buffers(), self.array.num_children());
        let refuse_unless = |fits: bool| if fits { Ok(()) } else { Err(wrong("numbers of buffers")) };
        let child =
            |n: usize, data_type: &DataType| Borrowed { array: self.array.child(n), owner: self.owner }.data(data_type);
        Ok(match data_type {
            DataType::Utf8 | DataType::LargeUtf8 => {
                refuse_unless(has_buffers == 3)?;
                let (offsets, last) = self.offsets(*data_type == DataType::LargeUtf8, end)?;
                (vec![offsets, self.buffer(2, last)?], Vec::new())
            }
            DataType::Utf8View => {
                refuse_unless(has_buffers >= 3)?;
                let many = has_buffers - 3;
                let lengths = self.buffer(has_buffers - 1, many * size_of::<i64>())?;
                let mut buffers = vec![self.buffer(1, end * size_of::<u128>())?];
                for (n, length) in lengths.as_chunks().0.iter().enumerate() {
                    let length = usize::try_from(i64::from_ne_bytes(*length)).map_err(|_| wrong("lengths"))?;
                    buffers.push(self.buffer(2 + n, length)?);
                }
                (buffers, Vec::new())
            }
            DataType::List(items) | DataType::LargeList(items) => {
                refuse_unless(has_buffers == 2 && has_children == 1)?;
                let is_large = matches!(data_type, DataType::LargeList(_));
                (vec![self.offsets(is_large, end)?.0], vec![child(0, items.data_type())?])
            }
            DataType::FixedSizeList(items, size) => {
                refuse_unless(has_buffers == 1 && has_children == 1)?;
                let items = child(0, items.data_type())?;
                let needed = usize::try_from(*size).ok().and_then(|size| size.checked_mul(end));
                if needed.is_none_or(|needed| needed > items.len()) {
                    return Err(wrong("lengths"));
                }
                (Vec::new(), vec![items])
            }
            DataType::Null => (Vec::new(), Vec::new()),
            DataType::Struct(fields) => {
                refuse_unless(has_buffers == 1 && has_children == fields.len())?;
                let fields = fields.iter().enumerate().map(|(n, field)| child(n, field.data_type()));
                (Vec::new(), fields.collect::<Result<_, _>>()?)
            }
            DataType::Dictionary(keys, values) => {
                let values_array = self.array.dictionary().ok_or_else(|| wrong("a dictionary without values"))?;
                refuse_unless(has_buffers == 2)?;
                let width = keys.primitive_width().ok_or_else(|| wrong("keys"))?;
                let values = Borrowed { array: values_array, owner: self.owner }.data(values)?;
                (vec![self.buffer(1, end * width)?], vec![values])
            }
            other => match other.primitive_width() {
                Some(width) if has_buffers == 2 => (vec![self.buffer(1, end * width)?], Vec::new()),
                _ => return Err(wrong("buffers, or a type that is not read")),
            },
        })
    }

    /// Where items begin and where the last one ends, and that last number.
    fn offsets(&self, is_large: bool, end: usize) -> Result<(Buffer, usize), ArrowError> {
        let width = if is_large { size_of::<i64>() } else { size_of::<i32>() };
        // If there are no items at all, not even the one offset needs to be there.
        if end == 0 {
            return Ok((MutableBuffer::from_len_zeroed(width).into(), 0));
        }
        let offsets = self.buffer(1, (end + 1) * width)?;
        let last = &offsets[end * width..];
        let last = match (last.first_chunk(), last.first_chunk()) {
            (_, Some(bytes)) if is_large => i64::from_ne_bytes(*bytes),
            (Some(bytes), _) => i32::from_ne_bytes(*bytes).into(),
            _ => -1,
        };
        Ok((offsets, usize::try_from(last).map_err(|_| wrong("offsets"))?))
    }

    /// The first `length` bytes of a buffer.
    fn buffer(&self, number: usize, length: usize) -> Result<Buffer, ArrowError> {
        match NonNull::new(self.array.buffer(number).cast_mut()) {
            _ if length == 0 => Ok(MutableBuffer::new(0).into()),
            None => Err(wrong("a buffer that is missing")),
            // SAFETY: the lender says that so many bytes are there, and they remain as long as their owner.
            Some(pointer) => Ok(unsafe { Buffer::from_custom_allocation(pointer, length, self.owner.clone()) }),
        }
    }
}

fn wrong(what: &str) -> ArrowError {
    ArrowError::CDataInterface(format!("it has wrong {what}"))
}
