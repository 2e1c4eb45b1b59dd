//! The trees of one side for `view`, read beside its text.
//!
//! A treebank has a tree for each line of the text that is not empty, since CoNLL-U has no empty sentence. Trees may be
//! over the words of the line, or over words of which the line has the surface tokens; `DrawnTree` decides. A tree of
//! another length, a missing tree, and trees left at the end are errors that name line and sentence. Several roots are
//! allowed, as drawing does not need one.

use std::path::Path;

use alinea::error::{Error, ErrorKind};
use alinea::tree::Roots;
use alinea::view::DrawnTree;

use crate::input::links::counted;
use crate::input::trees::TreeFile;

/// A file of trees, one for each line that is not empty.
#[derive(Debug)]
pub(super) struct TreeReader {
    file: TreeFile,
    /// Words of the current line; none where there is no tree.
    words: usize,
}

impl TreeReader {
    /// Opens a file. Several roots of a sentence are drawn as they are.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        Ok(Self { file: TreeFile::open(path, Roots::Many)?, words: 0 })
    }

    /// Goes to the tree of the next line, which has so many words and that number.
    pub(super) fn read(&mut self, words: usize, line: u64) -> anyhow::Result<()> {
        self.words = words;
        if words == 0 {
            return Ok(());
        }
        if !self.file.read()? {
            let (name, sentences) = (self.file.name(), self.file.number());
            return Err(inconsistent(format!("{name}: no tree for line {line}, there are {sentences}")).into());
        }
        Ok(())
    }

    /// Refuses trees that are left after the last line, which has that number.
    pub(super) fn check_end(&mut self, lines: u64) -> anyhow::Result<()> {
        let trees = self.file.number();
        if !self.file.read()? {
            return Ok(());
        }
        let position = self.place();
        let message = format!("{position}: more trees than lines: {trees} belong to the {lines} lines of the text");
        Err(inconsistent(message).into())
    }

    /// Where the current sentence begins.
    fn place(&self) -> String {
        format!("{}:{}", self.file.name(), self.file.sentence().line_of(0))
    }

    /// The tree of the current line, which has that number.
    pub(super) fn tree(&self, line: u64) -> alinea::error::Result<Option<DrawnTree<'_>>> {
        if self.words == 0 {
            return Ok(None);
        }
        let sentence = self.file.sentence();
        let tree = DrawnTree::of(sentence, self.words);
        tree.map(Some).ok_or_else(|| {
            let position = self.place();
            let tokens = sentence.surface().len();
            let has = match sentence.len() {
                words if words == tokens => counted(words as u64, "word"),
                words => format!("{} in {}", counted(words as u64, "word"), counted(tokens as u64, "token")),
            };
            let (number, words) = (self.file.number(), self.words);
            inconsistent(format!("{position}: sentence {number} has {has}, line {line} of the text has {words}"))
        })
    }
}

fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}
