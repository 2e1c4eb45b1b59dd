//! `alinea bible`: books of the Bible in USFM, aligned verse by verse.
//!
//! `align` finds links and writes them as milestones into the books of the target, as records, or as lines; `links` reads milestones
//! and records back; `text` writes verses, one a line. A `side` is what one language has: books, or lines with references; `sides` are
//! both, with the verses that belong together; `outputs` writes what is found of these. The formats are in `alinea::format::usfm` and
//! `alinea::format::burrito`.

mod align;
mod links;
mod outputs;
mod side;
mod sides;
mod text;

use clap::Subcommand;

use crate::context::Context;

const LONG_ABOUT: &str = "\
Align books of the Bible, verse by verse, and exchange the links with translation editors.

Examples:
  alinea bible align greek.usfm 41-MAT.usfm -o aligned.usfm
                                          links as \\zaln milestones in the target book
  alinea bible align greek english --format burrito -o links.json
                                          all books of two folders, as a Scripture Burrito alignment
  alinea bible links aligned.usfm --source greek.usfm > links
                                          milestones back to lines of links
  alinea bible text 41-MAT.usfm --references verses.txt > text.txt
                                          verses, one a line";

/// Align books of the Bible in USFM
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    Align(Box<align::Args>),
    Links(links::Args),
    Text(text::Args),
}

/// Does it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match &args.command {
        Command::Align(args) => align::run(args, context),
        Command::Links(args) => links::run(args, context),
        Command::Text(args) => text::run(args, context),
    }
}
