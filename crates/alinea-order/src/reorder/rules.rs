//! Reordering by rules that people read, write and edit.
//!
//! A rule asks for a node of a tree and for some neighboring parts of it, and gives these another order. Rules are learned
//! (Genzel 2010, *Automatically Learning Source-side Reordering Rules for Large Scale Machine Translation*; windows of two to
//! four parts as in Otedama, Hitschler et al. 2016), or written by hand (as those of Collins, Koehn and Kučerová 2005, *Clause
//! Restructuring for Statistical Machine Translation*), and both stand in one file, a line a rule:
//!
//! ```text
//! # Prepositional objects and objects before their verb.
//! let V = VERB|AUX
//! V : head */obj => 2 1
//! V : head */obj|iobj */obl => 3 2 1      helped 81 harmed 3
//! NOUN/root > V : ^ head !PUNCT+ PUNCT $ => 2 1 3
//! ```
//!
//! Before the colon stands what is asked of the node, perhaps behind what is asked of the node above it and `>`; then the
//! parts, and behind `=>` their numbers in the new order. A pattern is `tag/relation/lemma`, where `*` asks for nothing, `|` stands
//! between alternatives, and `!` before them forbids all of them; what is at the end may be left out. A tag is a part
//! of speech, coarse or fine, or the label of a bracket; a relation without subtype means all its subtypes. `head` is the
//! word of the node itself, which no pattern fits. A `+` behind a pattern is one or more parts, as many as may be; `..` is any parts, the word of the node too, or none. `^` is
//! the beginning of the node and `$` its end. `let` gives a name to a pattern of tags, relations or lemmas; `\` takes the meaning from
//! the next character; `#` begins a comment. How many sentences a learned rule helped and harmed stands behind `helped` and `harmed`.
//!
//! **Application.** Rules are applied in the order of the file, each to the order that those above it made. A rule goes through
//! the parts of each node from left to right; where it fits it turns the parts around and goes on behind them.
//!
//! ```
//! use alinea::reorder::engine::Layer;
//! use alinea::reorder::rules::RuleSet;
//! use alinea::reorder::{Engine, Sentence};
//! use alinea::tree::{DependencyTree, Roots};
//!
//! let rules = RuleSet::parse("VERB : head */obj => 2 1", "my.rules")?;
//! let layer = |tokens: [&str; 3]| tokens.map(str::to_owned).to_vec();
//! let sentence = Sentence::new(layer(["I", "see", "houses"]))
//!     .with_layer(Layer::Tags, layer(["PRON", "VERB", "NOUN"]))?
//!     .with_layer(Layer::Relations, layer(["nsubj", "root", "obj"]))?
//!     .with_tree(DependencyTree::new(vec![Some(1), None, Some(1)], Roots::One).expect("a tree"))?;
//! assert_eq!(rules.engine().order(&sentence)?.places(), [0, 2, 1]);
//!
//! let error = RuleSet::parse("VERB : head => 2 1", "my.rules").unwrap_err();
//! assert_eq!(error.to_string(), "my.rules:1:16: expected the number of a part, from 1 to 1, found `2`");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod file;
mod learn;
mod pattern;

use std::fmt;

use self::learn::Learner;
use self::pattern::{Asked, Matcher, WordAttributes};
pub use self::pattern::{Choice, Item, Pattern};
use super::constituents::{Constituents, Node};
use super::engine::{Engine, MOST_WORDS, Sentence};
use super::example::{Example, pieces};
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::permutation::Permutation;
use crate::progress::Observer;

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    /// What is asked of the node above; nodes without one do not fit.
    pub above: Option<Pattern>,
    /// What is asked of the node.
    pub node: Pattern,
    /// Whether the window begins where the node begins.
    pub from_start: bool,
    /// What is asked of the parts.
    pub items: Vec<Item>,
    /// Whether the window ends where the node ends.
    pub to_end: bool,
    /// Their new order: the numbers of the items, from 0, each once.
    pub order: Vec<usize>,
    /// What it did to the sentences that it was learned from.
    pub tally: Option<Tally>,
}

/// Sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tally {
    /// With fewer pairs of words in the wrong order than before.
    pub helped: u64,
    /// With more.
    pub harmed: u64,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = &self.above {
            write!(f, "{above} > ")?;
        }
        write!(f, "{} :{}", self.node, if self.from_start { " ^" } else { "" })?;
        self.items.iter().try_for_each(|item| write!(f, " {item}"))?;
        write!(f, "{} =>", if self.to_end { " $" } else { "" })?;
        self.order.iter().try_for_each(|number| write!(f, " {}", number + 1))?;
        self.tally.iter().try_for_each(|Tally { helped, harmed }| write!(f, "  helped {helped} harmed {harmed}"))
    }
}

/// How rules are learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RulesConfig {
    /// The most rules.
    pub rules: usize,
    /// The most parts of a rule, from 2 to 4.
    pub window: usize,
    /// How many sentences a round looks at, drawn anew each time; all if there are no more.
    pub sample: usize,
    /// How many sentences a rule must help for each that it harms, at least 1.
    pub factor: f64,
    /// How many sentences it must help at least.
    pub least_helped: u64,
    /// What samples are drawn by.
    pub seed: u64,
}

alinea_text::configurable!(RulesConfig);

impl Default for RulesConfig {
    fn default() -> Self {
        Self { rules: 200, window: 4, sample: 10_000, factor: 2.0, least_helped: 5, seed: 1 }
    }
}

/// Rules in the order in which they are applied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleSet {
    /// The rules.
    pub rules: Vec<Rule>,
}

impl RuleSet {
    /// Learns rules, greedily: each round adds that which takes away the most pairs of words in the wrong order, after the rules
    /// before it, and ends where none does that helps [often enough](RulesConfig::factor) as it harms. The same examples and seed
    /// give the same rules.
    ///
    /// # Errors
    /// `Config` for a window that is not from 2 to 4; `Inconsistent` if an example has no tree, or none says anything of order; `Cancelled`.
    pub fn train(
        examples: &[Example],
        config: &RulesConfig,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        Learner::new(&pieces(examples), config, parallelism)?.learn(observer)
    }

    /// The rules as an engine.
    pub fn engine(&self) -> RulesEngine<'_> {
        RulesEngine { set: self, matcher: Matcher::default() }
    }

    /// The first `count` rules.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        Self { rules: self.rules[..count.min(self.rules.len())].to_vec() }
    }

    /// The rules, a line each, for the text of a file.
    pub fn description(&self) -> Vec<String> {
        self.rules.iter().map(Rule::to_string).collect()
    }

    /// Applies the rules to a sentence: the order of the parts of each node.
    fn arrange(&self, sentence: &Sentence, tree: &Constituents, matcher: &mut Matcher) -> Vec<Vec<usize>> {
        let known = WordAttributes::new(sentence);
        let mut arranged: Vec<Vec<usize>> = tree.nodes().iter().map(|node| (0..node.parts.len()).collect()).collect();
        for rule in &self.rules {
            for (node, arranged) in tree.nodes().iter().zip(&mut arranged) {
                rule.apply(&known, tree, node, arranged, matcher);
            }
        }
        arranged
    }
}

impl Rule {
    /// Turns around what fits; whether anything did. Nodes of more than [`MOST_WORDS`] parts, tables or lists, are left alone, since
    /// looking for windows takes the square of the parts.
    fn apply(
        &self,
        known: &WordAttributes<'_>,
        tree: &Constituents,
        node: &Node,
        arranged: &mut [usize],
        matcher: &mut Matcher,
    ) -> bool {
        let Self { above, node: own, items, to_end, .. } = self;
        let asked = Asked { above: above.as_ref(), node: own, items, to_end: *to_end };
        let mut changed = false;
        let least = items.iter().filter(|item| **item != Item::Any).count();
        if least > arranged.len() || arranged.len() > MOST_WORDS || !asked.fits_node(known, tree, node) {
            return changed;
        }
        let last = if self.from_start { 0 } else { arranged.len() - least };
        let mut start = 0;
        while start <= last {
            if !matcher.fits(&asked, known, node, arranged, start) {
                start += 1;
                continue;
            }
            changed = true;
            let ends = &matcher.ends;
            let pieces =
                self.order.iter().map(|&item| if item > 0 { ends[item - 1]..ends[item] } else { start..ends[0] });
            let turned: Vec<usize> = pieces.flat_map(|piece| arranged[piece].iter().copied()).collect();
            arranged[start..start + turned.len()].copy_from_slice(&turned);
            start += turned.len().max(1);
        }
        changed
    }
}

/// Rules in use.
#[derive(Debug)]
pub struct RulesEngine<'r> {
    set: &'r RuleSet,
    matcher: Matcher,
}

impl Engine for RulesEngine<'_> {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        let tree = Constituents::of_sentence(sentence)?;
        let arranged = self.set.arrange(sentence, &tree, &mut self.matcher);
        Permutation::from_order(&tree.order(|node| node.this.node.map(|number| arranged[number].clone())))
    }
}

#[cfg(test)]
mod tests;
