//! What a word is.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

/// The words of a text, as ranges of its bytes.
///
/// A word is letters and digits, with the marks that belong to them. An apostrophe or a hyphen between two of them is part of the
/// word, and so are the middle dot, the geresh, the soft hyphen and the word joiner; a full stop or a comma is, between digits.
/// All else is punctuation, also an apostrophe at the end of a word. Linear in the text.
///
/// ```
/// use alinea::format::usfm::words;
///
/// let text = "“L'enfant, c’est-à-dire ‘lui’: 144,000.”";
/// let found: Vec<&str> = words(text).into_iter().map(|word| &text[word]).collect();
/// assert_eq!(found, ["L'enfant", "c’est-à-dire", "lui", "144,000"]);
/// ```
pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    // The end of what is part of the last word if letters follow, and whether these must be digits.
    let mut bridge: Option<(usize, bool)> = None;
    for (at, cluster) in text.grapheme_indices(true) {
        let first = cluster.chars().next().unwrap_or_default();
        let end = at + cluster.len();
        let ends_here = words.last().is_some_and(|word| word.end == at);
        if first.is_alphanumeric() {
            let bridged = bridge.is_some_and(|(end, digits)| end == at && (!digits || first.is_numeric()));
            match words.last_mut() {
                Some(word) if ends_here || bridged => word.end = end,
                _ => words.push(at..end),
            }
            bridge = None;
        } else if ends_here && is_inner(first) {
            bridge = Some((end, false));
        } else if ends_here && matches!(first, '.' | ',') && text[..at].ends_with(char::is_numeric) {
            bridge = Some((end, true));
        } else {
            bridge = None;
        }
    }
    words
}

/// Whether a character is part of a word between two letters.
fn is_inner(character: char) -> bool {
    const APOSTROPHES: [char; 4] = ['\'', '\u{2019}', '\u{05F3}', '\u{05F4}'];
    const HYPHENS: [char; 4] = ['-', '\u{2010}', '\u{2011}', '\u{AD}'];
    const OTHERS: [char; 3] = ['\u{B7}', '\u{2060}', '\u{200D}'];
    APOSTROPHES.contains(&character) || HYPHENS.contains(&character) || OTHERS.contains(&character)
}

/// For each word, which one of those that are equal it is, from 1, and how many of them there are.
pub fn occurrences<'w>(words: impl Iterator<Item = &'w str>) -> Vec<[u32; 2]> {
    let mut counts = std::collections::BTreeMap::new();
    let numbered: Vec<(&str, u32)> = words
        .map(|word| {
            let count = counts.entry(word).or_insert(0_u32);
            *count += 1;
            (word, *count)
        })
        .collect();
    numbered.into_iter().map(|(word, number)| [number, counts[word]]).collect()
}
