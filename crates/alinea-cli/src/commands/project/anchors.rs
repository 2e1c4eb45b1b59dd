//! The anchors of a projection, links that it starts from, and the confidences of candidates.
//!
//! Both come from files (`--links`, `--confidences`), or from an alignment made here. For that the default model is
//! trained on the words of the trees, in lower case, and on the text of `--add`; anchors are then the intersection of
//! the best paths of both directions, and confidences the mean posteriors of at least 0.01. The trees are read once
//! more for it, so that they cannot come from standard input.
//!
//! `--cognates` adds links between words that look alike, where each is the only cognate of the other (`cognate_links`)
//! and neither has an anchor.

use std::path::{Path, PathBuf};

use alinea::align::{Found, Request, Trained, TrainingData, Wants};
use alinea::alignment::{Alignment, Link, WeightedLink};
use alinea::bitext::{Bitext, Text};
use alinea::format::bitext::{self, BitextSource, ReadOptions};
use alinea::format::source::is_dash;
use alinea::parallel::{Parallelism, Work};
use alinea::project::links::cognate_links;
use anyhow::bail;

use super::input::{LinkLines, Sentences, TreeArgs, TreePairs};
use crate::input::kind::Rare as _;

/// The least confidence that candidates have.
const LEAST_CONFIDENCE: f32 = 0.01;

/// Where links are carried from.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Anchors")]
pub(super) struct AnchorArgs {
    /// Links to start from [default: intersection of both directions of alinea's aligner, trained on the words of the
    /// trees]
    #[arg(long, value_name = "FILE")]
    pub(super) links: Option<PathBuf>,
    /// Link confidences, as `alinea align --posteriors` writes them, for rules with weights
    #[arg(long, value_name = "FILE", requires = "links")]
    pub(super) confidences: Option<PathBuf>,
    /// Also start from cognates
    #[arg(long, rare = true)]
    pub(super) cognates: bool,
    /// Additional training text, if the words are aligned here: two files; may be given several times
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2, conflicts_with = "links")]
    pub(super) add: Vec<PathBuf>,
}

/// Anchors and confidences, pair by pair.
pub(super) struct Anchors {
    start: Start,
    cognates: bool,
}

enum Start {
    Files { links: Box<LinkLines>, confidences: Option<Box<LinkLines>> },
    Aligned(std::vec::IntoIter<(Alignment, Vec<WeightedLink>)>),
}

impl Anchors {
    /// Opens the files, or aligns the words.
    pub(super) fn new(args: &AnchorArgs, trees: &TreeArgs, work: Work<'_>) -> anyhow::Result<Self> {
        let start = match &args.links {
            Some(links) => {
                let confidences = args.confidences.as_deref();
                let confidences = confidences.map(|path| LinkLines::open(path, trees).map(Box::new)).transpose()?;
                Start::Files { links: Box::new(LinkLines::open(links, trees)?), confidences }
            }
            None => Start::Aligned(align(trees, &args.add, work)?.into_iter()),
        };
        Ok(Self { start, cognates: args.cognates })
    }

    /// Those of the next pair.
    pub(super) fn next(
        &mut self,
        pair: &Sentences,
        trees: &TreePairs,
    ) -> anyhow::Result<(Alignment, Vec<WeightedLink>)> {
        let (mut links, confidences) = match &mut self.start {
            Start::Files { links, confidences } => {
                let anchors = links.next(pair, trees)?;
                let weighted = confidences.as_mut().map(|lines| lines.next_weighted(pair, trees)).transpose()?;
                (anchors, weighted.unwrap_or_default())
            }
            Start::Aligned(aligned) => aligned.next().unwrap_or_default(),
        };
        if self.cognates {
            links = with_cognates(&links, pair);
        }
        Ok((links, confidences))
    }

    /// After the last pair: refuses lines that are left.
    pub(super) fn finish(&mut self, trees: &TreePairs) -> anyhow::Result<()> {
        if let Start::Files { links, confidences } = &mut self.start {
            links.finish(trees)?;
            if let Some(confidences) = confidences {
                confidences.finish(trees)?;
            }
        }
        Ok(())
    }
}

/// Cognates too, where neither word has a link.
fn with_cognates(links: &Alignment, pair: &Sentences) -> Alignment {
    let found = cognate_links(pair.source.words().map(|word| word.form()), pair.target.words().map(|word| word.form()));
    let mut source = vec![false; pair.source.len()];
    let mut target = vec![false; pair.target.len()];
    for link in links.iter() {
        source[link.source as usize] = true;
        target[link.target as usize] = true;
    }
    let free = |link: &Link| !source[link.source as usize] && !target[link.target as usize];
    links.union(&Alignment::from_links(found.iter().filter(free).collect()))
}

/// Aligns the words of the trees: the links of both directions, and the confidences in others.
fn align(trees: &TreeArgs, added: &[PathBuf], work: Work<'_>) -> anyhow::Result<Vec<(Alignment, Vec<WeightedLink>)>> {
    if trees.paths().into_iter().any(is_dash) {
        bail!("trees from standard input can be read only once: give the links to start from with --links");
    }
    let mut data = TrainingData::of(words(trees)?)?;
    for files in added.chunks_exact(2) {
        data = data.with_added(&read_added(&files[0], &files[1], work.parallelism)?, 1.0);
    }
    let data = data.build()?;
    let trained = Trained::train(Request::default().recipe()?, &data, None, work)?;
    let wants = Wants { posteriors: true, paths: true, scores: false };
    let anchors = |Found { posteriors, paths: [forward, reverse] }: Found<'_>| {
        let confidences = posteriors.map(|posteriors| posteriors.weighted_links(LEAST_CONFIDENCE));
        (forward.intersection(&reverse), confidences.unwrap_or_default())
    };
    Ok(trained.each(&data, wants, anchors, work)?)
}

/// The words of the trees, in lower case, as a text to align.
fn words(trees: &TreeArgs) -> anyhow::Result<Bitext> {
    let mut pairs = TreePairs::open(trees.paths(), trees.roots)?;
    let (mut source, mut target) = (Text::default(), Text::default());
    while let Some(pair) = pairs.next()? {
        for (sentence, text) in [(&pair.source, &mut source), (&pair.target, &mut target)] {
            for word in sentence.words() {
                text.push_word(word.form().to_lowercase().as_bytes());
            }
            text.end_sentence();
        }
    }
    Ok(Bitext::new(source, target)?)
}

fn read_added(source: &Path, target: &Path, parallelism: &Parallelism) -> anyhow::Result<Bitext> {
    let from = BitextSource::Files { source: source.to_path_buf(), target: target.to_path_buf() };
    Ok(bitext::read(&from, &ReadOptions::default(), parallelism)?.bitext)
}
