//! Which sentences of two texts translate each other, by their lengths, and by whatever else is known of them.
//!
//! Gale and Church (1993) observed that the lengths of a sentence and of its translation are strongly correlated, and
//! that translators mostly keep the order of sentences. A *bead*, or group, is a stretch of 0 to 4 source sentences beside a
//! stretch of 0 to 4 target sentences that translate each other; an alignment is a sequence of beads that covers both texts
//! in order. The cost of a bead with source length `s`, target length `t` and prior probability `P` is
//!
//! ```text
//! −ln( 2 Φ(−|δ|) · P )    where    δ = (s c − t) / √( σ² (s + t / c) / 2 )
//! ```
//!
//! with Φ the normal distribution function, `c` the target length expected for one unit of source length, and `σ²` the
//! variance of it; two stretches of length 0 have δ = 0. The best alignment is the one of least total cost.
//!
//! | bead (source–target) | 1–1 | 1–0, 0–1 | 2–1, 1–2 | 2–2 | 3–1, 1–3 | 4–1, 1–4 |
//! |---|---|---|---|---|---|---|
//! | prior of each | 0.89 | 0.0099 | 0.089 | 0.011 | 0.0089 | 0.00089 |
//!
//! The paper stops at two sentences, and so do [`Priors::up_to`]`(2)`: where three sentences became one, such a model has
//! no right answer, and errs in the sentences around them too. The priors beyond go on as the paper's begin, where 2–1 is a
//! tenth of 1–1: each further sentence is another tenth.
//!
//! [`SentenceAligner`] finds it. Boundaries that both texts share, such as those of paragraphs, are hard: beads do not
//! cross them ([`SentenceAligner::align_paragraphs`]). Long texts are searched in a band around the diagonal whose width
//! grows until it is *certain* that nothing outside the band is better; so the result is that of the whole grid.
//!
//! ```
//! use alinea::progress::Silent;
//! use alinea::sentence_align::{GaleChurchConfig, SentenceAligner};
//!
//! let mut aligner = SentenceAligner::new(GaleChurchConfig::default())?;
//! // In characters: the second and third source sentences became one.
//! let beads = aligner.align(&[40, 23, 30, 51], &[42, 55, 48], &Silent)?;
//! let shown: Vec<String> = beads.iter().map(|bead| bead.to_string()).collect();
//! assert_eq!(shown, ["0\t0", "1,2\t1", "3\t2"]);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **More than lengths.** [`EvidenceAligner`] adds what any [`Evidence`] says of groups: the translations of a lexicon,
//! vectors of sentences. It finds sentences that nothing translates, which lengths alone cannot. Its search is not exact: it
//! follows pairs of sentences that the evidence is sure of. [`GroupScores`] compares groups with those of people.
//!
//! Source: William A. Gale and Kenneth W. Church 1993, *A program for aligning sentences in bilingual corpora*,
//! Computational Linguistics 19(1), section 3. Two things are as in NLTK and not as in the paper's formulas: δ divides by
//! the mean length of both sides (the formula has the source length, by which 0–1 would be impossible); and 0.089 is the
//! prior of 2–1 and of 1–2 each, 0.0099 of 1–0 and of 0–1 each, where table 5 has them together.
//! NLTK 3.10's `align_blocks` loses all precision beyond |δ| of about 8, where its Φ becomes 0: such a cost is infinite
//! there, and a cell of the grid that all beads reach at infinite cost counts as 0. Two stretches of length 0 have the
//! cost −∞ there. Elsewhere the costs are equal to about six digits, those of the formula for Φ that it uses.

mod band;
mod chain;
mod corridor;
mod cost;
mod discriminant;
mod evaluate;
mod evidence;
mod evidence_aligner;
mod lattice;
mod lengths;
mod misfit;
mod search;
mod tails;

use std::fmt;
use std::ops::Range;

pub use evaluate::{GroupCounts, GroupScores};
pub use evidence::{Candidate, Evidence, Scale};
pub use evidence_aligner::{EvidenceAligner, EvidenceConfig};
pub use lattice::ConfidentBead;
pub use misfit::Misfit;

use crate::error::{Error, ErrorKind, Result};
use crate::progress::Observer;
use corridor::Corridor;
use lattice::Lattice;
use search::Search;
use tails::Tails;

/// Sentences of a bead, source and target, in the order in which ties are decided: the first wins.
const KINDS: [(usize, usize); 10] = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (4, 1), (1, 4)];

/// The most sentences of a side of a bead.
const MOST: usize = 4;

/// The parameters of the model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GaleChurchConfig {
    /// The target length expected for one unit of source length, `c`: finite, above 0. Default 1.
    pub ratio: f64,
    /// The variance of the target length for one unit of source length, `σ²`: finite, above 0. Default 6.8, which the
    /// paper measured in characters.
    pub variance: f64,
    /// The probability of each kind of bead.
    pub priors: Priors,
}

crate::configurable!(GaleChurchConfig);

impl Default for GaleChurchConfig {
    fn default() -> Self {
        Self { ratio: 1.0, variance: 6.8, priors: Priors::default() }
    }
}

/// How likely each kind of bead is, from 0, for beads that never occur, to 1; those of one sentence alone are above 0. They
/// need not add up to 1; defaults are in the module's table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Priors {
    /// A sentence that nothing translates.
    pub one_zero: f64,
    /// A sentence that translates nothing.
    pub zero_one: f64,
    /// One sentence by one.
    pub one_one: f64,
    /// Two sentences by one.
    pub two_one: f64,
    /// One sentence by two.
    pub one_two: f64,
    /// Two sentences by two, but not one by one.
    pub two_two: f64,
    /// Three sentences by one.
    pub three_one: f64,
    /// One sentence by three.
    pub one_three: f64,
    /// Four sentences by one.
    pub four_one: f64,
    /// One sentence by four.
    pub one_four: f64,
}

crate::configurable!(Priors);

impl Default for Priors {
    fn default() -> Self {
        Self {
            one_zero: 0.0099,
            zero_one: 0.0099,
            one_one: 0.89,
            two_one: 0.089,
            one_two: 0.089,
            two_two: 0.011,
            three_one: 0.0089,
            one_three: 0.0089,
            four_one: 0.00089,
            one_four: 0.00089,
        }
    }
}

impl Priors {
    /// The defaults without beads of more sentences on a side; 2 is the model as it was published.
    ///
    /// ```
    /// use alinea::sentence_align::Priors;
    ///
    /// let published = Priors::up_to(2);
    /// assert_eq!((published.two_one, published.three_one, published.four_one), (0.089, 0.0, 0.0));
    /// assert_eq!(Priors::up_to(4), Priors::default());
    /// ```
    pub fn up_to(sentences: usize) -> Self {
        let all = Self::default();
        let kept = |prior: f64, of: usize| if of <= sentences { prior } else { 0.0 };
        Self {
            two_one: kept(all.two_one, 2),
            one_two: kept(all.one_two, 2),
            two_two: kept(all.two_two, 2),
            three_one: kept(all.three_one, 3),
            one_three: kept(all.one_three, 3),
            four_one: kept(all.four_one, 4),
            one_four: kept(all.one_four, 4),
            ..all
        }
    }

    /// In the order of [`KINDS`].
    fn in_order(&self) -> [f64; KINDS.len()] {
        [
            self.one_zero,
            self.zero_one,
            self.one_one,
            self.two_one,
            self.one_two,
            self.two_two,
            self.three_one,
            self.one_three,
            self.four_one,
            self.one_four,
        ]
    }
}

impl GaleChurchConfig {
    /// Checks the values.
    ///
    /// # Errors
    /// `Config` with the field that is out of its range.
    pub fn validate(&self) -> Result<()> {
        for (field, value) in [("ratio", self.ratio), ("variance", self.variance)] {
            // Extreme values would overflow in squares.
            if !(1e-6..=1e6).contains(&value) {
                return Err(Error::config(field, value, "0.000001 to 1000000"));
            }
        }
        for ((source, target), prior) in KINDS.into_iter().zip(self.priors.in_order()) {
            // Without beads of one sentence alone, some texts have no alignment.
            if source + target == 1 && prior == 0.0 {
                return Err(Error::config("prior", prior, "above 0 for 1-0 and 0-1"));
            }
            if !(0.0..=1.0).contains(&prior) {
                return Err(Error::config("prior", prior, "0 to 1"));
            }
        }
        Ok(())
    }

    /// One line that names every choice that decides results.
    pub fn signature(&self) -> String {
        let kinds = KINDS.iter().zip(self.priors.in_order());
        let priors: Vec<String> = kinds.map(|((source, target), prior)| format!("{source}-{target}:{prior}")).collect();
        format!("gale-church ratio:{} variance:{} {}", self.ratio, self.variance, priors.join(" "))
    }

    /// The cost of a bead of `kind`, numbers of source and target sentences, with these total lengths: its negative log
    /// probability, from 0, and infinite where the prior is 0. Nothing if no bead has that many sentences.
    ///
    /// ```
    /// use alinea::sentence_align::GaleChurchConfig;
    ///
    /// let config = GaleChurchConfig::default();
    /// // Equal lengths: only the prior counts.
    /// assert_eq!(config.cost((1, 1), 50, 50), Some(-0.89f64.ln()));
    /// assert!(config.cost((1, 1), 50, 90) > config.cost((1, 1), 50, 60));
    /// assert_eq!(config.cost((3, 2), 50, 90), None);
    /// ```
    pub fn cost(&self, kind: (usize, usize), source_len: u64, target_len: u64) -> Option<f64> {
        let place = KINDS.iter().position(|&known| known == kind)?;
        Some(cost::tail(self, source_len, target_len) - self.priors.in_order()[place].ln())
    }
}

/// Sentences that translate each other: 0 to 4 of each text.
#[derive(Debug, Clone, PartialEq)]
pub struct Bead {
    /// Their numbers in the source text, from 0.
    pub source: Range<usize>,
    /// Their numbers in the target text, from 0.
    pub target: Range<usize>,
    /// The negative log probability of the bead, from 0. Of an [`EvidenceAligner`] less by what the evidence says of it, so that
    /// it may be below 0.
    pub cost: f64,
    /// The part of the cost that is for the lengths: the negative log of the probability that lengths of translations
    /// differ so much, or more. In translations as the model expects them its mean is 1.
    pub misfit: f64,
}

impl Bead {
    /// The same bead where so many sentences come before both texts.
    fn shifted(self, source: usize, target: usize) -> Self {
        Self {
            source: self.source.start + source..self.source.end + source,
            target: self.target.start + target..self.target.end + target,
            ..self
        }
    }
}

/// `0,1`, a tab, `0`: the numbers of each side.
impl fmt::Display for Bead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |range: &Range<usize>| range.clone().map(|n| n.to_string()).collect::<Vec<_>>().join(",");
        write!(f, "{}\t{}", side(&self.source), side(&self.target))
    }
}

/// Finds best alignments. Keeps tables and buffers from text to text.
#[derive(Debug)]
pub struct SentenceAligner {
    config: GaleChurchConfig,
    tails: Tails,
    first_width: usize,
}

impl SentenceAligner {
    /// An aligner with this configuration.
    ///
    /// # Errors
    /// `Config` as [`GaleChurchConfig::validate`].
    pub fn new(config: GaleChurchConfig) -> Result<Self> {
        config.validate()?;
        let tails = Tails::new(config.clone());
        Ok(Self { config, tails, first_width: band::FIRST_WIDTH })
    }

    /// The configuration.
    pub fn config(&self) -> &GaleChurchConfig {
        &self.config
    }

    /// The beads of the best alignment of two texts whose sentences have these lengths, in order; every sentence is in
    /// exactly one. Equal costs are decided from the end: the last bead is the first of its kind in the order 1–0, 0–1,
    /// 1–1, 2–1, 1–2, 2–2, 3–1, 1–3, 4–1, 1–4.
    ///
    /// For n and m sentences O(n m) time at most; where the texts follow each other O(n w), with the width w of the band in
    /// which the result is certain. Memory O(w √n + m), and up to 32 MB for costs of lengths below 2048.
    ///
    /// # Errors
    /// `Cancelled` if the observer wants it to end.
    pub fn align(&mut self, source: &[u32], target: &[u32], observer: &dyn Observer) -> Result<Vec<Bead>> {
        Search::new(source, target, &mut self.tails).best(target, self.first_width, observer)
    }

    /// The beads of texts in paragraphs, given as the lengths of the sentences of each: paragraph by paragraph, with
    /// sentences counted over the whole text.
    ///
    /// # Errors
    /// `Empty` if one text has no paragraph, and the other has; `Inconsistent` if one text has more paragraphs; `Cancelled`.
    ///
    /// ```
    /// use alinea::progress::Silent;
    /// use alinea::sentence_align::{GaleChurchConfig, SentenceAligner};
    ///
    /// let mut aligner = SentenceAligner::new(GaleChurchConfig::default())?;
    /// let (source, target) = ([vec![10], vec![30, 12]], [vec![11, 29], vec![13]]);
    /// let beads = aligner.align_paragraphs(&source, &target, &Silent)?;
    /// let shown: Vec<String> = beads.iter().map(|bead| bead.to_string()).collect();
    /// assert_eq!(shown, ["0\t0,1", "1,2\t2"]);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    pub fn align_paragraphs<S: AsRef<[u32]>, T: AsRef<[u32]>>(
        &mut self,
        source: &[S],
        target: &[T],
        observer: &dyn Observer,
    ) -> Result<Vec<Bead>> {
        check_paragraphs([source.len(), target.len()])?;
        let mut beads = Vec::new();
        let (mut before_source, mut before_target) = (0, 0);
        for (source, target) in source.iter().zip(target) {
            let (source, target) = (source.as_ref(), target.as_ref());
            let own = self.align(source, target, observer)?;
            beads.extend(own.into_iter().map(|bead| bead.shifted(before_source, before_target)));
            before_source += source.len();
            before_target += target.len();
        }
        Ok(beads)
    }

    /// How probable each of the beads is that [`align_paragraphs`](Self::align_paragraphs) found for these texts: the share
    /// of the probabilities of all alignments that go no more than 20 sentences off these beads. O(n).
    ///
    /// # Errors
    /// Those of [`align_paragraphs`](Self::align_paragraphs); `Inconsistent` for beads that are not an alignment of these texts.
    ///
    /// ```
    /// use alinea::progress::Silent;
    /// use alinea::sentence_align::{GaleChurchConfig, SentenceAligner};
    ///
    /// let mut aligner = SentenceAligner::new(GaleChurchConfig::default())?;
    /// let (source, target) = ([vec![40, 23, 30, 51]], [vec![42, 55, 48]]);
    /// let beads = aligner.align_paragraphs(&source, &target, &Silent)?;
    /// let found = aligner.with_confidences(beads, &source, &target, &Silent)?;
    /// assert!(found.iter().all(|found| (0.5..1.0).contains(&found.confidence)));
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    pub fn with_confidences<S: AsRef<[u32]>, T: AsRef<[u32]>>(
        &mut self,
        beads: Vec<Bead>,
        source: &[S],
        target: &[T],
        observer: &dyn Observer,
    ) -> Result<Vec<ConfidentBead>> {
        check_paragraphs([source.len(), target.len()])?;
        check_beads(&beads, source, target)?;
        let mut confidences = Vec::with_capacity(beads.len());
        let (mut before_source, mut before_target, mut done) = (0, 0, 0);
        for (source, target) in source.iter().zip(target) {
            let (source, target) = (source.as_ref(), target.as_ref());
            let ends = (before_source + source.len(), before_target + target.len());
            let own = beads[done..].iter().take_while(|bead| bead.source.end <= ends.0 && bead.target.end <= ends.1);
            let own: Vec<(Range<usize>, Range<usize>)> = own
                .map(|bead| {
                    let local = |range: &Range<usize>, before: usize| range.start - before..range.end - before;
                    (local(&bead.source, before_source), local(&bead.target, before_target))
                })
                .collect();
            done += own.len();
            let points: Vec<(usize, usize)> = own.iter().map(|(source, target)| (source.start, target.start)).collect();
            let corridor = Corridor::new((source.len(), target.len()), &points, RADIUS);
            let mut costs = Vec::with_capacity(corridor.cells());
            for row in 0..corridor.rows() {
                crate::progress::check(observer)?;
                costs.extend(corridor.row(row).map(|column| self.costs_at(&source[..row], &target[..column])));
            }
            confidences.extend(Lattice::new(&corridor, costs).confidences(own.into_iter()));
            (before_source, before_target) = ends;
        }
        let found = beads.into_iter().zip(confidences);
        Ok(found.map(|(bead, confidence)| ConfidentBead { bead, confidence }).collect())
    }

    /// The costs of the beads of all kinds that end behind these sentences; infinite for those that need more sentences.
    fn costs_at(&mut self, source: &[u32], target: &[u32]) -> [f32; KINDS.len()] {
        let priors = self.tails.priors();
        let length = |text: &[u32], last: usize| -> Option<u64> {
            Some(text[text.len().checked_sub(last)?..].iter().map(|&length| u64::from(length)).sum())
        };
        std::array::from_fn(|kind| {
            let (sources, targets) = KINDS[kind];
            let (Some(source), Some(target)) = (length(source, sources), length(target, targets)) else {
                return f32::INFINITY;
            };
            let mut cost = [0.0];
            self.tails.fill(source, &[target], &mut cost);
            (cost[0] + priors[kind]) as f32
        })
    }
}

/// Sentences on each side of beads, where their confidences are computed.
const RADIUS: usize = 20;

/// Refuses texts of which one has more paragraphs, given the numbers of both.
///
/// # Errors
/// `Empty` if one has none, and `Inconsistent` if one has more.
///
/// ```
/// use alinea::sentence_align::check_paragraphs;
///
/// assert!(check_paragraphs([2, 2]).is_ok());
/// assert!(check_paragraphs([2, 1]).is_err());
/// ```
pub fn check_paragraphs([source, target]: [usize; 2]) -> Result<()> {
    if (source == 0) != (target == 0) {
        let (empty, other) = if source == 0 { ("source", "target") } else { ("target", "source") };
        return Err(ErrorKind::Empty(format!("the {empty} has no sentences, and the {other} has some")).into());
    }
    if source != target {
        let message = format!("the source has {}, the target {}", counted(source), counted(target));
        return Err(ErrorKind::Inconsistent(message).into());
    }
    Ok(())
}

/// Refuses beads that do not cover these texts in order, paragraph by paragraph.
fn check_beads<S: AsRef<[u32]>, T: AsRef<[u32]>>(beads: &[Bead], source: &[S], target: &[T]) -> Result<()> {
    let refuse = || Error::from(ErrorKind::Inconsistent("the groups are not an alignment of these texts".to_owned()));
    let mut left = beads.iter();
    let (mut at, mut end) = ([0, 0], [0, 0]);
    for (source, target) in source.iter().zip(target) {
        end = [end[0] + source.as_ref().len(), end[1] + target.as_ref().len()];
        while at != end {
            let Bead { source, target, .. } = left.next().ok_or_else(refuse)?;
            let (from, to) = ([source.start, target.start], [source.end, target.end]);
            let is_kind = KINDS.contains(&(source.len(), target.len()));
            let is_within = (0..2).all(|side| from[side] <= to[side] && to[side] <= end[side]);
            if from != at || !is_kind || !is_within {
                return Err(refuse());
            }
            at = to;
        }
    }
    if left.next().is_some() { Err(refuse()) } else { Ok(()) }
}

fn counted(paragraphs: usize) -> String {
    format!("{paragraphs} paragraph{}", if paragraphs == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
