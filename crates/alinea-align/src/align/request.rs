//! What is asked of an aligner, and what follows from it.
//!
//! Options of the command and keywords of the Python package are conversions to a [`Request`]; all checks and defaults that
//! depend on more than one of them stand here.

use std::str::FromStr;

use super::threshold::{Objective, ThresholdChoice};
use crate::decision::{Calibration, Decision, LinkKind, Purpose};
use crate::error::{Error, Result};
use crate::model::ibm::{IbmConfig, IbmModel, IbmSchedule, Passes};
use crate::model::{AlignerConfig, Feature, LinkRule, Model, ModelName, Schedule};
use crate::symmetrize::Method;

/// What a user asks for, in the user's terms; by default nothing but the links of the default model.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Request {
    /// The model.
    pub model: ModelName,
    /// Passes of training; the model's own, by the size of the text, if not given.
    pub iterations: Option<Iterations>,
    /// Whether Models 3 to 5 sum over the neighborhoods of pegged alignments.
    pub pegging: bool,
    /// The least confidence of links.
    pub threshold: Option<Threshold>,
    /// What a threshold is chosen for, by what the model expects of the text, in place of one that is given.
    pub objective: Option<Objective>,
    /// How the best paths of both directions are joined, instead of a threshold.
    pub symmetrize: Option<Method>,
    /// What kind of links confidences are the probabilities of, if they are to be; `sure` is what they are where something is
    /// [decided](crate::decision).
    pub calibrated: Option<LinkKind>,
    /// What else is asked of the model: to use a dictionary, to be saved, and so on.
    pub needs: Vec<Feature>,
}

alinea_text::configurable!(Request);

/// Passes of EM. Read as a number or as [`Passes`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Iterations {
    /// As many of each model of the chain that the model is trained in by default.
    OfEach(u32),
    /// By model.
    Named(Passes),
}

/// The least confidence of links. Written and read as a number, or as a [`Purpose`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Threshold {
    /// What suits a purpose, where something is [decided](crate::decision).
    For(Purpose),
    /// This, from 0 to 1.
    Fixed(f32),
}

/// What a request comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is trained.
    pub recipe: Recipe,
    /// How links are read off it.
    pub decoding: Decoding,
}

/// What is trained.
#[derive(Debug, Clone, PartialEq)]
pub enum Recipe {
    /// A model of both directions.
    Joint(AlignerConfig),
    /// A chain of textbook models for each direction.
    Chain(IbmConfig),
}

/// How links are read off a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decoding {
    /// Where links come from; the threshold is not final if there is an objective ([`settle`](Self::settle)), or if it is the
    /// model's and word vectors are joined with the model ([`Trained::settle`](super::Trained::settle)).
    pub rule: LinkRule,
    /// Whether the rule is that of the model: nobody asked for a threshold, an objective or a symmetrization.
    pub is_default: bool,
    /// What the threshold is to be chosen for, if it is to be chosen.
    pub objective: Option<Objective>,
    /// What kind of links confidences are to be probabilities of.
    pub calibrated: Option<LinkKind>,
    /// What makes probabilities of sure links those of links at all, sure or possible, where something is decided.
    pub possible: Option<Calibration>,
}

impl Request {
    /// What it comes to for a text that is trained on. Links are read off models in agreement by their threshold, off
    /// others by the best paths of both directions, joined by `grow-diag-final-and`, unless it says otherwise.
    ///
    /// # Errors
    /// `Config` for a value that is not allowed, `Unsupported` for what the model cannot do.
    pub fn plan(&self) -> Result<Plan> {
        let recipe = self.recipe()?;
        let config = match &recipe {
            Recipe::Joint(config) => config.clone(),
            // What a chain has in common with the textbook HMM, whose directions are apart too.
            Recipe::Chain(_) => AlignerConfig::hmm(),
        };
        Ok(Plan { recipe, decoding: self.decoding(self.model, config)? })
    }

    /// What is trained.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn recipe(&self) -> Result<Recipe> {
        self.check_needs(self.model)?;
        if self.pegging {
            self.model.require(Feature::Pegging)?;
        }
        let passes = self.iterations.as_ref().map(|iterations| iterations.of(self.model));
        let Some(config) = self.model.config() else {
            let schedule = chain(self.model, passes.as_ref())?;
            return Ok(Recipe::Chain(IbmConfig { pegging: self.pegging, ..IbmConfig::new(schedule) }));
        };
        let schedule = passes.map(|passes| schedule(self.model, &passes)).transpose()?;
        let config = AlignerConfig { schedule: schedule.or(config.schedule), ..config };
        config.validate()?;
        Ok(Recipe::Joint(config))
    }

    /// What is trained for a file.
    ///
    /// # Errors
    /// As [`plan`](Self::plan); `Unsupported` for a chain.
    pub fn recipe_for_file(&self) -> Result<AlignerConfig> {
        match self.recipe()? {
            Recipe::Joint(config) => Ok(config),
            Recipe::Chain(_) => Err(Feature::ModelFile.refused_by(self.model)),
        }
    }

    /// How links are read off a saved model, which must be able to do what else is asked for. The name of the model and the
    /// passes of the request do not count.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn decoding_of(&self, model: &Model) -> Result<Decoding> {
        let config = model.config().clone();
        self.check_needs(config.name)?;
        self.decoding(config.name, config)
    }

    /// Refuses what a model cannot do.
    fn check_needs(&self, model: ModelName) -> Result<()> {
        self.needs.iter().try_for_each(|&feature| model.require(feature))
    }

    fn decoding(&self, model: ModelName, mut config: AlignerConfig) -> Result<Decoding> {
        if let (Some(_), Some(objective)) = (self.threshold, self.objective) {
            return Err(Error::config("objective", objective, "unset if a threshold is given"));
        }
        let decision = Decision::of(model);
        if let Some(decision) = decision {
            config.threshold = decision.threshold();
        }
        let given = self.threshold.map(|threshold| threshold.of(model)).transpose()?.flatten();
        config.threshold = given.unwrap_or(config.threshold);
        config.validate()?;
        if let (Some(method), true) = (self.symmetrize, self.needs.contains(&Feature::Gold)) {
            return Err(Error::config("symmetrize", method, "unset if gold links are learned from"));
        }
        let by_threshold = given.is_some() || self.objective.is_some();
        let rule = match self.symmetrize {
            Some(method) if by_threshold => {
                return Err(Error::config("symmetrize", method, "unset if a threshold or an objective is given"));
            }
            Some(method) => LinkRule::Paths(method),
            None if by_threshold => LinkRule::Threshold(config.threshold),
            None => config.link_rule(),
        };
        if self.calibrated.is_some() {
            model.require(Feature::Calibration)?;
        }
        let possible = decision.map(Decision::possible);
        let is_default = self.symmetrize.is_none() && !by_threshold;
        Ok(Decoding { rule, is_default, objective: self.objective, calibrated: self.calibrated, possible })
    }
}

impl Threshold {
    /// The least confidence of links under a model, if it is not the model's.
    fn of(self, model: ModelName) -> Result<Option<f32>> {
        match self {
            Self::Fixed(threshold) => Ok(Some(threshold)),
            Self::For(purpose) => model.require(Feature::Purpose).map(|()| purpose.threshold()),
        }
    }
}

impl Decoding {
    /// What confidences become, if they are to be probabilities of something else than sure links.
    pub fn calibration(&self) -> Option<Calibration> {
        self.possible.filter(|_| self.calibrated == Some(LinkKind::Possible))
    }

    /// Takes the threshold of what has decided, if nobody asked for another rule, and what makes its probabilities those of possible
    /// links.
    pub(super) fn decided_by(&mut self, threshold: f32, possible: Calibration) {
        self.possible = Some(possible);
        if let (true, LinkRule::Threshold(_)) = (self.is_default, self.rule) {
            self.rule = LinkRule::Threshold(threshold);
            self.is_default = false;
        }
    }

    /// Takes the threshold that was chosen.
    pub fn settle(&mut self, choice: &ThresholdChoice) {
        self.rule = LinkRule::Threshold(choice.scores.threshold);
    }
}

impl FromStr for Threshold {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Ok(purpose) = text.parse() {
            return Ok(Self::For(purpose));
        }
        let refused = |_| Error::config("threshold", text, "0 to 1, or sure, balanced or full");
        text.parse().map(Self::Fixed).map_err(refused)
    }
}

impl FromStr for Iterations {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim().parse() {
            Ok(number) => Ok(Self::OfEach(number)),
            Err(_) => text.parse().map(Self::Named),
        }
    }
}

impl Iterations {
    /// The passes of a model.
    fn of(&self, model: ModelName) -> Passes {
        match self {
            Self::OfEach(number) => {
                let stages = IbmSchedule::up_to(model.last_stage());
                Passes::new(stages.stages().iter().map(|&(model, _)| (model, *number)).collect())
            }
            Self::Named(passes) => passes.clone(),
        }
    }
}

/// The chain that ends with a model.
fn chain(model: ModelName, passes: Option<&Passes>) -> Result<IbmSchedule> {
    let schedule = passes.map_or_else(|| Ok(IbmSchedule::up_to(model.last_stage())), IbmSchedule::of)?;
    if schedule.last() != model.last_stage() {
        return Err(Error::config("iterations", schedule, "passes that end with the model itself"));
    }
    Ok(schedule)
}

/// The passes of a joint model.
fn schedule(model: ModelName, passes: &Passes) -> Result<Schedule> {
    let fault = |allowed| Err(Error::config("iterations", passes, allowed));
    let schedule = Schedule { ibm1: passes.of(IbmModel::Ibm1), hmm: passes.of(IbmModel::Hmm) };
    if passes.stages().iter().any(|(stage, _)| !matches!(stage, IbmModel::Ibm1 | IbmModel::Hmm)) {
        return fault("passes of ibm1 and hmm only, or choose the model that the passes end with");
    }
    match model {
        ModelName::Ibm1 if schedule.hmm > 0 => fault("no passes of hmm with the model ibm1"),
        ModelName::Ibm1 => Ok(schedule),
        _ if schedule.hmm == 0 => fault("at least one pass of hmm with this model, such as ibm1:5,hmm:4"),
        _ => Ok(schedule),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(model: &str) -> Request {
        Request { model: model.parse().unwrap(), ..Request::default() }
    }

    fn with_passes(model: &str, passes: &str) -> Result<Recipe> {
        Request { iterations: Some(Iterations::Named(passes.parse()?)), ..request(model) }.recipe()
    }

    #[test]
    fn joint_models_have_passes_of_two_stages() {
        let schedule = |recipe| match recipe {
            Recipe::Joint(config) => config.schedule.map(|schedule| (schedule.ibm1, schedule.hmm)),
            Recipe::Chain(_) => None,
        };
        assert_eq!(schedule(with_passes("quality", "hmm:2, ibm1:3").unwrap()), Some((3, 2)));
        assert_eq!(schedule(with_passes("ibm1", "ibm1:7").unwrap()), Some((7, 0)));
        assert_eq!(schedule(request("agreement").recipe().unwrap()), None, "by the size of the text");
        let of_each = |model| Request { iterations: Some(Iterations::OfEach(3)), ..request(model) }.recipe().unwrap();
        assert_eq!([schedule(of_each("hmm")), schedule(of_each("ibm1"))], [Some((3, 3)), Some((3, 0))]);
        assert_eq!("3".parse::<Iterations>().unwrap(), Iterations::OfEach(3));
        assert_eq!("hmm:2".parse::<Iterations>().unwrap(), Iterations::Named("hmm:2".parse().unwrap()));
        assert!("-3".parse::<Iterations>().is_err());
        for (model, passes, expected) in [
            ("ibm1", "ibm1:5,hmm:4", "iterations = ibm1:5,hmm:4: must be no passes of hmm with the model ibm1"),
            ("hmm", "ibm1:5", "at least one pass of hmm"),
            ("hmm", "ibm1:5,hmm:5,ibm3:3", "passes of ibm1 and hmm"),
            ("hmm", "hmm:5", "1 to 1000 passes of ibm1"),
        ] {
            let message = with_passes(model, passes).unwrap_err().to_string();
            assert!(message.contains(expected), "{model} {passes}: {message}");
        }
    }

    #[test]
    fn chains_end_with_their_model() {
        let schedule = |recipe| match recipe {
            Recipe::Joint(_) => String::new(),
            Recipe::Chain(config) => config.schedule.to_string(),
        };
        assert_eq!(schedule(request("ibm4").recipe().unwrap()), "ibm1:5,hmm:5,ibm3:3,ibm4:3");
        let of_each = Request { iterations: Some(Iterations::OfEach(2)), ..request("ibm3") };
        assert_eq!(schedule(of_each.recipe().unwrap()), "ibm1:2,hmm:2,ibm3:2");
        let message = with_passes("ibm4", "ibm1:5,ibm3:3").unwrap_err().to_string();
        assert_eq!(message, "iterations = ibm1:5,ibm3:3: must be passes that end with the model itself");
        let pegging = |model| Request { pegging: true, ..request(model) }.recipe();
        assert!(matches!(pegging("ibm5").unwrap(), Recipe::Chain(IbmConfig { pegging: true, .. })));
        let message = pegging("hmm").unwrap_err().to_string();
        assert_eq!(message, "pegging is for the models ibm3, ibm4 and ibm5, not for hmm");
    }

    #[test]
    fn links_come_from_what_is_asked_or_from_what_suits_the_model() {
        let rule = |request: Request| request.plan().unwrap().decoding.rule.to_string();
        assert_eq!(rule(request("agreement-loo")), "posterior>=0.3617");
        assert_eq!(rule(request("quality")), "posterior>=0.3892");
        assert_eq!(rule(request("agreement")), "posterior>=0.45");
        assert_eq!(rule(request("hmm")), "grow-diag-final-and");
        assert_eq!(rule(request("ibm2")), "grow-diag-final-and");
        let given = |model| Request { threshold: Some(Threshold::Fixed(0.25)), ..request(model) };
        assert_eq!([rule(given("hmm")), rule(given("quality"))], ["posterior>=0.25"; 2]);
        assert_eq!(rule(Request { symmetrize: Some(Method::Union), ..request("quality") }), "union");
        let is_default = |request: Request| request.plan().unwrap().decoding.is_default;
        assert!(is_default(request("quality")) && is_default(request("hmm")) && !is_default(given("quality")));
        assert!(!is_default(Request { symmetrize: Some(Method::Union), ..request("quality") }));
        assert!(!is_default(Request { objective: Some(Objective::Aer), ..request("quality") }));
    }

    #[test]
    fn thresholds_are_given_or_chosen() {
        assert_eq!("full".parse::<Threshold>().unwrap(), Threshold::For(Purpose::Full));
        assert_eq!("0.3".parse::<Threshold>().unwrap(), Threshold::Fixed(0.3));
        let message = "auto".parse::<Threshold>().unwrap_err().to_string();
        assert_eq!(message, "threshold = auto: must be 0 to 1, or sure, balanced or full");
        let objective = |threshold, objective: Option<&str>| {
            let objective = objective.map(|text| text.parse().unwrap());
            let plan = Request { threshold, objective, ..Request::default() }.plan();
            plan.map(|plan| plan.decoding.objective.map(|objective| objective.to_string()))
        };
        assert_eq!(objective(None, None).unwrap(), None);
        assert_eq!(objective(None, Some("precision:0.9")).unwrap().as_deref(), Some("precision:0.9"));
        for (threshold, wanted, expected) in [
            (Threshold::Fixed(0.3), Some("aer"), "objective = aer: must be unset if a threshold is given"),
            (Threshold::For(Purpose::Sure), Some("aer"), "objective = aer: must be unset if a threshold is given"),
            (Threshold::Fixed(1.5), None, "threshold = 1.5: must be "),
        ] {
            let message = objective(Some(threshold), wanted).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        let both = Request { symmetrize: Some(Method::Grow), objective: Some(Objective::Aer), ..Request::default() };
        assert!(both.plan().unwrap_err().to_string().starts_with("symmetrize = grow: "));
    }

    #[test]
    fn purposes_have_thresholds_where_something_is_decided() {
        let decoding = |model, purpose| {
            Request { threshold: Some(Threshold::For(purpose)), ..request(model) }.plan().map(|plan| plan.decoding)
        };
        for model in ["agreement-loo", "quality"] {
            let rule = |purpose| decoding(model, purpose).unwrap().rule.to_string();
            assert_eq!([rule(Purpose::Sure), rule(Purpose::Full)], ["posterior>=0.6", "posterior>=0.15"]);
            assert_eq!(decoding(model, Purpose::Balanced).unwrap(), request(model).plan().unwrap().decoding);
        }
        let message = decoding("hmm", Purpose::Sure).unwrap_err().to_string();
        assert_eq!(message, "threshold is for the models agreement-loo and quality, not for hmm");
    }

    #[test]
    fn only_some_models_are_calibrated() {
        let calibrated = |model, kind| Request { calibrated: Some(kind), ..request(model) }.plan();
        assert!(calibrated("quality", LinkKind::Possible).unwrap().decoding.calibration().is_some());
        assert!(calibrated("quality", LinkKind::Sure).unwrap().decoding.calibration().is_none(), "it is that already");
        let message = calibrated("ibm3", LinkKind::Sure).unwrap_err().to_string();
        assert_eq!(message, "calibrated is for the models agreement-loo and quality, not for ibm3");
        assert!(request("quality").plan().unwrap().decoding.calibration().is_none());
    }
}
