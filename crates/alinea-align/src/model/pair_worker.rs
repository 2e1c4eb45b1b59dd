//! The buffers of one thread, and what it computes for one sentence pair: posteriors of both directions.

use std::collections::VecDeque;
use std::sync::Arc;

use super::config::NullProbability;
use super::fertility::{Fertilities, FertilityCounts};
use super::grid::Grid;
use super::jump_cache::JumpCache;
use super::jumps::jump_classes;
use super::lattice::{Lattice, LatticeInput, NEGLIGIBLE, NEGLIGIBLE_IN_GUESS, SentenceJumpCounts};
use super::leave_one_out::{LeaveOneOut, SelfCounts};
use super::likelihood::{Generated, Likelihood};
use super::parameters::{Direction, Parameters};
use super::pass::Stage;
use super::posteriors::Posteriors;
use super::rows::{Logs, Rows};
use super::stretches::Stretches;
use super::subword_posteriors::SubwordPosterior;
use super::supervision::keep_to;
use super::tables::Tables;
use super::unmet::{NewWords, UnmetPairs};
use super::viterbi::Viterbi;
use crate::alignment::{GoldAlignment, Link};
use crate::bitext::{SentencePair, WordId};
use crate::lexicon::PairIndex;
use crate::numeric::simd::{Kernel, dispatch, padded, sum};

/// How many pairs ahead of its turn a pair is announced: one turn for the index to arrive, one for the cells.
pub(crate) const AHEAD: usize = 2;

/// What is computed of a pair that is not trained on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Posteriors,
    /// How probable the pair is.
    Likelihoods,
    Both,
}

/// What fertilities have to go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FertilityUse {
    /// The links of the pair in the pass before.
    LinksKnown,
    /// A first forward-backward.
    LinksUnknown,
}

/// Which rows the emissions of a sentence are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Emissions {
    /// Those of the grid.
    #[default]
    ByWord,
    /// `kept`, of each step.
    Kept,
    /// `refined`, of each step.
    Refined,
}

/// What is known of a sentence pair beforehand.
#[derive(Debug, Clone, Copy)]
pub(super) struct About<'a> {
    /// What it has added to the counts itself.
    pub(super) own: SelfCounts<'a>,
    /// Its links, if somebody has given them.
    pub(super) links: Option<&'a GoldAlignment>,
    /// What models of words in pieces say of it, if they are asked.
    pub(super) advice: &'a [SubwordPosterior],
}

/// One direction of one sentence pair.
#[derive(Debug, Clone, Default)]
pub(super) struct DirectionBuffers {
    /// p0 p(word | empty word), by generated token.
    null: Vec<f32>,
    /// The class of the jump that arrives with each generated token.
    classes: Vec<u8>,
    /// P(position | generated word), a padded row for each generated token.
    pub(super) posterior: Vec<f32>,
    /// The length of those rows.
    pub(super) stride: usize,
    /// The logarithm of the sum of all weights that the posteriors come from.
    pub(super) log_weight: f64,
    /// ln P of the generated side, if it was asked for.
    pub(super) log_likelihood: Option<f64>,
    likelihood: Likelihood,
    /// Expected jumps, if asked for.
    pub(super) jump_counts: SentenceJumpCounts,
    fertilities: Fertilities,
    /// The emission of each step where only some links are allowed: a padded row for each token.
    kept: Vec<f32>,
    /// The same after fertilities had their say.
    refined: Vec<f32>,
    /// The numbers of those rows.
    steps: Vec<u32>,
    /// What the last posteriors came from.
    emissions: Emissions,
    lattice: Lattice,
    viterbi: Viterbi,
    jumps: JumpCache,
}

/// What one thread needs to compute posteriors of one sentence pair after another.
#[derive(Debug, Clone)]
pub(super) struct PairWorker<'m> {
    pub(super) index: &'m PairIndex,
    pub(super) parameters: &'m Parameters,
    pub(super) null_probability: NullProbability,
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
    pub(super) fn new(tables: Tables<'m>) -> Self {
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
    pub(super) fn wanting(self, wanted: Wanted) -> Self {
        Self { wanted, ..self }
    }

    /// Says that a pair will be loaded, after those announced before it. Memory takes longer than arithmetic: what is
    /// announced [`AHEAD`] pairs before it is loaded has arrived by then. A wrong announcement costs time only.
    #[inline(always)]
    pub(super) fn announce(&mut self, pair: SentencePair<'_>) {
        let mut grid = self.spare.pop().unwrap_or_default();
        grid.fill(pair, self.index);
        self.announced.push_back(grid);
    }

    /// Looks up the words of a pair; neither side may be empty. The probabilities are weighted for the stage: (1-p0) t,
    /// for Model 1 divided by the number of positions. Self-counts are left out.
    #[inline(always)]
    pub(super) fn load(&mut self, pair: SentencePair<'_>, stage: Stage, own: SelfCounts<'_>) {
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
            leave_one_out.weigh_null(&grid.target, (0, &parameters.forward), p0[0], &mut forward.null);
            leave_one_out.weigh_null(&grid.source, (1, &parameters.reverse), p0[1], &mut reverse.null);
        }
    }

    /// Computes how probable each side of the pair that was loaded is, given the other.
    #[inline(always)]
    fn judge(&mut self, pair: SentencePair<'_>, stage: Stage) {
        self.prepare(pair);
        let most = self.emission_weights(pair, stage);
        let Self { grid, forward, reverse, parameters, .. } = self;
        let (source, target) = (&grid.source.slots, &grid.target.slots);
        forward.judge((&grid.forward, target, pair.source), &parameters.forward, stage, most[0]);
        reverse.judge((&grid.reverse, source, pair.target), &parameters.reverse, stage, most[1]);
    }

    /// Computes posteriors of both directions for the pair that was loaded.
    #[inline(always)]
    pub(super) fn posteriors(&mut self, pair: SentencePair<'_>, stage: Stage, about: About<'_>, count_jumps: bool) {
        let About { own, links, advice: _ } = about;
        self.prepare(pair);
        let Self { grid, forward, reverse, parameters, .. } = self;
        if let (SelfCounts::Entries(entries, weight), true) = (own, parameters.forward.fertility.is_some()) {
            let lengths = [pair.source.len(), pair.target.len()];
            let links = |direction| entries.likely(direction, lengths, weight);
            let guess = |counted: f32| if entries.apart() { counted } else { counted.sqrt() };
            forward.fertilities.recall(links(0).map(|([s, t], counted)| (s, t, guess(counted))), pair.source.len());
            reverse.fertilities.recall(links(1).map(|([s, t], counted)| (t, s, guess(counted))), pair.target.len());
        }
        let fertilities = match own {
            SelfCounts::Entries(..) => FertilityUse::LinksKnown,
            SelfCounts::Nothing | SelfCounts::Ibm1(..) => FertilityUse::LinksUnknown,
        };
        let (source, target) = (&grid.source.slots, &grid.target.slots);
        forward.emissions = Emissions::ByWord;
        reverse.emissions = Emissions::ByWord;
        if let (Some(links), Stage::Hmm) = (links, stage) {
            let of = |link: Link| (link.source as usize, link.target as usize, links.sure().contains(link));
            let given = || links.possible().iter().map(of);
            forward.keep_to(given().map(|(s, t, sure)| (t, s, sure)), (&grid.forward, target, pair.source.len()));
            reverse.keep_to(given(), (&grid.reverse, source, pair.target.len()));
        }
        forward.infer((&grid.forward, target, pair.source), &parameters.forward, (stage, fertilities), count_jumps);
        reverse.infer((&grid.reverse, source, pair.target), &parameters.reverse, (stage, fertilities), count_jumps);
    }

    /// Interpolates the posteriors with those of models of subwords.
    pub(super) fn interpolate(&mut self, About { links, advice, .. }: About<'_>) {
        let Self { forward, reverse, subword_share, .. } = self;
        if links.is_some() || advice.is_empty() {
            return;
        }
        for direction in [&mut *forward, &mut *reverse] {
            direction.posterior.iter_mut().for_each(|p| *p *= 1.0 - *subword_share);
        }
        for advised in advice {
            let (source, target) = (advised.source as usize, advised.target as usize);
            forward.posterior[target * forward.stride + source] += *subword_share * advised.forward;
            reverse.posterior[source * reverse.stride + target] += *subword_share * advised.reverse;
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
    pub(super) fn learn_words(&mut self, words: &Arc<NewWords>) {
        if let Some(unmet) = &mut self.unmet {
            unmet.learn_words(words);
        }
    }

    /// [`announce`](Self::announce), with the instruction set of this processor. Pairs with an empty side and those that are
    /// aligned in stretches are left to themselves.
    pub(super) fn run_announce(&mut self, pair: SentencePair<'_>) {
        if !pair.has_empty_side() && pair.cuts.is_empty() {
            dispatch(Announce { worker: self, pair });
        }
    }

    /// Computes what is wanted of a pair with words on both sides, stretch by stretch if it is long, and
    /// the best paths if they are asked for. Given is what is known of each stretch beforehand, by its number in the pair.
    pub(super) fn decode<'a>(
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
    pub(super) fn found(&self, pair: SentencePair<'_>) -> Posteriors<'_> {
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
        forward.best_path((&grid.forward, &grid.target.slots, pair.source), &parameters.forward, stage, forward_path);
        reverse.best_path((&grid.reverse, &grid.source.slots, pair.target), &parameters.reverse, stage, reverse_path);
    }
}

/// Weighted probabilities of one direction: rows by generated word, the row of each generated token, and the words of
/// the positions.
type Emission<'a> = (&'a [f32], &'a [u32], &'a [WordId]);

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
        self.worker.load(self.pair, self.stage, self.about.own);
        if self.worker.wanted != Wanted::Posteriors {
            self.worker.judge(self.pair, self.stage);
        }
        if self.worker.wanted == Wanted::Likelihoods {
            return;
        }
        self.worker.posteriors(self.pair, self.stage, self.about, false);
        self.worker.average(self.pair, self.about.own);
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

/// What is known of a pair as a whole.
fn logs([forward, reverse]: [&DirectionBuffers; 2]) -> Logs {
    let likelihoods = forward.log_likelihood.zip(reverse.log_likelihood).map(<[f64; 2]>::from);
    Logs { weights: [forward.log_weight, reverse.log_weight], likelihoods }
}

impl DirectionBuffers {
    /// The posteriors that were computed last.
    fn rows(&self) -> Rows<'_> {
        Rows { posterior: &self.posterior, stride: self.stride }
    }

    /// Takes the generated words: what the empty word has for them, and how they are reached.
    #[inline(always)]
    fn prepare(&mut self, p0: f32, generated: &[WordId], direction: &Direction) {
        jump_classes(generated, direction.kinds.as_deref(), &mut self.classes);
        self.null.clear();
        self.null.extend(generated.iter().map(|&word| p0 * direction.null_of(word)));
    }

    /// Allows these links only: step, state, and whether they are sure.
    fn keep_to(
        &mut self,
        links: impl Iterator<Item = (usize, usize, bool)>,
        (rows, slots, states): (&[f32], &[u32], usize),
    ) {
        keep_to(links, (rows, slots, padded(states)), &mut self.null, &mut self.kept);
        self.emissions = Emissions::Kept;
    }

    #[inline(always)]
    fn judge(&mut self, (rows, slots, words): Emission<'_>, direction: &Direction, stage: Stage, most: f32) {
        let (null, classes, states) = (&self.null[..], &self.classes[..], words.len());
        let generated = Generated { rows, slots, null, classes, states, most };
        self.log_likelihood = Some(self.likelihood.of(generated, stage, &direction.jumps));
    }

    #[inline(always)]
    fn infer(
        &mut self,
        emission: Emission<'_>,
        direction: &Direction,
        (stage, fertilities): (Stage, FertilityUse),
        count_jumps: bool,
    ) {
        let (rows, slots, words) = emission;
        self.stride = padded(words.len());
        self.posterior.resize(slots.len() * self.stride, 0.0);
        match stage {
            Stage::Ibm1 => self.infer_ibm1(rows, slots),
            Stage::Hmm => {
                self.steps.clear();
                self.steps.extend(0..slots.len() as u32);
                let (table, jumps) = self.jumps.of(&direction.jumps, words.len());
                let (null, classes) = (&self.null[..], &self.classes[..]);
                let (emission, slots) = match self.emissions {
                    Emissions::Kept => (&self.kept[..], &self.steps[..]),
                    Emissions::ByWord | Emissions::Refined => (rows, slots),
                };
                let input = LatticeInput { emission, slots, null, jumps, table, classes, negligible: NEGLIGIBLE };
                let counts = count_jumps.then_some(&mut self.jump_counts);
                let Some(fertility) = direction.fertility.as_ref() else {
                    self.log_weight = self.lattice.posteriors(input, &mut self.posterior, counts);
                    return;
                };
                if fertilities == FertilityUse::LinksUnknown {
                    let guess = LatticeInput { negligible: NEGLIGIBLE_IN_GUESS, ..input };
                    self.lattice.posteriors(guess, &mut self.posterior, None);
                    self.fertilities.collect(&self.posterior, self.stride, words.len());
                }
                self.fertilities.multiply(fertility, words, (emission, slots, self.stride), &mut self.refined);
                self.emissions = Emissions::Refined;
                let refined = LatticeInput { emission: &self.refined, slots: &self.steps, ..input };
                self.log_weight = self.lattice.posteriors(refined, &mut self.posterior, counts);
            }
        }
    }

    #[inline(always)]
    fn infer_ibm1(&mut self, rows: &[f32], slots: &[u32]) {
        let mut log_weight = 0.0;
        for ((posterior, &slot), null) in self.posterior.chunks_exact_mut(self.stride).zip(slots).zip(&self.null) {
            let emission = &rows[slot as usize * self.stride..][..self.stride];
            let total = sum(emission) + null;
            log_weight += f64::from(total).ln();
            for (p, e) in posterior.iter_mut().zip(emission) {
                *p = e / total;
            }
        }
        self.log_weight = log_weight;
    }

    fn best_path(&mut self, emission: Emission<'_>, direction: &Direction, stage: Stage, path: &mut Vec<Option<u32>>) {
        let (rows, slots, words) = emission;
        match stage {
            Stage::Ibm1 => {
                path.clear();
                for (&slot, &null) in slots.iter().zip(&self.null) {
                    let mut best = (null, None);
                    let row = &rows[slot as usize * self.stride..][..words.len()];
                    for (position, &value) in row.iter().enumerate() {
                        if value > best.0 || (best.1.is_none() && value >= best.0) {
                            best = (value, Some(position as u32));
                        }
                    }
                    path.push(best.1);
                }
            }
            Stage::Hmm => {
                let (table, jumps) = self.jumps.of(&direction.jumps, words.len());
                let (emission, slots) = match self.emissions {
                    Emissions::ByWord => (rows, slots),
                    Emissions::Kept => (&self.kept[..], &self.steps[..]),
                    Emissions::Refined => (&self.refined[..], &self.steps[..]),
                };
                let (null, classes) = (&self.null[..], &self.classes[..]);
                let input = LatticeInput { emission, slots, null, jumps, table, classes, negligible: NEGLIGIBLE };
                self.viterbi.path(input, path);
            }
        }
    }

    /// Gives this share to stored posteriors: step, state and posterior.
    #[inline(always)]
    fn average(&mut self, share: f32, stored: impl Iterator<Item = (usize, usize, f32)>) {
        self.posterior.iter_mut().for_each(|p| *p *= 1.0 - share);
        for (step, state, p) in stored {
            self.posterior[step * self.stride + state] += share * p;
        }
    }

    /// Counts how many words each of these, the words of the positions, generates; so many times.
    #[inline(always)]
    pub(super) fn count_fertilities(&self, words: &[WordId], times: u32, counts: &mut FertilityCounts) {
        Fertilities::count((&self.posterior, self.stride), words, times, counts);
    }

    /// The posterior of the empty word for each generated word.
    #[inline(always)]
    pub(super) fn null_posteriors(&self) -> impl Iterator<Item = f32> + '_ {
        self.posterior.chunks_exact(self.stride).map(|row| (1.0 - sum(row)).max(0.0))
    }
}
