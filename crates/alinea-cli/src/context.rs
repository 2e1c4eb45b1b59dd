//! What every command gets: the observer for the library, and all output to standard error.
//!
//! Commands never write to standard error themselves. `warn` and `report` are silent with `--quiet`, `answer` is not;
//! `summary` is lines for people or one event with numbers, by `--progress`. The forms are in `progress`. Colors on
//! standard output need a terminal that is not `dumb`, and an empty or unset `NO_COLOR` (<https://no-color.org>).
//!
//! `last_words` is for the moment when memory is missing, and must not allocate.

use std::fmt;
use std::io::{self, IsTerminal};

use alinea::numeric::FEWEST_SENTENCES;
use alinea::progress::Observer;
use serde_json::Value;

use crate::options::SharedOptions;
use crate::progress::Reporter;

/// What all verbs share. Everything a verb has to say on standard error goes through here.
#[derive(Debug)]
pub(crate) struct Context {
    reporter: Reporter,
    color_stdout: bool,
    /// The long options of the verb.
    options: Vec<String>,
}

impl Context {
    /// As the shared options say; given are the long options of the verb, too, without dashes.
    pub(crate) fn new(shared: &SharedOptions, options: Vec<String>) -> Self {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self {
            reporter: Reporter::new(shared.progress, shared.quiet),
            color_stdout: !forbidden && !dumb && io::stdout().is_terminal(),
            options,
        }
    }

    /// The long options of the verb, without dashes.
    pub(crate) fn options(&self) -> &[String] {
        &self.options
    }

    /// Whom the library reports to.
    pub(crate) fn observer(&self) -> &dyn Observer {
        &self.reporter
    }

    /// A line of the final report; silent with `--quiet`.
    pub(crate) fn report(&self, line: impl fmt::Display) {
        self.reporter.report(&line.to_string());
    }

    /// The lines of a final report, or one event with its numbers; silent with `--quiet`.
    pub(crate) fn summary(&self, text: &str, numbers: &Value) {
        self.reporter.summary(text, numbers);
    }

    /// Something that was asked for and belongs on standard error, also with `--quiet`. One line or many.
    pub(crate) fn answer(&self, text: impl fmt::Display) {
        self.reporter.answer(&text.to_string());
    }

    /// Notes that standard input is read from a terminal, if it is: otherwise the command seems to hang. Silent with
    /// `--quiet`.
    pub(crate) fn note_terminal(&self, what: &str, instead: &str) {
        if io::stdin().is_terminal() {
            self.report(format_args!("note: reading {what} from the terminal; {instead}"));
        }
    }

    /// Something the user should know; silent with `--quiet`.
    pub(crate) fn warn(&self, message: impl fmt::Display) {
        self.reporter.warn(&message.to_string());
    }

    /// Says how little intervals and tests of a few sentences are worth.
    pub(crate) fn warn_of_few(&self, sentences: usize) {
        match sentences {
            0 | FEWEST_SENTENCES.. => {}
            1 => self.warn("one sentence cannot be resampled, so there are no intervals and no tests"),
            _ => self.warn(format_args!(
                "intervals and tests on {sentences} sentences may be unreliable: they have been tested with \
                 {FEWEST_SENTENCES} sentences or more (Koehn 2004)"
            )),
        }
    }

    /// An error with its hints.
    pub(crate) fn error(&self, message: &str, hints: &[String]) {
        self.reporter.error(message, hints);
    }

    /// An error where memory is missing: nothing is allocated. Neither text may have what JSON escapes.
    pub(crate) fn last_words(&self, message: fmt::Arguments<'_>, hint: &str) {
        self.reporter.last_words(message, hint);
    }

    /// Whether standard output should be colored: it is a terminal that can, and `NO_COLOR` is not set.
    pub(crate) fn color_stdout(&self) -> bool {
        self.color_stdout
    }
}
