//! The numbers that samples and trials are drawn by.
//!
//! Of [numpy's generator](NumpyRandom) all numbers are one sequence, as sacreBLEU draws them. Of this library's
//! [`Generator`] each sample and each trial is a stream of its own, named by the seed, what it is for (0 for the samples of
//! the bootstrap, 1 for the trials of randomization) and its number from 0: so it does not change with how many others
//! there are. A segment is [`Generator::below`] their number; coins are the bits of [`Generator::next_u64`], the lowest
//! first.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::numeric::{Generator, NumpyRandom};
use crate::parallel::chunk_range;

/// A random generator by name.
///
/// ```
/// use alinea::metric::significance::RandomSource;
///
/// let source: RandomSource = "alinea".parse()?;
/// assert_eq!((source.field(), RandomSource::Numpy.field()), (Some("alinea"), None));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RandomSource {
    /// `numpy`: the numbers of numpy's, and so the results of sacreBLEU.
    #[default]
    Numpy,
    /// `alinea`: those of [`Generator`], a stream for each sample.
    Alinea,
}

impl RandomSource {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Numpy, Self::Alinea];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Numpy => "numpy",
            Self::Alinea => "alinea",
        }
    }

    /// What a signature says of it in the field `rng`: sacreBLEU's have no such field, so numpy's is not named.
    pub fn field(self) -> Option<&'static str> {
        (self != Self::Numpy).then(|| self.name())
    }
}

impl fmt::Display for RandomSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RandomSource {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let source = Self::ALL.into_iter().find(|source| source.name() == name);
        source.ok_or_else(|| Error::config("generator", name, "numpy or alinea"))
    }
}

const SAMPLES: u64 = 0;
const TRIALS: u64 = 1;

/// Draws samples and trials, one after another.
pub(super) enum Draws {
    Numpy(NumpyRandom),
    Streams { seed: u64, samples: u64, trials: u64 },
}

impl Draws {
    pub(super) fn new(source: RandomSource, seed: u64) -> Self {
        match source {
            RandomSource::Numpy => Self::Numpy(NumpyRandom::new(seed)),
            RandomSource::Alinea => Self::Streams { seed, samples: 0, trials: 0 },
        }
    }

    /// Replaces `drawn` by the segments of so many samples, as many of each as there are.
    pub(super) fn samples(&mut self, drawn: &mut Vec<u32>, samples: usize, segments: usize) {
        drawn.clear();
        match self {
            Self::Numpy(random) => drawn.extend((0..samples * segments).map(|_| random.below(segments as u32))),
            Self::Streams { seed, samples: next, .. } => {
                let Some(bound) = NonZeroU64::new(segments as u64) else { return };
                for _ in 0..samples {
                    let mut random = Generator::named(*seed, &[SAMPLES, *next]);
                    drawn.extend((0..segments).map(|_| random.below(bound) as u32));
                    *next += 1;
                }
            }
        }
    }

    /// Flips a coin for each segment of so many trials; all but the last call have a multiple of 32 trials.
    pub(super) fn coins(&mut self, coins: &mut Vec<bool>, trials: usize, segments: usize) {
        coins.clear();
        coins.resize(trials * segments, false);
        match self {
            // A multiple of 32 takes whole words of bits, so these are the coins that all trials at once would have.
            Self::Numpy(random) => random.fill_truths(coins),
            Self::Streams { seed, trials: next, .. } => {
                for trial in 0..trials {
                    let mut random = Generator::named(*seed, &[TRIALS, *next]);
                    for coins in coins[chunk_range(trials * segments, segments, trial)].chunks_mut(64) {
                        let bits = random.next_u64();
                        coins.iter_mut().enumerate().for_each(|(place, coin)| *coin = bits >> place & 1 == 1);
                    }
                    *next += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_have_names() {
        for source in RandomSource::ALL {
            assert_eq!(source.to_string().parse::<RandomSource>().expect("its name"), source);
        }
        let error = "mt19937".parse::<RandomSource>().unwrap_err();
        assert_eq!(error.to_string(), "generator = mt19937: must be numpy or alinea");
    }

    /// A stream does not know how many are drawn at once.
    #[test]
    fn batches_change_nothing() {
        for source in RandomSource::ALL {
            let drawn = |batches: &[usize]| {
                let (mut draws, mut numbers, mut flipped) = (Draws::new(source, 7), Vec::new(), Vec::new());
                let mut buffers = (Vec::new(), Vec::new());
                for &batch in batches {
                    draws.samples(&mut buffers.0, batch, 70);
                    numbers.extend_from_slice(&buffers.0);
                }
                for &batch in batches {
                    draws.coins(&mut buffers.1, batch, 70);
                    flipped.extend_from_slice(&buffers.1);
                }
                (numbers, flipped)
            };
            let all = drawn(&[101]);
            assert_eq!(all, drawn(&[64, 32, 5]));
            assert!(all.0.iter().all(|&segment| segment < 70));
            let heads = all.1.iter().filter(|&&coin| coin).count();
            // Within five standard deviations of half.
            assert!(heads.abs_diff(101 * 35) < 5 * (101.0f64 * 70.0 / 4.0).sqrt() as usize, "{heads}");
        }
    }
}
