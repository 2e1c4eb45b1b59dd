//! Evidence for and against candidate links: the links around them in both trees, and clues.
//!
//! A `Scene` is a sentence pair with the links so far and the confidences of the aligner. Its *candidates* are the
//! pairs of words that are no links but have a confidence or can be reached from a link, where both words of it, or one
//! of them, move to a dependent, or both, or one, to the head.
//!
//! `contexts` lists the links from which a candidate is reached, with the direction and the step on each side; rules
//! with edges are matched against these. `clues` lists the rest: how many contexts there are, how many links both words
//! have, whether their partners are siblings, unrelated or adjacent in the sentence, whether the neighbors on both
//! sides are linked in parallel, the distance from the diagonal, cognates, equal relations, and the confidence. Numbers
//! are binned, so that each clue holds or does not.

use super::cognates::are_cognates;
use super::pair::ParsedPair;
use super::rule::{Clue, Direction};
use crate::alignment::{Alignment, Link, WeightedLink};
use crate::tree::DependencyTree;

/// How one side comes from a linked word to a word of the candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// It is the same word.
    Stay(u32),
    /// Along the edge to this word, up or down.
    Along(u32),
}

/// A link from which a candidate can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Context {
    /// The link.
    pub(super) from: Link,
    /// Whether heads or dependents are reached.
    pub(super) direction: Direction,
    /// The step on the source side.
    pub(super) source: Step,
    /// The step on the target side.
    pub(super) target: Step,
}

/// A sentence pair with the links so far.
#[derive(Debug)]
pub(super) struct Scene<'p, 's> {
    pub(super) pair: &'p ParsedPair<'s>,
    links: &'p Alignment,
    confidences: &'p [WeightedLink],
    /// The highest confidence of each source word's candidates, and of each target word's.
    highest: [Vec<f32>; 2],
    /// The target words of each source word, and the source words of each target word.
    partners: [Vec<Vec<u32>>; 2],
}

impl<'p, 's> Scene<'p, 's> {
    /// The scene; confidences sorted by link.
    pub(super) fn new(pair: &'p ParsedPair<'s>, links: &'p Alignment, confidences: &'p [WeightedLink]) -> Self {
        let mut partners = [vec![Vec::new(); pair.source().len()], vec![Vec::new(); pair.target().len()]];
        for link in links.iter() {
            partners[0][link.source as usize].push(link.target);
            partners[1][link.target as usize].push(link.source);
        }
        let mut highest = [vec![0.0f32; pair.source().len()], vec![0.0; pair.target().len()]];
        for &WeightedLink { link, weight } in confidences {
            for (side, word) in highest.iter_mut().zip([link.source, link.target]) {
                side[word as usize] = side[word as usize].max(weight);
            }
        }
        Self { pair, links, confidences, highest, partners }
    }

    /// All pairs that are reached from a link, or that the aligner had some confidence in, and are no links; sorted.
    pub(super) fn candidates(&self) -> Vec<Link> {
        let (source_tree, target_tree) = (self.pair.source_tree(), self.pair.target_tree());
        let mut found: Vec<Link> = self.confidences.iter().map(|weighted| weighted.link).collect();
        for from in self.links.iter() {
            let sources = source_tree.dependents(from.source);
            let targets = target_tree.dependents(from.target);
            let heads = (source_tree.head(from.source), target_tree.head(from.target));
            for &source in sources {
                found.extend(targets.iter().map(|&target| Link { source, target }));
                found.push(Link { source, target: from.target });
            }
            found.extend(targets.iter().map(|&target| Link { source: from.source, target }));
            found.extend(heads.0.map(|source| Link { source, target: from.target }));
            found.extend(heads.1.map(|target| Link { source: from.source, target }));
            if let (Some(source), Some(target)) = heads {
                found.push(Link { source, target });
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&link| !self.links.contains(link));
        found
    }

    /// The links from which a candidate is reached.
    pub(super) fn contexts(&self, to: Link) -> Vec<Context> {
        let (source_tree, target_tree) = (self.pair.source_tree(), self.pair.target_tree());
        let heads = (source_tree.head(to.source), target_tree.head(to.target));
        let mut found = Vec::new();
        let mut add = |source: u32, target: u32, direction, steps: (Step, Step)| {
            let from = Link { source, target };
            if self.links.contains(from) {
                found.push(Context { from, direction, source: steps.0, target: steps.1 });
            }
        };
        let (along, stay) =
            ((Step::Along(to.source), Step::Along(to.target)), (Step::Stay(to.source), Step::Stay(to.target)));
        if let (Some(source), Some(target)) = heads {
            add(source, target, Direction::Down, along);
        }
        if let Some(target) = heads.1 {
            add(to.source, target, Direction::Down, (stay.0, along.1));
        }
        if let Some(source) = heads.0 {
            add(source, to.target, Direction::Down, (along.0, stay.1));
        }
        for &source in source_tree.dependents(to.source) {
            for &target in &self.partners[0][source as usize] {
                if target_tree.head(target) == Some(to.target) {
                    add(source, target, Direction::Up, (Step::Along(source), Step::Along(target)));
                }
            }
            add(source, to.target, Direction::Up, (Step::Along(source), stay.1));
        }
        for &target in target_tree.dependents(to.target) {
            add(to.source, target, Direction::Up, (stay.0, Step::Along(target)));
        }
        found
    }

    /// The clues about a candidate that is reached from so many links.
    pub(super) fn clues(&self, link: Link, contexts: usize) -> Vec<Clue> {
        let Link { source, target } = link;
        let (targets, sources) = (&self.partners[0][source as usize], &self.partners[1][target as usize]);
        let count = |partners: &[u32]| partners.len().min(2) as u8;
        let links = (count(targets), count(sources));
        let mut clues = vec![
            Clue::Reached(contexts.min(3) as u8),
            Clue::Links(links.0, links.1),
            Clue::Distance(tenths(self.pair.distance(link))),
        ];
        let mut add = |clue, holds: bool| {
            if holds {
                clues.push(clue);
            }
        };
        let relation = |tree: &DependencyTree, others: &[u32], word| {
            let sibling = others.iter().any(|&other| is_sibling(tree, other, word));
            let apart = others.iter().any(|&other| is_apart(tree, other, word));
            let neighbor = others.iter().any(|&other| other.abs_diff(word) == 1);
            [sibling, apart, neighbor]
        };
        let [sibling, apart, neighbor] = relation(self.pair.target_tree(), targets, target);
        add(Clue::TargetSibling, sibling);
        add(Clue::TargetApart, apart);
        add(Clue::TargetNeighbor, neighbor);
        let [sibling, apart, neighbor] = relation(self.pair.source_tree(), sources, source);
        add(Clue::SourceSibling, sibling);
        add(Clue::SourceApart, apart);
        add(Clue::SourceNeighbor, neighbor);
        let before = source > 0
            && target > 0
            && self.links.contains(Link { source: source.wrapping_sub(1), target: target.wrapping_sub(1) });
        let after = self.links.contains(Link { source: source + 1, target: target + 1 });
        add(Clue::Parallel(1), before != after);
        add(Clue::Parallel(2), before && after);
        let words = (self.pair.source().word(source).form(), self.pair.target().word(target).form());
        add(Clue::Cognate, are_cognates(words.0, words.1));
        let relations = (self.pair.source().word(source).relation(), self.pair.target().word(target).relation());
        add(Clue::SameRelation, relations.0 == relations.1);
        self.add_confidence(link, links, &mut clues);
        clues
    }

    /// The clues about the aligner's confidence.
    fn add_confidence(&self, link: Link, links: (u8, u8), clues: &mut Vec<Clue>) {
        let Some(confidence) = self.confidence(link) else {
            clues.push(Clue::NoConfidence);
            return;
        };
        let tenths = tenths(f64::from(confidence));
        clues.extend([Clue::Confidence(tenths), Clue::ConfidenceLinks(tenths, links.0, links.1)]);
        if confidence >= self.highest[0][link.source as usize] {
            clues.push(Clue::BestOfSource);
        }
        if confidence >= self.highest[1][link.target as usize] {
            clues.push(Clue::BestOfTarget);
        }
    }

    fn confidence(&self, link: Link) -> Option<f32> {
        let place = self.confidences.binary_search_by_key(&link, |weighted| weighted.link).ok()?;
        Some(self.confidences[place].weight)
    }
}

/// Tenths of a number from 0 to 1, rounded down; 9 at most.
fn tenths(share: f64) -> u8 {
    (share * 10.0).clamp(0.0, 9.0) as u8
}

fn is_sibling(tree: &DependencyTree, a: u32, b: u32) -> bool {
    a != b && tree.head(a).is_some() && tree.head(a) == tree.head(b)
}

/// Whether two words are neither one word, nor head and dependent, nor siblings.
fn is_apart(tree: &DependencyTree, a: u32, b: u32) -> bool {
    a != b && tree.head(a) != Some(b) && tree.head(b) != Some(a) && !is_sibling(tree, a, b)
}
