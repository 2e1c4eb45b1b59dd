//! Aligning text with a saved model: the buffers of one thread.
//!
//! A [`ModelWorker`] aligns the pairs of a [`NewText`], in which the model has numbered the words. Each pair, or each
//! stretch of a long one, is looked up among those that the model was trained on; if it is there, its self-counts are
//! left out as in training. Words and word pairs that the model has not met get their probabilities from `unmet`.
//! Posteriors say whether the pair is new to the model, which it is if one of its stretches is.

use crate::alignment::Alignment;
use crate::bitext::SentencePair;
use crate::model::pair::pair_worker::{About, PairWorker, Wanted};
use crate::model::pair::posteriors::{Posteriors, path_links};
use crate::model::refinement::leave_one_out::SelfCounts;
use crate::model::saved::new_text::NewText;
use crate::model::saved::open::Model;

/// Aligns one pair after another in the same buffers.
#[derive(Debug, Clone)]
pub struct ModelWorker<'m> {
    model: &'m Model,
    buffers: PairWorker<'m>,
    paths: [Vec<Option<u32>>; 2],
}

impl ModelWorker<'_> {
    /// The same, whose posteriors come with [log-likelihoods](Posteriors::log_likelihoods) and
    /// [scores](Posteriors::scores). They take half as much time again.
    #[must_use]
    pub fn judging(self) -> Self {
        Self { buffers: self.buffers.wanting(Wanted::Both), ..self }
    }

    /// Says that a pair will be asked for, after those announced before it. Only time depends on it.
    pub fn announce(&mut self, text: &NewText<'_>, n: usize) {
        self.buffers.run_announce(text.pair(n));
    }

    /// Whether the pair is new to the model, or a stretch of it; nothing if one side is empty.
    fn run(&mut self, text: &NewText<'_>, n: usize, wants_paths: bool) -> Option<bool> {
        let Self { model, buffers, paths } = self;
        let pair = text.pair(n);
        if pair.has_empty_side() {
            return None;
        }
        let about = |_, stretch: SentencePair<'_>| About {
            self_counts: model.self_counts(stretch),
            links: None,
            given: None,
            subwords: &[],
            average: true,
        };
        buffers.learn_words(&text.new);
        buffers.decode(pair, model.stage(), about, wants_paths.then_some(paths));
        Some(pair.stretches().any(|(_, stretch)| matches!(model.self_counts(stretch), SelfCounts::Nothing)))
    }

    /// The posteriors of the `n`-th pair, or nothing if one side is empty.
    pub fn posteriors<'w>(&'w mut self, text: &NewText<'_>, n: usize) -> Option<Posteriors<'w>> {
        let new = self.run(text, n, false)?;
        Some(self.buffers.found(text.pair(n)).of_new(new))
    }

    /// Posteriors, and the best paths of both directions as links; nothing if one side is empty.
    pub fn posteriors_and_viterbi<'w>(
        &'w mut self,
        text: &NewText<'_>,
        n: usize,
    ) -> Option<(Posteriors<'w>, [Alignment; 2])> {
        let new = self.run(text, n, true)?;
        let paths = path_links(&self.paths);
        Some((self.buffers.found(text.pair(n)).of_new(new), paths))
    }
}

impl Model {
    /// The buffers for one thread.
    pub fn worker(&self) -> ModelWorker<'_> {
        ModelWorker { model: self, buffers: PairWorker::new(self.tables()), paths: [Vec::new(), Vec::new()] }
    }
}
