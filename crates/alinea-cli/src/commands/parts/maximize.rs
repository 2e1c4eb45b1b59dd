//! `alinea parts maximize`: from the counts of all parts to the next state, and after the last pass to the model.

use std::path::PathBuf;

use alinea::align::parts::{self, Next};
use alinea::model::parts::{PruneLimit, TrainingState};
use alinea::parallel::Work;
use anyhow::bail;
use clap::ArgGroup;
use serde_json::json;

use super::files::check_files;
use crate::context::Context;
use crate::resources::{ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Go on from what all parts have counted: to the state after the pass, and after the last pass to the model.

Examples:
  alinea parts maximize counts.1.1 counts.1.2 --state state.0 -o state.1
  alinea parts maximize counts.5.* --state state.4 --prune -o state.5
                                                   without pairs of words that are hardly ever linked
  alinea parts maximize counts.9.* --state state.8 --own own.9.* -m en-fr.alinea";

/// Go on from what all parts have counted, to the next state or to the model
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, group = ArgGroup::new("result").required(true))]
pub(super) struct Args {
    /// Counts of the parts, each once, some of them perhaps merged (`alinea merge-counts`)
    #[arg(value_name = "COUNTS", required = true)]
    counts: Vec<PathBuf>,
    /// The state that they were counted under
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Output file for the next state
    #[arg(short, long, value_name = "FILE", group = "result")]
    output: Option<PathBuf>,
    /// Output file for the model, after the last pass
    #[arg(short, long, value_name = "FILE", group = "result", requires = "own")]
    model_file: Option<PathBuf>,
    /// After the last pass, what all parts have kept of it
    #[arg(long, value_name = "FILES", num_args = 1.., requires = "model_file")]
    own: Vec<PathBuf>,
    /// Drop pairs of words from the training that were counted less often than COUNT in this pass: states and counts become smaller.
    /// For large texts, of which the model is nearly the same then
    #[arg(long, value_name = "COUNT", num_args = 0..=1, default_missing_value = "0.001", require_equals = true,
        conflicts_with = "model_file")]
    prune: Option<f32>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { counts, state, output, model_file, own, prune, threads, work_dir } = args;
    let prune = prune.map(PruneLimit::new).transpose()?;
    work_dir.install()?;
    let named = |name, paths: &'_ [PathBuf]| paths.iter().map(move |path| (name, path.clone())).collect::<Vec<_>>();
    let inputs = [named("COUNTS", counts), named("--own", own), vec![("--state", state.clone())]].concat();
    let outputs = [("--output", output), ("--model-file", model_file)];
    let outputs: Vec<_> = outputs.into_iter().filter_map(|(name, path)| Some((name, path.as_ref()?))).collect();
    check_files(inputs.iter().map(|(name, path)| (*name, &**path)), &outputs)?;
    let state = TrainingState::read(state)?;
    let next = match (output, model_file) {
        (Some(path), _) if !state.is_before_model() => Next::State(path),
        (_, Some(path)) if state.is_before_model() => Next::Model { path, own },
        (Some(_), _) => {
            bail!("this is the last pass: -m FILE for the model, and --own FILES with what all parts have kept")
        }
        _ => bail!("passes are left: -o FILE for the next state"),
    };
    let parallelism = threads.parallelism()?;
    let work = Work { parallelism: &parallelism, observer: context.observer() };
    let (done, passes) = (state.passes_done() + 1, state.passes());
    parts::maximize(counts, state, prune, next, work)?;
    let numbers = json!({ "passes_done": done, "passes": passes });
    context.summary(&format!("{:<10} {done} of {passes} done", "passes"), &numbers);
    Ok(())
}
