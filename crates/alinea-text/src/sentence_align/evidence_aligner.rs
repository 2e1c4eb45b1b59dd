//! Sentence alignment by more than lengths.
//!
//! Lengths say little where sentences were left out: leaving out a sentence of some hundred characters costs them more than
//! shifting all others up to the next place that can absorb it. What words or vectors say of sentences does not have that
//! fault. Here the cost of a group is
//!
//! ```text
//! −ln P(kind) − l − r(x)
//! ```
//!
//! with kinds and priors as for lengths alone, l the log likelihood ratio of the lengths of the group (`lengths`), and r(x) that
//! of its scores x (`discriminant`). A sentence that is left out costs its prior alone: nothing is known of what was not
//! translated, however long it is. Where r is below 0, it counts once for each pair of sentences, (s + t) / 2 times: so that
//! what is unrelated is left out, and not gathered in large groups.
//!
//! **Search.** `chain` finds anchors among the pairs that the evidence proposes; `corridor` is what lies around them, and is
//! all that is searched (coarse to fine, as in Thompson and Koehn 2019, *Vecalign*, and Liu and Zhu 2023, *Bertalign*): with
//! anchors all over the texts, time and memory grow with their length, some 200 bytes for each cell of some 50 a sentence.
//! `lattice` has the best path and the confidences. What lengths and scores say is learned from the anchors at first, and from
//! the groups that were found then.
//!
//! **Evidence that knows nothing** would lead the search astray: there is a chain of anchors among candidates of any kind. In
//! order to be used, evidence must have a chain that is twice as heavy as that with the target text in reverse. Where none is,
//! lengths decide alone. (In texts of fewer than eight sentences this cannot be told, and all is used.)

use std::ops::Range;

use super::chain::{heaviest_chain, supported};
use super::corridor::Corridor;
use super::discriminant::{Discriminant, Sample};
use super::lattice::{ConfidentBead, Lattice};
use super::lengths::Lengths;
use super::{Bead, Candidate, Evidence, GaleChurchConfig, KINDS, Scale, SentenceAligner, check_paragraphs, cost};
use crate::error::{Error, Result};
use crate::parallel::{Work, chunk_range};
use crate::progress::check;

/// Rows that a thread scores before it looks for more.
const ROWS: usize = 16;

/// Pairs that are looked at, at most, to learn what scores say, evenly spaced.
const LEARNED_FROM: usize = 4096;

/// How many times as heavy as in reverse the chain of anchors must be, and the least number of sentences for that.
const AS_HEAVY: f64 = 2.0;
const JUDGED_FROM: usize = 8;

/// How far off a pair its unrelated neighbors are.
const OFFSETS: [usize; 4] = [2, 3, 5, 8];

/// The kinds of groups before these have one sentence, which nothing translates.
const ALONE: usize = 2;

/// The kinds of groups that have scores.
const SCORED: usize = KINDS.len() - ALONE;

/// How texts are aligned where more than lengths is known.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EvidenceConfig {
    /// What is expected of lengths, beside those of the texts, and of how many sentences a group has: the ratio is worth 2 pairs,
    /// the variance 20.
    pub lengths: GaleChurchConfig,
    /// How many sentences around anchors are searched; at least 4. Default 20.
    pub radius: usize,
    /// How often it is learned anew from the groups that were found what lengths and scores say. Default 2.
    pub passes: usize,
}

crate::configurable!(EvidenceConfig);

impl Default for EvidenceConfig {
    fn default() -> Self {
        Self { lengths: GaleChurchConfig::default(), radius: 20, passes: 2 }
    }
}

impl EvidenceConfig {
    /// Checks the values.
    ///
    /// # Errors
    /// `Config` with the field that is out of its range.
    pub fn validate(&self) -> Result<()> {
        self.lengths.validate()?;
        if self.radius < super::MOST {
            return Err(Error::config("radius", self.radius, "4 or more"));
        }
        Ok(())
    }

    /// One line that names every choice that decides results.
    pub fn signature(&self) -> String {
        format!("{} radius:{} passes:{}", self.lengths.signature(), self.radius, self.passes)
    }
}

/// Aligns sentences by their lengths and by other evidence.
///
/// ```
/// use std::ops::Range;
///
/// use alinea::parallel::{Parallelism, Work};
/// use alinea::progress::Silent;
/// use alinea::sentence_align::{Evidence, EvidenceAligner, EvidenceConfig, Scale};
///
/// /// Sentences with the same numbers in them.
/// struct Numbers([Vec<u32>; 2]);
///
/// impl Evidence for Numbers {
///     fn score(&self, source: Range<usize>, target: Range<usize>) -> f64 {
///         let sum = |side: usize, range: Range<usize>| self.0[side][range].iter().sum::<u32>();
///         if sum(0, source) == sum(1, target) { 1.0 } else { 0.0 }
///     }
///
///     fn scale(&self) -> Scale {
///         Scale { unrelated: 0.0, related: 1.0, deviation: 0.3 }
///     }
/// }
///
/// let aligner = EvidenceAligner::new(EvidenceConfig::default())?;
/// let numbers = Numbers([vec![3, 17, 1, 2, 40], vec![3, 3, 40]]);
/// let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
/// // The second source sentence was not translated, though its length suggests otherwise.
/// let lengths = ([40u32, 45, 20, 25, 50], [42u32, 44, 51]);
/// let beads = aligner.align_paragraphs(&[lengths.0], &[lengths.1], &[&numbers], work)?;
/// let shown: Vec<String> = beads.iter().map(|found| found.bead.to_string()).collect();
/// assert_eq!(shown, ["0\t0", "1\t", "2,3\t1", "4\t2"]);
/// assert!(beads.iter().all(|found| found.confidence > 0.5));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct EvidenceAligner {
    config: EvidenceConfig,
}

impl EvidenceAligner {
    /// An aligner with this configuration.
    ///
    /// # Errors
    /// `Config` as [`EvidenceConfig::validate`].
    pub fn new(config: EvidenceConfig) -> Result<Self> {
        config.validate()?;
        Ok(Self { config })
    }

    /// The configuration.
    pub fn config(&self) -> &EvidenceConfig {
        &self.config
    }

    /// The groups of texts in paragraphs, given as the lengths of the sentences of each, in order, with sentences counted over
    /// the whole text, and their confidences. The cost of a group is less by what the evidence says, and may be below 0; its
    /// misfit is that of the lengths.
    ///
    /// For n sentences O(n) scores, times the radius, where the evidence has candidates all over the texts. The result does
    /// not depend on the number of threads.
    ///
    /// # Errors
    /// `Config` if there is no evidence; those of [`SentenceAligner::align_paragraphs`](super::SentenceAligner::align_paragraphs)
    /// and of the evidence.
    pub fn align_paragraphs<S: AsRef<[u32]>, T: AsRef<[u32]>>(
        &self,
        source: &[S],
        target: &[T],
        evidence: &[&dyn Evidence],
        work: Work<'_>,
    ) -> Result<Vec<ConfidentBead>> {
        if evidence.is_empty() {
            return Err(Error::config("evidence", 0, "one kind or more"));
        }
        check_paragraphs([source.len(), target.len()])?;
        let lengths = Lengths::new(source, target);
        let (used, candidates) = useful(evidence, lengths.sentences(), work)?;
        if used.is_empty() {
            let mut aligner = SentenceAligner::new(self.config.lengths.clone())?;
            let beads = aligner.align_paragraphs(source, target, work.observer)?;
            return aligner.with_confidences(beads, source, target, work.observer);
        }
        let evidence = &used[..];
        let paragraphs: Vec<Paragraph> = ranges(source)
            .zip(ranges(target))
            .map(|(source, target)| {
                let anchors = supported(heaviest_chain(&within(&candidates, &source, &target)));
                Paragraph { source, target, anchors }
            })
            .collect();
        let mut found: Vec<ConfidentBead> = paragraphs.iter().flat_map(|p| &p.anchors).map(as_pair).collect();
        let priors = self.config.lengths.priors.in_order();
        let mut blocks = Vec::with_capacity(paragraphs.len());
        work.observer.started("scoring sentences", (lengths.sentences()[0] + paragraphs.len()) as u64);
        for paragraph in paragraphs {
            let corridor = paragraph.corridor(self.config.radius);
            blocks.push(Block::new(paragraph, corridor, priors, evidence, work)?);
        }
        work.observer.finished("");
        let scales: Vec<Scale> = evidence.iter().map(|evidence| evidence.scale()).collect();
        for _ in 0..=self.config.passes {
            let learned = lengths.learned(&self.config.lengths, &found);
            let [related, unrelated] = samples(&found, lengths.sentences(), evidence);
            let discriminant = Discriminant::learn(&scales, &related, &unrelated);
            found.clear();
            for block in &blocks {
                check(work.observer)?;
                found.extend(block.align(&lengths, &learned, &discriminant));
            }
        }
        Ok(found)
    }
}

/// An anchor as a group.
fn as_pair(anchor: &Candidate) -> ConfidentBead {
    let (source, target) = (anchor.source..anchor.source + 1, anchor.target..anchor.target + 1);
    ConfidentBead { bead: Bead { source, target, cost: 0.0, misfit: 0.0 }, confidence: 1.0 }
}

/// The sentences of each paragraph.
fn ranges<T: AsRef<[u32]>>(paragraphs: &[T]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    paragraphs.iter().map(move |paragraph| {
        let range = start..start + paragraph.as_ref().len();
        start = range.end;
        range
    })
}

/// The kinds of evidence that are used, and all their candidates, by source sentence; weights of equal ones add up.
fn useful<'e>(
    evidence: &[&'e dyn Evidence],
    sentences: [usize; 2],
    work: Work<'_>,
) -> Result<(Vec<&'e dyn Evidence>, Vec<Candidate>)> {
    let (mut used, mut all) = (Vec::new(), Vec::new());
    for &evidence in evidence {
        let candidates = evidence.candidates(work)?;
        if candidates.as_ref().is_none_or(|candidates| tells_order(candidates, sentences)) {
            used.push(evidence);
            all.extend(candidates.into_iter().flatten());
        } else {
            let name = evidence.name();
            let reason = "they say nothing about the order of the sentences";
            work.observer.warn(&format!("{name} are not used: {reason}"));
        }
    }
    all.sort_by_key(|candidate| (candidate.source, candidate.target));
    all.dedup_by(|candidate, kept| {
        let same = (candidate.source, candidate.target) == (kept.source, kept.target);
        if same {
            kept.weight += candidate.weight;
        }
        same
    });
    Ok((used, all))
}

/// Whether the candidates of some evidence follow the order of the texts, more than chance would have it; true if there are
/// few sentences.
fn tells_order(candidates: &[Candidate], [sources, targets]: [usize; 2]) -> bool {
    if sources.min(targets) < JUDGED_FROM {
        return true;
    }
    let weight = |candidates: &[Candidate]| heaviest_chain(candidates).iter().map(|c| c.weight).sum::<f64>();
    let reversed = candidates.iter().map(|c| Candidate { target: targets - 1 - c.target, ..*c });
    let weight_in_order = weight(candidates);
    weight_in_order > 0.0 && weight_in_order >= AS_HEAVY * weight(&reversed.collect::<Vec<_>>())
}

/// Those of the candidates that are in a paragraph.
fn within(candidates: &[Candidate], source: &Range<usize>, target: &Range<usize>) -> Vec<Candidate> {
    let first = candidates.partition_point(|candidate| candidate.source < source.start);
    let last = candidates.partition_point(|candidate| candidate.source < source.end);
    candidates[first..last].iter().copied().filter(|candidate| target.contains(&candidate.target)).collect()
}

/// The scores of the pairs among groups, and of their unrelated neighbors, which count as much as the pair does.
fn samples(groups: &[ConfidentBead], sentences: [usize; 2], evidence: &[&dyn Evidence]) -> [Vec<Sample>; 2] {
    let is_pair = |found: &&ConfidentBead| found.bead.source.len() == 1 && found.bead.target.len() == 1;
    let pair = |found: &ConfidentBead| (found.bead.source.start, found.bead.target.start, found.confidence);
    let pairs: Vec<(usize, usize, f64)> = groups.iter().filter(is_pair).map(pair).collect();
    let step = pairs.len().div_ceil(LEARNED_FROM).max(1);
    let [mut related, mut unrelated] = [Vec::new(), Vec::new()];
    let of = |source: usize, target: usize, weight: f64| {
        let scores = evidence.iter().map(|evidence| evidence.score(source..source + 1, target..target + 1)).collect();
        Sample { weight, scores }
    };
    for (source, target, weight) in pairs.into_iter().step_by(step) {
        related.push(of(source, target, weight));
        for offset in OFFSETS {
            for neighbor in [target.checked_sub(offset), Some(target + offset)].into_iter().flatten() {
                if neighbor < sentences[1] {
                    unrelated.push(of(source, neighbor, weight));
                }
            }
        }
    }
    [related, unrelated]
}

/// The sentences of a paragraph of both texts, and pairs of them that probably translate each other.
struct Paragraph {
    source: Range<usize>,
    target: Range<usize>,
    anchors: Vec<Candidate>,
}

impl Paragraph {
    /// What is searched.
    fn corridor(&self, radius: usize) -> Corridor {
        let place = |anchor: &Candidate| (anchor.source - self.source.start, anchor.target - self.target.start);
        let points: Vec<(usize, usize)> = self.anchors.iter().map(place).collect();
        Corridor::new((self.source.len(), self.target.len()), &points, radius)
    }
}

/// A paragraph, and what does not change from pass to pass.
struct Block {
    source: Range<usize>,
    target: Range<usize>,
    corridor: Corridor,
    /// How many scores a group has.
    kinds: usize,
    /// −ln P of each kind of group.
    priors: [f64; KINDS.len()],
    /// For each cell and each kind of group with scores those of the group that ends there.
    scores: Vec<f32>,
}

impl Block {
    fn new(
        paragraph: Paragraph,
        corridor: Corridor,
        priors: [f64; KINDS.len()],
        evidence: &[&dyn Evidence],
        work: Work<'_>,
    ) -> Result<Self> {
        let Paragraph { source, target, .. } = paragraph;
        let priors = priors.map(|prior| -prior.ln());
        let mut scores = Vec::with_capacity(corridor.cells() * SCORED * evidence.len());
        let score_rows = |(): &mut (), chunk: usize| {
            check(work.observer)?;
            let rows = chunk_range(corridor.rows(), ROWS, chunk);
            let mut scores = Vec::new();
            for (row, column) in rows.clone().flat_map(|row| corridor.row(row).map(move |column| (row, column))) {
                for ((s, t), prior) in KINDS.into_iter().zip(priors).skip(ALONE) {
                    if s > row || t > column || prior.is_infinite() {
                        scores.extend(std::iter::repeat_n(f32::NAN, evidence.len()));
                        continue;
                    }
                    let of_source = source.start + row - s..source.start + row;
                    let of_target = target.start + column - t..target.start + column;
                    let score = |evidence: &&dyn Evidence| evidence.score(of_source.clone(), of_target.clone()) as f32;
                    scores.extend(evidence.iter().map(score));
                }
            }
            work.observer.advance(rows.len() as u64);
            Ok(scores)
        };
        work.parallelism.map_ordered(
            corridor.rows().div_ceil(ROWS),
            || (),
            score_rows,
            |own| {
                scores.extend(own);
                Ok(())
            },
        )?;
        Ok(Self { source, target, corridor, kinds: evidence.len(), priors, scores })
    }

    /// The best alignment under what lengths and scores say.
    fn align(&self, lengths: &Lengths, learned: &GaleChurchConfig, discriminant: &Discriminant) -> Vec<ConfidentBead> {
        let mut costs = Vec::with_capacity(self.corridor.cells());
        let mut scores = self.scores.chunks_exact(self.kinds);
        for (row, column) in (0..self.corridor.rows()).flat_map(|row| self.corridor.row(row).map(move |c| (row, c))) {
            let mut of_cell = [f32::INFINITY; KINDS.len()];
            for (kind, (s, t)) in KINDS.into_iter().enumerate() {
                let of_group = if kind < ALONE { &[] } else { scores.next().unwrap_or_default() };
                if s > row || t > column {
                    continue;
                }
                let mut cost = self.priors[kind];
                if kind >= ALONE && cost.is_finite() {
                    let source = self.source.start + row - s..self.source.start + row;
                    let target = self.target.start + column - t..self.target.start + column;
                    cost -= lengths.log_ratio(learned, &source, &target) + said(discriminant, of_group, s + t);
                }
                of_cell[kind] = cost as f32;
            }
            costs.push(of_cell);
        }
        let bead = |group: super::lattice::Group| {
            let source = group.source.start + self.source.start..group.source.end + self.source.start;
            let target = group.target.start + self.target.start..group.target.end + self.target.start;
            let [s, t] = lengths.of(&source, &target);
            let misfit = cost::tail(learned, s, t);
            ConfidentBead { bead: Bead { source, target, cost: group.cost, misfit }, confidence: group.confidence }
        };
        Lattice::new(&self.corridor, costs).best().into_iter().map(bead).collect()
    }
}

/// What the scores of a group of so many sentences say for it.
fn said(discriminant: &Discriminant, scores: &[f32], sentences: usize) -> f64 {
    let ratio = discriminant.log_ratio(scores);
    if ratio < 0.0 { ratio * sentences as f64 / 2.0 } else { ratio }
}

#[cfg(test)]
mod tests;
