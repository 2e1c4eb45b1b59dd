//! The trees that sentences must have, where a model orders trees.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Recipe;
use crate::error::{ErrorKind, Result};
use crate::reorder::engine::Sentence;
use crate::reorder::example::Example;

/// What trees of sentences are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreeKind {
    /// Heads of words.
    Dependencies,
    /// Bracketed parses.
    Brackets,
}

/// The trees that all examples have.
pub(super) fn tree_kind(examples: &[Example], recipe: Recipe) -> Result<TreeKind> {
    let without = |kind: TreeKind| examples.iter().position(|example| !kind.is_of(example.sentence()));
    let (Some(brackets), Some(number)) = (without(TreeKind::Brackets), without(TreeKind::Dependencies)) else {
        let all = without(TreeKind::Brackets).is_none();
        return Ok(if all { TreeKind::Brackets } else { TreeKind::Dependencies });
    };
    let message = format!("sentence {} has no tree, and {recipe} orders trees", brackets.max(number) + 1);
    Err(ErrorKind::Inconsistent(message).into())
}

impl TreeKind {
    /// Whether a sentence has such a tree; less than two words need none.
    fn is_of(self, sentence: &Sentence) -> bool {
        let known = match self {
            Self::Dependencies => sentence.tree().is_some(),
            Self::Brackets => sentence.constituents().is_some(),
        };
        known || sentence.len() < 2
    }

    /// The sentence with no other tree.
    pub(super) fn alone(self, sentence: &Sentence) -> Result<Cow<'_, Sentence>> {
        if !self.is_of(sentence) {
            let name = match self {
                Self::Dependencies => "dependency tree",
                Self::Brackets => "bracketed parse",
            };
            let message = format!("the sentence has no {name}, which the model was trained with");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(match self {
            Self::Dependencies if sentence.constituents().is_some() => {
                Cow::Owned(sentence.clone().without_constituents())
            }
            _ => Cow::Borrowed(sentence),
        })
    }
}
