//! Pieces of words, as SentencePiece has them (Kudo and Richardson 2018): what the readers of its models and of tokenizers
//! by Hugging Face share.
//!
//! [`Trie`] finds the pieces that a text begins with, [`CharacterMap`] what characters are replaced by before that, and
//! [`most_probable`] the segmentation by a unigram model.

mod character_map;
mod sentence_piece;
mod trie;
mod unigram;

pub use self::character_map::CharacterMap;
pub use self::sentence_piece::SentencePieceModel;
pub use self::trie::Trie;
pub use self::unigram::most_probable;
