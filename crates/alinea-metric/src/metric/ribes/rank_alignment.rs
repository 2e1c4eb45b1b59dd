//! The word alignment of RIBES (Isozaki et al. 2010, section 3): where in the reference is each word of the hypothesis?
//!
//! A word that occurs once on each side is aligned with itself. Others are told apart by context: of the stretches of
//! the hypothesis that begin or end with the word, the shortest that occurs once on each side decides; of two that to
//! the right. Words without such a stretch are left out, as are those whose stretch is longer than NLTK 3.10's limit.
//!
//! Stretches are not enumerated. In each direction the shortest unique one is one word longer than the greater of two
//! numbers: how many words the place shares with any other place of the hypothesis, and the second most that it shares
//! with a place of the reference. It exists if some place of the reference shares that many. How many words two places
//! share follows from their neighbors, row by row, and only pairs of equal words have a cell: so time is the number of
//! these pairs, and memory is linear.

use crate::bitext::Vocabulary;
use crate::error::Result;
use crate::metric::words::{Places, check_equal_words};

/// Aligns the words of a hypothesis with those of a reference, and gives the places in the reference, in the order of the
/// hypothesis (Isozaki et al. 2010, section 3).
///
/// A word that occurs once on each side is aligned with itself. For the others stretches of the hypothesis are tried that
/// begin or end with the word, of two words, of three and so on, first the one to the right, then the one to the left: the
/// first stretch that occurs once on each side decides. Words for which there is none are left out. Two words of the
/// hypothesis may get one place.
///
/// As in NLTK 3.10 (and other than in the paper's words, which name no limit), stretches at word i of n are no longer than
/// the greater one of i and n - i + 1, counting from 0: so a stretch to the left that goes to the beginning of the sentence
/// is often not tried.
///
/// Time grows with the number of pairs of equal words, so with the square of the length where the same words come again and
/// again; memory with the length.
///
/// ```
/// use alinea::metric::ribes::word_rank_alignment;
///
/// let words = |sentence: &'static str| sentence.split(' ').collect::<Vec<_>>();
/// let reference = words("he was interested in world history because he read the book");
/// let hypothesis = words("he read the book because he was interested in world history");
/// assert_eq!(word_rank_alignment(&reference, &hypothesis)?, [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
///
/// # Errors
/// `OverLimit` for too many pairs of equal words ([`limits::EQUAL_WORDS`](crate::limits::EQUAL_WORDS)).
pub fn word_rank_alignment<S: AsRef<str>>(reference: &[S], hypothesis: &[S]) -> Result<Vec<u32>> {
    let mut words = Vocabulary::default();
    let mut number = |sentence: &[S]| -> Vec<u32> {
        sentence.iter().map(|word| words.intern(word.as_ref().as_bytes()).index() as u32).collect()
    };
    let (reference, hypothesis) = (number(reference), number(hypothesis));
    check_equal_words(&reference, &hypothesis, words.len())?;
    let mut ranks = Vec::new();
    RankAligner::default().align(&reference, &hypothesis, words.len(), &mut ranks);
    Ok(ranks)
}

/// The lengths of what two sentences share at pairs of places: one row of the table at a time, for the place in the first
/// sentence, and only cells that are not 0. A cell is (row that wrote it, length).
#[derive(Debug, Default)]
struct Shared {
    cells: Vec<(u32, u32)>,
}

impl Shared {
    fn clear(&mut self, length: usize) {
        self.cells.clear();
        self.cells.resize(length + 2, (u32::MAX, 0));
    }

    /// Writes a cell of equal words, one more than its neighbor in the row before, and returns it. Cells of a row must come
    /// in the order that leaves the neighbors of those to come as the row before wrote them.
    fn extend(&mut self, row: u32, row_before: u32, place: u32, neighbor: u32) -> u32 {
        let (written, length) = self.cells[neighbor as usize];
        let length = if written == row_before { length + 1 } else { 1 };
        self.cells[place as usize] = (row, length);
        length
    }
}

/// The shortest stretch at a place of the hypothesis that occurs once on each side.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    /// Words; `NEVER` if there is none.
    length: u32,
    /// Where the word itself stands in the reference.
    place: u32,
}

const NEVER: u32 = u32::MAX;

/// The buffers of [`word_rank_alignment`].
#[derive(Debug, Default)]
pub(in crate::metric) struct RankAligner {
    reference: Places,
    hypothesis: Places,
    with_reference: Shared,
    with_itself: Shared,
    to_right: Vec<Stretch>,
    to_left: Vec<Stretch>,
}

impl RankAligner {
    /// Writes the places in the reference of the words of the hypothesis; all words are below `words`.
    pub(in crate::metric) fn align(
        &mut self,
        reference: &[u32],
        hypothesis: &[u32],
        words: usize,
        ranks: &mut Vec<u32>,
    ) {
        self.reference.read(reference, words);
        self.hypothesis.read(hypothesis, words);
        self.find_stretches(reference.len(), hypothesis);
        let length = hypothesis.len();
        ranks.clear();
        for (place, (right, left)) in self.to_right.iter().zip(&self.to_left).enumerate() {
            // A word that is alone on both sides is a stretch of one word, in either direction.
            let (best, other) = if right.length <= left.length { (right, left) } else { (left, right) };
            debug_assert!(best.length > 1 || best.place == other.place, "one word, one place");
            let limit = place.max(length - place + 1);
            if best.length == 1 || best.length != NEVER && best.length as usize <= limit {
                ranks.push(best.place);
            }
        }
    }

    /// Finds the stretches of each place, in both directions.
    ///
    /// A stretch of a length occurs once in the hypothesis if that is more than its place shares with any other place, and
    /// once in the reference if exactly one place there shares that many words.
    fn find_stretches(&mut self, reference_length: usize, hypothesis: &[u32]) {
        for to_right in [true, false] {
            self.with_reference.clear(reference_length);
            self.with_itself.clear(hypothesis.len());
            let stretches = if to_right { &mut self.to_right } else { &mut self.to_left };
            stretches.clear();
            stretches.resize(hypothesis.len(), Stretch { length: NEVER, place: 0 });
            for step in 0..hypothesis.len() {
                let place = if to_right { hypothesis.len() - 1 - step } else { step };
                let word = hypothesis[place];
                let elsewhere = longest_two(&mut self.with_itself, self.hypothesis.of(word), step, to_right, place);
                let there = longest_two(&mut self.with_reference, self.reference.of(word), step, to_right, NOWHERE);
                let shortest = elsewhere.longest.max(there.second) + 1;
                if shortest <= there.longest {
                    stretches[place] = Stretch { length: shortest, place: there.place };
                }
            }
        }
    }
}

const NOWHERE: usize = usize::MAX;

/// What a place shares with two others at most.
#[derive(Debug, Default)]
struct LongestTwo {
    longest: u32,
    place: u32,
    second: u32,
}

/// Fills a row of the table: what a place shares with all others that have its word, but one.
fn longest_two(shared: &mut Shared, places: &[u32], step: usize, to_right: bool, but: usize) -> LongestTwo {
    let mut found = LongestTwo::default();
    let mut look = |other: u32| {
        if other as usize == but {
            return;
        }
        // Cells are shifted by one, so that both ends of the sentence have a neighbor.
        let cell = other + 1;
        let neighbor = if to_right { cell + 1 } else { cell - 1 };
        let length = shared.extend(step as u32, (step as u32).wrapping_sub(1), cell, neighbor);
        if length > found.longest {
            found = LongestTwo { longest: length, place: other, second: found.longest };
        } else {
            found.second = found.second.max(length);
        }
    };
    let last = places.len().wrapping_sub(1);
    for number in 0..places.len() {
        look(places[if to_right { number } else { last - number }]);
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn occurrences(sentence: &[u8], stretch: &[u8]) -> usize {
        sentence.windows(stretch.len()).filter(|window| *window == stretch).count()
    }

    fn place_of(sentence: &[u8], stretch: &[u8]) -> u32 {
        sentence.windows(stretch.len()).position(|window| window == stretch).expect("it occurs") as u32
    }

    /// By the definition, stretch by stretch.
    fn by_definition(reference: &[u8], hypothesis: &[u8]) -> Vec<u32> {
        let once = |stretch: &[u8]| occurrences(reference, stretch) == 1 && occurrences(hypothesis, stretch) == 1;
        let mut ranks = Vec::new();
        for place in 0..hypothesis.len() {
            if once(&hypothesis[place..=place]) {
                ranks.push(place_of(reference, &hypothesis[place..=place]));
                continue;
            }
            for more in 1..place.max(hypothesis.len() - place + 1) {
                if let Some(stretch) = hypothesis.get(place..=place + more)
                    && once(stretch)
                {
                    ranks.push(place_of(reference, stretch));
                    break;
                }
                if more <= place && once(&hypothesis[place - more..=place]) {
                    ranks.push(place_of(reference, &hypothesis[place - more..=place]) + more as u32);
                    break;
                }
            }
        }
        ranks
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn as_by_definition(
            pairs in prop::collection::vec(
                (prop::collection::vec(0u8..4, 0..14), prop::collection::vec(0u8..5, 0..14)), 1..4),
        ) {
            let mut aligner = RankAligner::default();
            for (reference, hypothesis) in &pairs {
                let wide = |sentence: &[u8]| sentence.iter().map(|&word| u32::from(word)).collect::<Vec<_>>();
                let mut ranks = vec![7];
                aligner.align(&wide(reference), &wide(hypothesis), 5, &mut ranks);
                prop_assert_eq!(ranks, by_definition(reference, hypothesis));
            }
        }
    }
}
