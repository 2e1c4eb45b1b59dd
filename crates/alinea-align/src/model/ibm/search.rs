//! Climbing to a best alignment, where a sum over all alignments is out of reach (Brown et al. 1993, section 4.4).
//!
//! An alignment gives each of J generated words a position: 0, the empty word, or one of the I conditioning words. Its
//! neighbors are those that a *move* (one word gets another position) or a *swap* (two words exchange theirs) makes of it.
//! As long as some neighbor is more probable, the most probable one takes its place; ties go to the first, moves before
//! swaps, by ascending words and positions.
//!
//! In Model 3 the logarithm of an alignment's probability is a sum over words, conditioning words and the number of words
//! of the empty word:
//!
//! ```text
//! ln P(f, a | e) = sum_j link(j, a_j) + sum_i fertility(i, φ_i) + null(φ_0)
//! ```
//!
//! so a neighbor costs O(1). Models 4 and 5 add what the [order](super::relative) of the words costs, which changes only
//! near the positions that are touched.

use super::directed::Directed;
use super::fertile_tables::{Fertile, Order};
use super::fertility::logarithm;
use super::relative::{Change, Scale};
use super::shapes::LONGEST;
use super::side::Cells;
use crate::bitext::SentencePair;

/// A neighbor must be better by this much.
const GAIN: f64 = 1e-9;

/// Steps of a climb: more than any sentence was seen to take.
const STEPS: usize = 10_000;

/// One alignment of a sentence pair, and all its neighbors.
#[derive(Debug)]
pub(super) struct Search<'m> {
    model: &'m Fertile,
    direction: Directed<'m>,
    pub(super) cells: Cells,
    /// ln t(f_j | e_i), in Model 3 with ln d(j | i, I, J), in rows of I + 1.
    links: Vec<f64>,
    /// ln n(φ | e_i), in Model 3 with ln φ!, in rows of J + 2 fertilities.
    fertilities: Vec<f64>,
    /// By φ_0.
    null: Vec<f64>,
    /// What the order of words costs, in Models 4 and 5.
    scale: Option<Scale<'m>>,
    /// The position of each word.
    pub(super) path: Vec<u32>,
    /// The words of each position, ascending; of the empty word too.
    words: Vec<Vec<u32>>,
    /// By how much ln P changes if the word of the row moves to the position of the column.
    moves: Vec<f64>,
    /// By how much it changes if two words j < k exchange their positions, in rows of J.
    swaps: Vec<f64>,
}

impl<'m> Search<'m> {
    /// Of no pair yet.
    pub(super) fn new(model: &'m Fertile, direction: Directed<'m>) -> Self {
        Self {
            model,
            direction,
            cells: Cells::default(),
            links: Vec::new(),
            fertilities: Vec::new(),
            null: Vec::new(),
            scale: None,
            path: Vec::new(),
            words: Vec::new(),
            moves: Vec::new(),
            swaps: Vec::new(),
        }
    }

    /// Looks up what the model says of a pair, and starts from an alignment of it.
    pub(super) fn fill(&mut self, pair: SentencePair<'_>, path: &[u32]) {
        let Directed { index, generated, .. } = self.direction;
        let Fertile { translation, fertility, null, order, .. } = self.model;
        self.cells.fill(pair, generated, index, translation);
        let (conditions, words) = (self.cells.conditions.len(), self.cells.generated.len());
        self.links.clear();
        self.links.extend(self.cells.translation.iter().map(|probability| probability.ln()));
        null.logarithms(words, &mut self.null);
        let absolute = if let Order::Absolute(absolute) = order {
            absolute.add_logarithms([conditions, words], &mut self.links);
            1.0
        } else {
            0.0
        };
        self.fertilities.clear();
        for &condition in &self.cells.conditions {
            let row = fertility.of(condition);
            let mut ways = 0.0;
            self.fertilities.extend((0..words + 2).map(|fertility| {
                ways += absolute * (fertility.max(1) as f64).ln();
                logarithm(row, fertility) + ways
            }));
        }
        self.scale = match order {
            Order::Absolute(_) => None,
            Order::Relative(classes, relative) | Order::Vacancies(classes, relative, _) => {
                Some(relative.scale(classes, &self.cells))
            }
        };
        self.start(path);
    }

    /// Starts from an alignment.
    pub(super) fn start(&mut self, path: &[u32]) {
        self.path.clear();
        self.path.extend_from_slice(path);
        let states = self.cells.states();
        self.words.resize_with(states.max(self.words.len()), Vec::new);
        self.words.iter_mut().for_each(Vec::clear);
        for (j, &position) in path.iter().enumerate() {
            self.words[position as usize].push(j as u32);
        }
    }

    /// Climbs from a path of a pair. Pairs with a side of more than [`LONGEST`] words keep it, and are said to be alone.
    pub(super) fn climb_from(&mut self, pair: SentencePair<'_>, path: &[u32]) -> bool {
        self.fill(pair, path);
        let alone = pair.source.len().max(pair.target.len()) > LONGEST;
        if !alone {
            self.climb();
        }
        alone
    }

    /// Climbs, and leaves the gains of all neighbors of the summit. O(steps × (I J + J²)).
    pub(super) fn climb(&mut self) {
        self.climb_with(None);
    }

    /// The same, but a word, if one is given, keeps the position that it has.
    pub(super) fn climb_with(&mut self, pegged: Option<usize>) {
        for _ in 0..STEPS {
            self.weigh();
            let Some(step) = self.best(pegged) else { return };
            self.take(step);
        }
    }

    /// The best neighbor that leaves a word where it is, if it is better.
    fn best(&self, pegged: Option<usize>) -> Option<Step> {
        let (mut best, mut gain) = (None, GAIN);
        let states = self.cells.states();
        for (n, &value) in self.moves.iter().enumerate() {
            if value > gain && pegged != Some(n / states) {
                (best, gain) = (Some(Step::Move(n / states, n % states)), value);
            }
        }
        let words = self.path.len();
        for (n, &value) in self.swaps.iter().enumerate() {
            if value > gain && pegged.is_none_or(|word| word != n / words && word != n % words) {
                (best, gain) = (Some(Step::Swap(n / words, n % words)), value);
            }
        }
        best
    }

    /// Makes a neighbor the alignment, and gives the way back. Gains are those of the one before until neighbors are
    /// weighed again.
    pub(super) fn take(&mut self, step: Step) -> Step {
        match step {
            Step::Move(word, position) => {
                let from = self.path[word] as usize;
                self.put(word, position);
                Step::Move(word, from)
            }
            Step::Swap(one, other) => {
                let (position, other_position) = (self.path[one] as usize, self.path[other] as usize);
                self.put(one, other_position);
                self.put(other, position);
                step
            }
        }
    }

    /// By how much ln P changes on the way to a neighbor.
    #[inline(always)]
    pub(super) fn gain(&self, step: Step) -> f64 {
        match step {
            Step::Move(word, position) => self.moves[word * self.cells.states() + position],
            Step::Swap(one, other) => self.swaps[one * self.path.len() + other],
        }
    }

    /// All neighbors with at least this gain: moves, then swaps.
    pub(super) fn neighbors(&self, least: f64) -> Vec<Step> {
        let (states, words) = (self.cells.states(), self.path.len());
        let mut neighbors = Vec::new();
        for (word, (row, &own)) in self.moves.chunks_exact(states).zip(&self.path).enumerate() {
            for (position, &gain) in row.iter().enumerate() {
                if gain >= least && position != own as usize {
                    neighbors.push(Step::Move(word, position));
                }
            }
        }
        for (one, row) in self.swaps.chunks_exact(words).enumerate() {
            for (other, &gain) in row.iter().enumerate().skip(one + 1) {
                if gain >= least && self.path[one] != self.path[other] {
                    neighbors.push(Step::Swap(one, other));
                }
            }
        }
        neighbors
    }

    fn put(&mut self, word: usize, position: usize) {
        let from = &mut self.words[self.path[word] as usize];
        from.retain(|&other| other as usize != word);
        let to = &mut self.words[position];
        let place = to.partition_point(|&other| (other as usize) < word);
        to.insert(place, word as u32);
        self.path[word] = position as u32;
    }

    /// The words of each position, ascending; of the empty word first.
    pub(super) fn words(&self) -> &[Vec<u32>] {
        &self.words[..self.cells.states()]
    }

    /// How many words a position has.
    pub(super) fn fertility(&self, position: usize) -> usize {
        self.words[position].len()
    }

    /// Computes the gains of all neighbors.
    pub(super) fn weigh(&mut self) {
        let (states, words) = (self.cells.states(), self.path.len());
        let Self { links, moves, swaps, path, words: words_of, fertilities, null, scale, .. } = self;
        if let Some(scale) = scale {
            scale.walk(words_of);
        }
        let width = words + 2;
        let count = |position: usize, words: usize| {
            if position == 0 { null[words.min(null.len() - 1)] } else { fertilities[(position - 1) * width + words] }
        };
        // What a position loses with a word, and gains with one more.
        let one_less: Vec<f64> = (0..states)
            .map(|position| {
                let words = words_of[position].len();
                if words == 0 { 0.0 } else { count(position, words - 1) - count(position, words) }
            })
            .collect();
        let one_more: Vec<f64> = (0..states)
            .map(|position| count(position, words_of[position].len() + 1) - count(position, words_of[position].len()))
            .collect();
        moves.clear();
        moves.resize(words * states, 0.0);
        swaps.clear();
        swaps.resize(words * words, 0.0);
        for word in 0..words {
            let (from, row) = (path[word] as usize, &links[word * states..][..states]);
            let left = scale.as_ref().map(|scale| {
                let left = scale.words(&words_of[from], Some(word), None);
                (left, scale.change_of(from, left))
            });
            for to in (0..states).filter(|&to| to != from) {
                let mut gain = row[to] - row[from] + one_less[from] + one_more[to];
                if let (Some(scale), Some((left, leaving))) = (&scale, left) {
                    let with = scale.words(&words_of[to], None, Some(word));
                    gain += if scale.are_apart(from, to) {
                        leaving + scale.change_of(to, with)
                    } else {
                        scale.change(Change { position: from, words: left }, Change { position: to, words: with })
                    };
                }
                moves[word * states + to] = gain;
            }
            for other in word + 1..words {
                let to = path[other] as usize;
                if to == from {
                    continue;
                }
                let other_row = &links[other * states..][..states];
                let mut gain = row[to] - row[from] + other_row[from] - other_row[to];
                if let Some(scale) = scale {
                    let one = scale.words(&words_of[from], Some(word), Some(other));
                    let one = Change { position: from, words: one };
                    let other = scale.words(&words_of[to], Some(other), Some(word));
                    gain += scale.change(one, Change { position: to, words: other });
                }
                swaps[word * words + other] = gain;
            }
        }
    }

    /// ln P(f, a | e) of the alignment; in Model 5 as Model 4 has it. O(I + J).
    pub(super) fn logarithm(&mut self) -> f64 {
        let order = self.scale.as_mut().map_or(0.0, |scale| scale.walk(&self.words));
        self.logarithm_without_order() + order
    }

    /// The same without the order of Models 4 and 5.
    pub(super) fn logarithm_without_order(&self) -> f64 {
        let states = self.cells.states();
        let links: f64 = self.path.iter().enumerate().map(|(word, &at)| self.links[word * states + at as usize]).sum();
        let place = |position: usize| (position - 1) * (self.path.len() + 2) + self.fertility(position);
        let fertilities: f64 = (1..states).map(|position| self.fertilities[place(position)]).sum();
        links + fertilities + self.null[self.fertility(0)]
    }
}

/// A way to a neighbor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A word gets another position.
    Move(usize, usize),
    /// Two words exchange their positions.
    Swap(usize, usize),
}
