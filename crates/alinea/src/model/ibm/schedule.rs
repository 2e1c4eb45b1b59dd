//! Chains of models.

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
    pub(super) fn is_fertile(self) -> bool {
        self >= Self::Ibm3
    }
}

impl fmt::Display for IbmModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Models and how many passes of EM each is trained for, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IbmSchedule(Vec<(IbmModel, u32)>);

impl IbmSchedule {
    /// A chain.
    ///
    /// # Errors
    /// `Config` if it is empty, a model has no pass or more than 1000, or a model comes after one that builds on it.
    pub fn new(stages: Vec<(IbmModel, u32)>) -> Result<Self> {
        let schedule = Self(stages);
        let fault = |allowed| Err(Error::config("iterations", &schedule, allowed));
        if schedule.0.first().is_none_or(|&(model, _)| model != IbmModel::Ibm1 && model != IbmModel::Diagonal) {
            return fault("a chain that begins with ibm1 (or with diagonal)");
        }
        if schedule.0.iter().any(|&(_, passes)| !(1..=1000).contains(&passes)) {
            return fault("1 to 1000 passes of each model");
        }
        if !schedule.0.is_sorted_by(|(a, _), (b, _)| a < b) {
            return fault("models in the order ibm1, ibm2 (or diagonal, or hmm), ibm3, ibm4, ibm5, each at most once");
        }
        if schedule.0.iter().filter(|(model, _)| model.is_second()).count() > 1 {
            return fault("only one of ibm2, diagonal and hmm");
        }
        let skipped = schedule.0.windows(2).any(|two| two[0].0 < IbmModel::Ibm3 && two[1].0 > IbmModel::Ibm3)
            || schedule.0.windows(2).any(|two| two[0].0 == IbmModel::Ibm3 && two[1].0 == IbmModel::Ibm5);
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
        Self(before.iter().copied().chain([(model, passes)]).collect())
    }

    /// Models and passes, in order.
    pub fn stages(&self) -> &[(IbmModel, u32)] {
        &self.0
    }

    /// The model that the chain ends with.
    pub fn last(&self) -> IbmModel {
        self.0.last().map_or(IbmModel::Ibm1, |&(model, _)| model)
    }

    /// How many passes a model has.
    pub(super) fn passes_of(&self, model: IbmModel) -> u32 {
        self.0.iter().find(|&&(other, _)| other == model).map_or(0, |&(_, passes)| passes)
    }
}

impl fmt::Display for IbmSchedule {
    /// `ibm1:5,hmm:5,ibm3:3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (model, passes)) in self.0.iter().enumerate() {
            write!(f, "{}{model}:{passes}", if n > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for IbmSchedule {
    type Err = Error;

    /// What [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self> {
        let stage = |part: &str| {
            let (name, passes) = part.trim().split_once(':')?;
            let model = IbmModel::ALL.into_iter().find(|model| model.name() == name.trim())?;
            Some((model, passes.trim().parse().ok()?))
        };
        let stages: Option<Vec<_>> = text.split(',').map(stage).collect();
        let stages = stages.ok_or_else(|| {
            let allowed =
                "models of ibm1, ibm2, diagonal, hmm, ibm3, ibm4, ibm5 with passes, such as ibm1:5,hmm:5,ibm3:3,ibm4:3";
            Error::config("iterations", text, allowed)
        })?;
        Self::new(stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("", "with passes, such as"),
            ("ibm1", "with passes, such as"),
            ("ibm6:1", "with passes, such as"),
            ("hmm:3", "begins with ibm1"),
            ("ibm1:0", "1 to 1000 passes"),
            ("ibm1:5,ibm1:5", "at most once"),
            ("ibm1:5,ibm4:3,ibm3:3", "in the order"),
            ("ibm1:5,ibm2:3,hmm:3", "only one of"),
            ("ibm1:5,hmm:5,ibm4:3", "ibm3 before ibm4"),
            ("ibm1:5,ibm3:3,ibm5:3", "ibm4 before ibm5"),
        ] {
            assert!(error(text).contains(expected), "{text}: {}", error(text));
        }
    }
}
