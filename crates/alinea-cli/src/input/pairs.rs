//! Options for one file of sentence pairs, in a format of another program: which format, and what of it is source and target.
//!
//! The same in all verbs that read a bitext. Verbs that read a text beside links have `BitextFileArgs`, which take the place of
//! SOURCE and TARGET.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use alinea::format::bitext::{BitextSource, PassedOver};
use alinea::format::pairs::{PairFormat, PairOptions, Tags};
use anyhow::bail;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::links::counted;

/// The options for how it is read.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Files of sentence pairs")]
pub(crate) struct PairArgs {
    /// Languages of source and target in TMX, XLIFF, JSON lines, tables and archives: en means en-US too [default: the two that
    /// are there]
    #[arg(long, value_name = "S,T", value_parser = two)]
    languages: Option<Two>,
    /// Fields of source and target: columns of CSV by name or number, members of JSON objects such as translation.en, files of
    /// an archive
    #[arg(long, value_name = "S,T", value_parser = two)]
    fields: Option<Two>,
    /// Format of the file [default: by its content, then its name, otherwise joint]
    #[arg(long, value_name = "FORMAT", value_parser = pair_format(), rare = true)]
    bitext_format: Option<PairFormat>,
    /// What to do with tags within segments of TMX and XLIFF
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = TagsName::Strip, rare = true)]
    tags: TagsName,
}

/// What becomes of tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TagsName {
    /// Leave them out, with the code in them
    Strip,
    /// Keep segments as markup
    Keep,
}

/// Two columns, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    source: usize,
    target: usize,
}

impl Columns {
    /// Source and target.
    pub(crate) fn numbers(self) -> (usize, usize) {
        (self.source, self.target)
    }
}

impl FromStr for Columns {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected two different columns from 1, such as 1,2";
        let (source, target) = text.split_once(',').ok_or(EXPECTED)?;
        let number = |text: &str| text.trim().parse().ok().filter(|&column: &usize| column > 0);
        match (number(source), number(target)) {
            (Some(source), Some(target)) if source != target => Ok(Self { source, target }),
            _ => Err(EXPECTED),
        }
    }
}

/// Two names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Two(pub(crate) [String; 2]);

/// Reads `en,fr`.
pub(crate) fn two(text: &str) -> Result<Two, &'static str> {
    match text.split_once(',').map(|(source, target)| [source.trim(), target.trim()]) {
        Some([source, target]) if !source.is_empty() && !target.is_empty() && source != target => {
            Ok(Two([source.to_owned(), target.to_owned()]))
        }
        _ => Err("expected two different names, such as en,fr"),
    }
}

/// Reads the name of a format.
pub(crate) fn pair_format() -> impl TypedValueParser<Value = PairFormat> {
    let values = PairFormat::ALL.map(|format| PossibleValue::new(format.name()).help(format.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<PairFormat>())
}

impl PairArgs {
    /// How the file is read.
    pub(crate) fn options(&self) -> PairOptions {
        let names = |two: &Option<Two>| two.as_ref().map(|Two(names)| names.clone());
        PairOptions::default().with(|c| {
            c.format = self.bitext_format;
            c.languages = names(&self.languages);
            c.fields = names(&self.fields);
            c.tags = self.tags();
        })
    }

    /// What becomes of tags.
    pub(crate) fn tags(&self) -> Tags {
        match self.tags {
            TagsName::Strip => Tags::Strip,
            TagsName::Keep => Tags::Keep,
        }
    }

    /// The languages, if they were given.
    pub(crate) fn languages(&self) -> Option<&[String; 2]> {
        self.languages.as_ref().map(|Two(codes)| codes)
    }

    /// One of the options that were given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--languages", self.languages.is_some()),
            ("--fields", self.fields.is_some()),
            ("--bitext-format", self.bitext_format.is_some()),
            ("--tags", self.tags != TagsName::Strip),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// A file, of which columns may be chosen.
    pub(crate) fn source(&self, path: &Path, columns: Option<Columns>) -> BitextSource {
        let path = path.to_path_buf();
        match columns {
            Some(columns) => {
                let (source, target) = columns.numbers();
                BitextSource::Columns { path, source, target }
            }
            None => BitextSource::Pairs { path, options: self.options() },
        }
    }
}

/// The options for a bitext in one file, in place of two.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Files of sentence pairs")]
pub(crate) struct BitextFileArgs {
    /// One file of sentence pairs instead of source and target: lines `source ||| target`, TMX, XLIFF, JSON lines, CSV, a zip
    /// archive
    #[arg(long, value_name = "FILE")]
    bitext: Option<PathBuf>,
    #[command(flatten)]
    pairs: PairArgs,
}

impl BitextFileArgs {
    /// The file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.bitext.as_deref()
    }

    /// The bitext: the file, or source and target.
    pub(crate) fn source(&self, files: Option<(&Path, &Path)>) -> anyhow::Result<Option<BitextSource>> {
        match (&self.bitext, files) {
            (Some(path), None) => Ok(Some(self.pairs.source(path, None))),
            (Some(_), Some(_)) => bail!("--bitext takes the place of source and target"),
            (None, _) if self.pairs.given().is_some() => {
                bail!("{} needs --bitext", self.pairs.given().unwrap_or_default())
            }
            (None, Some((source, target))) => {
                Ok(Some(BitextSource::Files { source: source.to_path_buf(), target: target.to_path_buf() }))
            }
            (None, None) => Ok(None),
        }
    }
}

/// Says of units that were passed over.
pub(crate) fn tell_passed_over(passed: PassedOver, context: &Context) {
    if let Some(text) = summary(passed) {
        context.report(format_args!("passed over: {text}"));
    }
}

/// The same for a list.
pub(crate) fn summary(passed: PassedOver) -> Option<String> {
    let parts =
        [(passed.untranslated, "without text in one of the languages"), (passed.other_languages, "in other languages")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts.map(|(number, what)| format!("{} {what}", counted(number, "segment"))).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_two() {
        assert_eq!("2,1".parse(), Ok(Columns { source: 2, target: 1 }));
        for bad in ["", "1", "1,1", "0,1", "a,b", "1,2,3"] {
            assert!(bad.parse::<Columns>().is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_two() {
        assert_eq!(two("en, fr-CA"), Ok(Two(["en".to_owned(), "fr-CA".to_owned()])));
        for bad in ["", "en", "en,en", ",fr", "en,"] {
            assert!(two(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_was_passed_over_is_told() {
        assert_eq!(summary(PassedOver::default()), None);
        let passed = PassedOver { untranslated: 1, other_languages: 2 };
        let expected = "1 segment without text in one of the languages, 2 segments in other languages";
        assert_eq!(summary(passed).as_deref(), Some(expected));
    }
}
