//! What models and encoders know of sentences: evidence for [`sentence_align`](crate::sentence_align).
//!
//! [`LexicalEvidence`] compares the words of sentences by the translations of a trained model, of a dictionary, or of both;
//! [`VectorEvidence`] compares sentences by the mean of their word vectors, with a margin against sentences that are near to
//! everything. Both propose pairs of sentences, so that long texts are searched in linear time. [`SentenceEvidence`]
//! aligns two texts by a model, a dictionary and vectors.
//!
//! ```
//! use alinea::bitext::{Dictionary, Text};
//! use alinea::parallel::{Parallelism, Work};
//! use alinea::progress::Silent;
//! use alinea::sentence_align::{Evidence, EvidenceAligner, EvidenceConfig};
//! use alinea::sentences::LexicalEvidence;
//!
//! let text = |sentences: &[&str]| {
//!     let mut text = Text::default();
//!     sentences.iter().for_each(|sentence| text.push_sentence(sentence.split(' ').map(str::as_bytes)));
//!     text
//! };
//! let source = text(&["the house is old", "nobody has lived there for many years", "the garden is large"]);
//! let target = text(&["das haus ist alt", "der garten ist groß"]);
//! let mut dictionary = Dictionary::default();
//! for (source, target) in [("house", "haus"), ("old", "alt"), ("garden", "garten"), ("large", "groß")] {
//!     dictionary.push(source.as_bytes(), target.as_bytes(), 1.0)?;
//! }
//! let evidence = LexicalEvidence::new(None, &dictionary, &source, &target);
//! assert!(evidence.score(2..3, 1..2) > evidence.score(1..2, 1..2));
//! let aligner = EvidenceAligner::new(EvidenceConfig::default())?;
//! let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
//! let found = aligner.align_paragraphs(&[[16u32, 37, 19]], &[[16u32, 19]], &[&evidence], work)?;
//! let shown: Vec<String> = found.iter().map(|found| found.bead.to_string()).collect();
//! assert_eq!(shown, ["0\t0", "1\t", "2\t1"]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod known;
mod lexical;
mod vectors;

pub use known::{SentenceAlignment, SentenceEvidence, word_form};
pub use lexical::LexicalEvidence;
pub use vectors::VectorEvidence;
