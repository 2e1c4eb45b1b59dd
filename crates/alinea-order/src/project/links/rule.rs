//! Rules: what must stand in the two trees for a link to be carried, and how reliable each rule is.
//!
//! The condition of a `Rule` is a side for each tree, or a clue. A side is an edge (tag of the head, relation, tag of
//! the dependent), along which the link moves, or a single word, at which it stays. A `Pattern` is `*` or a list of
//! names; a relation also matches its subtypes, as `obl` matches `obl:agent`. A rule may hold for one direction only:
//! `down`, from heads to dependents, or `up`. Clues, other evidence for a link, occur only in rules with weights.
//!
//! The weight of a rule is added to the log odds of a link. Its `Tally` gives the precision p, of n proposed links,
//! with the score interval of Wilson (1927), where z = 1.96 for 95 %:
//!
//! ```text
//! (p + z²/2n ± z √(p (1 - p) / n + z²/4n²)) / (1 + z²/n)
//! ```
//!
//! `Display` writes the syntax of rule files, which `rule_set` describes.

use std::fmt;

use crate::numeric::Interval;

/// Parts of speech: any, or one of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pattern(Option<Vec<String>>);

impl Pattern {
    /// Fits everything; written `*`.
    pub const ANY: Self = Self(None);

    /// Fits each of the names, which `|` separates; `*` fits everything.
    pub fn new(text: &str) -> Self {
        if text == "*" {
            return Self::ANY;
        }
        Self(Some(text.split('|').map(str::to_owned).collect()))
    }

    /// What fits this or another.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0.zip(other.0).map(|(names, others)| [names, others].concat()))
    }

    /// Whether a part of speech is one of the list.
    pub fn fits_tag(&self, tag: &str) -> bool {
        self.fits(|name| name == tag)
    }

    /// Whether a relation is one of the list, or a subtype of one: `obl` fits `obl:agent`, but not the other way round.
    pub fn fits_relation(&self, relation: &str) -> bool {
        self.fits(|name| relation.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')))
    }

    fn fits(&self, test: impl Fn(&str) -> bool) -> bool {
        self.0.as_ref().is_none_or(|names| names.iter().any(|name| test(name)))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("*"),
            Some(names) => f.write_str(&names.join("|")),
        }
    }
}

/// One side of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// A word: the link stays with it.
    Word(Pattern),
    /// A head and a dependent: the link goes from the one to the other.
    Edge {
        /// The head's part of speech.
        head: Pattern,
        /// The relation of the dependent to it.
        relation: Pattern,
        /// The dependent's part of speech.
        dependent: Pattern,
    },
}

impl Side {
    /// Whether an edge of a tree fits.
    pub fn fits_edge(&self, edge: &Edge<'_>) -> bool {
        match self {
            Self::Word(_) => false,
            Self::Edge { head, relation, dependent } => {
                relation.fits_relation(edge.relation) && head.fits_tag(edge.head) && dependent.fits_tag(edge.dependent)
            }
        }
    }

    /// Whether a word fits.
    pub fn fits_word(&self, tag: &str) -> bool {
        match self {
            Self::Word(pattern) => pattern.fits_tag(tag),
            Self::Edge { .. } => false,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(pattern) => write!(f, "{pattern}"),
            Self::Edge { head, relation, dependent } => write!(f, "{head} -{relation}-> {dependent}"),
        }
    }
}

/// An edge of a tree, by what rules ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge<'s> {
    /// The head's part of speech.
    pub head: &'s str,
    /// The dependent's relation.
    pub relation: &'s str,
    /// The dependent's part of speech.
    pub dependent: &'s str,
}

/// Which way links are carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From heads to dependents.
    Down,
    /// From dependents to heads.
    Up,
}

impl Direction {
    /// `down` or `up`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
        }
    }
}

/// What else may speak for a link, or against it, where rules have weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Clue {
    /// The aligner's confidence in it, in tenths rounded down, 0 to 9.
    Confidence(u8),
    /// The aligner gives it none.
    NoConfidence,
    /// From how many links rules could carry one to it: 0, 1, 2, or 3 for more.
    Reached(u8),
    /// How many links the two words have: 0, 1, or 2 for more.
    Links(u8, u8),
    /// The source word is linked to a sibling of the target word: both have one head.
    TargetSibling,
    /// The target word is linked to a sibling of the source word.
    SourceSibling,
    /// The source word is linked to a target word that is neither head, dependent nor sibling of this one.
    TargetApart,
    /// The target word is linked to a source word that is neither head, dependent nor sibling of this one.
    SourceApart,
    /// The source word is linked to the target word's neighbor.
    TargetNeighbor,
    /// The target word is linked to the source word's neighbor.
    SourceNeighbor,
    /// So many of the two words before, and the two words after, are linked: 1 or 2.
    Parallel(u8),
    /// The difference of relative positions, in tenths rounded down, 0 to 9.
    Distance(u8),
    /// The words are cognates.
    Cognate,
    /// Both words have the same relation, subtypes aside.
    SameRelation,
    /// The aligner's confidence in it, in tenths, and how many links the two words have, as in `Links`.
    ConfidenceLinks(u8, u8, u8),
    /// The aligner has no more confidence in any other link of the source word.
    BestOfSource,
    /// The same of the target word.
    BestOfTarget,
}

impl Clue {
    /// All clues.
    pub fn all() -> impl Iterator<Item = Self> {
        let tenths = |clue: fn(u8) -> Self| (0..10).map(clue);
        let links = (0..3).flat_map(|source| (0..3).map(move |target| Self::Links(source, target)));
        let plain = [
            Self::NoConfidence,
            Self::Reached(0),
            Self::Reached(1),
            Self::Reached(2),
            Self::Reached(3),
            Self::TargetSibling,
            Self::SourceSibling,
            Self::TargetApart,
            Self::SourceApart,
            Self::TargetNeighbor,
            Self::SourceNeighbor,
            Self::Parallel(1),
            Self::Parallel(2),
            Self::Cognate,
            Self::SameRelation,
            Self::BestOfSource,
            Self::BestOfTarget,
        ];
        let confident =
            (0..10).flat_map(|tenths| (0..9).map(move |links| Self::ConfidenceLinks(tenths, links / 3, links % 3)));
        tenths(Self::Confidence).chain(links).chain(plain).chain(tenths(Self::Distance)).chain(confident)
    }
}

impl fmt::Display for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Confidence(tenths) => write!(f, "confidence-0.{tenths}"),
            Self::NoConfidence => f.write_str("no-confidence"),
            Self::Reached(number) => write!(f, "reached-{number}"),
            Self::Links(source, target) => write!(f, "links-{source}-{target}"),
            Self::TargetSibling => f.write_str("target-sibling"),
            Self::SourceSibling => f.write_str("source-sibling"),
            Self::TargetApart => f.write_str("target-apart"),
            Self::SourceApart => f.write_str("source-apart"),
            Self::TargetNeighbor => f.write_str("target-neighbor"),
            Self::SourceNeighbor => f.write_str("source-neighbor"),
            Self::Parallel(number) => write!(f, "parallel-{number}"),
            Self::Distance(tenths) => write!(f, "distance-0.{tenths}"),
            Self::Cognate => f.write_str("cognate"),
            Self::SameRelation => f.write_str("same-relation"),
            Self::ConfidenceLinks(tenths, source, target) => write!(f, "confidence-0.{tenths}-links-{source}-{target}"),
            Self::BestOfSource => f.write_str("best-of-source"),
            Self::BestOfTarget => f.write_str("best-of-target"),
        }
    }
}

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// Both trees: a link is carried along the edges, and stays where there is none.
    Sides(Side, Side),
    /// A clue.
    Clue(Clue),
}

impl Condition {
    /// Whether it carries links from one pair of words to another: whether a side has an edge.
    pub fn carries(&self) -> bool {
        match self {
            Self::Sides(source, target) => [source, target].into_iter().any(|side| matches!(side, Side::Edge { .. })),
            Self::Clue(_) => false,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sides(source, target) => write!(f, "{source} / {target}"),
            Self::Clue(clue) => write!(f, "clue {clue}"),
        }
    }
}

/// How often a rule was right among the links that it proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Links that it proposed.
    pub proposed: u64,
    /// Those of them that are in the gold standard.
    pub correct: u64,
}

impl Tally {
    /// Correct by proposed; none if nothing was proposed.
    pub fn precision(self) -> Option<f64> {
        (self.proposed > 0).then(|| self.correct as f64 / self.proposed as f64)
    }

    /// The 95 % interval of the precision (Wilson 1927, *Probable inference, the law of succession, and statistical
    /// inference*); none if nothing was proposed.
    pub fn interval(self) -> Option<Interval> {
        const Z: f64 = 1.959_963_984_540_054;
        let share = self.precision()?;
        let number = self.proposed as f64;
        let scale = 1.0 + Z * Z / number;
        let middle = (share + Z * Z / (2.0 * number)) / scale;
        let half = Z / scale * (share * (1.0 - share) / number + Z * Z / (4.0 * number * number)).sqrt();
        Some(Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
    }

    /// Counts one more.
    pub fn add(&mut self, correct: bool) {
        self.proposed += 1;
        self.correct += u64::from(correct);
    }
}

/// A rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What it is about.
    pub condition: Condition,
    /// The one way that it carries links; none for both.
    pub direction: Option<Direction>,
    /// How often it was right on annotated text.
    pub tally: Option<Tally>,
    /// What it adds to the logarithm of the odds of a link.
    pub weight: Option<f64>,
}

impl Rule {
    /// A rule without figures, for both directions.
    pub fn new(condition: Condition) -> Self {
        Self { condition, direction: None, tally: None, weight: None }
    }

    /// Whether links are carried this way.
    pub fn goes(&self, direction: Direction) -> bool {
        self.direction.is_none_or(|only| only == direction)
    }
}

impl fmt::Display for Rule {
    /// As in a file of rules.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.condition)?;
        if let Some(direction) = self.direction {
            write!(f, "  {}", direction.name())?;
        }
        if let Some(Tally { proposed, correct }) = self.tally {
            write!(f, "  precision {correct}/{proposed}")?;
        }
        if let Some(weight) = self.weight {
            write!(f, "  weight {weight:+.3}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_fit_their_subtypes() {
        let pattern = Pattern::new("obl|nmod");
        assert!(pattern.fits_relation("obl:agent") && pattern.fits_relation("nmod"));
        assert!(!pattern.fits_relation("oblique") && !Pattern::new("obl:agent").fits_relation("obl"));
        assert!(Pattern::ANY.fits_relation("x") && Pattern::ANY.fits_tag("X"));
        assert!(Pattern::new("NOUN|PROPN").fits_tag("PROPN") && !Pattern::new("NOUN").fits_tag("NOUNS"));
    }

    /// statsmodels 0.15.0, `proportion_confint(8, 10, method="wilson")`.
    #[test]
    fn intervals_are_those_of_wilson() {
        let interval = Tally { proposed: 10, correct: 8 }.interval().unwrap();
        assert!((interval.low - 0.490_162_471_536_641_83).abs() < 1e-12, "{interval:?}");
        assert!((interval.high - 0.943_317_848_545_624_7).abs() < 1e-12);
        assert!(Tally::default().interval().is_none());
    }

    #[test]
    fn clues_have_different_names() {
        let names: std::collections::BTreeSet<String> = Clue::all().map(|clue| clue.to_string()).collect();
        assert_eq!(names.len(), Clue::all().count());
    }
}
