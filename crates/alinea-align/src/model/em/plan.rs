//! Which equations each pass of a training uses, as its configuration and the size of the text decide.

use crate::model::config::{AlignerConfig, Schedule};
use crate::model::em::pass::{Pass, PassNumber, Stage};

/// The passes of a training.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Plan<'c> {
    pub(in crate::model) config: &'c AlignerConfig,
    pub(in crate::model) schedule: Schedule,
    /// Sentence pairs of the text with words on both sides.
    pub(in crate::model) usable: usize,
}

impl<'c> Plan<'c> {
    /// Those of a text in parts, with so many pairs that have words on both sides.
    pub(in crate::model) fn of_parts(config: &'c AlignerConfig, usable: usize) -> Self {
        Self { config, schedule: config.schedule_for(usable), usable }
    }

    /// What a pass counts.
    pub(in crate::model) fn kind_of(self, pass: PassNumber) -> Pass {
        let agreed = self.config.agreement && pass.stage == Stage::Hmm && !self.is_independent(pass);
        Pass { stage: pass.stage, agreed }
    }

    /// Whether directions part in a pass.
    pub(in crate::model) fn is_independent(self, pass: PassNumber) -> bool {
        let last = pass.stage == Stage::Hmm && pass.is_last_of_stage();
        last && self.config.independent_share_for(self.usable).is_some()
    }

    /// Whether self-counts of this pass of Model 1 will be left out in the next.
    pub(in crate::model) fn remembers_ibm1(self, pass: PassNumber) -> bool {
        let last = pass.stage == Stage::Ibm1 && pass.is_last_of_stage();
        last && self.schedule.hmm > 0 && self.config.leaves_out_after_ibm1(self.usable)
    }
}
