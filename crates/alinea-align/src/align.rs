//! Alignment of a text from what is asked to what comes out: the decisions that the command, the Python package and programs in
//! Rust share.
//!
//! A [`Request`] says in the user's terms what is wanted: a model by name, passes, a threshold or what one is to be good for.
//! It becomes a [`Plan`]: the [`Recipe`] of a model, and a [`Decoding`], how links are read off it. [`TrainingData`] is what the
//! model learns from, and what was learned is [`Trained`]; a saved model takes its place for text that is new
//! ([`SavedAligner`]). [`decode()`] goes through the pairs of
//! a text with many threads, in order, and hands over what was [`Found`] of each: posteriors, best paths, scores.
//! [`LinkReader`] makes links of it. Word vectors of a pretrained encoder are part of the training data, or given to a saved
//! model for a text; then what is found has joint confidences in place of posteriors ([`JoinedEvidence`]), and all else stays.
//! A [`PairEncoder`] makes them, of all pairs or of some.
//!
//! ```
//! use alinea::align::{Request, Trained, TrainingData};
//! use alinea::bitext::{Bitext, Text};
//! use alinea::model::ModelName;
//! use alinea::parallel::{Parallelism, Work};
//! use alinea::progress::Silent;
//!
//! let (mut source, mut target) = (Text::default(), Text::default());
//! for (s, t) in [("the house", "la maison"), ("the flower", "la fleur"), ("a house", "une maison")] {
//!     source.push_sentence(s.split(' ').map(str::as_bytes));
//!     target.push_sentence(t.split(' ').map(str::as_bytes));
//! }
//! let data = TrainingData::of(Bitext::new(source, target)?)?.build()?;
//! let plan = Request::default().with(|request| request.model = ModelName::Hmm).plan()?;
//! let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
//! let trained = Trained::train(plan.recipe, &data, None, work)?;
//! let links = trained.links(&data, plan.decoding, work)?;
//! let links: Vec<_> = links[1].iter().map(|found| found.link.to_string()).collect();
//! assert_eq!(links, ["0-0", "1-1"]);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **Rooms.** `request` what is asked and what follows from it; `data` what is learned from, and `checkpoint` training that can be
//! interrupted; `trained` models of a text, and `saved_aligner` of files; `whole_text` what they do with all pairs; `deciding` what makes their posteriors confidences, `guidelines` what gold links add to that, and `gold_learning` how; `joined` what word
//! vectors add to them, `encoded` which pairs have some, and `pair_encoder` when they get them; `decode` the loop over pairs;
//! `links` links and confidences of a pair; [`parts`] the steps of training in parts, from files to files; `threshold` the choice of a threshold by what a model expects of itself; `warning` what users should know of all that.

mod checkpoint;
mod data;
mod deciding;
mod decode;
mod encoded;
mod gold_learning;
mod guidelines;
mod joined;
mod links;
mod pair_encoder;
mod pair_words;
pub mod parts;
mod request;
mod saved_aligner;
mod threshold;
mod trained;
mod warning;
mod whole_text;

pub use checkpoint::{Checkpoint, resume};
pub use data::{TrainingData, TrainingDataBuilder};
pub use deciding::DecidingFinder;
pub use decode::{Chunks, Collector, Finder, Found, Wants, chunks_of, decode};
pub use encoded::EncodedPairs;
pub use guidelines::{GoldLinks, GoldScores, Guidelines};
pub use joined::JoinedEvidence;
pub use links::{Confidences, FoundLink, LinkReader};
pub use pair_encoder::PairEncoder;
pub use request::{Decoding, Iterations, Plan, Recipe, Request, Threshold};
pub use saved_aligner::{NewTextFinder, SavedAligner};
pub use threshold::{ExpectedLinks, ExpectedScores, Objective, THRESHOLDS, ThresholdChoice};
pub use trained::{OwnTextFinder, Trained, TrainedModel};
pub use warning::Warning;
