//! What arrays in files are made of.

use bytemuck::Pod;
use safetensors::Dtype;

/// What an array in a file can be made of: numbers, and rows of numbers of one length.
pub trait Element: Pod {
    /// What safetensors calls the numbers.
    const DTYPE: Dtype;
    /// How many of them one element has, if it is a row.
    const WIDTH: Option<usize>;
}

/// So many bytes of an array are read or made at a time, about.
const PIECE: usize = 1 << 16;

/// How many elements are read or made at a time.
pub(super) fn in_a_piece<T>() -> usize {
    (PIECE / size_of::<T>()).max(1)
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

element!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64);
