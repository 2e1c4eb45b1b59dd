//! References to everything that threads share when they compute posteriors.
//!
//! `Tables` borrows the pair index, the levels of stems, the parameters and the configuration. It is read-only and
//! `Copy`: each worker gets one. In training and in an `Aligner` the lexicon is the pair table of the parameters. In a
//! saved model that table is empty and `frozen` takes its place, together with what is needed for word pairs that never
//! occurred.

use crate::lexicon::PairIndex;
use crate::model::config::AlignerConfig;
use crate::model::em::back_off::Level;
use crate::model::em::parameters::Parameters;
use crate::model::saved::frozen::Frozen;

/// What all threads share.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Tables<'m> {
    pub(in crate::model) index: &'m PairIndex,
    pub(in crate::model) levels: &'m [Level],
    pub(in crate::model) parameters: &'m Parameters,
    pub(in crate::model) config: &'m AlignerConfig,
    /// What takes the place of the table of pairs in a saved model.
    pub(in crate::model) frozen: Option<&'m Frozen>,
}
