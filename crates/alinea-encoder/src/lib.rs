//! Pretrained encoders on the CPU: from the words of sentences to vectors.
//!
//! An [`Encoder`] reads a folder of Hugging Face files (`config.json`, `tokenizer.json`, `model.safetensors`) of BERT,
//! XLM-RoBERTa and models of the same architecture, such as multilingual-e5, LaBSE and mBERT, and gives each word a vector:
//! the mean of the outputs of a chosen layer over the pieces of the word. `alinea`'s room `embedding` finds links in such
//! vectors. Nothing is downloaded: [`find`] looks models up by name in the cache that `hf download` fills.
//!
//! ```no_run
//! use alinea::encoder::{Encoder, EncoderOptions, find};
//! use alinea::parallel::{Parallelism, Work};
//! use alinea::progress::Silent;
//!
//! let encoder = Encoder::open(find("intfloat/multilingual-e5-small")?, EncoderOptions::default())?;
//! let sentences = ["The house is green .", "The garden , too ."];
//! let words = |n: usize| sentences[n].split(' ').collect::<Vec<_>>();
//! let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
//! let vectors = encoder.encode(sentences.len(), words, None, work)?;
//! assert_eq!((vectors.len(), vectors.words_of(0), vectors.width()), (2, 5, 384));
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **The same bytes everywhere.** Products of matrices are sums of integers by default, so they do not depend on the
//! processor, on threads, or on which sentences are computed together; the rest runs in single precision, in one order, and
//! calls no function of the system.
//!
//! **Rooms.** `encoder` the way from words to vectors; `folder` where the files are; `config`, `tokenizer` and `weights` what is in
//! them; `words` which pieces belong to a word, and long sentences; `network` the forward pass; `cache` vectors in a file.

#![doc(test(attr(deny(warnings))))]

pub(crate) use alinea_text::{error, format, numeric, parallel, pieces, progress, word_vectors};

mod cache;
mod config;
mod encoder;
mod folder;
mod network;
mod tokenizer;
mod weights;
mod words;

pub use cache::VectorCache;
pub use encoder::{Encoder, EncoderOptions};
pub use folder::find;
pub use network::Precision;
