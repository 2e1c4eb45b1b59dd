//! What verbs that read trees share: how CoNLL-U is read, and what links beside it are between.

mod args;
mod streams;

use alinea::error::{Error, Result};
use alinea::tree::Roots;
use clap::ValueEnum;

pub(crate) use self::args::{MatchingArgs, PathArgs};
pub(crate) use self::streams::{ParsedSegment, TreeOptions, TreeStreams};
use crate::failure::WithHint;

/// How many roots a tree may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RootsName {
    /// One
    One,
    /// One or more
    Many,
}

impl From<RootsName> for Roots {
    fn from(name: RootsName) -> Self {
        match name {
            RootsName::One => Self::One,
            RootsName::Many => Self::Many,
        }
    }
}

/// What links are between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Units {
    /// The words of the trees
    Words,
    /// Surface tokens: what is written in one piece, such as French `aux` for the words `à les`
    Tokens,
}

/// An error about a second root gets the advice how to allow it.
pub(crate) fn hinted(result: Result<bool>) -> anyhow::Result<bool> {
    match result {
        Err(error) if error.to_string().contains("are both roots") => {
            Err::<bool, _>(error).hint("--roots many reads trees with several roots")
        }
        other => Ok(other?),
    }
}

/// Two texts of different numbers of sentences.
pub(crate) fn unequal((name, count): (&str, u64), (other, of_other): (&str, u64)) -> Error {
    let message = format!("unequal lengths: {name} has {count} sentences, {other} has {of_other}");
    alinea::error::ErrorKind::Inconsistent(message).into()
}
