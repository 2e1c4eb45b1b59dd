//! The alignments of a sentence pair that are worth looking at under Models 3 to 5 (Brown et al. 1993, section 4.4 and
//! page 305).
//!
//! An alignment has a state for each word: the position of a conditioning word, or 0. Its *neighbors* have one other link,
//! or two words swapped. Climbing goes to the best neighbor as long as that is better. The sample has the alignment that
//! climbing finds from a start, and its neighbors; and for each link that could be, the alignment that climbing finds from
//! the start with this link, which is *pegged*: it stays, and so do the neighbors' links of this word. Of equally good
//! alignments the greater is taken, as a list of states.

use std::collections::BTreeMap;

use hashbrown::HashTable;

use super::cepts::{Cepts, Change};
use crate::error::{ErrorKind, Result};

/// Logarithms that differ less are equal: rounding must not decide.
const EQUAL: f64 = 1e-10;

/// Logarithms of what the model says of one sentence pair, and one alignment with the gains of its neighbors.
#[derive(Debug)]
pub(super) struct Search<'m> {
    /// Rows by word, columns by state.
    pub(super) links: Vec<f64>,
    /// Rows by state, columns by number of words: one more than there are.
    pub(super) fertilities: Vec<f64>,
    pub(super) cepts: Option<Cepts<'m>>,
    states: usize,
    path: Vec<u32>,
    /// The words of each state, ascending.
    words_of: Vec<Vec<u32>>,
    moves: Vec<f64>,
    swaps: Vec<f64>,
    /// The steps that lead up from alignments.
    ways_up: BTreeMap<Vec<u32>, Vec<(f64, Step)>>,
}

/// A way to a neighbor.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// A word gets another state.
    Move(u32, u32),
    /// Two words exchange their states.
    Swap(u32, u32),
}

impl Step {
    fn touches(self, pegged: Option<u32>) -> bool {
        let (one, other) = match self {
            Self::Move(word, _) => (word, word),
            Self::Swap(one, other) => (one, other),
        };
        pegged.is_some_and(|pegged| pegged == one || pegged == other)
    }

    /// The state of a word in the neighbor of an alignment.
    fn state(self, path: &[u32], word: usize) -> u32 {
        match self {
            Self::Move(moved, state) if moved as usize == word => state,
            Self::Swap(one, other) if one as usize == word => path[other as usize],
            Self::Swap(one, other) if other as usize == word => path[one as usize],
            _ => path[word],
        }
    }

    /// The alignment that it leads to from one.
    fn taken(self, path: &[u32]) -> impl Iterator<Item = u32> {
        (0..path.len()).map(move |word| self.state(path, word))
    }
}

/// Alignments with their scores.
#[derive(Debug, Default)]
pub(super) struct Scored {
    width: usize,
    paths: Vec<u32>,
    pub(super) scores: Vec<f64>,
    numbers: HashTable<(u64, u32)>,
}

impl Scored {
    pub(super) fn path(&self, number: usize) -> &[u32] {
        &self.paths[number * self.width..][..self.width]
    }

    /// Adds an alignment, or gives it another score.
    fn set(&mut self, path: &[u32], score: f64) {
        let hash = path.iter().enumerate().fold(0, |sum: u64, (word, &state)| sum.wrapping_add(mixed(word, state)));
        let Self { width, paths, scores, numbers } = self;
        let same =
            |&(other, number): &(u64, u32)| other == hash && paths[number as usize * *width..][..*width] == *path;
        if let Some(&(_, number)) = numbers.find(hash, same) {
            scores[number as usize] = score;
        } else {
            numbers.insert_unique(hash, (hash, scores.len() as u32), |&(hash, _)| hash);
            paths.extend_from_slice(path);
            scores.push(score);
        }
    }
}

/// A number that says little of a word and its state (the finalizer of SplitMix64).
fn mixed(word: usize, state: u32) -> u64 {
    let mut mixed = ((word as u64) << 32 | u64::from(state)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

impl<'m> Search<'m> {
    pub(super) fn new(links: Vec<f64>, fertilities: Vec<f64>, cepts: Option<Cepts<'m>>, states: usize) -> Self {
        Self {
            links,
            fertilities,
            cepts,
            states,
            path: Vec::new(),
            words_of: vec![Vec::new(); states],
            moves: Vec::new(),
            swaps: Vec::new(),
            ways_up: BTreeMap::new(),
        }
    }

    /// All alignments worth looking at, with their scores, and the best that climbing finds.
    ///
    /// # Errors
    /// `Inconsistent` if a score is needed that is not a number.
    pub(super) fn sample(&mut self, start: &[u32]) -> Result<(Scored, Vec<u32>)> {
        let mut scored = Scored { width: start.len(), ..Scored::default() };
        let mut best_score = self.climb(start, None)?;
        let mut best = self.path.clone();
        self.look_around(best_score, None, &mut scored)?;
        let free = best.clone();
        let mut from = start.to_vec();
        let mut tops: Vec<(Vec<u32>, f64)> = Vec::new();
        for word in 0..start.len() {
            tops.clear();
            for state in 0..self.states as u32 {
                from[word] = state;
                let score = self.climb(&from, Some(word as u32))?;
                if self.path != free && tops.iter().all(|(top, _)| *top != self.path) {
                    tops.push((self.path.clone(), score));
                }
            }
            from[word] = start[word];
            for (top, score) in tops.drain(..) {
                self.put(&top);
                self.look_around(score, Some(word as u32), &mut scored)?;
                if score > best_score + EQUAL || (score > best_score - EQUAL && top > best) {
                    (best, best_score) = (top, score);
                }
            }
        }
        Ok((scored, best))
    }

    /// Goes up from an alignment as long as that is better; the score of where that ends.
    fn climb(&mut self, start: &[u32], pegged: Option<u32>) -> Result<f64> {
        self.put(start);
        let mut score = self.score()?;
        while let Some(step) = self.best_step(pegged)? {
            let before = std::mem::take(&mut self.path);
            self.put(&step.taken(&before).collect::<Vec<_>>());
            // Computed anew, so that rounding does not add up, and nothing is climbed for ever.
            let exact = self.score()?;
            if exact <= score {
                self.put(&before);
                break;
            }
            score = exact;
        }
        Ok(score)
    }

    /// The best step up; of equally good ones that to the greatest alignment.
    fn best_step(&mut self, pegged: Option<u32>) -> Result<Option<Step>> {
        if !self.ways_up.contains_key(&self.path) {
            let ways = self.steps(EQUAL)?;
            self.ways_up.insert(self.path.clone(), ways);
        }
        let mut best: Option<(f64, Step)> = None;
        for &(gain, step) in self.ways_up[&self.path].iter().filter(|(_, step)| !step.touches(pegged)) {
            best = match best {
                Some((most, other)) if gain <= most + EQUAL => {
                    let greater = || step.taken(&self.path).gt(other.taken(&self.path));
                    if gain > most - EQUAL && greater() { Some((gain.max(most), step)) } else { best }
                }
                _ => Some((gain, step)),
            };
        }
        Ok(best.map(|(_, step)| step))
    }

    /// Adds the alignment, which has this score, and its neighbors.
    fn look_around(&mut self, score: f64, pegged: Option<u32>, scored: &mut Scored) -> Result<()> {
        let steps = self.steps(f64::NEG_INFINITY)?;
        scored.set(&self.path, score);
        let mut neighbor = self.path.clone();
        for (gain, step) in steps.into_iter().filter(|(_, step)| !step.touches(pegged)) {
            let touched = match step {
                Step::Move(word, _) => [word, word],
                Step::Swap(one, other) => [one, other],
            };
            for word in touched {
                neighbor[word as usize] = step.state(&self.path, word as usize);
            }
            scored.set(&neighbor, score + gain);
            for word in touched {
                neighbor[word as usize] = self.path[word as usize];
            }
        }
        Ok(())
    }

    /// Makes an alignment the one that is looked at.
    pub(super) fn put(&mut self, path: &[u32]) {
        self.path.clear();
        self.path.extend_from_slice(path);
        self.words_of.iter_mut().for_each(Vec::clear);
        for (word, &state) in path.iter().enumerate() {
            self.words_of[state as usize].push(word as u32);
        }
    }

    /// The words of each state of the alignment, ascending.
    pub(super) fn words_of(&self) -> &[Vec<u32>] {
        &self.words_of
    }

    /// The logarithm of the alignment's probability.
    fn score(&mut self) -> Result<f64> {
        let order = self.cepts.as_mut().map_or(0.0, |cepts| cepts.walk(&self.words_of));
        known(self.score_without_order() + order)
    }

    /// The same without the order of words in Models 4 and 5.
    pub(super) fn score_without_order(&self) -> f64 {
        let width = self.path.len() + 2;
        let links = self.path.iter().zip(self.links.chunks_exact(self.states)).map(|(&state, row)| row[state as usize]);
        let fertilities = self.words_of.iter().zip(self.fertilities.chunks_exact(width));
        links.sum::<f64>() + fertilities.map(|(words, row)| row[words.len()]).sum::<f64>()
    }

    /// The steps that gain more than this. O(words × (states + words)), times the change of word order.
    fn steps(&mut self, least: f64) -> Result<Vec<(f64, Step)>> {
        self.weigh();
        let (states, words) = (self.states, self.path.len());
        let mut steps = Vec::new();
        for (word, gains) in self.moves.chunks_exact(states).enumerate() {
            for (state, &gain) in gains.iter().enumerate() {
                if (gain > least || gain.is_nan()) && self.path[word] as usize != state {
                    steps.push((known(gain)?, Step::Move(word as u32, state as u32)));
                }
            }
        }
        for one in 0..words {
            for other in one + 1..words {
                let gain = self.swaps[one * words + other];
                if (gain > least || gain.is_nan()) && self.path[one] != self.path[other] {
                    steps.push((known(gain)?, Step::Swap(one as u32, other as u32)));
                }
            }
        }
        Ok(steps)
    }

    /// Computes the gains of all neighbors.
    fn weigh(&mut self) {
        let (states, words) = (self.states, self.path.len());
        let Self { links, fertilities, cepts, path, words_of, moves, swaps, .. } = self;
        if let Some(cepts) = cepts {
            cepts.walk(words_of);
        }
        let count = |state: usize, words: usize| fertilities[state * (path.len() + 2) + words];
        let change = |state: usize, less: usize, more: usize| {
            let words = words_of[state].len();
            if words < less { 0.0 } else { count(state, words + more - less) - count(state, words) }
        };
        let one_less: Vec<f64> = (0..states).map(|state| change(state, 1, 0)).collect();
        let one_more: Vec<f64> = (0..states).map(|state| change(state, 0, 1)).collect();
        moves.clear();
        moves.resize(words * states, 0.0);
        swaps.clear();
        swaps.resize(words * words, 0.0);
        for word in 0..words {
            let (from, row) = (path[word] as usize, &links[word * states..][..states]);
            let own = word as u32;
            for to in (0..states).filter(|&to| to != from) {
                let mut gain = row[to] - row[from] + one_less[from] + one_more[to];
                if let Some(cepts) = cepts {
                    let leaves = Change { position: from, lost: Some(own), got: None };
                    let arrives = Change { position: to, lost: None, got: Some(own) };
                    gain += cepts.change(words_of, [leaves, arrives]);
                }
                moves[word * states + to] = gain;
            }
            for other in word + 1..words {
                let (to, others) = (path[other] as usize, other as u32);
                if to == from {
                    continue;
                }
                let other_row = &links[other * states..][..states];
                let mut gain = row[to] - row[from] + other_row[from] - other_row[to];
                if let Some(cepts) = cepts {
                    let one = Change { position: from, lost: Some(own), got: Some(others) };
                    let other = Change { position: to, lost: Some(others), got: Some(own) };
                    gain += cepts.change(words_of, [one, other]);
                }
                swaps[word * words + other] = gain;
            }
        }
    }
}

#[cfg(test)]
impl Search<'_> {
    /// An alignment and its neighbors with their scores, and its own score.
    pub(super) fn around(&mut self, path: &[u32]) -> (Vec<(Vec<u32>, f64)>, f64) {
        let mut scored = Scored { width: path.len(), ..Scored::default() };
        let score = self.score_of(path);
        self.look_around(score, None, &mut scored).expect("all numbers are there");
        ((0..scored.scores.len()).map(|n| (scored.path(n).to_vec(), scored.scores[n])).collect(), score)
    }

    pub(super) fn score_of(&mut self, path: &[u32]) -> f64 {
        self.put(path);
        self.score().expect("all numbers are there")
    }
}

/// A score, if all that it needs was in the tables.
fn known(score: f64) -> Result<f64> {
    if score.is_nan() {
        return Err(ErrorKind::Inconsistent("the tables lack a probability that the search needs".to_owned()).into());
    }
    Ok(score)
}
