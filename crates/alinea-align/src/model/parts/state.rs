//! The state of a training between two passes, and the maximization step that leads to the next.

use std::io::{self, Write};
use std::sync::Arc;

use super::identity::{identity, identity_of_counts};
use super::own_counts::OwnCounts;
use super::pairs::PartPairs;
use super::prune_limit::{PruneLimit, Pruned};
use super::words::WholeText;
use crate::bitext::{Cuts, Dictionary, DistinctPairs, RankedBitext};
use crate::error::{ErrorKind, Result};
use crate::lexicon::{PairIndex, dictionary_pairs};
use crate::model::aligner::{Aligner, Provenance};
use crate::model::config::{AlignerConfig, Schedule};
use crate::model::em::back_off::Level;
use crate::model::em::expectation::PreviousPass;
use crate::model::em::pass::PassNumber;
use crate::model::em::plan::Plan;
use crate::model::em::training::{Between, Parts, Training};
use crate::model::name::Feature;
use crate::model::refinement::leave_one_out::KnownPairs;
use crate::model::refinement::soft_links::GivenPosteriors;
use crate::model::refinement::supervision::GivenLinks;
use crate::model::saved::counts::Counts;
use crate::model::saved::header::TextForm;
use crate::parallel::Work;
use crate::storage::ContainerWriter;

/// What a training on a text in parts has learned so far.
#[derive(Debug)]
pub struct TrainingState {
    pub(super) whole: WholeText,
    pub(super) config: AlignerConfig,
    pub(super) index: Arc<PairIndex>,
    /// How stems are cut, and the number of each pair of stems.
    pub(super) levels: Arc<[Level]>,
    /// Pseudo-counts of a dictionary, by ascending id.
    pub(super) given: Vec<(u32, f32)>,
    pub(super) between: Between,
    /// What tells this training from others.
    pub(super) identity: String,
    /// What has left the index, in this order.
    pub(super) pruned: Vec<Pruned>,
}

impl TrainingState {
    /// Begins a training: before its first pass the model is the prior alone. Given are the pairs of words of all parts. O(pairs).
    ///
    /// # Errors
    /// `Config` for a bad configuration, a model of subwords, or a dictionary to a model without a prior; `Inconsistent` if pairs of
    /// a part are missing or there twice; `Model` if a file of them is damaged.
    pub fn begin(
        whole: WholeText,
        pairs: Vec<PartPairs>,
        config: AlignerConfig,
        dictionary: &Dictionary,
        work: Work<'_>,
    ) -> Result<Self> {
        config.validate()?;
        if config.subwords.is_some() {
            return Err(Feature::Parts.refused_by(config.name));
        }
        if !dictionary.is_empty() && config.prior.is_none() {
            return Err(Feature::Dictionary.refused_by(config.name));
        }
        let index = Arc::new(PartPairs::joined(pairs, &whole)?);
        let given = dictionary_pairs(dictionary, whole.words(), &index);
        let identity = identity(&whole, &config, &given);
        let parts = parts(&whole, &identity, &[]);
        let training = training(&whole, &index, &config, &given, (parts, None), work)?;
        let (levels, between) = (Arc::clone(training.levels()), training.between());
        Ok(Self { whole, config, index, levels, given, between, identity, pruned: Vec::new() })
    }

    /// The maximization step: the state after the pass that was counted, in all parts. With a limit, pairs of words that were counted
    /// less often leave the index, unless this was the last pass.
    ///
    /// # Errors
    /// `Inconsistent` if counts of a part are missing, or are of another pass, another text, or a model trained differently.
    pub fn maximize(self, counts: Counts, prune: Option<PruneLimit>, work: Work<'_>) -> Result<Self> {
        let pass = self.pass()?;
        if counts.pass() != pass.number {
            let message = format!("the state is that before {pass}, the counts are those of {}", counts.name());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let Self { whole, config, index, given, between, identity, pruned, .. } = self;
        let prune = prune.filter(|_| pass.number < pass.of);
        let parts = Parts { lacks_pairs: prune.is_some() || !pruned.is_empty(), ..parts(&whole, &identity, &pruned) };
        let mut training = training(&whole, &index, &config, &given, (parts, Some(between)), work)?;
        training.take(counts, work.parallelism)?;
        training.maximize(work.parallelism)?;
        let stays = prune.map(|limit| (limit, training.pairs_with(limit.units())));
        let (levels, between) = (Arc::clone(training.levels()), training.between());
        let next = Self { whole, config, index, levels, given, between, identity, pruned };
        match stays {
            Some((limit, stays)) => next.pruned(limit, &stays, work.parallelism),
            None => Ok(next),
        }
    }

    /// The model, after the last pass; given is what all parts kept of that.
    ///
    /// # Errors
    /// `Inconsistent` if there are passes left, or a part is missing or there twice.
    pub fn finish(self, own: Vec<OwnCounts>) -> Result<TrainedInParts> {
        if let Some(pass) = self.next_pass() {
            return Err(ErrorKind::Inconsistent(format!("{pass} is not done yet")).into());
        }
        self.whole.check_all_there(own.iter().map(|own| own.header.part), "own counts")?;
        own.iter().try_for_each(|own| own.check(&self.identity, self.passes_done()))?;
        let linked = own.iter().map(|own| own.header.linked).sum();
        let known: Vec<KnownPairs> = own.into_iter().filter_map(|own| own.known).collect();
        let known = self.config.remembers().then(|| KnownPairs::merged(&known));
        let (form, words) = (self.whole.form(), self.whole.words().clone());
        Ok(TrainedInParts { aligner: self.into_aligner(linked), words, form, known })
    }

    /// The model, with what was given of so many pairs.
    fn into_aligner(self, linked: usize) -> Aligner {
        let plan = self.plan();
        let (schedule, pairs, weights) = (plan.schedule, plan.usable, self.whole.weights());
        let provenance = Provenance { word_pairs: self.given.len(), linked, ..Provenance::default() };
        let Self { config, index, levels, between, .. } = self;
        let Between { parameters, characters, sums, log_likelihoods, .. } = between;
        Aligner {
            config,
            schedule,
            pairs,
            weights,
            cuts: Cuts::default(),
            distinct: DistinctPairs::default(),
            index,
            levels,
            parameters,
            characters,
            // The parts have it.
            previous: PreviousPass::Nothing,
            links: GivenLinks::default(),
            given: GivenPosteriors::default(),
            provenance,
            sums,
            log_likelihoods,
        }
    }

    /// The pass that is next; nothing if all are done.
    pub fn next_pass(&self) -> Option<PassNumber> {
        self.plan().schedule.pass_after(self.between.passes_done)
    }

    /// Whether one pass is left at most, which leads to the model.
    pub fn is_before_model(&self) -> bool {
        self.next_pass().is_none_or(|pass| pass.number == pass.of)
    }

    /// How many passes there are.
    pub fn passes(&self) -> u32 {
        let Schedule { ibm1, hmm } = self.plan().schedule;
        ibm1 + hmm
    }

    /// How many passes are done.
    pub fn passes_done(&self) -> u32 {
        self.between.passes_done
    }

    /// The text, by its words and parts.
    pub fn whole(&self) -> &WholeText {
        &self.whole
    }

    /// How the model is trained.
    pub fn config(&self) -> &AlignerConfig {
        &self.config
    }

    pub(super) fn pass(&self) -> Result<PassNumber> {
        let done = || ErrorKind::Inconsistent(format!("all {} passes are done", self.passes_done())).into();
        self.next_pass().ok_or_else(done)
    }

    pub(super) fn plan(&self) -> Plan<'_> {
        Plan::of_parts(&self.config, self.whole.usable())
    }
}

/// A model that was trained on a text in parts.
#[derive(Debug)]
pub struct TrainedInParts {
    aligner: Aligner,
    words: RankedBitext,
    form: TextForm,
    /// What each sentence pair added to the counts of the last pass.
    known: Option<KnownPairs>,
}

impl TrainedInParts {
    /// Writes the model.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(self, to: &mut dyn Write) -> io::Result<()> {
        let Self { aligner, words, form, known } = self;
        let add = |file: &mut ContainerWriter<'_>| {
            if let Some(known) = known {
                known.store(file);
            }
        };
        aligner.save_with(&words, form, aligner.signature(), add, to)
    }
}

/// A training without sentences, from what is known between two passes, or from the beginning.
fn training<'t>(
    whole: &'t WholeText,
    index: &Arc<PairIndex>,
    config: &AlignerConfig,
    given: &[(u32, f32)],
    from: (Parts, Option<Between>),
    work: Work<'_>,
) -> Result<Training<'t>> {
    Training::in_parts(whole.words(), Arc::clone(index), config.clone(), given.to_vec(), from, work.parallelism)
}

/// What a training without sentences knows of the parts of its text, and of what has left its index.
fn parts(whole: &WholeText, identity: &str, pruned: &[Pruned]) -> Parts {
    Parts {
        number: whole.len(),
        identity: identity_of_counts(identity, pruned),
        lacks_pairs: false,
        usable: whole.usable(),
        longest: whole.longest(),
    }
}
