//! What is asked of reader, model and decoder, from the options.

use std::fmt;

use alinea::error::Error;
use alinea::format::bitext::ReadOptions;
use alinea::format::tokens::Tokenize;
use alinea::model::ibm::IbmConfig;
use alinea::model::{AlignerConfig, Calibration, Objective, TextForm, ThresholdChoice};
use alinea::symmetrize::Method;

use super::args::{Args, Threshold};
use super::outputs::{FormatName, Kind};

/// Where links come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LinkChoice {
    /// Mean posteriors of at least so much; and the same of pairs that are new to a model from a file, if that is another.
    Threshold(f32, Option<f32>),
    /// The best paths of both directions, joined.
    Paths(Method),
}

impl fmt::Display for LinkChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threshold(threshold, None) => write!(f, "posterior>={threshold}"),
            Self::Threshold(threshold, Some(new)) => write!(f, "posterior>={threshold}(new:{new})"),
            Self::Paths(method) => method.fmt(f),
        }
    }
}

/// Everything that was chosen.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) read: ReadOptions,
    /// Where links come from; before [`settle`](Self::settle) the threshold is not final if there is an objective.
    pub(super) links: LinkChoice,
    /// What the threshold is to be chosen for, if it is to be chosen.
    pub(super) objective: Option<Objective>,
    /// The threshold that was chosen.
    pub(super) chosen: Option<ThresholdChoice>,
    pub(super) format: FormatName,
    /// How confidences become probabilities that links are right, if these are to be written.
    pub(super) calibration: Option<Calibration>,
    /// Which outputs are wanted, by [`Kind`].
    wanted: [bool; Kind::ALL.len()],
}

impl Plan {
    /// Checks the options against each other; given is the model, and the form of the text.
    pub(super) fn new(args: &Args, mut model: AlignerConfig, form: TextForm) -> anyhow::Result<Self> {
        let objective = objective(args)?;
        if let Some(Threshold::Given(threshold)) = args.threshold {
            model = model.with_threshold(threshold);
        }
        let by_threshold = args.threshold.is_some() || objective.is_some();
        let links = match args.symmetrize {
            Some(method) => LinkChoice::Paths(method),
            None if !model.agreement && !by_threshold => LinkChoice::Paths(Method::GrowDiagFinalAnd),
            None => LinkChoice::Threshold(model.threshold, model.threshold_of_new),
        };
        let format = args.outputs.format;
        let read = args.text.read_options(form, format == FormatName::Jsonl);
        model.validate()?;
        read.validate()?;
        let wanted = Kind::ALL.map(|kind| args.outputs.of(kind).is_some());
        let calibration = Calibration::of(&model);
        if args.outputs.calibrated && calibration.is_none() {
            return Err(not_calibrated(model.name).into());
        }
        let calibration = calibration.filter(|_| args.outputs.calibrated);
        Ok(Self { read, links, objective, chosen: None, format, calibration, wanted })
    }

    /// The same for a chain of models.
    pub(super) fn of_chains(args: &Args, config: &IbmConfig) -> anyhow::Result<Self> {
        if args.outputs.calibrated {
            return Err(not_calibrated(config.schedule.last()).into());
        }
        // What it has in common with the textbook HMM, whose directions are apart too.
        Self::new(args, AlignerConfig::hmm(), args.text.form())
    }

    /// Takes the threshold that was chosen.
    pub(super) fn settle(&mut self, choice: ThresholdChoice) {
        self.links = LinkChoice::Threshold(choice.scores.threshold, None);
        self.chosen = Some(choice);
    }

    /// Whether an output is wanted.
    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.wanted[kind as usize]
    }

    /// Whether best paths are needed.
    pub(super) fn needs_paths(&self) -> bool {
        matches!(self.links, LinkChoice::Paths(_)) || self.wants(Kind::Forward) || self.wants(Kind::Reverse)
    }

    /// Whether posteriors are needed.
    pub(super) fn needs_posteriors(&self) -> bool {
        let of_links = matches!(self.links, LinkChoice::Threshold(..)) || self.format == FormatName::Jsonl;
        of_links || self.wants(Kind::Posteriors) || self.wants(Kind::Scores)
    }

    /// The trained model's signature, and what was chosen about text and links.
    pub(super) fn signature(&self, model: &str) -> String {
        let ReadOptions { lowercase, tokenize, max_length, .. } = self.read;
        let tokenize = match tokenize {
            Tokenize::None => "none",
            Tokenize::Unicode => "unicode",
        };
        let chosen = self.chosen.map_or_else(String::new, |choice| format!("(auto:{})", choice.objective));
        format!("{model}|lowercase:{lowercase}|tokenize:{tokenize}|max:{max_length}|links:{}{chosen}", self.links)
    }
}

fn not_calibrated(model: impl fmt::Display) -> Error {
    Error::config("calibrated", model, "the models agreement-loo and quality, for which it was measured")
}

/// What the threshold is to be chosen for, if it is not given.
fn objective(args: &Args) -> alinea::error::Result<Option<Objective>> {
    match (args.threshold, args.objective) {
        (Some(Threshold::Given(threshold)), Some(_)) => {
            Err(Error::config("threshold", threshold, "auto where --objective is given"))
        }
        (Some(Threshold::Auto), None) => Ok(Some(Objective::default())),
        (_, objective) => Ok(objective),
    }
}
