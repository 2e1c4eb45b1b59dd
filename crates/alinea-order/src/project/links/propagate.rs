//! Rules without weights: links are carried where it is clear to what.
//!
//! In rounds, until nothing is added. In a round every link so far proposes: downwards, pairs of its words' unlinked
//! dependents; upwards, the pair of their heads if both are unlinked; each if a rule fits the two edges, the first that
//! does. A proposal is *clear* unless the same link, in the same direction and by the same rule, also proposes another
//! pair with one of its words. What is proposed clearly once, or by two links, is accepted, one link a word, in
//! this order: more links that propose it, then the rule that comes first, then the smaller difference of relative
//! positions, then positions. So the result does not depend on the order of the anchors.

use std::collections::{BTreeMap, BTreeSet};

use super::pair::{Matches, Numbered, Numbering, ParsedPair, edge};
use super::projection::{Carried, Origin, Proposal, Restriction};
use super::rule::{Direction, Rule, Tally};
use super::rule_set::RuleSet;
use crate::alignment::{Alignment, Link};
use crate::error::Result;

/// Why a pair is proposed: the link, the direction, the rule.
type Reason = (Link, Direction, u32);

/// Carries links. Keeps what it learned about edges, for the next pair.
#[derive(Debug)]
pub(super) struct Propagator<'r> {
    rules: &'r RuleSet,
    least_precision: f64,
    rounds: u32,
    source: Numbering,
    target: Numbering,
    matches: Matches,
    /// By rule: whether it proposed anything, or is too imprecise to be asked.
    used: Vec<bool>,
}

/// The links of a pair so far, and which words have one.
struct State {
    links: Alignment,
    source_linked: Vec<bool>,
    target_linked: Vec<bool>,
}

impl<'r> Propagator<'r> {
    pub(super) fn new(rules: &'r RuleSet, least_precision: f64, rounds: Option<u32>) -> Self {
        let (source, target) = (Numbering::default(), Numbering::default());
        let used = rules.rules.iter().map(|rule| precision_of(rule) < least_precision).collect();
        let matches = Matches::default();
        Self { rules, least_precision, rounds: rounds.unwrap_or(u32::MAX), source, target, matches, used }
    }

    /// By rule: whether it proposed anything so far, or is too imprecise to be asked.
    pub(super) fn used(&self) -> &[bool] {
        &self.used
    }

    /// The links that rules add to the anchors, in the order in which they were added.
    pub(super) fn carry(
        &mut self,
        pair: &ParsedPair<'_>,
        anchors: &Alignment,
        allowed: Restriction,
        recorded: &mut Option<BTreeSet<Proposal>>,
    ) -> Result<Vec<Carried>> {
        let source = self.source.sentence(pair.source(), pair.source_tree());
        let target = self.target.sentence(pair.target(), pair.target_tree());
        let mut state = State::new(pair, anchors);
        let mut added = Vec::new();
        for round in 1..=self.rounds {
            pair.check_proposals(&state.links)?;
            let proposals = self.propose(pair, [&source, &target], &state, allowed);
            if let Some(recorded) = recorded {
                let reasons =
                    proposals.iter().flat_map(|(&link, reasons)| reasons.iter().map(move |reason| (link, reason)));
                recorded.extend(reasons.map(|(link, &(_, direction, rule))| Proposal {
                    link,
                    rule: rule as usize,
                    direction,
                }));
            }
            let accepted = state.accept(pair, &proposals, round);
            if accepted.is_empty() {
                break;
            }
            added.extend(accepted);
        }
        Ok(added)
    }

    /// All pairs that links propose, with their reasons.
    fn propose(
        &mut self,
        pair: &ParsedPair<'_>,
        numbered: [&Numbered; 2],
        state: &State,
        allowed: Restriction,
    ) -> BTreeMap<Link, Vec<Reason>> {
        let mut proposals: BTreeMap<Link, Vec<Reason>> = BTreeMap::new();
        let (source_tree, target_tree) = (pair.source_tree(), pair.target_tree());
        let mut propose = |from: Link, to: Link, edges: Link, direction| {
            if allowed.forbids(pair, to) {
                return;
            }
            if let Some(rule) = self.first_rule(pair, numbered, edges, direction) {
                proposals.entry(to).or_default().push((from, direction, rule));
            }
        };
        for from in state.links.iter() {
            for &source in source_tree.dependents(from.source) {
                for &target in target_tree.dependents(from.target) {
                    let to = Link { source, target };
                    if state.is_free(to) {
                        propose(from, to, to, Direction::Down);
                    }
                }
            }
            let heads = (source_tree.head(from.source), target_tree.head(from.target));
            if let (Some(source), Some(target)) = heads
                && state.is_free(Link { source, target })
            {
                propose(from, Link { source, target }, from, Direction::Up);
            }
        }
        proposals
    }

    /// The first rule that fits the edges to two words.
    fn first_rule(
        &mut self,
        pair: &ParsedPair<'_>,
        numbered: [&Numbered; 2],
        words: Link,
        direction: Direction,
    ) -> Option<u32> {
        let source = numbered[0].edges[words.source as usize]?;
        let target = numbered[1].edges[words.target as usize]?;
        let edges = (
            edge(pair.source(), pair.source_tree(), words.source)?,
            edge(pair.target(), pair.target_tree(), words.target)?,
        );
        let rules = self.matches.find(
            (source, target),
            self.rules,
            |side| side.fits_edge(&edges.0),
            |side| side.fits_edge(&edges.1),
        );
        let first = rules.iter().copied().find(|&rule| {
            let rule = &self.rules.rules[rule as usize];
            rule.goes(direction) && precision_of(rule) >= self.least_precision
        })?;
        self.used[first as usize] = true;
        Some(first)
    }
}

/// A rule of which nothing is known is trusted.
fn precision_of(rule: &Rule) -> f64 {
    rule.tally.and_then(Tally::precision).unwrap_or(1.0)
}

impl State {
    fn new(pair: &ParsedPair<'_>, anchors: &Alignment) -> Self {
        let mut state = Self {
            links: anchors.clone(),
            source_linked: vec![false; pair.source().len()],
            target_linked: vec![false; pair.target().len()],
        };
        for link in anchors.iter() {
            state.mark(link);
        }
        state
    }

    fn mark(&mut self, link: Link) {
        self.source_linked[link.source as usize] = true;
        self.target_linked[link.target as usize] = true;
    }

    fn is_free(&self, link: Link) -> bool {
        !self.source_linked[link.source as usize] && !self.target_linked[link.target as usize]
    }

    /// Accepts what it may of a round's proposals.
    fn accept(&mut self, pair: &ParsedPair<'_>, proposals: &BTreeMap<Link, Vec<Reason>>, round: u32) -> Vec<Carried> {
        let rivals = Rivals::new(proposals);
        let mut candidates = Vec::new();
        for (&link, reasons) in proposals {
            let supports = distinct_links(reasons);
            if supports >= 2 || reasons.iter().any(|reason| rivals.is_clear(reason, link)) {
                let best = reasons.iter().min_by_key(|(from, direction, rule)| (*rule, *from, *direction));
                candidates.extend(best.map(|&reason| (supports, reason, pair.distance(link), link)));
            }
        }
        candidates.sort_by(|a, b| {
            let rank = |c: &(usize, Reason, f64, Link)| (std::cmp::Reverse(c.0), c.1.2);
            rank(a).cmp(&rank(b)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3))
        });
        let mut added = Vec::new();
        for (supports, (from, direction, rule), _, link) in candidates {
            if self.is_free(link) {
                self.links.insert(link);
                self.mark(link);
                let origin = Some(Origin { from, direction, rule: rule as usize });
                added.push(Carried { link, origin, supports, round, probability: None });
            }
        }
        added
    }
}

/// How many pairs with a word in them a reason proposes.
struct Rivals {
    sources: BTreeMap<(Reason, u32), u32>,
    targets: BTreeMap<(Reason, u32), u32>,
}

impl Rivals {
    fn new(proposals: &BTreeMap<Link, Vec<Reason>>) -> Self {
        let (mut sources, mut targets) = (BTreeMap::new(), BTreeMap::new());
        for (link, reasons) in proposals {
            for &reason in reasons {
                *sources.entry((reason, link.source)).or_default() += 1;
                *targets.entry((reason, link.target)).or_default() += 1;
            }
        }
        Self { sources, targets }
    }

    fn is_clear(&self, &reason: &Reason, link: Link) -> bool {
        self.sources[&(reason, link.source)] == 1 && self.targets[&(reason, link.target)] == 1
    }
}

/// How many different links are among the reasons.
fn distinct_links(reasons: &[Reason]) -> usize {
    let mut links: Vec<Link> = reasons.iter().map(|reason| reason.0).collect();
    links.sort_unstable();
    links.dedup();
    links.len()
}
