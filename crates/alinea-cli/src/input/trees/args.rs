//! Options for matching words and comparing dependency paths, shared by `metric` and `view`.
//!
//! Both commands must give the same score for the same trees, so the conversion from options to configuration is here,
//! once. `MatchingArgs` says how words match where no links are given (`alinea::metric::word_matching`), `PathArgs` how
//! paths are compared (`alinea::metric::dependency_path`). Defaults are the library's. `any` is true if an option has
//! another value than its default: commands that would ignore the option refuse it.

use std::sync::Arc;

use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig, Orientation, TieOrder};
use alinea::metric::meteor::Synonyms;
use alinea::metric::word_matching::MatchingConfig;

use crate::input::kind::Rare as _;

/// What words and relations are equal.
#[derive(Debug, clap::Args)]
pub(crate) struct MatchingArgs {
    /// Match unlinked words by stem, not by lemma
    #[arg(long, rare = true)]
    no_lemmas: bool,
    /// Match single unlinked words whose neighbors are linked to each other
    #[arg(long, rare = true)]
    context: bool,
    /// Beam size: partial alignments kept while matching words
    #[arg(long, value_name = "N", default_value_t = MatchingConfig::default().beam, rare = true)]
    match_beam: usize,
    /// Ignore subtypes of relations, such as :of in nmod:of
    #[arg(long, rare = true)]
    no_subtypes: bool,
}

/// How paths are compared.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_field_names, reason = "they are the names of the options")]
pub(crate) struct PathArgs {
    /// How to choose among several minimum spanning trees: local, generous or index
    #[arg(long, value_name = "ORDER", default_value_t, rare = true)]
    dpath_tie: TieOrder,
    /// Side whose words are the nodes of the graph: auto, reference or hypothesis
    #[arg(long, value_name = "SIDE", default_value_t, rare = true)]
    dpath_nodes: Orientation,
    /// Reject alignments in which words on both sides have several links
    #[arg(long, rare = true)]
    dpath_strict: bool,
    /// Multiply the score by the share of aligned words raised to this power
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, rare = true)]
    dpath_coverage: f64,
}

impl MatchingArgs {
    /// Whether anything is said, other than what goes without saying.
    pub(crate) fn any(&self) -> bool {
        self.no_lemmas || self.context || self.no_subtypes || self.match_beam != MatchingConfig::default().beam
    }

    /// Whether relations count with their subtypes.
    pub(crate) fn subtypes(&self) -> bool {
        !self.no_subtypes
    }

    /// How words are matched.
    pub(crate) fn config(&self, synonyms: Option<Synonyms>) -> MatchingConfig {
        MatchingConfig::default().with(|c| {
            c.lemmas = !self.no_lemmas;
            c.synonyms = synonyms.map(Arc::new);
            c.context = self.context;
            c.beam = self.match_beam;
        })
    }
}

impl PathArgs {
    /// Whether anything is said, other than what goes without saying.
    pub(crate) fn any(&self) -> bool {
        let [tie, nodes] = [self.dpath_tie == TieOrder::default(), self.dpath_nodes == Orientation::default()];
        !tie || !nodes || self.dpath_strict || self.dpath_coverage.to_bits() != 0
    }

    /// The metric.
    pub(crate) fn metric(
        &self,
        matching: &MatchingArgs,
        synonyms: Option<Synonyms>,
        pooled: bool,
    ) -> anyhow::Result<DependencyPath> {
        Ok(DependencyPath::new(DependencyPathConfig::default().with(|c| {
            c.tie_order = self.dpath_tie;
            c.orientation = self.dpath_nodes;
            c.relaxed = !self.dpath_strict;
            c.subtypes = matching.subtypes();
            c.coverage_exponent = self.dpath_coverage;
            c.pooled = pooled;
            c.matching = matching.config(synonyms);
        }))?)
    }
}
