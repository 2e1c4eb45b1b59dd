//! The models by name, and what each of them can do.
//!
//! A *joint* model has both directions in one and is an [`AlignerConfig`]; a *chain* trains the textbook models up to the one
//! that names it, each direction for itself ([`ibm`](super::ibm)). Whatever depends on which model somebody asked for (help,
//! checks of options, what can be saved) asks a [`ModelName`] whether it has a [`Feature`].
//!
//! ```
//! use alinea::model::{Feature, ModelName};
//!
//! let name: ModelName = "ibm4".parse()?;
//! assert!(name.has(Feature::Pegging) && name.config().is_none());
//! let error = name.require(Feature::Dictionary).unwrap_err().to_string();
//! assert_eq!(error, "dictionary is for the models agreement-loo, quality and agreement, not for ibm4");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::ibm::IbmModel;
use crate::error::{Error, ErrorKind, Result};

/// A model of word alignment. Written and read by its [`name`](Self::name); `default` is read, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum ModelName {
    /// Two HMMs trained to agree, self-counts left out: [`AlignerConfig::agreement_loo`](crate::model::AlignerConfig::agreement_loo).
    #[default]
    AgreementLoo,
    /// The same, interpolated with models of subwords: [`AlignerConfig::quality`](crate::model::AlignerConfig::quality).
    Quality,
    /// Two HMMs trained to agree: [`AlignerConfig::agreement`](crate::model::AlignerConfig::agreement).
    Agreement,
    /// The HMM (Vogel, Ney and Tillmann 1996): [`AlignerConfig::hmm`](crate::model::AlignerConfig::hmm).
    Hmm,
    /// IBM Model 1 (Brown et al. 1993): [`AlignerConfig::ibm1`](crate::model::AlignerConfig::ibm1).
    Ibm1,
    /// IBM Model 2.
    Ibm2,
    /// Model 2 with positions along the diagonal (Dyer, Chahuneau and Smith 2013).
    Diagonal,
    /// IBM Model 3.
    Ibm3,
    /// IBM Model 4.
    Ibm4,
    /// IBM Model 5.
    Ibm5,
}

/// What some models can do, or be asked for, and others cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Translations of words that are known before training.
    Dictionary,
    /// Links of some pairs that are known before training.
    Links,
    /// Sums over the neighborhoods of pegged alignments (Brown et al. 1993, section 4.4).
    Pegging,
    /// Classes of words that are given.
    WordClasses,
    /// Confidences as probabilities of sure or of possible links, by what is [decided](crate::decision) about cells.
    Calibration,
    /// Thresholds that suit a purpose.
    Purpose,
    /// Gold links of some pairs that tell what people link.
    Gold,
    /// Models in files.
    ModelFile,
    /// Training that can be interrupted and resumed.
    Checkpoint,
    /// Training in parts that each know only their own text ([`parts`](crate::model::parts)).
    Parts,
    /// A saved model that learns from new text.
    Adaptation,
    /// Word vectors of a pretrained encoder ([`embedding`](crate::embedding)).
    Encoder,
}

impl ModelName {
    /// All of them, the default first.
    pub const ALL: [Self; 10] = [
        Self::AgreementLoo,
        Self::Quality,
        Self::Agreement,
        Self::Hmm,
        Self::Ibm1,
        Self::Ibm2,
        Self::Diagonal,
        Self::Ibm3,
        Self::Ibm4,
        Self::Ibm5,
    ];

    /// Another name of the model that is the default.
    pub const ALIAS_OF_DEFAULT: &str = "default";

    /// Its name: `agreement-loo`, `ibm1`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AgreementLoo => "agreement-loo",
            Self::Quality => "quality",
            Self::Agreement => "agreement",
            Self::Hmm => "hmm",
            Self::Ibm1 => "ibm1",
            Self::Ibm2 => "ibm2",
            Self::Diagonal => "diagonal",
            Self::Ibm3 => "ibm3",
            Self::Ibm4 => "ibm4",
            Self::Ibm5 => "ibm5",
        }
    }

    /// What it is, in a line of help.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::AgreementLoo => "Two HMMs trained to agree, with leave-one-out and fertilities",
            Self::Quality => "agreement-loo interpolated with three models of subwords",
            Self::Agreement => "Two HMMs trained to agree",
            Self::Hmm => "The textbook HMM (Vogel et al. 1996)",
            Self::Ibm1 => "IBM Model 1",
            Self::Ibm2 => "IBM Model 2",
            Self::Diagonal => "IBM Model 2 that favors the diagonal, as in fast_align",
            Self::Ibm3 => "IBM Model 3",
            Self::Ibm4 => "IBM Model 4",
            Self::Ibm5 => "IBM Model 5",
        }
    }

    /// The textbook model that its training ends with, by which its last passes are named.
    pub const fn last_stage(self) -> IbmModel {
        match self {
            Self::AgreementLoo | Self::Quality | Self::Agreement | Self::Hmm => IbmModel::Hmm,
            Self::Ibm1 => IbmModel::Ibm1,
            Self::Ibm2 => IbmModel::Ibm2,
            Self::Diagonal => IbmModel::Diagonal,
            Self::Ibm3 => IbmModel::Ibm3,
            Self::Ibm4 => IbmModel::Ibm4,
            Self::Ibm5 => IbmModel::Ibm5,
        }
    }

    /// Whether it is trained as a chain.
    pub const fn is_chain(self) -> bool {
        !matches!(self.last_stage(), IbmModel::Hmm | IbmModel::Ibm1)
    }

    /// Whether it can do something.
    pub fn has(self, feature: Feature) -> bool {
        match feature {
            Feature::Dictionary | Feature::Adaptation | Feature::Encoder => {
                matches!(self, Self::AgreementLoo | Self::Quality | Self::Agreement)
            }
            Feature::Links => matches!(self.last_stage(), IbmModel::Hmm),
            Feature::Pegging => self.last_stage().is_fertile(),
            Feature::WordClasses => matches!(self, Self::Ibm4 | Self::Ibm5),
            Feature::Calibration | Feature::Gold | Feature::Purpose => {
                matches!(self, Self::AgreementLoo | Self::Quality)
            }
            Feature::ModelFile | Feature::Checkpoint => !self.is_chain(),
            Feature::Parts => !self.is_chain() && !matches!(self, Self::Quality),
        }
    }

    /// Refuses what it cannot do.
    ///
    /// # Errors
    /// `Unsupported`.
    pub fn require(self, feature: Feature) -> Result<()> {
        if self.has(feature) { Ok(()) } else { Err(feature.refused_by(self)) }
    }
}

impl Feature {
    /// The name of the option that asks for it, with `_` between words.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Dictionary => "dictionary",
            Self::Links => "links",
            Self::Pegging => "pegging",
            Self::WordClasses => "source_classes",
            Self::Calibration => "calibrated",
            Self::Gold => "gold",
            Self::Purpose => "threshold",
            Self::ModelFile => "model_file",
            Self::Checkpoint => "checkpoint",
            Self::Parts => "part",
            Self::Adaptation => "adapt",
            Self::Encoder => "encoder",
        }
    }

    /// The error where a model, perhaps with settings of somebody's own, does not have it.
    pub(crate) fn refused_by(self, model: ModelName) -> Error {
        ErrorKind::Unsupported { option: self.option(), models: self.models(), model: model.name() }.into()
    }

    /// The models that have it: `ibm3, ibm4 and ibm5`.
    pub fn models(self) -> String {
        let models: Vec<&str> =
            ModelName::ALL.into_iter().filter(|model| model.has(self)).map(ModelName::name).collect();
        match models.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => models.concat(),
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ModelName {
    type Err = Error;

    /// A `Config` error names the models.
    fn from_str(text: &str) -> Result<Self> {
        if text == Self::ALIAS_OF_DEFAULT {
            return Ok(Self::default());
        }
        let named = Self::ALL.into_iter().find(|model| model.name() == text);
        named.ok_or_else(|| {
            let allowed = "agreement-loo, quality, agreement, hmm, ibm1, ibm2, diagonal, ibm3, ibm4, ibm5 or default";
            Error::config("model", text, allowed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Decision;

    #[test]
    fn names_are_read_as_they_are_written() {
        for model in ModelName::ALL {
            assert_eq!(model.name().parse::<ModelName>().unwrap(), model);
            assert_eq!(model.config().map(|config| config.name), (!model.is_chain()).then_some(model));
        }
        assert_eq!("default".parse::<ModelName>().unwrap(), ModelName::AgreementLoo);
        let message = "IBM1".parse::<ModelName>().unwrap_err().to_string();
        assert!(ModelName::ALL.into_iter().all(|model| message.contains(model.name())), "{message}");
    }

    #[test]
    fn features_are_those_of_the_configurations() {
        for (model, config) in ModelName::ALL.into_iter().filter_map(|model| Some((model, model.config()?))) {
            assert_eq!(model.has(Feature::Dictionary), config.prior.is_some());
            assert_eq!(model.has(Feature::Adaptation), config.agreement && config.prior.is_some());
            assert_eq!(model.has(Feature::Calibration), Decision::of(model).is_some());
            assert_eq!(model.has(Feature::Gold), Decision::of(model).is_some());
        }
        for model in ModelName::ALL {
            assert_eq!(model.has(Feature::Pegging), model.last_stage().is_fertile());
            assert!(model.has(Feature::Links) || !model.has(Feature::Dictionary));
            assert!(model.has(Feature::Dictionary) || !model.has(Feature::Encoder), "which gives a dictionary");
        }
        assert_eq!(Feature::WordClasses.models(), "ibm4 and ibm5");
        assert!(ModelName::Ibm5.require(Feature::Pegging).is_ok());
    }
}
