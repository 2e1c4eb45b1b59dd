//! The command line: the main help, all commands, and the call of each.
//!
//! `Cli` is the whole grammar for clap: shared options (`SharedOptions`) and a subcommand. Each variant of `Command`
//! holds the `Args` of its module in `commands`, which also has the help of the command; `Command::run` calls that
//! module's `run`. Large `Args` are boxed, so that the enum stays small.
//!
//! A new command needs a module in `commands`, a variant here and a line in `run`. Completions and man pages are
//! generated from this grammar and need nothing.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands;
use crate::commands::align::habits::Understood;
use crate::context::Context;
use crate::input::kind::Rare;
use crate::options::SharedOptions;

const LONG_ABOUT: &str = "\
alinea aligns the words of parallel text, evaluates and displays alignments, and scores translations.

Examples:
  alinea demo                                      see it work on a small sample
  alinea align text.en text.fr -o links.align      align two files, line by line
  alinea train text.en text.fr -m en-fr.alinea     train a model and save it
  alinea align -m en-fr.alinea new.en new.fr       align new text with it
  alinea evaluate --gold gold.align links.align    score links against a gold standard
  alinea metric reference.fr -i system.fr          score translations: BLEU, chrF, TER
  alinea view text.en text.fr links.align          show links in the terminal
  alinea sentence-align book.en book.fr            align sentences, if lines do not correspond
  alinea align --help                              more examples, and every option";

const AFTER_LONG_HELP: &str = "\
Text is tokenized, one sentence per line; line n of one file translates line n of the other. `-` is standard input or \
output; gzip, zstd, xz and bzip2 are detected by content when reading and chosen by name (.gz, .zst, .xz, .bz2) when writing. \
--bitext reads translation memories (TMX), XLIFF, JSON lines, CSV and zip archives.

Exit codes: 0 success, 1 no word found (concordance), 2 error, 128 + N if killed by signal N \
(130 Ctrl-C, 143 terminated, 129 hung up).";

/// Align the words of parallel text, evaluate and display alignments, and score translations
#[derive(Debug, Parser)]
#[command(name = "alinea", bin_name = "alinea", version, long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
#[command(max_term_width = 110)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// What all verbs understand.
    #[command(flatten)]
    pub(crate) shared: SharedOptions,
}

/// A command line that was read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) cli: Cli,
    /// The long options of the verb that it calls, without dashes.
    pub(crate) options: Vec<String>,
    /// What became of options of other programs: lines for standard error.
    pub(crate) notes: Vec<String>,
}

impl Cli {
    /// What the words of a command line say, the first of which is the name of the program.
    ///
    /// # Errors
    /// What clap says of others; its help.
    pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Read, clap::Error> {
        let mut command = grammar();
        let (mut words, notes) = understood(words.into_iter().collect(), &command)?;
        if wants_all_help(&mut words) {
            command = with_rare_options(command);
            // `help VERB --help` is not known to the grammar, `VERB --help` is.
            if words.get(1).is_some_and(|word| word == "help") {
                words.remove(1);
            }
        }
        let is_align = place_of_verb(&words, &command).is_some_and(|place| words[place] == "align");
        let matches = command.try_get_matches_from_mut(words);
        let matches = matches
            .map_err(|error| if is_align { commands::align::advised(error) } else { error })
            .map_err(with_our_verb)?;
        let cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok(Read { cli, options: options_of(&command, &matches), notes })
    }
}

/// The option that shows rare options, too ([`Rare`]).
const HELP_ALL: &str = "help-all";

/// All verbs and their options.
pub(crate) fn grammar() -> clap::Command {
    let help = Arg::new(HELP_ALL).long(HELP_ALL).action(ArgAction::SetTrue).global(true).display_order(1000);
    Cli::command().arg(help.help_heading("Shared options").help("Print help with all options, also the rare ones"))
}

/// Where the verb stands, if there is one.
fn place_of_verb(words: &[OsString], command: &clap::Command) -> Option<usize> {
    let is_verb = |word: &OsString| word.to_str().and_then(|word| command.find_subcommand(word)).is_some();
    (1..words.len()).find(|&place| is_verb(&words[place]))
}

/// The words with our options in the place of those of other programs that users are used to, and notes about them.
fn understood(mut words: Vec<OsString>, command: &clap::Command) -> Result<(Vec<OsString>, Vec<String>), clap::Error> {
    let Some(place) = place_of_verb(&words, command) else { return Ok((words, Vec::new())) };
    let rest = words.split_off(place + 1);
    let understood = match words[place].to_str() {
        Some("align" | "train") => commands::align::habits::understood(rest),
        Some("symmetrize") => commands::symmetrize::habits::understood(&rest),
        Some("metric") => Understood::Words { words: commands::metric::habits::understood(rest), notes: Vec::new() },
        _ => Understood::Words { words: rest, notes: Vec::new() },
    };
    match understood {
        Understood::Words { words: rest, notes } => {
            words.extend(rest);
            Ok((words, notes))
        }
        Understood::Answer(answer) => Err(clap::Error::raw(clap::error::ErrorKind::UnknownArgument, answer + "\n")),
    }
}

/// Names of other programs and their parts, in any case, and the commands that do their work.
const OTHER_VERBS: [(&str, &str); 15] = [
    ("fast_align", "alinea align"),
    ("eflomal", "alinea align"),
    ("eflomal-align", "alinea align"),
    ("giza++", "alinea align"),
    ("mgiza", "alinea align"),
    ("makepriors", "alinea train"),
    ("eflomal-makepriors", "alinea train"),
    ("atools", "alinea symmetrize"),
    ("symal", "alinea symmetrize"),
    ("mkcls", "alinea classes"),
    ("sacrebleu", "alinea metric"),
    ("bleu", "alinea metric"),
    ("chrf", "alinea metric"),
    ("metrics", "alinea metric"),
    ("version", "alinea --version"),
];

/// Suggests our verb for an unknown one that is the name of another program, instead of a verb that looks alike.
fn with_our_verb(mut error: clap::Error) -> clap::Error {
    let unknown = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string).unwrap_or_default();
    if let Some((_, ours)) = OTHER_VERBS.iter().find(|(theirs, _)| unknown.eq_ignore_ascii_case(theirs)) {
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = StyledStr::from(format!("use '{ours}'"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Whether help with all options is asked for. If so, the words ask for help.
fn wants_all_help(words: &mut [OsString]) -> bool {
    let option = format!("--{HELP_ALL}");
    let before = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let found = words[..before].iter_mut().find(|word| **word == *option);
    found.map(|word| *word = OsString::from("--help")).is_some()
}

/// The same grammar, in the help of which rare options are shown.
pub(crate) fn with_rare_options(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| if arg.is_rare() { arg.rare(false) } else { arg }).mut_subcommands(with_rare_options)
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
    Parts(commands::parts::Args),
    Model(commands::model::Args),
    Symmetrize(commands::symmetrize::Args),
    Evaluate(Box<commands::evaluate::Args>),
    Agreement(Box<commands::agreement::Args>),
    Report(commands::report::Args),
    Metric(Box<commands::metric::Args>),
    Correlate(commands::correlate::Args),
    Project(Box<commands::project::Args>),
    Annotate(Box<commands::annotate::Args>),
    Bible(commands::bible::Args),
    View(Box<commands::view::Args>),
    Reorder(Box<commands::reorder::Args>),
    Phrases(Box<commands::phrases::Args>),
    Lexicon(Box<commands::lexicon::Args>),
    Convert(Box<commands::convert::Args>),
    Bitext(Box<commands::bitext::Args>),
    Classes(commands::classes::Args),
    Concordance(Box<commands::concordance::Args>),
    SentenceAlign(Box<commands::sentence_align::Args>),
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
            Self::Parts(args) => commands::parts::run(&args, context),
            Self::Model(args) => commands::model::run(&args, context),
            Self::Symmetrize(args) => commands::symmetrize::run(&args, context),
            Self::Evaluate(args) => commands::evaluate::run(&args, context),
            Self::Agreement(args) => commands::agreement::run(&args, context),
            Self::Report(args) => commands::report::run(&args, context),
            Self::Metric(args) => commands::metric::run(&args, context),
            Self::Correlate(args) => commands::correlate::run(&args, context),
            Self::Project(args) => commands::project::run(&args, context),
            Self::Annotate(args) => commands::annotate::run(&args, context),
            Self::Bible(args) => commands::bible::run(&args, context),
            Self::View(args) => commands::view::run(&args, context),
            Self::Reorder(args) => commands::reorder::run(&args, context),
            Self::Phrases(args) => commands::phrases::run(&args, context),
            Self::Lexicon(args) => commands::lexicon::run(&args, context),
            Self::Convert(args) => commands::convert::run(&args, context),
            Self::Bitext(args) => commands::bitext::run(&args, context),
            Self::Classes(args) => commands::classes::run(&args, context),
            Self::Concordance(args) => commands::concordance::run(&args, context),
            Self::SentenceAlign(args) => commands::sentence_align::run(&args, context),
            Self::Demo(args) => commands::demo::run(&args, context),
            Self::Completions(args) => commands::completions::run(&args, context),
            Self::Manual(args) => commands::manual::run(&args, context),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn the_grammar_is_sound() {
        grammar().debug_assert();
    }

    /// The letters of all verbs, each with the long names that it stands for.
    fn letters(command: &clap::Command, found: &mut BTreeMap<char, BTreeSet<String>>) {
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            if let (Some(letter), Some(long)) = (arg.get_short(), arg.get_long()) {
                found.entry(letter).or_default().insert(long.to_owned());
            }
        }
        command.get_subcommands().for_each(|verb| letters(verb, found));
    }

    #[test]
    fn a_letter_has_one_meaning_in_all_verbs() {
        let mut found = BTreeMap::new();
        letters(&grammar(), &mut found);
        let ambiguous: Vec<_> = found.iter().filter(|(_, names)| names.len() > 1).collect();
        assert!(ambiguous.is_empty(), "{ambiguous:?}");
        assert_eq!(found[&'m'], BTreeSet::from(["model-file".to_owned()]));
        assert_eq!(found[&'o'], BTreeSet::from(["output".to_owned()]));
    }

    #[test]
    fn rare_options_are_shown_on_demand() {
        let help = |words: &[&str]| {
            let words = words.iter().map(OsString::from);
            Cli::read(words).unwrap_err().to_string()
        };
        let (common, all) = (help(&["alinea", "align", "--help"]), help(&["alinea", "align", "--help-all"]));
        assert!(common.contains("--threshold") && !common.contains("--pegging"), "{common}");
        assert!(common.contains("--help-all"));
        assert!(all.contains("--threshold") && all.contains("--pegging"), "{all}");
        assert_eq!(help(&["alinea", "help", "align"]), common);
        assert_eq!(help(&["alinea", "help", "align", "--help-all"]), all);
    }

    #[test]
    fn the_options_are_those_of_the_verb() {
        let mut command = grammar();
        let matches = command.try_get_matches_from_mut(["alinea", "model", "export", "file"]).unwrap();
        let options = options_of(&command, &matches);
        let has = |name: &str| options.iter().any(|option| option == name);
        assert!(has("least") && has("quiet") && !has("threshold"), "{options:?}");
    }
}
