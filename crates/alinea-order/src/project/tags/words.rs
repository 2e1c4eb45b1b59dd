//! Tags, target words and what these are linked to, as numbers.

use std::collections::BTreeMap;

use alinea_text::alignment::WeightedLink;
use alinea_text::bitext::{Vocabulary, WordId};

/// A tag, by number.
pub(in crate::project) type Tag = u32;

/// What numbers stand for.
#[derive(Debug, Default)]
pub(in crate::project) struct WordNames {
    tags: Vocabulary,
    forms: Vocabulary,
    endings: Vocabulary,
}

/// A target word.
#[derive(Debug, Clone, Copy)]
pub(in crate::project) struct Word {
    /// Its form in lower case.
    pub(in crate::project) form: u32,
    /// The last characters of that.
    pub(in crate::project) ending: u32,
    /// Whether there is neither letter nor digit in it.
    pub(in crate::project) is_punctuation: bool,
    /// Its tag, if it is given.
    pub(in crate::project) tag: Option<Tag>,
}

/// A source word that a target word is linked to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::project) struct Origin {
    pub(in crate::project) source: usize,
    /// The probability of the link.
    pub(in crate::project) probability: f64,
}

/// A sentence pair.
#[derive(Debug, Clone, Copy)]
pub(in crate::project) struct TaggedSentence<'t> {
    /// The tags of the source words.
    pub(in crate::project) tags: &'t [Tag],
    /// The target words.
    pub(in crate::project) words: &'t [Word],
    /// What each of them is linked to.
    pub(in crate::project) links: &'t [Vec<Origin>],
}

/// So many characters are an ending.
const ENDING: usize = 3;

impl WordNames {
    /// The number of a tag, which becomes known.
    pub(in crate::project) fn tag(&mut self, name: &str) -> Tag {
        self.tags.intern(name.as_bytes()).index() as Tag
    }

    /// The number of a tag that is known.
    pub(in crate::project) fn known_tag(&self, name: &str) -> Option<Tag> {
        self.tags.id(name.as_bytes()).map(|id| id.index() as Tag)
    }

    pub(in crate::project) fn tag_name(&self, tag: Tag) -> String {
        String::from_utf8_lossy(self.tags.word(WordId::from_index(tag as usize))).into_owned()
    }

    /// How many tags there are so far.
    pub(in crate::project) fn tags(&self) -> usize {
        self.tags.len()
    }

    pub(in crate::project) fn forms(&self) -> usize {
        self.forms.len()
    }

    pub(in crate::project) fn endings(&self) -> usize {
        self.endings.len()
    }

    /// A target word, whose tag is known or not.
    pub(in crate::project) fn word(&mut self, form: &str, tag: Option<&str>) -> Word {
        let lower = form.to_lowercase();
        let cut = lower.char_indices().rev().nth(ENDING - 1).map_or(0, |(at, _)| at);
        Word {
            form: self.forms.intern(lower.as_bytes()).index() as u32,
            ending: self.endings.intern(&lower.as_bytes()[cut..]).index() as u32,
            is_punctuation: !form.chars().any(char::is_alphanumeric),
            tag: tag.map(|tag| self.tag(tag)),
        }
    }
}

/// What each of so many target words is linked to, by position, each source word once. Links lie within the sentences.
pub(in crate::project) fn origins(links: &[WeightedLink], words: usize) -> Vec<Vec<Origin>> {
    let mut found = vec![BTreeMap::<usize, f64>::new(); words];
    for link in links {
        let (source, probability) = (link.link.source as usize, f64::from(link.weight));
        // A probability that is none counts as none.
        let probability = if probability.is_nan() { 0.0 } else { probability.clamp(0.0, 1.0) };
        let known = found[link.link.target as usize].entry(source).or_default();
        *known = known.max(probability);
    }
    let listed = |links: BTreeMap<usize, f64>| {
        links.into_iter().map(|(source, probability)| Origin { source, probability }).collect()
    };
    found.into_iter().map(listed).collect()
}
