//! The numbers that numpy draws, so that tests which were defined by them have the same results.
//!
//! `numpy.random.default_rng(seed)` is PCG XSL-RR 128/64 (O'Neill 2014), its state made from the seed by `SeedSequence`
//! (the numpy documentation's "Parallel Random Number Generation", after O'Neill's `seed_seq_fe`): a pool of four 32-bit
//! words is mixed, and read out. Whole numbers below a bound of 32 bits are made from 32-bit halves of its outputs, the
//! lower first, by Lemire's method (2019, *Fast random integer generation in an interval*); truth values are the bits of
//! such halves, the lowest first.
//!
//! ```
//! use alinea_text::numeric::NumpyRandom;
//!
//! let mut random = NumpyRandom::new(12345);
//! // numpy.random.default_rng(12345).choice(2037, 3)
//! assert_eq!([0; 3].map(|_| random.below(2037)), [1424, 463, 1606]);
//! ```

use rand_core::Rng;
use rand_pcg::Pcg64;

const POOL: usize = 4;

/// `numpy.random.Generator` over `PCG64`, as far as it is used here.
#[derive(Debug, Clone)]
pub struct NumpyRandom {
    engine: Pcg64,
    /// The upper half of an output whose lower half was used.
    half: Option<u32>,
}

impl NumpyRandom {
    /// `numpy.random.default_rng(seed)`.
    pub fn new(seed: u64) -> Self {
        let [state, stream] = SeedSequence::new(seed).generate();
        Self { engine: Pcg64::new(state, stream), half: None }
    }

    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let both = self.engine.next_u64();
        self.half = Some((both >> 32) as u32);
        both as u32
    }

    /// A number from 0 to below `bound`, as `integers(0, bound)` and `choice(bound)` draw it; 0, without drawing, where
    /// the bound is 1 or 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let mut product = u64::from(self.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let least = bound.wrapping_neg() % bound;
            while (product as u32) < least {
                product = u64::from(self.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Fills `truths` as `integers(2, size=..., dtype=bool)` does. A new call begins with new bits.
    pub fn fill_truths(&mut self, truths: &mut [bool]) {
        for block in truths.chunks_mut(32) {
            let bits = self.next_u32();
            for (place, truth) in block.iter_mut().enumerate() {
                *truth = bits >> place & 1 == 1;
            }
        }
    }
}

/// numpy's way from a seed to the state of a generator.
struct SeedSequence {
    pool: [u32; POOL],
}

/// Multiplies and folds; the multiplier of the next call is another one.
struct Hash {
    constant: u32,
    factor: u32,
}

impl Hash {
    fn next(&mut self, value: u32) -> u32 {
        let value = value ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.factor);
        let value = value.wrapping_mul(self.constant);
        value ^ value >> 16
    }
}

fn mix(x: u32, y: u32) -> u32 {
    let mixed = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
    mixed ^ mixed >> 16
}

impl SeedSequence {
    fn new(seed: u64) -> Self {
        let mut hash = Hash { constant: 0x43b0_d7e5, factor: 0x931e_8875 };
        let mut pool = [seed as u32, (seed >> 32) as u32, 0, 0].map(|word| hash.next(word));
        for from in 0..POOL {
            for to in (0..POOL).filter(|&to| to != from) {
                pool[to] = mix(pool[to], hash.next(pool[from]));
            }
        }
        Self { pool }
    }

    /// State and stream number.
    fn generate(&self) -> [u128; 2] {
        let mut hash = Hash { constant: 0x8b51_f9dd, factor: 0x58f3_8ded };
        let mut words = self.pool.iter().cycle().map(|&word| u128::from(hash.next(word)));
        let mut next = || words.next().unwrap_or_default();
        // 64-bit numbers, lower word first; of two the first is the upper half.
        let mut wide = || {
            let [a, b, c, d] = [next(), next(), next(), next()];
            (a | b << 32) << 64 | c | d << 32
        };
        [wide(), wide()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// numpy 2.4.6: `default_rng(12345).bit_generator.random_raw(4)`.
    #[test]
    fn outputs_are_those_of_numpy() {
        let mut random = NumpyRandom::new(12345);
        let expected = [
            4_193_609_425_186_963_869,
            5_843_160_025_838_961_886,
            14_708_796_524_633_321_433,
            12_474_696_839_993_944_336,
        ];
        assert_eq!([0; 4].map(|_| random.engine.next_u64()), expected);
    }

    /// numpy 2.4.6: `r = default_rng(12345)`, then `r.choice(2037, size=(2, 6))`, `r.integers(2, size=(3, 7), dtype=bool)`,
    /// `r.choice(3, size=8)`; `default_rng(0)`: `choice(1, size=3)`, `choice(100, size=5)`.
    #[test]
    fn numbers_and_truths_are_those_of_numpy() {
        let mut random = NumpyRandom::new(12345);
        let expected = [1424, 463, 1606, 645, 415, 1624, 1309, 1377, 2013, 796, 1709, 677];
        assert_eq!([0; 12].map(|_| random.below(2037)), expected);
        let mut truths = [false; 21];
        random.fill_truths(&mut truths);
        let expected = [1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0];
        assert_eq!(truths.map(i32::from), expected);
        assert_eq!([0; 8].map(|_| random.below(3)), [1, 0, 0, 0, 2, 1, 2, 2]);

        let mut random = NumpyRandom::new(0);
        assert_eq!([0; 3].map(|_| random.below(1)), [0, 0, 0]);
        assert_eq!([0; 5].map(|_| random.below(100)), [85, 63, 51, 26, 30]);
    }

    /// numpy 2.4.6: sum and last of `default_rng(7).choice(3_000_000_000, size=100000)`, where three draws in ten are
    /// rejected; the sum of `default_rng(7).integers(2, size=1000, dtype=bool)`.
    #[test]
    fn rejections_are_those_of_numpy() {
        let mut random = NumpyRandom::new(7);
        let drawn: Vec<u64> = (0..100_000).map(|_| u64::from(random.below(3_000_000_000))).collect();
        assert_eq!((drawn.iter().sum::<u64>(), drawn[99_999]), (149_908_795_222_734, 2_789_084_861));
        let mut truths = vec![false; 1000];
        NumpyRandom::new(7).fill_truths(&mut truths);
        assert_eq!(truths.iter().filter(|&&truth| truth).count(), 494);
    }
}
