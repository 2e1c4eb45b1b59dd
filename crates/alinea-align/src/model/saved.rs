//! Models in files, and text they were not trained on.
//!
//! [`Aligner::save`] writes what training learned; [`Model::open`] reads what aligning needs, and checks it. A model
//! aligns any text, in as little memory as the text is given to it in. Unknown words are aligned by their stems and their
//! spelling.
//!
//! A model recognizes the sentence pairs it was trained on by a 64-bit hash, and knows what each contributed to the
//! counts: so it leaves that out as training did, and aligns its own text, whole or in parts and in any order, to the
//! same links.
//!
//! ```
//! use alinea::bitext::{Bitext, RankedBitext, Text};
//! use alinea::model::{Aligner, AlignerConfig, Model, TextForm};
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//!
//! let text = |lines: &[(&str, &str)]| {
//!     let (mut source, mut target) = (Text::default(), Text::default());
//!     for (s, t) in lines {
//!         source.push_sentence(s.split(' ').map(str::as_bytes));
//!         target.push_sentence(t.split(' ').map(str::as_bytes));
//!     }
//!     Bitext::new(source, target).unwrap()
//! };
//! let known = RankedBitext::new(text(&[("the house", "la maison"), ("the flower", "la fleur"), ("a house", "une maison")]));
//! let aligner = Aligner::train(&known, AlignerConfig::default(), &Parallelism::serial(), &Silent)?;
//! let directory = tempfile::tempdir().unwrap();
//! let path = directory.path().join("en-fr.alinea");
//! let mut bytes = Vec::new();
//! aligner.save(&known, TextForm::default(), &mut bytes).unwrap();
//! std::fs::write(&path, bytes).unwrap();
//!
//! let model = Model::open(&path)?;
//! let other = text(&[("the houses", "la maison")]);
//! let (new, mut worker) = (model.read(&other), model.worker());
//! let posteriors = worker.posteriors(&new, 0).unwrap();
//! assert_eq!(posteriors.links(0.45).to_string(), "0-0 1-1");
//! # Ok::<(), alinea::error::Error>(())
//! ```

pub(super) mod adapt;
pub(super) mod counts;
pub(super) mod export;
pub(super) mod frozen;
pub(super) mod header;
pub(super) mod known_counts;
pub(super) mod merge;
pub(super) mod model_worker;
pub(super) mod new_text;
pub(super) mod open;
pub(super) mod prune;
pub(super) mod save;
pub(super) mod unknown;
pub(super) mod unmet;
