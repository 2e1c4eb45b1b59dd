//! The options of `dpath` and `ted`, the two metrics that compare dependency trees.
//!
//! They say which files of links belong to systems and references, what links connect, and how words match where there
//! are no links; options for matching and paths are shared with `view` (`input::trees::args`). There is one file of
//! links for each system and reference, those of the first system first. `any` tells whether options are given that
//! other metrics would ignore, so that `choice` can refuse them. Metrics are defined in
//! `alinea::metric::dependency_path` and `alinea::metric::tree_edit`.

use std::path::PathBuf;

use alinea::metric::dependency_path::DependencyPath;
use alinea::metric::meteor::Synonyms;
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::tree::Roots;
use anyhow::bail;

use crate::input::kind::Rare as _;
use crate::input::links::{LinkFormat, LinkReader, counted};
use crate::input::trees::{MatchingArgs, PathArgs, RootsName, TreeOptions, TreeStreams, Units};

/// How trees are read and compared.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Trees, for dpath and ted")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(super) struct TreeArgs {
    /// Links between reference and hypothesis: one file per system, or with several references one per system and
    /// reference, those of the first system first
    #[arg(long, value_name = "FILE", num_args = 1.., rare = true)]
    pub(super) links: Vec<PathBuf>,
    /// Units that --links connects
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Units::Words, requires = "links", rare = true)]
    units: Units,
    /// Number of roots a tree may have
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = RootsName::One, rare = true)]
    roots: RootsName,
    #[command(flatten)]
    matching: MatchingArgs,
    /// Score a text by sums over its sentences instead of the mean of their scores
    #[arg(long, rare = true)]
    pooled: bool,
    #[command(flatten)]
    paths: PathArgs,
    /// Ignore unlinked words
    #[arg(long, rare = true)]
    ted_splice: bool,
    /// Add each head as a leaf among its dependents
    #[arg(long, rare = true)]
    ted_head_leaf: bool,
    /// Require linked words to have the same relation
    #[arg(long, rare = true)]
    ted_relations: bool,
}

impl TreeArgs {
    /// Whether anything is said that other metrics have no use for.
    pub(super) fn any(&self) -> bool {
        !self.links.is_empty()
            || self.matching.any()
            || self.paths.any()
            || self.pooled
            || self.roots == RootsName::Many
    }

    /// Opens the files of trees, and of links; with `dependency_paths`, words must have relations.
    pub(super) fn open(
        &self,
        references: &[PathBuf],
        systems: &[PathBuf],
        dependency_paths: bool,
    ) -> anyhow::Result<TreeStreams> {
        let pairs = systems.len() * references.len();
        if !self.links.is_empty() && self.links.len() != pairs {
            let found = counted(self.links.len() as u64, "file");
            bail!("--links has {found}, but needs {pairs}: one for each system and reference");
        }
        let format = LinkFormat { base_option: "alinea convert --base-from", ..LinkFormat::default() };
        let open = |path: &PathBuf| LinkReader::open(std::slice::from_ref(path), &format);
        let links = self.links.iter().map(open).collect::<Result<_, _>>()?;
        let relations = dependency_paths || self.ted_relations;
        let options = TreeOptions { roots: Roots::from(self.roots), units: self.units, relations };
        TreeStreams::open(references, systems, links, options)
    }

    pub(super) fn dependency_path(&self, synonyms: Option<Synonyms>) -> anyhow::Result<DependencyPath> {
        self.paths.metric(&self.matching, synonyms, self.pooled)
    }

    pub(super) fn tree_edit(&self, synonyms: Option<Synonyms>) -> anyhow::Result<TreeEdit> {
        Ok(TreeEdit::new(TreeEditConfig::default().with(|c| {
            c.splice = self.ted_splice;
            c.head_leaf = self.ted_head_leaf;
            c.relations = self.ted_relations;
            c.subtypes = self.matching.subtypes();
            c.pooled = self.pooled;
            c.matching = self.matching.config(synonyms);
        }))?)
    }
}
