//! Ids of the words of verses, and back.

use std::collections::{BTreeMap, BTreeSet};

use super::word_id::WordId;
use crate::alignment::Alignment;
use crate::error::{ErrorKind, Result};
use crate::format::usfm::Reference;

/// The most words that ids can number in a verse.
const MOST_WORDS: usize = 999;

/// The ids of the words of verses.
#[derive(Debug, Clone, Default)]
pub struct Numbering {
    /// The id of the word before the first of each verse.
    before: Vec<WordId>,
    /// The verses by book, chapter and first verse, and the number of their words.
    verses: BTreeMap<(u8, u16, u16), Vec<(usize, usize)>>,
}

impl Numbering {
    /// Numbers the words of verses: given are the references and how many words they have.
    ///
    /// # Errors
    /// `Inconsistent` for a book that has no number, and for more than 999 words of a verse.
    pub fn new(verses: impl IntoIterator<Item = (Reference, usize)>) -> Result<Self> {
        let mut numbering = Self::default();
        for (number, (reference, words)) in verses.into_iter().enumerate() {
            let Reference { book, chapter, range } = reference;
            let Some(book) = book.number() else {
                return Err(
                    ErrorKind::Inconsistent(format!("{reference}: ids of words have no number for {book}")).into()
                );
            };
            let verse = range.verses[0];
            let same = numbering.verses.entry((book, chapter, verse)).or_default();
            let before: usize = same.iter().map(|(_, words)| words).sum();
            if before + words > MOST_WORDS {
                let message = format!("{reference}: {} words, more than ids of words can number", before + words);
                return Err(ErrorKind::Inconsistent(message).into());
            }
            same.push((number, words));
            numbering.before.push(WordId { book, chapter, verse, word: before as u16, part: None, prefix: None });
        }
        Ok(numbering)
    }

    /// The id of a word of a verse, both counted from 0.
    ///
    /// # Panics
    /// If there is no such verse.
    pub fn id(&self, verse: usize, word: usize) -> WordId {
        let before = self.before[verse];
        WordId { word: before.word + word as u16 + 1, ..before }
    }

    /// The verse and the word of an id, counted from 0; its part and its letter do not matter.
    pub fn find(&self, id: &WordId) -> Option<(usize, usize)> {
        let mut word = usize::from(id.word).checked_sub(1)?;
        for &(verse, words) in self.verses.get(&(id.book, id.chapter, id.verse))? {
            if word < words {
                return Some((verse, word));
            }
            word -= words;
        }
        None
    }
}

/// The words that links connect: source words and target words of each group, in the order of their first source words.
pub fn linked_groups(links: &Alignment) -> Vec<[Vec<u32>; 2]> {
    let by_target = links.inverted();
    let mut found = Vec::new();
    let (mut of_source, mut of_target) = (BTreeSet::new(), BTreeSet::new());
    for link in links.iter() {
        if !of_source.insert(link.source) {
            continue;
        }
        let mut group = [vec![link.source], Vec::new()];
        let (mut source, mut target) = (0, 0);
        while source < group[0].len() || target < group[1].len() {
            if source < group[0].len() {
                let next = links.of_source(group[0][source]).iter().map(|link| link.target);
                group[1].extend(next.filter(|&word| of_target.insert(word)));
                source += 1;
            } else {
                let next = by_target.of_source(group[1][target]).iter().map(|link| link.target);
                group[0].extend(next.filter(|&word| of_source.insert(word)));
                target += 1;
            }
        }
        for side in &mut group {
            side.sort_unstable();
        }
        found.push(group);
    }
    found
}
