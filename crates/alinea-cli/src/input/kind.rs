//! The kind of output, `--format`, with `--json` as short for `--format json`; and options that are answered or rare.
//!
//! Each verb has an enum of what it can write. `KindParser` reads the value of `--format`: a format of links there,
//! where the verb has `--links-format` for that, is answered with the name of that option. `FormatArgs` adds `--json`,
//! for verbs that write JSON (`JsonKind`). `former_format` is `--format` where a verb writes one kind only.
//!
//! `letter` makes an argument of a letter that other verbs or other programs have, which is answered with advice.
//! `Rare` marks options that only `--help-all` shows, as `#[arg(rare = true)]`.

use std::ffi::OsStr;
use std::marker::PhantomData;

use alinea::evaluate::TableStyle;
use alinea::format::alignment::AlignmentFormat;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::ErrorKind as Complaint;
use clap::{Arg, ArgAction, Command, ValueEnum};

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

/// Tables in a style, or JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// Tables.
    Table(TableStyle),
    /// JSON.
    Json,
}

impl ValueEnum for TableKind {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.style().map_or("json", TableStyle::name)))
    }
}

impl JsonKind for TableKind {
    const JSON: Self = Self::Json;
    const DEFAULT: &'static str = "text";
    const ALIAS: Option<&'static str> = Some("style");
}

impl TableKind {
    /// Tables for the terminal.
    pub(crate) const TEXT: Self = Self::Table(TableStyle::Text);

    /// All styles, and JSON.
    const ALL: [Self; TableStyle::ALL.len() + 1] = {
        let mut all = [Self::Json; TableStyle::ALL.len() + 1];
        let mut place = 0;
        while place < TableStyle::ALL.len() {
            all[place] = Self::Table(TableStyle::ALL[place]);
            place += 1;
        }
        all
    };

    /// How tables look; nothing if JSON is to be written.
    pub(crate) fn style(self) -> Option<TableStyle> {
        match self {
            Self::Table(style) => Some(style),
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
            let message = format!("--format {}: --format is the kind of output, and {LINKS_FORMAT}", value.display());
            return Err(refused(command, &message));
        }
        parsed
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(K::value_variants().iter().filter_map(K::to_possible_value)))
    }
}

/// What is said of a format of links in `--format`.
const LINKS_FORMAT: &str = "the format of the links is --links-format";

/// `--format` of a verb that has only one kind of output: formerly the format of the links.
pub(crate) fn former_format() -> Arg {
    Arg::new("former_format").long("format").hide(true).value_name("FORMAT").value_parser(FormerFormat)
}

/// Refuses any format.
#[derive(Debug, Clone, Copy)]
struct FormerFormat;

impl TypedValueParser for FormerFormat {
    type Value = String;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        Err(refused(command, &format!("--format {}: {LINKS_FORMAT}", value.display())))
    }
}

/// A letter that is no option of a verb, under a name of its own in the grammar, and the advice that it is answered
/// with, whether or not a value follows.
pub(crate) fn letter(name: &'static str, letter: char, advice: &'static str) -> Arg {
    Arg::new(name).short(letter).hide(true).action(ArgAction::Count).value_parser(Answer(advice))
}

/// The number of times that a letter is given, of which only none is allowed.
#[derive(Debug, Clone)]
struct Answer(&'static str);

impl TypedValueParser for Answer {
    type Value = u8;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<u8, clap::Error> {
        if value == "0" { Ok(0) } else { Err(refused(command, self.0)) }
    }
}

fn refused(command: &Command, message: &str) -> clap::Error {
    clap::Error::raw(Complaint::InvalidValue, format!("{message}\n")).with_cmd(command)
}

/// Options that few users need.
pub(crate) trait Rare {
    /// Whether only `--help-all` shows the option.
    fn rare(self, rare: bool) -> Self;

    /// Whether the option is rare.
    fn is_rare(&self) -> bool;
}

impl Rare for Arg {
    fn rare(self, rare: bool) -> Self {
        self.hide_short_help(rare).hide_long_help(rare)
    }

    fn is_rare(&self) -> bool {
        self.is_hide_short_help_set() && self.is_hide_long_help_set()
    }
}
