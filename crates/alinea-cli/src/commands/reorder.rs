//! `alinea reorder`: word order of the source in the target language, from gold orders to rankings of systems.
//!
//! | module | what it does |
//! |---|---|
//! | `oracle`, `pack`, `export` | gold orders from alignments; corpora of the shared task; files for other programs |
//! | `train`, `apply`, `show` | learns a model, reorders text with it, describes it |
//! | `evaluate`, `submit`, `rank` | scores runs, puts them into archives, ranks archives |
//! | `input`, `layers`, `parses`, `gold` | reading: sentences and links, layers of words, brackets, gold orders |
//!
//! Definitions, models and sources are in `alinea::reorder`.

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
Learn, predict and evaluate the word order that a sentence would have in another language.

Examples:
  alinea align text.en text.hi -o links
  alinea reorder oracle links --source text.en --format text > text.en-hi
                                                     the source in target order, for training
  alinea reorder pack links --trees text.conllu --stem en_hi.en --split trn=4000,dev=500,tst=500
                                                     files of the 2012 shared task
  alinea reorder train --gold en_hi.en.trn.conll -m en-hi.model
                                                     train a reordering model
  alinea reorder apply en-hi.model --corpus en_hi.en.tst.conll -o run.conll
  alinea reorder show en-hi.model                    engine, annotation layers that input needs
  alinea reorder evaluate run.conll --gold en_hi.en.tst.conll
  alinea reorder submit --team lab --data en_hi=en_hi.en.tst.conll --standard en_hi=run.conll -o lab.zip
  alinea reorder rank lab.zip other.zip --gold en_hi=en_hi.en.tst.conll --format html -o ranks.html";

const AFTER_LONG_HELP: &str = "\
Orders come from alignments: source words are sorted by the target positions they are linked to. Unlinked words have \
no position of their own and move with a neighbor.";

/// Learn, predict and evaluate word orders
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
