//! A sentence pair as rules see it, and a cache of the rules that fit two tags or two edges.
//!
//! A `ParsedPair` is two sentences that both have a dependency tree. Rules look at the tag of a word, or at an edge:
//! the tag of the head, the relation, and the tag of the dependent. `Numbering` gives equal tags and equal edges of one
//! side the same number, across sentences. `Matches` remembers which rules fit a pair of numbers: the source side of
//! a rule is tested once for each source number, and the target side, if that fits, once for each pair of numbers.
//!
//! The distance of a link from the diagonal is |i/I - j/J|, for the i-th of I source words and the j-th of J target
//! words. `check_proposals` limits the work: the pairs of dependents of linked words, summed over all links, must not
//! be more than `limits::PROPOSALS`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::rule::{Condition, Edge, Rule, Side};
use super::rule_set::RuleSet;
use crate::alignment::{Alignment, Link};
use crate::bitext::Vocabulary;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::tree::{DependencyTree, ParsedSentence};

/// Two sentences with trees.
#[derive(Debug, Clone, Copy)]
pub struct ParsedPair<'s> {
    source: &'s ParsedSentence,
    target: &'s ParsedSentence,
    trees: [&'s DependencyTree; 2],
}

impl<'s> ParsedPair<'s> {
    /// A pair of sentences.
    ///
    /// # Errors
    /// `Inconsistent` if the words of one have no heads.
    pub fn new(source: &'s ParsedSentence, target: &'s ParsedSentence) -> Result<Self> {
        let tree = |sentence: &'s ParsedSentence, side: &str| {
            sentence.tree().ok_or_else(|| {
                let message = format!("the {side} sentence at line {} has no tree", sentence.line_of(0));
                crate::error::Error::from(ErrorKind::Inconsistent(message))
            })
        };
        Ok(Self { source, target, trees: [tree(source, "source")?, tree(target, "target")?] })
    }

    /// The source sentence.
    pub fn source(&self) -> &'s ParsedSentence {
        self.source
    }

    /// The target sentence.
    pub fn target(&self) -> &'s ParsedSentence {
        self.target
    }

    /// The tree of the source sentence.
    pub(super) fn source_tree(&self) -> &'s DependencyTree {
        self.trees[0]
    }

    /// The tree of the target sentence.
    pub(super) fn target_tree(&self) -> &'s DependencyTree {
        self.trees[1]
    }

    /// Refuses links out of the sentences.
    pub(super) fn check(&self, links: &Alignment) -> Result<()> {
        let (source, target) = (self.source.len(), self.target.len());
        match links.first_outside(source, target) {
            None => Ok(()),
            Some(link) => {
                let trees = format!("the trees at lines {} and {}", self.source.line_of(0), self.target.line_of(0));
                Err(Error::link_outside(link, &trees, [source, target], "words"))
            }
        }
    }

    /// Refuses links whose words have so many dependents that pairs of them are more than [`limits::PROPOSALS`]. Linear.
    pub(super) fn check_proposals(&self, links: &Alignment) -> Result<()> {
        let dependents = |tree: &DependencyTree, word: u32| tree.dependents(word).len() as u64;
        let of_link = |link: Link| dependents(self.trees[0], link.source) * dependents(self.trees[1], link.target);
        limits::PROPOSALS.check(links.iter().map(of_link).sum::<u64>()).map_err(|error| {
            let lines = (self.source.line_of(0), self.target.line_of(0));
            error.at(format_args!("the trees at lines {} and {}", lines.0, lines.1))
        })
    }

    /// The difference of the relative positions of two words, counted from 1.
    pub(super) fn distance(&self, link: Link) -> f64 {
        let position = |word: u32, length: usize| f64::from(word + 1) / length as f64;
        (position(link.source, self.source.len()) - position(link.target, self.target.len())).abs()
    }
}

/// The edge from a word's head to it.
pub(super) fn edge<'s>(sentence: &'s ParsedSentence, tree: &DependencyTree, word: u32) -> Option<Edge<'s>> {
    let head = tree.head(word)?;
    let dependent = sentence.word(word);
    Some(Edge { head: sentence.word(head).upos(), relation: dependent.deprel(), dependent: dependent.upos() })
}

/// Numbers of what rules look at on one side: of parts of speech, and of edges. The same number, the same rules.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    names: Vocabulary,
    name: Vec<u8>,
}

impl Numbering {
    /// The numbers of the words' tags, and of the edges to them (none at roots).
    pub(super) fn sentence(&mut self, sentence: &ParsedSentence, tree: &DependencyTree) -> Numbered {
        let words = 0..sentence.len() as u32;
        Numbered {
            tags: words.clone().map(|word| self.number(&[sentence.word(word).upos()])).collect(),
            edges: words
                .map(|word| {
                    edge(sentence, tree, word).map(|edge| self.number(&[edge.head, edge.relation, edge.dependent]))
                })
                .collect(),
        }
    }

    fn number(&mut self, parts: &[&str]) -> u32 {
        self.name.clear();
        for part in parts {
            self.name.extend_from_slice(part.as_bytes());
            self.name.push(b'\t');
        }
        self.names.intern(&self.name).index() as u32
    }
}

/// The numbers of a sentence.
#[derive(Debug)]
pub(super) struct Numbered {
    /// Of each word's part of speech.
    pub(super) tags: Vec<u32>,
    /// Of the edge to each word.
    pub(super) edges: Vec<Option<u32>>,
}

/// Which rules fit two sides. Remembers what it found.
#[derive(Debug, Default)]
pub(super) struct Matches {
    /// By the number of the source side: the rules whose source side fits. These are few, and the target side is asked of
    /// them only.
    sources: BTreeMap<u32, Arc<[u32]>>,
    found: BTreeMap<(u32, u32), Arc<[u32]>>,
}

impl Matches {
    /// The rules, in order, whose source side the first function fits, and whose target side the second; asked only once
    /// for two numbers.
    pub(super) fn find(
        &mut self,
        numbers: (u32, u32),
        rules: &RuleSet,
        fits_source: impl Fn(&Side) -> bool,
        fits_target: impl Fn(&Side) -> bool,
    ) -> Arc<[u32]> {
        let Self { sources, found } = self;
        let found = found.entry(numbers).or_insert_with(|| {
            let sources = sources.entry(numbers.0).or_insert_with(|| {
                let fits = |rule: &Rule| sides(rule).is_some_and(|(source, _)| fits_source(source));
                (0..).zip(&rules.rules).filter(|(_, rule)| fits(rule)).map(|(index, _)| index).collect()
            });
            let fits = |rule: u32| sides(&rules.rules[rule as usize]).is_some_and(|(_, target)| fits_target(target));
            sources.iter().copied().filter(|&rule| fits(rule)).collect()
        });
        Arc::clone(found)
    }
}

fn sides(rule: &Rule) -> Option<(&Side, &Side)> {
    match &rule.condition {
        Condition::Sides(source, target) => Some((source, target)),
        Condition::Clue(_) => None,
    }
}
