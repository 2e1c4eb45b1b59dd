//! `--tokenize`: how text is cut into words. Verbs that take a bitext know all ways; where words are stretches of a text that
//! something is put into, those by a rule.

use std::ffi::OsStr;

use alinea::format::tokens::Tokenize;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// All ways.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenizeParser;

impl TypedValueParser for TokenizeParser {
    type Value = Tokenize;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Tokenize, Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        text.parse().map_err(|error| {
            let name = argument.map_or_else(String::new, ToString::to_string);
            let message = format!("invalid value '{text}' for '{name}': {error}\n");
            Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let pieces = PossibleValue::new("sentencepiece:MODEL").help("Into the pieces of a SentencePiece model");
        Some(Box::new(Tokenize::RULES.into_iter().map(described).chain([pieces])))
    }
}

/// Those by a rule.
pub(crate) fn rules() -> impl TypedValueParser<Value = Tokenize> {
    PossibleValuesParser::new(Tokenize::RULES.map(described)).try_map(|name| Tokenize::rule(&name))
}

fn described(rule: Tokenize) -> PossibleValue {
    let help = match rule {
        Tokenize::None => "At spaces and tabs",
        Tokenize::Whitespace => "At Unicode whitespace of all kinds",
        Tokenize::Unicode => "At the word boundaries of Unicode Standard Annex 29",
        Tokenize::Script => {
            "Letters and digits in a row, all else singly, as are Chinese characters, Hiragana and Thai"
        }
        _ => "As unicode, with dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese",
    };
    PossibleValue::new(rule.name()).help(help)
}
