//! The numbers of words, phrases and translations, and their texts.

use super::config::ConcordanceConfig;
use super::keys::Keys;
use super::pair::place;
use super::query::{Finder, Query};
use super::sequences;
use crate::bitext::Vocabulary;

/// What each time through the text knows.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) side: usize,
    pub(super) threshold: f32,
    /// The words of the side of the headwords, and those of the other.
    pub(super) heads: Keys,
    pub(super) others: Keys,
    /// What is looked up, and the phrases that were found; nothing if each key is a headword.
    pub(super) phrases: Option<(Finder, Vocabulary)>,
    pub(super) translations: Vocabulary,
}

impl Numbers {
    pub(super) fn new(config: &ConcordanceConfig, query: &Query) -> Self {
        Self {
            side: place(config.side),
            threshold: config.threshold,
            heads: Keys::new(config.case),
            others: Keys::new(config.case),
            phrases: Finder::new(query, config.case).map(|finder| (finder, Vocabulary::default())),
            translations: Vocabulary::default(),
        }
    }

    /// A headword as it is shown.
    pub(super) fn head(&self, head: u32) -> String {
        match &self.phrases {
            Some((_, phrases)) => sequences::text(phrases, head, &self.heads),
            None => self.heads.shown(head).to_owned(),
        }
    }

    /// Whether a headword has several words.
    pub(super) fn is_phrase(&self, head: u32) -> bool {
        self.phrases.as_ref().is_some_and(|(_, phrases)| sequences::keys(phrases, head).nth(1).is_some())
    }

    /// A translation as it is shown.
    pub(super) fn translation(&self, number: u32) -> String {
        sequences::text(&self.translations, number, &self.others)
    }
}
