//! The options of LRscore (Birch and Osborne 2010): source, links, the order score, and its weight.
//!
//! LRscore needs the tokenized source, and links from it to each system and each reference; a wrong number of files is
//! an error before any is opened. `LrArgs::open` makes streams of lines with links (`linked_streams`), `metric`
//! combines the order score with a BLEU that has the options in `bleu`. `any` tells `choice` that files are given that
//! no other metric reads. The metric is in `alinea::metric::order`.

use std::path::{Path, PathBuf};

use alinea::metric::bleu::Bleu;
use alinea::metric::order::{LinkedLrScore, LrScore, OrderScore};
use anyhow::bail;

use super::super::input::Streams;
use super::super::linked_streams::LinkedStreams;
use crate::input::kind::Rare as _;
use crate::input::links::counted;

/// What LRscore reads besides lines, and how it mixes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "LRscore")]
#[expect(clippy::struct_field_names, reason = "they are the names of the options")]
pub(super) struct LrArgs {
    /// Tokenized source sentences, one per line
    #[arg(long, value_name = "FILE", rare = true)]
    lr_source: Option<PathBuf>,
    /// Links from the source to each system, one file each
    #[arg(long, value_name = "FILE", num_args = 1.., rare = true)]
    lr_links: Vec<PathBuf>,
    /// Links from the source to each reference, one file each
    #[arg(long, value_name = "FILE", num_args = 1.., rare = true)]
    lr_reference_links: Vec<PathBuf>,
    /// Weight of word order, from 0 to 1; the rest is BLEU
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, rare = true)]
    lr_alpha: f64,
    /// How to compare orders: hamming, kendall, kendall-sqrt, tau, spearman, footrule, ulam or fuzzy
    #[arg(long, value_name = "NAME", default_value_t = OrderScore::KendallSquareRoot, hide_possible_values = true,
        rare = true)]
    lr_order: OrderScore,
}

impl LrArgs {
    /// Whether files are given that no other metric reads.
    pub(super) fn any(&self) -> bool {
        self.lr_source.is_some() || !self.lr_links.is_empty() || !self.lr_reference_links.is_empty()
    }

    /// The files, with what names them.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let source = self.lr_source.iter().map(|path| ("--lr-source", path.as_path()));
        let links = self.lr_links.iter().map(|path| ("--lr-links", path.as_path()));
        let of_references = self.lr_reference_links.iter().map(|path| ("--lr-reference-links", path.as_path()));
        source.chain(links).chain(of_references)
    }

    /// The metric, with this BLEU.
    pub(super) fn metric(&self, bleu: Bleu) -> anyhow::Result<LinkedLrScore> {
        Ok(LinkedLrScore::new(LrScore::new(self.lr_order, self.lr_alpha)?, bleu))
    }

    /// Opens source and links beside the lines of so many systems and references.
    pub(super) fn open(&self, lines: Streams, systems: usize, references: usize) -> anyhow::Result<LinkedStreams> {
        let Some(source) = &self.lr_source else {
            bail!("lr compares orders of the source words: it needs --lr-source")
        };
        for (option, found, needed, what) in [
            ("--lr-links", self.lr_links.len(), systems, "system"),
            ("--lr-reference-links", self.lr_reference_links.len(), references, "reference"),
        ] {
            if found != needed {
                let found = counted(found as u64, "file");
                bail!("{option} has {found}, but needs {needed}: one for each {what}");
            }
        }
        LinkedStreams::open(lines, source, &[&self.lr_links[..], &self.lr_reference_links].concat())
    }
}
