//! `alinea-dev features`: what a decision sees of the cells of gold standards, for `scripts/fit_decision.py`.
//!
//! Each set is aligned with the text that is added to it, if there is some, or by a model that was trained on that alone; with
//! an encoder, its own lines are encoded. For each candidate cell of a judged pair there are, as binary32, little-endian: the
//! number of the pair among those judged; 1 for a sure link, 0.5 for a possible one, otherwise 0; whether it counts (it
//! does not in sets of content words where a word has no link); the mean posterior; how far the encoder is trusted, 0 without;
//! and the features. A line of JSON on standard output has the number of sure links of each judged pair.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use alinea::align::{
    DecidingFinder, EncodedPairs, Finder, PairEncoder, Recipe, Request, SavedAligner, Trained, TrainingData, Wants,
};
use alinea::alignment::{AnnotatedWords, GoldAlignment, Link};
use alinea::encoder::{Encoder, EncoderOptions};
use alinea::model::{Model, ModelName, TextForm};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;
use anyhow::{Context, Result};

use crate::sets::{GoldSet, WrittenLines};

/// What is to be found.
const POSTERIORS: Wants = Wants { posteriors: true, paths: false, scores: false };

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with `gold` and `bitext`.
    data: PathBuf,
    /// GOLD, GOLD+BITEXT or GOLD+BITEXT:N, with ~ before the bitext to exchange its sides, and @odd or @even for these lines of the
    /// gold standard.
    set: String,
    /// The file to write.
    output: PathBuf,
    /// The folder of an encoder.
    #[arg(long)]
    encoder: Option<PathBuf>,
    /// Train on the added text alone, and align the gold standard as new text.
    #[arg(long, conflicts_with = "encoder")]
    frozen: bool,
    /// The model: agreement-loo or quality.
    #[arg(long, default_value = "agreement-loo")]
    model: ModelName,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let parallelism = Parallelism::new(1)?;
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let set = GoldSet::read(&args.data, &args.set, &parallelism)?;
    let recipe = Request::default().with(|c| c.model = args.model).recipe()?;
    let rows = if args.frozen { of_new_text(&set, recipe, work)? } else { of_own_text(args, &set, recipe, work)? };
    let mut out = BufWriter::new(File::create(&args.output).with_context(|| args.output.display().to_string())?);
    for value in rows {
        out.write_all(&value.to_le_bytes())?;
    }
    out.flush()?;
    let sure: Vec<usize> = set.judged.iter().map(|&n| set.gold[n].sure().len()).collect();
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&sure)?)?;
    Ok(())
}

/// The cells of a gold standard that is a part of the text trained on.
fn of_own_text(args: &Args, set: &GoldSet, recipe: Recipe, work: Work<'_>) -> Result<Vec<f32>> {
    let data = set.training_data(1.0)?;
    let (trained, data) = match &args.encoder {
        Some(encoder) => encoded(args, encoder, &recipe, data, work)?,
        None => (Trained::train(recipe, &data, None, work)?, data),
    };
    let trust = trained.evidence().map_or(0.0, |evidence| evidence.trust() as f32);
    Ok(cells(set, trained.finder(&data, POSTERIORS), trust))
}

/// Trains with the vectors of the lines of the gold standard.
fn encoded(
    args: &Args,
    encoder: &Path,
    recipe: &Recipe,
    data: TrainingData,
    work: Work<'_>,
) -> Result<(Trained, TrainingData)> {
    let encoder = Encoder::open(encoder, EncoderOptions::default())?;
    let lines = WrittenLines::read(&args.data, &args.set)?;
    let encode = |numbers: &[usize], work: Work<'_>| lines.encode(&encoder, numbers, work);
    Ok(PairEncoder::new(Some(EncodedPairs::All), encode).train(recipe, data, work)?)
}

/// The cells of a gold standard that is new to a model of the added text.
fn of_new_text(set: &GoldSet, recipe: Recipe, work: Work<'_>) -> Result<Vec<f32>> {
    let data = TrainingData::of(set.added()?)?.build()?;
    let mut file = Vec::new();
    Trained::train(recipe, &data, None, work)?.save(&data, TextForm::default(), &mut file)?;
    let model = Model::from_bytes(file)?;
    let gold = set.own()?;
    let text = model.read(&gold);
    let aligner = SavedAligner::new(&model, POSTERIORS)?;
    Ok(cells(set, aligner.finder(&text), 0.0))
}

/// The candidate cells of the judged pairs.
fn cells<F: Finder>(set: &GoldSet, mut finder: DecidingFinder<'_, F>, trust: f32) -> Vec<f32> {
    let mut rows = Vec::new();
    for (place, &n) in set.judged.iter().enumerate() {
        let gold = &set.gold[n];
        let annotated = set.content_words.then(|| AnnotatedWords::of(gold.possible()));
        finder.features(n, |start, [sources, targets], features, means| {
            for (source, target) in (0..sources).flat_map(|source| (0..targets).map(move |target| (source, target))) {
                if features.is_candidate(source, target) {
                    let link = Link::new(start[0] + source as u32, start[1] + target as u32);
                    let counts = annotated.as_ref().is_none_or(|words| words.both(link));
                    let mean = means[source * targets + target];
                    rows.extend([place as f32, right(gold, link), f32::from(u8::from(counts)), mean, trust]);
                    rows.extend(features.of(source, target));
                }
            }
        });
    }
    rows
}

fn right(gold: &GoldAlignment, link: Link) -> f32 {
    match (gold.sure().contains(link), gold.possible().contains(link)) {
        (true, _) => 1.0,
        (false, true) => 0.5,
        (false, false) => 0.0,
    }
}
