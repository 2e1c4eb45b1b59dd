//! Gold alignments made by people, with an aligner that learns from every sentence.
//!
//! A [`Project`] is a folder with a text and a journal for each [`Annotator`], a file that only grows: an [`Action`] is on the disk
//! before anybody is told that it is done.
//! What is in the sentences follows from the journal alone: a [`History`] applies actions one after another, undoes and redoes
//! them, and has the [`SentenceState`] that they lead to. In a sentence that was confirmed every link is decided, by hand or since a
//! suggestion was accepted.
//!
//! A [`Learner`] has a text and a model of it. From confirmed sentences it learns what the annotator links
//! ([`Guideline`](crate::decision::Guideline)) and what words are translated by, and makes [`Suggestions`] for all others. They depend
//! on nothing but the text and the links. A [`Queue`] says which sentence comes next: the one whose links teach most for the
//! time that it takes. [`Simulation`] has a gold standard take the place of the annotator, and counts what is left to correct.
//!
//! ```
//! use alinea::annotate::{Action, History, Mark};
//!
//! let mut history = History::new([2, 2]);
//! history.apply(&Action::Mark { links: vec![[0, 0], [0, 1]], mark: Some(Mark::Sure) })?;
//! history.apply(&Action::Undo)?;
//! history.apply(&Action::Confirm { accepted: vec![([1, 1], Mark::Sure)] })?;
//! assert!(history.state().is_confirmed());
//! assert_eq!(history.state().gold().sure(), &[(1, 1)].into());
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod action;
mod annotator;
mod export;
mod habits;
mod journal;
mod learner;
mod lock;
mod names;
mod project;
mod queue;
mod simulation;
mod state;
mod suggestions;

pub use action::{Action, Cell, Entry, Mark};
pub use annotator::{Annotator, Performed};
pub use export::{ExportFormat, Whose, export};
pub use habits::{Doing, Habit};
pub use learner::{Learner, Teaching};
pub use project::{ADJUDICATOR, PairWords, Project, ProjectSettings};
pub use queue::{Queue, QueueWeights};
pub use simulation::{Corrections, Order, Simulation, SimulationPoint};
pub use state::{History, Marked, SentenceState};
pub use suggestions::{Suggestions, Validation};
