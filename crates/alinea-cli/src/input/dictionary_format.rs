//! What tables of translations look like, by name.

use alinea::format::dictionary::DictionaryFormat;
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
