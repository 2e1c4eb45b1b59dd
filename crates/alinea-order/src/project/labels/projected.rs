//! What becomes of labels.

use std::ops::Range;

/// A label in the target.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectedSpan {
    /// Which of the source labels it is, by number from 0.
    pub source: usize,
    /// Its words.
    pub words: Range<usize>,
    /// The mean over its words of how probable it is that they belong to it, from 0 to 1.
    pub confidence: f32,
}

/// Why a label was not projected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loss {
    /// None of its words has a link.
    Unlinked,
    /// Links are too improbable.
    Weak,
    /// The words that it is linked to belong to other labels.
    Taken,
    /// The confidence is below the least.
    Unconfident,
}

impl Loss {
    /// What to call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unlinked => "unlinked",
            Self::Weak => "weak",
            Self::Taken => "taken",
            Self::Unconfident => "unconfident",
        }
    }
}

/// What became of the labels of a sentence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProjectedLabels {
    /// Those in the target, in the order of their words.
    pub spans: Vec<ProjectedSpan>,
    /// Source labels that are not among them, and why.
    pub lost: Vec<(usize, Loss)>,
}

impl ProjectedLabels {
    /// The same without overlaps, for tags: of spans that share a word, the most confident one stays, and then the first.
    #[must_use]
    pub fn apart(self) -> Self {
        self.apart_unless(|_, _| false)
    }

    /// The same for formats that can say overlaps: only labels that may share words do, given the numbers of two source labels.
    ///
    /// ```
    /// use alinea::project::labels::{ProjectedLabels, ProjectedSpan};
    ///
    /// let span = |source, words, confidence| ProjectedSpan { source, words, confidence };
    /// let all = ProjectedLabels { spans: vec![span(0, 0..3, 0.6), span(1, 1..2, 0.9)], lost: Vec::new() };
    /// assert_eq!(all.clone().apart_unless(|_, _| true), all);
    /// assert_eq!(all.apart_unless(|_, _| false).spans, [span(1, 1..2, 0.9)]);
    /// ```
    #[must_use]
    pub fn apart_unless(mut self, may_share: impl Fn(usize, usize) -> bool) -> Self {
        let mut order: Vec<ProjectedSpan> = std::mem::take(&mut self.spans);
        order.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
        let mut taken = Vec::new();
        for span in order {
            let is_free = |kept: &ProjectedSpan| {
                let are_apart = kept.words.end <= span.words.start || span.words.end <= kept.words.start;
                are_apart || may_share(kept.source, span.source)
            };
            if self.spans.iter().all(is_free) {
                self.spans.push(span);
            } else {
                taken.push(span.source);
            }
        }
        taken.sort_unstable();
        taken.dedup();
        taken.retain(|&source| self.spans.iter().all(|span| span.source != source));
        self.lost.extend(taken.into_iter().map(|source| (source, Loss::Taken)));
        self.lost.sort_by_key(|&(source, _)| source);
        self.spans.sort_by_key(|span| (span.words.start, span.words.end, span.source));
        self
    }
}
