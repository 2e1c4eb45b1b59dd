//! Two ways to cut one line into tokens, matched by their characters, and links carried from the one to the other.
//!
//! Aligners link words, and models see pieces of words. A [`TokenMatcher`] compares what the tokens of two tokenizations spell, and a
//! [`TokenMap`] says for each token which tokens of the other share characters with it. [`LinkTransfer`] makes of a link between two
//! tokens all links between what they share characters with. So a link between words becomes one between all of their pieces, and words
//! are linked if any of their pieces are: from words to pieces and back, links are the same, if no piece has parts of two words.
//!
//! **What a token spells.** Tokens have marks, which are undone. Nobody has to say which: a line is read in each way that it may be
//! written in, first as it is (`reading`), until both sides spell the same.
//!
//! | tokens | example | rule |
//! |---|---|---|
//! | words, characters, morphemes | `Haus`, `屋` | as they are |
//! | SentencePiece | `▁Haus`, `<0xE2>` | `▁` (U+2581) is a blank; `<0xE2>` is the byte E2 |
//! | byte pair encoding by subword-nmt | `Ha@@` | `@@` at the end, but not of the last token of a line, says that the next token continues the word |
//! | WordPiece | `##us` | `##` at the beginning, but not of the first token, says that it continues a word |
//! | bytes as GPT-2 writes them | `ĠHaus`, `Ã¤` | each character is a byte, `Ġ` a blank |
//!
//! If lines are not equal byte by byte, their characters are compared (`spelling`), under more and more rules until they are equal:
//!
//! 1. characters are decomposed and their marks put in order (NFKD of Unicode), which makes the same equal as NFKC; blanks, control
//!    characters and what nobody sees (zero-width characters, soft hyphens, selectors of variants) are left out;
//! 2. the escapes of Moses inside a token are undone, `&apos;`, `&quot;`, `&amp;`, `&lt;`, `&gt;`, `&#124;`, `&#91;`, `&#93;` (and the
//!    older `&bar;`, `&bra;`, `&ket;`), as often as there are some; and `@-@` is a hyphen;
//! 3. the same across tokens;
//! 4. if case is ignored ([`TokenMatcher::ignoring_case`]): all of it without case, and then without accents, too.
//!
//! At last marks are taken for text, each where it helps (a word may end in `@@`), and tokens that spell nothing are passed over
//! (`search`): `<s>`, `</s>`, `<pad>`, `[CLS]`, `[SEP]`, `[PAD]`; and `<unk>`, `[UNK]` stand for as few characters as what follows allows.
//!
//! ```
//! use alinea::format::alignment::{LinkRecord, PairRecord};
//! use alinea::token_map::{LinkTransfer, TokenMap, TokenMatcher};
//!
//! let (mut matcher, mut source, mut target) = (TokenMatcher::new(), TokenMap::default(), TokenMap::default());
//! matcher.match_lines("the lighthouse", "▁the ▁light house", &mut source)?;
//! matcher.match_lines("le phare d&apos; Eckmühl", "le pha@@ re d' Eck@@ mühl", &mut target)?;
//! assert_eq!((source.of(1), target.of(3)), (1..3, 4..6));
//!
//! let mut pair = PairRecord { links: vec![LinkRecord::sure(1, 1).with_weight(0.9)], ..PairRecord::default() };
//! let left_out = LinkTransfer::default().transfer(&mut pair, Some(&source), Some(&target))?;
//! assert_eq!(pair.alignment(), [(1, 1), (1, 2), (2, 1), (2, 2)].into());
//! assert_eq!(left_out, 0);
//!
//! let mismatch = matcher.match_lines("the house", "the hause", &mut source).unwrap_err();
//! assert_eq!((mismatch.from, mismatch.to), (Some(1), Some(1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod matcher;
mod reading;
mod search;
mod spans;
mod spelling;
mod transfer;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub use self::matcher::{Mismatch, TokenMatcher, token_at};
pub use self::transfer::LinkTransfer;

/// For each token of a line, which tokens of another tokenization of the line share characters with it; and the other way round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenMap {
    /// Those of each token; an empty range for a token that shares characters with none.
    to: Vec<Range<u32>>,
    /// The same, seen from the other tokenization.
    from: Vec<Range<u32>>,
}

impl TokenMap {
    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.to.len()
    }

    /// Whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// The number of tokens of the other tokenization.
    pub fn other_len(&self) -> usize {
        self.from.len()
    }

    /// The tokens that a token shares characters with, and those between them: from the first to the last. Empty if there are none,
    /// as for a blank alone, or if there is no such token.
    pub fn of(&self, token: u32) -> Range<u32> {
        self.to.get(token as usize).cloned().unwrap_or(0..0)
    }

    /// The same, seen from the other tokenization.
    pub fn back(&self, token: u32) -> Range<u32> {
        self.from.get(token as usize).cloned().unwrap_or(0..0)
    }

    /// From the other tokenization to this.
    #[must_use]
    pub fn inverted(&self) -> Self {
        Self { to: self.from.clone(), from: self.to.clone() }
    }

    /// Replaces the map by that of tokens without any characters in common.
    fn reset(&mut self, tokens: usize, others: usize) {
        for (ranges, length) in [(&mut self.to, tokens), (&mut self.from, others)] {
            ranges.clear();
            ranges.resize(length, 0..0);
        }
    }

    /// Says that these tokens share a character with those. Time: the tokens.
    fn share(&mut self, tokens: Range<u32>, others: &Range<u32>) {
        for (ranges, these, those) in [(&mut self.to, &tokens, others), (&mut self.from, others, &tokens)] {
            for range in &mut ranges[these.start as usize..these.end as usize] {
                *range = if range.start >= range.end {
                    those.clone()
                } else {
                    range.start.min(those.start)..range.end.max(those.end)
                };
            }
        }
    }

    /// Replaces the map by that of two cuts of one text, given where each token ends in it. Time: the tokens.
    fn cut(&mut self, ends: &[usize], other_ends: &[usize]) {
        let Self { to, from } = self;
        to.clear();
        from.clear();
        // From one cut of the text to the next, on either side: where it is, and whether a token begins there.
        let (mut at, mut begins, mut other_begins) = (0, true, true);
        // The first token that shares characters with the present one, on either side.
        let (mut first, mut other_first) = (0, 0);
        loop {
            push_empty(ends, at, to);
            push_empty(other_ends, at, from);
            let (token, other) = (to.len() as u32, from.len() as u32);
            if begins {
                other_first = other;
            }
            if other_begins {
                first = token;
            }
            // Both sides end where the text ends.
            let (Some(&end), Some(&other_end)) = (ends.get(to.len()), other_ends.get(from.len())) else { break };
            at = end.min(other_end);
            (begins, other_begins) = (end == at, other_end == at);
            if begins {
                to.push(other_first..other + 1);
            }
            if other_begins {
                from.push(first..token + 1);
            }
        }
    }
}

/// Appends the ranges of the next tokens that have no characters.
fn push_empty(ends: &[usize], at: usize, ranges: &mut Vec<Range<u32>>) {
    while ends.get(ranges.len()) == Some(&at) {
        ranges.push(0..0);
    }
}
