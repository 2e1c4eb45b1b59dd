//! Names that the translation gives twice, the second time in brackets: `Name (Name)`.
//!
//! A label that is in brackets, or directly before them, may have another stretch on the other side of the bracket. Labels that
//! are glossed in the source have a label for each of the two.

use std::ops::Range;

use super::assignment::Assigning;
use super::words::Bracket;

/// What the probability of a word before the bracket is at least.
const BEFORE: f64 = 0.6;

/// Gives labels their second stretch.
pub(super) fn take(assigning: &mut Assigning<'_>) {
    let first: Vec<(usize, Range<usize>)> =
        assigning.found.taken.iter().map(|taken| (taken.label, taken.words.clone())).collect();
    for (label, words) in first {
        if assigning.sentence.labels[label].is_glossed {
            continue;
        }
        if let Some(words) = before(assigning, label, &words).or_else(|| behind(assigning, label, &words)) {
            assigning.take(label, words);
        }
    }
}

fn bracket_at(assigning: &Assigning<'_>, word: Option<usize>) -> Option<Bracket> {
    assigning.sentence.words.get(word?)?.bracket
}

/// What is directly before the bracket of a label that fills it: as many words as are worth it, from the last one back.
fn before(assigning: &Assigning<'_>, label: usize, words: &Range<usize>) -> Option<Range<usize>> {
    let around = [words.start.checked_sub(1), Some(words.end)].map(|word| bracket_at(assigning, word));
    if around != [Some(Bracket::Open), Some(Bracket::Close)] {
        return None;
    }
    let last = words.start.checked_sub(2)?;
    let sentence = assigning.sentence;
    if sentence.words[last].is_punctuation {
        return None;
    }
    let (mut sum, mut best, mut start) = (0.0, 0.0, None);
    for word in (0..=last).rev() {
        if assigning.is_taken(label, word) || sentence.words[word].bracket.is_some() {
            break;
        }
        sum += assigning.worth(word, sentence.labels[label].inside[word].max(BEFORE));
        if sum < best {
            break;
        }
        if sum > best && !sentence.words[word].is_punctuation {
            (best, start) = (sum, Some(word));
        }
    }
    start.map(|start| start..last + 1)
}

/// What fills the bracket that opens directly behind a label.
fn behind(assigning: &Assigning<'_>, label: usize, words: &Range<usize>) -> Option<Range<usize>> {
    if bracket_at(assigning, Some(words.end)) != Some(Bracket::Open) {
        return None;
    }
    let start = words.end + 1;
    let sentence = assigning.sentence;
    let length = sentence.words.get(start..)?.iter().position(|word| word.bracket == Some(Bracket::Close))?;
    let filled = start..start + length;
    let inside = &sentence.labels[label].inside;
    let worth: f64 = filled.clone().map(|word| assigning.worth(word, inside[word])).sum();
    (worth > 0.0 && !filled.clone().any(|word| assigning.is_taken(label, word))).then_some(filled)
}
