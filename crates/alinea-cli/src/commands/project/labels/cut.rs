//! Texts cut into words: by a rule, or by files of words.

use std::ops::Range;
use std::path::{Path, PathBuf};

use alinea::error::{Error, ErrorKind, Position};
use alinea::format::tokens::{self, Tokenize};
use clap::ValueEnum;

use super::files::TextFile;
use crate::input::tokenize::rules;
use crate::input::trees::unequal;

/// What becomes of labels that begin or end inside a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum PartialWords {
    /// They have the whole word
    #[default]
    Widen,
    /// They are an error
    Refuse,
}

/// How the texts of a run are cut.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct CutArgs {
    /// How the texts of json and brat are cut into words [default: script]
    #[arg(long, value_name = "HOW", value_parser = rules())]
    pub(super) tokenize: Option<Tokenize>,
    /// Words of the texts of json and brat, one sentence per line, separated by blanks
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2, conflicts_with = "tokenize")]
    pub(super) tokens: Vec<PathBuf>,
    /// What becomes of labels of characters that begin or end inside a word
    #[arg(long, value_name = "HOW", value_enum, default_value_t = PartialWords::Widen)]
    pub(super) partial_words: PartialWords,
}

/// Texts, and their words as stretches of bytes.
pub(super) struct CutTexts<'t> {
    pub(super) texts: Vec<&'t str>,
    pub(super) words: Vec<Vec<Range<usize>>>,
}

impl<'t> CutTexts<'t> {
    /// Cuts the texts of a side, 0 for the source; `known` are the words that texts come with, `name` is the name of their file.
    pub(super) fn new(
        args: &CutArgs,
        side: usize,
        name: &str,
        texts: Vec<&'t str>,
        known: &[Option<&[Range<usize>]>],
    ) -> anyhow::Result<Self> {
        if let Some(path) = args.tokens.get(side) {
            let words = given(path, name, &texts)?;
            return Ok(Self { texts, words });
        }
        let cut = |(number, text): (usize, &&str)| match known.get(number) {
            Some(Some(words)) if args.tokenize.is_none() => words.to_vec(),
            _ => tokens::places(text, args.tokenize.unwrap_or(Tokenize::Script)),
        };
        let words = texts.iter().enumerate().map(cut).collect();
        Ok(Self { texts, words })
    }

    /// The words of each text.
    pub(super) fn sentences(&self) -> Vec<Vec<&'t str>> {
        let words = |(text, words): (&&'t str, &Vec<Range<usize>>)| {
            let text: &'t str = text;
            words.iter().map(|word| &text[word.clone()]).collect()
        };
        self.texts.iter().zip(&self.words).map(words).collect()
    }
}

/// The words of a file, found in the texts.
fn given(path: &Path, name: &str, texts: &[&str]) -> anyhow::Result<Vec<Vec<Range<usize>>>> {
    let file = TextFile::read(path)?;
    let lines = file.lines();
    if lines.len() != texts.len() {
        return Err(unequal(name, texts.len() as u64, &file.name, lines.len() as u64).into());
    }
    let found = |(number, (text, line)): (usize, (&&str, &&str))| {
        let mut at = 0;
        let mut words = Vec::new();
        for word in line.split_ascii_whitespace() {
            let rest = text[at..].trim_start();
            at = text.len() - rest.len();
            if !rest.starts_with(word) {
                let column = word.as_ptr().addr() - line.as_ptr().addr() + 1;
                let position = Position::new(file.name.as_str(), number as u64 + 1, column as u64);
                let rest = rest.split_whitespace().next().unwrap_or("the end");
                let expected = format!("a word that text {} of {name} goes on with, `{rest}`", number + 1);
                return Err(Error::parse(position, expected, word.as_bytes()));
            }
            words.push(at..at + word.len());
            at += word.len();
        }
        let rest = text[at..].trim();
        if !rest.is_empty() {
            let message = format!("{}:{}: text {} of {name} goes on with `{rest}`", file.name, number + 1, number + 1);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(words)
    };
    Ok(texts.iter().zip(&lines).enumerate().map(found).collect::<Result<_, Error>>()?)
}
