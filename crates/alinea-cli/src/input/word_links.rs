//! The links between the words of a text: those of a file, or made here, by a saved model or by one that is trained on the words.
//!
//! Made here they are all candidates with a probability of at least 0.01; in files, links without a probability have 0.9.

use std::path::{Path, PathBuf};

use alinea::align::{Found, Request, SavedAligner, Trained, TrainingData, TrainingDataBuilder, Wants};
use alinea::alignment::{Alignment, WeightedLink};
use alinea::bitext::{Bitext, Text};
use alinea::error::Error;
use alinea::format::alignment::{LinkRecord, PairRecord};
use alinea::format::bitext::{BitextSource, ReadOptions};
use alinea::format::pairs::PairOptions;
use alinea::model::Model;
use alinea::parallel::Work;
use alinea::project::labels::UNWEIGHTED;

use crate::input::links::{LinkFormatArgs, LinkReader};
use crate::input::training::AddedArgs;

/// The least probability of a link that is made here.
const LEAST: f32 = 0.01;

/// Where links come from.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Links")]
pub(crate) struct LinkSourceArgs {
    /// Links, best with confidences, as `alinea align --posteriors` writes them [default: align the words]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model_file", "files", "joint", "weights"])]
    pub(crate) links: Option<PathBuf>,
    #[command(flatten)]
    format: LinkFormatArgs,
    /// Model written by `alinea train`, to align the words with
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["files", "joint", "weights"])]
    pub(crate) model_file: Option<PathBuf>,
    #[command(flatten)]
    added: AddedArgs,
}

/// The words of a text, by sentence.
pub(crate) type Sentences<'w> = [Vec<&'w str>];

impl LinkSourceArgs {
    /// The files, with the options that name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let single = [("--links", &self.links), ("--model-file", &self.model_file)];
        let single = single.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?)));
        single.chain(self.added.paths())
    }

    /// Refuses what is not allowed before anything is read.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        Ok(self.added.check()?)
    }

    /// The file of links, if they come from one.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.links.as_deref()
    }

    /// Opens a file of links, of which line n is of pair n.
    pub(crate) fn open(&self, path: &Path) -> anyhow::Result<LinkReader> {
        let reader = LinkReader::open(&[path.to_path_buf()], &self.format.format(None))?;
        reader.check_by_line()?;
        Ok(reader)
    }

    /// The links of each pair, with confidences; `name` is that of the file that the number of pairs comes from.
    pub(crate) fn links(
        &self,
        name: &str,
        sides: [&Sentences<'_>; 2],
        work: Work<'_>,
    ) -> anyhow::Result<Vec<Vec<WeightedLink>>> {
        if let Some(path) = &self.links {
            let weighted =
                |link: &LinkRecord| WeightedLink { link: link.link, weight: link.weight.unwrap_or(UNWEIGHTED) };
            return self.read(path, name, sides, |record| record.links.iter().map(weighted).collect());
        }
        let weighted = |found: Found<'_>| found.posteriors.map_or_else(Vec::new, |all| all.weighted_links(LEAST));
        let wants = Wants { posteriors: true, ..Wants::default() };
        if let Some(path) = &self.model_file {
            let model = Model::open(path)?;
            let text = words(sides, model.form().lowercase)?;
            let text = model.read(&text);
            return Ok(SavedAligner::new(&model, wants)?.each(&text, weighted, work)?);
        }
        let data = self.training(sides, work)?.build()?;
        let trained = Trained::train(Request::default().recipe()?, &data, None, work)?;
        Ok(trained.each(&data, wants, weighted, work)?)
    }

    /// The links of each pair that `alinea align` would write; of a file, all that it has.
    pub(crate) fn decided(
        &self,
        name: &str,
        sides: [&Sentences<'_>; 2],
        work: Work<'_>,
    ) -> anyhow::Result<Vec<Alignment>> {
        if let Some(path) = &self.links {
            return self.read(path, name, sides, PairRecord::alignment);
        }
        let found = if let Some(path) = &self.model_file {
            let model = Model::open(path)?;
            let text = words(sides, model.form().lowercase)?;
            let text = model.read(&text);
            let decoding = Request::default().decoding_of(&model)?;
            SavedAligner::new(&model, Wants::of(decoding.rule))?.links(&text, decoding, work)?
        } else {
            let data = self.training(sides, work)?.build()?;
            let plan = Request::default().plan()?;
            Trained::train(plan.recipe, &data, None, work)?.links(&data, plan.decoding, work)?
        };
        Ok(found.into_iter().map(|links| links.into_iter().map(|found| found.link).collect()).collect())
    }

    /// What a model is trained on: the words, and what is added.
    fn training(&self, sides: [&Sentences<'_>; 2], work: Work<'_>) -> anyhow::Result<TrainingDataBuilder> {
        let data = TrainingData::of(words(sides, true)?)?;
        let pairs = |path: &Path| BitextSource::Pairs { path: path.to_path_buf(), options: PairOptions::default() };
        Ok(self.added.read(pairs, &ReadOptions::default(), work.parallelism, data)?.0)
    }

    fn read<T>(
        &self,
        path: &Path,
        name: &str,
        [source, target]: [&Sentences<'_>; 2],
        take: impl Fn(&PairRecord) -> T,
    ) -> anyhow::Result<Vec<T>> {
        let mut reader = self.open(path)?;
        let mut links = Vec::with_capacity(source.len());
        for (source, target) in source.iter().zip(target) {
            if !reader.read()? {
                break;
            }
            reader.check_range(source.len(), target.len())?;
            links.push(take(reader.record()));
        }
        let lines = reader.count_all()?;
        if lines != source.len() as u64 {
            return Err(Error::unequal_lengths(name, source.len() as u64, reader.name(), lines).into());
        }
        Ok(links)
    }
}

/// The words as a text to align.
fn words(sides: [&Sentences<'_>; 2], lowercase: bool) -> anyhow::Result<Bitext> {
    let [source, target] = sides.map(|sentences| {
        let mut text = Text::default();
        for sentence in sentences {
            for word in sentence {
                if lowercase {
                    text.push_word(word.to_lowercase().as_bytes());
                } else {
                    text.push_word(word.as_bytes());
                }
            }
            text.end_sentence();
        }
        text
    });
    Ok(Bitext::new(source, target)?)
}
