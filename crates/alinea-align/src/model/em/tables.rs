//! What all threads share of a model.

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
