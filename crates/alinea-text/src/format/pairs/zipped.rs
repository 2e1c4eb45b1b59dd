//! Pairs in a zip archive: two texts, as OPUS distributes them, or one file in another format.
//!
//! The archive may have other files beside them: those called README or LICENSE, hidden ones, and those ending in `.xml`, `.ids` or
//! `.scores`, which tell where lines come from. A file that is alone then is read as if it were not in an archive. Of several the two
//! sides are the files named as `fields`, or those that end in the languages wanted (`corpus.en`), or, without a choice, the only two, if
//! their names differ in the ending alone, in the order of the archive. Anything else is an error that lists the files.

use super::languages::fits;
use super::options::PairOptions;
use crate::error::{Error, ErrorKind, Hint, Result};
use crate::format::archive::Archive;
use crate::format::source::Input;

/// What an archive has.
pub(super) enum Found {
    /// A text for each side, and its languages if their names tell.
    Two(Box<[Input; 2]>, Option<[String; 2]>),
    /// One file, and its name.
    One(Box<Input>, String),
}

/// Finds the texts.
pub(super) fn find(archive: &Archive, options: &PairOptions) -> Result<Found> {
    let texts: Vec<usize> = (0..archive.names().len()).filter(|&n| !is_beside(&archive.names()[n])).collect();
    let name = |n: usize| archive.names()[n].as_str();
    if let [only] = texts[..] {
        return Ok(Found::One(Box::new(archive.open_member(only)?), name(only).to_owned()));
    }
    let sides = match (&options.fields, &options.languages) {
        (Some(fields), _) => {
            let place = |field: &String| texts.iter().copied().find(|&n| name(n) == field || base(name(n)) == field);
            fields.each_ref().map(place)
        }
        (None, Some(codes)) => codes.each_ref().map(|code| {
            let mut found = texts.iter().copied().filter(|&n| fits(code, ending(name(n)).1));
            found.next().filter(|_| found.next().is_none())
        }),
        (None, None) => match texts[..] {
            [source, target] if ending(name(source)).0 == ending(name(target)).0 => [Some(source), Some(target)],
            _ => [None, None],
        },
    };
    let [Some(source), Some(target)] = sides else { return Err(unclear(archive, options.languages.is_some())) };
    let languages = [source, target].map(|n| ending(name(n)).1.to_owned());
    let known = languages.iter().all(|code| (2..=8).contains(&code.len()));
    let texts = [archive.open_member(source)?, archive.open_member(target)?];
    Ok(Found::Two(Box::new(texts), known.then_some(languages)))
}

#[cold]
fn unclear(archive: &Archive, languages: bool) -> Error {
    let names: Vec<&str> = archive.names().iter().map(String::as_str).take(40).collect();
    let there = if names.is_empty() { "no file".to_owned() } else { names.join(", ") };
    let problem = format!("which files of the zip archive are source and target? There is {there}");
    let hint = if languages { Hint::ChooseLanguages } else { Hint::ChooseFields };
    ErrorKind::Choice { path: archive.name().to_owned(), problem, hint }.into()
}

/// A name without its folders.
fn base(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, base)| base)
}

/// What stands before the last dot of a name, and behind it, without what it ends in if it is compressed.
fn ending(name: &str) -> (&str, &str) {
    let name = crate::format::source::plain_name(base(name));
    name.rsplit_once('.').unwrap_or((name, ""))
}

/// Whether a file is beside the text.
fn is_beside(name: &str) -> bool {
    let base = base(name).to_ascii_lowercase();
    let told = ["readme", "license", "licence", "notice", "copying", "."].iter().any(|start| base.starts_with(start));
    told || name.starts_with("__MACOSX/") || matches!(ending(&base).1, "xml" | "ids" | "scores" | "md" | "pdf")
}
