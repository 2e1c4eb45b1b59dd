//! Models of two words at a time.
//!
//! What decides which of two words comes first, and which word comes next, are the two words, their neighbors, what stands between
//! them and how far they are apart, and how they hang together in a dependency tree if there is one. Two models have such
//! features in common:
//!
//! * [`Linear`]: how likely the second of two words is to come before the first, for all pairs of words, and the order in which the
//!   sum of the log odds is highest (Tromble and Eisner 2009, *Learning Linear Ordering Problems for Better Translation*);
//! * [`Salesman`]: how likely a word is to come directly behind another, among all that might, and the likeliest path through all
//!   words (Visweswariah et al. 2011, *A Word Reordering Model for Improved Machine Translation*).
//!
//! Both are learned by maximum likelihood rather than by the published perceptron and MIRA: what comes out are
//! probabilities, which [`beliefs`](super::beliefs) of other models can be averaged with. Neither knows of trees over the sentence,
//! so any order can be found. All words of a sentence two by two have features: O(words²) of them.
//!
//! ```
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//! use alinea::reorder::engine::{Engine, Sentence};
//! use alinea::reorder::example::Example;
//! use alinea::reorder::pairwise::{Linear, PairwiseConfig};
//!
//! // Adjectives come behind their nouns.
//! let sentence = |text: &str| Sentence::new(text.split(' ').map(str::to_owned).collect());
//! let examples = ["red house", "red bird", "old house", "old bird"].map(|text| {
//!     Example::of_links(sentence(text), [(0, 1), (1, 0)].into())
//! });
//! let examples = examples.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let config = PairwiseConfig::new(&["words".parse()?], false);
//! let model = Linear::train(&examples, &config, None, &Parallelism::serial(), &Silent)?;
//! assert_eq!(model.engine().order(&sentence("red house"))?.places(), [1, 0]);
//! assert!(model.engine().beliefs(&sentence("red house"))?.before(1, 0) > 0.5);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod learner;
mod linear;
mod pair_features;
mod salesman;
mod scorer;
mod template;
#[cfg(test)]
mod tests;

pub use self::linear::{Linear, LinearEngine};
pub use self::salesman::{Salesman, SalesmanEngine};
pub use self::scorer::PairwiseConfig;
pub(super) use self::scorer::Scorer;
