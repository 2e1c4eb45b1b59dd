//! The options of the metrics that compare trees.

use std::path::PathBuf;
use std::sync::Arc;

use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig, Orientation, TieOrder};
use alinea::metric::meteor::Synonyms;
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::metric::word_matching::MatchingConfig;

use crate::commands::trees::{RootsName, Units};

/// How trees are read and compared.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Trees, for dpath and ted")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(crate) struct TreeArgs {
    /// Links between reference and hypothesis: a file for each system, and with several references for each of them, the
    /// first system's first
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) links: Vec<PathBuf>,
    /// What links of --links are between
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Units::Words, requires = "links")]
    pub(crate) units: Units,
    /// How many roots a tree may have
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = RootsName::One)]
    pub(crate) roots: RootsName,
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
    /// Score a text by the sums over its sentences, in place of the mean of their scores
    #[arg(long)]
    pooled: bool,
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
    /// Leave out words without links
    #[arg(long)]
    ted_splice: bool,
    /// Let heads stand among their dependents once more
    #[arg(long)]
    ted_head_leaf: bool,
    /// Ask of linked words to have the same relation
    #[arg(long)]
    ted_relations: bool,
}

impl TreeArgs {
    /// Whether anything is said that other metrics have no use for.
    pub(super) fn any(&self) -> bool {
        !self.links.is_empty() || self.no_lemmas || self.context || self.pooled || self.roots == RootsName::Many
    }

    /// Whether words must have relations.
    pub(crate) fn need_relations(&self) -> bool {
        self.ted_relations
    }

    pub(super) fn dependency_path(&self, synonyms: Option<Synonyms>) -> anyhow::Result<DependencyPath> {
        Ok(DependencyPath::new(DependencyPathConfig {
            tie_order: self.dpath_tie,
            orientation: self.dpath_nodes,
            relaxed: !self.dpath_strict,
            subtypes: !self.no_subtypes,
            coverage_exponent: self.dpath_coverage,
            pooled: self.pooled,
            matching: self.matching(synonyms),
        })?)
    }

    pub(super) fn tree_edit(&self, synonyms: Option<Synonyms>) -> anyhow::Result<TreeEdit> {
        Ok(TreeEdit::new(TreeEditConfig {
            splice: self.ted_splice,
            head_leaf: self.ted_head_leaf,
            relations: self.ted_relations,
            subtypes: !self.no_subtypes,
            pooled: self.pooled,
            matching: self.matching(synonyms),
        })?)
    }

    fn matching(&self, synonyms: Option<Synonyms>) -> MatchingConfig {
        MatchingConfig {
            lemmas: !self.no_lemmas,
            synonyms: synonyms.map(Arc::new),
            context: self.context,
            beam: self.match_beam,
            ..MatchingConfig::default()
        }
    }
}
