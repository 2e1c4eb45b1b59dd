//! Vector kernels: run-time dispatch to wider instruction sets, and one fixed order of summation.
//!
//! A [`Kernel`] is a piece of numeric work whose `run` is `#[inline(always)]`, as are all functions it calls;
//! [`dispatch`] compiles it twice, for the baseline and for AVX2, and picks one at run time. Both give the same bits:
//! nothing here is contracted to fused multiply-add, element-wise loops do not depend on the vector width, and sums go
//! through eight fixed lanes ([`sum`], [`dot`]) that are joined in one fixed order.
//!
//! ```
//! use alinea::numeric::simd::{dispatch, sum, Kernel};
//!
//! struct Total<'a>(&'a [f32]);
//! impl Kernel for Total<'_> {
//!     type Output = f32;
//!     #[inline(always)]
//!     fn run(self) -> f32 { sum(self.0) }
//! }
//! assert_eq!(dispatch(Total(&[0.5; 100])), 50.0);
//! ```

/// Numeric work that can be compiled for several instruction sets. `run` must be `#[inline(always)]`.
pub trait Kernel {
    /// What the work returns.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the widest instruction set of this processor.
#[expect(unsafe_code, reason = "calling a function compiled for an instruction set, after detecting it")]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
        fn wide<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the four instruction sets `wide` is compiled for were detected just above.
            return unsafe { wide(kernel) };
        }
    }
    kernel.run()
}

/// Asks the processor to fetch an element that will be read soon. Has no effect but on time.
///
/// It is fetched into the second level of the cache: what is asked for ahead of its turn is more than the first level has
/// room for beside the work that is done meanwhile.
#[inline(always)]
#[expect(unsafe_code, reason = "the prefetch instruction takes an address")]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = slice.get(index) {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: prefetching neither reads nor writes memory as far as the program can tell; the address is that of
        // a live element, and the instruction is part of the baseline of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(element).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

/// How many lanes a sum has; vectors are padded to a multiple of this.
pub const LANES: usize = 8;

/// The length of a vector of `n` elements filled up to whole lanes.
#[inline(always)]
pub fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// Visits the elements of a row of whole lanes that are above `least`, with their places, in order. Lanes without such
/// an element cost one comparison.
#[inline(always)]
pub fn for_each_above(row: &[f32], least: f32, mut visit: impl FnMut(usize, f32)) {
    for (block, values) in row.chunks_exact(LANES).enumerate() {
        if !any_above(values, least) {
            continue;
        }
        for (k, &value) in values.iter().enumerate() {
            if value > least {
                visit(block * LANES + k, value);
            }
        }
    }
}

/// Whether one of these values is above `least`: compared all at once, since none waits for the one before it.
#[inline(always)]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy one is a branch for each value")]
pub fn any_above(values: &[f32], least: f32) -> bool {
    values.iter().fold(false, |any, &value| any | (value > least))
}

/// The sum of `x`: element k goes to lane k mod 8, and the lanes are joined pairwise.
#[inline(always)]
pub fn sum(x: &[f32]) -> f32 {
    let mut lanes = [0f32; LANES];
    let chunks = x.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane];
        }
    }
    for (lane, value) in rest.iter().enumerate() {
        lanes[lane] += value;
    }
    join(lanes)
}

/// The sum of the products of `x` and `y`, in the order of [`sum`]. The shorter length counts.
#[inline(always)]
pub fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut lanes = [0f32; LANES];
    let (x_chunks, y_chunks) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let rest = x_chunks.remainder().iter().zip(y_chunks.remainder());
    for (a, b) in x_chunks.zip(y_chunks) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in rest.enumerate() {
        lanes[lane] += a * b;
    }
    join(lanes)
}

/// `y[k] += sum over (offset, weight) of weight * table[offset + k]`, terms in order, for all k. The length of `y` is a
/// multiple of [`LANES`]; the offsets leave that much room in `table`.
///
/// Several outputs stay in registers while the terms go by; each output still adds its terms in order.
#[inline(always)]
pub fn add_slices(y: &mut [f32], terms: &[(u32, f32)], table: &[f32]) {
    let mut start = 0;
    while start + 4 * LANES <= y.len() {
        add_block::<{ 4 * LANES }>(&mut y[start..], start, terms, table);
        start += 4 * LANES;
    }
    match (y.len() - start) / LANES {
        3 => add_block::<{ 3 * LANES }>(&mut y[start..], start, terms, table),
        2 => add_block::<{ 2 * LANES }>(&mut y[start..], start, terms, table),
        1 => add_block::<LANES>(&mut y[start..], start, terms, table),
        _ => {}
    }
}

#[inline(always)]
fn add_block<const WIDTH: usize>(y: &mut [f32], start: usize, terms: &[(u32, f32)], table: &[f32]) {
    let mut block = [0f32; WIDTH];
    block.copy_from_slice(&y[..WIDTH]);
    for &(offset, weight) in terms {
        let slice = &table[offset as usize + start..];
        if let Some(slice) = slice.first_chunk::<WIDTH>() {
            for k in 0..WIDTH {
                block[k] += weight * slice[k];
            }
        }
    }
    y[..WIDTH].copy_from_slice(&block);
}

/// The sum of the lanes, in one fixed order.
#[inline(always)]
pub fn join(l: [f32; LANES]) -> f32 {
    ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Dot<'a>(&'a [f32], &'a [f32]);
    impl Kernel for Dot<'_> {
        type Output = f32;
        #[inline(always)]
        fn run(self) -> f32 {
            dot(self.0, self.1)
        }
    }

    #[test]
    fn elements_above_are_visited_in_order() {
        let mut row = vec![0.0f32; 3 * LANES];
        (row[2], row[7], row[17]) = (0.5, 0.25, f32::NAN);
        (row[18], row[23]) = (0.250_001, 1.0);
        let mut seen = Vec::new();
        for_each_above(&row, 0.25, |place, value| seen.push((place, value)));
        assert_eq!(seen, [(2, 0.5), (18, 0.250_001), (23, 1.0)]);
        assert!(!any_above(&row[..2], 0.0) && !any_above(&[f32::NAN; LANES], 0.0) && !any_above(&[], -1.0));
    }

    proptest! {
        #[test]
        fn both_instruction_sets_give_the_same_bits(pairs in proptest::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 0..70)) {
            let (x, y): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let baseline = Dot(&x, &y).run();
            prop_assert_eq!(dispatch(Dot(&x, &y)).to_bits(), baseline.to_bits());
            let exact: f64 = x.iter().zip(&y).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            let size: f64 = x.iter().zip(&y).map(|(a, b)| (f64::from(*a) * f64::from(*b)).abs()).sum();
            prop_assert!((f64::from(baseline) - exact).abs() <= 1e-5 * size);
        }
    }
}
