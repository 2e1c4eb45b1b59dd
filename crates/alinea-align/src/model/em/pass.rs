//! Passes of EM: which equations a pass uses, what it counts, and its place in the schedule.
//!
//! All passes of Model 1 come first, then those of the HMM. `Stage` tells them apart: under Model 1 positions are
//! exchangeable, the HMM has transitions. `Pass` adds what is counted: the product of both directions' posteriors under
//! agreement (Liang, Taskar and Klein 2006), otherwise each direction's own. [`PassNumber`] counts over all passes and
//! within the stage; the next pass follows from the number of passes that are done and the schedule alone.

use std::fmt;

/// Which equations a pass uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model) enum Stage {
    /// Model 1: positions are exchangeable.
    Ibm1,
    /// The HMM.
    Hmm,
}

/// What a pass of training counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model) struct Pass {
    pub(in crate::model) stage: Stage,
    /// Whether both directions count the product of their posteriors, in place of each its own.
    pub(in crate::model) agreed: bool,
}

/// Which of the passes of a training one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassNumber {
    /// From 1, over all passes.
    pub number: u32,
    /// How many there are.
    pub of: u32,
    pub(in crate::model) stage: Stage,
    /// From 1, over the passes of its model, and how many there are.
    pub(in crate::model) of_stage: [u32; 2],
}

impl PassNumber {
    /// The pass that follows when so many are done, of so many of Model 1 and then of the HMM; nothing if all are done.
    pub(in crate::model) fn after(done: u32, [ibm1, hmm]: [u32; 2]) -> Option<Self> {
        let (number, of) = (done + 1, ibm1 + hmm);
        let (stage, of_stage) = match done.checked_sub(ibm1) {
            None => (Stage::Ibm1, [number, ibm1]),
            Some(done) => (Stage::Hmm, [done + 1, hmm]),
        };
        (number <= of).then_some(Self { number, of, stage, of_stage })
    }

    /// What it takes, in passes of Model 1 ([`Step::cost`](crate::progress::Step::cost)).
    pub(in crate::model) fn cost(self) -> u64 {
        match self.stage {
            Stage::Ibm1 => 1,
            Stage::Hmm => 4,
        }
    }

    /// Whether it is the last one of its model.
    pub(in crate::model) fn is_last_of_stage(self) -> bool {
        self.of_stage[0] == self.of_stage[1]
    }
}

impl fmt::Display for PassNumber {
    /// `HMM 2/4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.stage {
            Stage::Ibm1 => "Model 1",
            Stage::Hmm => "HMM",
        };
        write!(f, "{name} {}/{}", self.of_stage[0], self.of_stage[1])
    }
}
