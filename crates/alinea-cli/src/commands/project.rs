//! `alinea project`: what is known of a sentence, carried over links to its translation.
//!
//! `project labels` carries labels of words (`labels`), `project markup` inline tags (`markup`), `project trees` dependency trees (`trees`),
//! all with the links of `input::word_links`. `project links`, also `project` alone, adds
//! links to an alignment by rules over the dependency trees of both sides. Modules: `carry` the command itself, `learn` rules with
//! weights from gold links, `anchors` the links to start from, `input` trees and links in parallel, `explain` which rule added which
//! link, `report` how often each rule is right. `project rules` prints the built-in rules or names, as files to edit.
//!
//! The methods are in `alinea::project`.

mod anchors;
mod carry;
mod explain;
mod input;
mod labels;
mod learn;
mod markup;
mod report;
mod trees;

use alinea::project::links::{RuleNames, RuleSet};
use clap::{Subcommand, ValueEnum};

use crate::context::Context;

const LONG_ABOUT: &str = "\
Carry what is known of a sentence over links to its translation: labels of words (project labels), inline tags \
(project markup), dependency trees (project trees), or links themselves, along dependency trees (project links, also \
project alone).

Examples:
  alinea project labels names.en.iob2 text.de > names.de.iob2
                                                    names in one language: those in the other
  alinea project markup tagged.en plain.de > tagged.de
                                                    tags in one language: the same tags in the other
  alinea project trees en.conllu text.de > de.conllu      a parsed text: trees of its translation
  alinea project links en.conllu fr.conllu > links  links supported by the dependency trees of both sides
  alinea project en.conllu fr.conllu > links        the same
  alinea project rules > my.rules                   print the rules for that, to edit them
  alinea project learn en.conllu fr.conllu --gold gold.align -o learned.rules
                                                    learn rules from manually aligned sentences";

const LINKS: &str = "\
Add links supported by the dependency trees of both sides to an alignment: if two verbs are linked, their subjects \
usually are too.

Examples:
  alinea project links en.conllu fr.conllu > links        align the words, keep the most reliable links, project from them
  alinea project links en.conllu fr.conllu --links anchors.align --explain why.tsv
                                                    from given links; report which rule added each link
  alinea project rules > my.rules                         print the rules, to edit them
  alinea project links en.conllu fr.conllu --rules my.rules --content-words
  alinea project links en.conllu fr.conllu --rules ozdowska.rules --names syntex
                                                    rules such as V-subj-N / V-subj-N
  alinea project learn en.conllu fr.conllu --gold gold.align -o learned.rules
                                                    learn rules from manually aligned sentences
  alinea project links new-en.conllu new-fr.conllu --rules learned.rules
  alinea project links en.conllu fr.conllu --gold gold.align --rule-report rules.tsv
                                                    precision of each rule";

const AFTER_LONG_HELP: &str = "\
Trees are read from CoNLL-U files, as written by parsers such as UDPipe, GiNZA and Stanza. Links are between the words \
of the trees, counted from 0, one line per sentence pair; with --units tokens, between surface tokens.

With unweighted rules, links are added where they are unambiguous, one link per word, until no more are found. With \
weighted rules, as `learn` finds them, each candidate has a probability, and all with at least --threshold are \
added.";

/// Carry labels, trees or links over to the translation
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
    /// Add links supported by the dependency trees of both sides, as without a subcommand
    #[command(long_about = LINKS, after_long_help = AFTER_LONG_HELP)]
    Links(Box<carry::CarryArgs>),
    Labels(Box<labels::Args>),
    Markup(Box<markup::Args>),
    Trees(Box<trees::Args>),
    Learn(Box<learn::Args>),
    /// Print the rules for Universal Dependencies, or names for use in rules
    #[command(long_about = RULES)]
    Rules {
        /// Text to print
        #[arg(value_enum, value_name = "WHAT", default_value_t = Ready::Universal)]
        what: Ready,
    },
}

/// Texts to begin with.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Ready {
    /// The rules for Universal Dependencies
    Universal,
    /// Definitions of the tags and relations of the SYNTEX parser in Universal Dependencies, for --names
    Syntex,
}

const RULES: &str = "\
Print the rules for Universal Dependencies, to read and edit, or definitions of names in rules.

Examples:
  alinea project rules > my.rules
  alinea project en.conllu fr.conllu --rules my.rules
  alinea project rules syntex > my.names
  alinea project en.conllu fr.conllu --rules ozdowska.rules --names my.names";

/// Does it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match &args.command {
        None => carry::run(&args.carry, context),
        Some(Command::Links(args)) => carry::run(args, context),
        Some(Command::Labels(args)) => labels::run(args, context),
        Some(Command::Markup(args)) => markup::run(args, context),
        Some(Command::Trees(args)) => trees::run(args, context),
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
