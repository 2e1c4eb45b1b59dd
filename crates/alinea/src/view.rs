//! Pictures of what the rooms below hold, as text.
//!
//! Functions here take words and links and return a `String`; whoever calls them decides where it goes and whether it
//! is colored. [`grid`] draws one alignment in a terminal: a row a source word, a column a target word, a mark a link,
//! and against a gold standard a different mark for each way to be right or wrong.
//!
//! ```
//! use alinea::alignment::{Alignment, GoldAlignment};
//! use alinea::view::{Style, grid};
//!
//! let source = ["das", "Haus"];
//! let target = ["the", "house"];
//! let hypothesis: Alignment = [(0, 0), (1, 0), (1, 1)].into();
//! let gold = GoldAlignment::from_parts([(0, 0), (1, 1)].into(), &[(0, 1)].into());
//! let picture = grid(&source, &target, &hypothesis, Some(&gold), &Style::default());
//! assert_eq!(picture, "          h
//!           o
//!         t u
//!         h s
//!         e e
//!         0
//!  das 0  ■ ◦
//! Haus 1  × ■
//!
//! ■ sure 2   □ possible 0   × wrong 1   ○ sure missed 0   ◦ possible missed 1
//! ");
//! ```

mod cells;
mod grid;

pub use grid::{Marks, Style, grid};
