//! Workers: the buffers of one thread, in which it aligns one sentence pair after another.
//!
//! When a pair of the training text is aligned, its own contribution to the counts must be left out. So a [`Worker`] is
//! bound to that text and takes pairs by number. Other pairs of words of the text go to a [`NewPairWorker`], which
//! leaves nothing out: there, a pair of the text would be confirmed by its own counts.
//!
//! Both run the steps of `pair_worker`: posteriors of both directions and, if asked for, best paths. Pairs of the text
//! are cut into the same stretches as in training.

use super::aligner::{Aligner, NOTHING};
use crate::alignment::Alignment;
use crate::bitext::{RankedBitext, SentencePair};
use crate::model::em::pass::Stage;
use crate::model::pair::link_rule::LinkRule;
use crate::model::pair::pair_worker::{PairWorker, Wanted};
use crate::model::pair::posteriors::{Posteriors, path_links};
use crate::symmetrize::Symmetrizer;

/// Aligns pairs of the text that a model was trained on, one after another in the same buffers: self-counts are left out where
/// the model leaves them out, posteriors are averaged with those of training where directions part, and links that were known
/// are kept to. These are the posteriors by which the command aligns.
///
/// All methods panic if there is no such pair.
#[derive(Debug, Clone)]
pub struct Worker<'t> {
    text: &'t RankedBitext,
    pairs: Buffers<'t>,
}

/// Aligns pairs of words of the text that are none of its pairs.
#[derive(Debug, Clone)]
pub struct NewPairWorker<'m>(Buffers<'m>);

/// The buffers of one thread.
#[derive(Debug, Clone)]
struct Buffers<'m> {
    stage: Stage,
    aligner: &'m Aligner,
    pairs: PairWorker<'m>,
    paths: [Vec<Option<u32>>; 2],
    /// Whether posteriors that were given have no say in those of their pairs.
    forgets: bool,
}

impl Aligner {
    /// What aligns the pairs of the text trained on, in one thread.
    ///
    /// # Panics
    /// If it is another text, as far as the numbers of pairs and words tell.
    pub fn worker<'t>(&'t self, text: &'t RankedBitext) -> Worker<'t> {
        self.assert_own(text);
        Worker::new(self, text)
    }

    /// What aligns pairs of words of the text that are none of its pairs, in one thread. Text that is new altogether is
    /// aligned by a [`Model`](crate::model::Model).
    pub fn worker_for_new_pairs(&self) -> NewPairWorker<'_> {
        NewPairWorker::new(self)
    }
}

impl<'t> Worker<'t> {
    pub(super) fn new(aligner: &'t Aligner, text: &'t RankedBitext) -> Self {
        Self { text, pairs: Buffers::new(aligner) }
    }

    /// The same, of which something else is wanted than posteriors alone.
    pub(super) fn wanting(self, wanted: Wanted) -> Self {
        let Self { text, pairs } = self;
        Self { text, pairs: Buffers { pairs: pairs.pairs.wanting(wanted), ..pairs } }
    }

    /// The same, whose posteriors come with [log-likelihoods](Posteriors::log_likelihoods) and
    /// [scores](Posteriors::scores). They take half as much time again.
    #[must_use]
    pub fn judging(self) -> Self {
        self.wanting(Wanted::Both)
    }

    /// The same, which aligns pairs with [soft links](super::SoftLinks) by what the rest of the text says of them. Otherwise these
    /// are part of what they are aligned by where directions part, as is what training has found of other pairs.
    #[must_use]
    pub fn forgetting(self) -> Self {
        let Self { text, pairs } = self;
        Self { text, pairs: Buffers { forgets: true, ..pairs } }
    }

    /// Says that a pair will be asked for, after those announced before it, so that its memory can be fetched
    /// meanwhile. Only time depends on it.
    pub fn announce(&mut self, n: usize) {
        self.pairs.pairs.run_announce(self.text.pair(n));
    }

    /// The links of the `n`-th pair by what the model says of each cell: under models in agreement those whose mean posterior
    /// reaches the configuration's threshold, else the best paths of both directions, joined by grow-diag-final-and. What
    /// looks at the neighborhood of cells, too, is above the models: [`Trained::links`](crate::align::Trained::links).
    pub fn align(&mut self, n: usize) -> Alignment {
        match self.pairs.aligner.config.link_rule() {
            LinkRule::Threshold(least) => {
                self.posteriors(n).map_or_else(Alignment::new, |posteriors| posteriors.links(least))
            }
            LinkRule::Paths(method) => {
                let [forward, reverse] = self.viterbi(n);
                Symmetrizer::new(method).symmetrize(&forward, &reverse)
            }
        }
    }

    /// The posteriors of the `n`-th pair, or nothing if one side is empty.
    pub fn posteriors(&mut self, n: usize) -> Option<Posteriors<'_>> {
        self.pairs.posteriors(self.text.pair(n), Some(n))
    }

    /// Posteriors and best paths together, for less than one after the other; nothing if one side is empty.
    pub fn posteriors_and_viterbi(&mut self, n: usize) -> Option<(Posteriors<'_>, [Alignment; 2])> {
        self.pairs.posteriors_and_viterbi(self.text.pair(n), Some(n))
    }

    /// The best paths of both directions as links: forward gives each target word at most one source word, reverse
    /// each source word at most one target word. Empty for a pair with an empty side.
    pub fn viterbi(&mut self, n: usize) -> [Alignment; 2] {
        self.pairs.viterbi(self.text.pair(n), Some(n))
    }
}

impl<'m> NewPairWorker<'m> {
    pub(super) fn new(aligner: &'m Aligner) -> Self {
        Self(Buffers::new(aligner))
    }

    /// The same, whose posteriors come with [log-likelihoods](Posteriors::log_likelihoods) and
    /// [scores](Posteriors::scores).
    #[must_use]
    pub fn judging(self) -> Self {
        let Self(buffers) = self;
        Self(Buffers { pairs: buffers.pairs.wanting(Wanted::Both), ..buffers })
    }

    /// The posteriors of a pair, or nothing if one side is empty.
    pub fn posteriors(&mut self, pair: SentencePair<'_>) -> Option<Posteriors<'_>> {
        self.0.posteriors(pair, None)
    }

    /// Posteriors and best paths together; nothing if one side is empty.
    pub fn posteriors_and_viterbi(&mut self, pair: SentencePair<'_>) -> Option<(Posteriors<'_>, [Alignment; 2])> {
        self.0.posteriors_and_viterbi(pair, None)
    }

    /// The best paths of both directions as links, as those of a [`Worker`].
    pub fn viterbi(&mut self, pair: SentencePair<'_>) -> [Alignment; 2] {
        self.0.viterbi(pair, None)
    }
}

impl<'m> Buffers<'m> {
    fn new(aligner: &'m Aligner) -> Self {
        Self {
            stage: aligner.stage(),
            aligner,
            pairs: PairWorker::new(aligner.tables()),
            paths: [Vec::new(), Vec::new()],
            forgets: false,
        }
    }

    /// Computes what is wanted of a pair, which of the text trained on it may be, and the best paths if they are wanted.
    /// Returns the pair as it was cut for training; nothing if one side is empty.
    fn run<'p>(&mut self, pair: SentencePair<'p>, number: Option<usize>, wants_paths: bool) -> Option<SentencePair<'p>>
    where
        'm: 'p,
    {
        if pair.has_empty_side() {
            return None;
        }
        let Self { stage, aligner, pairs, paths, forgets } = self;
        let forgets = *forgets;
        let aligner: &'m Aligner = aligner;
        let pair = number.map_or(pair, |n| SentencePair { cuts: aligner.cuts.of_pair(n), ..pair });
        let first = number.map(|n| aligner.cuts.first_of(n));
        let about = |number, _: SentencePair<'_>| first.map_or(NOTHING, |first| aligner.about(first + number, forgets));
        pairs.decode(pair, *stage, about, wants_paths.then_some(paths));
        Some(pair)
    }

    fn posteriors(&mut self, pair: SentencePair<'_>, number: Option<usize>) -> Option<Posteriors<'_>> {
        let pair = self.run(pair, number, false)?;
        Some(self.pairs.found(pair))
    }

    fn posteriors_and_viterbi(
        &mut self,
        pair: SentencePair<'_>,
        number: Option<usize>,
    ) -> Option<(Posteriors<'_>, [Alignment; 2])> {
        let pair = self.run(pair, number, true)?;
        let paths = path_links(&self.paths);
        Some((self.pairs.found(pair), paths))
    }

    fn viterbi(&mut self, pair: SentencePair<'_>, number: Option<usize>) -> [Alignment; 2] {
        if self.run(pair, number, true).is_none() {
            return [Alignment::new(), Alignment::new()];
        }
        path_links(&self.paths)
    }
}
