//! Expectation maximization (Dempster, Laird and Rubin 1977) for the joint models: what is estimated, and how.
//!
//! A pass is one of IBM Model 1 or of the HMM (`pass`); which it is, and what it counts, is decided by `plan`. Its E step (`expectation`) runs over the pairs of the text, by
//! chunks and in parallel, and adds their posteriors up as whole numbers of 2^-16, so that the sum depends on no order.
//! Its M step (`maximization`) turns the sums into `parameters`: translation probabilities, smoothed by the tables of
//! stem pairs in `back_off`, whose own counts are in `stem_sums`; jumps; fertilities. `tables` lends these to the
//! workers of one pass. `training` runs the passes over a `text`, whole or one `shard` at a time.

pub(super) mod back_off;
pub(super) mod expectation;
pub(super) mod maximization;
pub(super) mod parameters;
pub(super) mod pass;
pub(super) mod plan;
pub(super) mod shard;
pub(super) mod stem_sums;
pub(super) mod tables;
pub(super) mod text;
pub(super) mod training;
