//! Training that can be interrupted.

use std::path::{Path, PathBuf};

use alinea::align::Checkpoint;
use alinea::error::Result;
use alinea::model::Feature;

use crate::input::kind::Rare as _;

/// The option for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct CheckpointArgs {
    /// Save the counts to this file after each iteration and resume from it if it exists; it is deleted at the end
    #[arg(long, value_name = "FILE", rare = true)]
    checkpoint: Option<PathBuf>,
}

impl CheckpointArgs {
    /// The file, with the option that names it.
    pub(crate) fn path(&self) -> Option<(&'static str, &Path)> {
        self.checkpoint.as_deref().map(|path| ("--checkpoint", path))
    }

    /// What is asked of the model.
    pub(super) fn feature(&self) -> Option<Feature> {
        self.checkpoint.is_some().then_some(Feature::Checkpoint)
    }

    /// The checkpoint, at a place that can be written.
    pub(crate) fn open(&self) -> Result<Option<Checkpoint>> {
        self.checkpoint.as_ref().map(Checkpoint::new).transpose()
    }
}
