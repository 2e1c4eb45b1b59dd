//! What `alinea.nltk` trains by: its texts as numbers, and its tables as arrays.
//!
//! Words are what Python takes for keys of dictionaries, equal where Python finds them equal. `numbering` gives them
//! numbers, `text` is a corpus of these, `reading` looks up the tables that users own. `word_model` is Models 1 and 2,
//! `fertile_model` Models 3 to 5, and `counted` what these count. `sentences` aligns by length. `scores` compares
//! translations with references, `meteor_words` by stems, too: `segments` are these as numbers, and `bleu_rules` what is done with counts of n-grams.

mod bleu_rules;
mod counted;
mod fertile_model;
mod meteor_words;
mod numbering;
mod reading;
mod scores;
mod segments;
mod sentences;
mod text;
mod word_model;

pub(crate) use bleu_rules::{bleu, bleu_counts, sentence_bleu};
pub(crate) use counted::Counted;
pub(crate) use fertile_model::FertileModel;
pub(crate) use meteor_words::{meteor, meteor_stages};
pub(crate) use scores::{chrf, gleu, kendall_tau, lepor, lepor_alignment, nist, rank_alignment, ribes, stem};
pub(crate) use sentences::align_lengths;
pub(crate) use text::NumberedText;
pub(crate) use word_model::{Alignments, LaterAlignment, WordModel};
