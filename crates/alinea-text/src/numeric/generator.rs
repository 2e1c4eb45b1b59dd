//! A random generator with a name.
//!
//! The engine is PCG XSL-RR 128/64, known as `pcg64` (O'Neill 2014, *PCG: a family of simple fast space-efficient
//! statistically good algorithms for random number generation*). Its 128-bit state and its 127-bit
//! increment are both derived from the name, because streams that differ in the increment only are correlated:
//!
//! 1. `k = mix(seed)`, then for each part `p` of the stream's name `k = mix(k xor p)`, where `mix(x)` is the first
//!    output of `SplitMix64` started at `x` (Steele, Lea and Flood 2014, *Fast splittable pseudorandom number
//!    generators*, with the constants of Vigna's public-domain version);
//! 2. the next four outputs of `SplitMix64` started at `k` are the two halves, high before low, of the state and of
//!    the stream number, from which `pcg64` is initialized as its reference implementation does.
//!
//! Whole numbers below a bound are made by Lemire's method, fractions from the upper 53 bits. The algorithms are part
//! of the interface: a change would change results and so is a change of version.
//!
//! ```
//! use alinea::numeric::Generator;
//! use std::num::NonZeroU64;
//!
//! let mut first = Generator::new(12345, 0);
//! let mut again = Generator::new(12345, 0);
//! let mut other = Generator::new(12345, 1);
//! let drawn = first.next_u64();
//! assert_eq!(drawn, again.next_u64());
//! assert_ne!(drawn, other.next_u64());
//! assert!(first.below(NonZeroU64::new(6).expect("six is not zero")) < 6);
//! assert!((0.0..1.0).contains(&first.unit()));
//! ```

use std::num::NonZeroU64;

use rand_core::Rng;
use rand_pcg::Pcg64;

/// A random generator that a seed and a stream name completely. 32 bytes; making one costs a few multiplications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator(Pcg64);

impl Generator {
    /// The generator of one stream under a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self::named(seed, &[stream])
    }

    /// The generator of a stream whose name has several parts, such as chain, iteration and sentence. Names of
    /// different length are different streams.
    pub fn named(seed: u64, stream: &[u64]) -> Self {
        let key = stream.iter().fold(SplitMix64(seed).next(), |key, part| SplitMix64(key ^ part).next());
        let mut words = SplitMix64(key);
        let mut wide = || u128::from(words.next()) << 64 | u128::from(words.next());
        let state = wide();
        Self(Pcg64::new(state, wide()))
    }

    /// 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number from 0 to `bound - 1`, without bias (Lemire 2019, *Fast random integer generation in an
    /// interval*, algorithm 5). Draws once, and with probability below `bound / 2^64` once more.
    #[inline]
    pub fn below(&mut self, bound: NonZeroU64) -> u64 {
        let bound = bound.get();
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            // 2^64 mod bound of the low halves would make some results likelier than others.
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A uniform multiple of 2^-53 from 0 (included) to 1 (excluded).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * STEP
    }
}

/// Spreads a name over state and increment.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State 42 and stream 54: the demonstration program of the C implementation of PCG.
    fn reference() -> Generator {
        Generator(Pcg64::new(42, 54))
    }

    #[test]
    fn the_engine_is_that_of_the_c_implementation() {
        let mut generator = reference();
        let expected: [u64; 6] = [
            0x86b1_da1d_7206_2b68,
            0x1304_aa46_c985_3d39,
            0xa367_0e9e_0dd5_0358,
            0xf909_0e52_9a7d_ae00,
            0xc85b_9fd8_3799_6f2c,
            0x6061_21f8_e391_9196,
        ];
        assert_eq!(expected.map(|_| generator.next_u64()), expected);
    }

    /// numpy 2.4.6, `Generator(PCG64)` with `state = (42 + inc) * multiplier + inc` and `inc = 109`:
    /// `random(6)`, compared exactly.
    #[test]
    fn fractions_are_those_of_numpy() {
        let mut generator = reference();
        let expected = [
            0.526_151_306_332_416_5,
            0.074_289_934_427_288_6,
            0.638_291_276_538_286_2,
            0.972_794_432_799_210_7,
            0.782_648_077_285_193,
            0.376_482_127_441_312_15,
        ];
        assert_eq!(expected.map(|_: f64| generator.unit().to_bits()), expected.map(f64::to_bits));
    }

    /// numpy 2.4.6, the same state: `integers(0, bound, size=8, dtype=uint64)`, which uses Lemire's method on 64 bits
    /// for bounds above 2^32. The second and third bound reject often.
    #[test]
    fn bounded_numbers_are_those_of_numpy() {
        let cases: [(u64, [u64; 8]); 3] = [
            (
                1_000_000_000_039,
                [
                    526_151_306_352,
                    74_289_934_430,
                    638_291_276_563,
                    972_794_432_837,
                    782_648_077_315,
                    376_482_127_455,
                    487_820_148_319,
                    795_969_750_971,
                ],
            ),
            (
                9_223_372_036_854_775_809,
                [
                    4_852_889_245_981_021_620,
                    685_203_703_816_429_212,
                    5_887_197_911_391_568_300,
                    8_972_444_969_088_243_456,
                    7_218_654_390_730_405_782,
                    7_341_525_143_008_614_535,
                    650_572_787_383_035_071,
                    561_856_861_252_155_977,
                ],
            ),
            (
                13_835_058_055_282_163_712,
                [
                    1_027_805_555_724_643_818,
                    5_208_652_089_926_692_144,
                    6_749_020_072_270_004_107,
                    11_012_287_714_512_921_802,
                    9_950_621_408_279_639_357,
                    975_859_181_074_552_607,
                    842_785_291_878_233_966,
                    4_820_902_390_365_194_800,
                ],
            ),
        ];
        for (bound, expected) in cases {
            let mut generator = reference();
            let bound = NonZeroU64::new(bound).unwrap();
            assert_eq!(expected.map(|_| generator.below(bound)), expected);
        }
    }

    /// The values that the public-domain implementation (Vigna, `splitmix64.c`) gives for the state 1234567.
    #[test]
    fn names_are_mixed_by_splitmix64() {
        let mut words = SplitMix64(1_234_567);
        let expected: [u64; 5] = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| words.next()), expected);
    }

    #[test]
    fn names_are_told_apart() {
        let names: [(u64, &[u64]); 8] =
            [(0, &[]), (0, &[0]), (0, &[0, 0]), (0, &[1]), (1, &[0]), (1, &[]), (0, &[0, 1]), (0, &[1, 0])];
        let mut drawn: Vec<u64> =
            names.iter().map(|(seed, stream)| Generator::named(*seed, stream).next_u64()).collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), names.len());
        assert_eq!(Generator::new(7, 9), Generator::named(7, &[9]));
    }

    #[test]
    fn the_bound_one_leaves_no_choice() {
        assert_eq!(Generator::new(1, 1).below(NonZeroU64::MIN), 0);
    }
}
