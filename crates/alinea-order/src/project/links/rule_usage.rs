//! Which rules had no effect in a text, and why: a diagnosis for people who write rules.
//!
//! A `RuleUsage` follows a run over a text. It collects the rules that a projector has used, and for each side the
//! rules whose pattern some word or edge of that side matches. Of the rules never used, `idle` reports which pattern
//! no tree has, source or target; if both sides occur, they never occurred beside a link. Patterns are tested once for
//! each distinct tag or edge, which `Numbering` recognizes, so the cost is O(rules × distinct edges), plus O(words).

use std::fmt;

use super::pair::{Numbering, ParsedPair, edge};
use super::rule::{Condition, Side};
use super::rule_set::RuleSet;
use crate::tree::{DependencyTree, ParsedSentence};

/// Counts which rules did something in a text. Each different edge is looked at once.
#[derive(Debug)]
pub struct RuleUsage<'r> {
    rules: &'r RuleSet,
    used: Vec<bool>,
    /// By side: whether some edge or word of it fits the rule.
    fitted: [Vec<bool>; 2],
    numberings: [Numbering; 2],
    /// By side: how many numbers were looked at.
    known: [u32; 2],
}

/// A rule that did nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdleRule {
    /// Its number, from 0.
    pub rule: usize,
    /// As it was understood, names resolved.
    pub text: String,
    /// For each side what nothing in the text fits.
    pub missing: [Option<String>; 2],
}

impl<'r> RuleUsage<'r> {
    /// Of these rules, before the first pair.
    pub fn new(rules: &'r RuleSet) -> Self {
        let none = vec![false; rules.rules.len()];
        Self {
            rules,
            used: none.clone(),
            fitted: [none.clone(), none],
            numberings: [Numbering::default(), Numbering::default()],
            known: [0; 2],
        }
    }

    /// Looks at the trees of a pair.
    pub fn look_at(&mut self, pair: &ParsedPair<'_>) {
        let sides = [(pair.source(), pair.source_tree()), (pair.target(), pair.target_tree())];
        for (side, (sentence, tree)) in sides.into_iter().enumerate() {
            let numbered = self.numberings[side].sentence(sentence, tree);
            let before = self.known[side];
            for (word, (tag, edge)) in (0..).zip(numbered.tags.iter().zip(&numbered.edges)) {
                if *tag >= before || edge.is_some_and(|edge| edge >= before) {
                    self.fit(side, sentence, tree, word);
                }
                self.known[side] = self.known[side].max(tag + 1).max(edge.map_or(0, |edge| edge + 1));
            }
        }
    }

    /// Marks the rules that a word, or the edge to it, fits on one side.
    fn fit(&mut self, side: usize, sentence: &ParsedSentence, tree: &DependencyTree, word: u32) {
        let edge = edge(sentence, tree, word);
        for (rule, fitted) in self.rules.rules.iter().zip(&mut self.fitted[side]) {
            if let Some(wanted) = of_side(&rule.condition, side) {
                *fitted |= wanted.fits_word(sentence.word(word).upos())
                    || edge.as_ref().is_some_and(|edge| wanted.fits_edge(edge));
            }
        }
    }

    /// Adds what a projector [used](super::Projector::used).
    pub fn add_used(&mut self, used: &[bool]) {
        for (one, other) in self.used.iter_mut().zip(used) {
            *one |= other;
        }
    }

    /// The rules that did nothing.
    pub fn idle(&self) -> Vec<IdleRule> {
        let rules = self.rules.rules.iter().enumerate().filter(|(number, _)| !self.used[*number]);
        let idle = |(rule, written): (usize, &super::Rule)| {
            let missing = [0, 1].map(|side| {
                let wanted = of_side(&written.condition, side)?;
                (!self.fitted[side][rule]).then(|| wanted.to_string())
            });
            IdleRule { rule, text: written.condition.to_string(), missing }
        };
        rules.map(idle).collect()
    }
}

fn of_side(condition: &Condition, side: usize) -> Option<&Side> {
    match condition {
        Condition::Sides(source, target) => Some([source, target][side]),
        Condition::Clue(_) => None,
    }
}

impl fmt::Display for IdleRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, text, missing } = self;
        write!(f, "rule {} never matches", rule + 1)?;
        match missing {
            [None, None] => f.write_str(" beside a link")?,
            [Some(source), None] => write!(f, ", no source tree has `{source}`")?,
            [None, Some(target)] => write!(f, ", no target tree has `{target}`")?,
            [Some(source), Some(target)] => write!(f, ", no source tree has `{source}` and no target tree `{target}`")?,
        }
        write!(f, ": {text}")
    }
}
