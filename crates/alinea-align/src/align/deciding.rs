//! Decisions about cells, on the way from a model to whatever reads confidences.
//!
//! A [`DecidingFinder`] stands before the finder of a model and puts what is [decided](crate::decision) about each cell in place
//! of its posteriors: so links, thresholds, objectives and whatever reads confidences need to know nothing of it. Best paths,
//! weights and likelihoods stay those of the model. Pairs whose links were known keep their posteriors.
//!
//! Where a pair has vectors that are trusted, it is decided about with what these say ([`JoinedEvidence`]). Long pairs are decided
//! about stretch by stretch, as they are aligned.

use super::decode::{Finder, Found};
use super::joined::{DECISION, JoinedEvidence, Scorer};
use super::pair_words::{PairWords, Ranked};
use crate::alignment::GoldAlignment;
use crate::decision::{Cells, Decision, PairFeatures};
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
    /// What is decided about them without vectors, in log-odds.
    log_odds: Vec<f64>,
}

impl<'t> Buffers<'t> {
    fn of(text: Ranked<'t>) -> Self {
        Self {
            words: PairWords::of(text),
            cells: CellBuffers::default(),
            stretches: Stretches::default(),
            alone: Vec::new(),
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
        let joining = evidence
            .filter(|evidence| evidence.is_trusted())
            .map(|evidence| Joining { evidence, scorer: Scorer::new(evidence.vectors()) });
        let of_model = joining.as_ref().map(|joining| joining.evidence.of_model()).or(of_model);
        let shift = joining.as_ref().map_or(0.0, |joining| joining.evidence.shift());
        let deciding =
            of_model.map(|of_model| Deciding { of_model, shift, joining, known, buffers: Buffers::of(text) });
        Self { finder, deciding }
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
            (Some(deciding), Some(posteriors)) if !deciding.knows(n) => Some(deciding.decide(n, &posteriors)),
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
                Some(Joining { evidence, scorer }) => {
                    evidence.alone(scorer.scores(start, lengths), means, alone);
                    &alone[..]
                }
                None => &*means,
            };
            let cells = Cells { words: words.part(start, lengths), posteriors, confidences };
            visit(start, lengths, &PairFeatures::new(cells), means);
        });
    }
}

impl Deciding<'_> {
    /// Whether the links of a pair are known.
    fn knows(&self, n: usize) -> bool {
        self.known.binary_search_by_key(&n, |&(known, _)| known).is_ok()
    }

    /// The decided confidences of a pair.
    fn decide(&mut self, n: usize, posteriors: &Posteriors<'_>) -> Posteriors<'_> {
        let Self { of_model, shift, joining, buffers, .. } = self;
        let Buffers { words, cells, stretches, alone, log_odds } = buffers;
        let mut joining = Joining::about(joining, n);
        words.load(n);
        posteriors.joined(stretches, cells, |start, lengths, posteriors, confidences| {
            let words = words.part(start, lengths);
            let Some(Joining { evidence, scorer }) = &mut joining else {
                alone.clear();
                alone.extend_from_slice(confidences);
                let features = PairFeatures::new(Cells { words, posteriors, confidences: alone });
                for (cell, [row, column]) in features.candidates() {
                    confidences[cell] = sigmoid(of_model.log_odds(&features, row, column) + *shift) as f32;
                }
                return;
            };
            let joint = evidence.joint();
            log_odds.clear();
            if joint.is_fully_trusted() {
                // They do not count.
                log_odds.resize(confidences.len(), 0.0);
            } else {
                log_odds.extend(confidences.iter().map(|&mean| embedding::log_odds(mean)));
                let features = PairFeatures::new(Cells { words, posteriors, confidences });
                for (cell, [row, column]) in features.candidates() {
                    log_odds[cell] = of_model.log_odds(&features, row, column);
                }
            }
            evidence.alone(scorer.scores(start, lengths), confidences, alone);
            confidences.copy_from_slice(alone);
            let features = PairFeatures::new(Cells { words, posteriors, confidences: alone });
            for (cell, [row, column]) in features.candidates() {
                confidences[cell] = joint.decided(DECISION.log_odds(&features, row, column), log_odds[cell]);
            }
        })
    }
}

impl<'j> Joining<'_> {
    /// What is joined with the posteriors of a pair, if it has vectors; takes these.
    fn about(joining: &'j mut Option<Self>, n: usize) -> Option<&'j mut Self> {
        let joining = joining.as_mut().filter(|joining| joining.evidence.is_about(n))?;
        joining.scorer.load(n);
        Some(joining)
    }
}
