//! What tells a training in parts from others.

use super::prune_limit::Pruned;
use super::words::WholeText;
use crate::bitext::fnv_1a;
use crate::lexicon::fingerprint;
use crate::model::config::{AlignerConfig, Schedule};

/// The model, the text by its parts, and the pseudo-counts of a dictionary, by ascending id.
pub(super) fn identity(whole: &WholeText, config: &AlignerConfig, given: &[(u32, f32)]) -> String {
    let Schedule { ibm1, hmm } = config.schedule_for(whole.usable());
    let parts = fnv_1a(whole.parts().iter().flat_map(|part| part.fingerprint.to_le_bytes()));
    let given = fingerprint(given);
    format!("{} {ibm1}+{hmm} {} parts {parts:016x} {given:016x}", config.identity(), whole.weights())
}

/// What tells counts under a state from others: ids are those of an index that pairs may have left.
pub(super) fn identity_of_counts(identity: &str, pruned: &[Pruned]) -> String {
    pruned.iter().fold(identity.to_owned(), |identity, pruned| format!("{identity} {pruned}"))
}
