//! The words of one pair after another, as a decision sees them.

use crate::bitext::{Bitext, RankedBitext, SentencePair, WordId};
use crate::decision::Word;
use crate::model::NewText;

/// A text whose words have a number each that says how many words of the language are more frequent.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ranked<'t> {
    /// A text that a model was trained on.
    Own(&'t RankedBitext),
    /// One that a model has read.
    New(&'t NewText<'t>),
}

impl<'t> Ranked<'t> {
    fn bitext(self) -> &'t Bitext {
        match self {
            Self::Own(text) => text.bitext(),
            Self::New(text) => text.bitext(),
        }
    }

    fn pair(self, n: usize) -> SentencePair<'t> {
        match self {
            Self::Own(text) => text.pair(n),
            Self::New(text) => text.pair(n),
        }
    }
}

/// The words of both sides of a pair, in buffers that are used again for the next. A word is looked at once.
#[derive(Debug)]
pub(super) struct PairWords<'t> {
    text: Ranked<'t>,
    /// The words of the vocabularies, as far as they were met.
    known: [Vec<Option<Word>>; 2],
    pair: [Vec<Word>; 2],
}

impl<'t> PairWords<'t> {
    /// Without a pair yet.
    pub(super) fn of(text: Ranked<'t>) -> Self {
        Self { text, known: Default::default(), pair: Default::default() }
    }

    /// Takes the words of a pair. Linear in them.
    ///
    /// # Panics
    /// If there is no such pair.
    pub(super) fn load(&mut self, n: usize) {
        let Self { text, known, pair } = self;
        let (ranked, Bitext { source, target }) = (text.pair(n), text.bitext());
        for (side, (text, ranks)) in [(source, ranked.source), (target, ranked.target)].into_iter().enumerate() {
            let (vocabulary, known) = (text.vocabulary(), &mut known[side]);
            known.resize(vocabulary.len(), None);
            pair[side].clear();
            pair[side].extend(text.sentence(n).iter().zip(ranks).map(|(&id, rank): (&WordId, &WordId)| {
                *known[id.index()].get_or_insert_with(|| Word::new(vocabulary.word(id), rank.index()))
            }));
        }
    }

    /// The words of both sides of a part of the pair, which starts here and has so many.
    ///
    /// # Panics
    /// If the pair has not as many.
    pub(super) fn part(&self, start: [u32; 2], lengths: [usize; 2]) -> [&[Word]; 2] {
        [0, 1].map(|side| &self.pair[side][start[side] as usize..][..lengths[side]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::Text;

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
        let mut words = PairWords::of(Ranked::Own(&bitext));
        let word = |word: &str| Word::new(word.as_bytes(), 0);
        words.load(2);
        assert_eq!(words.part([1, 1], [2, 2]), [&[word("c"), word("d")][..], &[word("x"), word(",")]]);
        words.load(0);
        assert_eq!(words.part([0, 0], [2, 1]), [&[word("a"), word("b")][..], &[word("x")]]);
    }
}
