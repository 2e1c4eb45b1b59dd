//! Annotation projection: what is known of a sentence, carried over links to its translation.
//!
//! * [`links`]: links themselves, along the dependency trees of both sides;
//! * [`labels`]: labels on stretches of words, such as names;
//! * [`tags`]: a tag for each word, such as its part of speech;
//! * [`markup`]: inline tags, such as those of XML;
//! * [`trees`]: dependency trees.

mod check;
pub mod labels;
pub mod links;
pub mod markup;
pub mod tags;
pub mod trees;
