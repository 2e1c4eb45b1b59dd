//! `alinea project`: links carried over the trees of both sides.

mod anchors;
mod carry;
mod explain;
mod input;
mod learn;
mod report;

use alinea::project::{RuleNames, RuleSet};
use clap::{Subcommand, ValueEnum};

use crate::context::Context;

const LONG_ABOUT: &str = "\
Adds links to an alignment where the dependency trees of both sides say so: if two verbs are linked, so, mostly, are \
their subjects.

Examples:
  alinea project en.conllu fr.conllu > links        align the words, keep what is nearly sure, and go on from there
  alinea project en.conllu fr.conllu --links anchors.align --explain why.tsv
                                                    from given links; and which rule added what
  alinea project rules > my.rules                   the rules, to be edited
  alinea project en.conllu fr.conllu --rules my.rules --content-words
  alinea project en.conllu fr.conllu --rules ozdowska.rules --names syntex
                                                    rules such as V-subj-N / V-subj-N
  alinea project learn en.conllu fr.conllu --gold gold.align -o learned.rules
                                                    rules from sentences that people aligned
  alinea project new-en.conllu new-fr.conllu --rules learned.rules
  alinea project en.conllu fr.conllu --gold gold.align --rule-report rules.tsv
                                                    how often each rule is right";

const AFTER_LONG_HELP: &str = "\
Trees are read from CoNLL-U files, as parsers such as UDPipe, GiNZA and Stanza write them. \
Links are between the words of the trees, counted from 0, one line a sentence pair; with --units tokens, between what is \
written in one piece.

Without weights in the rules, a link is carried where it is clear to what, one link a word, until nothing is added. With \
weights, as `learn` finds them, each candidate has a probability, and all of at least --threshold are added.";

/// Adds links where the dependency trees of both sides say so
#[derive(Debug, Clone, clap::Args)]
#[command(
    long_about = LONG_ABOUT,
    after_long_help = AFTER_LONG_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Args {
    /// What else to do.
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    carry: carry::CarryArgs,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    Learn(Box<learn::Args>),
    /// Prints the rules for Universal Dependencies, or names for rules
    #[command(long_about = RULES)]
    Rules {
        /// What to print
        #[arg(value_enum, value_name = "WHAT", default_value_t = Ready::Universal)]
        what: Ready,
    },
}

/// Texts to begin with.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Ready {
    /// The rules for Universal Dependencies
    Universal,
    /// What the tags and relations of the parser SYNTEX are in Universal Dependencies, for --names
    Syntex,
}

const RULES: &str = "\
Prints the rules for Universal Dependencies, to be read and edited; or what names in rules mean.

Examples:
  alinea project rules > my.rules
  alinea project en.conllu fr.conllu --rules my.rules
  alinea project rules syntex > my.names
  alinea project en.conllu fr.conllu --rules ozdowska.rules --names my.names";

/// Does it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match &args.command {
        None => carry::run(&args.carry, context),
        Some(Command::Learn(args)) => learn::run(args, context),
        Some(Command::Rules { what }) => {
            let mut output = alinea::format::sink::create("-")?;
            let text = match what {
                Ready::Universal => RuleSet::universal_text(),
                Ready::Syntex => RuleNames::syntex_text(),
            };
            output.write_bytes(text.as_bytes())?;
            output.finish()?;
            Ok(())
        }
    }
}
