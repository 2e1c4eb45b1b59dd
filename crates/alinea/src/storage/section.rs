//! Slices that are owned or mapped.

use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;
use memmap2::Mmap;
use safetensors::Dtype;

/// What a [`Section`] can be made of: numbers, and rows of numbers of one length.
pub trait Element: Pod {
    /// What safetensors calls the numbers.
    const DTYPE: Dtype;
    /// How many of them one element has, if it is a row.
    const WIDTH: Option<usize>;
}

macro_rules! element {
    ($($number:ty => $dtype:ident),*) => {
        $(
            impl Element for $number {
                const DTYPE: Dtype = Dtype::$dtype;
                const WIDTH: Option<usize> = None;
            }

            impl<const WIDTH: usize> Element for [$number; WIDTH] {
                const DTYPE: Dtype = Dtype::$dtype;
                const WIDTH: Option<usize> = Some(WIDTH);
            }
        )*
    };
}

element!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32);

/// A slice that is owned, or a part of a mapped file.
#[derive(Debug, Clone)]
pub struct Section<T>(Held<T>);

#[derive(Debug, Clone)]
enum Held<T> {
    Owned(Vec<T>),
    /// Bytes of a file: aligned and of whole elements, which is checked when they are found.
    Mapped(Arc<Mmap>, Range<usize>, PhantomData<T>),
}

impl<T: Element> Section<T> {
    /// Bytes of a file; nothing if they are not whole elements, or not aligned.
    pub(super) fn mapped(file: &Arc<Mmap>, bytes: Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(file.get(bytes.clone())?).ok()?;
        Some(Self(Held::Mapped(Arc::clone(file), bytes, PhantomData)))
    }

    /// Bytes of memory held that are not in a file.
    pub fn memory_bytes(&self) -> usize {
        match &self.0 {
            Held::Owned(owned) => owned.capacity() * size_of::<T>(),
            Held::Mapped(..) => 0,
        }
    }
}

impl<T> Default for Section<T> {
    fn default() -> Self {
        Self(Held::Owned(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Section<T> {
    fn from(owned: Vec<T>) -> Self {
        Self(Held::Owned(owned))
    }
}

impl<T: Element> Deref for Section<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Held::Owned(owned) => owned,
            Held::Mapped(file, bytes, _) => bytemuck::cast_slice(&file[bytes.clone()]),
        }
    }
}
