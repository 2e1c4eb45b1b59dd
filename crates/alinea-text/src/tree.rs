//! Sentences with dependency trees: which word depends on which, and by what relation.
//!
//! A [`DependencyTree`] is heads, and for each word its dependents; nothing else is a tree: one head a word, no cycles, at
//! least one root. A [`ParsedSentence`] has one over its words, and everything else that the ten columns of CoNLL-U say,
//! to the byte; [`format::conllu`](crate::format::conllu) reads and writes them. Words are the *syntactic words* of
//! Universal Dependencies; what is written in one piece is a *surface token*, of one word or several (French `aux` is
//! `à les`): [`Surface`] tells which words are in which token, and carries links from the one to the other.
//!
//! Positions of words count from 0, as everywhere inside; in files they count from 1, and head 0 is the root.
//!
//! ```
//! use alinea::tree::{DependencyTree, Roots};
//!
//! // The Community banned imports: `banned` is the root.
//! let tree = DependencyTree::new(vec![Some(1), Some(2), None, Some(2)], Roots::One)?;
//! assert_eq!(tree.root(), 2);
//! assert_eq!(tree.dependents(2), [1, 3]);
//! assert_eq!(tree.head(0), Some(1));
//!
//! let error = DependencyTree::new(vec![Some(1), Some(0), None], Roots::One).unwrap_err();
//! assert_eq!(error.to_string(), "words 1 → 2 → 1 are each other's heads");
//! # Ok::<(), alinea::tree::NoTree>(())
//! ```

mod dependency;
mod sentence;
mod surface;

pub use self::dependency::{DependencyTree, NoTree, Roots};
pub(crate) use self::sentence::SentenceBuilder;
pub use self::sentence::{Column, NodeId, ParsedSentence, Row, Word};
pub use self::surface::Surface;
