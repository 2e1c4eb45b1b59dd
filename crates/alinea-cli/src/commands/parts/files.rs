//! What the steps read: which text is which part.

use std::path::{Path, PathBuf};

use alinea::bitext::Bitext;
use alinea::format::bitext;
use alinea::model::TextForm;
use alinea::parallel::Parallelism;

use crate::context::Context;
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::{self, TextArgs};

/// Which text is which part.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct PartArgs {
    #[command(flatten)]
    pub(super) text: TextArgs,
    /// Number of the part, from 1, in the order of `alinea parts join`
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Input")]
    part: u32,
}

impl PartArgs {
    /// Reads the text, whose words are told apart so.
    pub(super) fn read(&self, form: TextForm, parallelism: &Parallelism, context: &Context) -> anyhow::Result<Bitext> {
        let options = self.text.read_options(form, false);
        let observer = context.observer();
        observer.started("reading", 0);
        let read = bitext::read(&self.text.source(), &options, parallelism).map_err(text::advise)?;
        observer.finished(&counted(read.report.pairs, "pair"));
        Ok(read.bitext)
    }

    /// The number of the part, from 0.
    pub(super) fn number(&self) -> usize {
        self.part as usize - 1
    }
}

/// Refuses an output that is an input.
pub(super) fn check_files<'a>(
    inputs: impl IntoIterator<Item = (&'static str, &'a Path)>,
    outputs: &[(&'static str, &'a PathBuf)],
) -> anyhow::Result<()> {
    let role = |(name, path)| Role::new(name, path);
    let inputs: Vec<Role<'_>> = inputs.into_iter().map(role).collect();
    check_distinct(&inputs, &outputs.iter().map(|&(name, path)| role((name, path))).collect::<Vec<_>>())
}
