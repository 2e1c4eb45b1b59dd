//! The configuration of a joint model: everything that decides what is trained and how links are read off it.
//!
//! [`AlignerConfig`] is plain data. There is one lattice and one set of equations; the named models are values of this
//! struct, and a field that is `None` or `false` switches its part off. `hmm` and `ibm1` are the published models,
//! `agreement`, `agreement_loo` (the default) and `quality` have measured settings. Formulas elsewhere use these
//! symbols:
//!
//! | symbol | field |
//! |---|---|
//! | alpha, kappa, beta | the pseudo-counts `pair`, `stem_pair` and `null` of [`LexicalPrior`] |
//! | mu, m, p0 | `weight` of a [`BackOffLevel`], `uniform` of [`JumpConfig`], [`NullProbability`] |
//!
//! The number of passes, the levels of stems and the independent last pass depend on the size of the text: the border
//! is [`Schedule::SHORT_FROM`].

use super::name::ModelName;
use crate::error::{Error, Result};
use crate::lexicon::{Letters, StemRule, WordKind};
use crate::model::em::pass::{PassNumber, Stage};
use crate::model::pair::link_rule::LinkRule;
use crate::symmetrize::Method;

/// How many passes of EM each model is trained for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Passes of IBM Model 1.
    pub ibm1: u32,
    /// Passes of the HMM.
    pub hmm: u32,
}

impl Schedule {
    /// The pass that follows when so many are done; nothing if all are.
    pub(super) fn pass_after(self, done: u32) -> Option<PassNumber> {
        PassNumber::after(done, [self.ibm1, self.hmm])
    }

    /// From this many sentence pairs on, the default schedule is the short one.
    pub const SHORT_FROM: usize = 50_000;
}

/// How likely a word is to have no counterpart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NullProbability {
    /// The same for every word, between 0 and 1.
    Fixed(f32),
    /// The empty word is one more position: 1 / (I + 1) for I words on the other side (Brown et al. 1993, Model 1).
    Uniform,
}

impl NullProbability {
    /// The probability for a sentence of `positions` words on the conditioning side.
    #[inline]
    pub fn of(self, positions: usize) -> f32 {
        match self {
            Self::Fixed(probability) => probability,
            Self::Uniform => 1.0 / (positions as f32 + 1.0),
        }
    }
}

/// The lexicon's prior knowledge and its back-off; [`None`](Option::None) in the configuration for plain maximum
/// likelihood.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LexicalPrior {
    /// Pseudo-count of every pair of words (alpha).
    pub pair: f32,
    /// Pseudo-count of two equal words; similar words get a share of it.
    pub similarity: f32,
    /// Tables of stem pairs to back off to.
    pub levels: Vec<BackOffLevel>,
    /// Pseudo-count of every pair of stems in those tables.
    pub stem_pair: f32,
    /// Pseudo-count of every word in the table of the empty word.
    pub null: f32,
}

alinea_text::configurable!(LexicalPrior);

/// A table of stem pairs, and how much it says.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BackOffLevel {
    /// Which letters count.
    pub letters: Letters,
    /// What a stem of them is.
    pub rule: StemRule,
    /// Pseudo-counts distributed by the table (mu).
    pub weight: f32,
    /// Whether it is used only below [`Schedule::SHORT_FROM`] sentence pairs: with more text it brings little.
    pub short_of_text: bool,
}

alinea_text::configurable!(BackOffLevel);

impl BackOffLevel {
    /// A table for texts of all sizes, of stems of all letters.
    pub const fn new(rule: StemRule, weight: f32) -> Self {
        Self { letters: Letters::All, rule, weight, short_of_text: false }
    }
}

/// How the jump tables of the HMM are estimated and used.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct JumpConfig {
    /// Share of the uniform distribution in every transition (m).
    pub uniform: f32,
    /// Pseudo-count of every jump width.
    pub pseudo_count: f32,
    /// Whether counts are averaged over neighboring widths.
    pub window: bool,
    /// Whether the distance of the last word from the sentence's end counts.
    pub end: bool,
    /// Only this many sentence pairs from the top are counted; all if there is no limit.
    pub sentences: Option<usize>,
    /// Whether jumps depend on what kind of word is generated, and after which; given is how many pseudo-counts draw
    /// each of these tables to that of all.
    pub by_kind: Option<f32>,
}

alinea_text::configurable!(JumpConfig);

impl JumpConfig {
    /// How many tables of jump widths there are.
    pub(super) fn classes(&self) -> usize {
        if self.by_kind.is_some() { WordKind::COUNT * WordKind::COUNT } else { 1 }
    }
}

/// Everything that decides which model is trained and how links are decoded.
///
/// One lattice, one set of equations; the named models differ in these fields only.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AlignerConfig {
    /// The name under which the signature shows the model.
    pub name: ModelName,
    /// Passes; by the size of the text if not given.
    pub schedule: Option<Schedule>,
    /// Probability of the empty word (p0).
    pub null_probability: NullProbability,
    /// Priors of the lexicon.
    pub prior: Option<LexicalPrior>,
    /// The HMM's jumps.
    pub jumps: JumpConfig,
    /// Whether HMM passes count the product of both directions' posteriors (Liang et al. 2006) instead of each
    /// direction's own.
    pub agreement: bool,
    /// Whether there is an independent last pass: the last HMM pass counts each direction's own posteriors after all, and
    /// those of pairs that were trained on are averaged with the posteriors of decoding; given is their share. Only
    /// below [`Schedule::SHORT_FROM`] sentence pairs: with more text it does not pay.
    pub independent_pass: Option<f32>,
    /// The weight of the posteriors of models of subwords in what the independent last pass counts; such models are
    /// trained if it is given, and the last pass is independent whatever the size of the text.
    pub subwords: Option<f32>,
    /// Whether a sentence pair's self-counts are left out when its posteriors are computed (HMM passes and decoding).
    pub leave_one_out: bool,
    /// How many words a word generates, told apart by word from the second HMM pass on; given is how many pseudo-counts
    /// draw each word to the mean of all.
    pub fertility: Option<f32>,
    /// Whether similarities of spelling are learned after the first HMM pass.
    pub characters: bool,
    /// A link is made where the mean of both directions' posteriors is at least this, if nothing else
    /// [decides](crate::decision).
    pub threshold: f32,
}

alinea_text::configurable!(AlignerConfig);

impl ModelName {
    /// The settings of a joint model; none of a chain.
    pub fn config(self) -> Option<AlignerConfig> {
        match self {
            Self::AgreementLoo => Some(AlignerConfig::agreement_loo()),
            Self::Quality => Some(AlignerConfig::quality()),
            Self::Agreement => Some(AlignerConfig::agreement()),
            Self::Hmm => Some(AlignerConfig::hmm()),
            Self::Ibm1 => Some(AlignerConfig::ibm1()),
            Self::Ibm2 | Self::Diagonal | Self::Ibm3 | Self::Ibm4 | Self::Ibm5 => None,
        }
    }
}

impl AlignerConfig {
    /// What `independent_pass` is without models of subwords.
    pub(super) const INDEPENDENT_SHARE: f32 = 0.5;

    /// Two HMMs trained together: agreement, stem back-off, spelling, smoothed jumps, with the settings measured best
    /// over many language pairs. Faster and smaller than the default, which builds on it.
    pub fn agreement() -> Self {
        Self {
            name: ModelName::Agreement,
            schedule: None,
            null_probability: NullProbability::Fixed(0.2),
            prior: Some(LexicalPrior {
                pair: 0.0003,
                similarity: 1.0,
                levels: vec![BackOffLevel::new(StemRule::prefix(4, 1), 20.0)],
                stem_pair: 0.0001,
                null: 0.01,
            }),
            jumps: JumpConfig {
                uniform: 0.1,
                pseudo_count: 0.5,
                window: true,
                end: true,
                sentences: Some(5000),
                by_kind: None,
            },
            agreement: true,
            independent_pass: None,
            subwords: None,
            leave_one_out: false,
            fertility: None,
            characters: false,
            threshold: 0.45,
        }
    }

    /// The default: [`agreement`](Self::agreement), and no sentence confirms its own guesses: self-counts are left out,
    /// which makes several levels of stems worth having; a word's number of counterparts counts, and jumps depend on
    /// what kind of word they lead to.
    pub fn agreement_loo() -> Self {
        let agreement = Self::agreement();
        let level = |rule| BackOffLevel::new(rule, 6.0);
        let levels = vec![
            level(StemRule::prefix(5, 2)),
            level(StemRule::prefix(3, 1)),
            level(StemRule::suffix(3, 1)),
            BackOffLevel { short_of_text: true, ..BackOffLevel::new(StemRule::suffix(2, 2), 3.0) },
            BackOffLevel { letters: Letters::Consonants, short_of_text: true, ..level(StemRule::prefix(3, 1)) },
        ];
        Self {
            name: ModelName::AgreementLoo,
            null_probability: NullProbability::Fixed(0.15),
            prior: agreement.prior.map(|prior| LexicalPrior { levels, stem_pair: 0.0006, ..prior }),
            jumps: JumpConfig { uniform: 0.07, by_kind: Some(20.0), ..agreement.jumps },
            independent_pass: Some(Self::INDEPENDENT_SHARE),
            leave_one_out: true,
            fertility: Some(5.0),
            characters: true,
            ..agreement
        }
    }

    /// [`agreement_loo`](Self::agreement_loo), interpolated with three models of subwords: the fewest errors, for
    /// some five times the time.
    pub fn quality() -> Self {
        Self {
            name: ModelName::Quality,
            independent_pass: Some(0.7),
            subwords: Some(0.8),
            threshold: 0.35,
            ..Self::agreement_loo()
        }
    }

    /// The textbook HMM (Vogel, Ney and Tillmann 1996; empty word after Och and Ney 2003, section 2.1.1), started
    /// from Model 1, directions apart.
    pub fn hmm() -> Self {
        Self {
            name: ModelName::Hmm,
            schedule: Some(Schedule { ibm1: 5, hmm: 5 }),
            null_probability: NullProbability::Fixed(0.2),
            prior: None,
            jumps: JumpConfig {
                uniform: 0.0,
                pseudo_count: 0.0,
                window: false,
                end: false,
                sentences: None,
                by_kind: None,
            },
            agreement: false,
            independent_pass: None,
            subwords: None,
            leave_one_out: false,
            fertility: None,
            characters: false,
            threshold: 0.5,
        }
    }

    /// IBM Model 1 (Brown et al. 1993, section 4.1), directions apart.
    pub fn ibm1() -> Self {
        Self {
            name: ModelName::Ibm1,
            schedule: Some(Schedule { ibm1: 5, hmm: 0 }),
            null_probability: NullProbability::Uniform,
            ..Self::hmm()
        }
    }

    /// The tables of stem pairs that are used for a text of this many sentence pairs.
    pub(super) fn levels(&self, pairs: usize) -> impl Iterator<Item = BackOffLevel> + '_ {
        let used =
            move |level: &BackOffLevel| level.weight > 0.0 && (pairs < Schedule::SHORT_FROM || !level.short_of_text);
        self.prior.iter().flat_map(|prior| prior.levels.iter().copied()).filter(used)
    }

    /// Whether alignments have weights that are more than their probabilities.
    pub(super) fn weighs_in(&self, stage: Stage) -> bool {
        stage == Stage::Hmm && (self.jumps.end || self.jumps.by_kind.is_some() || self.fertility.is_some())
    }

    /// Whether it is kept what each sentence pair added to the counts of a pass.
    pub(super) fn remembers(&self) -> bool {
        self.leave_one_out || self.fertility.is_some() || self.independent_pass.is_some()
    }

    /// The share of stored posteriors in those of decoding, if a text of this many sentence pairs has an independent last pass.
    pub(super) fn independent_share_for(&self, pairs: usize) -> Option<f32> {
        let pays = pairs < Schedule::SHORT_FROM || self.subwords.is_some();
        self.independent_pass.filter(|_| pays && self.schedule_for(pairs).hmm > 0)
    }

    /// Whether self-counts are left out in the first HMM pass too. In large texts that makes no difference.
    pub(super) fn leaves_out_after_ibm1(&self, pairs: usize) -> bool {
        self.leave_one_out && pairs < Schedule::SHORT_FROM
    }

    /// The passes for a text of this many sentence pairs: the given ones, or those measured best. These are five of
    /// Model 1 and four of the HMM, and where there is much text three and two; but three and three where self-counts
    /// are left out, which begins in the second HMM pass then.
    pub fn schedule_for(&self, pairs: usize) -> Schedule {
        self.schedule.unwrap_or(match pairs {
            ..Schedule::SHORT_FROM => Schedule { ibm1: 5, hmm: 4 },
            _ if self.leave_one_out => Schedule { ibm1: 3, hmm: 3 },
            _ => Schedule { ibm1: 3, hmm: 2 },
        })
    }

    /// Checks every field.
    ///
    /// # Errors
    /// A `Config` error that names field, value and what is allowed.
    pub fn validate(&self) -> Result<()> {
        if let Some(schedule) = self.schedule
            && (schedule.ibm1 == 0 || schedule.ibm1 > 1000 || schedule.hmm > 1000)
        {
            let value = format!("ibm1:{},hmm:{}", schedule.ibm1, schedule.hmm);
            return Err(Error::config("iterations", value, "1 to 1000 passes of ibm1 and 0 to 1000 of hmm"));
        }
        if self.leave_one_out && (!self.agreement || self.prior.is_none()) {
            return Err(Error::config("leave_one_out", "true", "false unless agreement is true and prior is set"));
        }
        if self.fertility.is_some() && !self.agreement {
            return Err(Error::config("fertility", "given", "unset unless agreement is true"));
        }
        if self.independent_pass.is_some() && !self.agreement {
            return Err(Error::config("independent_pass", "given", "unset unless agreement is true"));
        }
        if self.subwords.is_some() && self.independent_pass.is_none() {
            return Err(Error::config("subwords", "given", "unset unless independent_pass is set"));
        }
        if let NullProbability::Fixed(p) = self.null_probability {
            within("null_probability", p, 1e-6, 0.999)?;
        }
        within("jump_uniform", self.jumps.uniform, 0.0, 1.0)?;
        within("jump_pseudo_count", self.jumps.pseudo_count, 0.0, 1e6)?;
        within("jump_kinds", self.jumps.by_kind.unwrap_or(1.0), 1e-3, 1e6)?;
        within("threshold", self.threshold, 0.0, 1.0)?;
        within("independent_pass", self.independent_pass.unwrap_or(0.0), 0.0, 1.0)?;
        within("subwords", self.subwords.unwrap_or(0.0), 0.0, 1.0)?;
        within("fertility", self.fertility.unwrap_or(1.0), 1e-3, 1e6)?;
        if let Some(prior) = &self.prior {
            within("pair_prior", prior.pair, 1e-7, 1e3)?;
            within("similarity_prior", prior.similarity, 0.0, 1e3)?;
            for level in &prior.levels {
                within("stem_prior", level.weight, 0.0, 1e4)?;
            }
            within("stem_pair_prior", prior.stem_pair, 1e-7, 1e3)?;
            within("null_prior", prior.null, 1e-6, 1e3)?;
        }
        Ok(())
    }

    /// Where links come from: in models in agreement from posteriors, in others from the best paths of both directions, joined
    /// by `grow-diag-final-and`.
    pub fn link_rule(&self) -> LinkRule {
        if self.agreement { LinkRule::Threshold(self.threshold) } else { LinkRule::Paths(Method::GrowDiagFinalAnd) }
    }
}

impl Default for AlignerConfig {
    fn default() -> Self {
        Self::agreement_loo()
    }
}

fn within(field: &'static str, value: f32, low: f32, high: f32) -> Result<()> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let allowed = match (field, low, high) {
        (_, 0.0, 1.0) => "0 to 1",
        ("null_probability", ..) => "0.000001 to 0.999",
        (_, 0.0, _) => "0 or more, within reason",
        _ => "a small positive number",
    };
    Err(Error::config(field, value, allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_depend_on_model_and_size_unless_given() {
        let schedule = |config: &AlignerConfig, pairs| {
            let Schedule { ibm1, hmm } = config.schedule_for(pairs);
            (ibm1, hmm)
        };
        for (config, large) in [(AlignerConfig::agreement(), (3, 2)), (AlignerConfig::agreement_loo(), (3, 3))] {
            assert_eq!([0, 49_999].map(|pairs| schedule(&config, pairs)), [(5, 4); 2], "{}", config.name);
            assert_eq!([50_000, usize::MAX].map(|pairs| schedule(&config, pairs)), [large; 2], "{}", config.name);
            let given = AlignerConfig { schedule: Some(Schedule { ibm1: 1, hmm: 7 }), ..config };
            assert_eq!([9, 50_000].map(|pairs| schedule(&given, pairs)), [(1, 7); 2], "{}", given.name);
        }
    }

    #[test]
    fn bad_values_are_named() {
        let config = AlignerConfig { threshold: f32::NAN, ..AlignerConfig::default() };
        assert_eq!(config.validate().unwrap_err().to_string(), "threshold = NaN: must be 0 to 1");
        for share in [-0.1, 1.1, f32::NAN] {
            let config = AlignerConfig { independent_pass: Some(share), ..AlignerConfig::default() };
            let message = config.validate().unwrap_err().to_string();
            assert_eq!(message, format!("independent_pass = {share}: must be 0 to 1"));
        }
        let config = AlignerConfig { independent_pass: Some(0.5), ..AlignerConfig::hmm() };
        let message = config.validate().unwrap_err().to_string();
        assert_eq!(message, "independent_pass = given: must be unset unless agreement is true");
        let config = AlignerConfig { schedule: Some(Schedule { ibm1: 0, hmm: 1 }), ..AlignerConfig::default() };
        assert!(config.validate().unwrap_err().to_string().starts_with("iterations = ibm1:0,hmm:1: must be 1 to"));
    }
}
