//! Links carried over two dependency trees: what is linked links what depends on it.
//!
//! If two words are translations of each other, so, often, are the words that syntax connects with them (Debili and Zribi
//! 1996). Ozdowska's aligner ALIBI starts from *anchors*, few links that are nearly all right, and carries them by *rules*:
//! `VERB -subj-> NOUN / VERB -subj-> NOUN` says that a link between two verbs goes on to their subjects, and a link
//! between subjects to their verbs. Anchors are the intersection of two directions, or [cognates](cognate_links).
//!
//! A [`RuleSet`] is a text that people read and edit; [`RuleSet::universal`] has rules for trees of Universal Dependencies,
//! [`RuleNames::syntex`] lets rules be written as in the literature, and [`RuleUsage`] says which of them did nothing. A
//! [`Projector`] applies them in one of two ways:
//!
//! * rules without weights carry links where it is clear to what, one link a word. Rules whose precision
//!   on annotated text is known can be held to a threshold;
//! * rules with weights, which [`learn`] finds in annotated text, add up to a probability for each candidate. They may
//!   also say where a link spreads to another word of the same side (`NOUN / NOUN -flat-> *`), and how likely
//!   words of two parts of speech are to be linked at all (`NOUN / ADP`).
//!
//! ```
//! use alinea::format::conllu;
//! use alinea::project::links::{ParsedPair, Projector, ProjectionConfig, RuleSet};
//! use alinea::tree::Roots;
//!
//! let tree = |rows: &[&str]| {
//!     let lines: Vec<String> = rows.iter().zip(1..).map(|(row, id)| {
//!         let [form, tag, head, relation] = row.split(' ').collect::<Vec<_>>().try_into().unwrap();
//!         format!("{id}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n")
//!     }).collect();
//!     conllu::parse(&lines.concat(), "tree", Roots::One).map(|mut sentences| sentences.remove(0))
//! };
//! let english = tree(&["The DET 2 det", "Community NOUN 3 nsubj", "banned VERB 0 root", "imports NOUN 3 obj"])?;
//! let french = tree(&["La DET 2 det", "Communauté NOUN 4 nsubj", "a AUX 4 aux", "interdit VERB 0 root",
//!                     "l' DET 6 det", "importation NOUN 4 obj"])?;
//!
//! let rules = RuleSet::universal();
//! let mut projector = Projector::new(&rules, ProjectionConfig::default())?;
//! let pair = ParsedPair::new(&english, &french)?;
//! let projection = projector.project(&pair, &[(1, 1)].into(), &[])?;
//! assert_eq!(projection.links.to_string(), "0-0 1-1 2-3 3-5");
//! // First from the subject up to the verb.
//! let first = &projection.added[0];
//! assert_eq!((first.link.to_string(), first.origin.map(|origin| origin.from.to_string())), ("2-3".into(), Some("1-1".into())));
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! Sources: Ozdowska 2006 and Ozdowska and Claveau 2006 on ALIBI, as far as they say; the rest, and what is said of weights, is
//! ours.

mod choice;
mod cognates;
mod learn;
mod learning_config;
mod logistic;
mod pair;
mod projection;
mod propagate;
mod rounds;
mod rule;
mod rule_grammar;
mod rule_names;
mod rule_set;
mod rule_usage;
mod situation;
mod tallies;
mod templates;
mod weigh;

#[cfg(test)]
mod tests;

pub use self::cognates::{are_cognates, cognate_links};
pub use self::learn::{Learned, learn};
pub use self::learning_config::{Example, LearningConfig, Trial};
pub use self::pair::ParsedPair;
use self::projection::DEFAULT_THRESHOLD;
pub use self::projection::{Carried, Origin, Projection, Proposal, Restriction};
pub use self::rule::{Clue, Condition, Direction, Edge, Pattern, Rule, Side, Tally};
pub use self::rule_names::RuleNames;
pub use self::rule_set::RuleSet;
pub use self::rule_usage::{IdleRule, RuleUsage};
pub use self::tallies::{RuleTallies, RuleTally};

use std::collections::BTreeSet;

use self::propagate::Propagator;
use self::weigh::Weigher;
use crate::alignment::{Alignment, WeightedLink};
use crate::error::{Error, Result};
use crate::symmetrize::{Method, Symmetrizer};

/// How links are carried.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProjectionConfig {
    /// Which words may get links.
    pub restriction: Restriction,
    /// For rules without weights: the least precision, from 0 to 1, of rules that have one. Default 0.
    pub least_precision: f64,
    /// For rules with weights: the least probability, from 0 to 1, of a link. Default that of the rules, or else 0.4.
    pub threshold: Option<f64>,
    /// The most rounds, from 1; none for as many as add links. Default none.
    pub rounds: Option<u32>,
    /// Whether [`Projection::proposed`] is filled. Default false.
    pub record_proposals: bool,
}

alinea_text::configurable!(ProjectionConfig);

impl Default for ProjectionConfig {
    fn default() -> Self {
        Self {
            restriction: Restriction::None,
            least_precision: 0.0,
            threshold: None,
            rounds: None,
            record_proposals: false,
        }
    }
}

impl ProjectionConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// `Config` naming the field.
    pub fn validate(&self) -> Result<()> {
        let threshold = self.threshold.unwrap_or(DEFAULT_THRESHOLD);
        for (field, value) in [("least_precision", self.least_precision), ("threshold", threshold)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::config(field, value, "0 to 1"));
            }
        }
        if self.rounds == Some(0) {
            return Err(Error::config("rounds", 0, "1 or more"));
        }
        Ok(())
    }
}

/// Applies rules. One for each thread: it keeps what it found out about edges.
#[derive(Debug)]
pub struct Projector<'r> {
    config: ProjectionConfig,
    engine: Engine<'r>,
}

#[derive(Debug)]
enum Engine<'r> {
    Clear(Box<Propagator<'r>>),
    Weighted(Box<Weigher<'r>>),
}

impl<'r> Projector<'r> {
    /// Applies these rules: by their weights if they have weights.
    ///
    /// # Errors
    /// As [`ProjectionConfig::validate`].
    pub fn new(rules: &'r RuleSet, config: ProjectionConfig) -> Result<Self> {
        config.validate()?;
        let threshold = config.threshold.or(rules.threshold).unwrap_or(DEFAULT_THRESHOLD);
        let engine = if rules.is_weighted() {
            Engine::Weighted(Box::new(Weigher::new(rules, threshold, config.rounds)))
        } else {
            Engine::Clear(Box::new(Propagator::new(rules, config.least_precision, config.rounds)))
        };
        Ok(Self { config, engine })
    }

    /// For each rule whether it fitted a candidate of the pairs so far, and so did something; or was not asked, since it is less
    /// precise than the configuration wants.
    pub fn used(&self) -> &[bool] {
        match &self.engine {
            Engine::Clear(propagator) => propagator.used(),
            Engine::Weighted(weigher) => weigher.used(),
        }
    }

    /// Adds links to anchors. `confidences`, sorted by link, are those that an aligner gave to candidates, and serve rules
    /// with weights only; there may be none.
    ///
    /// A round takes time in the number of pairs of dependents under links; there are at most as many rounds as links
    /// are added.
    ///
    /// # Errors
    /// `Inconsistent` for links out of the sentences; `OverLimit` if a round proposes more than
    /// [`limits::PROPOSALS`](crate::limits::PROPOSALS).
    pub fn project(
        &mut self,
        pair: &ParsedPair<'_>,
        anchors: &Alignment,
        confidences: &[WeightedLink],
    ) -> Result<Projection> {
        pair.check(anchors)?;
        pair.check(&Alignment::from_links(confidences.iter().map(|weighted| weighted.link).collect()))?;
        let mut recorded = self.config.record_proposals.then(BTreeSet::new);
        let restriction = self.config.restriction;
        let added = match &mut self.engine {
            Engine::Clear(propagator) => propagator.carry(pair, anchors, restriction, &mut recorded)?,
            Engine::Weighted(weigher) => weigher.carry(pair, anchors, confidences, restriction, &mut recorded)?,
        };
        let mut links = anchors.clone();
        for carried in &added {
            links.insert(carried.link);
        }
        Ok(Projection { links, added, proposed: recorded.into_iter().flatten().collect() })
    }
}

/// Links grown toward another alignment of the same pair, as `grow-diag` does: by links of it beside those there, as long as
/// they cover a word without link.
#[must_use]
pub fn grow(links: &Alignment, toward: &Alignment) -> Alignment {
    Symmetrizer::new(Method::GrowDiag).symmetrize(links, &links.union(toward))
}
