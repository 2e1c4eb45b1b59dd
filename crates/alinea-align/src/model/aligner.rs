//! The trained joint model, of both directions.
//!
//! An [`Aligner`] is what training ends with. To align any pair of its words it has the pair index, the levels of stems
//! and the parameters. To align its own text as training left it, it also knows which sentence pairs are equal, where
//! long ones are cut into stretches, which links were given, and what each pair added to the counts of the last pass.
//! Leave-one-out takes that away again; after an independent last pass it is averaged with the new posteriors. `about`
//! collects it for one stretch. The sums of the last pass stay as well, so that saved models can be merged.
//!
//! It is immutable and shared by threads, each of which has a [`Worker`](crate::model::Worker).

use std::sync::Arc;

use super::config::{AlignerConfig, Schedule};
use crate::bitext::{Cuts, DistinctPairs, RankedBitext, Weights};
use crate::lexicon::PairIndex;
use crate::lexicon::characters::CharacterModel;
use crate::model::em::back_off::Level;
use crate::model::em::expectation::{Expectations, PreviousPass};
use crate::model::em::parameters::Parameters;
use crate::model::em::pass::Stage;
use crate::model::em::tables::Tables;
use crate::model::pair::pair_worker::About;
use crate::model::refinement::leave_one_out::SelfCounts;
use crate::model::refinement::soft_links::GivenPosteriors;
use crate::model::refinement::supervision::GivenLinks;

/// A trained model of both directions. Immutable; every thread aligns with a [`Worker`](crate::model::Worker) of its own.
#[derive(Debug)]
pub struct Aligner {
    pub(super) config: AlignerConfig,
    pub(super) schedule: Schedule,
    pub(super) pairs: usize,
    pub(super) weights: Weights,
    /// Where long pairs of the text are cut: what follows is told by the number of a stretch.
    pub(super) cuts: Cuts,
    pub(super) distinct: DistinctPairs,
    pub(super) index: Arc<PairIndex>,
    pub(super) levels: Arc<[Level]>,
    pub(super) parameters: Parameters,
    /// How words are spelled in the other language, if that was learned.
    pub(super) characters: Option<CharacterModel>,
    /// What the last pass added to the counts.
    pub(super) previous: PreviousPass,
    /// The links that were known of distinct pairs.
    pub(super) links: GivenLinks,
    /// The soft links of distinct pairs, which were counted.
    pub(super) given: GivenPosteriors,
    pub(super) provenance: Provenance,
    /// What the last pass counted besides pairs of words.
    pub(super) sums: Option<Expectations>,
    pub(super) log_likelihoods: Vec<[f64; 2]>,
}

/// What a model was made from, beside the text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Provenance {
    /// Pairs of words that a dictionary has, and the text too.
    pub(super) word_pairs: usize,
    /// Sentence pairs with links.
    pub(super) linked: usize,
    /// Sentence pairs with soft links.
    pub(super) soft: usize,
    /// Models that this one was merged from.
    pub(super) models: usize,
    /// Passes in which a model was adapted.
    pub(super) passes: usize,
}

impl Aligner {
    /// The configuration it was trained with.
    pub fn config(&self) -> &AlignerConfig {
        &self.config
    }

    /// The passes it was trained for.
    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// One line that names every choice that changed results.
    pub fn signature(&self) -> String {
        let weights = if self.weights.are_equal() { String::new() } else { format!("|weights:{}", self.weights) };
        self.config.signature(self.pairs) + &weights + &self.given_signature()
    }

    /// What was known beforehand, a dictionary, links, or models, as fields of a signature; empty if nothing was.
    pub fn given_signature(&self) -> String {
        let Provenance { word_pairs, linked, soft, models, passes } = self.provenance;
        let field = |name: &str, value: usize| (value > 0).then(|| format!("|{name}:{value}"));
        let fields = [
            ("adapt", passes),
            ("dictionary", word_pairs),
            ("links", linked),
            ("soft-links", soft),
            ("merged", models),
        ];
        fields.into_iter().filter_map(|(name, value)| field(name, value)).collect()
    }

    /// How many pairs of words of the text a dictionary had that was given beforehand.
    pub fn given_word_pairs(&self) -> usize {
        self.provenance.word_pairs
    }

    /// The log-likelihoods of target given source and of source given target before each pass. In passes of an HMM with
    /// fertilities, an end factor or jumps by kinds of words they are sums of
    /// [log-weights](super::Posteriors::log_weights), which are no logarithms of probabilities.
    pub fn log_likelihoods(&self) -> &[[f64; 2]] {
        &self.log_likelihoods
    }

    /// The word pairs of the model.
    pub fn index(&self) -> &PairIndex {
        &self.index
    }

    /// The trained tables.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    pub(super) fn tables(&self) -> Tables<'_> {
        let Self { index, levels, parameters, config, .. } = self;
        Tables { index, levels, parameters, config, frozen: None }
    }

    /// # Panics
    /// If this is not the text trained on, as far as the numbers of pairs and words tell.
    pub(super) fn assert_own(&self, bitext: &RankedBitext) {
        let words = [bitext.source_frequencies().len(), bitext.target_frequencies().len()];
        let own = [self.parameters.reverse.null.len(), self.parameters.forward.null.len()];
        assert_eq!(
            (bitext.in_stretches().len(), words),
            (self.distinct.of_pairs(), own),
            "pairs and words of the text trained on"
        );
    }

    /// What is known of the `n`-th stretch of the text trained on, when it is aligned. `forgets`: what was counted is no
    /// part of it where it was given.
    pub(super) fn about(&self, n: usize, forgets: bool) -> About<'_> {
        let own = |place| self.previous.self_counts(place, self.weights.of(n));
        let known = |place| About {
            self_counts: own(place),
            links: self.links.of(place),
            average: !(forgets && self.given.of(place).is_some()),
            ..NOTHING
        };
        self.distinct.place_of(n).map_or(NOTHING, known)
    }

    pub(super) fn stage(&self) -> Stage {
        if self.schedule.hmm > 0 { Stage::Hmm } else { Stage::Ibm1 }
    }
}

/// Nothing is known.
pub(super) const NOTHING: About<'_> =
    About { self_counts: SelfCounts::Nothing, links: None, given: None, subwords: &[], average: true };
