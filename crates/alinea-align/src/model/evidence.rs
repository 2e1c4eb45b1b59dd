//! How probable a model finds sentence pairs of its own text when what they said themselves is left out.

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
