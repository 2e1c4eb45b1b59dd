//! The stretches of a sentence that a label may take.

use std::ops::Range;

/// The stretch with the greatest sum of weights, if that is above 0, and its sum; barred words are in none. Of equals the first.
/// O(words).
pub(super) fn heaviest(weights: &[f64], is_barred: impl Fn(usize) -> bool) -> Option<(f64, Range<usize>)> {
    let mut best: Option<(f64, Range<usize>)> = None;
    let (mut sum, mut start) = (0.0, 0);
    for (word, weight) in weights.iter().enumerate() {
        if is_barred(word) {
            (sum, start) = (0.0, word + 1);
            continue;
        }
        if sum <= 0.0 {
            (sum, start) = (0.0, word);
        }
        sum += weight;
        if sum > 0.0 && best.as_ref().is_none_or(|(most, _)| sum > *most) {
            best = Some((sum, start..word + 1));
        }
    }
    best
}

/// From the first word that is linked to the last.
pub(super) fn hull(linked: &[bool]) -> Option<Range<usize>> {
    let first = linked.iter().position(|&linked| linked)?;
    let last = linked.iter().rposition(|&linked| linked)?;
    Some(first..last + 1)
}

/// The stretches of linked words, with gaps of at most so many words.
pub(super) fn linked(linked: &[bool], gap: usize) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for word in (0..linked.len()).filter(|&word| linked[word]) {
        match stretches.last_mut().filter(|stretch| word - stretch.end <= gap) {
            Some(stretch) => stretch.end = word + 1,
            None => stretches.push(word..word + 1),
        }
    }
    stretches
}
