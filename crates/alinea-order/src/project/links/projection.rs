//! The result types of projection, and the restriction to content words.
//!
//! A `Projection` has all links of a pair and, for each that was added, a `Carried`: the link and rule that it comes
//! from, how many links support it, the round, and under rules with weights its probability. With recording on it also
//! lists every `Proposal`, accepted or not, from which the precision of rules is measured.
//!
//! `Restriction::ContentWords` excludes function words by their Universal Dependencies relation (`det`, `case`, `aux`,
//! `mark`, `cc`, `cop`, with subtypes). The types are filled in by `propagate` (rules without weights) and `weigh`.

use super::pair::ParsedPair;
use super::rule::Direction;
use crate::alignment::{Alignment, Link};

/// Relations of words that are not content words.
const GRAMMAR: [&str; 6] = ["det", "case", "aux", "mark", "cc", "cop"];

/// The least probability of a link where neither configuration nor rules have one.
pub(super) const DEFAULT_THRESHOLD: f64 = 0.4;

/// Which words may be linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restriction {
    /// All.
    #[default]
    None,
    /// All but those whose relation is `det`, `case`, `aux`, `mark`, `cc` or `cop`, or a subtype.
    ContentWords,
}

impl Restriction {
    pub(super) fn forbids(self, pair: &ParsedPair<'_>, link: Link) -> bool {
        let grammar = |relation: &str| GRAMMAR.contains(&relation);
        self == Self::ContentWords
            && (grammar(pair.source().word(link.source).relation())
                || grammar(pair.target().word(link.target).relation()))
    }
}

/// A link that was added, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// The link.
    pub link: Link,
    /// Where it was carried from, and by what; none if no link carries it, and the weights of clues alone were enough.
    pub origin: Option<Origin>,
    /// How many links proposed it.
    pub supports: usize,
    /// In which round it was added, from 1.
    pub round: u32,
    /// Its probability, under rules with weights.
    pub probability: Option<f64>,
}

/// Where a link was carried from: where several links propose it, one from which the best rule carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The link.
    pub from: Link,
    /// Whether that is between the words' heads ([`Direction::Down`]) or dependents.
    pub direction: Direction,
    /// The rule, the first that fits or that with the highest weight: its number, from 0.
    pub rule: usize,
}

/// A link that a rule would carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proposal {
    /// The link.
    pub link: Link,
    /// The rule, by its number from 0.
    pub rule: usize,
    /// The way it is carried.
    pub direction: Direction,
}

/// All links of a pair: the anchors and what was added.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Projection {
    /// The links.
    pub links: Alignment,
    /// Those that rules added, in the order in which they were added.
    pub added: Vec<Carried>,
    /// All that rules proposed, accepted or not, sorted, each once; empty unless they are to be recorded.
    pub proposed: Vec<Proposal>,
}
