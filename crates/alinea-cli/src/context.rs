//! What all verbs share: threads, and how to talk.

use std::fmt;
use std::io::{self, IsTerminal};

use alinea::numeric::FEWEST_SENTENCES;
use alinea::parallel::Parallelism;
use alinea::progress::Observer;
use serde_json::Value;

use crate::options::SharedOptions;
use crate::progress::Reporter;

/// What all verbs share. Everything a verb has to say on standard error goes through here.
#[derive(Debug)]
pub(crate) struct Context {
    threads: usize,
    reporter: Reporter,
    color_stdout: bool,
}

impl Context {
    /// As the options say.
    pub(crate) fn new(options: &SharedOptions) -> Self {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self {
            threads: options.threads,
            reporter: Reporter::new(options.progress, options.quiet),
            color_stdout: !forbidden && !dumb && io::stdout().is_terminal(),
        }
    }

    /// The threads to work with.
    pub(crate) fn parallelism(&self) -> alinea::error::Result<Parallelism> {
        Parallelism::new(self.threads)
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
                "intervals and tests of {sentences} sentences may be far off: they are known to hold from \
                 {FEWEST_SENTENCES} sentences on (Koehn 2004)"
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
