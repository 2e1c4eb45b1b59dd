//! What is attached to what in the text: the odds of edges by parts of speech, direction and distance.
//!
//! The rate of a kind of pairs is how many of them are edges. A kind is the parts of speech of both words; with the direction; with how
//! many words like the head stand between; and with the distance. Each is smoothed by the one before, as five pairs of that rate.

use super::spanning::Scores;
use super::text::Tag;

/// So many pairs of the rate of the kind above are added to each kind.
const SMOOTHING: f64 = 5.0;
/// What is known of edges before any was seen.
const EDGES_BEFORE: f64 = 1.0;
const PAIRS_BEFORE: f64 = 20.0;
/// Odds are between e^-6 and e^6.
const MOST: f64 = 6.0;

const DIRECTIONS: usize = 2;
const BETWEEN: usize = 3;
/// Distances of a bin and more: 1, 2, 3 to 4, 5 to 7, 8 to 14, 15 and more.
const DISTANCES: [usize; 6] = [1, 2, 3, 5, 8, 15];
/// The kinds of pairs of the same parts of speech.
const KINDS: usize = DIRECTIONS * BETWEEN * DISTANCES.len();

/// How many pairs there are of each kind, and how many of them are edges.
#[derive(Debug)]
pub(super) struct Attachment {
    tags: usize,
    pairs: Vec<f64>,
    edges: Vec<f64>,
    /// The logarithm of the odds.
    odds: Vec<f64>,
}

/// The kinds of all pairs of a sentence, in the order of its scores. Kinds of a word with itself mean nothing.
#[derive(Debug)]
pub(super) struct Kinds {
    words: usize,
    of: Vec<u32>,
}

impl Kinds {
    pub(super) fn new(tags: &[Tag], number: usize) -> Self {
        let words = tags.len();
        let mut of = vec![0; words * (words + 1)];
        for (word, &dependent) in tags.iter().enumerate() {
            let row = &mut of[word * (words + 1)..][..=words];
            let dependent = dependent as usize;
            let kind = |head: usize, inside: usize| ((head * (number + 1) + dependent) * KINDS + inside) as u32;
            row[0] = kind(number, bin(word + 1));
            for (direction, heads) in [(0, (word + 1..words).collect::<Vec<_>>()), (1, (0..word).rev().collect())] {
                // How many words of a tag were passed on the way from the dependent.
                let mut passed = vec![0; number];
                for head in heads {
                    let tag = tags[head] as usize;
                    let between = std::cmp::min(passed[tag], BETWEEN - 1);
                    passed[tag] += 1;
                    let inside = (direction * BETWEEN + between) * DISTANCES.len() + bin(head.abs_diff(word));
                    row[head + 1] = kind(tag, inside);
                }
            }
        }
        Self { words, of }
    }

    /// Those of the heads of a word, that of the root first.
    fn heads(&self, word: usize) -> &[u32] {
        &self.of[word * (self.words + 1)..][..=self.words]
    }
}

fn bin(distance: usize) -> usize {
    DISTANCES.iter().rposition(|&least| distance >= least).unwrap_or(0)
}

impl Attachment {
    /// Nothing counted yet, for so many tags.
    pub(super) fn new(tags: usize) -> Self {
        let cells = (tags + 1) * (tags + 1) * KINDS;
        Self { tags, pairs: vec![0.0; cells], edges: vec![0.0; cells], odds: vec![0.0; cells] }
    }

    /// Counts the pairs of a sentence, given how probable it is that they are edges.
    pub(super) fn add(&mut self, kinds: &Kinds, edges: &Scores) {
        for word in 0..kinds.words {
            let pairs = kinds.heads(word).iter().zip(edges.heads(word)).enumerate();
            for (_, (&kind, edge)) in pairs.filter(|(head, _)| *head != word + 1) {
                self.pairs[kind as usize] += 1.0;
                self.edges[kind as usize] += edge.min(1.0);
            }
        }
    }

    /// Makes odds of what was counted.
    pub(super) fn rate(&mut self) {
        let [edges, pairs] = [&self.edges, &self.pairs].map(|counts| counts.iter().sum::<f64>());
        let all = (edges + EDGES_BEFORE) / (pairs + PAIRS_BEFORE);
        for start in (0..(self.tags + 1) * (self.tags + 1)).map(|two| two * KINDS) {
            let of_tags = self.smoothed(start, KINDS, all);
            for start in (0..DIRECTIONS).map(|n| start + n * BETWEEN * DISTANCES.len()) {
                let of_direction = self.smoothed(start, BETWEEN * DISTANCES.len(), of_tags);
                for start in (0..BETWEEN).map(|n| start + n * DISTANCES.len()) {
                    let between = self.smoothed(start, DISTANCES.len(), of_direction);
                    for kind in start..start + DISTANCES.len() {
                        let rate = self.smoothed(kind, 1, between);
                        self.odds[kind] = (rate / (1.0 - rate)).ln().clamp(-MOST, MOST);
                    }
                }
            }
        }
    }

    /// The rate of some kinds from a first one on together, smoothed by another.
    fn smoothed(&self, first: usize, kinds: usize, by: f64) -> f64 {
        let sum = |counts: &[f64]| counts[first..][..kinds].iter().sum::<f64>();
        (sum(&self.edges) + SMOOTHING * by) / (sum(&self.pairs) + SMOOTHING)
    }

    /// The logarithms of the odds of the heads of a word, that of the root first; that of the word itself means nothing.
    pub(super) fn odds<'a>(&'a self, kinds: &'a Kinds, word: usize) -> impl Iterator<Item = f64> + 'a {
        kinds.heads(word).iter().map(|&kind| self.odds[kind as usize])
    }
}
