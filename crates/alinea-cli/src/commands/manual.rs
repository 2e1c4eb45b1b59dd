//! `alinea manual`: man pages, or the reference in Markdown, generated from the same definitions as `--help`.
//!
//! Without a directory the main man page goes to standard output. With one, there is a page for each command and
//! subcommand, `alinea-align.1`, `alinea-model-show.1` and so on. `clap_mangen` writes synopsis and options. This file
//! writes description, examples and notes: it cuts the long description at the line `Examples:` and keeps indented
//! lines unfilled (`.nf`), since filling would destroy command lines.
//!
//! With `--format markdown` the pages are `alinea-align.md` and so on (`markdown`), or all verbs in one file: on
//! standard output, or where the path ends in `.md`.

mod markdown;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use alinea::format::sink;
use anyhow::Context as _;
use clap::builder::StyledStr;
use clap::{Command, ValueEnum};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use self::markdown::Links;
use crate::cli::grammar;
use crate::context::Context;

const LONG_ABOUT: &str = "\
Write the reference of all verbs and options: as man pages, the main page to standard output, or all pages, one per \
subcommand, to a directory; or as Markdown, for documentation sites.

Examples:
  alinea manual | man -l -                      read the main page
  alinea manual ~/.local/share/man/man1         install all pages
  alinea manual --format markdown docs/command  a Markdown file for each verb
  alinea manual --format markdown > command.md  all verbs in one file";

/// Where the examples begin in the long description of a verb.
const EXAMPLES: &str = "Examples:\n";

/// Write man pages, or the reference in Markdown
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    /// Directory for the pages, created if necessary; with --format markdown also a file, *.md
    #[arg(value_name = "DIR")]
    path: Option<PathBuf>,
    /// Kind of output
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Form::Man)]
    format: Form,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Man pages
    Man,
    /// Markdown, as MyST and GitHub read it
    Markdown,
}

/// Writes them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let mut command = without_help(grammar());
    command.build();
    match (args.format, &args.path) {
        (Form::Man, None) => write("-", &man_page(command)?)?,
        (Form::Markdown, None) => write("-", whole(command).as_bytes())?,
        (Form::Markdown, Some(path)) if path.extension().is_some_and(|extension| extension == "md") => {
            write(path, whole(command).as_bytes())?;
        }
        (format, Some(directory)) => {
            std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
            for mut command in with_verbs(command) {
                let name = page_name(&command);
                let (extension, bytes) = match format {
                    Form::Markdown => ("md", markdown::page(&mut command, 1, Links::Files).into_bytes()),
                    Form::Man => ("1", man_page(command)?),
                };
                let path = directory.join(format!("{name}.{extension}"));
                context.report(path.display());
                write(path, &bytes)?;
            }
        }
    }
    Ok(())
}

/// The same grammar without the verbs for help, which repeat it.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// The verbs of a command.
fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| !verb.is_hide_set())
}

/// A command behind its verbs, and each of these behind its own.
fn with_verbs(command: Command) -> Vec<Command> {
    verbs(&command).cloned().flat_map(with_verbs).collect::<Vec<_>>().into_iter().chain([command]).collect()
}

/// A command, its verbs, and theirs, in one text.
fn whole(command: Command) -> String {
    fn add(mut command: Command, level: usize, text: &mut String) {
        text.push_str(&markdown::page(&mut command, level, Links::Headings));
        for verb in verbs(&command) {
            text.push('\n');
            add(verb.clone(), 2, text);
        }
    }
    let mut text = String::new();
    add(command, 1, &mut text);
    text
}

/// What the page of a command is called, without extension.
fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn write(path: impl AsRef<Path>, bytes: &[u8]) -> alinea::error::Result<()> {
    let mut output = sink::create(path)?;
    output.write_bytes(bytes)?;
    output.finish()
}

/// What the help of a command says beside its options.
struct Parts {
    description: String,
    examples: String,
    notes: String,
}

impl Parts {
    fn of(command: &Command) -> Self {
        let text = |text: Option<&StyledStr>| text.map(StyledStr::to_string).unwrap_or_default();
        let description = text(command.get_long_about().or_else(|| command.get_about()));
        let (description, examples) = description.split_once(EXAMPLES).unwrap_or((&description, ""));
        let notes = text(command.get_after_long_help().or_else(|| command.get_after_help()));
        Self { description: description.to_owned(), examples: examples.to_owned(), notes }
    }
}

/// The sections as readers of manuals expect them, with the examples, which keep their lines, in one of their own.
fn man_page(command: Command) -> io::Result<Vec<u8>> {
    let Parts { description, examples, notes } = Parts::of(&command);
    let has_verbs = command.has_subcommands();
    let title = page_name(&command).to_uppercase();
    let man = Man::new(command.version(env!("CARGO_PKG_VERSION"))).title(title).manual("alinea");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    section("DESCRIPTION", &description, &mut page)?;
    section("EXAMPLES", &examples, &mut page)?;
    man.render_options_section(&mut page)?;
    if has_verbs {
        man.render_subcommands_section(&mut page)?;
    }
    section("NOTES", &notes, &mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
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
