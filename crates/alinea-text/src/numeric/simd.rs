//! Vector kernels: run-time dispatch to wider instruction sets, and one fixed order of summation.
//!
//! A [`Kernel`] is a piece of numeric work whose `run` is `#[inline(always)]`, as are all functions it calls;
//! [`dispatch`] compiles it twice, for the baseline and for AVX2, and picks one at run time. Both give the same bits:
//! nothing here is contracted to fused multiply-add, element-wise loops do not depend on the vector width, and sums go
//! through eight fixed lanes ([`sum`], [`dot`]) that are joined in one fixed order.
//!
//! ```
//! use alinea_text::numeric::simd::{dispatch, sum, Kernel};
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

/// Visits the elements of a row that are above `least`, with their places, in order. The others cost one comparison a
/// lane, and no branch.
#[inline(always)]
pub fn for_each_above(row: &[f32], least: f32, mut visit: impl FnMut(usize, f32)) {
    for (n, values) in row.chunks(STRETCH).enumerate() {
        let (blocks, rest) = values.as_chunks::<LANES>();
        let mut above = 0;
        for (block, values) in blocks.iter().enumerate() {
            above |= u64::from(lanes_above(values, least)) << (LANES * block);
        }
        for (k, &value) in rest.iter().enumerate() {
            above |= u64::from(value > least) << (LANES * blocks.len() + k);
        }
        while above != 0 {
            let place = above.trailing_zeros() as usize;
            visit(STRETCH * n + place, values[place]);
            above &= above - 1;
        }
    }
}

/// As many elements as a number has bits.
const STRETCH: usize = 64;

/// Writes the places of the elements above `least` to the front of a buffer, in order, and returns them. The row is whole
/// lanes, the buffer has room for it and [`LANES`] more. Branches do not depend on the values.
#[inline(always)]
pub fn places_above<'p>(row: &[f32], least: f32, places: &'p mut [u32]) -> &'p [u32] {
    let mut found = 0;
    for (block, values) in row.as_chunks::<LANES>().0.iter().enumerate() {
        let above = lanes_above(values, least);
        // Eight are written, however many there are; what is too much is overwritten.
        if let Some(places) = places[found..].first_chunk_mut::<LANES>() {
            *places = LANES_OF[above as usize].map(|lane| (LANES * block) as u32 + u32::from(lane));
        }
        found += above.count_ones() as usize;
    }
    &places[..found]
}

/// Which lanes are above `least`: bit k for lane k.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "compilers do not find the instruction that collects bits by themselves")
)]
fn lanes_above(values: &[f32; LANES], least: f32) -> u8 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_cmpgt_ps, _mm_movemask_ps, _mm_set1_ps, _mm_setr_ps};
        let half = |k: usize| {
            let [a, b, c, d] = [values[k], values[k + 1], values[k + 2], values[k + 3]];
            // SAFETY: these instructions are part of the baseline of x86-64, and touch no memory.
            unsafe { _mm_movemask_ps(_mm_cmpgt_ps(_mm_setr_ps(a, b, c, d), _mm_set1_ps(least))) as u8 }
        };
        half(0) | half(4) << 4
    }
    #[cfg(not(target_arch = "x86_64"))]
    values.iter().enumerate().fold(0, |bits, (k, &value)| bits | u8::from(value > least) << k)
}

/// The lanes whose bits are set in a number, in order; then zeros.
static LANES_OF: [[u8; LANES]; 256] = {
    let mut lanes_of = [[0; LANES]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut found) = (0, 0);
        while lane < LANES {
            if bits >> lane & 1 == 1 {
                lanes_of[bits][found] = lane as u8;
                found += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    lanes_of
};

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

/// `y[k] += sum over n in places of weights[n] * table[center - n + k]`, terms in order, for all k. The length of `y` is a
/// multiple of [`LANES`]; the table leaves that much room behind `center`.
///
/// Several outputs stay in registers while the terms go by; each output still adds its terms in order.
#[inline(always)]
pub fn add_slices(y: &mut [f32], terms: Terms<'_>, (table, center): (&[f32], usize)) {
    let mut start = 0;
    while start + 8 * LANES <= y.len() {
        add_block::<{ 8 * LANES }>(&mut y[start..], terms, (table, center + start));
        start += 8 * LANES;
    }
    let (y, place) = (&mut y[start..], (table, center + start));
    match y.len() / LANES {
        7 => add_block::<{ 7 * LANES }>(y, terms, place),
        6 => add_block::<{ 6 * LANES }>(y, terms, place),
        5 => add_block::<{ 5 * LANES }>(y, terms, place),
        4 => add_block::<{ 4 * LANES }>(y, terms, place),
        3 => add_block::<{ 3 * LANES }>(y, terms, place),
        2 => add_block::<{ 2 * LANES }>(y, terms, place),
        1 => add_block::<LANES>(y, terms, place),
        _ => {}
    }
}

/// `y[k] = f(y[k], a[k], b[k])` for all k. The lengths are the same multiple of [`LANES`]: a loop of whole lanes has no
/// rest, which in short rows takes longer than all else.
#[inline(always)]
pub fn combine(y: &mut [f32], a: &[f32], b: &[f32], f: impl Fn(f32, f32, f32) -> f32) {
    let inputs = a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0);
    for (y, (a, b)) in y.as_chunks_mut::<LANES>().0.iter_mut().zip(inputs) {
        *y = std::array::from_fn(|k| f(y[k], a[k], b[k]));
    }
}

/// The places of those weights that count, and all weights.
pub type Terms<'t> = (&'t [u32], &'t [f32]);

#[inline(always)]
fn add_block<const WIDTH: usize>(y: &mut [f32], (places, weights): Terms<'_>, (table, center): (&[f32], usize)) {
    let mut block = [0f32; WIDTH];
    block.copy_from_slice(&y[..WIDTH]);
    for &place in places {
        let weight = weights[place as usize];
        // Weights that are no numbers, from a file, may count where there is no place; then nothing is added.
        let row = table.get(center.wrapping_sub(place as usize)..);
        if let Some(slice) = row.and_then(|row| row.first_chunk::<WIDTH>()) {
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

        #[test]
        fn places_are_those_of_a_loop(row in proptest::collection::vec(-2i8..3, 0..200), least in -2i8..3) {
            let row: Vec<f32> = row.into_iter().map(f32::from).collect();
            let least = f32::from(least);
            let mut visited = Vec::new();
            for_each_above(&row, least, |place, value| visited.push((place, value)));
            let expected: Vec<(usize, f32)> = row.iter().copied().enumerate().filter(|&(_, v)| v > least).collect();
            prop_assert_eq!(&visited, &expected);
            let whole = &row[..row.len() / LANES * LANES];
            let mut places = vec![u32::MAX; whole.len() + LANES];
            let found = places_above(whole, least, &mut places);
            let expected: Vec<u32> = (0..).zip(whole).filter(|&(_, &v)| v > least).map(|(place, _)| place).collect();
            prop_assert_eq!(found, &expected[..]);
        }

        #[test]
        fn slices_add_up(
            weights in proptest::collection::vec(0u8..4, 1..40),
            table in proptest::collection::vec(0u8..100, 160),
            width in 1usize..11,
        ) {
            // Small whole numbers: sums are exact in any order.
            let [weights, table] = [weights, table].map(|x| x.into_iter().map(f32::from).collect::<Vec<_>>());
            let places: Vec<u32> = (0..).zip(&weights).filter(|&(_, &w)| w > 1.0).map(|(place, _)| place).collect();
            let center = weights.len() - 1;
            let mut y = vec![1.0; width * LANES];
            add_slices(&mut y, (&places, &weights), (&table, center));
            for (k, y) in y.into_iter().enumerate() {
                let sum: f32 = places.iter().map(|&n| weights[n as usize] * table[center - n as usize + k]).sum();
                prop_assert!((y - 1.0 - sum).abs() < 0.5);
            }
        }
    }
}
