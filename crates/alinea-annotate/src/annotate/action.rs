//! What an annotator does, one step at a time, as the page sends it and journals keep it.
//!
//! ```text
//! {"id":"k3","at":1764417600000,"sentence":17,"seconds":2.4,"action":{"do":"mark","links":[[0,1],[0,2]],"mark":"sure"}}
//! ```

use serde::{Deserialize, Serialize};

/// A source and a target position, both from 0.
pub type Cell = [u32; 2];

/// What a person says of two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// They are linked.
    Sure,
    /// They may be linked.
    Possible,
    /// They are not, whatever is suggested.
    NoLink,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Says something of some cells; with no mark, takes back what was said.
    Mark {
        /// The cells.
        links: Vec<Cell>,
        /// What is said of them.
        mark: Option<Mark>,
    },
    /// Says that words are translated by nothing, or takes it back. Their links are gone, and none are suggested.
    Untranslated {
        /// Source words.
        #[serde(default)]
        source: Vec<u32>,
        /// Target words.
        #[serde(default)]
        target: Vec<u32>,
        /// Whether they are.
        on: bool,
    },
    /// Says that the sentence is done. Every cell of which nothing was said, and that is not among the accepted ones, has no link.
    Confirm {
        /// The suggestions that are accepted with it.
        accepted: Vec<(Cell, Mark)>,
    },
    /// Takes a confirmed sentence up again.
    Reopen,
    /// Replaces the comment on the sentence.
    Comment {
        /// The comment; empty for none.
        text: String,
    },
    /// Flags the sentence, for people to look at.
    Flag {
        /// Whether it is flagged.
        on: bool,
    },
    /// Takes the last step back that was not taken back.
    Undo,
    /// Repeats what was undone last.
    Redo,
}

/// A step with its circumstances: a line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Tells the step from all others of the annotator, so that a page may send it again if it is not sure that it arrived.
    pub id: String,
    /// When it was done, in milliseconds since 1970-01-01T00:00Z.
    pub at: u64,
    /// The number of the sentence pair, from 0.
    pub sentence: usize,
    /// The time spent on the sentence since the step before, in seconds.
    pub seconds: f64,
    /// The step.
    pub action: Action,
}
