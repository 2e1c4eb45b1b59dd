//! What several verbs read, and the options that say where it is: so that the same input has the same options, the same
//! messages, and is read by the same code everywhere.
//!
//! | file | what is read |
//! |---|---|
//! | `paths` | the files of a run, no two of which may be the same |
//! | `text` | a text to learn from or to align, as a whole |
//! | `encoder`, `encode` | word vectors of a text, by a pretrained encoder, and which pairs have some |
//! | `training` | what is learned from beside the text: added text, a dictionary, known links, classes, a checkpoint |
//! | `pairs` | one file of sentence pairs in a format of another program |
//! | `sentences` | sentence pairs, one after another |
//! | `links` | files of links in any format, one pair after another |
//! | `linked` | sentence pairs and their links together |
//! | `word_links` | the links of a text: of a file, of a saved model, or made on the spot |
//! | `annotated` | gold alignments, of one or several annotators |
//! | `tokenize` | how text is cut into words |
//! | `tokens` | other tokens of the same lines, such as subwords, which links are made to count |
//! | `trees` | treebanks, of both sides or of references and systems |
//! | `kind` | the kind of output, `--format` and `--json`; letters that are no options |
//! | `dictionary_format`, `resampling` | options that several verbs have |

pub(crate) mod annotated;
pub(crate) mod dictionary_format;
pub(crate) mod encode;
pub(crate) mod encoder;
pub(crate) mod kind;
pub(crate) mod linked;
pub(crate) mod links;
pub(crate) mod pairs;
pub(crate) mod paths;
pub(crate) mod resampling;
pub(crate) mod sentences;
pub(crate) mod text;
pub(crate) mod tokenize;
pub(crate) mod tokens;
pub(crate) mod training;
pub(crate) mod trees;
pub(crate) mod word_links;
