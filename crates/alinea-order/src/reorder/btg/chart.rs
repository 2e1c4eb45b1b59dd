//! All derivations of a sentence at once.
//!
//! The score of a derivation is a sum over its splits, and a split knows no more of the rest than what made its span. So the
//! sum of `exp(score)` over all derivations, and the one with the highest score, come from a chart (Baker 1979): with a
//! span, `c` what made it, `s(c, split)` the score,
//!
//! ```text
//! Z(c, span) = Σ over splits, labels l of exp(s(c, split, l)) · Z((l, left), left part) · Z((l, right), right part)
//! ```
//!
//! and the probabilities of splits follow from the top down. Time and memory O(words³). The sums are kept as logarithms, a span
//! at a time; inside of a span, relative to its greatest term.

use super::scores::{CONTEXTS, Pair, SplitScores, context_of};

/// Logarithms of sums, probabilities. Used again for sentence after sentence.
#[derive(Debug, Default)]
pub(super) struct Chart {
    words: usize,
    /// By context, begin and end: the logarithm of Z.
    inside: Vec<f64>,
    /// What a split and its parts give, relative to the greatest of its span; the part without the node above.
    terms: SplitScores,
    /// By context and pivot: the exponential of what depends on those.
    above: Vec<Pair>,
    /// By context, begin and end: the exponential of what depends on those, over the sum of the span.
    norms: Vec<Pair>,
    /// By context, begin and end: how probable the span is.
    nodes: Vec<f64>,
}

impl Chart {
    fn at(&self, context: usize, begin: usize, end: usize) -> usize {
        let side = self.words + 1;
        (context * side + begin) * side + end
    }

    /// Fills the chart; the logarithm of the sum over all derivations. `penalty` is what the labels of a split cost besides.
    pub(super) fn fill(&mut self, scores: &SplitScores, penalty: impl Fn([usize; 3]) -> Pair) -> f64 {
        let words = scores.words();
        let side = words + 1;
        self.words = words;
        self.terms.reset(words);
        for table in [&mut self.inside, &mut self.nodes] {
            table.clear();
            table.resize(CONTEXTS * side * side, 0.0);
        }
        self.norms.clear();
        self.norms.resize(CONTEXTS * side * side, [0.0; 2]);
        self.above.clear();
        for context in 0..CONTEXTS {
            self.above.push([1.0; 2]);
            self.above.extend(scores.pivots(context, 0, words).iter().map(|score| score.map(f64::exp)));
            self.above.push([1.0; 2]);
        }
        for length in 2..=words {
            for begin in 0..=words - length {
                self.fill_span(scores, begin, begin + length, &penalty);
            }
        }
        self.inside[self.at(0, 0, words)]
    }

    fn fill_span(&mut self, scores: &SplitScores, begin: usize, end: usize, penalty: &impl Fn([usize; 3]) -> Pair) {
        let side = self.words + 1;
        let row = |inverted, right| context_of(inverted, right) * side * side;
        let mut greatest = f64::NEG_INFINITY;
        let terms = self.terms.splits_mut(begin, end);
        for ((pivot, term), split) in (begin + 1..end).zip(&mut *terms).zip(scores.splits(begin, end)) {
            let penalty = penalty([begin, pivot, end]);
            for (label, inverted) in [(0, false), (1, true)] {
                let left = self.inside[row(inverted, false) + begin * side + pivot];
                let right = self.inside[row(inverted, true) + pivot * side + end];
                term[label] = split[label] - penalty[label] + left + right;
                greatest = greatest.max(term[label]);
            }
        }
        for term in &mut *terms {
            *term = term.map(|value| (value - greatest).exp());
        }
        let contexts = if end - begin == self.words { 0..1 } else { 1..CONTEXTS };
        for context in contexts {
            let above = &self.above[context * side + begin + 1..context * side + end];
            let mut sums = [0.0; 2];
            for (term, above) in terms.iter().zip(above) {
                sums[0] += term[0] * above[0];
                sums[1] += term[1] * above[1];
            }
            let span = scores.span(context, begin, end).map(f64::exp);
            let sum = span[0] * sums[0] + span[1] * sums[1];
            let at = (context * side + begin) * side + end;
            self.inside[at] = greatest + sum.ln();
            self.norms[at] = span.map(|value| value / sum);
        }
    }

    /// Visits splits from the top down with their probabilities: what made the span, where it is, and by label.
    pub(super) fn probabilities(&mut self, mut visit: impl FnMut(usize, [usize; 3], Pair)) {
        let words = self.words;
        let root = self.at(0, 0, words);
        self.nodes[root] = 1.0;
        for length in (2..=words).rev() {
            for begin in 0..=words - length {
                let end = begin + length;
                let contexts = if length == words { 0..1 } else { 1..CONTEXTS };
                for context in contexts {
                    let node = self.nodes[self.at(context, begin, end)];
                    if node < LEAST {
                        continue;
                    }
                    for pivot in begin + 1..end {
                        let given = self.given(context, [begin, pivot, end]);
                        let split = given.map(|probability| probability * node);
                        if split[0] + split[1] < LEAST {
                            continue;
                        }
                        for (probability, inverted) in [(split[0], false), (split[1], true)] {
                            let left = self.at(context_of(inverted, false), begin, pivot);
                            let right = self.at(context_of(inverted, true), pivot, end);
                            self.nodes[left] += probability;
                            self.nodes[right] += probability;
                        }
                        visit(context, [begin, pivot, end], split);
                    }
                }
            }
        }
    }

    /// How probable a split is, by label, if there is its span and what made it is known.
    #[inline(always)]
    pub(super) fn given(&self, context: usize, [begin, pivot, end]: [usize; 3]) -> Pair {
        let side = self.words + 1;
        let term = self.terms.splits(begin, end)[pivot - begin - 1];
        let above = self.above[context * side + pivot];
        let norm = self.norms[(context * side + begin) * side + end];
        [term[0] * above[0] * norm[0], term[1] * above[1] * norm[1]]
    }

    /// How probable a span is that was made so.
    #[inline(always)]
    pub(super) fn node(&self, context: usize, begin: usize, end: usize) -> f64 {
        self.nodes[self.at(context, begin, end)]
    }
}

/// What is less probable is passed over.
const LEAST: f64 = 1e-9;

/// The derivation with the highest score: its splits, each with its label, from the top down, right parts first.
pub(super) fn best_derivation(scores: &SplitScores) -> Vec<(usize, bool)> {
    let words = scores.words();
    let side = words + 1;
    let at = |context: usize, begin: usize, end: usize| (context * side + begin) * side + end;
    let mut best = vec![0.0; CONTEXTS * side * side];
    let mut choice = vec![(0, false); CONTEXTS * side * side];
    for length in 2..=words {
        for begin in 0..=words - length {
            let end = begin + length;
            let contexts = if length == words { 0..1 } else { 1..CONTEXTS };
            for context in contexts {
                let mut found = (f64::NEG_INFINITY, (0, false));
                for pivot in begin + 1..end {
                    let score = scores.score(context, begin, pivot, end);
                    for (label, inverted) in [(0, false), (1, true)] {
                        let left = best[at(context_of(inverted, false), begin, pivot)];
                        let right = best[at(context_of(inverted, true), pivot, end)];
                        let total = score[label] + left + right;
                        if total > found.0 {
                            found = (total, (pivot, inverted));
                        }
                    }
                }
                (best[at(context, begin, end)], choice[at(context, begin, end)]) = found;
            }
        }
    }
    let mut actions = Vec::with_capacity(words.saturating_sub(1));
    let mut spans = vec![(0, words, 0)];
    while let Some((begin, end, context)) = spans.pop() {
        if end - begin < 2 {
            continue;
        }
        let (pivot, inverted) = choice[at(context, begin, end)];
        actions.push((pivot, inverted));
        spans.push((begin, pivot, context_of(inverted, false)));
        spans.push((pivot, end, context_of(inverted, true)));
    }
    actions
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::derivation::order_of;
    use super::*;
    use crate::numeric::Generator;

    pub(in super::super) fn random(words: usize, seed: u64) -> SplitScores {
        let mut generator = Generator::new(seed, 0);
        let mut number = || 4.0 * generator.unit() - 2.0;
        let mut scores = SplitScores::default();
        scores.reset(words);
        for begin in 0..words {
            for end in begin + 2..=words {
                scores.splits_mut(begin, end).fill_with(|| [number(), number()]);
                (0..CONTEXTS).for_each(|context| *scores.span_mut(context, begin, end) = [number(), number()]);
            }
        }
        for context in 0..CONTEXTS {
            (1..words).for_each(|pivot| *scores.pivot_mut(context, pivot) = [number(), number()]);
        }
        scores
    }

    /// What made a span, its split, and its label.
    type Labelled = (usize, [usize; 3], usize);

    /// All derivations of a span: their scores, and their splits with labels.
    pub(in super::super) fn all_derivations(
        scores: &SplitScores,
        context: usize,
        begin: usize,
        end: usize,
    ) -> Vec<(f64, Vec<Labelled>)> {
        if end - begin < 2 {
            return vec![(0.0, vec![])];
        }
        let mut found = Vec::new();
        for pivot in begin + 1..end {
            for (label, inverted) in [(0, false), (1, true)] {
                let score = scores.score(context, begin, pivot, end)[label];
                for (left, before) in all_derivations(scores, context_of(inverted, false), begin, pivot) {
                    for (right, behind) in all_derivations(scores, context_of(inverted, true), pivot, end) {
                        let own = vec![(context, [begin, pivot, end], label)];
                        found.push((score + left + right, [own, behind.clone(), before.clone()].concat()));
                    }
                }
            }
        }
        found
    }

    #[test]
    fn sums_and_probabilities_are_those_of_all_derivations() {
        for words in 1..6 {
            let scores = random(words, words as u64);
            let all = all_derivations(&scores, 0, 0, words);
            let mut chart = Chart::default();
            let sum = chart.fill(&scores, |_| [0.0; 2]);
            let expected: f64 = all.iter().map(|(score, _)| score.exp()).sum();
            assert!((sum - expected.ln()).abs() < 1e-12, "{sum} {expected}");
            let mut seen = 0.0;
            chart.probabilities(|context, at, pair| {
                for (label, probability) in pair.into_iter().enumerate() {
                    let uses = |splits: &[Labelled]| splits.contains(&(context, at, label));
                    let mass: f64 = all.iter().filter(|(_, splits)| uses(splits)).map(|(score, _)| score.exp()).sum();
                    assert!((probability - mass / expected).abs() < 1e-12);
                    seen += probability;
                }
            });
            assert!((seen - (words - 1) as f64).abs() < 1e-6);
        }
    }

    #[test]
    fn the_best_derivation_is_the_best_of_all() {
        for (words, seed) in (1..7).zip(40..) {
            let scores = random(words, seed);
            let all = all_derivations(&scores, 0, 0, words);
            let best = all.iter().max_by(|one, other| one.0.total_cmp(&other.0)).unwrap();
            let expected: Vec<(usize, bool)> =
                best.1.iter().map(|&(_, [_, pivot, _], label)| (pivot, label == 1)).collect();
            let found = best_derivation(&scores);
            assert_eq!(found, expected);
            assert_eq!(order_of(words, &found).len(), words);
        }
    }

    #[test]
    fn penalties_count() {
        let scores = random(4, 9);
        let mut chart = Chart::default();
        let inverted_costs = chart.fill(&scores, |_| [0.0, 1e4]);
        let straight: f64 = all_derivations(&scores, 0, 0, 4)
            .iter()
            .filter(|(_, splits)| splits.iter().all(|split| split.2 == 0))
            .map(|(score, _)| score.exp())
            .sum();
        assert!((inverted_costs - straight.ln()).abs() < 1e-9);
    }
}
