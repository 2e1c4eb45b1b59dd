//! Numbers that come out the same everywhere: vector kernels, a named random generator, and resampling of counts.
//!
//! Nothing here knows about language. The kernels of [`simd`] give the same bits on every processor. A [`Generator`] is
//! named by a seed and a stream, so that work cut into pieces draws the same numbers whichever thread takes which
//! piece. [`Bootstrap`] answers how far a corpus score would move if other sentences of the same kind had been drawn,
//! and whether two systems differ by more than that.
//!
//! ```
//! use alinea::numeric::{Bootstrap, Statistics};
//! use alinea::parallel::Parallelism;
//!
//! // One sentence a row: correct links, all links.
//! let statistics = Statistics::from_rows([[3, 4], [2, 2], [0, 3], [5, 6]]);
//! let precision = |counts: &[u64]| [(counts[1] > 0).then(|| counts[0] as f64 / counts[1] as f64)];
//! let [estimate] = Bootstrap::default().estimate(&statistics, precision, &Parallelism::serial())?;
//! assert_eq!(estimate.value, Some(10.0 / 15.0));
//! let interval = estimate.interval.expect("every sample has links");
//! assert!(interval.low < 10.0 / 15.0 && 10.0 / 15.0 < interval.high);
//! # Ok::<(), alinea::error::Error>(())
//! ```

pub mod simd;

mod generator;
mod numpy_random;
mod resampling;
mod special;

pub use generator::Generator;
pub use numpy_random::NumpyRandom;
pub use resampling::{Bootstrap, Difference, Estimate, FEWEST_SENTENCES, FEWEST_SYSTEMS, Interval, Statistics};
pub use special::{digamma, incomplete_beta, ln_gamma, sigmoid, softplus, student_t_tail};
