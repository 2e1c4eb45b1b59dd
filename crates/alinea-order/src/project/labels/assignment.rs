//! Which label takes which words.

use std::ops::Range;

use super::config::Method;
use super::elsewhere::{Elsewhere, odds};
use super::glosses;
use super::projected::{Loss, ProjectedLabels, ProjectedSpan};
use super::stretches::{heaviest, hull, linked};
use super::words::{Label, Sentence};

/// What the probability of a word must be above, on average, to be worth taking: with what is labeled elsewhere, and without.
const WORTH: [f64; 2] = [1.0 / 3.0, 0.5];

/// What the labels of a sentence take.
#[derive(Debug, Default)]
pub(super) struct Assignment {
    /// The label, its words, and the probabilities of these.
    pub(super) taken: Vec<Taken>,
    lost: Vec<(usize, Loss)>,
}

/// A stretch that a label takes.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) label: usize,
    pub(super) words: Range<usize>,
    confidence: f64,
}

/// A label without words yet: what each is worth to it, and its best stretch with the sum of that.
struct Looking {
    label: usize,
    worth: Vec<f64>,
    best: (f64, Range<usize>),
}

/// A sentence whose labels are being assigned.
pub(super) struct Assigning<'s> {
    pub(super) sentence: &'s Sentence,
    /// The odds of each word to be labeled elsewhere; nothing if that is not asked.
    elsewhere: Option<Vec<f64>>,
    pub(super) found: Assignment,
}

impl Sentence {
    /// Assigns words to the labels; given is the text with the number of the sentence in it, if what is labeled elsewhere counts.
    pub(super) fn assign(&self, method: Method, elsewhere: Option<(&Elsewhere, usize)>) -> Assignment {
        if self.labels.is_empty() {
            return Assignment::default();
        }
        let elsewhere = elsewhere.map(|(text, number)| text.odds(self, number));
        let mut assigning = Assigning { sentence: self, elsewhere, found: Assignment::default() };
        if method.is_joint() {
            assigning.compete();
        } else {
            assigning.take_links(method);
        }
        assigning.found
    }
}

impl Assigning<'_> {
    /// The probability of a word to be in a label that it has a link into with this probability.
    fn probability(&self, word: usize, inside: f64) -> f64 {
        let odds = odds(inside) * self.elsewhere.as_ref().map_or(1.0, |elsewhere| elsewhere[word]);
        odds / (1.0 + odds)
    }

    /// What taking a word is worth, if it has a link into the label with this probability.
    pub(super) fn worth(&self, word: usize, inside: f64) -> f64 {
        self.probability(word, inside) - WORTH[usize::from(self.elsewhere.is_none())]
    }

    /// Whether a word is taken by a label that may not share it with this one.
    pub(super) fn is_taken(&self, label: usize, word: usize) -> bool {
        let mut others = self.found.taken.iter().filter(|taken| taken.words.contains(&word));
        others.any(|other| !self.sentence.may_overlap(label, other.label))
    }

    pub(super) fn take(&mut self, label: usize, words: Range<usize>) {
        let inside = &self.sentence.labels[label].inside;
        let sum: f64 = words.clone().map(|word| self.probability(word, inside[word])).sum();
        self.found.taken.push(Taken { label, confidence: sum / words.len() as f64, words });
    }

    /// The label that gains most takes its stretch, then the next one that still gains.
    fn compete(&mut self) {
        let (sentence, bounds) = (self.sentence, self.elsewhere.is_some());
        let is_bound = |label: usize, word: usize| {
            bounds && !sentence.labels[label].has_bracket && sentence.words[word].bracket.is_some()
        };
        let mut left: Vec<Looking> = Vec::with_capacity(sentence.labels.len());
        for (label, Label { inside, .. }) in sentence.labels.iter().enumerate() {
            let worth: Vec<f64> = inside.iter().enumerate().map(|(word, &inside)| self.worth(word, inside)).collect();
            match heaviest(&worth, |word| is_bound(label, word)) {
                Some(best) => left.push(Looking { label, worth, best }),
                None => self.found.lost.push((label, sentence.labels[label].loss())),
            }
        }
        while !left.is_empty() {
            let gains = left.iter().map(|looking| looking.best.0);
            let most = gains.enumerate().fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most }).0;
            let Looking { label, best: (_, words), .. } = left.remove(most);
            self.take(label, words);
            for mut looking in std::mem::take(&mut left) {
                let label = looking.label;
                let is_barred = |word: usize| is_bound(label, word) || self.is_taken(label, word);
                if looking.best.1.clone().any(is_barred) {
                    let Some(best) = heaviest(&looking.worth, is_barred) else {
                        self.found.lost.push((label, Loss::Taken));
                        continue;
                    };
                    looking.best = best;
                }
                left.push(looking);
            }
        }
        if bounds {
            glosses::take(self);
        }
    }

    /// Each label takes the words that are linked to it, whatever others do.
    fn take_links(&mut self, method: Method) {
        for (number, label) in self.sentence.labels.iter().enumerate() {
            let stretches: Vec<Range<usize>> = match method {
                Method::Hull => hull(&label.linked).into_iter().collect(),
                Method::Longest => {
                    let longest = |longest: Option<Range<usize>>, next: Range<usize>| match longest {
                        Some(longest) if longest.len() >= next.len() => Some(longest),
                        _ => Some(next),
                    };
                    linked(&label.linked, 1).into_iter().fold(None, longest).into_iter().collect()
                }
                _ => linked(&label.linked, 0),
            };
            if stretches.is_empty() {
                self.found.lost.push((number, label.loss()));
            }
            for words in stretches {
                self.take(number, words);
            }
        }
    }
}

impl Assignment {
    /// Which words are in a label, 1 or 0 each.
    pub(super) fn labeled(&self, words: usize) -> Vec<f64> {
        let mut labeled = vec![0.0; words];
        for taken in &self.taken {
            labeled[taken.words.clone()].fill(1.0);
        }
        labeled
    }

    /// In the order of words, without what is not confident enough.
    pub(super) fn finish(self, min_confidence: f32) -> ProjectedLabels {
        let Self { taken, mut lost } = self;
        let (mut spans, mut faint) = (Vec::new(), Vec::new());
        for Taken { label, words, confidence } in taken {
            let confidence = confidence as f32;
            if confidence >= min_confidence {
                spans.push(ProjectedSpan { source: label, words, confidence });
            } else {
                faint.push(label);
            }
        }
        faint.retain(|&label| spans.iter().all(|span| span.source != label));
        faint.dedup();
        lost.extend(faint.into_iter().map(|label| (label, Loss::Unconfident)));
        spans.sort_by_key(|span| (span.words.start, span.words.end, span.source));
        lost.sort_by_key(|&(label, _)| label);
        ProjectedLabels { spans, lost }
    }
}
