//! Bracketing trees: a sentence is split in two, the parts stay or are exchanged, and each is split again (Nakagawa 2015, *Efficient
//! Top-Down BTG Parsing for Machine Translation Preordering*).
//!
//! ```text
//! [[I <had <a [red pen]>>] .]        [ ] keeps its order, < > turns it round:        I red pen a had .
//! ```
//!
//! The score of a tree is the sum over its splits, and that of a split the sum of the weights of its features: words, tags and so
//! on at the borders of the span and at the pivot, and what made the span ([`Templates`]). Nakagawa searches from the top down with
//! a beam and learns by passive-aggressive updates towards the best tree that gives the right order; that is here as
//! [`BtgConfig::published`], with his features and his formats. But as a split knows no more of the rest than what made its span, all
//! trees fit into one chart: so weights can be learned by maximum likelihood, from all sentences, and the order can be
//! taken that has the highest expected scores over all trees, not that of one tree ([`BtgConfig::likelihood`],
//! [`Search::Consensus`]).
//!
//! Features are looked up cell by cell: a template that looks at the pivot alone has one feature for each pivot, whatever the
//! span. Time is O(words³) a sentence; longer ones than [`MOST_WORDS`](super::engine::MOST_WORDS) are cut.
//!
//! **Rooms.** `template` and `split_features` what is looked at, `scores` the sums; `chart` all trees at once, `posterior` what they say of
//! words two by two; `beam` the search from the top down, `on_demand` the scores that it sees; `lessons` passes over examples, `likelihood` and `passive` the two ways of learning; `derivation` trees
//! as lists of actions; `spans` stretches of words in dependency trees; `model` what was learned.

mod beam;
mod chart;
mod derivation;
mod lessons;
mod likelihood;
mod model;
mod on_demand;
mod passive;
mod posterior;
mod scores;
mod spans;
mod split_features;
mod template;
#[cfg(test)]
mod tests;

pub use self::likelihood::LikelihoodConfig;
pub use self::model::{Btg, BtgConfig, BtgEngine, Learning, PassiveConfig, Search};
pub use self::template::Templates;
