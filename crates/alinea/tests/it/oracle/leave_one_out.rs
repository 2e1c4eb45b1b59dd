//! Training in which no pair sees what it added itself to the counts of the pass before: those counts, its own, are
//! subtracted from every sum they are in while its posteriors are computed. Model 1 knows nothing of this.
//!
//! An independent last pass counts each direction's own posteriors, interpolated with those of subwords if there are any,
//! and a pair is decoded by a mean of those and of new ones. What a pair adds to the counts of words is multiplied by its
//! weight.

use alinea::bitext::RankedBitext;
use alinea::model::{AlignerConfig, Schedule};

use super::alignments::{Hmm, WordByWord};
use super::counts::{Counts, Shares, estimated_jumps};
use super::fertility::{Numbers, factors, numbers, table};
use super::recursion::{Expected, expect};
use super::subwords::subword_posteriors;
use super::sums::{SelfCounts, Sums};
use super::training::{Evidence, Oracle, Stage};
use super::{Direction, characters};

/// A value for each f and e of a sentence pair: by j, then i.
pub(super) type Matrix = Vec<Vec<f64>>;

/// A model between two passes.
#[derive(Debug)]
pub(crate) struct LeaveOneOut {
    oracle: Oracle,
    /// By pair.
    weights: Vec<f64>,
    parameters: [Direction; 2],
    /// The counts of the last pass, and what the M-step made of them.
    counts: [Counts; 2],
    sums: [Sums; 2],
    /// What each pair added to them.
    own: Vec<[Shares; 2]>,
    /// By j, then i, what each pair counted of each link in the last pass of the HMM.
    counted: Vec<[Matrix; 2]>,
    /// Whether that was not the same in both directions.
    apart: bool,
    /// The posteriors of subwords for each pair, if there are any.
    subwords: Vec<[Matrix; 2]>,
    /// th(e,n) after the first pass of the HMM.
    fertility: Option<[Vec<Numbers>; 2]>,
}

impl LeaveOneOut {
    /// Trains on pairs without empty sides.
    pub(crate) fn train(bitext: &RankedBitext, config: &AlignerConfig, schedule: Schedule, known: &Evidence) -> Self {
        let oracle = Oracle::new(bitext, config).with_known(known);
        let counts = oracle.views.each_ref().map(|view| Counts::zero(view, config));
        let sums = [0, 1].map(|side| Sums::new(&oracle.views[side], &counts[side], config));
        let own = oracle.views[0].pairs.iter().map(|_| Default::default()).collect();
        let parameters = oracle.start();
        let weights = (0..bitext.len()).map(|n| f64::from(bitext.weights().of(n))).collect();
        let (counted, apart, fertility) = (Vec::new(), false, None);
        let interpolated = config.subwords.is_some() && schedule.hmm > 0;
        let subwords = if interpolated { subword_posteriors(bitext, config, schedule, known) } else { Vec::new() };
        let mut model = Self { oracle, weights, parameters, counts, sums, own, counted, apart, subwords, fertility };
        for _ in 0..schedule.ibm1 {
            model.ibm1_pass();
        }
        for n in 0..schedule.hmm {
            let apart = !config.agreement || config.independent_pass.is_some() && n + 1 == schedule.hmm;
            model.hmm_pass(n == 0, apart);
        }
        model
    }

    /// The parameters, nothing left out.
    pub(crate) fn parameters(&self) -> &[Direction; 2] {
        &self.parameters
    }

    /// The posteriors of the `n`-th pair, by which it is decoded: for each direction by j, then i.
    pub(crate) fn posteriors(&self, n: usize) -> [Matrix; 2] {
        let mut both = self.expected(n).map(|expected| expected.posterior);
        let share = self.oracle.config.independent_pass.map_or(0.0, f64::from);
        for (new, counted) in both.iter_mut().zip(&self.counted[n]) {
            for (new, &counted) in new.iter_mut().flatten().zip(counted.iter().flatten()) {
                *new = (1.0 - share) * *new + share * likely(counted, self.weights[n]);
            }
        }
        for link in self.oracle.links(n).iter().flat_map(|links| links.sure().iter()) {
            both[0][link.target as usize][link.source as usize] = 1.0;
            both[1][link.source as usize][link.target as usize] = 1.0;
        }
        both
    }

    /// The logarithms of the probabilities that the rest of the text gives each side of the `n`-th pair.
    pub(crate) fn log_likelihoods(&self, n: usize) -> [f64; 2] {
        [0, 1].map(|side| {
            let (parameters, config) = self.parameters[side].likelihood(&self.oracle.config);
            let view = &self.oracle.views[side];
            let classes = view.classes(&view.pairs[n].1, &config);
            expect(&Hmm::new(self.words(n, side), classes, &parameters, &config)).log_likelihood
        })
    }

    /// The logarithms of the weights of all alignments of the `n`-th pair, forward and reverse.
    pub(crate) fn log_weights(&self, n: usize) -> [f64; 2] {
        self.expected(n).map(|expected| expected.log_likelihood)
    }

    fn ibm1_pass(&mut self) {
        let mut counts = self.oracle.views.each_ref().map(|view| Counts::zero(view, &self.oracle.config));
        for n in 0..self.own.len() {
            for (side, counts) in counts.iter_mut().enumerate() {
                let (e, f) = &self.oracle.views[side].pairs[n];
                let words = WordByWord::new(e, f, &self.parameters[side], &self.oracle.config);
                let posteriors = ibm1_posteriors(&words);
                let weight = self.weights[n];
                let null = weighted(rest(&posteriors), weight);
                let own = Shares::new((e, f), Stage::Ibm1, |i, j| weight * posteriors[j][i], &null);
                counts.add_words(&own);
                self.own[n][side] = own;
            }
        }
        self.counts = counts;
        self.maximize();
    }

    fn hmm_pass(&mut self, first_pass: bool, apart: bool) {
        let mut counts = self.oracle.views.each_ref().map(|view| Counts::zero(view, &self.oracle.config));
        let mut generated = self.oracle.views.each_ref().map(|view| vec![[0.0; 8]; view.conditions.len()]);
        let mut own = Vec::new();
        let mut counted = Vec::new();
        for n in 0..self.own.len() {
            let expected = self.expected(n);
            if self.oracle.config.jumps.sentences.is_none_or(|limit| n < limit) {
                for (counts, expected) in counts.iter_mut().zip(&expected) {
                    counts.add_jumps(&expected.offsets, [&expected.start, &expected.end]);
                }
            }
            let own_posteriors = expected.map(|expected| expected.posterior);
            for side in [0, 1] {
                for (i, &e) in self.oracle.views[side].pairs[n].0.iter().enumerate() {
                    let more = numbers(own_posteriors[side].iter().map(|row| row[i]));
                    generated[side][e].iter_mut().zip(more).for_each(|(count, more)| *count += more);
                }
            }
            let both = if apart { self.interpolated(n, own_posteriors) } else { own_posteriors };
            let weight = self.weights[n];
            let shares = if apart { both.clone() } else { products(&both) };
            let shares = shares.map(|shares| shares.into_iter().map(|row| weighted(row, weight)).collect::<Matrix>());
            own.push([0, 1].map(|side| {
                let (e, f) = &self.oracle.views[side].pairs[n];
                let null = weighted(rest(&both[side]), weight);
                Shares::new((e, f), Stage::Hmm, |i, j| shares[side][j][i], &null)
            }));
            counted.push(shares);
            for side in [0, 1] {
                counts[side].add_words(&own[n][side]);
            }
        }
        (self.counted, self.apart) = (counted, apart);
        self.own = own.into_iter().map(|both| both.map(capped)).collect();
        self.counts = counts;
        let strength = self.oracle.config.fertility.map(f64::from);
        self.fertility = strength.map(|strength| generated.each_ref().map(|counts| table(counts, strength)));
        if self.oracle.config.characters && first_pass {
            self.learn_similarity();
        }
        self.maximize();
        for side in [0, 1] {
            self.parameters[side].jumps = estimated_jumps(&self.counts[side], &self.oracle.config);
        }
    }

    /// The posteriors of the `n`-th pair, interpolated with those of subwords; not where links are given.
    fn interpolated(&self, n: usize, mut both: [Matrix; 2]) -> [Matrix; 2] {
        let share = self.oracle.config.subwords.map_or(0.0, f64::from);
        for (own, subwords) in both.iter_mut().zip(self.subwords.get(n).into_iter().flatten()) {
            if self.oracle.links(n).is_none() {
                for (own, &subwords) in own.iter_mut().flatten().zip(subwords.iter().flatten()) {
                    *own = (1.0 - share) * *own + share * subwords;
                }
            }
        }
        both
    }

    /// Both directions have the same similarities.
    fn learn_similarity(&mut self) {
        let [forward, reverse] = &mut self.oracle.views;
        forward.similarity = characters::similarity(forward, &self.counts[0].translation);
        reverse.similarity = reverse.table(|f, e| forward.similarity[e][f]);
    }

    fn maximize(&mut self) {
        for side in [0, 1] {
            let (view, counts) = (&self.oracle.views[side], &self.counts[side]);
            let (translation, null) = view.estimate(counts, self.oracle.config.prior.as_ref(), &view.stems);
            self.sums[side] = Sums::new(view, counts, &self.oracle.config);
            self.parameters[side].translation = translation;
            self.parameters[side].null = null;
        }
    }

    /// Words by what the rest of the text says about them.
    fn words(&self, n: usize, side: usize) -> WordByWord {
        let (view, config) = (&self.oracle.views[side], &self.oracle.config);
        let (e, f) = &view.pairs[n];
        if !config.leave_one_out {
            return WordByWord::new(e, f, &self.parameters[side], config);
        }
        let own = SelfCounts::new(&self.own[n][side], &self.sums[side]);
        let (sums, counts) = (&self.sums[side], &self.counts[side]);
        let translation = |e, f| sums.without(view, counts, &own, (e, f));
        WordByWord::of((e, f), config, translation, |f| sums.null_without(counts, &own, f))
    }

    /// Both directions of a pair; with messages about how many words each word generates, if that is known.
    fn expected(&self, n: usize) -> [Expected; 2] {
        [0, 1].map(|side| {
            let mut words = self.words(n, side);
            self.oracle.keep_to_links((n, side), &mut words);
            if let Some(tables) = &self.fertility {
                self.multiply(&mut words, n, side, &tables[side]);
            }
            expect(&self.oracle.hmm((n, side), words, &self.parameters[side]))
        })
    }

    /// What was counted in the pass before says how many words each word generates: each direction's own posteriors, or
    /// the geometric mean of both.
    fn multiply(&self, words: &mut WordByWord, n: usize, side: usize, table: &[Numbers]) {
        let counted = |i: usize, j: usize| likely(self.counted[n][side][j][i], self.weights[n]);
        let link = |i: usize, j: usize| if self.apart { counted(i, j) } else { counted(i, j).sqrt() };
        for (i, &e) in self.oracle.views[side].pairs[n].0.iter().enumerate() {
            let x: Vec<f64> = (0..words.real.len()).map(|j| link(i, j)).collect();
            for (row, factor) in words.real.iter_mut().zip(factors(&x, &table[e])) {
                row[i] *= factor;
            }
        }
    }
}

/// The products of both directions' posteriors: by j, then i, and mirrored.
fn products([forward, reverse]: &[Matrix; 2]) -> [Matrix; 2] {
    let product = |own: &Matrix, other: &Matrix| -> Matrix {
        let step = |(j, row): (usize, &Vec<f64>)| row.iter().zip(other).map(|(p, other)| p * other[j]).collect();
        own.iter().enumerate().map(step).collect()
    };
    [product(forward, reverse), product(reverse, forward)]
}

/// What a pair of this weight has counted, as far as it is kept, without the weight; nothing if that is below 0.01.
fn likely(counted: f64, weight: f64) -> f64 {
    let units = (counted * 65_536.0).round().min(65_535.0);
    if units < 655.0 * weight { 0.0 } else { units / 65_536.0 / weight }
}

fn weighted(row: Vec<f64>, weight: f64) -> Vec<f64> {
    row.into_iter().map(|value| value * weight).collect()
}

/// Every position is as likely as any other.
fn ibm1_posteriors(words: &WordByWord) -> Matrix {
    let positions = words.positions as f64;
    let step = |(real, null): (&Vec<f64>, &f64)| {
        let total = null + real.iter().sum::<f64>() / positions;
        real.iter().map(|real| real / positions / total).collect()
    };
    words.real.iter().zip(&words.null).map(step).collect()
}

/// The posteriors of the empty word.
fn rest(posteriors: &Matrix) -> Vec<f64> {
    posteriors.iter().map(|row| (1.0 - row.iter().sum::<f64>()).max(0.0)).collect()
}

/// A whole count is kept one unit short of it.
fn capped(mut shares: Shares) -> Shares {
    let cap = |count: &mut f64| *count = count.min(65_535.0 / 65_536.0);
    shares.words.iter_mut().for_each(|(_, _, count)| cap(count));
    shares.null.iter_mut().for_each(|(_, count)| cap(count));
    shares
}
