//! Trees beside the sentences of one side.

use std::path::Path;

use alinea::error::{Error, ErrorKind};
use alinea::format::conllu::Reader;
use alinea::format::source::Input;
use alinea::tree::{ParsedSentence, Roots};
use alinea::view::DrawnTree;

/// A file of trees, one for each line that is not empty.
#[derive(Debug)]
pub(super) struct TreeReader {
    reader: Reader<Input>,
    sentence: ParsedSentence,
    /// Words of the current line; none where there is no tree.
    words: usize,
    sentences: u64,
}

impl TreeReader {
    /// Opens a file. Several roots of a sentence are drawn as they are.
    pub(super) fn open(path: &Path) -> alinea::error::Result<Self> {
        let reader = Reader::open(path, Roots::Many)?;
        Ok(Self { reader, sentence: ParsedSentence::default(), words: 0, sentences: 0 })
    }

    /// Goes to the tree of the next line, which has so many words and that number.
    pub(super) fn read(&mut self, words: usize, line: u64) -> alinea::error::Result<()> {
        self.words = words;
        if words == 0 {
            return Ok(());
        }
        if !self.reader.read_into(&mut self.sentence)? {
            let (name, sentences) = (self.reader.name(), self.sentences);
            return Err(inconsistent(format!("{name}: no tree for line {line}, there are {sentences}")));
        }
        self.sentences += 1;
        Ok(())
    }

    /// Refuses trees that are left after the last line, which has that number.
    pub(super) fn check_end(&mut self, lines: u64) -> alinea::error::Result<()> {
        if !self.reader.read_into(&mut self.sentence)? {
            return Ok(());
        }
        let (position, trees) = (self.place(), self.sentences);
        Err(inconsistent(format!("{position}: more trees than lines: {trees} belong to the {lines} lines of the text")))
    }

    /// Where the current sentence begins.
    fn place(&self) -> String {
        format!("{}:{}", self.reader.name(), self.sentence.line_of(0))
    }

    /// The tree of the current line, which has that number.
    pub(super) fn tree(&self, line: u64) -> alinea::error::Result<Option<DrawnTree<'_>>> {
        if self.words == 0 {
            return Ok(None);
        }
        let tree = DrawnTree::of(&self.sentence, self.words);
        tree.map(Some).ok_or_else(|| {
            let position = self.place();
            let tokens = self.sentence.surface().len();
            let has = match self.sentence.len() {
                words if words == tokens => format!("{words} words"),
                words => format!("{words} words in {tokens} tokens"),
            };
            let (sentence, words) = (self.sentences, self.words);
            inconsistent(format!("{position}: sentence {sentence} has {has}, line {line} of the text has {words}"))
        })
    }
}

fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}
