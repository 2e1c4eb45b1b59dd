//! The lines of both sides as they were read, for outputs that show words as they were written.
//!
//! A bitext has word ids, perhaps of lowercased words; these are the lines themselves, those of skipped pairs included.
//! All lines of a side are one string, with the offset at which each ends. Where words begin and end is not stored:
//! [`KeptLines::spans`] and [`KeptLines::tokens`] cut the line again, in the way in which it was cut for the bitext.

use crate::format::tokens::{self, TokenSpan, Tokenize};

/// The original lines of both sides, pairs that were skipped among them.
#[derive(Debug, Clone)]
pub struct KeptText {
    /// The source lines.
    pub source: KeptLines,
    /// The target lines.
    pub target: KeptLines,
}

/// Lines of one side in one piece of memory. Words and their places are found again when somebody asks.
#[derive(Debug, Clone)]
pub struct KeptLines {
    text: String,
    ends: Vec<u64>,
    tokenize: Tokenize,
}

impl KeptLines {
    /// No lines yet; words will be cut as `tokenize` says.
    pub fn new(tokenize: Tokenize) -> Self {
        Self { text: String::new(), ends: Vec::new(), tokenize }
    }

    /// Adds a line.
    pub fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.ends.push(self.text.len() as u64);
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How lines are cut into words.
    pub fn tokenize(&self) -> Tokenize {
        self.tokenize
    }

    /// The `n`-th line, from 0, without its line break.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn line(&self, n: usize) -> &str {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.text[start as usize..self.ends[n] as usize]
    }

    /// Replaces `spans` by the places of the words of the `n`-th line.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn spans(&self, n: usize, spans: &mut Vec<TokenSpan>) {
        tokens::spans(self.line(n), self.tokenize, spans);
    }

    /// The words of the `n`-th line, as they were written.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn tokens(&self, n: usize) -> Vec<&str> {
        let mut spans = Vec::new();
        self.spans(n, &mut spans);
        let line = self.line(n);
        spans.into_iter().map(|span| &line[span.bytes]).collect()
    }
}
