//! A sentence pair with its links: two tokenized sentences and an alignment between them, as NLTK's `AlignedSent`.
//!
//! The words of the first sentence are its `words`, those of the second its `mots`, as in NLTK. Links always lie within
//! both. [`AlignedSentence::new`] and [`AlignedSentence::set_alignment`] check that, over all links first for `words`
//! and then for `mots`, and fail with NLTK's messages; a refused alignment leaves the old one in place.
//!
//! The short form, `<AlignedSent: '...' -> '...'>`, has the first 20 characters of each sentence, and always the dots.

use std::fmt;

use super::Alignment;
use crate::error::{Error, ErrorKind, Result};

/// Characters of each sentence that the short form shows.
const SHOWN: usize = 20;

/// Two sentences, cut into words, and the links between them. The words of the second sentence are its *mots*, as NLTK
/// calls them. No link points outside the sentences.
///
/// Displays in a short form: the first 20 characters of each sentence.
///
/// ```
/// use alinea::alignment::AlignedSentence;
///
/// let words = ["klein", "ist", "das", "Haus"].map(str::to_owned).to_vec();
/// let mots = ["the", "house", "is", "small"].map(str::to_owned).to_vec();
/// let mut sentence = AlignedSentence::new(words, mots, [(0, 3), (1, 2), (2, 0), (3, 1)].into())?;
/// assert_eq!(sentence.to_string(), "<AlignedSent: 'klein ist das Haus...' -> 'the house is small...'>");
/// assert_eq!(sentence.inverted().alignment().to_string(), "0-2 1-3 2-1 3-0");
///
/// let error = sentence.set_alignment([(0, 0), (1, 4)].into()).unwrap_err();
/// assert_eq!(error.to_string(), "Alignment is outside boundary of mots");
/// assert_eq!(sentence.alignment().len(), 4, "what was there stays");
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct AlignedSentence {
    words: Vec<String>,
    mots: Vec<String>,
    alignment: Alignment,
}

impl AlignedSentence {
    /// The sentences `words` and `mots` with links from the one to the other.
    ///
    /// # Errors
    /// As [`set_alignment`](Self::set_alignment).
    pub fn new(words: Vec<String>, mots: Vec<String>, alignment: Alignment) -> Result<Self> {
        check(&alignment, words.len(), mots.len())?;
        Ok(Self { words, mots, alignment })
    }

    /// The words of the first sentence.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The words of the second sentence.
    pub fn mots(&self) -> &[String] {
        &self.mots
    }

    /// The links.
    pub fn alignment(&self) -> &Alignment {
        &self.alignment
    }

    /// Replaces the links, unless one of them points outside.
    ///
    /// # Errors
    /// `Inconsistent` with the message `Alignment is outside boundary of words` if any link begins outside the first
    /// sentence, or else `… of mots` if any ends outside the second; then nothing is replaced.
    pub fn set_alignment(&mut self, alignment: Alignment) -> Result<()> {
        check(&alignment, self.words.len(), self.mots.len())?;
        self.alignment = alignment;
        Ok(())
    }

    /// The sentence pair seen from the other side.
    #[must_use]
    pub fn inverted(&self) -> Self {
        Self { words: self.mots.clone(), mots: self.words.clone(), alignment: self.alignment.inverted() }
    }

    /// Words, mots and links, by value.
    pub fn into_parts(self) -> (Vec<String>, Vec<String>, Alignment) {
        (self.words, self.mots, self.alignment)
    }
}

/// Words are checked first, over all links.
fn check(alignment: &Alignment, words: usize, mots: usize) -> Result<()> {
    let outside =
        |side: &str| -> Error { ErrorKind::Inconsistent(format!("Alignment is outside boundary of {side}")).into() };
    // Links are sorted by source.
    if alignment.links().last().is_some_and(|link| link.source as usize >= words) {
        return Err(outside("words"));
    }
    if alignment.iter().any(|link| link.target as usize >= mots) {
        return Err(outside("mots"));
    }
    Ok(())
}

/// `<AlignedSent: 'Weshalb also sollten...' -> 'So why should EU arm...'>`, the dots always.
impl fmt::Display for AlignedSentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<AlignedSent: '")?;
        start(&self.words, f)?;
        write!(f, "...' -> '")?;
        start(&self.mots, f)?;
        write!(f, "...'>")
    }
}

/// Writes the first characters of the words joined by blanks.
fn start(words: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut left = SHOWN;
    for (n, word) in words.iter().enumerate() {
        let blank = if n > 0 { " " } else { "" };
        for character in blank.chars().chain(word.chars()) {
            if left == 0 {
                return Ok(());
            }
            left -= 1;
            fmt::Write::write_char(f, character)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// The sentence that NLTK's documentation prints.
    #[test]
    fn the_short_form_has_twenty_characters_of_each_side() {
        let german = words("Weshalb also sollten wir die Armeen der EU ausrüsten ?");
        let english = words("So why should EU armies be equipped ?");
        let sentence = AlignedSentence::new(german, english, Alignment::new()).unwrap();
        assert_eq!(sentence.to_string(), "<AlignedSent: 'Weshalb also sollten...' -> 'So why should EU arm...'>");
        let empty = AlignedSentence::default();
        assert_eq!(empty.to_string(), "<AlignedSent: '...' -> '...'>");
        let accents = AlignedSentence::new(words("ééééé ééééé ééééé ééééé"), vec![], Alignment::new()).unwrap();
        assert_eq!(accents.to_string(), "<AlignedSent: 'ééééé ééééé ééééé éé...' -> '...'>");
    }

    #[test]
    fn links_to_nothing_are_refused_on_empty_sides() {
        let refused =
            |w: &str, m: &str| AlignedSentence::new(words(w), words(m), [(0, 0)].into()).unwrap_err().to_string();
        assert_eq!(refused("", "a"), "Alignment is outside boundary of words");
        assert_eq!(refused("a", ""), "Alignment is outside boundary of mots");
        assert_eq!(refused("", ""), "Alignment is outside boundary of words");
        // Nothing is allocated by the size of a position.
        let far = AlignedSentence::new(words("a"), words("b"), [(0, u32::MAX)].into());
        assert_eq!(far.unwrap_err().to_string(), "Alignment is outside boundary of mots");
    }
}
