//! `alinea reorder`: the order that the words of a sentence have in another language.

mod apply;
mod evaluate;
mod export;
mod gold;
mod input;
mod layers;
mod oracle;
mod pack;
mod parses;
mod rank;
mod show;
mod submit;
mod train;

use clap::Subcommand;

use crate::context::Context;

const LONG_ABOUT: &str = "\
Learns and judges word order: in which order would the words of a sentence stand in another language?

Examples:
  alinea align text.en text.hi -o links
  alinea reorder oracle links --source text.en --text reordered > text.en-hi
                                                     the source in the order of the target, for training
  alinea reorder pack links --trees text.conllu --stem en_hi.en --split trn=4000,dev=500,tst=500
                                                     the files of the shared task of 2012
  alinea reorder train --gold en_hi.en.trn.conll -m en-hi.model
                                                     learns to reorder
  alinea reorder apply en-hi.model --corpus en_hi.en.tst.conll -o run.conll
  alinea reorder show en-hi.model                    engine, layers that sentences must have
  alinea reorder evaluate run.conll --gold en_hi.en.tst.conll
  alinea reorder submit --team lab --data en_hi=en_hi.en.tst.conll --standard en_hi=run.conll -o lab.zip
  alinea reorder rank lab.zip other.zip --gold en_hi=en_hi.en.tst.conll --style html -o ranks.html";

const AFTER_LONG_HELP: &str = "\
Orders come from alignments: the words of the source are sorted by the positions that they are linked to. Words without \
links have no place of their own and travel with a neighbor.";

/// Learns, predicts, judges and hands in orders of words
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Pack(pack::Args),
    Oracle(oracle::Args),
    Train(train::Args),
    Apply(apply::Args),
    Show(show::Args),
    Evaluate(evaluate::Args),
    Submit(submit::Args),
    Rank(rank::Args),
    Export(export::Args),
}

/// Does it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match &args.command {
        Command::Pack(args) => pack::run(args, context),
        Command::Oracle(args) => oracle::run(args, context),
        Command::Train(args) => train::run(args, context),
        Command::Apply(args) => apply::run(args, context),
        Command::Show(args) => show::run(args),
        Command::Evaluate(args) => evaluate::run(args, context),
        Command::Submit(args) => submit::run(args, context),
        Command::Rank(args) => rank::run(args, context),
        Command::Export(args) => export::run(args, context),
    }
}
