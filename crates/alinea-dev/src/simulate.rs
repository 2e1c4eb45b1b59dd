//! `alinea-dev simulate`: annotation with gold standards in the place of people.
//!
//! Each set (`sets`) is annotated in an order, with suggestions that learn from what was confirmed. A row has what was done when 5, 10, 20
//! and 50 % of the sentences were confirmed: corrections with suggestions that learn, with those made before the first sentence,
//! and without any, and the AER of the sentences that are left, with and without learning. Added text is learned from through a model
//! of both. `--counts` also writes the counts of these sentences, for intervals.

use std::io::Write;
use std::path::PathBuf;

use alinea::align::{EncodedPairs, PairEncoder, Request, Trained};
use alinea::annotate::{Corrections, Learner, Order, QueueWeights, Simulation, SimulationPoint, Teaching};
use alinea::encoder::{Encoder, EncoderOptions};
use alinea::evaluate::Counts;
use alinea::model::{Model, ModelName, TextForm};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;
use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::sets::{GoldSet, WrittenLines};

/// The shares of the sentences after which there is a row, in percent.
const SHARES: [usize; 4] = [5, 10, 20, 50];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with `gold` and `bitext`.
    data: PathBuf,
    /// Gold standards.
    #[arg(long = "set", required = true)]
    sets: Vec<String>,
    /// queue, text, or random:SEED.
    #[arg(long = "order", default_value = "queue")]
    orders: Vec<String>,
    /// What new words count beside expected errors.
    #[arg(long, default_value_t = QueueWeights::default().novelty)]
    novelty: f64,
    /// What looking at a pair takes, in words.
    #[arg(long, default_value_t = QueueWeights::default().cost)]
    cost: f64,
    /// Share of the sentences between two trainings, in percent.
    #[arg(long, default_value_t = 2.0)]
    batch: f64,
    /// Suggestions do not follow what the annotator links.
    #[arg(long)]
    no_guideline: bool,
    /// The model.
    #[arg(long, default_value = "agreement-loo")]
    model: ModelName,
    /// The folder of an encoder, whose word vectors help the model.
    #[arg(long)]
    encoder: Option<PathBuf>,
    /// Number of threads; 0 for one a core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Write the counts of the sentences that are left, too.
    #[arg(long)]
    counts: bool,
}

#[derive(Debug, Serialize)]
struct Row {
    set: String,
    order: String,
    share: usize,
    sentences: usize,
    words: u64,
    /// Learning, learning between sentences alone, fixed, nothing suggested.
    corrections: [u64; 4],
    aer: Option<f64>,
    aer_before: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<Vec<(usize, Counts)>>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let parallelism = Parallelism::new(args.threads)?;
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let mut out = std::io::stdout().lock();
    for name in &args.sets {
        let set = GoldSet::read(&args.data, name, &parallelism).with_context(|| name.clone())?;
        let request = Request::default().with(|request| request.model = args.model);
        let mut learner = Learner::new(set.own()?, &request, model(&set, &request, work)?, work)?;
        if let Some(encoder) = &args.encoder {
            let encoder = Encoder::open(encoder, EncoderOptions::default())?;
            let lines = WrittenLines::read(&args.data, name)?;
            let encode = |numbers: &[usize], work: Work<'_>| lines.encode(&encoder, numbers, work);
            let vectors = PairEncoder::new(Some(EncodedPairs::All), encode).encode(learner.data(), work)?;
            learner = learner.with_vectors(vectors, work)?;
        }
        for order in &args.orders {
            let points = simulation(args, order, &set)?.run(&mut learner, &set.gold, work)?;
            for share in SHARES {
                let sentences = set.gold.len() * share / 100;
                let Some(point) = points.iter().find(|point| point.confirmed.len() >= sentences) else { continue };
                writeln!(out, "{}", serde_json::to_string(&row(args, name, order, share, point))?)?;
                out.flush()?;
            }
        }
    }
    Ok(())
}

/// A model of the text and of what is added to it, if something is.
fn model(set: &GoldSet, request: &Request, work: Work<'_>) -> Result<Option<Model>> {
    if set.bitext.len() == set.gold.len() {
        return Ok(None);
    }
    let data = set.training_data(1.0)?;
    let trained = Trained::train(request.plan()?.recipe, &data, None, work)?;
    let mut file = Vec::new();
    trained.save(&data, TextForm::default(), &mut file)?;
    Ok(Some(Model::from_bytes(file)?))
}

fn simulation(args: &Args, order: &str, set: &GoldSet) -> Result<Simulation> {
    let order = match order.split_once(':') {
        None if order == "queue" => Order::Queue(QueueWeights { novelty: args.novelty, cost: args.cost }),
        None if order == "text" => Order::Text,
        Some(("random", seed)) => Order::Random(seed.parse()?),
        _ => bail!("--order {order}: expected queue, text or random:SEED"),
    };
    let pairs = set.gold.len();
    let batch = ((args.batch / 100.0 * pairs as f64).round() as usize).max(1);
    let teaching = Teaching { by_guideline: !args.no_guideline, annotated_only: set.content_words };
    Ok(Simulation { order, teaching, batch, sentences: pairs.div_ceil(2) })
}

fn row(args: &Args, set: &str, order: &str, share: usize, point: &SimulationPoint) -> Row {
    let aer = |counts: &[(usize, Counts)]| counts.iter().map(|(_, counts)| *counts).sum::<Counts>().aer();
    let Corrections { learning, between_sentences, fixed, nothing } = point.corrections;
    Row {
        set: set.to_owned(),
        order: order.to_owned(),
        share,
        sentences: point.confirmed.len(),
        words: point.words,
        corrections: [learning, between_sentences, fixed, nothing],
        aer: aer(&point.rest),
        aer_before: aer(&point.rest_before),
        rest: args.counts.then(|| point.rest.clone()),
    }
}
