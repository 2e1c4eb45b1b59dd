//! `convert --units-to`: carries links over from the words of trees to surface tokens, or back.
//!
//! In CoNLL-U one token can stand for several words, such as French `aux` for `à les`. To words, a link of a token
//! becomes links of all its words; to tokens, each link goes to the token of its word. Where several links become one,
//! a sure link wins over a possible one, then the greater weight. Words of the new kind replace those in the record.
//!
//! The trees must have as many sentences as the links, and sentences of the right length if the links come with words.

use std::path::{Path, PathBuf};

use alinea::alignment::Link;
use alinea::error::{Error, ErrorKind};
use alinea::format::alignment::{LinkRecord, PairRecord, TokenList};
use alinea::tree::{ParsedSentence, Roots, Surface};
use anyhow::bail;

use crate::input::kind::Rare as _;
use crate::input::links::{LinkReader, counted};
use crate::input::trees::{TreeFile, Units};

/// Between what links are to be, and the trees that say which words a token has.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Words and tokens")]
pub(super) struct UnitArgs {
    /// Transfer links to these units; all words of a token get its links
    #[arg(long, value_name = "WHAT", value_enum, requires_all = ["source_trees", "target_trees"], rare = true)]
    units_to: Option<Units>,
    /// Source sentences (CoNLL-U)
    #[arg(long, value_name = "FILE", requires = "units_to", conflicts_with = "source", rare = true)]
    source_trees: Option<PathBuf>,
    /// Target sentences (CoNLL-U)
    #[arg(long, value_name = "FILE", requires = "units_to", conflicts_with = "target", rare = true)]
    target_trees: Option<PathBuf>,
}

impl UnitArgs {
    /// The files, by the names of their options.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--source-trees", &self.source_trees), ("--target-trees", &self.target_trees)];
        files.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?)))
    }

    /// Whether the words of both sides will be known.
    pub(super) fn has_words(&self) -> bool {
        self.units_to.is_some()
    }

    /// Opens the files, if they are asked for.
    pub(super) fn open(&self) -> anyhow::Result<Option<UnitTrees>> {
        let (Some(units), Some(source), Some(target)) = (self.units_to, &self.source_trees, &self.target_trees) else {
            return Ok(None);
        };
        let files = [TreeFile::open(source, Roots::Many)?, TreeFile::open(target, Roots::Many)?];
        Ok(Some(UnitTrees { to: units, files }))
    }
}

/// The trees of both sides, beside the links.
#[derive(Debug)]
pub(super) struct UnitTrees {
    to: Units,
    files: [TreeFile; 2],
}

impl UnitTrees {
    /// Carries the links of the current pair over, and puts the words of the new kind beside them.
    pub(super) fn carry(&mut self, links: &mut LinkReader) -> anyhow::Result<()> {
        for file in &mut self.files {
            if !file.read()? {
                let sentences = counted(file.number(), "sentence");
                let message = format!("{} ends after {sentences}, {} has more pairs", file.name(), links.name());
                return Err(Error::from(ErrorKind::Inconsistent(message)).into());
            }
        }
        let sentences = self.files.each_ref().map(TreeFile::sentence);
        let surfaces = sentences.map(ParsedSentence::surface);
        let [source, target] = surfaces.each_ref().map(|surface| match self.to {
            Units::Words => surface.len(),
            Units::Tokens => surface.words(),
        });
        links.check_range(source, target)?;
        let position = links.position();
        let record = links.record_mut();
        for (own, length, side) in [(&record.source, source, "source"), (&record.target, target, "target")] {
            if let Some(own) = own.as_ref().filter(|own| own.len() != length) {
                bail!("{position}: {} {side} words, {length} in the trees", own.len());
            }
        }
        carry_record(record, &surfaces, self.to);
        let [source, target] = sentences.map(|sentence| words(sentence, self.to));
        (record.source, record.target) = (Some(source), Some(target));
        Ok(())
    }

    /// After the last pair: refuses sentences that are left.
    pub(super) fn finish(&mut self, links: &LinkReader) -> anyhow::Result<()> {
        for file in &mut self.files {
            let sentences = file.count_all()?;
            if sentences != links.number() {
                let (pairs, sentences) = (counted(links.number(), "pair"), counted(sentences, "sentence"));
                let names = [links.name(), file.name()];
                let message = format!("unequal lengths: {} has {pairs}, {} has {sentences}", names[0], names[1]);
                return Err(Error::from(ErrorKind::Inconsistent(message)).into());
            }
        }
        Ok(())
    }
}

/// Links of the other kind; of several that fall together the sure one stays, and then the heaviest.
fn carry_record(record: &mut PairRecord, [source, target]: &[Surface; 2], to: Units) {
    let carried = |side: &Surface, position: u32| match to {
        Units::Words => side.words_of(position),
        Units::Tokens => {
            let token = side.token_of(position).unwrap_or_default();
            token..token + 1
        }
    };
    let mut links: Vec<LinkRecord> = Vec::with_capacity(record.links.len());
    for old in &record.links {
        for source in carried(source, old.link.source) {
            let targets = carried(target, old.link.target);
            links.extend(targets.map(|target| LinkRecord { link: Link { source, target }, ..*old }));
        }
    }
    record.links = links;
    record.normalize();
    // Where words stood in a line says nothing of the new ones.
    (record.source_offsets, record.target_offsets) = (None, None);
}

fn words(sentence: &ParsedSentence, units: Units) -> TokenList {
    match units {
        Units::Words => sentence.words().map(|word| word.form()).collect(),
        Units::Tokens => sentence.surface_forms().collect(),
    }
}
