//! `alinea manual`: man pages, generated from the same definitions as `--help`.
//!
//! Without a directory the main page goes to standard output. With one, there is a page for each command and
//! subcommand, `alinea-align.1`, `alinea-model-show.1` and so on. `clap_mangen` writes synopsis and options. This file
//! writes description, examples and notes: it cuts the long description at the line `Examples:` and keeps indented
//! lines unfilled (`.nf`), since filling would destroy command lines.

use std::io::{self, Write};
use std::path::PathBuf;

use alinea::format::sink;
use anyhow::Context as _;
use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::cli::Cli;
use crate::context::Context;

const LONG_ABOUT: &str = "\
Writes man pages: the main page to standard output, or all pages, one per subcommand, to a directory.

Examples:
  alinea manual | man -l -                     read the main page
  alinea manual ~/.local/share/man/man1        install all pages";

/// Where the examples begin in the long description of a verb.
const EXAMPLES: &str = "Examples:\n";

/// Writes man pages
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    /// Directory for the pages, created if necessary
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Writes them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let mut command = Cli::command();
    command.build();
    let Some(directory) = &args.directory else {
        write_page("-".into(), command)?;
        return Ok(());
    };
    std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    for command in with_verbs(command) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let path = directory.join(format!("{name}.1"));
        context.report(path.display());
        write_page(path, command)?;
    }
    Ok(())
}

/// A command behind its verbs, and each of these behind its own.
fn with_verbs(command: clap::Command) -> Vec<clap::Command> {
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set()).cloned();
    verbs.flat_map(with_verbs).collect::<Vec<_>>().into_iter().chain([command]).collect()
}

fn write_page(path: PathBuf, command: clap::Command) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    page(command, &mut bytes)?;
    let mut output = sink::create(path)?;
    output.write_all(&bytes)?;
    Ok(output.finish()?)
}

/// The sections as readers of manuals expect them, with the examples, which keep their lines, in one of their own.
fn page(command: clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let description = command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string);
    let description = description.unwrap_or_default();
    let (description, examples) = description.split_once(EXAMPLES).unwrap_or((&description, ""));
    let notes = command.get_after_long_help().or_else(|| command.get_after_help()).map(ToString::to_string);
    let has_verbs = command.has_subcommands();
    let title = command.get_display_name().unwrap_or_else(|| command.get_name()).to_uppercase();
    let man = Man::new(command.version(env!("CARGO_PKG_VERSION"))).title(title).manual("alinea");
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    section("DESCRIPTION", description, page)?;
    section("EXAMPLES", examples, page)?;
    man.render_options_section(page)?;
    if has_verbs {
        man.render_subcommands_section(page)?;
    }
    section("NOTES", notes.as_deref().unwrap_or_default(), page)?;
    man.render_version_section(page)
}

/// Paragraphs are filled; indented lines stay as they are.
fn section(name: &str, text: &str, page: &mut impl Write) -> io::Result<()> {
    if text.trim().is_empty() {
        return Ok(());
    }
    let mut roff = Roff::default();
    roff.control("SH", [name]);
    let mut indented = false;
    for line in text.trim_end().lines() {
        if line.starts_with("  ") != indented {
            indented = !indented;
            roff.control(if indented { "nf" } else { "fi" }, []);
        }
        if line.trim().is_empty() {
            roff.control("PP", []);
        } else {
            roff.text([roman(line)]);
        }
    }
    if indented {
        roff.control("fi", []);
    }
    page.write_all(roff.to_roff().as_bytes())
}
