//! The options of the verbs that read links, and perhaps a gold standard beside them.

use alinea::format::alignment::{AlignmentFormat, Base, LinkReadOptions, Sentences};

use super::{LinkFormat, base_parser, format_parser, sentences};
use crate::input::kind::Rare as _;

/// How links are read. `--base` is the former name of `--links-base`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LinkFormatArgs {
    /// Format of the links [default: by file name or content]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Reading")]
    links_format: Option<AlignmentFormat>,
    /// Index of the first word in the links [default: that of the format]
    #[arg(long, alias = "base", value_name = "BASE", value_parser = base_parser(), help_heading = "Reading")]
    #[arg(rare = true)]
    links_base: Option<Base>,
}

/// How links and a gold standard are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    links: LinkFormatArgs,
    /// Format of the gold standard [default: by file name or content]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    gold_format: Option<AlignmentFormat>,
    /// Index of the first word in the gold standard [default: that of its format, as for the links]
    #[arg(long, value_name = "BASE", value_parser = base_parser(), rare = true)]
    gold_base: Option<Base>,
    /// Sentences of a NAACL file: their number, or a file with their names, one per line
    #[arg(long, value_name = "N|FILE")]
    sentences: Option<String>,
}

/// What [`LinkArgs`] say of each file.
#[derive(Debug)]
pub(crate) struct LinkFormats {
    /// How the links are read.
    pub(crate) links: LinkFormat,
    /// How the gold standard is read.
    pub(crate) gold: LinkFormat,
}

impl LinkFormatArgs {
    /// Whether a format is named.
    pub(crate) fn is_given(&self) -> bool {
        self.links_format.is_some()
    }

    /// How the links are read, with what is known of the sentences of a NAACL file.
    pub(crate) fn format(&self, sentences: Option<Sentences>) -> LinkFormat {
        format(self.links_format, self.links_base, sentences, "--links-base")
    }
}

impl LinkArgs {
    /// Reads the names of the sentences, if there is a file of them, and says how each file is read.
    pub(crate) fn formats(&self) -> anyhow::Result<LinkFormats> {
        let sentences = self.sentences.as_deref().map(sentences).transpose()?;
        Ok(LinkFormats {
            links: self.links.format(sentences.clone()),
            gold: format(self.gold_format, self.gold_base, sentences, "--gold-base"),
        })
    }
}

fn format(
    format: Option<AlignmentFormat>,
    base: Option<Base>,
    sentences: Option<Sentences>,
    base_option: &'static str,
) -> LinkFormat {
    let options = LinkReadOptions::default().with(|c| {
        c.base = base;
        c.sentences = sentences;
    });
    LinkFormat { format, options, base_option }
}
