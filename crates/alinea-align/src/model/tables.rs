//! What all threads share of a model.

use super::back_off::Level;
use super::config::AlignerConfig;
use super::frozen::Frozen;
use super::parameters::Parameters;
use crate::lexicon::PairIndex;

/// What all threads share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tables<'m> {
    pub(super) index: &'m PairIndex,
    pub(super) levels: &'m [Level],
    pub(super) parameters: &'m Parameters,
    pub(super) config: &'m AlignerConfig,
    /// What takes the place of the table of pairs in a saved model.
    pub(super) frozen: Option<&'m Frozen>,
}
