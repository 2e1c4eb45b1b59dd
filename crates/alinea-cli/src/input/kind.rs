//! The kind of output, `--format`, with `--json` as short for `--format json`; and letters that are no options.
//!
//! Each verb has an enum of what it can write. `KindParser` reads the value of `--format`: a format of links there,
//! where the verb has `--links-format` for that, is answered with the name of that option. `FormatArgs` adds `--json`,
//! for verbs that write JSON (`JsonKind`). `letter` makes an argument of a letter that other verbs or other programs
//! have, and whatever follows it is answered with advice.

use std::ffi::OsStr;
use std::marker::PhantomData;

use alinea::evaluate::TableStyle;
use alinea::format::alignment::AlignmentFormat;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::ErrorKind as Complaint;
use clap::{Arg, Command, ValueEnum};

/// What a verb that writes JSON can write.
pub(crate) trait JsonKind: ValueEnum + Copy + Send + Sync + 'static {
    /// JSON.
    const JSON: Self;
    /// The name of what is written by default.
    const DEFAULT: &'static str;
    /// Another name of `--format`, which older scripts have.
    const ALIAS: Option<&'static str> = None;
}

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct FormatArgs<K: JsonKind> {
    /// Kind of output
    #[arg(short, long, alias = K::ALIAS, value_name = "FORMAT", default_value = K::DEFAULT,
        value_parser = KindParser::<K>::new())]
    format: K,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl<K: JsonKind> FormatArgs<K> {
    /// What is to be written.
    pub(crate) fn get(&self) -> K {
        if self.json { K::JSON } else { self.format }
    }
}

/// Text or JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextKind {
    /// Text
    Text,
    /// JSON
    Json,
}

impl JsonKind for TextKind {
    const JSON: Self = Self::Json;
    const DEFAULT: &'static str = "text";
}

/// Tables or JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableKind {
    /// Text
    Text,
    /// Markdown
    Markdown,
    /// LaTeX
    Latex,
    /// HTML
    Html,
    /// JSON
    Json,
}

impl JsonKind for TableKind {
    const JSON: Self = Self::Json;
    const DEFAULT: &'static str = "text";
    const ALIAS: Option<&'static str> = Some("style");
}

impl TableKind {
    /// How tables look; nothing if JSON is to be written.
    pub(crate) fn style(self) -> Option<TableStyle> {
        match self {
            Self::Text => Some(TableStyle::Text),
            Self::Markdown => Some(TableStyle::Markdown),
            Self::Latex => Some(TableStyle::Latex),
            Self::Html => Some(TableStyle::Html),
            Self::Json => None,
        }
    }
}

/// Reads the value of `--format`.
#[derive(Debug, Clone)]
pub(crate) struct KindParser<K>(PhantomData<K>);

impl<K> KindParser<K> {
    /// For the kinds of a verb.
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<K: ValueEnum + Send + Sync + 'static> TypedValueParser for KindParser<K> {
    type Value = K;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<K, clap::Error> {
        let parsed = EnumValueParser::<K>::new().parse_ref(command, arg, value);
        let of_links = value.to_str().is_some_and(|name| name.parse::<AlignmentFormat>().is_ok());
        if parsed.is_err() && of_links && command.get_arguments().any(|arg| arg.get_long() == Some("links-format")) {
            let message = format!(
                "--format {}: --format is the kind of output, and the format of the links is --links-format\n",
                value.display()
            );
            return Err(clap::Error::raw(Complaint::InvalidValue, message).with_cmd(command));
        }
        parsed
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(K::value_variants().iter().filter_map(K::to_possible_value)))
    }
}

/// A letter that is no option of a verb, under a name of its own in the grammar, and the advice that it is answered with.
pub(crate) fn letter(name: &'static str, letter: char, advice: &'static str) -> Arg {
    Arg::new(name).short(letter).hide(true).value_name("VALUE").value_parser(Answer(advice))
}

/// Marks an option as rare: only `--help-all` shows it.
pub(crate) fn rare(arg: Arg) -> Arg {
    arg.hide_short_help(true).hide_long_help(true)
}

/// Refuses any value with the same words.
#[derive(Debug, Clone)]
struct Answer(&'static str);

impl TypedValueParser for Answer {
    type Value = String;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, _: &OsStr) -> Result<String, clap::Error> {
        Err(clap::Error::raw(Complaint::InvalidValue, format!("{}\n", self.0)).with_cmd(command))
    }
}
