//! Errors as the user sees them: `error: a: b: c`, then lines `hint: …` where there is advice.
//!
//! Verbs return `anyhow::Error`, and add advice with `WithHint::hint`. Where no verb has given any, `advice` words the
//! `Hint` of the library's error, whose text knows no options.
//!
//! `end` writes the chain of causes in one line. A cause is left out if the text before it already ends with its words.
//! The exit code is 0 after a closed pipe, which is no error; 1 where a search has found nothing; that of the signal after a
//! cancellation; otherwise 2.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use alinea::error::{Error, ErrorKind, Hint, system_message};

use crate::context::Context;
use crate::interrupt;

/// The exit code where a search has found nothing, as that of `grep`.
const EXIT_NOTHING: u8 = 1;

/// Nothing was found of what was looked for, which is no error; the verb has said so.
#[derive(Debug)]
pub(crate) struct NothingFound;

impl fmt::Display for NothingFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing was found")
    }
}

impl StdError for NothingFound {}

/// The exit code after an error.
pub(crate) const EXIT_ERROR: u8 = 2;

/// An error with advice. Displays as the error.
#[derive(Debug)]
struct Hinted {
    hint: String,
    inner: anyhow::Error,
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl StdError for Hinted {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.inner.source()
    }
}

/// Gives advice with an error.
pub(crate) trait WithHint<T> {
    /// Adds a line `hint: …` to the error, if it is one.
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> WithHint<T> for Result<T, E> {
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T> {
        self.map_err(|error| Hinted { hint: hint.into(), inner: error.into() }.into())
    }
}

/// An error of the library with advice.
pub(crate) fn hinted(error: Error, hint: impl Into<String>) -> anyhow::Error {
    Hinted { hint: hint.into(), inner: error.into() }.into()
}

/// Tells about an error and gives the exit code.
pub(crate) fn end(error: &anyhow::Error, context: &Context) -> u8 {
    if is_broken_pipe(error) {
        return 0;
    }
    if error.is::<NothingFound>() {
        return EXIT_NOTHING;
    }
    if is_cancelled(error) {
        return interrupt::exit_code();
    }
    context.error(&message(error, context.options()), &hints(error, context.options()));
    EXIT_ERROR
}

/// The error and its advice in one line.
pub(crate) fn in_one_line(error: &anyhow::Error, context: &Context) -> String {
    std::iter::once(message(error, context.options()))
        .chain(hints(error, context.options()))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The chain of causes in one line. A cause that its effect has told already is left out.
fn message(error: &anyhow::Error, options: &[String]) -> String {
    let mut message = String::new();
    for cause in error.chain() {
        let cause = message_of(cause, options);
        if message.is_empty() {
            message = cause;
        } else if !message.ends_with(&cause) {
            message.push_str(": ");
            message.push_str(&cause);
        }
    }
    message
}

/// A cause, with the options of the verb in place of the names that the library has for them.
fn message_of(cause: &(dyn StdError + 'static), options: &[String]) -> String {
    if let Some(Hinted { inner, .. }) = cause.downcast_ref() {
        return message_of(inner.as_ref(), options);
    }
    if let Some(error) = cause.downcast_ref::<io::Error>() {
        return system_message(error);
    }
    match cause.downcast_ref().map(Error::kind) {
        Some(ErrorKind::Unsupported { option, models, model }) => {
            format!("{} is for the models {models}, not for {model}", option_of(option, options))
        }
        Some(ErrorKind::Config { field, value, allowed }) => {
            format!("{} = {value}: must be {allowed}", option_of(field, options))
        }
        _ => cause.to_string(),
    }
}

/// Options that are not called as the fields of the library which they fill.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("alpha", "lr-alpha"),
    ("beam", "match-beam"),
    ("column", "columns"),
    ("coverage exponent", "dpath-coverage"),
    ("tokenizer", "tokenize"),
    ("weight", "weights"),
];

/// The option, of those that the verb has, which fills a field of the library; the field itself if it is none's.
fn option_of(field: &str, options: &[String]) -> String {
    let same = field.replace(['_', ' '], "-");
    let others = OTHER_NAMES.iter().filter(|(name, _)| *name == field).map(|&(_, option)| option);
    let found = std::iter::once(same.as_str()).chain(others).find(|name| options.iter().any(|option| option == name));
    found.map_or_else(|| field.to_owned(), |option| format!("--{option}"))
}

fn hints(error: &anyhow::Error, options: &[String]) -> Vec<String> {
    let mut hints = Vec::new();
    let mut at = error;
    while let Some(Hinted { hint, inner }) = at.downcast_ref() {
        hints.push(hint.clone());
        at = inner;
    }
    if hints.is_empty() {
        hints.extend(at_library(at).and_then(|error| advice(error, options)));
    }
    hints
}

/// What to do about an error wherever it comes up. What depends on the options of a verb, the verb has said.
fn advice(error: &Error, options: &[String]) -> Option<String> {
    let has = |name: &str| options.iter().any(|option| option == name);
    let text = match error.hint()? {
        Hint::CountsFromOne => "does the file count from 1?",
        Hint::CountsFromZero => "does the file count from 0?",
        Hint::SidesSwapped => "are source and target swapped?",
        Hint::OtherCheckpoint => "delete the file, or give another one, to train from scratch",
        Hint::OtherProject => {
            "`alinea annotate PROJECT` opens the project as it is; --project makes one of another text elsewhere"
        }
        Hint::FewerThreads => "fewer threads need less memory: --threads 1",
        Hint::Decompress(command) => return Some(format!("decompress it first: {command}")),
        Hint::SaveAsUtf8 => "save it as UTF-8",
        Hint::ReadPairs if has("bitext") => "--bitext FILE reads it, with source and target",
        Hint::ReadPairs => "write text files first: alinea bitext FILE -o text.en -o text.fr",
        Hint::ChooseLanguages => "choose two: --languages en,fr",
        Hint::ReplaceCharacters => "replace such characters: --replace CHARACTER",
        Hint::ChooseFields => "choose two: --fields SOURCE,TARGET",
        Hint::WordsOfTrees => {
            "this needs the words of its sentences (column 2) as plain text; options and subcommands that need trees \
             take the file itself"
        }
        Hint::FetchEncoder => {
            let ErrorKind::Encoder { name: Some(name), .. } = error.kind() else { return None };
            return Some(format!("fetch it first: hf download {name} config.json tokenizer.json model.safetensors"));
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// Whether the reader of some output has gone.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause.downcast_ref::<Error>().is_some_and(Error::is_broken_pipe)
    })
}

fn is_cancelled(error: &anyhow::Error) -> bool {
    at_library(error).is_some_and(|error| matches!(error.kind(), ErrorKind::Cancelled))
}

/// The error of the library that is the cause, if one is.
fn at_library(error: &anyhow::Error) -> Option<&Error> {
    let mut at = error;
    while let Some(Hinted { inner, .. }) = at.downcast_ref() {
        at = inner;
    }
    at.downcast_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    fn missing() -> Result<(), Error> {
        Err(Error::io("text.en", io::Error::from(io::ErrorKind::NotFound)))
    }

    #[test]
    fn causes_are_told_once() {
        let error = missing().context("reading the source").unwrap_err();
        assert_eq!(message(&error, &[]), "reading the source: text.en: entity not found");
    }

    #[test]
    fn options_have_the_names_that_the_user_knows() {
        let options = ["max-length", "dpath-coverage", "calibrated"].map(str::to_owned);
        let message = |error: Error| message(&error.into(), &options);
        assert_eq!(message(Error::config("max_length", 0, "1 or more")), "--max-length = 0: must be 1 or more");
        let error = Error::config("coverage exponent", f64::NAN, "finite numbers, at least 0");
        assert_eq!(message(error), "--dpath-coverage = NaN: must be finite numbers, at least 0");
        assert_eq!(message(Error::config("fertility", 0, "1")), "fertility = 0: must be 1");
        let kind = ErrorKind::Unsupported { option: "calibrated", models: "quality".to_owned(), model: "hmm" };
        assert_eq!(message(kind.into()), "--calibrated is for the models quality, not for hmm");
    }

    #[test]
    fn encoders_can_be_fetched() {
        let hints = |name: Option<&str>| {
            let (path, problem, name) = ("e5".to_owned(), "no such folder".to_owned(), name.map(str::to_owned));
            let error: anyhow::Error = Error::from(ErrorKind::Encoder { path, problem, name }).into();
            assert_eq!(message(&error, &[]), "e5: no such folder");
            hints(&error, &[])
        };
        let command = "fetch it first: hf download intfloat/e5 config.json tokenizer.json model.safetensors";
        assert_eq!(hints(Some("intfloat/e5")), [command]);
        assert!(hints(None).is_empty());
    }

    #[test]
    fn hints_survive_context() {
        let error = missing().hint("try another name").hint("or none").context("reading").unwrap_err();
        assert_eq!(message(&error, &[]), "reading: text.en: entity not found");
        assert_eq!(hints(&error, &[]), ["or none", "try another name"]);
        assert!(at_library(&error).is_some());
    }

    #[test]
    fn closed_pipes_and_interruptions_are_found() {
        let pipe: Result<(), Error> = Err(Error::io("<stdout>", io::Error::from(io::ErrorKind::BrokenPipe)));
        assert!(is_broken_pipe(&pipe.hint("none").context("writing").unwrap_err()));
        let cancelled: Result<(), Error> = Err(ErrorKind::Cancelled.into());
        assert!(is_cancelled(&cancelled.hint("none").context("writing").unwrap_err()));
        assert!(!is_broken_pipe(&missing().context("reading").unwrap_err()));
    }
}
