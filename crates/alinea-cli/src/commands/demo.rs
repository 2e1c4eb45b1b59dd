//! `alinea demo`: the other verbs at work on a small sample.
//!
//! The sample is in the program: 420 English sentences with French translations, the first 60 with links made by
//! people. Each command line is shown before it runs, and runs through the same grammar as if it had been typed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use alinea::format::sink;
use anyhow::Context as _;
use clap::Parser;

use crate::cli::Cli;
use crate::context::Context;
use crate::failure::WithHint;

const LONG_ABOUT: &str = "\
Runs alinea on a small sample: writes the sample to a directory, aligns and evaluates it, shows a pair, and \
writes a page for a browser. Each command is printed before it runs, so that you can rerun and change it.

Examples:
  alinea demo                    in a fresh temporary directory, which is kept
  alinea demo --dir sample       in a directory of your choice";

/// The files of the sample.
const SAMPLE: [(&str, &[u8]); 3] = [
    ("en-fr.en", include_bytes!("../../sample/en-fr.en")),
    ("en-fr.fr", include_bytes!("../../sample/en-fr.fr")),
    ("en-fr.gold", include_bytes!("../../sample/en-fr.gold")),
];

/// The command lines; words that begin with `en-fr.` are files of the directory.
const STEPS: [&[&str]; 4] = [
    &["align", "en-fr.en", "en-fr.fr", "-o", "en-fr.links"],
    &["evaluate", "--gold", "en-fr.gold", "en-fr.links", "--first"],
    &["view", "en-fr.en", "en-fr.fr", "en-fr.links", "--gold", "en-fr.gold", "--line", "1"],
    &["view", "en-fr.en", "en-fr.fr", "en-fr.links", "--gold", "en-fr.gold", "--first", "-o", "en-fr.html"],
];

/// Runs alinea on a small sample
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    /// Directory for the sample [default: a fresh temporary directory]
    #[arg(long = "dir", value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Shows it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let directory = match &args.directory {
        Some(directory) => {
            fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
            directory.clone()
        }
        None => tempfile::Builder::new().prefix("alinea-demo-").tempdir().context("no temporary directory")?.keep(),
    };
    write_sample(&directory)?;
    print(&format!("The sample is in {}.\n", directory.display()))?;
    for step in STEPS {
        let mut words = vec![OsString::from("alinea")];
        words.extend(step.iter().map(|word| match word.split_once('.') {
            Some(("en-fr", _)) => directory.join(word).into_os_string(),
            _ => OsString::from(word),
        }));
        let line: Vec<String> = words.iter().map(|word| quoted(&word.to_string_lossy())).collect();
        print(&format!("\n$ {}\n", line.join(" ")))?;
        Cli::try_parse_from(words)?.command.run(context)?;
    }
    Ok(())
}

/// Writes the files, over nothing but themselves.
fn write_sample(directory: &Path) -> anyhow::Result<()> {
    for (name, bytes) in SAMPLE {
        let path = directory.join(name);
        if fs::read(&path).is_ok_and(|present| present != bytes) {
            let clash: anyhow::Result<()> =
                Err(anyhow::anyhow!("{}: the file exists and is not part of the sample", path.display()));
            return clash.hint("choose another directory with --dir");
        }
        let mut output = sink::create(&path)?;
        output.write_bytes(bytes)?;
        output.finish()?;
    }
    Ok(())
}

/// Writes to standard output at once, so that it stands before what a verb writes.
fn print(text: &str) -> alinea::error::Result<()> {
    let mut output = sink::create("-")?;
    output.write_bytes(text.as_bytes())?;
    output.finish()
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./:,+=@%".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_consistent() {
        let lines = |n: usize| SAMPLE[n].1.split(|&byte| byte == b'\n').count() - 1;
        assert_eq!((lines(0), lines(1), lines(2)), (420, 420, 60));
    }

    #[test]
    fn shells_get_their_quotes() {
        assert_eq!(quoted("/tmp/a-b_c.d"), "/tmp/a-b_c.d");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
    }
}
