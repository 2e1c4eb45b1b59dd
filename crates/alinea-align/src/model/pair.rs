//! The pass over one sentence pair: from the parameters of a model to the posteriors of both directions.
//!
//! For source words e_1..e_I and target words f_1..f_J, the reverse direction generates f from e and the forward one e
//! from f. Each is an HMM whose states are the positions of the other side and an empty word (Vogel, Ney and Tillmann
//! 1996; Och and Ney 2003, section 2.1.1), or IBM Model 1, which has no transitions.
//!
//! The way of a pair through the files:
//!
//! 1. `grid` looks up the distinct words of the pair in the lexicon, each pair of words once.
//! 2. `jumps` holds the transition tables, `jump_cache` spreads them out for one sentence length.
//! 3. `lattice` runs the forward-backward recursions, `viterbi` the same with maxima, `likelihood` with fertilities
//!    summed out.
//! 4. `rows` are the posteriors of one direction as they lie in memory, `stretches` those of the parts of a long pair,
//!    `posteriors` what is given to others, `link_rule` how links come from it.
//!
//! `direction_buffers` has the buffers of one direction, `pair_worker` those of both and calls all of these in order.

pub(super) mod direction_buffers;
pub(super) mod grid;
pub(super) mod jump_cache;
pub(super) mod jumps;
pub(super) mod lattice;
pub(super) mod likelihood;
pub(super) mod link_rule;
pub(super) mod pair_worker;
pub(super) mod posteriors;
pub(super) mod rows;
pub(super) mod stretches;
pub(super) mod viterbi;
