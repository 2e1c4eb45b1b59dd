//! Numbers without knowledge of language: vector kernels that give the same bits on every processor.

pub mod simd;
