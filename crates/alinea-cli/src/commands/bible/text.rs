//! `alinea bible text`: the verses of books, one a line.

use std::path::PathBuf;

use super::outputs::{self, in_lines};
use super::side::{Side, SideVerse};
use crate::context::Context;
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Write the verses of books in USFM as text, one a line, without notes and headings.

Examples:
  alinea bible text 41-MAT.usfm > matthew.txt
  alinea bible text english --references verses.txt -o english.txt
                                          all books of a folder, and which verses the lines are
  alinea bible text english --words > english.words
                                          the words that are aligned, without punctuation";

/// Verses as text, one a line
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Books in USFM, or folders of them
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// Write the words alone, separated by blanks
    #[arg(long, help_heading = "Output")]
    words: bool,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Output file with the references of the verses, such as MAT 1:3, one a line
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    references: Option<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let inputs: Vec<Role<'_>> = args.books.iter().map(|path| Role::new("BOOK", path)).collect();
    let references = args.references.as_ref().map(|path| Role::new("--references", path));
    let outputs: Vec<Role<'_>> = std::iter::once(Role::new("--output", &args.output)).chain(references).collect();
    check_distinct(&inputs, &outputs)?;
    let side = Side::open(&args.books, None)?;
    let mut verses: Vec<&SideVerse> = side.verses.iter().collect();
    verses.sort_by_key(|verse| verse.reference);
    let line = |verse: &&SideVerse| if args.words { verse.words.join(" ") } else { verse.text.clone() };
    let mut files = vec![(args.output.clone(), in_lines(verses.iter().map(line)))];
    if let Some(path) = &args.references {
        files.push((path.clone(), in_lines(verses.iter().map(|verse| verse.reference.to_string()))));
    }
    outputs::finish(&files, None, Vec::new())?;
    let words = side.verses.iter().map(|verse| verse.words.len() as u64).sum();
    context.report(format_args!(
        "{}, {}, {}",
        counted(side.books.len() as u64, "book"),
        counted(side.verses.len() as u64, "verse"),
        counted(words, "word")
    ));
    Ok(())
}
