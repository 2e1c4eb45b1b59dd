//! Surface tokens and the syntactic words in them, and links carried from the one to the other.
//!
//! In Universal Dependencies a token written in one piece may consist of several words, as French `aux` of `à les`.
//! Tokens divide the words of a sentence into consecutive ranges; a [`Surface`] has the token of each word, and the end
//! of each token's words.
//!
//! A link between words becomes one between the tokens they are in. A link between tokens becomes links between all
//! words of the one and all words of the other. So links carried from words to tokens and back are all there again, but
//! there may be more of them.

use std::ops::Range;

use crate::alignment::{Alignment, Link};
use crate::error::{Error, Result};

/// Which syntactic words each surface token has: its neighbors in a row, and each word in one token. So links between
/// words can be carried to tokens, and back.
///
/// ```
/// use alinea::alignment::Alignment;
/// use alinea::tree::Surface;
///
/// // `aux armes`, of which `aux` is `à les`, and `to the arms`.
/// let french = Surface::new(std::iter::once(0..2), 3);
/// let english = Surface::new([], 3);
/// let words: Alignment = [(0, 0), (1, 1), (2, 2)].into();
/// let tokens = Surface::tokens_of_words(&words, &french, &english)?;
/// assert_eq!(tokens, [(0, 0), (0, 1), (1, 2)].into());
/// assert_eq!(Surface::words_of_tokens(&tokens, &french, &english)?.to_string(), "0-0 0-1 1-0 1-1 2-2");
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surface {
    /// The token of each word.
    tokens: Vec<u32>,
    /// Where the words of each token end.
    ends: Vec<u32>,
}

impl Surface {
    /// The tokens of a sentence of so many words, of which those in `ranges` (ascending, apart, within the sentence) have
    /// several words.
    pub fn new(ranges: impl IntoIterator<Item = Range<u32>>, words: usize) -> Self {
        let mut surface = Self { tokens: Vec::with_capacity(words), ends: Vec::with_capacity(words) };
        for range in ranges {
            surface.single(range.start);
            surface.push(range.end);
        }
        surface.single(words as u32);
        surface
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.tokens.len()
    }

    /// The token that a word is in; none if there is no such word.
    pub fn token_of(&self, word: u32) -> Option<u32> {
        self.tokens.get(word as usize).copied()
    }

    /// The words of a token; none if there is no such token.
    pub fn words_of(&self, token: u32) -> Range<u32> {
        let token = token as usize;
        let start = if token == 0 { 0 } else { self.ends.get(token - 1).copied().unwrap_or(0) };
        start..self.ends.get(token).copied().unwrap_or(start)
    }

    /// Links between words as links between the tokens that they are in.
    ///
    /// # Errors
    /// `Inconsistent` for a link to a word that there is not.
    pub fn tokens_of_words(links: &Alignment, source: &Self, target: &Self) -> Result<Alignment> {
        check(links, "words", [source.words(), target.words()])?;
        let token = |surface: &Self, word: u32| surface.tokens[word as usize];
        let carried =
            links.iter().map(|link| Link { source: token(source, link.source), target: token(target, link.target) });
        Ok(Alignment::from_links(carried.collect()))
    }

    /// Links between tokens as links between all their words.
    ///
    /// # Errors
    /// `Inconsistent` for a link to a token that there is not.
    pub fn words_of_tokens(links: &Alignment, source: &Self, target: &Self) -> Result<Alignment> {
        check(links, "tokens", [source.len(), target.len()])?;
        let carried = links.iter().flat_map(|link| {
            let targets = target.words_of(link.target);
            source
                .words_of(link.source)
                .flat_map(move |source| targets.clone().map(move |target| Link { source, target }))
        });
        Ok(Alignment::from_links(carried.collect()))
    }

    /// Words up to `end`, each a token.
    fn single(&mut self, end: u32) {
        while self.tokens.len() < end as usize {
            self.push(self.tokens.len() as u32 + 1);
        }
    }

    /// A token of the words up to `end`.
    fn push(&mut self, end: u32) {
        let token = self.ends.len() as u32;
        self.tokens.resize(end as usize, token);
        self.ends.push(end);
    }
}

/// Refuses links out of the sentences, whose units have a name and two numbers.
fn check(links: &Alignment, units: &str, [source, target]: [usize; 2]) -> Result<()> {
    match links.first_outside(source, target) {
        None => Ok(()),
        Some(link) => Err(Error::link_outside(link, "the trees", [source, target], units)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_tokens_know_each_other() {
        let surface = Surface::new([1..3, 3..6], 7);
        assert_eq!((surface.len(), surface.words()), (4, 7));
        assert_eq!([0, 1, 2, 3].map(|token| surface.words_of(token)), [0..1, 1..3, 3..6, 6..7]);
        assert!(surface.words_of(4).is_empty());
        assert_eq!(
            (0..8).map(|word| surface.token_of(word)).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(1), Some(2), Some(2), Some(2), Some(3), None]
        );
    }

    #[test]
    fn links_come_back_at_least() {
        let surface = Surface::new(std::iter::once(0..2), 3);
        let links: Alignment = [(0, 1), (2, 2), (1, 0)].into();
        let there = Surface::tokens_of_words(&links, &surface, &surface).unwrap();
        assert_eq!(there, [(0, 0), (0, 0), (1, 1), (0, 0)].into());
        assert!(links.is_subset(&Surface::words_of_tokens(&there, &surface, &surface).unwrap()));
    }

    #[test]
    fn links_out_of_the_sentences_are_refused() {
        let surface = Surface::new(std::iter::once(0..2), 3);
        let links: Alignment = [(0, 2)].into();
        assert!(Surface::tokens_of_words(&links, &surface, &surface).is_ok());
        let error = Surface::words_of_tokens(&links, &surface, &surface).unwrap_err();
        assert_eq!(error.to_string(), "link 0-2 is out of range, the trees have 2 and 2 tokens");
    }
}
