//! A bilingual concordance: how each word of one side is translated, counted over links, with examples.
//!
//! An *occurrence* of a headword is a word of the text, or several neighboring words for a phrase. Its *translation* are all words of
//! the other side that are linked to it, in their order; where they do not stand side by side, `...` stands between them: French `ne
//! ... pas` translates `not`. So each occurrence has one translation, or is *untranslated*, and counts add up. Words are compared in
//! lower case unless they are told apart by case, by their lemmas where they have some, and are shown as they are written most often.
//!
//! **Association.** Frequent words are linked with much by mistake, so beside the count there are two scores of how far a translation
//! belongs to a headword. Among all N words of the side, let R be the occurrences of the headword, C the words that are translated so,
//! and a both at once:
//!
//! ```text
//!                      translated so    otherwise
//! the headword               a            R - a        R
//! another word             C - a      N - R - C + a    N - R
//! ```
//!
//! [`log_likelihood`](Translation::log_likelihood) is G² = 2 Σ O ln(O / E) over the four cells, where E is what a cell would have if rows
//! and columns were independent (Dunning 1993, *Accurate methods for the statistics of surprise and coincidence*, section 6), with a minus
//! sign where a is less than expected. [`dice`](Translation::dice) is 2a / (R + C) (Dice 1945). A phrase counts as one word more for each
//! of its occurrences, since it is none of the N.
//!
//! **Examples** are chosen so that they do not depend on luck: the occurrences of a translation, in the order of the text, are cut into
//! as many equal stretches as examples are wanted, and of each the one with the highest confidence is taken, the first of several.
//!
//! **How.** [`Concordance::build`] goes through the text once to count, and again for what depends on the counts: how often a
//! translation occurs with other words, and examples. So the caller gives it a function that reads the text from the beginning, and
//! memory grows with what is counted, not with the text. Triples of headword, translation and confidence wait in a buffer, which is
//! sorted and merged into the counts when it is full (`tally`).
//!
//! ```
//! use alinea::alignment::Link;
//! use alinea::concordance::{Concordance, ConcordanceConfig, LinkedPair, Query};
//!
//! let text = [
//!     (vec!["he", "does", "not", "know"], vec!["il", "ne", "sait", "pas"], [(0, 0), (2, 1), (2, 3), (3, 2)]),
//!     (vec!["not", "in", "this", "House"], vec!["pas", "dans", "cette", "Chambre"], [(0, 0), (1, 1), (2, 2), (3, 3)]),
//! ];
//! let found = Concordance::build(&ConcordanceConfig::default(), &Query::words(["not"], false)?, |visit| {
//!     for (source, target, links) in &text {
//!         let links = links.map(|(source, target)| (Link::new(source, target), None));
//!         visit(&LinkedPair::new(source, target, &links))?;
//!     }
//!     Ok::<(), alinea::error::Error>(())
//! })?;
//! let word = found.headwords().next().expect("it occurs");
//! assert_eq!((word.word.as_str(), word.count, word.untranslated), ("not", 2, 0));
//! let translations: Vec<(&str, u64)> = word.translations.iter().map(|found| (found.words.as_str(), found.count)).collect();
//! assert_eq!(translations, [("ne ... pas", 1), ("pas", 1)]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod association;
mod config;
mod counter;
mod example;
mod keys;
mod numbers;
mod pair;
mod query;
mod second_pass;
mod selection;
mod sequences;
mod tally;

#[cfg(test)]
mod tests;

pub use self::config::{ConcordanceConfig, DEFAULT_THRESHOLD, Rank};
pub use self::example::{Example, Sentence, SentenceWords};
pub use self::pair::{LinkedPair, PossibleLink};
pub use self::query::Query;
pub use self::sequences::GAP;

use self::counter::{Counted, Counter};
use self::second_pass::SecondPass;
use self::selection::{Entry, Scores, Selection};
use self::tally::Counts;
use crate::error::{Error, Result};

/// Headwords with their translations; see the [module](self).
#[derive(Debug)]
pub struct Concordance {
    counted: Counted,
    selection: Selection,
    /// Those of each slot of the selection, if there are any.
    examples: Vec<Vec<Example>>,
    missing: Vec<String>,
}

/// A word or a phrase, and how it is translated.
#[derive(Debug, Clone, PartialEq)]
pub struct Headword {
    /// The words, as they are written most often, with blanks between.
    pub word: String,
    /// How often it occurs.
    pub count: u64,
    /// Its translations, the best first, as many as were asked for.
    pub translations: Vec<Translation>,
    /// How many other translations there are, and how often they occur together.
    pub others: [u64; 2],
    /// How many occurrences have no link.
    pub untranslated: u64,
    /// Examples of these.
    pub untranslated_examples: Vec<Example>,
}

/// A translation of a headword.
#[derive(Debug, Clone, PartialEq)]
pub struct Translation {
    /// The linked words, in their order and as they are written most often, with blanks between and [`GAP`] for words that are not
    /// linked.
    pub words: String,
    /// How many occurrences of the headword are translated so.
    pub count: u64,
    /// Their share of all its occurrences, from 0 to 1.
    pub share: f64,
    /// The mean confidence of these occurrences, each the mean of its links, from 0 to 1; none if no link has a confidence.
    pub confidence: Option<f64>,
    /// G², negative where headword and translation occur together less often than by chance.
    pub log_likelihood: f64,
    /// Dice's coefficient, from 0 to 1.
    pub dice: f64,
    /// Examples, in the order of the text.
    pub examples: Vec<Example>,
}

impl Concordance {
    /// Counts how words are translated. `read` goes through the whole text from its beginning, gives each pair to the function that
    /// it is given, and returns its errors; it is called up to three times, and must give the same pairs each time.
    ///
    /// Time O(words + links × log links), and O(log of different translations) for each occurrence; memory 12 bytes for each two of
    /// headword and translation that occur together, 24 if links have confidences, and their words.
    ///
    /// # Errors
    /// `Config` for values out of range; `Inconsistent` for links or lemmas that do not fit a pair, naming the pair from 1; those of
    /// `read`.
    pub fn build<E: From<Error>>(
        config: &ConcordanceConfig,
        query: &Query,
        mut read: impl FnMut(&mut dyn FnMut(&LinkedPair<'_>) -> Result<()>) -> std::result::Result<(), E>,
    ) -> std::result::Result<Self, E> {
        config.validate()?;
        let mut counter = Counter::new(config, query);
        read(&mut |pair| counter.add(pair))?;
        let mut counted = counter.finish();
        let missing = counted.missing(query);
        if config.rank != Rank::Count && !counted.has_marginals() {
            let mut pass = SecondPass::new(&counted, None);
            read(&mut |pair| pass.add(pair))?;
            counted.marginals = pass.finish().0;
        }
        let selection = Selection::choose(&counted, config);
        counted.counts = Counts::default();
        let wanted = (config.examples > 0).then_some((&selection, config.examples));
        let mut examples = Vec::new();
        if !selection.entries.is_empty() && (wanted.is_some() || !counted.has_marginals()) {
            let mut pass = SecondPass::new(&counted, wanted);
            read(&mut |pair| pass.add(pair))?;
            let (marginals, found) = pass.finish();
            counted.marginals = counted.marginals.or(marginals);
            examples = found;
        }
        Ok(Self { counted, selection, examples, missing })
    }

    /// The headwords, the most frequent first, those that are equally frequent in the order of their bytes.
    pub fn headwords(&self) -> impl ExactSizeIterator<Item = Headword> {
        self.selection.entries.iter().map(|entry| Headword {
            word: self.counted.numbers.head(entry.head),
            count: entry.count,
            translations: entry.slots.clone().map(|slot| self.translation(entry, slot)).collect(),
            others: entry.others,
            untranslated: entry.untranslated,
            untranslated_examples: self.examples_of(entry.slots.end),
        })
    }

    fn translation(&self, entry: &Entry, slot: usize) -> Translation {
        let examples = self.examples_of(slot);
        let slot = self.selection.slots[slot];
        let scores = Scores::new(entry.head, slot.translation, [slot.count, entry.count], &self.counted);
        Translation {
            words: self.counted.numbers.translation(slot.translation),
            count: slot.count,
            share: slot.count as f64 / entry.count as f64,
            confidence: slot.confidence,
            log_likelihood: scores.log_likelihood,
            dice: scores.dice,
            examples,
        }
    }

    fn examples_of(&self, slot: usize) -> Vec<Example> {
        self.examples.get(slot).cloned().unwrap_or_default()
    }

    /// The number of sentence pairs.
    pub fn pairs(&self) -> u64 {
        self.counted.pairs
    }

    /// The number of words of the side that headwords are of: N.
    pub fn words(&self) -> u64 {
        self.counted.words
    }

    /// Of the words that were asked for, those that do not occur, as they were given.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}
