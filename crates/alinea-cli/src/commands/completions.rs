//! `alinea completions`: completions for a shell, on standard output.

use std::io::Write;

use alinea::format::sink;
use clap_complete::Shell;

use crate::cli::grammar;
use crate::context::Context;

const LONG_ABOUT: &str = "\
Write shell completions to standard output.

Examples:
  alinea completions bash > ~/.local/share/bash-completion/completions/alinea
  alinea completions zsh > \"${fpath[1]}/_alinea\"
  alinea completions fish > ~/.config/fish/completions/alinea.fish";

/// Write shell completions
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Writes them.
pub(crate) fn run(args: &Args, _context: &Context) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar(), "alinea", &mut script);
    let mut output = sink::create("-")?;
    output.write_all(&script)?;
    output.finish()?;
    Ok(())
}
