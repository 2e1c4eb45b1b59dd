//! Annotation projection: what is known of a sentence, carried over links to its translation.
//!
//! * [`links`]: links themselves, along the dependency trees of both sides;
//! * [`labels`]: labels on stretches of words, such as names;
//! * [`markup`]: inline tags, such as those of XML.

pub mod labels;
pub mod links;
pub mod markup;
