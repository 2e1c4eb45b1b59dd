//! The words of some pairs of a text, as a decision sees them.

use crate::bitext::{Bitext, SentencePair, WordId};
use crate::decision::Word;

/// The words of both sides of some pairs, one after another.
#[derive(Debug)]
pub(super) struct PairWords {
    words: [Vec<Word>; 2],
    /// Where the words of each of these pairs end.
    ends: [Vec<usize>; 2],
}

impl PairWords {
    /// The words of the pairs of a text that have these numbers. `ranked` has the same pairs with a number for each
    /// word that says how many words of the language are more frequent. Linear in the words.
    pub(super) fn of<'t>(numbers: &[usize], text: &Bitext, ranked: impl Fn(usize) -> SentencePair<'t>) -> Self {
        let mut words = [Vec::new(), Vec::new()];
        let mut ends = [Vec::with_capacity(numbers.len()), Vec::with_capacity(numbers.len())];
        let texts = [&text.source, &text.target];
        let mut known = texts.map(|text| vec![None; text.vocabulary().len()]);
        for &n in numbers {
            let ranked = ranked(n);
            for (side, ranks) in [ranked.source, ranked.target].into_iter().enumerate() {
                let vocabulary = texts[side].vocabulary();
                let look = |(&id, rank): (&WordId, &WordId)| {
                    *known[side][id.index()].get_or_insert_with(|| Word::new(vocabulary.word(id), rank.index()))
                };
                words[side].extend(texts[side].sentence(n).iter().zip(ranks).map(look));
                ends[side].push(words[side].len());
            }
        }
        Self { words, ends }
    }

    /// The words of both sides of a part of the pair at a place among these, which starts here and has so many.
    ///
    /// # Panics
    /// If there is no such pair.
    pub(super) fn part(&self, place: usize, start: [u32; 2], lengths: [usize; 2]) -> [&[Word]; 2] {
        [0, 1].map(|side| {
            let of_pair = if place == 0 { 0 } else { self.ends[side][place - 1] };
            &self.words[side][of_pair + start[side] as usize..][..lengths[side]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::{RankedBitext, Text};

    #[test]
    fn words_are_those_of_the_pair() {
        let text = |lines: [&str; 3]| {
            let mut text = Text::default();
            for line in lines {
                text.push_sentence(line.split(' ').map(str::as_bytes));
            }
            text
        };
        let (source, target) = (text(["a b", "c", "a c d"]), text(["x", "y x", "z x ,"]));
        let bitext = RankedBitext::new(Bitext::new(source, target).unwrap());
        let words = PairWords::of(&[0, 2], bitext.bitext(), |n| bitext.pair(n));
        let word = |word: &str| Word::new(word.as_bytes(), 0);
        assert_eq!(words.part(0, [0, 0], [2, 1]), [&[word("a"), word("b")][..], &[word("x")]]);
        assert_eq!(words.part(1, [1, 1], [2, 2]), [&[word("c"), word("d")][..], &[word("x"), word(",")]]);
    }
}
