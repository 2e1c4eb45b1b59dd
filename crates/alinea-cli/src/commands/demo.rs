//! `alinea demo`: the other verbs at work on a small sample.
//!
//! The sample is in the program: 420 English sentences with French translations, the first 60 with gold links.
//! Each command line is shown with a sentence about its result. Those that write links, pages and pictures run
//! through the same grammar as if they had been typed, in silence; of the evaluation, whose tables are long, the error
//! rate is computed here.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::evaluate;
use alinea::format::alignment::{LineLinks, PairRecord};
use alinea::format::sink;
use anyhow::Context as _;
use clap::Parser;

use crate::cli::Cli;
use crate::context::Context;
use crate::failure::WithHint;
use crate::options::{ProgressMode, SharedOptions};

const LONG_ABOUT: &str = "\
Run alinea on a small sample: write the sample to a directory, align and evaluate it, show a pair, and \
write a page for a browser. The commands are printed, so that you can rerun and change them.

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
const ALIGN: &[&str] = &["align", "en-fr.en", "en-fr.fr", "-o", "en-fr.links"];
const EVALUATE: &[&str] = &["evaluate", "--gold", "en-fr.gold", "en-fr.links", "--first"];
const VIEW: &[&str] = &["view", "en-fr.en", "en-fr.fr", "en-fr.links", "--gold", "en-fr.gold", "--line", "43"];
const PAGE: &[&str] =
    &["view", "en-fr.en", "en-fr.fr", "en-fr.links", "--gold", "en-fr.gold", "--first", "-o", "en-fr.html"];

/// Run alinea on a small sample
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    /// Directory for the sample [default: a fresh temporary directory]
    #[arg(long = "dir", value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Shows it.
pub(crate) fn run(args: &Args, _: &Context) -> anyhow::Result<()> {
    let directory = match &args.directory {
        Some(directory) => {
            fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
            directory.clone()
        }
        None => tempfile::Builder::new().prefix("alinea-demo-").tempdir().context("no temporary directory")?.keep(),
    };
    write_sample(&directory)?;
    // The commands' messages on standard error are left out.
    let silent = Context::new(&SharedOptions { progress: ProgressMode::None, quiet: true }, Vec::new());
    let run = |step: &[&str]| Cli::try_parse_from(words(step, &directory))?.command.run(&silent);
    let shown = |step: &[&str]| {
        let words = words(step, &directory);
        words.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
    };

    print(&format!(
        "The sample is in {}: 420 English sentences, their French translations, and\n\
         gold links (reference links) for the first 60 pairs.\n\n$ {}\n",
        directory.display(),
        shown(ALIGN)
    ))?;
    run(ALIGN)?;
    let Judged { links, sentences, error_rate } = judge(&directory)?;
    print(&format!(
        "{links} links; the model was trained on these 420 pairs alone.\n\n$ {}\n\
         The alignment error rate (AER) of the first {sentences} pairs is {error_rate:.2} % (0 is best).\n\n$ {}\n",
        shown(EVALUATE),
        shown(VIEW)
    ))?;
    run(VIEW)?;
    print(&format!(
        "\n$ {}\nThe page shows the links of these {sentences} pairs and their errors; open it in a browser:\n",
        shown(PAGE)
    ))?;
    run(PAGE)?;
    print(&(address(&std::path::absolute(directory.join("en-fr.html"))?) + "\n"))?;
    Ok(())
}

/// The words of a command line.
fn words(step: &[&str], directory: &Path) -> Vec<OsString> {
    let words = step.iter().map(|word| match word.split_once('.') {
        Some(("en-fr", _)) => directory.join(word).into_os_string(),
        _ => OsString::from(word),
    });
    std::iter::once(OsString::from("alinea")).chain(words).collect()
}

/// The scores of the links.
struct Judged {
    links: usize,
    /// The pairs that have gold links.
    sentences: usize,
    /// In percent.
    error_rate: f64,
}

/// Compares the links of the sample with the gold links.
fn judge(directory: &Path) -> anyhow::Result<Judged> {
    let read = |name: &str| LineLinks::read(&directory.join(name));
    let (links, gold) = (read("en-fr.links")?, read("en-fr.gold")?);
    let links: Vec<Alignment> = links.records().iter().map(PairRecord::alignment).collect();
    let gold: Vec<GoldAlignment> = gold.records().iter().map(PairRecord::gold).collect();
    let options = evaluate::Options::default().with(|c| c.bootstrap = None);
    let first = &links[..gold.len().min(links.len())];
    let error_rate = evaluate::evaluate(&gold, first, &options)?.scores.aer.unwrap_or(0.0);
    let all = links.iter().map(Alignment::len).sum();
    Ok(Judged { links: all, sentences: gold.len(), error_rate: 100.0 * error_rate })
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
    let others = if cfg!(windows) { "-_./:,+=@\\" } else { "-_./:,+=@%" };
    let plain = |character: char| character.is_ascii_alphanumeric() || others.contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    // No name of Windows has the double quotes that its shells know.
    if cfg!(windows) { format!("\"{word}\"") } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// A file as browsers name it.
fn address(path: &Path) -> String {
    // Paths of Windows begin with a drive.
    let mut address = String::from(if cfg!(windows) { "file:///" } else { "file://" });
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => address.push('/'),
            b':' if cfg!(windows) => address.push(':'),
            _ if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) => address.push(char::from(byte)),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_get_addresses() {
        let (path, expected) = if cfg!(windows) {
            (r"C:\tmp\a b\é#1.html", "file:///C:/tmp/a%20b/%C3%A9%231.html")
        } else {
            ("/tmp/a b/é#1.html", "file:///tmp/a%20b/%C3%A9%231.html")
        };
        assert_eq!(address(Path::new(path)), expected);
    }

    #[test]
    fn the_sample_is_consistent() {
        let lines = |n: usize| SAMPLE[n].1.split(|&byte| byte == b'\n').count() - 1;
        assert_eq!((lines(0), lines(1), lines(2)), (420, 420, 60));
    }

    #[test]
    fn shells_get_their_quotes() {
        assert_eq!(quoted("/tmp/a-b_c.d"), "/tmp/a-b_c.d");
        let (word, expected) =
            if cfg!(windows) { (r"C:\it's", "\"C:\\it's\"") } else { ("it's here", r"'it'\''s here'") };
        assert_eq!(quoted(word), expected);
    }
}
