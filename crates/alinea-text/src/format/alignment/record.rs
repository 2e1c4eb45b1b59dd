//! What all alignment formats are read into and written from: a [`PairRecord`] for each sentence pair.
//!
//! A record has the links in the order of the file, each with its kind (sure or possible) and maybe a weight, and what
//! only some formats have: words, character offsets, a score. Positions count from 0; readers and writers convert from
//! and to the base of the file. Weights are finite.
//!
//! A file may give a link twice. [`PairRecord::normalize`] sorts links and keeps each once: sure before possible, then
//! the heaviest. [`PairRecord::alignment`] and [`PairRecord::gold`] make sets of them, without weights.
//! [`PairRecord::check_range`] compares links with the lengths of the sentences, and gives a hint if they would fit,
//! had the file been read as counting from 1.
//!
//! Readers fill one record again and again. A [`TokenList`] keeps the words of a sentence in one string, with the
//! offset at which each ends.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::Base;
use crate::alignment::{Alignment, GoldAlignment, Link};
use crate::error::{Error, ErrorKind, Hint, Position, Result};

/// Whether a gold link is sure or only possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LinkKind {
    /// Unambiguous. The kind of all links in formats with one kind only.
    #[default]
    Sure,
    /// It may be there or not.
    Possible,
}

/// A link as a file gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkRecord {
    /// The link, positions from 0 whatever the file counts from.
    pub link: Link,
    /// Sure or possible.
    pub kind: LinkKind,
    /// The confidence, where the file has one; always finite.
    pub weight: Option<f32>,
}

impl LinkRecord {
    /// A sure link without weight.
    pub const fn sure(source: u32, target: u32) -> Self {
        Self { link: Link::new(source, target), kind: LinkKind::Sure, weight: None }
    }

    /// A possible link without weight.
    pub const fn possible(source: u32, target: u32) -> Self {
        Self { link: Link::new(source, target), kind: LinkKind::Possible, weight: None }
    }

    /// The same link with a weight.
    #[must_use]
    pub const fn with_weight(self, weight: f32) -> Self {
        Self { weight: Some(weight), ..self }
    }
}

/// What a file says of one sentence pair. Readers fill one again and again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PairRecord {
    /// The number of the pair, from 1.
    pub number: u64,
    /// The source words, where the file has them.
    pub source: Option<TokenList>,
    /// The target words, where the file has them.
    pub target: Option<TokenList>,
    /// Where the source words stood in their line, in characters: first, and one past the last.
    pub source_offsets: Option<Vec<[u32; 2]>>,
    /// The same of the target words.
    pub target_offsets: Option<Vec<[u32; 2]>>,
    /// What a model said of the pair as a whole.
    pub score: Option<f64>,
    /// The links in the order of the file.
    pub links: Vec<LinkRecord>,
}

impl PairRecord {
    /// A record of sure and possible links.
    pub fn from_gold(number: u64, gold: &GoldAlignment) -> Self {
        let kind = |link| if gold.sure().contains(link) { LinkKind::Sure } else { LinkKind::Possible };
        let links = gold.possible().iter().map(|link| LinkRecord { link, kind: kind(link), weight: None }).collect();
        Self { number, links, ..Self::default() }
    }

    /// Forgets everything but memory.
    pub fn clear(&mut self) {
        let mut links = std::mem::take(&mut self.links);
        links.clear();
        *self = Self { links, ..Self::default() };
    }

    /// All links, sure or possible.
    pub fn alignment(&self) -> Alignment {
        self.links.iter().map(|record| record.link).collect()
    }

    /// Sure and possible links; one given as both is sure.
    pub fn gold(&self) -> GoldAlignment {
        GoldAlignment::from_parts(self.of_kind(LinkKind::Sure), &self.of_kind(LinkKind::Possible))
    }

    fn of_kind(&self, kind: LinkKind) -> Alignment {
        self.links.iter().filter(|record| record.kind == kind).map(|record| record.link).collect()
    }

    /// Sorts the links and keeps each once: the sure of a sure and a possible, and then the heaviest.
    pub fn normalize(&mut self) {
        let weight = |record: &LinkRecord| record.weight.unwrap_or(f32::NEG_INFINITY);
        self.links
            .sort_by(|a, b| (a.link, a.kind).cmp(&(b.link, b.kind)).then_with(|| weight(b).total_cmp(&weight(a))));
        self.links.dedup_by_key(|record| record.link);
    }

    /// Checks that every link lies within sentences of these lengths, those that are known; `base` is what the file
    /// counts from.
    ///
    /// # Errors
    /// `LinkOutOfRange` for the first that does not, with the advice to count from the other base, or to swap the sides, where
    /// that would help.
    pub fn check_range(
        &self,
        source_len: Option<usize>,
        target_len: Option<usize>,
        position: &Position,
        base: Base,
    ) -> Result<()> {
        let Some(link) = self.first_outside(source_len, target_len) else { return Ok(()) };
        let from_one = |position: u32, length: Option<usize>| {
            position >= 1 && length.is_none_or(|length| position as usize <= length)
        };
        let fits_from_one =
            self.links.iter().all(|r| from_one(r.link.source, source_len) && from_one(r.link.target, target_len));
        let are_known = source_len.is_some() && target_len.is_some();
        let fits_swapped = are_known && self.first_outside(target_len, source_len).is_none();
        let hint = match base {
            Base::Zero if fits_from_one => Some(Hint::CountsFromOne),
            _ => fits_swapped.then_some(Hint::SidesSwapped),
        };
        Err(ErrorKind::LinkOutOfRange {
            position: position.clone(),
            link: format!("{}-{}", base.written(link.source), base.written(link.target)),
            source_len,
            target_len,
            hint,
        }
        .into())
    }

    /// Checks before it is written that every link lies between words that the record has; without both sentences nothing
    /// is checked.
    ///
    /// # Errors
    /// `Inconsistent` for the first that does not, positions from 0; [`Error::within`] says what pair it is.
    pub fn check_words(&self) -> Result<()> {
        let (Some(source), Some(target)) = (&self.source, &self.target) else { return Ok(()) };
        let lengths = [source.len(), target.len()];
        match self.first_outside(Some(lengths[0]), Some(lengths[1])) {
            Some(link) => Err(Error::link_outside_sentences(link, lengths)),
            None => Ok(()),
        }
    }

    /// The first link that does not lie within sentences of these lengths.
    pub(super) fn first_outside(&self, source_len: Option<usize>, target_len: Option<usize>) -> Option<Link> {
        let outside = |position: u32, length: Option<usize>| length.is_some_and(|length| position as usize >= length);
        let mut links = self.links.iter().map(|record| record.link);
        links.find(|link| outside(link.source, source_len) || outside(link.target, target_len))
    }

    /// [`check_range`](Self::check_range) against the record's own words, for the sides that have them; `place` says where a
    /// link stands.
    pub(super) fn check_own_range(&self, base: Base, place: impl Fn(Link) -> Position) -> Result<()> {
        let length = |side: &Option<TokenList>| side.as_ref().map(TokenList::len);
        let (source, target) = (length(&self.source), length(&self.target));
        match self.first_outside(source, target) {
            Some(link) => self.check_range(source, target, &place(link), base),
            None => Ok(()),
        }
    }
}

/// The words of one sentence in one piece of memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TokenList {
    text: String,
    ends: Vec<usize>,
}

impl TokenList {
    /// Adds a word.
    pub fn push(&mut self, token: &str) {
        self.text.push_str(token);
        self.ends.push(self.text.len());
    }

    /// Removes all words, keeping the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The `n`-th word, from 0.
    pub fn get(&self, n: usize) -> Option<&str> {
        let end = *self.ends.get(n)?;
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        Some(&self.text[start..end])
    }

    /// The words in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|n| self.get(n).unwrap_or_default())
    }
}

impl<'t> FromIterator<&'t str> for TokenList {
    fn from_iter<I: IntoIterator<Item = &'t str>>(tokens: I) -> Self {
        let mut list = Self::default();
        tokens.into_iter().for_each(|token| list.push(token));
        list
    }
}

impl<'de> Deserialize<'de> for TokenList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = TokenList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of words")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<TokenList, A::Error> {
                let mut list = TokenList::default();
                while let Some(Word(word)) = words.next_element()? {
                    list.push(&word);
                }
                Ok(list)
            }
        }
        deserializer.deserialize_seq(Words)
    }
}

/// A string that is borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Word<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_become_sets_and_come_from_them() {
        let record = PairRecord {
            links: vec![LinkRecord::possible(1, 1), LinkRecord::sure(0, 0), LinkRecord::possible(0, 0)],
            ..PairRecord::default()
        };
        assert_eq!(record.alignment(), [(0, 0), (1, 1)].into());
        let gold = GoldAlignment::from_parts([(0, 0)].into(), &[(1, 1)].into());
        assert_eq!(record.gold(), gold);
        assert_eq!(PairRecord::from_gold(1, &gold).gold(), gold);
    }

    #[test]
    fn normalization_keeps_the_strongest() {
        let mut record = PairRecord {
            links: vec![
                LinkRecord::possible(1, 0).with_weight(0.9),
                LinkRecord::sure(1, 0).with_weight(0.1),
                LinkRecord::sure(1, 0).with_weight(0.2),
                LinkRecord::sure(0, 5),
            ],
            ..PairRecord::default()
        };
        record.normalize();
        assert_eq!(record.links, [LinkRecord::sure(0, 5), LinkRecord::sure(1, 0).with_weight(0.2)]);
    }

    #[test]
    fn links_outside_say_how_the_file_may_count() {
        let record = PairRecord { links: vec![LinkRecord::sure(1, 3), LinkRecord::sure(2, 1)], ..Default::default() };
        let position = Position::new("f", 7, 0);
        assert!(record.check_range(Some(3), Some(4), &position, Base::Zero).is_ok());
        let refused = |source, target, base| {
            let error = record.check_range(Some(source), Some(target), &position, base).unwrap_err();
            (error.to_string(), error.hint())
        };
        let (message, hint) = refused(2, 3, Base::Zero);
        assert_eq!(message, "f:7: link 1-3 is out of range, the source has 2 tokens, the target 3");
        assert_eq!(hint, Some(Hint::CountsFromOne));
        let (message, hint) = refused(2, 9, Base::One);
        assert_eq!(message, "f:7: link 3-2 is out of range, the source has 2 tokens, the target 9");
        assert_eq!(hint, None);
        let (message, hint) = refused(1, 3, Base::Zero);
        assert_eq!(message, "f:7: link 1-3 is out of range, the source has 1 token, the target 3");
        assert_eq!(hint, None);
        // Swapped, a source of 4 tokens and a target of 3 have all of them, one of 3 and 3 has not.
        assert_eq!(refused(4, 3, Base::One).1, Some(Hint::SidesSwapped));
        assert_eq!(refused(3, 3, Base::One).1, None);
        let from_zero =
            PairRecord { links: vec![LinkRecord::sure(0, 0), LinkRecord::sure(1, 3)], ..Default::default() };
        let hint = |source, target| from_zero.check_range(source, target, &position, Base::Zero).unwrap_err().hint();
        assert_eq!(hint(Some(4), Some(3)), Some(Hint::SidesSwapped));
        assert_eq!((hint(Some(4), Some(1)), hint(None, Some(3))), (None, None));
    }

    #[test]
    fn links_to_be_written_are_between_the_words() {
        let mut record = PairRecord { number: 4, links: vec![LinkRecord::sure(1, 0)], ..Default::default() };
        assert!(record.check_words().is_ok(), "without words nothing is known");
        record.source = Some(["a"].into_iter().collect());
        assert!(record.check_words().is_ok());
        record.target = Some(["x", "y"].into_iter().collect());
        let error = record.check_words().unwrap_err();
        assert_eq!((error.position(), error.hint()), (None, None));
        let message = error.within("links[3]").to_string();
        assert_eq!(message, "links[3]: link 1-0 is out of range, the source has 1 token, the target 2");
    }

    #[test]
    fn lengths_that_nobody_gave_are_not_reported() {
        let record = PairRecord { links: vec![LinkRecord::sure(5, 1)], ..Default::default() };
        let position = Position::new("f", 1, 1);
        let message = |source, target, base| match record.check_range(source, target, &position, base) {
            Ok(()) => "fits".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(message(Some(2), None, Base::Zero), "f:1:1: link 5-1 is out of range, the source has 2 tokens");
        assert_eq!(message(Some(1), None, Base::One), "f:1:1: link 6-2 is out of range, the source has 1 token");
        assert_eq!(message(None, Some(0), Base::Zero), "f:1:1: link 5-1 is out of range, the target has 0 tokens");
        assert_eq!(message(Some(5), None, Base::Zero), "f:1:1: link 5-1 is out of range, the source has 5 tokens");
        assert_eq!(message(None, Some(2), Base::Zero), "fits");
    }
}
