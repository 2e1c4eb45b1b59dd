//! Chains of IBM models: which models are trained in turn, each for how many passes of EM.
//!
//! A chain is written `ibm1:5,hmm:5,ibm3:3,ibm4:3`. Each model starts from what the one before has learned, which fixes
//! the order: Model 1 (or the diagonal model), then at most one of `ibm2`, `diagonal` and `hmm`, then `ibm3`, `ibm4`
//! and `ibm5`, of which none may be skipped. [`Passes`] is such a list as it was read; [`IbmSchedule`] is one that was
//! checked to be a chain. [`IbmSchedule::up_to`] has the default passes for a model, after Och and Ney (2003).

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A model of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IbmModel {
    /// Model 1.
    Ibm1,
    /// Model 2.
    Ibm2,
    /// Model 2 with positions along the diagonal.
    Diagonal,
    /// The hidden Markov model.
    Hmm,
    /// Model 3.
    Ibm3,
    /// Model 4.
    Ibm4,
    /// Model 5.
    Ibm5,
}

impl IbmModel {
    /// All of them, in the order in which they may follow each other; of Model 2, the diagonal model and the HMM only one
    /// is in a chain.
    pub const ALL: [Self; 7] = [Self::Ibm1, Self::Ibm2, Self::Diagonal, Self::Hmm, Self::Ibm3, Self::Ibm4, Self::Ibm5];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ibm1 => "ibm1",
            Self::Ibm2 => "ibm2",
            Self::Diagonal => "diagonal",
            Self::Hmm => "hmm",
            Self::Ibm3 => "ibm3",
            Self::Ibm4 => "ibm4",
            Self::Ibm5 => "ibm5",
        }
    }

    /// Whether it takes the place of Model 2.
    fn is_second(self) -> bool {
        matches!(self, Self::Ibm2 | Self::Diagonal | Self::Hmm)
    }

    /// Whether its words have fertilities.
    pub fn is_fertile(self) -> bool {
        self >= Self::Ibm3
    }
}

impl fmt::Display for IbmModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many passes of EM models are trained for, in the order in which they are named; whether they make a chain is not
/// said. Written and read as `ibm1:5,hmm:4`, blanks around names and numbers being allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passes(Vec<(IbmModel, u32)>);

impl Passes {
    /// Passes of models, in order.
    pub fn new(stages: Vec<(IbmModel, u32)>) -> Self {
        Self(stages)
    }

    /// Models and passes, in order.
    pub fn stages(&self) -> &[(IbmModel, u32)] {
        &self.0
    }

    /// How many passes a model has; 0 if it is not named.
    pub fn of(&self, model: IbmModel) -> u32 {
        self.0.iter().find(|&&(other, _)| other == model).map_or(0, |&(_, passes)| passes)
    }
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (model, passes)) in self.0.iter().enumerate() {
            write!(f, "{}{model}:{passes}", if n > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Passes {
    type Err = Error;

    /// What [`Display`](fmt::Display) writes. A `Config` error names what is wrong.
    fn from_str(text: &str) -> Result<Self> {
        let mut stages: Vec<(IbmModel, u32)> = Vec::new();
        for part in text.split(',') {
            let fault = |allowed| Err(Error::config("iterations", format!("`{}`", part.trim()), allowed));
            let Some((name, passes)) = part.split_once(':') else {
                if part.trim().parse::<u32>().is_ok() {
                    return fault(
                        "a model and its passes such as ibm1:5, or of two such as ibm1:5,hmm:5, not a number alone",
                    );
                }
                return fault("a model and its passes such as ibm1:5, more of them after commas");
            };
            let Ok(passes) = passes.trim().parse() else {
                return fault("a number of passes after the colon, such as ibm1:5");
            };
            let Some(model) = IbmModel::ALL.into_iter().find(|model| model.name() == name.trim()) else {
                return fault("passes of the models ibm1, ibm2, diagonal, hmm, ibm3, ibm4, ibm5");
            };
            if stages.iter().any(|&(other, _)| other == model) {
                return fault("passes of each model once");
            }
            stages.push((model, passes));
        }
        Ok(Self(stages))
    }
}

/// A chain: models and how many passes of EM each is trained for, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IbmSchedule(Passes);

impl IbmSchedule {
    /// A chain.
    ///
    /// # Errors
    /// `Config` if it is empty, a model has no pass or more than 1000, or a model comes after one that builds on it.
    pub fn new(stages: Vec<(IbmModel, u32)>) -> Result<Self> {
        Self::of(&Passes::new(stages))
    }

    /// The same of passes that were read.
    ///
    /// # Errors
    /// The same.
    pub fn of(passes: &Passes) -> Result<Self> {
        let schedule = Self(passes.clone());
        let stages = schedule.stages();
        let fault = |allowed| Err(Error::config("iterations", &schedule, allowed));
        if stages.first().is_none_or(|&(model, _)| model != IbmModel::Ibm1 && model != IbmModel::Diagonal) {
            return fault("a chain that begins with ibm1 (or with diagonal)");
        }
        if stages.iter().any(|&(_, passes)| !(1..=1000).contains(&passes)) {
            return fault("1 to 1000 passes of each model");
        }
        if !stages.is_sorted_by(|(a, _), (b, _)| a < b) {
            return fault("models in the order ibm1, ibm2 (or diagonal, or hmm), ibm3, ibm4, ibm5, each at most once");
        }
        if stages.iter().filter(|(model, _)| model.is_second()).count() > 1 {
            return fault("only one of ibm2, diagonal and hmm");
        }
        let skipped = stages.windows(2).any(|two| two[0].0 < IbmModel::Ibm3 && two[1].0 > IbmModel::Ibm3)
            || stages.windows(2).any(|two| two[0].0 == IbmModel::Ibm3 && two[1].0 == IbmModel::Ibm5);
        if skipped {
            return fault("ibm3 before ibm4, and ibm4 before ibm5");
        }
        Ok(schedule)
    }

    /// The passes measured to be good for a model: those of Och and Ney (2003), five of each model up to the HMM and three
    /// of those with fertilities.
    pub fn up_to(model: IbmModel) -> Self {
        let before: &[(IbmModel, u32)] = match model {
            IbmModel::Ibm1 | IbmModel::Diagonal => &[],
            IbmModel::Ibm2 | IbmModel::Hmm => &[(IbmModel::Ibm1, 5)],
            IbmModel::Ibm3 => &[(IbmModel::Ibm1, 5), (IbmModel::Hmm, 5)],
            IbmModel::Ibm4 => &[(IbmModel::Ibm1, 5), (IbmModel::Hmm, 5), (IbmModel::Ibm3, 3)],
            IbmModel::Ibm5 => &[(IbmModel::Ibm1, 5), (IbmModel::Hmm, 5), (IbmModel::Ibm3, 3), (IbmModel::Ibm4, 3)],
        };
        let passes = if model.is_fertile() { 3 } else { 5 };
        Self(Passes(before.iter().copied().chain([(model, passes)]).collect()))
    }

    /// Models and passes, in order.
    pub fn stages(&self) -> &[(IbmModel, u32)] {
        self.0.stages()
    }

    /// The model that the chain ends with.
    pub fn last(&self) -> IbmModel {
        self.stages().last().map_or(IbmModel::Ibm1, |&(model, _)| model)
    }

    /// How many passes a model has; 0 if it is not in the chain.
    pub fn passes_of(&self, model: IbmModel) -> u32 {
        self.0.of(model)
    }
}

impl fmt::Display for IbmSchedule {
    /// `ibm1:5,hmm:5,ibm3:3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for IbmSchedule {
    type Err = Error;

    /// What [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self> {
        Self::of(&text.parse()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_read_in_any_order() {
        let passes: Passes = "hmm:2, ibm1 : 3".parse().unwrap();
        assert_eq!(passes.to_string(), "hmm:2,ibm1:3");
        assert_eq!([IbmModel::Ibm1, IbmModel::Hmm, IbmModel::Ibm3].map(|model| passes.of(model)), [3, 2, 0]);
        assert!(IbmSchedule::of(&passes).is_err());
    }

    #[test]
    fn chains_are_read_and_written() {
        for text in [
            "ibm1:5",
            "diagonal:5",
            "ibm1:5,hmm:5,ibm3:3,ibm4:3",
            "ibm1:1,ibm2:2,ibm3:3,ibm4:4,ibm5:5",
            "ibm1:2,ibm3:1",
        ] {
            assert_eq!(text.parse::<IbmSchedule>().unwrap().to_string(), text);
        }
        for model in IbmModel::ALL {
            let schedule = IbmSchedule::up_to(model);
            assert_eq!(schedule.to_string().parse::<IbmSchedule>().unwrap(), schedule);
            assert_eq!(schedule.last(), model);
        }
        let error = |text: &str| text.parse::<IbmSchedule>().unwrap_err().to_string();
        for (text, expected) in [
            ("", "iterations = ``: must be a model and its passes such as ibm1:5"),
            ("ibm1", "iterations = `ibm1`: must be a model and its passes such as ibm1:5"),
            ("ibm1:5,hmm:x", "iterations = `hmm:x`: must be a number of passes after the colon"),
            ("ibm6:1", "iterations = `ibm6:1`: must be passes of the models ibm1, ibm2, "),
            ("hmm:3", "begins with ibm1"),
            ("ibm1:0", "1 to 1000 passes"),
            ("ibm1:5,ibm1:5", "passes of each model once"),
            ("ibm1:5,ibm3:2,ibm2:5", "in the order"),
            ("ibm1:5,ibm4:3,ibm3:3", "in the order"),
            ("ibm1:5,ibm2:3,hmm:3", "only one of"),
            ("ibm1:5,hmm:5,ibm4:3", "ibm3 before ibm4"),
            ("ibm1:5,ibm3:3,ibm5:3", "ibm4 before ibm5"),
        ] {
            assert!(error(text).contains(expected), "{text}: {}", error(text));
        }
    }
}
