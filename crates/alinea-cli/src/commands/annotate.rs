//! `alinea annotate`: gold alignments by hand, in the browser, with an aligner that learns from every sentence.
//!
//! `serve` opens a project, or makes one of a text, and answers the page until it is closed; `export` writes what was linked, `status`
//! says how far everybody is. The project is `alinea::annotate`, the page `alinea::workbench`.

mod browser;
mod export;
mod serve;
mod status;

use clap::Subcommand;

use crate::context::Context;

const LONG_ABOUT: &str = "\
Link the words of a text by hand, in the browser. Links are suggested, in the order that teaches the model most, and \
suggestions improve with every sentence that is confirmed.

Examples:
  alinea annotate text.en text.fr                  make a project in text.en.annotation and open it in the browser
  alinea annotate text.en.annotation               go on another day
  alinea annotate text.en text.fr --annotator lisa --annotator jonas --shared 20%
                                                   two annotators, who both link a fifth of the sentences
  alinea annotate text.en text.fr --import lisa=old.align
                                                   begin with links that somebody made before
  alinea annotate text.en.annotation --bind 0.0.0.0 --port 8765
                                                   for others in the network; each has an address of their own
  alinea annotate export text.en.annotation -o gold.align
  alinea annotate status text.en.annotation";

const AFTER_LONG_HELP: &str = "\
A project is a folder. What an annotator does is in a journal in it, a file that only grows: each step is on the disk before the \
page shows it as saved, so nothing is lost if the program or the machine stops. The project can be copied as it is.

Each annotator has an address with a token of their own, which the command prints; whoever knows it can annotate under that name. \
Without --bind only this machine is served. Traffic is not encrypted: in a network that others share, put a proxy with TLS in front, and \
name it with --host.

Ctrl-C ends the command, or the button Close on the page.";

/// Link words by hand, with suggestions that learn
#[derive(Debug, Clone, clap::Args)]
#[command(
    long_about = LONG_ABOUT,
    after_long_help = AFTER_LONG_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::ServeArgs,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    Export(export::Args),
    Status(status::Args),
}

/// Does it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match &args.command {
        None => serve::run(&args.serve, context),
        Some(Command::Export(args)) => export::run(args, context),
        Some(Command::Status(args)) => status::run(args),
    }
}
