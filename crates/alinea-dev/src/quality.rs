//! `alinea-dev quality`: trains on a gold standard, with or without added text, and scores the links.
//!
//! Each set (`sets`) is measured under both default schedules of the model, that for short and that for long texts, or
//! with the passes given. The model is trained on the gold sentences too, without their links, as users align a text. A
//! row has AER with its bootstrap interval, precision and recall, and the evidence: the mean log-probability of a word
//! of the gold sentences, self-counts left out, by which settings can be compared without gold links.
//!
//! Rows are lines for people or JSON. The data are not shipped, so no test runs this.

use std::io::Write;
use std::path::PathBuf;

use alinea::align::{Recipe, Request, Trained, TrainedModel};
use alinea::alignment::{Alignment, GoldAlignment};
use alinea::bitext::RankedBitext;
use alinea::evaluate::{Options, evaluate};
use alinea::model::{Aligner, AlignerConfig, ModelName, Schedule};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;

use crate::sets::GoldSet;

/// The sets measured if none is named.
const SETS: [&str; 7] = [
    "en-fr-pud",
    "en-ru-pud",
    "en-ar-pud",
    "en-fr-pud+en-fr-bible-nt",
    "en-cs-czenali",
    "en-cs-czenali+en-cs-bible",
    "en-fr-hansards-trial+en-fr-hansards-wpt03:50000",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder with `gold` and `bitext`.
    data: PathBuf,
    /// What to measure: GOLD, GOLD+BITEXT or GOLD+BITEXT:N, with @odd or @even for these lines of the gold standard.
    #[arg(long = "set")]
    sets: Vec<String>,
    /// Passes of Model 1 and of the HMM, as `5,4`; both of the model's schedules if not given.
    #[arg(long)]
    passes: Option<String>,
    /// The model: agreement, agreement-loo, or quality.
    #[arg(long, default_value = "agreement")]
    model: ModelName,
    /// How much pairs of the added text count, from 0.01 to 1.
    #[arg(long, default_value_t = 1.0)]
    weight: f32,
    /// Number of threads; 0 for one a core.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Row {
    set: String,
    signature: String,
    pairs: usize,
    aer: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    precision: Option<f64>,
    recall: Option<f64>,
    /// The mean logarithm of the probability of a word of the gold sentences, self-counts left out.
    evidence: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let parallelism = Parallelism::new(args.threads)?;
    let named: Vec<&str> =
        if args.sets.is_empty() { SETS.to_vec() } else { args.sets.iter().map(String::as_str).collect() };
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let config = configuration(args.model)?;
    let schedules = match &args.passes {
        Some(passes) => vec![parse_passes(passes)?],
        None => [0, Schedule::SHORT_FROM].map(|pairs| config.schedule_for(pairs)).to_vec(),
    };
    let mut out = std::io::stdout().lock();
    for set in named {
        for &schedule in &schedules {
            let row = measure(args, set, schedule, work).with_context(|| set.to_owned())?;
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
            } else {
                let percent = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{:.2}", 100.0 * v));
                writeln!(
                    out,
                    "{:<50} {}+{} AER {} ({} to {}) P {} R {} LL {:.4}",
                    row.set,
                    schedule.ibm1,
                    schedule.hmm,
                    percent(row.aer),
                    percent(row.low),
                    percent(row.high),
                    percent(row.precision),
                    percent(row.recall),
                    row.evidence
                )?;
            }
        }
    }
    Ok(())
}

/// The configuration of a name.
fn configuration(model: ModelName) -> Result<AlignerConfig> {
    model.config().ok_or_else(|| anyhow!("--model {model}: chains of models are not measured here"))
}

fn parse_passes(text: &str) -> Result<Schedule> {
    let (ibm1, hmm) = text.split_once(',').ok_or_else(|| anyhow!("--passes {text}: expected two numbers, as 5,4"))?;
    Ok(Schedule { ibm1: ibm1.parse()?, hmm: hmm.parse()? })
}

fn measure(args: &Args, set: &str, schedule: Schedule, work: Work<'_>) -> Result<Row> {
    let set_of = GoldSet::read(&args.data, set, work.parallelism)?;
    let data = set_of.training_data(args.weight)?;
    let decoding = Request::default().with(|c| c.model = args.model).plan()?.decoding;
    let recipe = Recipe::Joint(configuration(args.model)?.with(|c| c.schedule = Some(schedule)));
    let trained = Trained::train(recipe, &data, None, work)?;
    let links = trained.links(&data, decoding, work)?;
    let hypotheses: Vec<Alignment> =
        set_of.judged.iter().map(|&n| links[n].iter().map(|found| found.link).collect()).collect();
    let gold: Vec<GoldAlignment> = set_of.judged.iter().map(|&n| set_of.gold[n].clone()).collect();
    let options = Options::default().with(|c| c.annotated_only = set_of.content_words);
    let evaluation = evaluate(&gold, &hypotheses, &options)?;
    let interval = evaluation.intervals.as_ref().and_then(|intervals| intervals.aer.interval);
    let TrainedModel::Joint(aligner) = trained.model() else { bail!("chains of models are not measured here") };
    Ok(Row {
        set: set.to_owned(),
        signature: trained.signature(),
        pairs: data.text().len(),
        aer: evaluation.scores.aer,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        precision: evaluation.scores.precision,
        recall: evaluation.scores.recall,
        evidence: evidence(aligner, data.text(), &set_of.judged),
    })
}

/// The mean log-probability of a word of these pairs, both directions together.
fn evidence(aligner: &Aligner, bitext: &RankedBitext, pairs: &[usize]) -> f64 {
    let mut evidence = aligner.evidence(bitext);
    let (mut sum, mut tokens) = (0.0, 0);
    for (n, pair) in pairs.iter().map(|&n| (n, bitext.pair(n))) {
        if let Some([forward, reverse]) = evidence.of(n) {
            sum += forward + reverse;
            tokens += pair.source.len() + pair.target.len();
        }
    }
    sum / tokens as f64
}
