//! Scores of splits, computed when a search asks for them.
//!
//! A beam sees a small part of the spans of a sentence, most of them below one kind of node only. And where all features of a
//! split are known or none is, as passive-aggressive learning leaves it, a conjunction need not be looked up where a part of it is
//! not known: two words at the pivot and a first word of the span that were never seen together spare all ends of the span.

use std::ops::Range;

use super::scores::{CONTEXTS, Pair, SplitScores, add};
use super::split_features::SplitFeatures;
use super::template::depends::{self, ALL, BEGIN_END, BEGIN_PIVOT, OF_SPAN, PIVOT_END};
use super::template::{Context, Template};
use crate::reorder::feature_table::FeatureTable;

/// What gives scores to a search.
pub(super) trait SpanScores {
    /// The number of words.
    fn words(&self) -> usize;

    /// Scores among which those of a span below a node are.
    fn of_span(&mut self, context: usize, begin: usize, end: usize) -> &SplitScores;
}

impl SpanScores for SplitScores {
    fn words(&self) -> usize {
        self.words()
    }

    fn of_span(&mut self, _: usize, _: usize, _: usize) -> &SplitScores {
        self
    }
}

/// In which order templates are looked up.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// By what they depend on, those with fewer items first.
    steps: Vec<Vec<Step>>,
    /// The numbers of those that are taken apart by the node above, by what else they depend on.
    of_context: Vec<Vec<usize>>,
}

/// A template by its number, and its largest parts: their numbers, and what they depend on.
#[derive(Debug, Clone)]
struct Step {
    template: usize,
    parts: Vec<(usize, u8)>,
}

impl Plan {
    /// Of these templates; `closed` if no feature of a split is known without all others.
    pub(super) fn new(templates: &[Template], closed: bool) -> Self {
        let groups = usize::from(ALL) + 1;
        let mut plan = Self { steps: vec![Vec::new(); groups], of_context: vec![Vec::new(); groups] };
        let mut numbers: Vec<usize> = (0..templates.len()).collect();
        numbers.sort_by_key(|&number| templates[number].items.len());
        for template in numbers {
            let Template { depends, context, .. } = templates[template];
            let group = usize::from(depends);
            if context == Context::None {
                let parts = if closed { largest_parts(templates, template) } else { Vec::new() };
                plan.steps[group].push(Step { template, parts });
            } else {
                plan.of_context[group].push(template);
            }
        }
        plan
    }
}

fn largest_parts(templates: &[Template], whole: usize) -> Vec<(usize, u8)> {
    let is_part = |part: &Template, whole: &Template| {
        let smaller = (1..whole.items.len()).contains(&part.items.len()) && part.context == Context::None;
        // What is known split by split is not kept.
        smaller && part.depends != ALL && part.items.iter().all(|item| whole.items.contains(item))
    };
    let parts: Vec<usize> = (0..templates.len()).filter(|&part| is_part(&templates[part], &templates[whole])).collect();
    let is_largest = |&&part: &&usize| !parts.iter().any(|&other| is_part(&templates[part], &templates[other]));
    parts.iter().filter(is_largest).map(|&part| (part, templates[part].depends)).collect()
}

/// Buffers: what is known of a sentence so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    side: usize,
    /// By template, and by those of begin, pivot and end on which it depends: whether the feature is known.
    known: Vec<bool>,
    /// Sums by begin, by pivot and by end.
    places: [Vec<Pair>; 3],
    begin_pivot: Vec<Pair>,
    pivot_end: Vec<Pair>,
    /// For each begin the first pivot that is not done yet.
    next_pivot: Vec<usize>,
    /// For each end the first pivot that is done.
    first_pivot: Vec<usize>,
    /// For each span a bit for each context, and [`SPLITS`].
    spans: Vec<u8>,
    /// What templates of one group add up to, pivot by pivot.
    sums: Vec<Pair>,
    /// Pivots, and the features of one template that may be known there.
    asked: Vec<(usize, u64)>,
    scores: SplitScores,
}

/// The bit that says that the splits of a span have scores.
const SPLITS: u8 = 1 << CONTEXTS;

impl Found {
    fn reset(&mut self, words: usize, templates: usize) {
        let side = words + 1;
        let clear = |sums: &mut Vec<Pair>, length: usize| {
            sums.clear();
            sums.resize(length, [0.0; 2]);
        };
        self.side = side;
        self.known.clear();
        self.known.resize(templates * side * side, false);
        self.places.iter_mut().for_each(|sums| clear(sums, side));
        clear(&mut self.begin_pivot, side * side);
        clear(&mut self.pivot_end, side * side);
        self.next_pivot.clear();
        self.next_pivot.extend(1..=side);
        self.first_pivot.clear();
        self.first_pivot.extend(0..side);
        self.spans.clear();
        self.spans.resize(side * side, 0);
        self.scores.reset(words);
    }

    /// Where it stands whether a feature is known.
    #[inline(always)]
    fn flag(&self, template: usize, on: u8, at: [usize; 3]) -> usize {
        let [begin, pivot, end] = at;
        let place = match on {
            0 => 0,
            depends::BEGIN => begin,
            depends::PIVOT => pivot,
            depends::END => end,
            BEGIN_PIVOT => begin * self.side + pivot,
            PIVOT_END => pivot * self.side + end,
            _ => begin * self.side + end,
        };
        template * self.side * self.side + place
    }
}

/// Scores of a sentence by the weights of the features that are known.
pub(super) struct OnDemand<'a, V> {
    plan: &'a Plan,
    features: &'a SplitFeatures<'a>,
    weights: &'a FeatureTable<V>,
    found: &'a mut Found,
    constant: Pair,
}

impl<'a, V: Copy + Default + Into<Pair>> OnDemand<'a, V> {
    /// Nothing is computed yet but what depends on single places.
    pub(super) fn new(
        plan: &'a Plan,
        features: &'a SplitFeatures<'a>,
        weights: &'a FeatureTable<V>,
        found: &'a mut Found,
    ) -> Self {
        let words = features.words();
        found.reset(words, features.templates().len());
        let mut scores = Self { plan, features, weights, found, constant: [0.0; 2] };
        scores.constant = scores.sum(0, 0, 0);
        for place in 0..words {
            scores.found.places[0][place] = scores.sum(depends::BEGIN, place, 0);
            scores.found.places[2][place + 1] = scores.sum(depends::END, 0, place + 1);
        }
        scores.sum_pivots(depends::PIVOT, 0, 1..words, 0);
        for pivot in 1..words {
            scores.found.places[1][pivot] = scores.found.sums[pivot - 1];
            for context in 0..CONTEXTS {
                let sum = scores.sum_below(context, depends::PIVOT, [0, pivot, 0]);
                *scores.found.scores.pivot_mut(context, pivot) = sum;
            }
        }
        scores
    }

    /// The weights of the templates of a group that look neither at the pivot nor at the node above.
    fn sum(&mut self, group: u8, begin: usize, end: usize) -> Pair {
        self.sum_pivots(group, begin, 0..1, end);
        self.found.sums[0]
    }

    /// Leaves in `sums`, pivot by pivot, the weights of the templates of a group that do not look at the node above.
    fn sum_pivots(&mut self, group: u8, begin: usize, pivots: Range<usize>, end: usize) {
        self.found.sums.clear();
        self.found.sums.resize(pivots.len(), [0.0; 2]);
        let mut asked = std::mem::take(&mut self.found.asked);
        for step in &self.plan.steps[usize::from(group)] {
            self.ask(step, begin, pivots.clone(), end, &mut asked);
            // With nothing between them the processor fetches many at once.
            for &(pivot, key) in &asked {
                let Some(weights) = self.weights.known(key) else { continue };
                add(&mut self.found.sums[pivot - pivots.start], weights.into());
                if group != ALL {
                    let flag = self.found.flag(step.template, group, [begin, pivot, end]);
                    self.found.known[flag] = true;
                }
            }
        }
        self.found.asked = asked;
    }

    /// The pivots where a feature of a template may be known, and its key.
    #[inline(always)]
    fn ask(&self, step: &Step, begin: usize, pivots: Range<usize>, end: usize, asked: &mut Vec<(usize, u64)>) {
        asked.clear();
        let Some(prefix) = self.features.prefix(step.template, begin) else { return };
        for pivot in pivots {
            let at = [begin, pivot, end];
            if step.parts.iter().all(|&(part, on)| self.found.known[self.found.flag(part, on, at)]) {
                let key = self.features.key_of(prefix, at).filter(|&key| self.weights.may_know(key));
                asked.extend(key.map(|key| (pivot, key)));
            }
        }
    }

    /// The weights of those that look at the node above.
    fn sum_below(&self, context: usize, group: u8, at: [usize; 3]) -> Pair {
        let mut sum = [0.0; 2];
        for &template in &self.plan.of_context[usize::from(group)] {
            let key = self.features.key(template, context, at).filter(|&key| self.weights.may_know(key));
            if let Some(weights) = key.and_then(|key| self.weights.known(key)) {
                add(&mut sum, weights.into());
            }
        }
        sum
    }

    fn fill_splits(&mut self, begin: usize, end: usize) {
        let side = self.found.side;
        let pivots = self.found.next_pivot[begin]..end;
        if !pivots.is_empty() {
            self.sum_pivots(BEGIN_PIVOT, begin, pivots.clone(), 0);
            let row = begin * side;
            self.found.begin_pivot[row + pivots.start..row + end].copy_from_slice(&self.found.sums);
            self.found.next_pivot[begin] = end;
        }
        let pivots = begin + 1..self.found.first_pivot[end];
        if !pivots.is_empty() {
            self.sum_pivots(PIVOT_END, 0, pivots.clone(), end);
            let row = end * side;
            self.found.pivot_end[row + pivots.start..row + pivots.end].copy_from_slice(&self.found.sums);
            self.found.first_pivot[end] = pivots.start;
        }
        let mut whole = self.sum(BEGIN_END, begin, end);
        for more in [self.constant, self.found.places[0][begin], self.found.places[2][end]] {
            add(&mut whole, more);
        }
        self.sum_pivots(ALL, begin, begin + 1..end, end);
        for pivot in begin + 1..end {
            let mut split = self.found.sums[pivot - begin - 1];
            let Found { places, begin_pivot, pivot_end, .. } = &*self.found;
            for more in [whole, places[1][pivot], begin_pivot[begin * side + pivot], pivot_end[end * side + pivot]] {
                add(&mut split, more);
            }
            self.found.scores.splits_mut(begin, end)[pivot - begin - 1] = split;
        }
    }
}

impl<V: Copy + Default + Into<Pair>> SpanScores for OnDemand<'_, V> {
    fn words(&self) -> usize {
        self.features.words()
    }

    fn of_span(&mut self, context: usize, begin: usize, end: usize) -> &SplitScores {
        let span = begin * self.found.side + end;
        if self.found.spans[span] & SPLITS == 0 {
            self.fill_splits(begin, end);
        }
        if self.found.spans[span] & 1 << context == 0 {
            let mut sum = [0.0; 2];
            for group in OF_SPAN {
                add(&mut sum, self.sum_below(context, group, [begin, 0, end]));
            }
            *self.found.scores.span_mut(context, begin, end) = sum;
        }
        self.found.spans[span] |= SPLITS | 1 << context;
        &self.found.scores
    }
}
