//! Both languages, and the verses that belong together.

use std::fmt::Write as _;

use alinea::format::usfm::{Reference, SourceWord, groups};
use serde_json::{Value, json};

use super::side::Side;
use crate::context::Context;
use crate::input::links::counted;

/// Source and target.
pub(super) struct Sides {
    pub(super) both: [Side; 2],
    /// Verses that both sides have.
    pub(super) pairs: Vec<VersePair>,
    /// Verses that only one side has, joined like others.
    pub(super) alone: [Vec<Reference>; 2],
}

/// Verses that belong together, by their numbers on each side.
pub(super) struct VersePair {
    pub(super) reference: Reference,
    pub(super) verses: [Vec<usize>; 2],
}

impl Sides {
    pub(super) fn new(source: Side, target: Side) -> Self {
        let (mut pairs, mut alone) = (Vec::new(), [Vec::new(), Vec::new()]);
        for group in groups([&source.references(), &target.references()]) {
            let [in_source, in_target] = [&group.verses[0], &group.verses[1]].map(|verses| !verses.is_empty());
            if in_source && in_target {
                pairs.push(VersePair { reference: group.reference, verses: group.verses });
            } else {
                alone[usize::from(in_target)].push(group.reference);
            }
        }
        Self { both: [source, target], pairs, alone }
    }

    /// The words of a side, by pair.
    pub(super) fn sentences(&self, side: usize) -> Vec<Vec<&str>> {
        self.pairs.iter().map(|pair| self.words(pair, side)).collect()
    }

    /// The words of a side of a pair.
    pub(super) fn words(&self, pair: &VersePair, side: usize) -> Vec<&str> {
        let verses = pair.verses[side].iter().map(|&verse| &self.both[side].verses[verse]);
        verses.flat_map(|verse| &verse.words).map(String::as_str).collect()
    }

    /// The source words of a pair as milestones name them.
    pub(super) fn source_words(&self, pair: &VersePair) -> Vec<SourceWord> {
        let verses = pair.verses[0].iter().map(|&verse| &self.both[0].verses[verse]);
        SourceWord::of_verse(verses.flat_map(|v| v.words.iter().map(String::as_str).zip(&v.attributes)))
    }

    /// For each word of a side of a pair, the verse it is in and its number there.
    pub(super) fn places(&self, pair: &VersePair, side: usize) -> Vec<(usize, usize)> {
        let words = |verse: usize| self.both[side].verses[verse].words.len();
        pair.verses[side].iter().flat_map(|&verse| (0..words(verse)).map(move |word| (verse, word))).collect()
    }

    /// Says how many verses there are, and which are on one side only.
    pub(super) fn tell(&self, links: u64, more: &[(&str, u64)], context: &Context) {
        let alone = |side: usize| self.alone[side].len() as u64;
        let mut text = format!(
            "verses       {}\nlinks        {links}\nonly source  {}\nonly target  {}",
            self.pairs.len(),
            alone(0),
            alone(1)
        );
        let mut numbers = json!({
            "verses": self.pairs.len(), "links": links, "only_source": alone(0), "only_target": alone(1),
        });
        for &(what, number) in more {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{what:<12} {number}");
            numbers[what.replace(' ', "_")] = Value::from(number);
        }
        for (side, name) in ["source", "target"].into_iter().enumerate() {
            if let Some(first) = self.alone[side].first() {
                let verses = counted(alone(side), "verse");
                context.warn(format_args!("{verses} only in the {name}, the first is {first}"));
            }
        }
        context.summary(&text, &numbers);
    }
}
