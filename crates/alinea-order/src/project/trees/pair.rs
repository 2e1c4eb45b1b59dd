//! What trees are carried over.

use alinea_text::alignment::WeightedLink;
use alinea_text::error::{ErrorKind, Result};
use alinea_text::limits::PROJECTED_TREE_WORDS;
use alinea_text::tree::ParsedSentence;

use crate::project::check::check_links;

/// A sentence pair whose source has a tree.
#[derive(Debug, Clone)]
pub struct TreePair<'a> {
    /// The source with its tree.
    pub source: &'a ParsedSentence,
    /// The target words.
    pub target: Vec<TargetWord<'a>>,
    /// Links with their probabilities; best are all candidates from 0.01 on;
    /// [`UNWEIGHTED`](crate::project::labels::UNWEIGHTED) for a link without one.
    pub links: &'a [WeightedLink],
}

/// A word that gets a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetWord<'a> {
    /// How it is written.
    pub form: &'a str,
    /// Its universal part of speech, if it is known.
    pub upos: Option<&'a str>,
}

impl<'a> TargetWord<'a> {
    /// A word of which nothing else is known.
    pub const fn new(form: &'a str) -> Self {
        Self { form, upos: None }
    }
}

impl TreePair<'_> {
    /// Refuses what cannot be projected.
    pub(super) fn check(&self, number: usize) -> Result<()> {
        let lengths = [self.source.len(), self.target.len()];
        let place = format!("pair {number}");
        PROJECTED_TREE_WORDS.check(lengths[0].max(lengths[1]) as u64).map_err(|error| error.at(&place))?;
        let inconsistent = |message| Err(ErrorKind::Inconsistent(format!("{place}: {message}")).into());
        if self.source.tree().is_none() {
            return inconsistent("the source has no tree".to_owned());
        }
        check_links(self.links, lengths).or_else(inconsistent)
    }
}
