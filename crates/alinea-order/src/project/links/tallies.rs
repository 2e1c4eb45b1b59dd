//! How often rules are right.

use std::collections::BTreeMap;

use super::projection::{Carried, Projection};
use super::rule::{Direction, Tally};
use crate::alignment::{Alignment, Link};

/// What rules did on annotated text, by rule and direction.
#[derive(Debug, Clone, Default)]
pub struct RuleTallies(BTreeMap<(usize, Direction), RuleTally>);

/// What one rule did in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleTally {
    /// Links that it proposed, and how many of them are right.
    pub proposed: Tally,
    /// Links that it added, and how many of them are right.
    pub accepted: Tally,
    /// Wrong links that it would not have added to another parse of the sentences.
    pub parser_errors: u64,
}

impl RuleTallies {
    /// What was counted, by the number of the rule, from 0, and direction.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Direction, RuleTally)> + '_ {
        self.0.iter().map(|(&(rule, direction), &tally)| (rule, direction, tally))
    }

    /// Counts what was done to a pair; of links that `counts` is false for nothing is counted. With another parse, wrong links are
    /// compared with what the same rules add to that.
    pub fn add(
        &mut self,
        projection: &Projection,
        gold: &Alignment,
        counts: impl Fn(Link) -> bool,
        other_parse: Option<&Projection>,
    ) {
        for proposal in projection.proposed.iter().filter(|proposal| counts(proposal.link)) {
            let tally = self.0.entry((proposal.rule, proposal.direction)).or_default();
            tally.proposed.add(gold.contains(proposal.link));
        }
        for carried in projection.added.iter().filter(|carried| counts(carried.link)) {
            let Some(origin) = carried.origin else { continue };
            let tally = self.0.entry((origin.rule, origin.direction)).or_default();
            let correct = gold.contains(carried.link);
            tally.accepted.add(correct);
            let rule = |carried: &Carried| (carried.link, carried.origin.map(|origin| origin.rule));
            let same = |other: &Carried| rule(other) == rule(carried);
            if !correct && other_parse.is_some_and(|other| !other.added.iter().any(same)) {
                tally.parser_errors += 1;
            }
        }
    }
}
