//! Scores of all splits of a sentence.
//!
//! The score of a split is a sum: of what depends on begin, pivot and end; and of what depends on the node above too, and only
//! on the pivot or only on the span besides. Kept as such sums, a sentence of n words has n³/6 + O(n²) numbers for each label,
//! and not five times as many. The same table holds how often each split is expected.

/// Straight, then inverted.
pub(super) type Pair = [f64; 2];

/// Adds number by number.
#[inline(always)]
pub(super) fn add(to: &mut Pair, more: Pair) {
    to[0] += more[0];
    to[1] += more[1];
}

/// What made a span: nothing, a straight node (as its left part, as its right part), an inverted one.
pub(super) const CONTEXTS: usize = 5;

/// The context of a part of a node.
#[inline(always)]
pub(super) fn context_of(inverted: bool, right: bool) -> usize {
    1 + 2 * usize::from(inverted) + usize::from(right)
}

/// The label of the node that made a span: none, straight, inverted.
#[inline(always)]
pub(super) fn label_of(context: usize) -> usize {
    context.div_ceil(2)
}

/// A number for each label of each split.
#[derive(Debug, Clone, Default)]
pub(super) struct SplitScores {
    words: usize,
    /// Where the splits of each span begin.
    starts: Vec<u32>,
    splits: Vec<Pair>,
    pivots: Vec<Pair>,
    spans: Vec<Pair>,
}

impl SplitScores {
    /// All zero.
    pub(super) fn reset(&mut self, words: usize) {
        if self.words != words || self.starts.is_empty() {
            self.words = words;
            self.starts.clear();
            let mut start = 0;
            for begin in 0..=words {
                for end in 0..=words {
                    self.starts.push(start);
                    start += end.saturating_sub(begin + 1) as u32;
                }
            }
            self.splits.resize(start as usize, [0.0; 2]);
        }
        let side = words + 1;
        self.splits.fill([0.0; 2]);
        self.pivots.clear();
        self.pivots.resize(CONTEXTS * side, [0.0; 2]);
        self.spans.clear();
        self.spans.resize(CONTEXTS * side * side, [0.0; 2]);
    }

    /// The number of words.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.words
    }

    fn splits_at(&self, begin: usize, end: usize) -> std::ops::Range<usize> {
        let start = self.starts[begin * (self.words + 1) + end] as usize;
        start..start + (end - begin - 1)
    }

    /// Of the splits of a span, by pivot, the part that does not depend on the node above.
    #[inline(always)]
    pub(super) fn splits(&self, begin: usize, end: usize) -> &[Pair] {
        &self.splits[self.splits_at(begin, end)]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn splits_mut(&mut self, begin: usize, end: usize) -> &mut [Pair] {
        let range = self.splits_at(begin, end);
        &mut self.splits[range]
    }

    /// Where a split stands among all.
    #[inline(always)]
    pub(super) fn split(&self, begin: usize, pivot: usize, end: usize) -> usize {
        self.starts[begin * (self.words + 1) + end] as usize + pivot - begin - 1
    }

    /// All splits, to be changed, the part that does not depend on the node above.
    pub(super) fn all_splits_mut(&mut self) -> &mut [Pair] {
        &mut self.splits
    }

    /// Of the pivots inside of a span, the part that depends on them and the node above.
    #[inline(always)]
    pub(super) fn pivots(&self, context: usize, begin: usize, end: usize) -> &[Pair] {
        let row = context * (self.words + 1);
        &self.pivots[row + begin + 1..row + end]
    }

    /// The same of one pivot, to be changed.
    #[inline(always)]
    pub(super) fn pivot_mut(&mut self, context: usize, pivot: usize) -> &mut Pair {
        &mut self.pivots[context * (self.words + 1) + pivot]
    }

    /// The part that depends on the span and the node above.
    #[inline(always)]
    pub(super) fn span(&self, context: usize, begin: usize, end: usize) -> Pair {
        self.spans[(context * (self.words + 1) + begin) * (self.words + 1) + end]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn span_mut(&mut self, context: usize, begin: usize, end: usize) -> &mut Pair {
        &mut self.spans[(context * (self.words + 1) + begin) * (self.words + 1) + end]
    }

    /// The score of a split.
    #[inline(always)]
    pub(super) fn score(&self, context: usize, begin: usize, pivot: usize, end: usize) -> Pair {
        let split = self.splits(begin, end)[pivot - begin - 1];
        let above = self.pivots[context * (self.words + 1) + pivot];
        let span = self.span(context, begin, end);
        [split[0] + above[0] + span[0], split[1] + above[1] + span[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_split_has_its_place() {
        let mut scores = SplitScores::default();
        for words in [3, 7, 7, 2] {
            scores.reset(words);
            let mut next = 0.0;
            for begin in 0..words {
                for end in begin + 2..=words {
                    for split in scores.splits_mut(begin, end) {
                        *split = [next, -next];
                        next += 1.0;
                    }
                }
            }
            assert_eq!(next as usize, (words + 1) * words * (words - 1) / 6);
            *scores.pivot_mut(3, 1) = [0.25, 0.0];
            *scores.span_mut(3, 0, 2) = [0.5, 0.5];
            assert_eq!(scores.splits(0, 2), [[0.0, 0.0]]);
            let near = |one: Pair, other: Pair| one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-12);
            assert!(near(scores.score(3, 0, 1, 2), [0.75, 0.5]));
            assert!(near(scores.score(1, 0, 1, 2), [0.0, 0.0]));
        }
    }

    #[test]
    fn contexts_have_labels() {
        let labels: Vec<usize> = (0..CONTEXTS).map(label_of).collect();
        assert_eq!(labels, [0, 1, 1, 2, 2]);
        assert_eq!(context_of(true, false), 3);
    }
}
