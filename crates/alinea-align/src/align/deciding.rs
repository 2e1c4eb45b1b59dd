//! Decisions about cells, on the way from a model to whatever reads confidences.
//!
//! A [`DecidingFinder`] stands before the finder of a model and puts what is [decided](crate::decision) about each cell in place
//! of its posteriors: so links, thresholds, objectives and whatever reads confidences need to know nothing of it. Best paths,
//! weights and likelihoods stay those of the model. Pairs whose links were known keep their posteriors.
//!
//! Where a pair has vectors that are trusted, it is decided about with what these say ([`JoinedEvidence`]). Long pairs are decided
//! about stretch by stretch, as they are aligned.
//!
//! Where gold links have [taught](Guidelines) what people link, it follows what was decided. Confidences of pairs without vectors
//! are moved so that links begin where they do in pairs with vectors.

use super::decode::{Finder, Found};
use super::guidelines::Guidelines;
use super::joined::{JoinedEvidence, Scorer};
use super::pair_words::{PairWords, Ranked};
use crate::alignment::GoldAlignment;
use crate::decision::{Cells, Decision, GoldCells, Guideline, PairFeatures};
use crate::embedding;
use crate::model::{CellBuffers, Posteriors, Stretches};
use crate::numeric::sigmoid;

/// Finds what another finder finds, with decided confidences in place of posteriors.
#[derive(Debug)]
pub struct DecidingFinder<'e, F> {
    finder: F,
    deciding: Option<Deciding<'e>>,
}

/// What decides about one pair after another.
#[derive(Debug)]
struct Deciding<'e> {
    /// What decides about pairs without vectors.
    of_model: Decision,
    /// What people link in them.
    guideline: Option<&'e Guideline>,
    /// What is added to their log-odds, so that links begin where they do in pairs with vectors.
    shift: f64,
    joining: Option<Joining<'e>>,
    /// The pairs whose links are known, by ascending number.
    known: &'e [(usize, GoldAlignment)],
    buffers: Buffers<'e>,
}

/// What is joined with posteriors.
#[derive(Debug)]
struct Joining<'e> {
    evidence: &'e JoinedEvidence,
    /// What people link in pairs with vectors.
    guideline: Option<&'e Guideline>,
    scorer: Scorer<'e>,
}

/// What is used again for the next pair.
#[derive(Debug)]
struct Buffers<'t> {
    words: PairWords<'t>,
    cells: CellBuffers,
    stretches: Stretches,
    /// The confidences of the cells of a part, each by itself.
    alone: Vec<f32>,
    /// What would be decided about them without vectors, in log-odds.
    without: Vec<f64>,
    /// What is decided about them.
    log_odds: Vec<f64>,
}

impl<'t> Buffers<'t> {
    fn of(text: Ranked<'t>) -> Self {
        Self {
            words: PairWords::of(text),
            cells: CellBuffers::default(),
            stretches: Stretches::default(),
            alone: Vec::new(),
            without: Vec::new(),
            log_odds: Vec::new(),
        }
    }
}

impl<'e, F> DecidingFinder<'e, F> {
    /// In front of a finder of a text, with what decides about its pairs, if anything does, what its vectors say, if there are any,
    /// and the pairs whose links are known, by ascending number.
    pub(super) fn new(
        finder: F,
        text: Ranked<'e>,
        of_model: Option<Decision>,
        evidence: Option<&'e JoinedEvidence>,
        known: &'e [(usize, GoldAlignment)],
    ) -> Self {
        let joining = evidence.filter(|evidence| evidence.is_trusted()).map(|evidence| Joining {
            evidence,
            guideline: None,
            scorer: Scorer::new(evidence.vectors()),
        });
        let of_model = joining.as_ref().map(|joining| joining.evidence.of_model()).or(of_model);
        let deciding = of_model.map(|of_model| {
            let shift = shift(joining.as_ref(), of_model, None);
            Deciding { of_model, guideline: None, shift, joining, known, buffers: Buffers::of(text) }
        });
        Self { finder, deciding }
    }

    /// The same, by what people link.
    #[must_use]
    pub(super) fn with_guidelines(mut self, guidelines: &'e Guidelines) -> Self {
        if let Some(deciding) = &mut self.deciding {
            if let Some(joining) = &mut deciding.joining {
                joining.guideline = guidelines.with_vectors();
            }
            deciding.guideline = guidelines.without_vectors();
            deciding.shift = shift(deciding.joining.as_ref(), deciding.of_model, deciding.guideline);
        }
        self
    }
}

impl<F: Finder> Finder for DecidingFinder<'_, F> {
    fn announce(&mut self, n: usize) {
        self.finder.announce(n);
    }

    fn find(&mut self, n: usize) -> Found<'_> {
        let Self { finder, deciding } = self;
        let Found { posteriors, paths } = finder.find(n);
        let posteriors = match (deciding, posteriors) {
            (Some(deciding), Some(posteriors)) if !deciding.knows(n) => Some(deciding.decide(n, &posteriors, settle)),
            (_, posteriors) => posteriors,
        };
        Found { posteriors, paths }
    }
}

impl<F: Finder> DecidingFinder<'_, F> {
    /// Visits what a decision sees of the cells of the `n`-th pair: where a part of it starts, how many words it has on both sides,
    /// the features of its cells, and their mean posteriors; nothing if there is no decision. For those who fit decisions.
    #[doc(hidden)]
    pub fn features(&mut self, n: usize, mut visit: impl FnMut([u32; 2], [usize; 2], &PairFeatures<'_>, &[f32])) {
        let Self { finder, deciding } = self;
        let (Some(Deciding { joining, buffers, .. }), Some(posteriors)) = (deciding, finder.find(n).posteriors) else {
            return;
        };
        let Buffers { words, cells, alone, .. } = buffers;
        let mut joining = Joining::about(joining, n);
        words.load(n);
        posteriors.for_each_part(cells, |start, lengths, posteriors, means| {
            let confidences = match &mut joining {
                Some(Joining { evidence, scorer, .. }) => {
                    evidence.alone(scorer.scores(start, lengths), means, alone);
                    &alone[..]
                }
                None => &*means,
            };
            let cells = Cells { words: words.part(start, lengths), posteriors, confidences };
            visit(start, lengths, &PairFeatures::new(cells), means);
        });
    }

    /// Adds the cells of the `n`-th pair, with what is decided about them, to those that people are learned from; whether it has
    /// words on both sides.
    pub(super) fn gold_cells(&mut self, n: usize, gold: &GoldAlignment, cells: &mut GoldCells) -> bool {
        let Self { finder, deciding } = self;
        let (Some(deciding), Some(posteriors)) = (deciding, finder.find(n).posteriors) else { return false };
        cells.begin(gold);
        deciding.decide(n, &posteriors, |part| cells.add(part.start, part.features, part.log_odds));
        true
    }
}

/// What was decided about a part of a pair.
struct Decided<'p> {
    /// Where it starts.
    start: [u32; 2],
    features: &'p PairFeatures<'p>,
    /// The log-odds of its candidate cells, at their places among all.
    log_odds: &'p [f64],
    /// What people link in such pairs, and what is added to log-odds then.
    guideline: Option<&'p Guideline>,
    shift: f64,
    /// The confidences of all cells.
    confidences: &'p mut [f32],
}

/// Puts what was decided in place of confidences.
fn settle(decided: Decided<'_>) {
    let Decided { features, log_odds, guideline, shift, confidences, .. } = decided;
    for (cell, [row, column]) in features.candidates() {
        let decided = log_odds[cell];
        let decided = guideline.map_or(decided, |guideline| guideline.log_odds(features, row, column, decided));
        confidences[cell] = sigmoid(decided + shift) as f32;
    }
}

impl Deciding<'_> {
    /// Whether the links of a pair are known.
    fn knows(&self, n: usize) -> bool {
        self.known.binary_search_by_key(&n, |&(known, _)| known).is_ok()
    }

    /// The decided confidences of a pair: what `end` makes of each part.
    fn decide(&mut self, n: usize, posteriors: &Posteriors<'_>, mut end: impl FnMut(Decided<'_>)) -> Posteriors<'_> {
        let Self { of_model, guideline, shift, joining, buffers, .. } = self;
        let Buffers { words, cells, stretches, alone, without, log_odds } = buffers;
        let mut joining = Joining::about(joining, n);
        words.load(n);
        posteriors.joined(stretches, cells, |start, lengths, posteriors, confidences| {
            let words = words.part(start, lengths);
            log_odds.clear();
            log_odds.resize(confidences.len(), 0.0);
            alone.clear();
            let Some(Joining { evidence, guideline, scorer }) = &mut joining else {
                alone.extend_from_slice(confidences);
                let features = &PairFeatures::new(Cells { words, posteriors, confidences: alone });
                for (cell, [row, column]) in features.candidates() {
                    log_odds[cell] = of_model.log_odds(features, row, column);
                }
                return end(Decided { start, features, log_odds, guideline: *guideline, shift: *shift, confidences });
            };
            let (joint, decision) = (evidence.joint(), evidence.decision());
            without.clear();
            if joint.is_fully_trusted() {
                // They do not count.
                without.resize(confidences.len(), 0.0);
            } else {
                without.extend(confidences.iter().map(|&mean| embedding::log_odds(mean)));
                let features = PairFeatures::new(Cells { words, posteriors, confidences });
                for (cell, [row, column]) in features.candidates() {
                    without[cell] = of_model.log_odds(&features, row, column);
                }
            }
            evidence.alone(scorer.scores(start, lengths), confidences, alone);
            confidences.copy_from_slice(alone);
            let features = &PairFeatures::new(Cells { words, posteriors, confidences: alone });
            for (cell, [row, column]) in features.candidates() {
                log_odds[cell] = joint.decided(decision.log_odds(features, row, column), without[cell]);
            }
            end(Decided { start, features, log_odds, guideline: *guideline, shift: 0.0, confidences });
        })
    }
}

/// What is added to the log-odds of cells of pairs without vectors, so that links begin where they do in pairs with vectors.
fn shift(joining: Option<&Joining<'_>>, of_model: Decision, guideline: Option<&Guideline>) -> f64 {
    let least = guideline.map_or(of_model.least_log_odds(), Guideline::least_log_odds);
    let with_vectors = |joining: &Joining<'_>| {
        joining.guideline.map_or_else(|| joining.evidence.least_log_odds(), Guideline::least_log_odds)
    };
    joining.map_or(0.0, |joining| with_vectors(joining) - least)
}

impl<'j> Joining<'_> {
    /// What is joined with the posteriors of a pair, if it has vectors; takes these.
    fn about(joining: &'j mut Option<Self>, n: usize) -> Option<&'j mut Self> {
        let joining = joining.as_mut().filter(|joining| joining.evidence.is_about(n))?;
        joining.scorer.load(n);
        Some(joining)
    }
}
