//! Training, pass by pass.
//!
//! A pass has two halves: [`count`](Training::count), the expectation step, and [`maximize`](Training::maximize). Between
//! them lie the [`Counts`]: integers, which add up exactly whatever counted them. So a text can be counted in parts, by
//! several processes or machines that each have the text, and what they counted be put together; and what was counted can
//! be kept in a file, from which training goes on as if it had never been interrupted.
//!
//! ```
//! use alinea::bitext::{Bitext, RankedBitext, Text};
//! use alinea::model::{AlignerConfig, Shard, Supervision, Training};
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//!
//! let (mut source, mut target) = (Text::default(), Text::default());
//! for (s, t) in [("the house", "la maison"), ("the flower", "la fleur"), ("a house", "une maison")] {
//!     source.push_sentence(s.split(' ').map(str::as_bytes));
//!     target.push_sentence(t.split(' ').map(str::as_bytes));
//! }
//! let bitext = RankedBitext::new(Bitext::new(source, target)?);
//! let serial = Parallelism::serial();
//! let begin = || Training::new(&bitext, AlignerConfig::default(), &Supervision::default(), &serial, &Silent);
//! let (mut one, mut other) = (begin()?, begin()?);
//! while one.next_pass().is_some() {
//!     one.count(Shard::new(1, 2)?, &serial, &Silent)?;
//!     other.count(Shard::new(2, 2)?, &serial, &Silent)?;
//!     let counts = one.counts()?.merged(other.counts()?)?;
//!     for training in [&mut one, &mut other] {
//!         training.take(counts.clone(), &serial)?;
//!         training.maximize(&serial)?;
//!     }
//! }
//! let aligner = one.finish();
//! assert_eq!(aligner.worker(&bitext).align(1).to_string(), "0-0 1-1");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::sync::Arc;

use crate::bitext::{Bitext, DistinctPairs, RankedBitext};
use crate::error::{Error, ErrorKind, Result};
use crate::lexicon::characters::CharacterModel;
use crate::lexicon::{PairIndex, PairTable, dictionary_pairs, fingerprint};
use crate::model::aligner::{Aligner, Provenance};
use crate::model::config::{AlignerConfig, JumpConfig, Schedule};
use crate::model::em::back_off::Level;
use crate::model::em::expectation::{Expectations, PassInputs, PreviousPass, expect};
use crate::model::em::maximization::{Maximization, Maximizer};
use crate::model::em::parameters::{Direction, Parameters};
use crate::model::em::pass::{PassNumber, Stage};
use crate::model::em::plan::Plan;
use crate::model::em::shard::Shard;
use crate::model::em::tables::Tables;
use crate::model::em::text::{TrainingText, usable_pairs};
use crate::model::name::Feature;
use crate::model::refinement::leave_one_out::Ibm1Memory;
use crate::model::refinement::soft_links::GivenPosteriors;
use crate::model::refinement::subword_posteriors::SubwordPosteriors;
use crate::model::refinement::subwords;
use crate::model::refinement::supervision::{GivenLinks, Supervision};
use crate::model::saved::counts::{CountedPairs, Counts};
use crate::model::saved::open::Model;
use crate::parallel::{Parallelism, Work};
use crate::progress::{Observer, Step};

/// A model on its way.
#[derive(Debug)]
pub struct Training<'t> {
    config: AlignerConfig,
    schedule: Schedule,
    text: TrainingText<'t>,
    provenance: Provenance,
    /// What models of subwords have to know; nothing if there are none.
    subword_supervision: Option<Supervision>,
    index: Arc<PairIndex>,
    levels: Arc<[Level]>,
    maximizer: Maximizer,
    parameters: Parameters,
    /// What the pass before left.
    previous: PreviousPass,
    characters: Option<CharacterModel>,
    /// What was counted in the pass that is not done yet; the counts of pairs of words lie in their table.
    counted: Option<Expectations>,
    /// The sums of the pass that was done last.
    sums: Option<Expectations>,
    log_likelihoods: Vec<[f64; 2]>,
    passes_done: u32,
    /// The parts of the text, if it is counted in parts that are elsewhere.
    parts: Option<Parts>,
}

/// A text that is elsewhere, in parts.
#[derive(Debug)]
pub(in crate::model) struct Parts {
    /// How many they are.
    pub(in crate::model) number: usize,
    /// What tells this training from others, with what left its index.
    pub(in crate::model) identity: String,
    /// Whether pairs of words have left the index: what parts have of them backs off to stems.
    pub(in crate::model) lacks_pairs: bool,
    /// Sentence pairs with words on both sides.
    pub(in crate::model) usable: usize,
    /// The longest sentence of each side, in words.
    pub(in crate::model) longest: [usize; 2],
}

/// What a training knows between two passes.
#[derive(Debug)]
pub(in crate::model) struct Between {
    pub(in crate::model) passes_done: u32,
    pub(in crate::model) parameters: Parameters,
    pub(in crate::model) previous: PreviousPass,
    pub(in crate::model) characters: Option<CharacterModel>,
    pub(in crate::model) log_likelihoods: Vec<[f64; 2]>,
    /// What the last pass counted besides pairs of words.
    pub(in crate::model) sums: Option<Expectations>,
}

impl Between {
    /// What is known before the first pass.
    fn of(parameters: Parameters) -> Self {
        Self {
            passes_done: 0,
            parameters,
            previous: PreviousPass::Nothing,
            characters: None,
            log_likelihoods: Vec::new(),
            sums: None,
        }
    }
}

/// A saved model that is adapted, and in how many passes.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Base<'m> {
    pub(in crate::model) model: &'m Model,
    pub(in crate::model) passes: u32,
}

impl<'t> Training<'t> {
    /// Prepares for a text. O(tokens + pairs of words).
    ///
    /// # Errors
    /// Those of [`Aligner::train_with`].
    pub fn new(
        bitext: &'t RankedBitext,
        config: AlignerConfig,
        supervision: &Supervision,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        config.validate()?;
        Self::on_top_of(None, bitext, config, supervision, Work { parallelism, observer })
    }

    /// Prepares for adapting a saved model to a text, in so many passes.
    ///
    /// # Errors
    /// Those of [`Aligner::adapt`].
    pub(crate) fn adapting(
        model: &Model,
        bitext: &'t RankedBitext,
        passes: u32,
        supervision: &Supervision,
        work: Work<'_>,
    ) -> Result<Self> {
        if !model.config().agreement || model.config().prior.is_none() {
            return Err(Feature::Adaptation.refused_by(model.config().name));
        }
        if !(1..=1000).contains(&passes) {
            return Err(Error::config("adapt", passes, "1 to 1000 passes"));
        }
        let config = model.config().clone();
        Self::on_top_of(Some(Base { model, passes }), bitext, config, supervision, work)
    }

    /// A training on top of what a model has learned, if one is given.
    pub(in crate::model) fn on_top_of(
        base: Option<Base<'_>>,
        bitext: &'t RankedBitext,
        config: AlignerConfig,
        supervision: &Supervision,
        Work { parallelism, observer }: Work<'_>,
    ) -> Result<Self> {
        let (whole, bitext) = (bitext, bitext.in_stretches());
        let usable = usable_pairs(bitext)?;
        let schedule = base.map_or(config.schedule_for(usable), |base| Schedule { ibm1: 0, hmm: base.passes });
        check_supervision(supervision, &config, schedule)?;
        let (linked, soft) = (supervision.links.len(), supervision.soft_links.len());
        let supervision = supervision.in_stretches(whole)?;
        let distinct = DistinctPairs::of(bitext);
        let index = Arc::new(PairIndex::of_distinct(bitext, distinct.pairs(), parallelism, observer)?);
        let links = GivenLinks::new(&supervision.links, &distinct);
        let given = GivenPosteriors::new(&supervision.soft_links, &distinct, |place| links.of(place).is_some());
        let text = TrainingText::new(whole, usable, distinct, (links, given));
        let word_pairs = dictionary_pairs(&supervision.dictionary, bitext, &index);
        let passes = base.map_or(0, |base| base.passes as usize);
        let provenance = Provenance { word_pairs: word_pairs.len(), linked, soft, models: 0, passes };
        let mut maximizer = Maximizer::new(bitext, usable, &index, &config, parallelism).with_given(word_pairs);
        let lengths = text.longest();
        let parameters = match base {
            Some(base) => {
                let (parameters, taught) = base.model.teach(bitext, &index, lengths, parallelism);
                maximizer = maximizer.on_top_of(taught);
                parameters
            }
            None => initial_parameters(bitext, maximizer.initial_translation(parallelism)?, config.jumps, lengths),
        };
        Ok(Self {
            subword_supervision: config.subwords.is_some().then_some(supervision),
            config,
            schedule,
            text,
            provenance,
            index,
            levels: Arc::clone(maximizer.levels()),
            maximizer,
            parameters,
            previous: PreviousPass::Nothing,
            characters: None,
            counted: None,
            sums: None,
            log_likelihoods: Vec::new(),
            passes_done: 0,
            parts: None,
        })
    }

    /// A training without sentences, of a text that is counted in parts elsewhere: given are its words, the pairs of them,
    /// pseudo-counts of some pairs by ascending id, and what was known between two passes, unless it begins.
    ///
    /// # Errors
    /// None of its own.
    pub(in crate::model) fn in_parts(
        words: &'t RankedBitext,
        index: Arc<PairIndex>,
        config: AlignerConfig,
        given: Vec<(u32, f32)>,
        (parts, between): (Parts, Option<Between>),
        parallelism: &Parallelism,
    ) -> Result<Self> {
        let usable = parts.usable;
        let schedule = config.schedule_for(usable);
        let provenance = Provenance { word_pairs: given.len(), ..Provenance::default() };
        let mut maximizer = Maximizer::new(words, usable, &index, &config, parallelism).with_given(given);
        let between = if let Some(between) = between {
            between
        } else {
            let translation = maximizer.initial_translation(parallelism)?;
            Between::of(initial_parameters(words, translation, config.jumps, parts.longest))
        };
        if let Some(characters) = &between.characters {
            maximizer.take_spelling(words, characters, parallelism)?;
        }
        let none = (GivenLinks::default(), GivenPosteriors::default());
        let Between { passes_done, parameters, previous, characters, log_likelihoods, sums } = between;
        Ok(Self {
            subword_supervision: None,
            config,
            schedule,
            text: TrainingText::new(words, usable, DistinctPairs::default(), none),
            provenance,
            index,
            levels: Arc::clone(maximizer.levels()),
            maximizer,
            parameters,
            previous,
            characters,
            counted: None,
            sums,
            log_likelihoods,
            passes_done,
            parts: Some(parts),
        })
    }

    /// How stems are cut, and the number of each pair of stems.
    pub(in crate::model) fn levels(&self) -> &Arc<[Level]> {
        &self.levels
    }

    /// Whether pairs of words have so many expected counts after the pass that was done last, in units, or are otherwise known; by id.
    /// O(pairs).
    pub(in crate::model) fn pairs_with(&self, least: u64) -> Vec<bool> {
        let translation = &self.parameters.translation;
        let mut found = vec![false; translation.len()];
        for (id, [forward, reverse]) in translation.counts_with(&translation.spilled()) {
            found[id as usize] = forward.max(reverse) >= least;
        }
        self.maximizer.known_pairs().for_each(|id| found[id as usize] = true);
        found
    }

    /// What it knows between two passes.
    pub(in crate::model) fn between(self) -> Between {
        let Self { passes_done, parameters, previous, characters, log_likelihoods, sums, .. } = self;
        Between { passes_done, parameters, previous, characters, log_likelihoods, sums }
    }

    /// How many pairs of words of the text the dictionary has that was given beforehand.
    pub fn given_word_pairs(&self) -> usize {
        self.provenance.word_pairs
    }

    /// The pass that is next to be counted or, if it was, maximized; nothing if all are done.
    pub fn next_pass(&self) -> Option<PassNumber> {
        self.schedule.pass_after(self.passes_done)
    }

    /// How many passes are done.
    pub fn passes_done(&self) -> u32 {
        self.passes_done
    }

    /// How many passes there are.
    pub fn passes(&self) -> u32 {
        self.schedule.ibm1 + self.schedule.hmm
    }

    /// The passes that are left, those of models of subwords among them.
    pub(crate) fn steps_left(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for pass in (self.passes_done..self.passes()).filter_map(|done| self.schedule.pass_after(done)) {
            if self.subword_supervision.is_some() && self.plan().is_independent(pass) {
                steps.extend(subwords::steps(self.config.schedule_for(self.text.usable)));
            }
            steps.push(Step::new(pass.to_string(), pass.cost()));
        }
        steps
    }

    /// The expectation step of the next pass, over one part of the text. What was counted before in this pass is
    /// forgotten; what the pass before left is used up by the parts that are counted.
    ///
    /// # Errors
    /// `Inconsistent` if all passes are done, `Cancelled` if the observer says so.
    pub fn count(&mut self, shard: Shard, parallelism: &Parallelism, observer: &dyn Observer) -> Result<()> {
        let pass = self.pass()?;
        let some = shard.part(self.text.chunks.len());
        let work = Work { parallelism, observer };
        let subwords = self.subword_posteriors(pass, work)?;
        observer
            .started(&pass.to_string(), self.text.chunks[some.clone()].iter().map(|pairs| pairs.len() as u64).sum());
        self.parameters.translation.clear_counts();
        let previous = std::mem::replace(&mut self.previous, PreviousPass::Nothing);
        let Self { index, levels, parameters, config, .. } = &*self;
        let tables = Tables { index, levels, parameters, config, frozen: None };
        let jump_pairs = config.jumps.sentences.unwrap_or(usize::MAX);
        let inputs = PassInputs { previous, subwords: &subwords, jump_pairs };
        let expectations = expect(&self.text, some, tables, self.plan().kind_of(pass), inputs, work)?;
        let [forward, reverse] = expectations.log_likelihood();
        let sum = if self.config.weighs_in(pass.stage) { "log-weight" } else { "log-likelihood" };
        observer.finished(&format!("{sum} {forward:.0} forward, {reverse:.0} reverse"));
        self.counted = Some(expectations);
        Ok(())
    }

    /// The posteriors of models of subwords, if this is the pass that is interpolated with them.
    fn subword_posteriors(&self, pass: PassNumber, work: Work<'_>) -> Result<SubwordPosteriors> {
        match &self.subword_supervision {
            Some(known) if self.plan().is_independent(pass) => {
                subwords::posteriors(&self.text, &self.config, known, work)
            }
            _ => Ok(SubwordPosteriors::default()),
        }
    }

    /// What was counted. O(pairs of words).
    ///
    /// # Errors
    /// `Inconsistent` if nothing was.
    pub fn counts(&self) -> Result<Counts> {
        let pass = self.pass()?;
        let Some(expectations) = &self.counted else {
            return Err(ErrorKind::Inconsistent(format!("nothing was counted in {pass}")).into());
        };
        let memory = self.plan().remembers_ibm1(pass).then(|| Ibm1Memory::of(&self.parameters));
        let spilled = self.parameters.translation.spilled();
        let mut pairs = CountedPairs::default();
        pairs.push(|| self.parameters.translation.counts_with(&spilled));
        let counts = Counts::new(self.identity(), self.chunks(), pass, pairs, expectations.clone());
        Ok(counts.with(&self.log_likelihoods, self.characters.clone(), memory))
    }

    /// Goes on from what was counted, here or elsewhere, in the next pass or a later one.
    ///
    /// # Errors
    /// `Inconsistent` if a part of the text is missing, or it is another text, or trained in another way.
    pub fn take(&mut self, counts: Counts, parallelism: &Parallelism) -> Result<()> {
        counts.check(&self.identity(), self.chunks())?;
        let passes_done = counts.pass().saturating_sub(1);
        let no_pass = || ErrorKind::Inconsistent(format!("counts of pass {} of {}", counts.pass(), self.passes()));
        let pass = self.schedule.pass_after(passes_done).ok_or_else(no_pass)?;
        let (expectations, characters, memory, log_likelihoods) =
            counts.into_parts(&mut self.parameters.translation)?;
        if self.characters.is_none()
            && let Some(characters) = characters
        {
            self.maximizer.take_spelling(self.text.bitext, &characters, parallelism)?;
            self.characters = Some(characters);
        }
        self.previous =
            memory.filter(|_| self.plan().remembers_ibm1(pass)).map_or(PreviousPass::Nothing, PreviousPass::Ibm1);
        self.counted = Some(expectations);
        (self.passes_done, self.log_likelihoods) = (passes_done, log_likelihoods);
        Ok(())
    }

    /// The maximization step, which ends the pass that was counted.
    ///
    /// # Errors
    /// `Inconsistent` if not all of the text was counted.
    pub fn maximize(&mut self, parallelism: &Parallelism) -> Result<()> {
        let pass = self.pass()?;
        let counted = self.counted.take().filter(|counted| counted.chunks.len() == self.chunks());
        let Some(mut expectations) = counted else {
            return Err(ErrorKind::Inconsistent(format!("not all of the text was counted in {pass}")).into());
        };
        self.previous = match pass.stage {
            Stage::Hmm if self.config.remembers() => {
                PreviousPass::Hmm(expectations.take_contributions(&self.text.chunks))
            }
            Stage::Ibm1 if self.plan().remembers_ibm1(pass) => {
                match std::mem::replace(&mut self.previous, PreviousPass::Nothing) {
                    memory @ PreviousPass::Ibm1(_) => memory,
                    _ => PreviousPass::Ibm1(Ibm1Memory::of(&self.parameters)),
                }
            }
            _ => PreviousPass::Nothing,
        };
        if self.config.characters && !self.adapts() && pass.stage == Stage::Hmm && pass.of_stage[0] == 1 {
            self.characters =
                self.maximizer.learn_spelling(self.text.bitext, &self.parameters.translation, parallelism)?;
        }
        let leaves_out = self.config.leave_one_out && !matches!(self.previous, PreviousPass::Nothing);
        let lacks_pairs = self.parts.as_ref().is_some_and(|parts| parts.lacks_pairs);
        let keeps_stems = leaves_out || lacks_pairs || pass.number == pass.of;
        let maximization = Maximization { pass: self.plan().kind_of(pass), keeps_stems };
        self.maximizer.maximize(&expectations, maximization, &self.config, &mut self.parameters, parallelism)?;
        self.log_likelihoods.push(expectations.log_likelihood());
        expectations.chunks.clear();
        self.sums = Some(expectations);
        self.passes_done += 1;
        Ok(())
    }

    /// All passes that are left.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn run(mut self, parallelism: &Parallelism, observer: &dyn Observer) -> Result<Aligner> {
        observer.planned(&self.steps_left());
        while self.next_pass().is_some() {
            self.count(Shard::WHOLE, parallelism, observer)?;
            self.maximize(parallelism)?;
        }
        Ok(self.finish())
    }

    /// The model as it is after the passes that are done.
    pub fn finish(self) -> Aligner {
        let adapted = self.adapts();
        let Self { config, schedule, text, provenance, index, levels, parameters, .. } = self;
        let Self { previous, characters, sums, log_likelihoods, .. } = self;
        let TrainingText { bitext, cuts, usable, distinct, links, given, chunks: _ } = text;
        Aligner {
            config,
            schedule,
            pairs: usable,
            weights: bitext.weights().clone(),
            cuts,
            distinct,
            index,
            levels,
            parameters,
            characters,
            previous,
            links,
            given,
            provenance,
            // Those of a model that was adapted are of the new text alone.
            sums: sums.filter(|_| !adapted),
            log_likelihoods,
        }
    }

    /// Whether this adapts a saved model.
    fn adapts(&self) -> bool {
        self.provenance.passes > 0
    }

    fn pass(&self) -> Result<PassNumber> {
        let done = || ErrorKind::Inconsistent(format!("all {} passes are done", self.passes_done)).into();
        self.next_pass().ok_or_else(done)
    }

    fn plan(&self) -> Plan<'_> {
        Plan { config: &self.config, schedule: self.schedule, usable: self.text.usable }
    }

    /// How many chunks the text has that is counted, here or in parts.
    fn chunks(&self) -> usize {
        self.parts.as_ref().map_or(self.text.chunks.len(), |parts| parts.number)
    }

    /// What tells this training from others.
    fn identity(&self) -> String {
        if let Some(parts) = &self.parts {
            return parts.identity.clone();
        }
        let schedule = format!("{}+{}", self.schedule.ibm1, self.schedule.hmm);
        let config = self.config.identity();
        let text = self.text.bitext.bitext().fingerprint();
        let links = self.text.links.fingerprint() ^ self.text.given.fingerprint();
        let given = fingerprint(self.maximizer.given());
        format!("{config} {schedule} {} {text:016x} {links:016x} {given:016x}", self.text.bitext.weights())
    }
}

impl Aligner {
    /// Trains on a text. Pairs with an empty side teach nothing.
    ///
    /// Time O(passes × cells), memory about 23 to 32 bytes for each distinct pair of words that co-occur.
    ///
    /// # Errors
    /// `Config` for a bad configuration, `Empty` if every pair has an empty side, `Cancelled` if the observer says so.
    pub fn train(
        bitext: &RankedBitext,
        config: AlignerConfig,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        Self::train_with(bitext, config, &Supervision::default(), parallelism, observer)
    }

    /// Trains on a text of which something is known beforehand.
    ///
    /// Cost and errors as in [`train`](Self::train).
    ///
    /// # Errors
    /// `Config` for a dictionary to a model without a prior and for links, soft or not, to a model without an HMM;
    /// `Inconsistent` for links that are not of the text.
    pub fn train_with(
        bitext: &RankedBitext,
        config: AlignerConfig,
        supervision: &Supervision,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        Training::new(bitext, config, supervision, parallelism, observer)?.run(parallelism, observer)
    }

    /// Adapts a saved model to a text: `passes` passes of the HMM over the text, best
    /// [`ADAPTATION_PASSES`](crate::model::ADAPTATION_PASSES), whose counts come on top of what the model was taught. Jumps and fertilities stay those of the model.
    ///
    /// A model of `quality` trains models of subwords of the text beside it, as in training.
    ///
    /// Time O(passes × cells of the text), memory as in [`train`](Self::train), whatever the size of the model.
    ///
    /// # Errors
    /// `Config` if the model is none in agreement, or there is no pass; `Empty` and `Cancelled` as in training.
    pub fn adapt(
        model: &Model,
        bitext: &RankedBitext,
        passes: u32,
        supervision: &Supervision,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let work = Work { parallelism, observer };
        Training::adapting(model, bitext, passes, supervision, work)?.run(parallelism, observer)
    }
}

/// The parameters before the first pass; given are those of translation, and the longest sentence of each side.
fn initial_parameters(
    bitext: &RankedBitext,
    translation: PairTable,
    jumps: JumpConfig,
    lengths: [usize; 2],
) -> Parameters {
    let Bitext { source, target } = bitext.bitext();
    Parameters {
        translation,
        forward: Direction::initial(target, bitext.target_frequencies(), jumps, lengths[0]),
        reverse: Direction::initial(source, bitext.source_frequencies(), jumps, lengths[1]),
        back_off: Vec::new(),
    }
}

/// Refuses what the model would make no use of.
fn check_supervision(supervision: &Supervision, config: &AlignerConfig, schedule: Schedule) -> Result<()> {
    let unsupported = |feature: Feature| Err(feature.refused_by(config.name));
    if !supervision.dictionary.is_empty() && config.prior.is_none() {
        return unsupported(Feature::Dictionary);
    }
    if !(supervision.links.is_empty() && supervision.soft_links.is_empty()) && schedule.hmm == 0 {
        return unsupported(Feature::Links);
    }
    Ok(())
}
