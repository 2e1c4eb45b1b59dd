//! The grammar of the command line.

use clap::{Parser, Subcommand};

use crate::commands;
use crate::context::Context;
use crate::options::SharedOptions;

const LONG_ABOUT: &str = "\
alinea aligns the words of parallel text and judges alignments.

Examples:
  alinea demo                                      see it work on a small sample
  alinea align text.en text.fr -o links.align      align two files, line by line
  alinea train text.en text.fr -m en-fr.alinea     keep what was learned, for text to come
  alinea align -m en-fr.alinea new.en new.fr       align it
  alinea evaluate --gold gold.align links.align    judge links by those of people
  alinea metric reference.fr -i system.fr          score translations: BLEU, chrF, TER
  alinea view text.en text.fr links.align          look at them in the terminal
  alinea sentence-align book.en book.fr            align sentences, before their words
  alinea align --help                              more examples, and every option";

const AFTER_LONG_HELP: &str = "\
Text is tokenized, one sentence a line; line n of one file translates line n of the other. `-` is standard input or \
output; gzip and zstd are read by content and written by name (.gz, .zst).

Exit code: 0 fine, 2 an error, 128 and its number after a signal \
(130 Ctrl-C, 143 terminated, 129 hung up).";

/// Aligns the words of parallel text and judges alignments
#[derive(Debug, Parser)]
#[command(name = "alinea", version, long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
#[command(disable_help_subcommand = true, max_term_width = 110)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// What all verbs understand.
    #[command(flatten)]
    pub(crate) shared: SharedOptions,
}

/// The verbs. What each is about is said with its `Args`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Align(Box<commands::align::Args>),
    Train(Box<commands::train::Args>),
    MergeCounts(commands::merge_counts::Args),
    Model(commands::model::Args),
    Symmetrize(commands::symmetrize::Args),
    Evaluate(Box<commands::evaluate::Args>),
    Agreement(commands::agreement::Args),
    Report(commands::report::Args),
    Metric(Box<commands::metric::Args>),
    Correlate(commands::correlate::Args),
    Project(Box<commands::project::Args>),
    View(Box<commands::view::Args>),
    Reorder(Box<commands::reorder::Args>),
    Phrases(commands::phrases::Args),
    Lexicon(commands::lexicon::Args),
    Convert(commands::convert::Args),
    Classes(commands::classes::Args),
    SentenceAlign(commands::sentence_align::Args),
    Demo(commands::demo::Args),
    Completions(commands::completions::Args),
    Manual(commands::manual::Args),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self, context: &Context) -> anyhow::Result<()> {
        match self {
            Self::Align(args) => commands::align::run(&args, context),
            Self::Train(args) => commands::train::run(&args, context),
            Self::MergeCounts(args) => commands::merge_counts::run(&args, context),
            Self::Model(args) => commands::model::run(&args, context),
            Self::Symmetrize(args) => commands::symmetrize::run(&args, context),
            Self::Evaluate(args) => commands::evaluate::run(&args, context),
            Self::Agreement(args) => commands::agreement::run(&args, context),
            Self::Report(args) => commands::report::run(&args, context),
            Self::Metric(args) => commands::metric::run(&args, context),
            Self::Correlate(args) => commands::correlate::run(&args, context),
            Self::Project(args) => commands::project::run(&args, context),
            Self::View(args) => commands::view::run(&args, context),
            Self::Reorder(args) => commands::reorder::run(&args, context),
            Self::Phrases(args) => commands::phrases::run(&args, context),
            Self::Lexicon(args) => commands::lexicon::run(&args, context),
            Self::Convert(args) => commands::convert::run(&args, context),
            Self::Classes(args) => commands::classes::run(&args, context),
            Self::SentenceAlign(args) => commands::sentence_align::run(&args, context),
            Self::Demo(args) => commands::demo::run(&args, context),
            Self::Completions(args) => commands::completions::run(&args, context),
            Self::Manual(args) => commands::manual::run(&args, context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_grammar_is_sound() {
        Cli::command().debug_assert();
    }
}
