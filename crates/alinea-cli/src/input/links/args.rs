//! The options of the verbs that read links, and perhaps a gold standard beside them.

use alinea::format::alignment::{AlignmentFormat, Base, LinkReadOptions};

use super::{LinkFormat, base_parser, format_parser, sentences};

/// How links and a gold standard are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct LinkArgs {
    /// Format of the links [default: by file name, otherwise pharaoh]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<AlignmentFormat>,
    /// Format of the gold standard [default: by file name, otherwise pharaoh]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    gold_format: Option<AlignmentFormat>,
    /// Index of the first word [default: 0 in pharaoh, comtrans and jsonl, 1 in talp and naacl]
    #[arg(long, value_name = "BASE", value_parser = base_parser())]
    base: Option<Base>,
    /// Index of the first word in the gold standard [default: as for the links]
    #[arg(long, value_name = "BASE", value_parser = base_parser())]
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

impl LinkArgs {
    /// Reads the names of the sentences, if there is a file of them, and says how each file is read.
    pub(crate) fn formats(&self) -> anyhow::Result<LinkFormats> {
        let sentences = self.sentences.as_deref().map(sentences).transpose()?;
        let format = |format, base, base_option| {
            let options = LinkReadOptions::default().with(|c| {
                c.base = base;
                c.sentences.clone_from(&sentences);
            });
            LinkFormat { format, options, base_option }
        };
        Ok(LinkFormats {
            links: format(self.format, self.base, "--base"),
            gold: format(self.gold_format, self.gold_base, "--gold-base"),
        })
    }
}
