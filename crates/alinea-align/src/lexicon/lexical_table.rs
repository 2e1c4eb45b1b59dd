//! Lexical translation probabilities of both directions, as relative frequencies of links.
//!
//! With c(s, t) the number of links between source word s and target word t, either of which may be the empty word,
//!
//! ```text
//! p(t | s) = c(s, t) / sum over t' of c(s, t')        p(s | t) = c(s, t) / sum over s' of c(s', t)
//! ```
//!
//! These are the lexical tables of Moses (Koehn, Och and Marcu 2003). The table holds the counts and the sum of each
//! word; order and probabilities are computed on a visit: the empty word, then words by falling count, the most
//! probable translations first. A [`TableChoice`] selects translations and does not renormalize their probabilities.

use std::cmp::Reverse;

use super::link_counts::{Count, EMPTY_WORD};
use crate::bitext::{Side, Vocabulary, WordId};
use crate::error::Result;

/// What the links of a text say of the translations of each word, in both directions.
///
/// With c(s, t) links between a source word s and a target word t, or the empty word on either side for words without
/// links, p(t | s) = c(s, t) / Σ c(s, ·) and p(s | t) = c(s, t) / Σ c(·, t). These are the lexical tables of Moses: Koehn, Och
/// and Marcu 2003, *Statistical phrase-based translation*.
#[derive(Debug, Clone)]
pub struct LexicalTable {
    words: [Vocabulary; 2],
    counts: Vec<Count>,
    /// How often each word was counted, by number.
    sums: [Vec<u64>; 2],
}

/// Which translations are wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TableChoice {
    /// The most translations of each word; the most probable ones.
    pub best: Option<usize>,
    /// The least probability, from 0 to 1.
    pub least: f64,
    /// Whether translations of the empty word, and by it, are among them. Probabilities are the same without.
    pub empty_word: bool,
}

alinea_text::configurable!(TableChoice);

impl Default for TableChoice {
    /// All.
    fn default() -> Self {
        Self { best: None, least: 0.0, empty_word: true }
    }
}

/// A word and one of its translations; nothing in place of a word is the empty word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Translation<'t> {
    /// The word that is given.
    pub condition: Option<&'t [u8]>,
    /// The word of the other side.
    pub generated: Option<&'t [u8]>,
    /// How often they are linked.
    pub count: u64,
    /// p(generated | condition).
    pub probability: f64,
}

impl LexicalTable {
    /// Of distinct pairs and their counts, numbered from 1 as in the vocabularies, with 0 as the empty word.
    pub(super) fn new(words: [Vocabulary; 2], counts: Vec<Count>) -> Self {
        let mut sums = words.each_ref().map(|words| vec![0; words.len() + 1]);
        for ([source, target], count) in &counts {
            sums[0][*source as usize] += count;
            sums[1][*target as usize] += count;
        }
        Self { words, counts, sums }
    }

    /// The number of pairs of words, those with the empty word among them.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Visits the translations of the words of one side: those of the empty word first, then word by word, the one that is
    /// counted most often first (or that was met first); the most probable translation of each first (or that whose word
    /// was met first, after the empty word). O(pairs × log pairs).
    ///
    /// # Errors
    /// That of `visit`, after which nothing more is visited.
    pub fn for_each(
        &self,
        of: Side,
        choice: &TableChoice,
        mut visit: impl FnMut(Translation<'_>) -> Result<()>,
    ) -> Result<()> {
        let given = of as usize;
        let sums = &self.sums[given];
        let ordered = |&([source, target], count): &Count| {
            let (condition, generated) = if given == 0 { (source, target) } else { (target, source) };
            (condition != EMPTY_WORD, Reverse(sums[condition as usize]), condition, Reverse(count), generated)
        };
        let mut found: Vec<_> = self.counts.iter().map(ordered).collect();
        found.sort_unstable();
        let most = choice.best.unwrap_or(usize::MAX);
        for translations in found.chunk_by(|a, b| a.2 == b.2) {
            let translations = translations.iter().map(|&(_, Reverse(sum), condition, Reverse(count), generated)| {
                let (condition, generated) = (self.word(given, condition), self.word(1 - given, generated));
                Translation { condition, generated, count, probability: count as f64 / sum as f64 }
            });
            let wanted = |found: &Translation<'_>| {
                found.probability >= choice.least
                    && (choice.empty_word || found.condition.is_some() && found.generated.is_some())
            };
            translations.filter(wanted).take(most).try_for_each(&mut visit)?;
        }
        Ok(())
    }

    /// The word with a number; nothing if that is the empty one.
    fn word(&self, side: usize, number: u32) -> Option<&[u8]> {
        let id = number.checked_sub(1)?;
        Some(self.words[side].word(WordId::from_index(id as usize)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::LinkCounts;

    /// Worked out by hand: c(a, x) = 2, c(b, y) = 1, c(b, x) = 1, c(a, ∅) = 1, c(∅, z) = 1.
    fn table() -> LexicalTable {
        let mut counts = LinkCounts::default();
        let words = |text: &'static str| text.split(' ').map(str::as_bytes);
        counts.add(words("a b"), words("x y"), &[(0, 0), (1, 0), (1, 1)].into()).unwrap();
        counts.add(words("a a"), words("z x"), &[(1, 1)].into()).unwrap();
        counts.into_table()
    }

    fn lines(of: Side, choice: TableChoice) -> Vec<String> {
        let mut lines = Vec::new();
        let word =
            |word: Option<&[u8]>| word.map_or("∅".to_owned(), |word| String::from_utf8(word.to_vec()).unwrap());
        let visit = |found: Translation<'_>| {
            let Translation { condition, generated, count, probability } = found;
            lines.push(format!("{} {} {count} {probability:.3}", word(condition), word(generated)));
            Ok(())
        };
        table().for_each(of, &choice, visit).unwrap();
        lines
    }

    #[test]
    fn probabilities_are_shares_of_counts() {
        let all = TableChoice::default();
        let expected = ["∅ z 1 1.000", "a x 2 0.667", "a ∅ 1 0.333", "b x 1 0.500", "b y 1 0.500"];
        assert_eq!(lines(Side::Source, all), expected);
        let expected = ["∅ a 1 1.000", "x a 2 0.667", "x b 1 0.333", "y b 1 1.000", "z ∅ 1 1.000"];
        assert_eq!(lines(Side::Target, all), expected);
        assert_eq!(table().len(), 5);
    }

    #[test]
    fn the_best_and_the_probable_are_chosen() {
        let choice = TableChoice { empty_word: false, ..TableChoice::default() };
        assert_eq!(lines(Side::Source, choice), ["a x 2 0.667", "b x 1 0.500", "b y 1 0.500"]);
        assert_eq!(lines(Side::Source, TableChoice { best: Some(1), ..choice }), ["a x 2 0.667", "b x 1 0.500"]);
        assert_eq!(lines(Side::Source, TableChoice { least: 0.6, ..choice }), ["a x 2 0.667"]);
        assert_eq!(lines(Side::Target, TableChoice { least: 1.0, ..choice }), ["y b 1 1.000"]);
        let choice = TableChoice { best: Some(0), ..TableChoice::default() };
        assert_eq!(lines(Side::Target, choice), [""; 0]);
    }

    #[test]
    fn an_error_ends_the_visit() {
        let mut visited = 0;
        let result = table().for_each(Side::Source, &TableChoice::default(), |_| {
            visited += 1;
            Err(crate::error::ErrorKind::Cancelled.into())
        });
        assert!(result.is_err());
        assert_eq!(visited, 1);
    }
}
