//! `alinea parts`: trains a model on a text that lies in parts, each of which is read by a process of its own.
//!
//! One verb for each step (`alinea::align::parts`): `words` and `pairs` of a part, `join` and `begin` for the whole, `count` a part in
//! a pass, `maximize` what all have counted. `files` has what they share: the options of a part, and the check that no output is an input.

mod begin;
mod count;
mod files;
mod join;
mod maximize;
mod pairs;
mod words;

use clap::Subcommand;

use crate::context::Context;

const LONG_ABOUT: &str = "\
Train a model on a text in parts, each counted by a process that knows only its own part: on several machines, or one after
another in little memory. The model is byte-identical to that of `alinea train` on the joined text. These are the steps, with
two parts.

Examples:
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
