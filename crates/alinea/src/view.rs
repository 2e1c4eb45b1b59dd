//! Pictures of what the rooms below hold, as text.
//!
//! Functions here take words and links and return a `String`; whoever calls them decides where it goes and whether it
//! is colored. [`grid`] draws one alignment in a terminal: a row a source word, a column a target word, a mark a link,
//! and against a gold standard a different mark for each way to be right or wrong; [`interlinear`] has the target words
//! under the source words that they are linked with. [`svg`] draws two rows of words with lines between them, for the
//! screen and for paper, and dependency trees outside; [`path_pairs_svg`] adds why dependency paths score as they do,
//! [`meta_graph_svg`] is the graph of all pairs that they choose from; [`dot`] gives the same to Graphviz, and [`nltk_dot`]
//! is the graph that NLTK draws. [`HtmlPage`] is a page for a browser, of all pairs of a text, and [`PageWriter`] writes it
//! to a file or into memory. [`headword_text`] and [`ConcordancePage`] show how words are translated. [`PictureFormat`] knows which of them the name of a file asks for. Whatever characters words have, the
//! pictures are well-formed. Sentences that begin with a word of Hebrew, Arabic or another script that runs from right to left
//! run so in all of them.
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
//! ■ sure 2   □ possible 0   × wrong 1   ○ missed 0   ◦ missed (possible) 1
//! ");
//! ```

mod cells;
mod concordance;
mod direction;
mod dot;
mod grid;
mod html;
mod interlinear;
mod lines;
mod marks;
mod picture_format;
mod style;
mod svg;
mod trees;
#[cfg(test)]
mod well_formed;

pub use concordance::{ConcordancePage, headword_text};
pub use dot::{dot, nltk_dot};
pub use grid::grid;
pub use html::{HtmlPage, Layer, PagePair, PageWriter};
pub use interlinear::interlinear;
pub use picture_format::PictureFormat;
pub use style::{Marks, Style};
pub use svg::{meta_graph_svg, path_pairs_svg, svg};
pub use trees::{DrawnTree, Trees};
