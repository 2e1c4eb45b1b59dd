//! Word order: what order would the words of a sentence have in another language, and how well is it predicted?
//!
//! A sentence and its translation with links between their words say in which order the translation has the words of the
//! source: that is the *gold order*, made by an [`oracle`]. An [`Engine`] predicts the order from the sentence alone, for
//! preordering in translation, for studies of simultaneous translation, or of word order itself. [`Judge`] compares orders.
//!
//! ```text
//! alignment ── gold_order, Ranks ──► gold order ─┐
//! sentence  ── Engine ─────────────► order ──────┴── Judge ──► scores
//! ```
//!
//! Words without link have no place in the translation. They are left out of orders ([`GoldOrder::words`] names those that
//! are kept), and put back, where a whole sentence is to be reordered, by [`whole_order`]: each travels with a neighbor.
//!
//! ```
//! use alinea::alignment::Alignment;
//! use alinea::reorder::{Attach, Key, Unaligned, gold_order, whole_order};
//!
//! // I am going home = मैं घर जा रहा हूँ: `home` comes before `going`, and `am` has no link.
//! let links: Alignment = [(0, 0), (2, 2), (3, 1)].into();
//! let gold = gold_order(4, &links, Key::Mean, Unaligned::Drop);
//! assert_eq!(gold.words(), [0, 3, 2]);
//! assert_eq!(whole_order(4, gold.words(), Attach::Right)?.inverse().places(), [0, 3, 1, 2]);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **Rooms.** [`oracle`] orders from alignments; [`ranks`] partial orders, and which sentences have none; [`kept`] both, of the
//! words that are judged; [`scores`] what is counted of a sentence, and the scores of the counts; [`engine`] the trait of what
//! predicts, and sentences as it sees them; [`example`] sentences to learn from, [`precedence`] what is lost where two words are
//! exchanged; [`model`] what is learned, kept in files and applied; [`btg`] models of bracketing trees, [`pairwise`] of two words
//! at a time; [`siblings`], [`rules`] and [`children`] engines over trees ([`constituents`]), and [`induction`] of trees without a
//! parser; [`features`] what models look at; [`beliefs`] what they believe of words two by two, and the order that follows;
//! [`linear`] and [`salesman`] searches for the best order by pairwise scores; [`brackets`] trees as the files of the shared task
//! have them; [`reading`] sentences from treebanks and from the shared task; [`standard`] right orders that runs are compared
//! with; [`submission`] runs in an archive, and their names; [`leaderboard`] which are best.

pub mod beliefs;
pub mod brackets;
pub mod btg;
pub mod children;
pub mod constituents;
pub mod engine;
pub mod example;
mod feature_table;
mod feature_weights;
pub mod features;
mod fingerprint;
mod ftrl;
pub mod induction;
pub mod kept;
pub mod leaderboard;
pub mod linear;
mod logistic;
pub mod model;
pub mod oracle;
pub mod pairwise;
pub mod precedence;
pub mod ranks;
pub mod reading;
pub mod rules;
pub mod salesman;
pub mod scores;
mod sentence;
pub mod siblings;
pub mod standard;
pub mod submission;

pub use self::engine::{Engine, Identity, Sentence};
pub use self::oracle::{Attach, GoldOrder, Key, Unaligned, gold_order, whole_order};
pub use self::ranks::{Incomparable, Ranks, Skipped};
pub use self::scores::{Judge, Score, SentenceCounts};
