//! Word vectors of a pretrained encoder as evidence of links.
//!
//! A multilingual encoder gives each word of a sentence a vector, and words that translate each other have similar
//! ones. Here such vectors, whoever made them, are joined with the posteriors of an alignment model, without any links
//! made by people. Let p(i, j) be the mean posterior of two words, and x_i, y_j their vectors. Then
//!
//! 1. [`Centering`] takes from each side of the text what all its words have in common;
//! 2. [`Similarity`] gives a score E(i, j) from 0 to 1: cosines, less the nearness of either word to its neighbors (CSLS:
//!    Lample et al. 2018, *Word translation without parallel data*, section 2.3), and the geometric mean of their
//!    softmax over rows and over columns;
//! 3. [`CellCounts`] counts the cells of the text by posterior and score, and learns from these counts how many times as
//!    frequent each of 14 ranges of scores is among links as among other cells: the [`Evidence`], found by EM with p
//!    as the prior;
//! 4. from how much the score says on average (its divergence, in nats) follows how far it is trusted: an encoder that
//!    knows nothing of a language changes nothing;
//! 5. [`TypeVectors`] are the mean vectors of word types, and give a bilingual dictionary for training;
//! 6. [`Joint`] adds both up to one confidence, and has the threshold for it.
//!
//! Results do not depend on the number of threads: sums are of integers, or in one order.
//!
//! ```
//! use alinea::embedding::{CellCounts, Joint, Similarity, range_of};
//!
//! // Two words on each side, in two dimensions: `house` and `maison` point one way, `the` and `la` another.
//! let (source, target) = ([1.0, 0.0, 0.0, 1.0], [0.9, 0.1, 0.1, 0.9]);
//! let mut scores = Vec::new();
//! Similarity::OF_WORDS.scores(&source, &target, 2, &mut scores);
//! assert!(scores[0] > 0.99 && scores[3] > 0.99 && scores[1] < 0.01 && scores[2] < 0.01);
//!
//! // A text of a hundred such pairs, whose posteriors prefer the same links.
//! let mut counts = CellCounts::default();
//! for _ in 0..100 {
//!     for (posterior, &score) in [0.6, 0.3, 0.3, 0.6].into_iter().zip(&scores) {
//!         counts.add(posterior, range_of(score));
//!     }
//! }
//! let evidence = counts.evidence();
//! let joint = Joint::new(&evidence);
//! assert!(joint.confidence(0.6, range_of(0.99)) > joint.confidence(0.6, range_of(0.01)));
//! ```

mod centering;
mod evidence;
mod joint;
mod similarity;
mod types;

pub use centering::Centering;
pub use evidence::{CellCounts, Evidence, RANGES, range_of};
pub use joint::{Joint, log_odds};
pub use similarity::Similarity;
pub use types::{LEAST_ENTRY, TypeVectors, entries};
