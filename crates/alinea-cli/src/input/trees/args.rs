//! How words are matched and paths compared, for the verbs that compare trees.

use std::sync::Arc;

use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig, Orientation, TieOrder};
use alinea::metric::meteor::Synonyms;
use alinea::metric::word_matching::MatchingConfig;

/// What words and relations are equal.
#[derive(Debug, clap::Args)]
pub(crate) struct MatchingArgs {
    /// Match words without links by stems, not by lemmas
    #[arg(long)]
    no_lemmas: bool,
    /// Match single words without links whose neighbors are linked with each other
    #[arg(long)]
    context: bool,
    /// Partial alignments kept while words are matched
    #[arg(long, value_name = "N", default_value_t = MatchingConfig::default().beam)]
    match_beam: usize,
    /// Relations without what follows a colon, such as nmod for nmod:of
    #[arg(long)]
    no_subtypes: bool,
}

/// How paths are compared.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_field_names, reason = "they are the names of the options")]
pub(crate) struct PathArgs {
    /// Which of several least spanning trees: local, generous, index
    #[arg(long, value_name = "ORDER", default_value_t)]
    dpath_tie: TieOrder,
    /// Whose words are the nodes of the graph: auto, reference, hypothesis
    #[arg(long, value_name = "SIDE", default_value_t)]
    dpath_nodes: Orientation,
    /// Refuse links that give words on both sides several counterparts
    #[arg(long)]
    dpath_strict: bool,
    /// The exponent of the share of aligned words, by which the score is multiplied
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0)]
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
