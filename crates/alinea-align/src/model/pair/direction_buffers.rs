//! The buffers of one direction of one sentence pair, and what is computed in them: posteriors, jumps, best paths.
//!
//! Posteriors lie in rows, one for each generated token, whose length is that of the other side padded to full vectors.
//! The words that links allow, and those whose fertilities have their say, get emissions of their own token by token;
//! all others share those of the grid by distinct word.

use crate::bitext::WordId;
use crate::model::em::parameters::Direction;
use crate::model::em::pass::Stage;
use crate::model::pair::jump_cache::JumpCache;
use crate::model::pair::jumps::jump_classes;
use crate::model::pair::lattice::{Lattice, LatticeInput, NEGLIGIBLE, NEGLIGIBLE_IN_GUESS, SentenceJumpCounts};
use crate::model::pair::likelihood::{Generated, Likelihood};
use crate::model::pair::rows::{Emission, Rows};
use crate::model::pair::viterbi::Viterbi;
use crate::model::refinement::fertility::{Fertilities, FertilityCounts};
use crate::model::refinement::soft_links::emit;
use crate::model::refinement::supervision::keep_to;
use crate::numeric::simd::{padded, sum};

/// What fertilities have to go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model) enum FertilityUse {
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

/// One direction of one sentence pair.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct DirectionBuffers {
    /// p0 p(word | empty word), by generated token.
    pub(in crate::model) null: Vec<f32>,
    /// The class of the jump that arrives with each generated token.
    classes: Vec<u8>,
    /// P(position | generated word), a padded row for each generated token.
    pub(in crate::model) posterior: Vec<f32>,
    /// The length of those rows.
    pub(in crate::model) stride: usize,
    /// The logarithm of the sum of all weights that the posteriors come from.
    pub(in crate::model) log_weight: f64,
    /// ln P of the generated side, if it was asked for.
    pub(in crate::model) log_likelihood: Option<f64>,
    likelihood: Likelihood,
    /// Expected jumps, if asked for.
    pub(in crate::model) jump_counts: SentenceJumpCounts,
    pub(in crate::model) fertilities: Fertilities,
    /// The emission of each step where only some links are allowed, or posteriors are given: a padded row for each token.
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

impl DirectionBuffers {
    /// The posteriors that were computed last.
    pub(in crate::model) fn rows(&self) -> Rows<'_> {
        Rows { posterior: &self.posterior, stride: self.stride }
    }

    /// Takes the generated words: what the empty word has for them, and how they are reached. All links are allowed.
    #[inline(always)]
    pub(in crate::model) fn prepare(&mut self, p0: f32, generated: &[WordId], direction: &Direction) {
        jump_classes(generated, direction.kinds.as_deref(), &mut self.classes);
        self.emissions = Emissions::ByWord;
        self.null.clear();
        self.null.extend(generated.iter().map(|&word| p0 * direction.null_of(word)));
    }

    /// Allows these links only: step, state, and whether they are sure.
    pub(in crate::model) fn keep_to(
        &mut self,
        links: impl Iterator<Item = (usize, usize, bool)>,
        emission: Emission<'_>,
    ) {
        keep_to(links, emission, &mut self.null, &mut self.kept);
        self.emissions = Emissions::Kept;
    }

    /// Emits given posteriors: step, state and posterior. So many states there are.
    pub(in crate::model) fn emit(&mut self, given: impl Iterator<Item = (usize, usize, f32)>, states: usize) {
        emit(given, states, &mut self.null, &mut self.kept);
        self.emissions = Emissions::Kept;
    }

    /// Puts given posteriors in the place of those that were computed: step, state and posterior.
    pub(in crate::model) fn replace(&mut self, given: impl Iterator<Item = (usize, usize, f32)>) {
        self.posterior.fill(0.0);
        for (step, state, posterior) in given {
            self.posterior[step * self.stride + state] = posterior;
        }
    }

    #[inline(always)]
    pub(in crate::model) fn judge(&mut self, emission: Emission<'_>, direction: &Direction, stage: Stage, most: f32) {
        let Emission { rows, slots, positions } = emission;
        let (null, classes, states) = (&self.null[..], &self.classes[..], positions.len());
        let generated = Generated { rows, slots, null, classes, states, most };
        self.log_likelihood = Some(self.likelihood.of(generated, stage, &direction.jumps));
    }

    #[inline(always)]
    pub(in crate::model) fn infer(
        &mut self,
        emission: Emission<'_>,
        direction: &Direction,
        stage: Stage,
        fertilities: FertilityUse,
        count_jumps: bool,
    ) {
        let Emission { rows, slots, positions } = emission;
        self.stride = padded(positions.len());
        self.posterior.resize(slots.len() * self.stride, 0.0);
        match stage {
            Stage::Ibm1 => self.infer_ibm1(rows, slots),
            Stage::Hmm => {
                self.steps.clear();
                self.steps.extend(0..slots.len() as u32);
                let (table, jumps) = self.jumps.of(&direction.jumps, positions.len());
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
                    self.fertilities.collect(&self.posterior, self.stride, positions.len());
                }
                self.fertilities.multiply(fertility, Emission { rows: emission, slots, positions }, &mut self.refined);
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

    pub(in crate::model) fn best_path(
        &mut self,
        emission: Emission<'_>,
        direction: &Direction,
        stage: Stage,
        path: &mut Vec<Option<u32>>,
    ) {
        let Emission { rows, slots, positions } = emission;
        match stage {
            Stage::Ibm1 => {
                path.clear();
                for (&slot, &null) in slots.iter().zip(&self.null) {
                    let mut best = (null, None);
                    let row = &rows[slot as usize * self.stride..][..positions.len()];
                    for (position, &value) in row.iter().enumerate() {
                        if value > best.0 || (best.1.is_none() && value >= best.0) {
                            best = (value, Some(position as u32));
                        }
                    }
                    path.push(best.1);
                }
            }
            Stage::Hmm => {
                let (table, jumps) = self.jumps.of(&direction.jumps, positions.len());
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
    pub(in crate::model) fn average(&mut self, share: f32, stored: impl Iterator<Item = (usize, usize, f32)>) {
        self.posterior.iter_mut().for_each(|p| *p *= 1.0 - share);
        for (step, state, p) in stored {
            self.posterior[step * self.stride + state] += share * p;
        }
    }

    /// Counts how many words each of these, the words of the positions, generates; so many times.
    #[inline(always)]
    pub(in crate::model) fn count_fertilities(&self, words: &[WordId], times: u32, counts: &mut FertilityCounts) {
        Fertilities::count(self.rows(), words, times, counts);
    }

    /// The posterior of the empty word for each generated word.
    #[inline(always)]
    pub(in crate::model) fn null_posteriors(&self) -> impl Iterator<Item = f32> + '_ {
        self.posterior.chunks_exact(self.stride).map(|row| (1.0 - sum(row)).max(0.0))
    }
}
