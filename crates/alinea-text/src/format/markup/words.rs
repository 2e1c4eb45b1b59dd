//! Words of text with tags in it: those of the text, cut where tags stand inside of them.

use std::ops::Range;

/// Cuts words at places, which are in order.
pub(super) fn cut(words: Vec<Range<usize>>, places: &[usize]) -> Vec<Range<usize>> {
    if places.is_empty() {
        return words;
    }
    let mut places = places.iter().copied().peekable();
    let mut cut = Vec::with_capacity(words.len());
    for Range { mut start, end } in words {
        while let Some(place) = places.next_if(|&place| place < end) {
            if place > start {
                cut.push(start..place);
                start = place;
            }
        }
        cut.push(start..end);
    }
    cut
}
