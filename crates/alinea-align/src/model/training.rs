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

use super::pass::PassNumber;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use super::aligner::{Aligner, Provenance};
use super::back_off::Level;
use super::config::{AlignerConfig, Schedule};
use super::counts::Counts;
use super::expectation::{Expectations, PreviousPass, expect, sentence_chunks};
use super::leave_one_out::Ibm1Memory;
use super::maximization::Maximizer;
use super::name::Feature;
use super::parameters::{Direction, Parameters};
use super::pass::{Pass, Stage};
use super::saved::Model;
use super::subword_posteriors::SubwordPosteriors;
use super::subwords;
use super::supervision::{KnownLinks, Supervision};
use super::tables::Tables;
use crate::bitext::{Cuts, DistinctPairs, MOST_TOKENS, RankedBitext, Text};
use crate::error::{Error, ErrorKind, Result};
use crate::lexicon::characters::CharacterModel;
use crate::lexicon::{PairIndex, dictionary_pairs};
use crate::parallel::Parallelism;
use crate::progress::Observer;

/// One of the parts of a text of about the same size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// The `number`-th, from 1, of so many.
    ///
    /// # Errors
    /// `Config` if there is no such part.
    pub fn new(number: usize, of: usize) -> Result<Self> {
        if number == 0 || number > of {
            return Err(Error::config("shard", format!("{number}/{of}"), "K/N with K from 1 to N"));
        }
        Ok(Self { number, of })
    }

    /// Its part of so many chunks.
    fn part(self, chunks: usize) -> Range<usize> {
        let end = |number: usize| (number as u128 * chunks as u128 / self.of as u128) as usize;
        end(self.number - 1)..end(self.number)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let (number, of) = numbers.ok_or_else(|| Error::config("shard", text, "K/N with K from 1 to N"))?;
        Self::new(number, of)
    }
}

/// A model on its way.
#[derive(Debug)]
pub struct Training<'t> {
    bitext: &'t RankedBitext,
    config: AlignerConfig,
    schedule: Schedule,
    /// Pairs with words on both sides.
    usable: usize,
    adapts: bool,
    links: KnownLinks,
    /// What models that give advice have to know; nothing if there are none.
    subword_supervision: Option<Supervision>,
    given: Provenance,
    index: Arc<PairIndex>,
    levels: Arc<[Level]>,
    maximizer: Maximizer,
    /// Where long pairs of the text are cut; everything else is about stretches.
    cuts: Cuts,
    distinct: DistinctPairs,
    chunks: Vec<Range<usize>>,
    parameters: Parameters,
    /// What the pass before left.
    before: PreviousPass,
    characters: Option<CharacterModel>,
    /// What was counted in the pass that is not done yet; the counts of pairs of words lie in their table.
    counted: Option<Expectations>,
    /// The sums of the pass that was done last.
    sums: Option<Expectations>,
    log_likelihoods: Vec<[f64; 2]>,
    passes_done: u32,
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
        Self::on_top_of(None, bitext, (config, supervision), (parallelism, observer))
    }

    /// The same on top of what a model has learned, if one is given, in so many passes of the HMM.
    pub(super) fn on_top_of(
        base: Option<(&Model, u32)>,
        bitext: &'t RankedBitext,
        (config, supervision): (AlignerConfig, &Supervision),
        (parallelism, observer): (&Parallelism, &dyn Observer),
    ) -> Result<Self> {
        let (whole, bitext) = (bitext, bitext.in_stretches());
        let usable = usable_pairs(bitext)?;
        let schedule = base.map_or(config.schedule_for(usable), |(_, hmm)| Schedule { ibm1: 0, hmm });
        check_supervision(supervision, &config, schedule)?;
        let (found, index) = parallelism.join(
            || -> Result<_> {
                let distinct = DistinctPairs::of(bitext);
                let given = supervision.in_stretches(whole)?;
                let links = KnownLinks::new(&given.links, &distinct);
                Ok((distinct, links, given))
            },
            || PairIndex::build(bitext, parallelism, observer),
        );
        let linked = supervision.links.len();
        let ((distinct, links, supervision), index) = (found?, Arc::new(index?));
        let word_pairs = dictionary_pairs(&supervision.dictionary, bitext, &index);
        let passes = base.map_or(0, |(_, passes)| passes as usize);
        let given = Provenance { word_pairs: word_pairs.len(), linked, models: 0, passes };
        let mut maximizer = Maximizer::new((bitext, usable), &index, &config, parallelism).with_given(word_pairs);
        let texts = bitext.bitext();
        let lengths = [longest(&texts.source), longest(&texts.target)];
        let parameters = match base {
            Some((model, _)) => {
                let (parameters, taught) = model.teach(bitext, &index, lengths, parallelism);
                maximizer = maximizer.on_top_of(taught);
                parameters
            }
            None => Parameters {
                translation: maximizer.initial_translation(parallelism)?,
                forward: Direction::initial(&texts.target, bitext.target_frequencies(), config.jumps, lengths[0]),
                reverse: Direction::initial(&texts.source, bitext.source_frequencies(), config.jumps, lengths[1]),
                back_off: Vec::new(),
            },
        };
        let chunks = sentence_chunks(bitext, &distinct);
        let subword_supervision = (config.subwords.is_some() && base.is_none()).then_some(supervision);
        Ok(Self {
            bitext,
            config,
            schedule,
            usable,
            adapts: base.is_some(),
            links,
            subword_supervision,
            given,
            index,
            levels: Arc::clone(maximizer.levels()),
            maximizer,
            cuts: whole.cuts(),
            distinct,
            chunks,
            parameters,
            before: PreviousPass::Nothing,
            characters: None,
            counted: None,
            sums: None,
            log_likelihoods: Vec::new(),
            passes_done: 0,
        })
    }

    /// How many pairs of words of the text the dictionary has that was given beforehand.
    pub fn given_word_pairs(&self) -> usize {
        self.given.word_pairs
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

    /// The expectation step of the next pass, over one part of the text. What was counted before in this pass is
    /// forgotten; what the pass before left is used up by the parts that are counted.
    ///
    /// # Errors
    /// `Inconsistent` if all passes are done, `Cancelled` if the observer says so.
    pub fn count(&mut self, shard: Shard, parallelism: &Parallelism, observer: &dyn Observer) -> Result<()> {
        let pass = self.pass()?;
        let some = shard.part(self.chunks.len());
        let advice = self.advice(pass, parallelism, observer)?;
        observer.started(&pass.to_string(), self.chunks[some.clone()].iter().map(|pairs| pairs.len() as u64).sum());
        self.parameters.translation.clear_counts();
        let before = std::mem::replace(&mut self.before, PreviousPass::Nothing);
        let Self { index, levels, parameters, config, .. } = &*self;
        let tables = Tables { index, levels, parameters, config, frozen: None };
        let expectations = expect(
            (self.bitext, &self.distinct, &self.links),
            (&self.chunks, some),
            tables,
            (self.kind_of(pass), before, &advice),
            (parallelism, observer),
        )?;
        let [forward, reverse] = expectations.log_likelihood();
        let sum = if self.config.weighs_in(pass.stage) { "log-weight" } else { "log-likelihood" };
        observer.finished(&format!("{sum} {forward:.0} forward, {reverse:.0} reverse"));
        self.counted = Some(expectations);
        Ok(())
    }

    /// The posteriors of models of subwords, if this is the pass that is interpolated with them.
    fn advice(
        &self,
        pass: PassNumber,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<SubwordPosteriors> {
        match &self.subword_supervision {
            Some(known) if self.is_independent(pass) => {
                subwords::advice((self.bitext, &self.distinct), &self.config, known, parallelism, observer)
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
        let memory = self.remembers_ibm1(pass).then(|| Ibm1Memory::of(&self.parameters));
        let counts = Counts::new(self.identity(), self.chunks.len(), pass, &self.parameters.translation, expectations);
        Ok(counts.with(&self.log_likelihoods, self.characters.clone(), memory))
    }

    /// Goes on from what was counted, here or elsewhere, in the next pass or a later one.
    ///
    /// # Errors
    /// `Inconsistent` if a part of the text is missing, or it is another text, or trained in another way.
    pub fn take(&mut self, counts: Counts, parallelism: &Parallelism) -> Result<()> {
        counts.check(&self.identity(), self.chunks.len())?;
        let passes_done = counts.pass().saturating_sub(1);
        let no_pass = || ErrorKind::Inconsistent(format!("counts of pass {} of {}", counts.pass(), self.passes()));
        let pass = self.schedule.pass_after(passes_done).ok_or_else(no_pass)?;
        let (expectations, characters, memory, log_likelihoods) =
            counts.into_parts(&mut self.parameters.translation)?;
        if self.characters.is_none()
            && let Some(characters) = characters
        {
            self.maximizer.take_spelling(self.bitext, &characters, parallelism)?;
            self.characters = Some(characters);
        }
        self.before = memory.filter(|_| self.remembers_ibm1(pass)).map_or(PreviousPass::Nothing, PreviousPass::Ibm1);
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
        let counted = self.counted.take().filter(|counted| counted.chunks.len() == self.chunks.len());
        let Some(mut expectations) = counted else {
            return Err(ErrorKind::Inconsistent(format!("not all of the text was counted in {pass}")).into());
        };
        self.before = match pass.stage {
            Stage::Hmm if self.config.remembers() => PreviousPass::Hmm(expectations.take_contributions(&self.chunks)),
            Stage::Ibm1 if self.remembers_ibm1(pass) => {
                match std::mem::replace(&mut self.before, PreviousPass::Nothing) {
                    memory @ PreviousPass::Ibm1(_) => memory,
                    _ => PreviousPass::Ibm1(Ibm1Memory::of(&self.parameters)),
                }
            }
            _ => PreviousPass::Nothing,
        };
        if self.config.characters && !self.adapts && pass.stage == Stage::Hmm && pass.of_stage[0] == 1 {
            self.characters = self.maximizer.learn_spelling(self.bitext, &self.parameters.translation, parallelism)?;
        }
        let leaves_out = self.config.leave_one_out && !matches!(self.before, PreviousPass::Nothing);
        let keeps = leaves_out || pass.number == pass.of;
        let kind = self.kind_of(pass);
        self.maximizer.maximize(&expectations, (kind, keeps), &self.config, &mut self.parameters, parallelism)?;
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
        while self.next_pass().is_some() {
            self.count(Shard::WHOLE, parallelism, observer)?;
            self.maximize(parallelism)?;
        }
        Ok(self.finish())
    }

    /// The model as it is after the passes that are done.
    pub fn finish(self) -> Aligner {
        let Self { bitext, config, schedule, usable, links, given, index, levels, cuts, distinct, .. } = self;
        let Self { parameters, before, characters, sums, adapts, log_likelihoods, .. } = self;
        let (pairs, weights) = (usable, bitext.weights().clone());
        let known = (links, given);
        Aligner {
            config,
            schedule,
            pairs,
            weights,
            cuts,
            distinct,
            index,
            levels,
            parameters,
            characters,
            before,
            known,
            // Those of a model that was adapted are of the new text alone.
            sums: sums.filter(|_| !adapts),
            log_likelihoods,
        }
    }

    fn pass(&self) -> Result<PassNumber> {
        let done = || ErrorKind::Inconsistent(format!("all {} passes are done", self.passes_done)).into();
        self.next_pass().ok_or_else(done)
    }

    /// What a pass counts.
    fn kind_of(&self, pass: PassNumber) -> Pass {
        Pass {
            stage: pass.stage,
            agreed: self.config.agreement && pass.stage == Stage::Hmm && !self.is_independent(pass),
        }
    }

    /// Whether directions part in a pass.
    fn is_independent(&self, pass: PassNumber) -> bool {
        let last = pass.stage == Stage::Hmm && pass.is_last_of_stage();
        last && self.config.independent_share_for(self.usable).is_some()
    }

    /// Whether self-counts of this pass of Model 1 will be left out in the next.
    fn remembers_ibm1(&self, pass: PassNumber) -> bool {
        let last = pass.stage == Stage::Ibm1 && pass.is_last_of_stage();
        last && self.schedule.hmm > 0 && self.config.leaves_out_after_ibm1(self.usable)
    }

    /// What tells this training from others.
    fn identity(&self) -> String {
        let schedule = format!("{}+{}", self.schedule.ibm1, self.schedule.hmm);
        let config = serde_json::to_string(&self.config).expect("a configuration is numbers and names");
        let text = self.bitext.fingerprint();
        let (links, given) = (self.links.fingerprint(), self.maximizer.fingerprint_of_given());
        format!("{config} {schedule} {} {text:016x} {links:016x} {given:016x}", self.bitext.weights())
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
    /// `Config` for a dictionary to a model without a prior and for links to a model without an HMM; `Inconsistent` for
    /// links that are not of the text.
    pub fn train_with(
        bitext: &RankedBitext,
        config: AlignerConfig,
        supervision: &Supervision,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        Training::new(bitext, config, supervision, parallelism, observer)?.run(parallelism, observer)
    }

    /// Adapts a saved model to a text: so many passes of the HMM over the text, whose counts come on top of what the model
    /// was taught. Jumps and fertilities stay those of the model.
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
        if !model.config().agreement || model.config().prior.is_none() {
            return Err(Feature::Adaptation.refused_by(model.config().name));
        }
        if !(1..=1000).contains(&passes) {
            return Err(Error::config("adapt", passes, "1 to 1000 passes"));
        }
        let base = Some((model, passes));
        let training = (model.config().clone().for_new_text(), supervision);
        Training::on_top_of(base, bitext, training, (parallelism, observer))?.run(parallelism, observer)
    }
}

/// How many pairs have words on both sides.
///
/// # Errors
/// `Empty` if none has; `Inconsistent` if a sentence has more than [`MOST_TOKENS`] words.
pub(super) fn usable_pairs(bitext: &RankedBitext) -> Result<usize> {
    let lengths = bitext.bitext().pairs().map(|pair| pair.source.len().max(pair.target.len()));
    if let Some((n, length)) = lengths.enumerate().find(|&(_, length)| length > MOST_TOKENS) {
        let message =
            format!("a sentence of pair {} has {length} words, models learn from at most {MOST_TOKENS}", n + 1);
        return Err(ErrorKind::Inconsistent(message).into());
    }
    let usable = bitext.bitext().pairs().filter(|pair| !pair.has_empty_side()).count();
    if usable == 0 {
        return Err(ErrorKind::EmptySides { pairs: bitext.len() }.into());
    }
    Ok(usable)
}

/// Refuses what the model would make no use of.
fn check_supervision(supervision: &Supervision, config: &AlignerConfig, schedule: Schedule) -> Result<()> {
    let unsupported = |feature: Feature| Err(feature.refused_by(config.name));
    if !supervision.dictionary.is_empty() && config.prior.is_none() {
        return unsupported(Feature::Dictionary);
    }
    if !supervision.links.is_empty() && schedule.hmm == 0 {
        return unsupported(Feature::Links);
    }
    Ok(())
}

fn longest(text: &Text) -> usize {
    (0..text.len()).map(|n| text.sentence(n).len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::Bitext;

    #[test]
    fn sentences_whose_counts_would_not_fit_are_refused() {
        let text = |words: usize| {
            let mut text = Text::default();
            text.push_sentence(std::iter::repeat_n(&b"a"[..], words));
            text
        };
        let bitext = |words: usize| RankedBitext::new(Bitext::new(text(1), text(words)).unwrap());
        assert_eq!(usable_pairs(&bitext(MOST_TOKENS)).unwrap(), 1);
        let error = usable_pairs(&bitext(MOST_TOKENS + 1)).unwrap_err();
        assert!(error.to_string().contains("pair 1 has 65536 words"), "{error}");
    }

    #[test]
    fn shards_cover_everything_once() {
        for of in [1, 2, 3, 7, 50] {
            for chunks in [0, 1, 5, 50, 51] {
                let parts: Vec<usize> =
                    (1..=of).flat_map(|number| Shard::new(number, of).unwrap().part(chunks)).collect();
                assert!(parts.into_iter().eq(0..chunks), "{chunks} {of}");
            }
        }
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("2/3".parse::<Shard>().unwrap(), Shard::new(2, 3).unwrap());
        for bad in ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", ""] {
            assert!(bad.parse::<Shard>().unwrap_err().to_string().contains("K/N with K from 1 to N"), "{bad}");
        }
    }
}
