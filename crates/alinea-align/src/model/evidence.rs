//! Leave-one-out log-likelihoods of the training text.
//!
//! For each sentence pair (e, f), ln p(f | e) and ln p(e | f), computed after the pair's own contribution has been
//! taken out of the counts (`leave_one_out`). Each pair is thus judged by what the others have taught, and settings can
//! be compared without held-out text. The probability is that of `likelihood`: the forward recursion over Model 1 or
//! the HMM, without the factors in the lattice that are no probabilities. Under a model without leave-one-out the
//! values are plain log-likelihoods of the training text.

use super::aligner::Aligner;
use super::worker::Worker;
use crate::bitext::RankedBitext;
use crate::model::pair::pair_worker::Wanted;

/// Leave-one-out [log-likelihoods](super::Posteriors::log_likelihoods) of the pairs of the text trained on, one after
/// another in the same buffers: each is judged by what all others taught, so no text has to be held out. With models that
/// do not leave self-counts out these are plain log-likelihoods.
///
/// Values compare settings of one model on one text: other texts have other vocabularies.
#[derive(Debug, Clone)]
pub struct Evidence<'t> {
    worker: Worker<'t>,
}

impl<'t> Evidence<'t> {
    pub(super) fn new(worker: Worker<'t>) -> Self {
        Self { worker }
    }

    /// ln p(target | source) and ln p(source | target) of the `n`-th pair of the text; nothing if one side is empty.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn of(&mut self, n: usize) -> Option<[f64; 2]> {
        self.worker.posteriors(n)?.log_likelihoods()
    }
}

impl Aligner {
    /// What says how probable pairs of the text trained on are, for one thread.
    ///
    /// # Panics
    /// As [`worker`](Self::worker).
    pub fn evidence<'t>(&'t self, text: &'t RankedBitext) -> Evidence<'t> {
        Evidence::new(self.worker(text).wanting(Wanted::Likelihoods))
    }
}
