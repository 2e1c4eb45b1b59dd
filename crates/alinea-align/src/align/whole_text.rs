//! What is done with all pairs of a text, whatever finds something of them: links, what is expected of them, the least certain
//! pairs, and what word vectors say. Trained models and saved ones have it in common.

use std::sync::Arc;

use super::decode::Wants;
use super::decode::{Chunks, Collector, Finder, Found, chunks_of, decode};
use super::encoded::least_certain;
use super::guidelines::Guidelines;
use super::joined::{CenteredVectors, JoinedEvidence, TextVectors};
use super::links::{FoundLink, LinkReader};
use super::request::Decoding;
use super::threshold::{ExpectedLinks, MOST_PAIRS, ThresholdChoice, spaced};
use crate::decision::{Calibration, Decision};
use crate::embedding::Evidence;
use crate::error::{Error, ErrorKind, Result};
use crate::model::{AlignerConfig, Feature, ModelName};
use crate::parallel::{Work, chunk_range};
use crate::progress::{Observer, Step};

/// Pairs that a thread measures before it looks for more.
const MEASURED_AT_ONCE: usize = 64;

/// What looking at all cells takes: as much as aligning does, a pass of the HMM.
pub(super) const COST_OF_CELLS: u64 = 4;

/// The tasks of going through all pairs.
pub(super) const ALIGNING: &str = "aligning";
const UNCERTAINTY: &str = "looking for the least certain pairs";

/// Plans that the pairs are looked for of which a model is least certain.
pub(super) fn plan_least_certain(observer: &dyn Observer) {
    observer.planned(&[Step::new(UNCERTAINTY, COST_OF_CELLS)]);
}

/// Refuses a model that is not joined with word vectors.
///
/// # Errors
/// `Unsupported`.
pub(super) fn check_joinable(config: &AlignerConfig) -> Result<()> {
    config.name.require(Feature::Encoder)?;
    if config.prior.is_none() { Err(Feature::Encoder.refused_by(config.name)) } else { Ok(()) }
}

/// The decision about the links of a model.
pub(super) fn decision_of(model: ModelName) -> Result<Decision> {
    Decision::of(model).ok_or_else(|| Feature::Gold.refused_by(model))
}

/// The error where a chain is to be joined with word vectors.
pub(super) fn chains_refused() -> Error {
    let (option, models) = (Feature::Encoder.option(), Feature::Encoder.models());
    ErrorKind::Unsupported { option, models, model: "chains of textbook models" }.into()
}

/// Posteriors alone.
pub(super) const POSTERIORS: Wants = Wants { posteriors: true, paths: false, scores: false };

/// What vectors say about the links of a text whose lengths are given by number, and what a finder finds of it.
pub(super) fn learn<F: Finder + Send>(
    vectors: &TextVectors,
    lengths: impl Fn(usize) -> [usize; 2],
    finder: impl Fn() -> F + Sync + Send,
    work: Work<'_>,
) -> Result<(Arc<CenteredVectors>, Evidence)> {
    let usable = (0..vectors.vectors()[0].len()).filter(|&n| lengths(n).iter().all(|&words| words > 0)).count();
    let vectors = vectors.centered(usable, work)?;
    let evidence = vectors.evidence(lengths, finder, work)?;
    let (divergence, trust) = (evidence.divergence(), 100.0 * evidence.trust());
    work.observer.finished(&format!("{divergence:.1} nats a link, trusted to {trust:.0} %"));
    Ok((vectors, evidence))
}

/// The pairs of a text of which the model behind the finders is least certain, until they have a share of the words; given are
/// the lengths of the sides of all pairs.
pub(super) fn uncertain<F: Finder + Send>(
    lengths: impl ExactSizeIterator<Item = [usize; 2]> + Clone,
    finder: impl Fn() -> F + Sync + Send,
    share: f64,
    work: Work<'_>,
) -> Result<Vec<usize>> {
    let lengths: Vec<[usize; 2]> = lengths.collect();
    let uncertainty = |found: Found<'_>| {
        let mut sum = 0.0;
        if let Some(posteriors) = found.posteriors {
            posteriors.for_each_mean(|mean| sum += f64::from(mean) * (1.0 - f64::from(mean)));
        }
        sum
    };
    let uncertainties = gather(UNCERTAINTY, lengths.iter().copied(), finder, || &uncertainty, work)?;
    let words = |[source, target]: [usize; 2]| if source * target == 0 { 0 } else { source + target };
    let words: Vec<usize> = lengths.into_iter().map(words).collect();
    let numbers = least_certain(&words, &uncertainties, share);
    work.observer.finished(&format!("the {} least certain of {} pairs", numbers.len(), words.len()));
    Ok(numbers)
}

/// Takes the threshold that evidence or gold links have, if there are some; chooses one, if the decoding has an objective, from what the model
/// expects of its links.
pub(super) fn settle(
    decoding: &mut Decoding,
    (evidence, guidelines): (Option<&JoinedEvidence>, &Guidelines),
    expected: impl FnOnce(Option<Calibration>) -> Result<ExpectedLinks>,
    work: Work<'_>,
) -> Result<Option<ThresholdChoice>> {
    let evidence = evidence.filter(|evidence| evidence.is_trusted());
    if let Some(guideline) = guidelines.leading(evidence.is_some()) {
        decoding.decided_by(guideline.threshold(), guideline.possible());
    } else if let Some(evidence) = evidence {
        decoding.decided_by(evidence.threshold(), evidence.decision().possible());
    }
    let Some(objective) = decoding.objective else { return Ok(None) };
    let choice = expected(decoding.possible)?.choose(objective);
    decoding.settle(&choice);
    if let Some(warning) = choice.warning() {
        work.observer.warn(&warning.to_string());
    }
    Ok(Some(choice))
}

/// What the model behind the finders expects of its links, from at most 20,000 evenly spaced pairs of a text.
pub(super) fn expected_links<F: Finder + Send>(
    pairs: usize,
    finder: impl Fn() -> F + Sync + Send,
    possible: Option<Calibration>,
    work: Work<'_>,
) -> Result<ExpectedLinks> {
    let measured = pairs.min(MOST_PAIRS);
    work.observer.started("expected links", measured as u64);
    let numbers = |chunk| chunk_range(measured, MEASURED_AT_ONCE, chunk).map(move |n| spaced(n, measured, pairs));
    let mut sum = ExpectedLinks::new(possible);
    let end = |links: ExpectedLinks| {
        sum.merge(&links);
        Ok(())
    };
    let chunks = Chunks { number: measured.div_ceil(MEASURED_AT_ONCE), pairs: numbers };
    decode(&chunks, finder, || Ok(ExpectedLinks::new(possible)), end, work)?;
    work.observer.finished(&format!("{:.0} of {measured} pairs", sum.expected()));
    Ok(sum)
}
/// The links of all pairs, given the lengths of their sides.
pub(super) fn links<F: Finder + Send>(
    lengths: impl ExactSizeIterator<Item = [usize; 2]> + Clone,
    finder: impl Fn() -> F + Sync + Send,
    decoding: Decoding,
    work: Work<'_>,
) -> Result<Vec<Vec<FoundLink>>> {
    let read = || {
        let mut reader = LinkReader::new(decoding);
        move |found: Found<'_>| {
            let confidences = reader.confidences(&found);
            reader.links(&found, confidences.as_ref())
        }
    };
    let links = gather(ALIGNING, lengths, finder, read, work)?;
    work.observer.finished(&format!("{} links", links.iter().map(Vec::len).sum::<usize>()));
    Ok(links)
}

/// What functions, one for each chunk, make of what is found of all pairs, given the lengths of their sides.
pub(super) fn gather<F: Finder + Send, T: Send, G: FnMut(Found<'_>) -> T + Send>(
    task: &str,
    lengths: impl ExactSizeIterator<Item = [usize; 2]> + Clone,
    finder: impl Fn() -> F + Sync + Send,
    make: impl Fn() -> G + Sync + Send,
    work: Work<'_>,
) -> Result<Vec<T>> {
    let pairs = lengths.len();
    work.observer.started(task, pairs as u64);
    let mut all = Vec::with_capacity(pairs);
    let end = |chunk: Gathered<T, G>| {
        all.extend(chunk.made);
        Ok(())
    };
    decode(&chunks_of(lengths), finder, || Ok(Gathered { make: make(), made: Vec::new() }), end, work)?;
    Ok(all)
}

/// What a function makes of what is found of the pairs of a chunk.
struct Gathered<T, G> {
    make: G,
    made: Vec<T>,
}

impl<T: Send, G: FnMut(Found<'_>) -> T + Send> Collector for Gathered<T, G> {
    fn take(&mut self, _: usize, found: Found<'_>) -> Result<()> {
        self.made.push((self.make)(found));
        Ok(())
    }
}
