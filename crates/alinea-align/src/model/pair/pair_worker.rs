//! What one thread computes for one sentence pair after another: posteriors and best paths of both directions.
//!
//! A pair is *announced* some pairs before its turn, so that the lexicon's cells are in the cache when they are needed.
//! In its turn it is *loaded*: its words are looked up, weighted by 1 - p0, and its own share of the counts is taken away
//! (leave-one-out; [`leave_one_out`](crate::model::refinement::leave_one_out)). Then [`PairWorker::posteriors`] runs both
//! directions in the [`direction_buffers`](super::direction_buffers).
//!
//! | caller | what follows |
//! |---|---|
//! | a pass of training | [`PairWorker::interpolate`] with models of subwords, if it is the last; counting |
//! | decoding, the text trained on | the mean with the posteriors that were counted, if the last pass was independent |
//! | decoding, new text | words and pairs of words that training has not met come from `unmet` |
//!
//! A pair with a side above 256 words goes stretch by stretch ([`PairWorker::decode`]).

use std::collections::VecDeque;
use std::sync::Arc;

use crate::alignment::{GoldAlignment, Link};
use crate::bitext::SentencePair;
use crate::lexicon::PairIndex;
use crate::model::config::NullProbability;
use crate::model::em::parameters::Parameters;
use crate::model::em::pass::Stage;
use crate::model::em::tables::Tables;
use crate::model::pair::direction_buffers::{DirectionBuffers, FertilityUse};
use crate::model::pair::grid::Grid;
use crate::model::pair::posteriors::Posteriors;
use crate::model::pair::rows::{Emission, Logs};
use crate::model::pair::stretches::Stretches;
use crate::model::refinement::leave_one_out::{LeaveOneOut, SelfCounts};
use crate::model::refinement::soft_links::SoftLink;
use crate::model::refinement::subword_posteriors::SubwordPosterior;
use crate::model::saved::unmet::{NewWords, UnmetPairs};
use crate::numeric::simd::{Kernel, dispatch};

/// How many pairs ahead of its turn a pair is announced: one turn for the index to arrive, one for the cells.
pub(crate) const AHEAD: usize = 2;

/// What is computed of a pair that is not trained on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model) enum Wanted {
    Posteriors,
    /// How probable the pair is.
    Likelihoods,
    Both,
}

/// What is known of a sentence pair beforehand.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct About<'a> {
    /// What it has added to the counts itself.
    pub(in crate::model) self_counts: SelfCounts<'a>,
    /// Its links, if somebody has given them.
    pub(in crate::model) links: Option<&'a GoldAlignment>,
    /// Its soft links, in the place of posteriors, if it is counted and they are given.
    pub(in crate::model) given: Option<&'a [SoftLink]>,
    /// The posteriors of models of subwords, in the pass that is interpolated with them.
    pub(in crate::model) subwords: &'a [SubwordPosterior],
    /// Whether it is decoded by the mean with what was counted, where directions part.
    pub(in crate::model) average: bool,
}

/// What one thread needs to compute posteriors of one sentence pair after another.
#[derive(Debug, Clone)]
pub(in crate::model) struct PairWorker<'m> {
    pub(in crate::model) index: &'m PairIndex,
    pub(in crate::model) parameters: &'m Parameters,
    pub(in crate::model) null_probability: NullProbability,
    /// The words of the current pair.
    pub grid: Grid,
    /// The words of the pairs that were announced, in order.
    announced: VecDeque<Grid>,
    /// Buffers to be used again.
    spare: Vec<Grid>,
    leave_one_out: Option<LeaveOneOut<'m>>,
    /// In a saved model, what is said of pairs of words that were not met in training.
    unmet: Option<UnmetPairs<'m>>,
    wanted: Wanted,
    /// The share of stored posteriors in what a pair is decoded by, where directions part.
    share: f32,
    /// The weight of models of subwords in what is counted.
    subword_share: f32,
    /// p(target | source).
    pub forward: DirectionBuffers,
    /// p(source | target).
    pub reverse: DirectionBuffers,
    /// What was found for the pair that was aligned in stretches last.
    stretches: Stretches,
}

impl<'m> PairWorker<'m> {
    /// A worker with empty buffers.
    pub(in crate::model) fn new(tables: Tables<'m>) -> Self {
        let Tables { index, parameters, levels, config, frozen } = tables;
        let prior = config.prior.as_ref().filter(|_| config.leave_one_out);
        Self {
            index,
            parameters,
            null_probability: config.null_probability,
            grid: Grid::default(),
            announced: VecDeque::new(),
            spare: Vec::new(),
            leave_one_out: prior.map(|prior| LeaveOneOut::new(levels, prior)),
            unmet: frozen.map(|frozen| UnmetPairs::new(frozen, tables)),
            wanted: Wanted::Posteriors,
            share: config.independent_pass.unwrap_or(0.0),
            subword_share: config.subwords.unwrap_or(0.0),
            forward: DirectionBuffers::default(),
            reverse: DirectionBuffers::default(),
            stretches: Stretches::default(),
        }
    }

    /// The same, of which something else is wanted than posteriors alone.
    pub(in crate::model) fn wanting(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }

    /// Says that a pair will be loaded, after those announced before it. Memory takes longer than arithmetic: what is
    /// announced [`AHEAD`] pairs before it is loaded has arrived by then. A wrong announcement costs time only.
    #[inline(always)]
    pub(in crate::model) fn announce(&mut self, pair: SentencePair<'_>) {
        let mut grid = self.spare.pop().unwrap_or_default();
        grid.fill(pair, self.index);
        self.announced.push_back(grid);
    }

    /// Looks up the words of a pair; neither side may be empty. The probabilities are weighted for the stage: (1-p0) t,
    /// for Model 1 divided by the number of positions. Self-counts are left out.
    #[inline(always)]
    pub(in crate::model) fn load(&mut self, pair: SentencePair<'_>, stage: Stage, own: SelfCounts<'_>) {
        let p0 = self.null_probabilities(pair);
        let weights = self.emission_weights(pair, stage);
        if self.announced.front().is_none_or(|grid| !grid.is_of(pair)) {
            self.spare.extend(self.announced.drain(..));
            self.announce(pair);
        }
        if let Some(grid) = self.announced.pop_front() {
            self.spare.push(std::mem::replace(&mut self.grid, grid));
        }
        self.grid.resolve(self.index);
        let next = match self.announced.front_mut() {
            Some(next) => {
                next.resolve(self.index);
                &next.ids[..]
            }
            None => &[],
        };
        match &mut self.unmet {
            None => self.grid.weigh(&self.parameters.translation, weights, next),
            Some(unmet) => {
                self.grid.weigh(unmet.probabilities(), weights, next);
                unmet.fill(&mut self.grid, weights);
            }
        }
        if let Some(leave_one_out) = &mut self.leave_one_out {
            leave_one_out.correct(&mut self.grid, own, self.parameters, weights, p0);
        }
        self.grid.complete();
    }

    /// What probabilities of the lexicon are multiplied by, in both directions.
    #[inline(always)]
    fn emission_weights(&self, pair: SentencePair<'_>, stage: Stage) -> [f32; 2] {
        let p0 = self.null_probabilities(pair);
        let weight = |direction: usize, positions: usize| match stage {
            Stage::Ibm1 => (1.0 - p0[direction]) / positions as f32,
            Stage::Hmm => 1.0 - p0[direction],
        };
        [weight(0, pair.source.len()), weight(1, pair.target.len())]
    }

    /// p0 of both directions.
    #[inline(always)]
    fn null_probabilities(&self, pair: SentencePair<'_>) -> [f32; 2] {
        [pair.source.len(), pair.target.len()].map(|positions| self.null_probability.of(positions))
    }

    /// Takes the generated words of both directions: what the empty word has for them, and how they are reached.
    #[inline(always)]
    fn prepare(&mut self, pair: SentencePair<'_>) {
        let p0 = self.null_probabilities(pair);
        let Self { grid, forward, reverse, parameters, leave_one_out, .. } = self;
        forward.prepare(p0[0], pair.target, &parameters.forward);
        reverse.prepare(p0[1], pair.source, &parameters.reverse);
        if let Some(leave_one_out) = leave_one_out {
            leave_one_out.weigh_null(&grid.target, 0, &parameters.forward, p0[0], &mut forward.null);
            leave_one_out.weigh_null(&grid.source, 1, &parameters.reverse, p0[1], &mut reverse.null);
        }
    }

    /// Computes how probable each side of the pair that was loaded is, given the other.
    #[inline(always)]
    fn judge(&mut self, pair: SentencePair<'_>, stage: Stage) {
        self.prepare(pair);
        let most = self.emission_weights(pair, stage);
        let Self { grid, forward, reverse, parameters, .. } = self;
        let emissions = emissions(grid, pair);
        forward.judge(emissions[0], &parameters.forward, stage, most[0]);
        reverse.judge(emissions[1], &parameters.reverse, stage, most[1]);
    }

    /// Computes posteriors of both directions for the pair that was loaded.
    #[inline(always)]
    pub(in crate::model) fn posteriors(
        &mut self,
        pair: SentencePair<'_>,
        stage: Stage,
        about: About<'_>,
        count_jumps: bool,
    ) {
        let About { self_counts, links, given, .. } = about;
        let given = given.filter(|_| links.is_none() && stage == Stage::Hmm);
        self.prepare(pair);
        let Self { grid, forward, reverse, parameters, .. } = self;
        if let (SelfCounts::Entries(entries, weight), true) = (self_counts, parameters.forward.fertility.is_some()) {
            let lengths = [pair.source.len(), pair.target.len()];
            let links = |direction| entries.likely(direction, lengths, weight);
            let guess = |counted: f32| if entries.apart() { counted } else { counted.sqrt() };
            forward.fertilities.recall(links(0).map(|([s, t], counted)| (s, t, guess(counted))), pair.source.len());
            reverse.fertilities.recall(links(1).map(|([s, t], counted)| (t, s, guess(counted))), pair.target.len());
        }
        let fertilities = match self_counts {
            SelfCounts::Entries(..) => FertilityUse::LinksKnown,
            SelfCounts::Nothing | SelfCounts::Ibm1(..) => FertilityUse::LinksUnknown,
        };
        let emissions = emissions(grid, pair);
        if let (Some(links), Stage::Hmm) = (links, stage) {
            let of = |link: Link| (link.source as usize, link.target as usize, links.sure().contains(link));
            let given = || links.possible().iter().map(of);
            forward.keep_to(given().map(|(s, t, sure)| (t, s, sure)), emissions[0]);
            reverse.keep_to(given(), emissions[1]);
        }
        let of_target = |soft: &SoftLink| (soft.link.target as usize, soft.link.source as usize, soft.forward);
        let of_source = |soft: &SoftLink| (soft.link.source as usize, soft.link.target as usize, soft.reverse);
        if let Some(given) = given {
            forward.emit(given.iter().map(of_target), pair.source.len());
            reverse.emit(given.iter().map(of_source), pair.target.len());
        }
        forward.infer(emissions[0], &parameters.forward, stage, fertilities, count_jumps);
        reverse.infer(emissions[1], &parameters.reverse, stage, fertilities, count_jumps);
        if let Some(given) = given {
            forward.replace(given.iter().map(of_target));
            reverse.replace(given.iter().map(of_source));
        }
    }

    /// Interpolates the posteriors with those of models of subwords.
    pub(in crate::model) fn interpolate(&mut self, About { links, given, subwords, .. }: About<'_>) {
        let Self { forward, reverse, subword_share, .. } = self;
        if links.is_some() || given.is_some() || subwords.is_empty() {
            return;
        }
        for direction in [&mut *forward, &mut *reverse] {
            direction.posterior.iter_mut().for_each(|p| *p *= 1.0 - *subword_share);
        }
        for &SubwordPosterior { source, target, forward: of_forward, reverse: of_reverse } in subwords {
            let (source, target) = (source as usize, target as usize);
            forward.posterior[target * forward.stride + source] += *subword_share * of_forward;
            reverse.posterior[source * reverse.stride + target] += *subword_share * of_reverse;
        }
    }

    /// Makes links certain.
    fn assert_links(&mut self, links: &GoldAlignment) {
        for link in links.sure().iter() {
            let (source, target) = (link.source as usize, link.target as usize);
            self.forward.posterior[target * self.forward.stride + source] = 1.0;
            self.reverse.posterior[source * self.reverse.stride + target] = 1.0;
        }
    }

    /// Averages the posteriors with those that were counted in the last pass, where directions part.
    #[inline(always)]
    fn average(&mut self, pair: SentencePair<'_>, own: SelfCounts<'_>) {
        let Self { forward, reverse, share, .. } = self;
        let SelfCounts::Entries(entries, weight) = own else { return };
        if !entries.apart() {
            return;
        }
        let links = |direction| entries.likely(direction, [pair.source.len(), pair.target.len()], weight);
        forward.average(*share, links(0).map(|([s, t], p)| (t, s, p)));
        reverse.average(*share, links(1).map(|([s, t], p)| (s, t, p)));
    }

    /// Tells which words a text has that the model does not know, if it is a saved one.
    pub(in crate::model) fn learn_words(&mut self, words: &Arc<NewWords>) {
        if let Some(unmet) = &mut self.unmet {
            unmet.learn_words(words);
        }
    }

    /// [`announce`](Self::announce), with the instruction set of this processor. Pairs with an empty side and those that are
    /// aligned in stretches are left to themselves.
    pub(in crate::model) fn run_announce(&mut self, pair: SentencePair<'_>) {
        if !pair.has_empty_side() && pair.cuts.is_empty() {
            dispatch(Announce { worker: self, pair });
        }
    }

    /// Computes what is wanted of a pair with words on both sides, stretch by stretch if it is long, and
    /// the best paths if they are asked for. Given is what is known of each stretch beforehand, by its number in the pair.
    pub(in crate::model) fn decode<'a>(
        &mut self,
        pair: SentencePair<'_>,
        stage: Stage,
        about: impl Fn(usize, SentencePair<'_>) -> About<'a>,
        mut paths: Option<&mut [Vec<Option<u32>>; 2]>,
    ) {
        if pair.cuts.is_empty() {
            self.run(pair, stage, about(0, pair));
            if let Some(paths) = paths {
                self.viterbi(pair, stage, paths);
            }
            return;
        }
        self.stretches.clear();
        let mut of_stretch = [Vec::new(), Vec::new()];
        if let Some(paths) = &mut paths {
            paths.iter_mut().for_each(Vec::clear);
        }
        for (number, (start, stretch)) in pair.stretches().enumerate() {
            self.run(stretch, stage, about(number, stretch));
            let directions = [&self.forward, &self.reverse];
            self.stretches.push(start, stretch, directions.map(DirectionBuffers::rows), logs(directions));
            if let Some(paths) = &mut paths {
                self.viterbi(stretch, stage, &mut of_stretch);
                for ((path, found), start) in paths.iter_mut().zip(&of_stretch).zip(start) {
                    path.extend(found.iter().map(|position| position.map(|position| start + position)));
                }
            }
        }
    }

    /// The posteriors of the pair that was decoded last.
    pub(in crate::model) fn found(&self, pair: SentencePair<'_>) -> Posteriors<'_> {
        if pair.cuts.is_empty() {
            let directions = [&self.forward, &self.reverse];
            Posteriors::of_rows(directions.map(DirectionBuffers::rows), logs(directions), pair)
        } else {
            Posteriors::of_stretches(&self.stretches, pair)
        }
    }

    /// Loads a pair and computes what is wanted of it, with the instruction set of this processor.
    fn run(&mut self, pair: SentencePair<'_>, stage: Stage, about: About<'_>) {
        dispatch(Run { worker: self, pair, stage, about });
    }

    /// The best path of each direction for the pair whose posteriors were computed last: for each target word a
    /// source position, and for each source word a target position.
    fn viterbi(&mut self, pair: SentencePair<'_>, stage: Stage, paths: &mut [Vec<Option<u32>>; 2]) {
        let Self { grid, forward, reverse, parameters, .. } = self;
        let [forward_path, reverse_path] = paths;
        let emissions = emissions(grid, pair);
        forward.best_path(emissions[0], &parameters.forward, stage, forward_path);
        reverse.best_path(emissions[1], &parameters.reverse, stage, reverse_path);
    }
}

struct Run<'w, 'm, 'p> {
    worker: &'w mut PairWorker<'m>,
    pair: SentencePair<'p>,
    stage: Stage,
    about: About<'p>,
}

impl Kernel for Run<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.worker.load(self.pair, self.stage, self.about.self_counts);
        if self.worker.wanted != Wanted::Posteriors {
            self.worker.judge(self.pair, self.stage);
        }
        if self.worker.wanted == Wanted::Likelihoods {
            return;
        }
        self.worker.posteriors(self.pair, self.stage, self.about, false);
        if self.about.average {
            self.worker.average(self.pair, self.about.self_counts);
        }
        if let (Some(links), Stage::Hmm) = (self.about.links, self.stage) {
            self.worker.assert_links(links);
        }
    }
}

struct Announce<'w, 'm, 'p> {
    worker: &'w mut PairWorker<'m>,
    pair: SentencePair<'p>,
}

impl Kernel for Announce<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.worker.announce(self.pair);
    }
}

/// The emissions of both directions.
#[inline(always)]
fn emissions<'a>(grid: &'a Grid, pair: SentencePair<'a>) -> [Emission<'a>; 2] {
    let Grid { source, target, forward, reverse, .. } = grid;
    [
        Emission { rows: forward, slots: &target.slots, positions: pair.source },
        Emission { rows: reverse, slots: &source.slots, positions: pair.target },
    ]
}

/// What is known of a pair as a whole.
fn logs([forward, reverse]: [&DirectionBuffers; 2]) -> Logs {
    let likelihoods = forward.log_likelihood.zip(reverse.log_likelihood).map(<[f64; 2]>::from);
    Logs { weights: [forward.log_weight, reverse.log_weight], likelihoods }
}
