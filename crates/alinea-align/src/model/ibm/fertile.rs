//! Models 3, 4 and 5, in which conditioning words have fertilities: what they have in common.
//!
//! A pass climbs, for each sentence pair, from the best alignment of the pass before to a new one, and counts all its
//! neighbors by their probabilities (Brown et al. 1993, section 4.4): in Models 3 and 4 all of them; in Model 5, which
//! is expensive to compute, those with at least a fifth of the summit's probability under Model 4 (compare their
//! section 4.7), by their probabilities under Model 5. With pegging the neighbors of many more alignments are counted
//! ([`sample`](super::sample)).
//!
//! In Models 3 and 4 without pegging, counts of t, n(φ | e) and p1 follow from sums over the neighborhood: for each
//! link the probability of the neighbors that have it, for each position that of the neighbors in which it has one word
//! more or less. Counts of Model 4's word order, of Model 5 and of pegging are added up alignment by alignment.

use super::directed::Directed;
use super::fertile_tables::{Fertile, Order};
use super::fertility::{FertilityCounts, MOST, NullCounts};
use super::paths::{Paths, gather};
use super::relative::{DisplacementCounts, Relative, RelativeCounts};
use super::sample::Sample;
use super::search::{Search, Step};
use super::shared_counts::SharedCounts;
use super::translation::TranslationCounts;
use super::vacancies::{Vacancies, place};
use crate::bitext::SentencePair;
use crate::error::Result;
use crate::parallel::Work;

/// Neighbors whose share in a neighborhood is below this are not worth counting their order: the summit's is counted in
/// their place.
const LEAST_SHARE: f64 = 1e-4;

/// With pegging, alignments that have not this share of the best one's probability are left out.
const NEGLIGIBLE: f64 = 1e-8;

/// Model 5 weighs the neighbors that have at least this share of the summit's probability under Model 4.
const NEAR: f64 = 0.2;

/// Expected counts of a pass.
struct Counts {
    translation: TranslationCounts,
    fertility: FertilityCounts,
    null: NullCounts,
    order: OrderCounts,
}

enum OrderCounts {
    Absolute(SharedCounts),
    Relative(RelativeCounts),
    Vacancies(RelativeCounts, [DisplacementCounts; 2]),
}

impl Fertile {
    /// One pass of EM. Paths are those of the pass before, and then of this one. Returns the log-likelihood of the text,
    /// as far as the alignments that were counted go.
    pub(super) fn pass(&mut self, direction: Directed<'_>, paths: &mut Paths, work: Work<'_>) -> Result<f64> {
        let counts = self.counts(direction);
        let (climbed, log_likelihood) = self.climb(direction, paths, Some(&counts), work)?;
        *paths = climbed;
        self.translation.maximize(counts.translation, direction, None);
        self.maximize_others(counts.fertility, counts.null, counts.order);
        Ok(log_likelihood)
    }

    /// Makes fertilities, insertions and order those of one alignment for each pair; translations stay.
    pub(super) fn learn_from(&mut self, direction: Directed<'_>, paths: &Paths) {
        let counts = self.counts(direction);
        let mut search = Search::new(self, direction);
        for n in 0..direction.bitext.len() {
            let pair = direction.bitext.pair(n);
            if !pair.has_empty_side() {
                search.fill(pair, paths.of(n));
                self.count(&counts, &search, f64::from(direction.bitext.weights().of(n)));
            }
        }
        self.maximize_others(counts.fertility, counts.null, counts.order);
    }

    fn counts(&self, Directed { bitext, index, generated }: Directed<'_>) -> Counts {
        let words = generated.words(bitext);
        Counts {
            translation: TranslationCounts::new(index, words),
            fertility: FertilityCounts::new(words[0]),
            null: NullCounts::new(),
            order: match &self.order {
                Order::Absolute(absolute) => OrderCounts::Absolute(absolute.counts()),
                Order::Relative(_, relative) => OrderCounts::Relative(relative.counts()),
                Order::Vacancies(_, relative, Vacancies { heads, others }) => {
                    OrderCounts::Vacancies(relative.counts(), [heads.counts(), others.counts()])
                }
            },
        }
    }

    fn maximize_others(&mut self, fertility: FertilityCounts, null: NullCounts, order: OrderCounts) {
        self.fertility.maximize(fertility, self.fertility_strength);
        self.null.maximize(null);
        match (&mut self.order, order) {
            (Order::Absolute(absolute), OrderCounts::Absolute(counts)) => absolute.maximize(counts),
            (Order::Relative(_, relative), OrderCounts::Relative(counts)) => relative.maximize(counts),
            (
                Order::Vacancies(_, relative, Vacancies { heads, others }),
                OrderCounts::Vacancies(counts, [of_heads, of_others]),
            ) => {
                relative.maximize(counts);
                heads.maximize(of_heads);
                others.maximize(of_others);
            }
            _ => unreachable!("counts are made for the order"),
        }
    }

    /// The summits that a climb from these paths reaches.
    pub(super) fn best_paths(&self, direction: Directed<'_>, paths: &Paths, work: Work<'_>) -> Result<Paths> {
        Ok(self.climb(direction, paths, None, work)?.0)
    }

    /// Climbs from each pair's path to a new one, and counts on the way if asked.
    fn climb(
        &self,
        direction: Directed<'_>,
        paths: &Paths,
        counts: Option<&Counts>,
        work: Work<'_>,
    ) -> Result<(Paths, f64)> {
        let bitext = direction.bitext;
        let visit = |search: &mut Search<'_>, n: usize, [climbed]: &mut [Paths; 1]| {
            let pair = bitext.pair(n);
            if pair.has_empty_side() {
                climbed.push(&[]);
                return 0.0;
            }
            let alone = search.climb_from(pair, paths.of(n));
            let weight = f64::from(bitext.weights().of(n));
            let log_likelihood = counts.map_or(0.0, |counts| self.expect(counts, search, weight, alone));
            climbed.push(&search.path);
            weight * log_likelihood
        };
        let ([climbed], log_likelihood) = gather(bitext.len(), work, || Search::new(self, direction), visit)?;
        Ok((climbed, log_likelihood))
    }

    /// The posteriors of a pair's links as far as the alignments go that a pass would count from this path on, in rows of
    /// positions for each generated word, that of the empty word first; the logarithm of the sum of their probabilities.
    pub(super) fn posteriors(
        &self,
        search: &mut Search<'_>,
        pair: SentencePair<'_>,
        path: &[u32],
        into: &mut Vec<f64>,
    ) -> f64 {
        let alone = search.climb_from(pair, path);
        into.clear();
        let Some(sample) = self.sample(search, alone) else {
            let summit = search.logarithm();
            let shares = Shares::of(search);
            into.extend(shares.links.iter().map(|share| share / shares.whole));
            return summit + shares.whole.ln();
        };
        let states = search.cells.states();
        into.resize(states * path.len(), 0.0);
        let (shares, log_likelihood) = self.shares(search, &sample);
        sample.for_each(search, |search, n| {
            for (row, &position) in into.chunks_exact_mut(states).zip(&search.path) {
                row[position as usize] += shares[n];
            }
        });
        log_likelihood
    }

    /// Counts the summit and its neighbors; the logarithm of their probabilities' sum.
    fn expect(&self, counts: &Counts, search: &mut Search<'_>, weight: f64, alone: bool) -> f64 {
        if let Some(sample) = self.sample(search, alone) {
            return self.count_sample(counts, search, &sample, weight);
        }
        let summit = search.logarithm();
        let shares = Shares::of(search);
        self.count_shares(counts, search, &shares, weight);
        summit + shares.whole.ln()
    }

    /// The alignments that are counted one by one; nothing where the neighborhood of the summit is counted as a whole.
    fn sample(&self, search: &mut Search<'_>, alone: bool) -> Option<Sample> {
        let is_5 = matches!(self.order, Order::Vacancies(..));
        let least = if is_5 { NEAR } else { NEGLIGIBLE }.ln();
        match (alone, self.pegging) {
            (true, _) => Some(Sample::summit(search)),
            (false, true) => Some(Sample::pegged(search, least)),
            (false, false) => is_5.then(|| Sample::neighborhood(search, least)),
        }
    }

    /// Counts alignments by their probabilities, and leaves the search on the best; the logarithm of their sum.
    fn count_sample(&self, counts: &Counts, search: &mut Search<'_>, sample: &Sample, weight: f64) -> f64 {
        let (shares, log_likelihood) = self.shares(search, sample);
        sample.for_each(search, |search, n| self.count(counts, search, weight * shares[n]));
        let best = (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
        sample.go_to(best, search);
        log_likelihood
    }

    /// The share of each alignment in the sum of their probabilities, and the logarithm of that.
    fn shares(&self, search: &mut Search<'_>, sample: &Sample) -> (Vec<f64>, f64) {
        let logarithms = self.logarithms(search, sample);
        let highest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let whole: f64 = logarithms.iter().map(|logarithm| (logarithm - highest).exp()).sum();
        let shares = logarithms.iter().map(|logarithm| (logarithm - highest).exp() / whole).collect();
        (shares, highest + whole.ln())
    }

    /// ln P(f, a | e) of each alignment: in Model 5 that of Model 4 with another order.
    fn logarithms(&self, search: &mut Search<'_>, sample: &Sample) -> Vec<f64> {
        if let Order::Vacancies(classes, _, vacancies) = &self.order {
            let classes = classes.of_generated(&search.cells);
            let mut logarithms = Vec::new();
            sample.for_each(search, |search, _| {
                logarithms.push(search.logarithm_without_order() + vacancies.logarithm(search.words(), &classes));
            });
            return logarithms;
        }
        sample.go_to_summit(search);
        let summit = search.logarithm();
        sample.gains().map(|gain| summit + gain).collect()
    }

    /// Counts one alignment.
    fn count(&self, counts: &Counts, search: &Search<'_>, value: f64) {
        let (cells, words) = (&search.cells, search.words());
        for (j, &position) in search.path.iter().enumerate() {
            counts.translation.add(position as usize, cells.id(j, position as usize), value);
        }
        for (&condition, cept) in cells.conditions.iter().zip(&words[1..]) {
            counts.fertility.add(condition, cept.len(), value);
        }
        counts.null.add(cells.generated.len(), words[0].len(), value);
        self.count_order(counts, search, value);
    }

    /// Counts the order of one alignment.
    fn count_order(&self, counts: &Counts, search: &Search<'_>, value: f64) {
        let (cells, words) = (&search.cells, search.words());
        match (&self.order, &counts.order) {
            (Order::Absolute(absolute), OrderCounts::Absolute(counts)) => {
                if let Some(start) = absolute.start([cells.conditions.len(), cells.generated.len()]) {
                    for (j, &position) in search.path.iter().enumerate() {
                        counts.add(start + j * cells.states() + position as usize, value);
                    }
                }
            }
            (Order::Relative(classes, _), OrderCounts::Relative(counts)) => {
                Relative::count(counts, classes, cells, words, value);
            }
            (Order::Vacancies(classes, ..), OrderCounts::Vacancies(counts, [heads, others])) => {
                Relative::count(counts, classes, cells, words, value);
                let classes = classes.of_generated(cells);
                place(words, classes.len(), |placed| {
                    let counts = if placed.is_head { heads } else { others };
                    counts.add(classes[placed.word], placed.displacement, value);
                });
            }
            _ => unreachable!("counts are made for the order"),
        }
    }

    /// Counts a summit and its neighbors by their shares. O(I J + J²), and in Model 4 O(J) for each neighbor that matters.
    fn count_shares(&self, counts: &Counts, search: &mut Search<'_>, shares: &Shares, weight: f64) {
        let cells = &search.cells;
        let (states, words) = (cells.states(), cells.generated.len());
        let unit = weight / shares.whole;
        for j in 0..words {
            for position in 0..states {
                let share = shares.links[j * states + position];
                counts.translation.add(position, cells.id(j, position), unit * share);
            }
        }
        for (position, &[less, more]) in shares.fertilities.iter().enumerate() {
            let fertility = search.fertility(position);
            let same = shares.whole - less - more;
            for (fertility, share) in [(fertility.wrapping_sub(1), less), (fertility, same), (fertility + 1, more)] {
                if share <= 0.0 {
                    continue;
                }
                match position.checked_sub(1) {
                    None => counts.null.add(words, fertility, unit * share),
                    Some(i) if fertility <= MOST => counts.fertility.add(cells.conditions[i], fertility, unit * share),
                    Some(_) => {}
                }
            }
        }
        if let (Order::Absolute(absolute), OrderCounts::Absolute(counts)) = (&self.order, &counts.order) {
            if let Some(start) = absolute.start([states - 1, words]) {
                shares.links.iter().enumerate().for_each(|(n, share)| counts.add(start + n, unit * share));
            }
            return;
        }
        let mut rest = shares.whole;
        for step in search.neighbors((LEAST_SHARE * shares.whole).ln()) {
            let share = search.gain(step).exp();
            rest -= share;
            let back = search.take(step);
            self.count_order(counts, search, unit * share);
            search.take(back);
        }
        self.count_order(counts, search, unit * rest);
    }
}

/// The shares of a summit and its neighbors, the summit's being 1.
struct Shares {
    /// Of all.
    whole: f64,
    /// Of those that link a word to a position, in rows of positions.
    links: Vec<f64>,
    /// Of those in which a position has one word less, and one more.
    fertilities: Vec<[f64; 2]>,
}

/// The share of a neighbor by its gain. Below e^-40 it is less than any count is rounded to.
fn share(gain: f64) -> f64 {
    if gain < -40.0 { 0.0 } else { gain.exp() }
}

impl Shares {
    fn of(search: &Search<'_>) -> Self {
        let (states, words) = (search.cells.states(), search.path.len());
        let mut links = vec![0.0; words * states];
        let mut fertilities = vec![[0.0; 2]; states];
        let mut whole = 1.0;
        for (j, &own) in search.path.iter().enumerate() {
            for position in (0..states).filter(|&position| position != own as usize) {
                let share = share(search.gain(Step::Move(j, position)));
                whole += share;
                links[j * states + position] += share;
                fertilities[own as usize][0] += share;
                fertilities[position][1] += share;
            }
            for (k, &other) in search.path.iter().enumerate().skip(j + 1).filter(|&(_, &other)| other != own) {
                let share = share(search.gain(Step::Swap(j, k)));
                whole += share;
                links[j * states + other as usize] += share;
                links[k * states + own as usize] += share;
            }
        }
        for (row, &own) in links.chunks_exact_mut(states).zip(&search.path) {
            row[own as usize] = whole - row.iter().sum::<f64>();
        }
        Self { whole, links, fertilities }
    }
}
