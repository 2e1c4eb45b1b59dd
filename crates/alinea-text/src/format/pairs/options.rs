//! The formats of files of sentence pairs, and how they are read.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::format::lines::Utf8;
use crate::format::source::plain_name;

/// How a file has sentence pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PairFormat {
    /// Lines `source ||| target`.
    Joint,
    /// Columns separated by tabs, without header and quotes.
    Columns,
    /// A translation memory, TMX 1.1 to 1.4.
    Tmx,
    /// XLIFF: read in all versions, written in 1.2.
    Xliff,
    /// XLIFF: read in all versions, written in 2.0.
    Xliff2,
    /// A JSON object a line.
    JsonLines,
    /// Values separated by commas, with a header: RFC 4180.
    Csv,
    /// The same separated by tabs.
    Tsv,
    /// A zip archive of two texts, or of one file in one of these formats.
    Zip,
}

impl PairFormat {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Joint,
        Self::Columns,
        Self::Tmx,
        Self::Xliff,
        Self::Xliff2,
        Self::JsonLines,
        Self::Csv,
        Self::Tsv,
        Self::Zip,
    ];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Columns => "columns",
            Self::Tmx => "tmx",
            Self::Xliff => "xliff",
            Self::Xliff2 => "xliff2",
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Zip => "zip",
        }
    }

    /// Whether it is XML, which names the languages, and has no blank sides.
    pub(super) fn is_xml(self) -> bool {
        matches!(self, Self::Tmx | Self::Xliff | Self::Xliff2)
    }

    /// What it is, for help.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Joint => "Lines `source ||| target`",
            Self::Columns => "Columns separated by tabs, without header and quotes",
            Self::Tmx => "Translation memory (TMX)",
            Self::Xliff => "XLIFF: read in all versions, written in 1.2",
            Self::Xliff2 => "XLIFF: read in all versions, written in 2.0",
            Self::JsonLines => "A JSON object a line",
            Self::Csv => "Comma-separated values with a header",
            Self::Tsv => "Tab-separated values with a header, quoted as in CSV",
            Self::Zip => "Zip archive of two text files, or of one file in another format",
        }
    }

    /// The format that the name of a file suggests, without what it ends in if it is compressed; nothing if it suggests none.
    ///
    /// ```
    /// use alinea::format::pairs::PairFormat;
    /// use std::path::Path;
    ///
    /// assert_eq!(PairFormat::from_path(Path::new("memory.TMX.gz")), Some(PairFormat::Tmx));
    /// assert_eq!(PairFormat::from_path(Path::new("text.en")), None);
    /// ```
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        Some(match plain_name(&name).rsplit_once('.')?.1 {
            "tmx" => Self::Tmx,
            "xlf" | "xliff" | "sdlxliff" | "mqxliff" | "mxliff" => Self::Xliff,
            "jsonl" | "ndjson" => Self::JsonLines,
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            "zip" => Self::Zip,
            _ => return None,
        })
    }
}

impl fmt::Display for PairFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PairFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| Error::config("format", name, "joint, columns, tmx, xliff, xliff2, jsonl, csv, tsv or zip"))
    }
}

/// What becomes of tags within segments of TMX and XLIFF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tags {
    /// They are left out, with the code in them.
    #[default]
    Strip,
    /// Segments are markup, as in the file.
    Keep,
}

/// How a file of sentence pairs is read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PairOptions {
    /// The format; without it, what the first bytes say, then the name.
    pub format: Option<PairFormat>,
    /// The languages of source and target; without them, the two that the file has.
    pub languages: Option<[String; 2]>,
    /// The fields of source and target: columns by name or by number from 1, or members of JSON objects, those of inner objects behind a
    /// dot. Without them, names that are usual.
    pub fields: Option<[String; 2]>,
    /// What becomes of tags.
    pub tags: Tags,
    /// What happens to bytes that are not UTF-8. In XML they are an error.
    pub utf8: Utf8,
}

crate::configurable!(PairOptions);

impl PairOptions {
    /// Checks the values.
    ///
    /// # Errors
    /// `Config` for languages or fields that are the same twice or empty.
    pub fn validate(&self) -> Result<()> {
        let bad =
            |pair: &Option<[String; 2]>| pair.as_ref().filter(|[a, b]| a == b || a.is_empty() || b.is_empty()).cloned();
        if let Some(codes) = bad(&self.languages) {
            return Err(Error::config("languages", codes.join(","), "two different codes, such as en,fr"));
        }
        if let Some(names) = bad(&self.fields) {
            return Err(Error::config("fields", names.join(","), "two different fields, such as src,tgt"));
        }
        Ok(())
    }
}
