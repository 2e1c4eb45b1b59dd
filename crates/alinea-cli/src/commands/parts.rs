//! `alinea parts`: trains a model on a text that lies in parts, each of which is read by a process of its own.
//!
//! One verb for each step (`alinea::model::parts`): `words` and `pairs` of a part, `join` and `begin` for the whole, `count` a part in
//! a pass, `maximize` what all have counted. Each reads files and writes files, which appear when they are complete: so a step that was
//! interrupted is run again. `PartArgs` says which text is which part.

mod begin;
mod count;
mod join;
mod maximize;
mod pairs;
mod words;

use std::io;
use std::path::{Path, PathBuf};

use alinea::bitext::Bitext;
use alinea::error::{Error, Result};
use alinea::format::bitext;
use alinea::format::sink::{self, Output};
use alinea::model::TextForm;
use alinea::parallel::Parallelism;
use clap::Subcommand;

use crate::context::Context;
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::{self, TextArgs};

const LONG_ABOUT: &str = "\
Train a model on a text in parts, each counted by a process that knows only its own part: on several machines, or one after
another in little memory. The model is byte-identical to that of `alinea train` on the joined text.

Steps, here with two parts:
  alinea parts words 1.en 1.fr -o words.1          the words of each part, anywhere
  alinea parts words 2.en 2.fr -o words.2
  alinea parts join words.1 words.2 -o words       in the order of the text
  alinea parts pairs 1.en 1.fr --part 1 --words words -o pairs.1
  alinea parts pairs 2.en 2.fr --part 2 --words words -o pairs.2
  alinea parts begin pairs.1 pairs.2 --words words -o state.0
  alinea parts count 1.en 1.fr --part 1 --state state.0 -o counts.1 --keep own.1.1
  alinea parts count 2.en 2.fr --part 2 --state state.0 -o counts.2 --keep own.1.2
  alinea parts maximize counts.1 counts.2 --state state.0 -o state.1
                                                   one pass; the next counts with --state state.1 --own own.1.1
  alinea parts maximize counts.1 counts.2 --state state.8 --own own.9.1 own.9.2 -m en-fr.alinea
                                                   the last pass gives the model";

/// Train on a text in parts that lie in different places
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    Words(Box<words::Args>),
    Join(join::Args),
    Pairs(Box<pairs::Args>),
    Begin(begin::Args),
    Count(Box<count::Args>),
    Maximize(maximize::Args),
}

/// Does a step.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match &args.command {
        Command::Words(args) => words::run(args, context),
        Command::Join(args) => join::run(args, context),
        Command::Pairs(args) => pairs::run(args, context),
        Command::Begin(args) => begin::run(args, context),
        Command::Count(args) => count::run(args, context),
        Command::Maximize(args) => maximize::run(args, context),
    }
}

/// Which text is which part.
#[derive(Debug, Clone, clap::Args)]
struct PartArgs {
    #[command(flatten)]
    text: TextArgs,
    /// Number of the part, from 1, in the order of `alinea parts join`
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Input")]
    part: u32,
}

impl PartArgs {
    /// Reads the text, whose words are told apart so.
    fn read(&self, form: TextForm, parallelism: &Parallelism, context: &Context) -> anyhow::Result<Bitext> {
        let options = self.text.read_options(form, false);
        let observer = context.observer();
        observer.started("reading", 0);
        let read = bitext::read(&self.text.source(), &options, parallelism).map_err(text::advise)?;
        observer.finished(&counted(read.report.pairs, "pair"));
        Ok(read.bitext)
    }

    /// The number of the part, from 0.
    fn number(&self) -> usize {
        self.part as usize - 1
    }
}

/// Refuses an output that is an input.
fn check_files<'a>(
    inputs: impl IntoIterator<Item = (&'static str, &'a Path)>,
    outputs: &[(&'static str, &'a PathBuf)],
) -> anyhow::Result<()> {
    let role = |(name, path)| Role::new(name, path);
    let inputs: Vec<Role<'_>> = inputs.into_iter().map(role).collect();
    check_distinct(&inputs, &outputs.iter().map(|&(name, path)| role((name, path))).collect::<Vec<_>>())
}

/// Writes a file, which appears when it is complete.
fn write(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<()> {
    written(path, write)?.finish()
}

/// The same, but it does not appear yet.
fn written(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<Output> {
    let mut output = sink::create_uncompressed(path)?;
    write(&mut output).map_err(|error| Error::io(path, error))?;
    Ok(output)
}
