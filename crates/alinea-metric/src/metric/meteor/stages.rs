//! The stages of METEOR's matching: each pairs words of both sentences, one to one, that those before it have left.
//!
//! Words are compared as numbers of forms. `match_equal` pairs the last occurrence of a form with the last on the other
//! side, then those before them, and so on: both sides are sorted by form and place and walked together, in O(n log n).
//! `replace_unmatched` gives the words that are left other forms, such as stems, so that the next stage is the same
//! again. `match_synonyms` goes through the hypothesis from its end and gives each word the last free reference word
//! that is in a set with it. This order of matching is that of NLTK 3.10.
//!
//! `matches_and_chunks` counts chunks, the longest runs of pairs that are neighbors, in the same order, on both sides.

/// A word of a sentence: the form by which it is compared, and its place.
type Word = (u32, u32);

/// Words of both sentences, and pairs of places that are matched.
#[derive(Debug, Default)]
pub(super) struct Stages {
    reference: Vec<Word>,
    hypothesis: Vec<Word>,
    /// Places in the hypothesis and in the reference.
    pairs: Vec<(u32, u32)>,
}

impl Stages {
    /// Nothing is matched.
    pub(super) fn begin(&mut self, reference: &[u32], hypothesis: &[u32]) {
        for (words, forms) in [(&mut self.reference, reference), (&mut self.hypothesis, hypothesis)] {
            words.clear();
            words.extend(forms.iter().copied().zip(0..));
        }
        self.pairs.clear();
    }

    /// Matches words of equal forms, the last ones of a form with each other, then those before them, and so on.
    /// O(n log n).
    pub(super) fn match_equal(&mut self) {
        self.reference.sort_unstable();
        self.hypothesis.sort_unstable();
        let mut references = self.reference.len();
        let mut left = Vec::new();
        let mut kept = Vec::new();
        for &(form, place) in self.hypothesis.iter().rev() {
            while references > 0 && self.reference[references - 1].0 > form {
                references -= 1;
                kept.push(self.reference[references]);
            }
            if references > 0 && self.reference[references - 1].0 == form {
                references -= 1;
                self.pairs.push((place, self.reference[references].1));
            } else {
                left.push((form, place));
            }
        }
        kept.extend_from_slice(&self.reference[..references]);
        (self.reference, self.hypothesis) = (kept, left);
    }

    /// Gives the words that are left other forms, and returns those they had, by place: of the reference, and of the
    /// hypothesis.
    pub(super) fn replace_unmatched(&mut self, mut other: impl FnMut(u32) -> u32) -> [Vec<Word>; 2] {
        [&mut self.reference, &mut self.hypothesis].map(|words| {
            words.sort_unstable_by_key(|&(_, place)| place);
            let before = words.clone();
            for (form, _) in words.iter_mut() {
                *form = other(*form);
            }
            before
        })
    }

    /// Gives the words that are left the forms that they had.
    pub(super) fn restore(&mut self, [reference, hypothesis]: [Vec<Word>; 2]) {
        for (words, before) in [(&mut self.reference, reference), (&mut self.hypothesis, hypothesis)] {
            for (form, place) in words {
                let known = before.binary_search_by_key(place, |&(_, place)| place).expect("it was there before");
                *form = before[known].0;
            }
        }
    }

    /// Matches words whose forms have a set in common, from the last word of the hypothesis on: each with the last word of
    /// the reference that it can have.
    pub(super) fn match_synonyms<'s>(&mut self, mut sets_of: impl FnMut(u32) -> &'s [u32]) {
        let mut by_set = Vec::new();
        for &(form, place) in &self.reference {
            by_set.extend(sets_of(form).iter().map(|&set| (set, place)));
        }
        by_set.sort_unstable();
        self.hypothesis.sort_unstable_by_key(|&(_, place)| place);
        let mut taken = Vec::new();
        for &(form, place) in self.hypothesis.iter().rev() {
            let last_of = |&set: &u32| {
                let end = by_set.partition_point(|&(other, _)| other <= set);
                let start = by_set.partition_point(|&(other, _)| other < set);
                by_set[start..end].iter().rev().map(|&(_, place)| place).find(|place| !taken.contains(place))
            };
            if let Some(last) = sets_of(form).iter().filter_map(last_of).max() {
                taken.push(last);
                self.pairs.push((place, last));
            }
        }
    }

    /// Matched places in the hypothesis and in the reference.
    pub(super) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Words that are left, of the reference and of the hypothesis, in the order of their places.
    pub(super) fn left(&mut self) -> [&[Word]; 2] {
        [&mut self.reference, &mut self.hypothesis].map(|words| {
            words.sort_unstable_by_key(|&(_, place)| place);
            &**words
        })
    }

    /// The number of pairs, and of chunks: longest sequences of pairs whose words are neighbors on both sides.
    pub(super) fn matches_and_chunks(&mut self) -> (usize, usize) {
        self.pairs.sort_unstable();
        let neighbors = self.pairs.windows(2).filter(|pair| (pair[0].0 + 1, pair[0].1 + 1) == pair[1]).count();
        (self.pairs.len(), self.pairs.len() - neighbors)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Words share a set with those that leave the same remainder by 2 or by 3.
    const SETS: [[u32; 2]; 6] = [[0, 10], [1, 11], [0, 12], [1, 10], [0, 11], [1, 12]];

    /// As NLTK says it: from the last word of the hypothesis on, with the last word that is left.
    fn by_definition(reference: &[u32], hypothesis: &[u32], equal: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
        let mut left = vec![true; reference.len()];
        let mut pairs = Vec::new();
        for (place, &word) in hypothesis.iter().enumerate().rev() {
            let last = (0..reference.len()).rev().find(|&other| left[other] && equal(reference[other], word));
            if let Some(last) = last {
                left[last] = false;
                pairs.push((place as u32, last as u32));
            }
        }
        pairs.sort_unstable();
        pairs
    }

    proptest! {
        #[test]
        fn words_are_matched_from_the_end(
            reference in prop::collection::vec(0u32..6, 0..12),
            hypothesis in prop::collection::vec(0u32..6, 0..12),
        ) {
            let mut stages = Stages::default();
            stages.begin(&reference, &hypothesis);
            stages.match_equal();
            stages.matches_and_chunks();
            prop_assert_eq!(&stages.pairs, &by_definition(&reference, &hypothesis, |one, other| one == other));

            let share = |one: u32, other: u32| one % 2 == other % 2 || one % 3 == other % 3;
            stages.begin(&reference, &hypothesis);
            stages.match_synonyms(|form| &SETS[form as usize]);
            stages.matches_and_chunks();
            prop_assert_eq!(&stages.pairs, &by_definition(&reference, &hypothesis, share));
        }
    }
}
