//! The command line: the main help, all commands, and the call of each.
//!
//! `Cli` is the whole grammar for clap: shared options (`SharedOptions`) and a subcommand. Each variant of `Command`
//! holds the `Args` of its module in `commands`, which also has the help of the command; `Command::run` calls that
//! module's `run`. Large `Args` are boxed, so that the enum stays small.
//!
//! A new command needs a module in `commands`, a variant here and a line in `run`. Completions and man pages are
//! generated from this grammar and need nothing.

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands;
use crate::context::Context;
use crate::options::SharedOptions;

const LONG_ABOUT: &str = "\
alinea aligns the words of parallel text and evaluates alignments.

Examples:
  alinea demo                                      run it on a small sample
  alinea align text.en text.fr -o links.align      align two files, line by line
  alinea train text.en text.fr -m en-fr.alinea     train a model and save it
  alinea align -m en-fr.alinea new.en new.fr       align new text with it
  alinea evaluate --gold gold.align links.align    score links against a gold standard
  alinea metric reference.fr -i system.fr          score translations: BLEU, chrF, TER
  alinea view text.en text.fr links.align          show links in the terminal
  alinea sentence-align book.en book.fr            align sentences before their words
  alinea align --help                              more examples, and every option";

const AFTER_LONG_HELP: &str = "\
Text is tokenized, one sentence per line; line n of one file translates line n of the other. `-` is standard input or \
output; gzip and zstd are detected by content when reading and chosen by name (.gz, .zst) when writing.

Exit codes: 0 success, 2 error, 128 + N if killed by signal N \
(130 Ctrl-C, 143 terminated, 129 hung up).";

/// Aligns the words of parallel text and evaluates alignments
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

impl Cli {
    /// What the command line says, and the long options of the verb that it calls, without dashes.
    ///
    /// # Errors
    /// What clap says of another.
    pub(crate) fn read() -> Result<(Self, Vec<String>), clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        let cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok((cli, options_of(&command, &matches)))
    }
}

/// The long options of the verb that was called, those of all verbs among them.
fn options_of(mut command: &clap::Command, mut matches: &ArgMatches) -> Vec<String> {
    let mut options = Vec::new();
    loop {
        options.extend(command.get_arguments().filter_map(clap::Arg::get_long).map(str::to_owned));
        let Some((name, inner)) = matches.subcommand() else { return options };
        let Some(verb) = command.find_subcommand(name) else { return options };
        (command, matches) = (verb, inner);
    }
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

    #[test]
    fn the_grammar_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_options_are_those_of_the_verb() {
        let mut command = Cli::command();
        let matches = command.try_get_matches_from_mut(["alinea", "model", "export", "file"]).unwrap();
        let options = options_of(&command, &matches);
        let has = |name: &str| options.iter().any(|option| option == name);
        assert!(has("least") && has("threads") && !has("threshold"), "{options:?}");
    }
}
