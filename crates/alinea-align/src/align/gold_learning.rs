//! Learning what people link from the gold links of a text: [`Guidelines`], and what they are worth.

use super::deciding::DecidingFinder;
use super::decode::Finder;
use super::guidelines::{GoldLinks, GoldScores, Guidelines};
use super::joined::JoinedEvidence;
use super::threshold::spaced;
use super::warning::Warning;
use crate::alignment::GoldAlignment;
use crate::decision::{GoldCells, Learned};
use crate::error::Result;
use crate::parallel::Work;
use crate::progress::check;

/// The task of it.
const LEARNING: &str = "gold links";

/// The most gold pairs that are learned from: more would tell nothing new.
const MOST_PAIRS: usize = 2000;

/// Learns from gold links of a text. `finder` decides about pairs as if their links were not
/// known, with the vectors of a text if they are given; `least` are the log-odds at which links begin, without and with vectors.
pub(super) fn learn<'e, F: Finder>(
    gold: &GoldLinks,
    finder: impl Fn(Option<&'e JoinedEvidence>) -> DecidingFinder<'e, F>,
    evidence: Option<&'e JoinedEvidence>,
    least: f64,
    work: Work<'_>,
) -> Result<(Guidelines, GoldScores)> {
    let GoldLinks { pairs, annotated_only } = gold;
    let all: Vec<&(usize, GoldAlignment)> = pairs.iter().collect();
    work.observer.started(LEARNING, all.len() as u64);
    let (mut scores, without) = of_pairs(&all, *annotated_only, &mut finder(None), least, work)?;
    let mut guidelines = Guidelines { without_vectors: without.guideline, with_vectors: None };
    if let Some(evidence) = evidence.filter(|evidence| evidence.is_trusted()) {
        let encoded: Vec<_> = all.into_iter().filter(|(n, _)| evidence.is_about(*n)).collect();
        if encoded.len() > 1 {
            let (mut finder, least) = (finder(Some(evidence)), evidence.least_log_odds());
            let (of_encoded, with) = of_pairs(&encoded, *annotated_only, &mut finder, least, work)?;
            scores.replace(of_encoded);
            guidelines.with_vectors = with.guideline;
        }
    }
    work.observer.finished(&format!("{} sentence pairs", scores.pairs.len()));
    let is_used = guidelines.with_vectors.is_some() || guidelines.without_vectors.is_some();
    if !is_used {
        work.observer.warn(&Warning::UselessGold { pairs: scores.pairs.len() }.to_string());
    }
    Ok((guidelines, scores))
}

/// Learns from pairs that have words on both sides.
fn of_pairs<F: Finder>(
    gold: &[&(usize, GoldAlignment)],
    annotated_only: bool,
    finder: &mut DecidingFinder<'_, F>,
    least: f64,
    work: Work<'_>,
) -> Result<(GoldScores, Learned)> {
    let (mut cells, mut scores) = (GoldCells::new(annotated_only), GoldScores::default());
    let number = gold.len().min(MOST_PAIRS);
    for place in 0..number {
        let (n, links) = gold[spaced(place, number, gold.len())];
        check(work.observer)?;
        if finder.gold_cells(*n, links, &mut cells) {
            scores.pairs.push(*n);
            scores.gold.push(links.clone());
        }
    }
    let learned = cells.learn(least, work.parallelism)?;
    scores.validation = learned.validation.clone();
    Ok((scores, learned))
}
