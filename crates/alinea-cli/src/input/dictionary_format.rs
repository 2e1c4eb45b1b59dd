//! What tables of translations look like, by name.

use std::fmt;

use alinea::error::Error;
use alinea::format::dictionary::DictionaryFormat;
use anyhow::bail;
use clap::ValueEnum;

/// The formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// Source word, target word, number
    Words,
    /// Moses' lexical table lex.f2e: target word, source word, p(target | source)
    Moses,
    /// Marian's lexical shortlist: as moses, without the NULL word
    Marian,
    /// Output of fast_align -p: source word, target word, ln p(target | source)
    FastAlign,
    /// eflomal priors
    Eflomal,
}

impl From<FormatName> for DictionaryFormat {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Words => Self::Words,
            FormatName::Moses => Self::Moses,
            FormatName::Marian => Self::Marian,
            FormatName::FastAlign => Self::FastAlign,
            FormatName::Eflomal => Self::Eflomal,
        }
    }
}

/// Refuses what no table can be: one direction alone where the format has both, and a least probability that is none.
pub(crate) fn check_table<N>(format: DictionaryFormat, reverse: bool, least: N) -> anyhow::Result<()>
where
    N: PartialOrd + From<u8> + fmt::Display,
{
    if format == DictionaryFormat::Eflomal && reverse {
        bail!("--reverse: eflomal priors cover both directions");
    }
    if !(N::from(0)..=N::from(1)).contains(&least) {
        return Err(Error::config("least", least, "0 to 1").into());
    }
    Ok(())
}
