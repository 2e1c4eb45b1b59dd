//! The alignment formats by name, and the options for reading and writing them.
//!
//! An [`AlignmentFormat`] knows its name in options, the file names that suggest it (before what names of compressed files end in), what
//! positions count from, and whether it needs the words of sentences. The grammars are in the modules of the formats.
//!
//! [`LinkReadOptions`] and [`LinkWriteOptions`] hold what a file does not say of itself:
//!
//! * `base`: whether positions count from 0 or from 1; by default as is usual for the format. A3 files have no choice.
//! * `sentences`: of a NAACL file the number of sentences, or their names in order, as a sentence without links leaves
//!   no line there.
//! * `direction`: which sentence of an A3 file is the source; `fill_gaps` (reading) leaves pairs blank that it lacks.
//! * `threshold` (reading) drops links of lower weight, `digits` (writing) is the number of decimals of weights.
//! * `utf8` (reading): what happens to bytes that are not UTF-8.

use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::format::lines::Utf8;
use crate::format::source::plain_name;

/// A way to write alignments down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlignmentFormat {
    /// `0-0 1p2`: one line a pair, one token a link, positions from 0; also called Moses format. Sure links are
    /// `i-j`, possible ones `ipj`, `i?j`, `i-j-P` or `i-j:P`; a weight follows as `i-j:0.93`. Written are `i-j`, `ipj`
    /// and, with [`LinkWriteOptions::digits`], weights.
    Pharaoh,
    /// `1-1 2p3`: the same with positions from 1, as the alignment toolkit of the TALP group has it; sure links may
    /// also be `isj`.
    Talp,
    /// `12 1 1 S 0.9`: one line a link, of the shared tasks of 2003 and 2005. Sentence, source and target position from
    /// 1, then optionally `S` (the default) or `P`, then optionally a confidence. Position 0 is the empty word: such
    /// links are dropped and counted. Lines come in any order. Sentences without links leave no line: see
    /// [`Sentences`]; without it there are as many as the largest number says.
    Naacl,
    /// GIZA++'s `A3.final`: three lines a pair, with the words. The parts that MGIZA writes are put back in order, as
    /// several inputs or joined. Sure links only, no weights, one score a pair; see [`GizaDirection`].
    GizaA3,
    /// The three-line format of NLTK's Comtrans corpus: source words, target words, links `0-0 1-1`, positions from 0.
    /// Every pair has three lines, also where one of them is empty. Sure links only, no weights. The corpus itself is in
    /// Latin-1: see [`Utf8::Latin1`].
    Comtrans,
    /// One JSON object a line: `links` as `[[0,0],[1,2]]`, and optionally `possible` links, `weights` (a number or null
    /// for each of `links`, then of `possible`), `source` and `target` words, `source_offsets` and `target_offsets` as
    /// `[first, past the last]` character of each word, and `score`. Other fields are ignored.
    JsonLines,
    /// The three columns of OpusTrainer: source sentence, target sentence, and links as those of Pharaoh, separated by tabs.
    OpusTrainer,
    /// What SimAlign's script writes: the number of the sentence, from 0, a tab, and links `0-1`, or `0-1-.91-.93` with similarities,
    /// the first of which is the weight.
    SimAlign,
    /// The word alignments of Serval: objects with `sourceTokens`, `targetTokens` and `alignment`, in an array or one a line. Written is
    /// one a line.
    Serval,
    /// What symal reads (`.bal`): three lines a pair, with the links of both directions. Links of one direction are possible ones. See
    /// [`GizaDirection`]. It is not written.
    Bal,
}

impl AlignmentFormat {
    /// All formats, in the order of their names in messages.
    pub const ALL: [Self; 10] = [
        Self::Pharaoh,
        Self::Talp,
        Self::Naacl,
        Self::GizaA3,
        Self::Comtrans,
        Self::JsonLines,
        Self::OpusTrainer,
        Self::SimAlign,
        Self::Serval,
        Self::Bal,
    ];

    /// The name, as [`FromStr`] takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pharaoh => "pharaoh",
            Self::Talp => "talp",
            Self::Naacl => "naacl",
            Self::GizaA3 => "giza",
            Self::Comtrans => "comtrans",
            Self::JsonLines => "jsonl",
            Self::OpusTrainer => "opustrainer",
            Self::SimAlign => "simalign",
            Self::Serval => "serval",
            Self::Bal => "bal",
        }
    }

    /// The format that a file's name suggests, without what it ends in if it is compressed; nothing if it suggests none.
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = plain_name(&name);
        // GIZA++: `x.A3.final`; MGIZA: `x.A3.final.part000`.
        if name.contains(".a3.final") {
            return Some(Self::GizaA3);
        }
        match name.rsplit_once('.')?.1 {
            "a3" => Some(Self::GizaA3),
            "align" | "aligned" | "pharaoh" | "moses" => Some(Self::Pharaoh),
            "talp" => Some(Self::Talp),
            "naacl" | "wa" | "wpt" => Some(Self::Naacl),
            "comtrans" => Some(Self::Comtrans),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "bal" => Some(Self::Bal),
            _ => None,
        }
    }

    /// Whether a file of this format cannot do without the words of the sentences.
    pub const fn needs_words(self) -> bool {
        matches!(self, Self::GizaA3 | Self::Comtrans | Self::OpusTrainer | Self::Bal)
    }

    /// Whether a file of this format has the words of the sentences, or may have them.
    pub const fn has_words(self) -> bool {
        self.needs_words() || matches!(self, Self::JsonLines | Self::Serval)
    }

    /// Whether files of this format are written.
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::Bal)
    }

    /// The default base of positions; fixed in A3 and `.bal`.
    pub const fn default_base(self) -> Base {
        match self {
            Self::Pharaoh | Self::Comtrans | Self::JsonLines | Self::OpusTrainer | Self::SimAlign | Self::Serval => {
                Base::Zero
            }
            Self::Talp | Self::Naacl | Self::GizaA3 | Self::Bal => Base::One,
        }
    }
}

impl FromStr for AlignmentFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = "pharaoh, talp, naacl, giza, comtrans, jsonl, opustrainer, simalign, serval or bal";
            Error::config("format", name, names)
        })
    }
}

/// What the positions of a file count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The first word is 0.
    Zero,
    /// The first word is 1.
    One,
}

impl FromStr for Base {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "0" => Ok(Self::Zero),
            "1" => Ok(Self::One),
            _ => Err(Error::config("base", name, "0 or 1")),
        }
    }
}

/// Which sentences a NAACL file is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sentences {
    /// The numbers 1 to this one.
    Count(u64),
    /// Sentences of these names, in this order. Leading zeros of a number do not matter.
    Order(Vec<String>),
}

impl Sentences {
    /// How many there are.
    pub fn len(&self) -> u64 {
        match self {
            Self::Count(count) => *count,
            Self::Order(names) => names.len() as u64,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn validate(&self) -> Result<()> {
        let odd = |name: &&String| name.is_empty() || name.contains([' ', '\t', '\n', '\r']);
        match self {
            Self::Order(names) => match names.iter().find(odd) {
                Some(name) => Err(Error::config("sentences", format!("{name:?}"), "names without blanks")),
                None => Ok(()),
            },
            Self::Count(_) => Ok(()),
        }
    }
}

/// Which sentence of an A3 file is the source here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GizaDirection {
    /// The one that generates, with the brackets in the third line: the model is p(target | source).
    #[default]
    SourceToTarget,
    /// The one that is generated, in the second line: the model is p(source | target).
    TargetToSource,
}

/// How alignments are read.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct LinkReadOptions {
    /// What positions count from; without it, the [default](AlignmentFormat::default_base) of the format.
    pub base: Option<Base>,
    /// Links with a weight below this are dropped; links without weight stay.
    pub threshold: Option<f32>,
    /// The sentences of a NAACL file, in the order of the pairs; an A3 file must have as many pairs.
    pub sentences: Option<Sentences>,
    /// The direction of an A3 or `.bal` file.
    pub direction: GizaDirection,
    /// A pair whose number is missing in an A3 file is one without words and links, instead of an error.
    pub fill_gaps: bool,
    /// What happens to bytes that are not UTF-8, or that the text is Latin-1.
    pub utf8: Utf8,
}

crate::configurable!(LinkReadOptions);

impl LinkReadOptions {
    /// Checks the values.
    ///
    /// # Errors
    /// `Config` if the threshold is not a number, or a sentence's name is empty or has blanks.
    pub fn validate(&self) -> Result<()> {
        if let Some(threshold) = self.threshold.filter(|threshold| threshold.is_nan()) {
            return Err(Error::config("threshold", threshold, "a number"));
        }
        self.sentences.as_ref().map_or(Ok(()), Sentences::validate)
    }
}

/// How alignments are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LinkWriteOptions {
    /// What positions count from; without it, the [default](AlignmentFormat::default_base) of the format.
    pub base: Option<Base>,
    /// Decimals of weights. Without it JSON lines have weights with as many as it takes, the others no weights.
    pub digits: Option<usize>,
    /// The names of sentences in a NAACL file; without it, their numbers.
    pub sentences: Option<Sentences>,
    /// The direction of an A3 file.
    pub direction: GizaDirection,
}

crate::configurable!(LinkWriteOptions);

impl LinkWriteOptions {
    /// The most decimals of a weight: more than a single-precision number has.
    pub const MAX_DIGITS: usize = 12;

    /// Checks the values.
    ///
    /// # Errors
    /// `Config` if there are too many digits, or a sentence's name is empty or has blanks.
    pub fn validate(&self) -> Result<()> {
        if let Some(digits) = self.digits.filter(|&digits| digits > Self::MAX_DIGITS) {
            return Err(Error::config("digits", digits, "0 to 12"));
        }
        self.sentences.as_ref().map_or(Ok(()), Sentences::validate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files_lead_to_formats() {
        for format in AlignmentFormat::ALL {
            assert_eq!(format.name().parse::<AlignmentFormat>().unwrap(), format);
        }
        let error = "xml".parse::<AlignmentFormat>().unwrap_err().to_string();
        assert_eq!(
            error,
            "format = xml: must be pharaoh, talp, naacl, giza, comtrans, jsonl, opustrainer, simalign, serval or bal"
        );
        let guess = |name: &str| AlignmentFormat::from_path(Path::new(name));
        assert_eq!(guess("gold.align"), Some(AlignmentFormat::Pharaoh));
        assert_eq!(guess("x/en-fr.A3.final.part003.gz"), Some(AlignmentFormat::GizaA3));
        assert_eq!(guess("test.WPT.zst"), Some(AlignmentFormat::Naacl));
        assert_eq!(guess("de-en.comtrans.gz"), Some(AlignmentFormat::Comtrans));
        assert_eq!(guess("links.jsonl"), Some(AlignmentFormat::JsonLines));
        assert_eq!(guess("links.txt"), None);
        assert_eq!(guess("-"), None);
    }

    #[test]
    fn options_are_checked() {
        let options = LinkReadOptions { threshold: Some(f32::NAN), ..Default::default() };
        assert_eq!(options.validate().unwrap_err().to_string(), "threshold = NaN: must be a number");
        let options = LinkWriteOptions { digits: Some(13), ..Default::default() };
        assert_eq!(options.validate().unwrap_err().to_string(), "digits = 13: must be 0 to 12");
        let sentences = Some(Sentences::Order(vec!["a b".to_owned()]));
        let options = LinkReadOptions { sentences, ..Default::default() };
        assert_eq!(options.validate().unwrap_err().to_string(), "sentences = \"a b\": must be names without blanks");
        assert!("2".parse::<Base>().is_err());
    }
}
