//! `alinea-dev features`: what a decision sees of the cells of gold standards, for `scripts/fit_decision.py`.
//!
//! Each set is aligned by itself, with an encoder. For each candidate cell of a judged pair there are, as binary32, little-endian:
//! the number of the pair among those judged; 1 for a sure link, 0.5 for a possible one, otherwise 0; whether it counts (it
//! does not in sets of content words where a word has no link); the mean posterior; how far the encoder is trusted; and the
//! features. A line of JSON on standard output has the number of sure links of each judged pair.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use alinea::align::{EncodedPairs, PairEncoder, Request, TrainingData, Wants};
use alinea::alignment::{AnnotatedWords, GoldAlignment, Link};
use alinea::encoder::{Encoder, EncoderOptions};
use alinea::model::ModelName;
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;
use anyhow::{Context, Result};

use crate::sets::GoldSet;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with `gold` and `bitext`.
    data: PathBuf,
    /// GOLD, with @odd or @even for these lines of the gold standard.
    set: String,
    /// The file to write.
    output: PathBuf,
    /// The folder of the encoder.
    #[arg(long)]
    encoder: PathBuf,
    /// The model: agreement-loo or quality.
    #[arg(long, default_value = "agreement-loo")]
    model: ModelName,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let parallelism = Parallelism::new(1)?;
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let GoldSet { bitext, gold, judged, content_words } = GoldSet::read(&args.data, &args.set, 1.0, &parallelism)?;
    let bitext = bitext.bitext();
    let encoder = Encoder::open(args.encoder.clone(), EncoderOptions::default())?;
    // As they were written: the text that is aligned is in lower case.
    let folder = args.data.join("gold").join(args.set.split('@').next().unwrap_or_default());
    let read = |name: &str| -> Result<Vec<String>> {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(text.lines().map(str::to_owned).collect())
    };
    let written = [read("src.txt")?, read("tgt.txt")?];
    let encode = |numbers: &[usize], work: Work<'_>| {
        let [source, target] = [0, 1].map(|side| numbers.iter().map(|&n| written[side][n].clone()).collect::<Vec<_>>());
        encoder.encode_sentences([&source, &target], None, work)
    };
    let request = Request::default().with(|c| c.model = args.model);
    let data = TrainingData::of(bitext.clone())?.build()?;
    let (trained, data) = PairEncoder::new(Some(EncodedPairs::All), encode).train(&request.recipe()?, data, work)?;
    let trust = trained.evidence().map_or(0.0, |evidence| evidence.trust() as f32);
    let mut finder = trained.finder(&data, Wants { posteriors: true, ..Wants::default() });
    let mut out = BufWriter::new(File::create(&args.output).with_context(|| args.output.display().to_string())?);
    for (place, &n) in judged.iter().enumerate() {
        let mut rows: Vec<f32> = Vec::new();
        let annotated = content_words.then(|| AnnotatedWords::of(gold[n].possible()));
        finder.features(n, |start, [sources, targets], features, means| {
            for (source, target) in (0..sources).flat_map(|source| (0..targets).map(move |target| (source, target))) {
                if features.is_candidate(source, target) {
                    let link = Link::new(start[0] + source as u32, start[1] + target as u32);
                    let counts = annotated.as_ref().is_none_or(|words| words.both(link));
                    let mean = means[source * targets + target];
                    rows.extend([place as f32, right(&gold[n], link), f32::from(u8::from(counts)), mean, trust]);
                    rows.extend(features.of(source, target));
                }
            }
        });
        for value in rows {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    out.flush()?;
    let sure: Vec<usize> = judged.iter().map(|&n| gold[n].sure().len()).collect();
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&sure)?)?;
    Ok(())
}

fn right(gold: &GoldAlignment, link: Link) -> f32 {
    match (gold.sure().contains(link), gold.possible().contains(link)) {
        (true, _) => 1.0,
        (false, true) => 0.5,
        (false, false) => 0.0,
    }
}
