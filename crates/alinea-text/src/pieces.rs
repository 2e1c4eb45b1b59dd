//! Pieces of words, as SentencePiece has them (Kudo and Richardson 2018): what the readers of its models and of tokenizers
//! by Hugging Face share.
//!
//! [`Trie`] finds the pieces that a text begins with, [`CharacterMap`] what characters are replaced by before that.

mod character_map;
mod trie;

pub use self::character_map::CharacterMap;
pub use self::trie::Trie;
