//! Phrase pairs in the lines that Moses' program `extract` writes.
//!
//! | file of Moses | line | |
//! |---|---|---|
//! | `extract` | <code>source &#124;&#124;&#124; target &#124;&#124;&#124; 0-0 1-1</code> | [`push_pair`] |
//! | `extract.inv` | <code>target &#124;&#124;&#124; source &#124;&#124;&#124; 0-0 1-1</code> | [`push_inverse`] |
//! | `extract.o` | <code>source &#124;&#124;&#124; target &#124;&#124;&#124; mono other</code> | [`push_orientation`] |
//!
//! Links count from the beginning of the phrases and stand in the order (target, source), in both files. Nothing is escaped:
//! a word `|||` would end a field.
//!
//! ```
//! use alinea::phrase::moses::{JoinedWords, push_inverse, push_orientation, push_pair};
//! use alinea::phrase::PhraseExtractor;
//!
//! let words = |text: &'static str| text.split(' ').map(str::as_bytes);
//! let (mut source, mut target) = (JoinedWords::default(), JoinedWords::default());
//! source.replace(words("die schwarze Katze"));
//! target.replace(words("le chat noir"));
//! let mut extractor = PhraseExtractor::new(None);
//! let phrases = extractor.extract(&[(0, 0), (1, 2), (2, 1)].into(), 3, 3)?;
//! let mut lines = Vec::new();
//! for &pair in phrases.pairs() {
//!     push_pair(phrases, pair, [&source, &target], &mut lines);
//! }
//! let lines = String::from_utf8(lines).unwrap();
//! assert!(lines.starts_with("die ||| le ||| 0-0\ndie schwarze Katze ||| le chat noir ||| 0-0 2-1 1-2\n"), "{lines}");
//!
//! let (last, mut line) = (phrases.pairs()[4], Vec::new());
//! push_inverse(phrases, last, [&source, &target], &mut line);
//! push_orientation(phrases, last, [&source, &target], &mut line);
//! assert_eq!(String::from_utf8(line).unwrap(), "chat ||| Katze ||| 0-0\nKatze ||| chat ||| other swap\n");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::{PhrasePair, Phrases, Span};
use crate::format::alignment::push_number;

/// What separates the fields of a line, with a blank on both sides.
pub const SEPARATOR: &str = "|||";

/// The words of a sentence with one blank between them, to cut phrases out of.
#[derive(Debug, Clone, Default)]
pub struct JoinedWords {
    /// Each word with a blank behind it.
    bytes: Vec<u8>,
    /// Where each word begins, and where one after the last would.
    starts: Vec<usize>,
}

impl JoinedWords {
    /// Takes the words of another sentence.
    pub fn replace<'w>(&mut self, words: impl IntoIterator<Item = &'w [u8]>) {
        self.clear();
        for word in words {
            self.push(|bytes| bytes.extend_from_slice(word));
        }
    }

    /// Takes all words away, and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    /// Adds the word that `write` appends.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        write(&mut self.bytes);
        self.bytes.push(b' ');
        self.starts.push(self.bytes.len());
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words of a span that is not empty.
    ///
    /// # Panics
    /// If the span reaches out of the sentence, or is empty.
    pub fn phrase(&self, span: Span) -> &[u8] {
        &self.bytes[self.starts[span.start as usize]..self.starts[span.end as usize] - 1]
    }
}

/// Appends a line of the file `extract`; `words` are those of the source and of the target.
///
/// # Panics
/// If the words are not those of the sentences that the pair is of. So do the other functions.
pub fn push_pair(phrases: Phrases<'_>, pair: PhrasePair, words: [&JoinedWords; 2], out: &mut Vec<u8>) {
    push_phrases(words[0].phrase(pair.source), words[1].phrase(pair.target), out);
    push_links(phrases, pair, false, out);
}

/// Appends a line of the file `extract.inv`.
pub fn push_inverse(phrases: Phrases<'_>, pair: PhrasePair, words: [&JoinedWords; 2], out: &mut Vec<u8>) {
    push_phrases(words[1].phrase(pair.target), words[0].phrase(pair.source), out);
    push_links(phrases, pair, true, out);
}

/// Appends a line of the file `extract.o`: the orientation to what comes before in the target, and after.
pub fn push_orientation(phrases: Phrases<'_>, pair: PhrasePair, words: [&JoinedWords; 2], out: &mut Vec<u8>) {
    push_phrases(words[0].phrase(pair.source), words[1].phrase(pair.target), out);
    for orientation in phrases.orientation(pair) {
        out.push(b' ');
        out.extend_from_slice(orientation.name().as_bytes());
    }
    out.push(b'\n');
}

fn push_phrases(first: &[u8], second: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(first);
    for part in [b" ", SEPARATOR.as_bytes(), b" ", second, b" ", SEPARATOR.as_bytes()] {
        out.extend_from_slice(part);
    }
}

fn push_links(phrases: Phrases<'_>, pair: PhrasePair, inverse: bool, out: &mut Vec<u8>) {
    for link in phrases.links(pair) {
        let mut ends = [link.source - pair.source.start, link.target - pair.target.start];
        if inverse {
            ends.reverse();
        }
        out.push(b' ');
        push_number(u64::from(ends[0]), out);
        out.push(b'-');
        push_number(u64::from(ends[1]), out);
    }
    out.push(b'\n');
}
