//! The input of `alinea project`: trees of both sides, and files of links read in step with them.
//!
//! `TreePairs` reads two CoNLL-U files, `LinkLines` a file of links, each one sentence pair at a time. All must have
//! the same number of pairs; with `--first` files of links may go on after the trees. Links outside the sentences are
//! errors. NAACL files are refused, as they do not have a record for each pair.
//!
//! With `--units tokens` files of links are between surface tokens, such as French `aux` for the words `à les`. When
//! they are read, a link becomes links between all words of both tokens; `in_units` turns links between words back. A
//! confidence is given to all words of its tokens, and is 1 for a link without weight.

use std::path::{Path, PathBuf};

use alinea::alignment::{Alignment, WeightedLink};
use alinea::error::{Error, ErrorKind};
use alinea::tree::{ParsedSentence, Roots, Surface};

use crate::failure::WithHint;
use crate::input::kind::Rare as _;
use crate::input::links::{LinkFormat, LinkReader, counted};
use crate::input::trees::{RootsName, TreeFile, Units, unequal};

/// The trees, and how they are read.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TreeArgs {
    /// Trees of the source sentences (CoNLL-U)
    #[arg(value_name = "SOURCE", required = true)]
    pub(super) source: Option<PathBuf>,
    /// Trees of the target sentences
    #[arg(value_name = "TARGET", required = true)]
    pub(super) target: Option<PathBuf>,
    /// Number of roots a tree may have
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = RootsName::One, help_heading = "Reading")]
    #[arg(rare = true)]
    pub(super) roots: RootsName,
    /// Units that links connect
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Units::Words, help_heading = "Reading")]
    pub(super) units: Units,
    /// Read only the first lines of link files that are longer than the trees
    #[arg(long, help_heading = "Reading")]
    pub(super) first: bool,
}

impl TreeArgs {
    /// The two files.
    pub(super) fn paths(&self) -> [&Path; 2] {
        // Both are required where there is no subcommand.
        [&self.source, &self.target].map(|path| path.as_deref().unwrap_or(Path::new("-")))
    }
}

/// Sentence pairs with trees, one by one.
pub(super) struct TreePairs {
    files: [TreeFile; 2],
}

/// A sentence pair with trees.
#[derive(Debug, Default)]
pub(super) struct Sentences {
    pub(super) source: ParsedSentence,
    pub(super) target: ParsedSentence,
}

impl TreePairs {
    pub(super) fn open([source, target]: [&Path; 2], roots: RootsName) -> anyhow::Result<Self> {
        let open = |path| TreeFile::open(path, Roots::from(roots));
        Ok(Self { files: [open(source)?, open(target)?] })
    }

    /// The next pair, if there is one.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Sentences>> {
        let [source, target] = &mut self.files;
        match (source.read()?, target.read()?) {
            (true, true) => Ok(Some(Sentences { source: source.take(), target: target.take() })),
            (false, false) => Ok(None),
            _ => {
                let counts = (source.count_all()?, target.count_all()?);
                Err(unequal(source.name(), counts.0, target.name(), counts.1).into())
            }
        }
    }

    /// The number of the pair read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.files[0].number()
    }

    /// What the source file is called.
    pub(super) fn name(&self) -> &str {
        self.files[0].name()
    }
}

/// Links of a file, line by line beside the trees.
pub(super) struct LinkLines {
    reader: LinkReader,
    units: Units,
    first: bool,
}

impl LinkLines {
    pub(super) fn open(path: &Path, trees: &TreeArgs) -> anyhow::Result<Self> {
        let format = LinkFormat { base_option: "alinea convert --base-from", ..LinkFormat::default() };
        let reader = LinkReader::open(&[path.to_path_buf()], &format)?;
        reader.check_by_line()?;
        Ok(Self { reader, units: trees.units, first: trees.first })
    }

    /// The links of the next pair, the trees of which are known.
    pub(super) fn next(&mut self, pair: &Sentences, trees: &TreePairs) -> anyhow::Result<Alignment> {
        self.read(pair, trees)?;
        Ok(match self.units {
            Units::Words => self.reader.record().alignment(),
            Units::Tokens => {
                let [source, target] = surfaces(pair);
                Surface::words_of_tokens(&self.reader.record().alignment(), &source, &target)?
            }
        })
    }

    /// The links of the next pair with their confidences, sorted; 1 for those that have none.
    pub(super) fn next_weighted(&mut self, pair: &Sentences, trees: &TreePairs) -> anyhow::Result<Vec<WeightedLink>> {
        self.read(pair, trees)?;
        let mut weighted: Vec<WeightedLink> = Vec::new();
        let [source, target] = surfaces(pair);
        for record in &self.reader.record().links {
            let weight = record.weight.unwrap_or(1.0);
            let links = match self.units {
                Units::Words => [record.link].as_slice().to_vec(),
                Units::Tokens => {
                    let single = Alignment::from_links(vec![record.link]);
                    Surface::words_of_tokens(&single, &source, &target)?.links().to_vec()
                }
            };
            weighted.extend(links.into_iter().map(|link| WeightedLink { link, weight }));
        }
        weighted.sort_by_key(|weighted| weighted.link);
        weighted.dedup_by_key(|weighted| weighted.link);
        Ok(weighted)
    }

    /// After the last pair: refuses lines that are left.
    pub(super) fn finish(&mut self, trees: &TreePairs) -> anyhow::Result<()> {
        if self.first {
            return Ok(());
        }
        let lines = self.reader.count_all()?;
        if lines == trees.number() {
            return Ok(());
        }
        Err(Error::unequal_lengths(trees.name(), trees.number(), self.reader.name(), lines))
            .hint("--first ignores the lines after the last tree")
    }

    fn read(&mut self, pair: &Sentences, trees: &TreePairs) -> anyhow::Result<()> {
        if !self.reader.read()? {
            let lines = counted(self.reader.number(), "line");
            let message = format!("{} ends after {lines}, {} has more sentences", self.reader.name(), trees.name());
            return Err(Error::from(ErrorKind::Inconsistent(message)).into());
        }
        let [source, target] = match self.units {
            Units::Words => [pair.source.len(), pair.target.len()],
            Units::Tokens => surfaces(pair).map(|surface| surface.len()),
        };
        self.reader.check_range(source, target)
    }
}

fn surfaces(pair: &Sentences) -> [Surface; 2] {
    [pair.source.surface(), pair.target.surface()]
}

/// Links between words as links between what is asked for.
pub(super) fn in_units(links: Alignment, pair: &Sentences, units: Units) -> anyhow::Result<Alignment> {
    match units {
        Units::Words => Ok(links),
        Units::Tokens => {
            let [source, target] = surfaces(pair);
            Ok(Surface::tokens_of_words(&links, &source, &target)?)
        }
    }
}
