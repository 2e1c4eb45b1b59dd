//! One side of a bitext while it is read: lines become sentences of word ids, and what the report says is counted.
//!
//! The words of each line are lowercased if asked for, and interned. A line with too many words is an error or, if such
//! lines are skipped, an empty sentence whose number is noted; so sentence n is always line n. Words are only counted
//! where there could be too many: a line of b bytes has at most ⌈b / 2⌉ words between blanks.
//!
//! In the first 1000 lines with words, punctuation glued to words is counted, which tells text that was not tokenized.

use super::kept::KeptLines;
use super::options::ReadOptions;
use crate::bitext::Text;
use crate::format::blanks::ForeignBlanks;
use crate::format::tokens::{self, GluedPunctuation, Tokenize};

/// In how many lines with words glued punctuation is counted.
const GLUED_LINES: u64 = 1000;

/// The text so far, and what was met.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) text: Text,
    pub(super) kept: Option<KeptLines>,
    /// Sentences, from 0, that are empty because they were too long.
    pub(super) long: Vec<usize>,
    pub(super) glued: GluedPunctuation,
    pub(super) bytes: u64,
    pub(super) replaced: u64,
    pub(super) foreign_blanks: Option<ForeignBlanks>,
    glued_lines_left: u64,
    lowercase: bool,
    tokenize: Tokenize,
    max_length: usize,
    skip_long: bool,
    folded: Vec<u8>,
}

impl Side {
    pub(super) fn new(name: &str, options: &ReadOptions) -> Self {
        Self {
            name: name.to_owned(),
            text: Text::default(),
            kept: options.keep_text.then(|| KeptLines::new(options.tokenize)),
            long: Vec::new(),
            glued: GluedPunctuation::default(),
            bytes: 0,
            replaced: 0,
            foreign_blanks: None,
            glued_lines_left: GLUED_LINES,
            lowercase: options.lowercase,
            tokenize: options.tokenize,
            max_length: options.max_length,
            skip_long: options.skip_long,
            folded: Vec::new(),
        }
    }

    /// Where it was looked for before.
    pub(super) fn do_not_look_for_glue(&mut self) {
        self.glued_lines_left = 0;
    }

    pub(super) fn lines(&self) -> u64 {
        self.text.len() as u64
    }

    /// Adds a line. The error is the number of its words where those are too many and such lines are not skipped.
    pub(super) fn push(&mut self, line: &str) -> Result<(), usize> {
        if let Some(kept) = &mut self.kept {
            kept.push(line);
        }
        if self.glued_lines_left > 0 {
            self.look_for_glue(line);
        }
        if self.is_long(line) {
            if !self.skip_long {
                return Err(tokens::count(line, self.tokenize));
            }
            self.long.push(self.text.len());
        } else {
            self.push_words(line);
        }
        self.text.end_sentence();
        Ok(())
    }

    /// Whether a line has too many words. Most lines are too short in bytes for that and are not counted.
    fn is_long(&self, line: &str) -> bool {
        self.tokenize.most_words(line) > self.max_length && tokens::count(line, self.tokenize) > self.max_length
    }

    fn push_words(&mut self, line: &str) {
        let (text, folded) = (&mut self.text, &mut self.folded);
        if !self.lowercase {
            tokens::for_each(line, self.tokenize, |word| text.push_word(word));
        } else if self.tokenize == Tokenize::None {
            // The same as word by word, and faster.
            folded.clear();
            tokens::fold_text(line, folded);
            tokens::for_each_split(folded, |word| text.push_word(word));
        } else {
            tokens::for_each(line, self.tokenize, |word| {
                folded.clear();
                tokens::fold_case(word, folded);
                text.push_word(folded);
            });
        }
    }

    #[cold]
    fn look_for_glue(&mut self, line: &str) {
        let before = self.glued.tokens;
        tokens::for_each(line, self.tokenize, |word| self.glued.observe(word));
        if self.glued.tokens > before {
            self.glued_lines_left -= 1;
        }
    }
}
