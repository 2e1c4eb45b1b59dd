//! Supervision of a training: the options `--dictionary` and `--links`, their files, and what is reported of them.
//!
//! Dictionary words are read as those of the text (case, tokenization). Entries of several words and lines that are no
//! translation (NULL word, probability 0) are counted and ignored, since lexicons of other tools have them. Links are
//! given for the first pairs, a line each; an empty line leaves its pair unsupervised. They are checked against the
//! text when it has been read. What they do in the model is in `alinea::model::Supervision`; which model supports them,
//! `Feature` says.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use alinea::align::{GoldLinks, GoldScores};
use alinea::bitext::Bitext;
use alinea::decision::Purpose;
use alinea::error::Result;
use alinea::format::alignment::LineLinks;
use alinea::format::bitext::ReadOptions;
use alinea::format::dictionary::{self, ReadDictionary};
use alinea::format::lines::LineReader;
use alinea::model::{Feature, Supervision};
use anyhow::bail;
use serde_json::{Value, json};

use super::gold::ReadGold;
use crate::context::Context;
use crate::input::dictionary_format::FormatName;
use crate::input::kind::Rare as _;
use crate::input::links::counted;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Supervision")]
pub(crate) struct SupervisionArgs {
    /// Word translations: lines `source target` or `source target weight` (by default 0.01), separated by spaces or
    /// tabs
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Format of --dictionary
    ///
    /// An entry adds its weight to the count of its word pair, and helps words that share a stem with it. The default
    /// is enough for EM to find the pair; if the dictionary has all translations of its words, use weights of up to 1.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Words, requires = "dictionary")]
    #[arg(rare = true)]
    dictionary_format: FormatName,
    /// Manual links of the first pairs, one line per pair, as `0-0 1p2` (p: only possible). Give all links of a pair,
    /// since no others are allowed in it; an empty line leaves the pair to the model. Or what links are for: sure (few wrong
    /// links: dictionaries, gold standards), balanced (the fewest errors, the default) or full (few missed links: phrases,
    /// projection). Both can be given, one after the other
    ///
    /// With sure a link must be a sure one of an annotator with a probability of 0.6, with full of 0.15. For agreement-loo and
    /// quality; a file with such a name is given as ./sure.
    #[arg(long, value_name = "FILE|PURPOSE")]
    links: Vec<LinksValue>,
    /// Manual links of some of the first pairs, as with --links, to learn from what counts as a link, for all pairs
    ///
    /// 20 pairs are a beginning, 100 far better. The scores at the end are of these pairs, each aligned by what the others tell
    /// (cross-validation), beside those without. An empty line leaves its pair out. The model is trained with these links, too, and
    /// keeps what it has learned of them (`alinea model show`). For agreement-loo and quality.
    #[arg(short, long, value_name = "FILE")]
    gold: Option<PathBuf>,
    /// With --gold, words without a link were left out on purpose: nothing is known of them
    #[arg(long, requires = "gold", rare = true)]
    annotated_only: bool,
}

/// A value of --links.
#[derive(Debug, Clone)]
enum LinksValue {
    /// Links that are known.
    File(PathBuf),
    /// What links are for.
    For(Purpose),
}

impl From<OsString> for LinksValue {
    fn from(value: OsString) -> Self {
        let purpose = value.to_str().and_then(|name| name.parse().ok());
        purpose.map_or_else(|| Self::File(value.into()), Self::For)
    }
}

/// The option for gold links.
const GOLD: &str = "--gold";

/// What was read.
#[derive(Debug)]
pub(crate) struct ReadSupervision {
    supervision: Supervision,
    dictionary: Option<Entries>,
    links: Option<LineLinks>,
    gold: Option<ReadGold>,
    /// How many pairs have links.
    linked: Option<usize>,
}

/// The entries of a dictionary.
#[derive(Debug, Clone, Copy)]
struct Entries {
    used: usize,
    several_words: u64,
    others: u64,
}

impl SupervisionArgs {
    /// The first option that is given and needs training.
    pub(crate) fn given(&self) -> Option<&'static str> {
        self.paths().map(|(name, _)| name).find(|&name| name != GOLD)
    }

    /// The file of known links; the first, if several are given.
    fn known_links(&self) -> Option<&Path> {
        self.links.iter().find_map(|value| match value {
            LinksValue::File(path) => Some(&**path),
            LinksValue::For(_) => None,
        })
    }

    /// What links are for, if that is given.
    pub(crate) fn purpose(&self) -> Option<Purpose> {
        self.links.iter().find_map(|value| match value {
            LinksValue::File(_) => None,
            LinksValue::For(purpose) => Some(*purpose),
        })
    }

    /// Refuses two files of links, and two purposes.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let files = self.links.iter().filter(|value| matches!(value, LinksValue::File(_))).count();
        if files > 1 || self.links.len() - files > 1 {
            bail!("--links is given twice: at most one file, and one of sure, balanced and full");
        }
        Ok(())
    }

    /// Reads the gold links.
    pub(crate) fn read_gold(&self) -> Result<Option<ReadGold>> {
        let Self { gold, annotated_only, .. } = self;
        gold.as_deref().map(|path| ReadGold::read(path, *annotated_only)).transpose()
    }

    /// What is asked of the model.
    pub(super) fn features(&self) -> impl Iterator<Item = Feature> {
        let dictionary = self.dictionary.is_some().then_some(Feature::Dictionary);
        let links = self.known_links().map(|_| Feature::Links);
        dictionary.into_iter().chain(links).chain(self.gold.is_some().then_some(Feature::Gold))
    }

    /// The files, with the options that name them.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let paths = [
            ("--dictionary", self.dictionary.as_deref()),
            ("--links", self.known_links()),
            (GOLD, self.gold.as_deref()),
        ];
        paths.into_iter().filter_map(|(name, path)| Some((name, path?)))
    }

    /// Reads them; words are read as those of the text.
    pub(super) fn read(&self, options: &ReadOptions) -> Result<ReadSupervision> {
        let read = |path: &PathBuf| {
            dictionary::read(LineReader::open(path, options.utf8)?, self.dictionary_format.into(), options)
        };
        let ReadDictionary { dictionary, several_words, others } =
            self.dictionary.as_ref().map(read).transpose()?.unwrap_or_default();
        let entries = self.dictionary.is_some().then(|| Entries { used: dictionary.len(), several_words, others });
        let links = self.known_links().map(LineLinks::read).transpose()?;
        let supervision = Supervision::default().with(|c| {
            c.dictionary = dictionary;
            c.links = links.iter().flat_map(LineLinks::given).collect();
        });
        let linked = links.is_some().then_some(supervision.links.len());
        let gold = self.read_gold()?;
        Ok(ReadSupervision { supervision, dictionary: entries, links, gold, linked })
    }
}

impl ReadSupervision {
    /// Refuses links that a text does not have.
    pub(super) fn check(&self, bitext: &Bitext) -> Result<()> {
        self.links.as_ref().map_or(Ok(()), |links| links.check(bitext))?;
        self.gold.as_ref().map_or(Ok(()), |gold| gold.check(bitext))
    }

    /// The gold links.
    pub(super) fn gold(&self) -> GoldLinks {
        self.gold.as_ref().map_or_else(GoldLinks::default, |gold| gold.links().clone())
    }

    /// Says so if a dictionary has nothing that could be used; that what it has is of no use is told in training.
    pub(super) fn warn(&self, context: &Context) {
        if let Some(Entries { used: 0, several_words, .. }) = self.dictionary
            && several_words > 0
        {
            context.warn(format_args!("all {several_words} dictionary entries have several words and are ignored"));
        }
    }

    /// What is known, for training; the rest stays.
    pub(super) fn take(&mut self) -> Supervision {
        std::mem::take(&mut self.supervision)
    }

    /// Tells how well pairs with gold links are aligned.
    pub(crate) fn tell_gold(&self, scores: Option<&GoldScores>, context: &Context) -> Result<()> {
        self.gold.as_ref().zip(scores).map_or(Ok(()), |(gold, scores)| gold.tell(scores, context))
    }

    /// Names and values: for people, and for programs. Given is how many pairs of words of the text the dictionary has.
    pub(crate) fn summary(&self, met: usize) -> Vec<(&'static str, String, Value)> {
        let mut lines = Vec::new();
        if let Some(Entries { used, several_words, others }) = self.dictionary {
            // Writing to a string cannot fail.
            let mut text = format!("{used} entries, {met} of them found in the text");
            if several_words > 0 {
                let _ = write!(text, "; {several_words} with several words ignored");
            }
            if others > 0 {
                let others = counted(others, "line");
                let _ = write!(text, "; {others} ignored (NULL word, probability 0, or not a translation)");
            }
            let numbers = json!({ "entries": used, "met": met, "several_words": several_words, "others": others });
            lines.push(("dictionary", text, numbers));
        }
        if let Some(pairs) = self.linked {
            lines.push(("given", format!("links of {}", counted(pairs as u64, "pair")), json!({ "pairs": pairs })));
        }
        lines
    }
}
