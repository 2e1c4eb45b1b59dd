//! Feature keys of a pair of siblings: the templates of a model, filled in for two parts of a node.
//!
//! For each pair every item of the templates is evaluated once. A template hashes the values of its items, in order,
//! into one key of 64 bits; its seed keeps equal values of different templates apart. A template with an item that has
//! no value, such as the head word of a part that has none, gives no key. A place outside of the node, such as the part
//! before the first, has the value of the empty string.
//!
//! Numbers are capped, so that rare large values share a feature: distances at 3, parts of a node at 8, lengths at 5.
//! Of more than three parts between the siblings only the number counts. Template syntax: `template`.

use super::super::constituents::{Constituent, Constituents, Node};
use super::super::engine::{Layer, Sentence};
use super::super::features::{Column, Columns};
use super::super::fingerprint::{fingerprint, mix};
use super::template::{Item, Slot, Templates};
use crate::error::Result;

/// How many parts between two siblings are looked at one by one.
const MOST_BETWEEN: usize = 3;

/// The pairs of a sentence.
pub(super) struct Pairs<'s> {
    templates: &'s Templates,
    tree: &'s Constituents,
    columns: Columns,
    /// Whether each word is punctuation.
    punctuation: Vec<bool>,
}

impl<'s> Pairs<'s> {
    pub(super) fn new(
        templates: &'s Templates,
        columns: &[Column],
        sentence: &Sentence,
        tree: &'s Constituents,
    ) -> Result<Self> {
        let words = sentence.layer(Layer::Words).unwrap_or_default();
        let punctuation = words.iter().map(|word| !word.chars().any(char::is_alphanumeric)).collect();
        Ok(Self { templates, tree, columns: Columns::new(columns, sentence)?, punctuation })
    }

    /// The keys of the features of two parts of a node, by their numbers from 0.
    pub(super) fn keys(&self, node: &Node, first: usize, second: usize, keys: &mut Vec<u64>) {
        let Templates { items, templates } = self.templates;
        let values: Vec<Option<u64>> = items.iter().map(|&item| self.value(item, node, first, second)).collect();
        let key = |(seed, numbers): &(u64, Vec<usize>)| {
            numbers.iter().try_fold(*seed, |state, &number| Some(mix(state, values[number]?)))
        };
        keys.clear();
        keys.extend(templates.iter().filter_map(key));
    }

    fn value(&self, item: Item, node: &Node, first: usize, second: usize) -> Option<u64> {
        let (a, b) = (&node.parts[first], &node.parts[second]);
        let length = |part: &Constituent| part.range().len() as u64;
        match item {
            Item::Word(slot, column) => self.column(slot, column, node, first, second),
            Item::Label(slot) => {
                let label = match slot {
                    Slot::First => a.label(),
                    Slot::Second => b.label(),
                    _ => node.label(),
                };
                label.map(|label| fingerprint(label.as_bytes()))
            }
            Item::Side => Some(side(node, first, second)),
            Item::Distance => Some((second - first - 1).min(3) as u64),
            Item::Punctuation => {
                let between = a.range().end - 1..=b.range().start;
                Some(u64::from(self.punctuation[between].contains(&true)))
            }
            Item::Parts => Some(node.parts.len().min(8) as u64),
            Item::Lengths => Some(length(a).min(5) * 6 + length(b).min(5)),
            Item::Longer => Some(length(a).cmp(&length(b)) as i8 as u64),
        }
    }

    fn column(&self, slot: Slot, column: usize, node: &Node, first: usize, second: usize) -> Option<u64> {
        let (a, b) = (&node.parts[first], &node.parts[second]);
        let outside = fingerprint(b"");
        let part = |number: Option<usize>| match number.and_then(|number| node.parts.get(number)) {
            Some(part) => part.word.map(|word| self.at(column, word)),
            None => Some(outside),
        };
        match slot {
            Slot::First => a.word.map(|word| self.at(column, word)),
            Slot::FirstBegin => Some(self.at(column, a.words.0)),
            Slot::FirstEnd => Some(self.at(column, a.words.1 - 1)),
            Slot::Second => b.word.map(|word| self.at(column, word)),
            Slot::SecondBegin => Some(self.at(column, b.words.0)),
            Slot::SecondEnd => Some(self.at(column, b.words.1 - 1)),
            Slot::Head => node.this.word.map(|word| self.at(column, word)),
            Slot::Above => match node.above {
                Some(above) => self.tree.nodes()[above].this.word.map(|word| self.at(column, word)),
                None => Some(outside),
            },
            Slot::Before => part(first.checked_sub(1)),
            Slot::After => part(Some(second + 1)),
            Slot::Between => {
                let between = &node.parts[first + 1..second];
                if between.len() > MOST_BETWEEN {
                    return Some(between.len() as u64);
                }
                between.iter().try_fold(outside, |state, part| Some(mix(state, self.at(column, part.word?))))
            }
        }
    }

    fn at(&self, column: usize, word: u32) -> u64 {
        // Columns have a margin of two places before the sentence.
        self.columns.shifted(column, word as usize + 2)
    }
}

fn side(node: &Node, first: usize, second: usize) -> u64 {
    match node.parts.iter().position(|part| part.is_head) {
        None => 0,
        Some(head) if head < first => 1,
        Some(head) if head == first => 2,
        Some(head) if head < second => 3,
        Some(head) if head == second => 4,
        Some(_) => 5,
    }
}
