//! Top-down search with a beam (Nakagawa 2015, section 3).
//!
//! All states take one action at a time, and of what comes of them the best are kept. A state splits the span that was made
//! last, so what it has done is a list of pivots. With gold ranks the search also finds the *reference*: the best state, in or
//! outside of the beam, that can still reach an order in which ranks do not fall; for that it suffices to look at the last
//! split. Equally good states are kept in the order in which they came up: earlier states, earlier pivots, straight first.

use super::derivation::Action;
use super::on_demand::SpanScores;
use super::scores::context_of;
use crate::reorder::ranks::Ranks;

/// Which splits a gold standard allows.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    side: usize,
    /// By begin and end: the least and the greatest rank.
    bounds: Vec<(u32, u32)>,
}

impl Allowed {
    pub(super) fn new(ranks: &Ranks) -> Self {
        let ranks = ranks.ranks();
        let side = ranks.len() + 1;
        let mut bounds = vec![(u32::MAX, 0); side * side];
        for begin in 0..ranks.len() {
            let mut found = (u32::MAX, 0);
            for end in begin + 1..side {
                if let Some(rank) = ranks[end - 1] {
                    found = (found.0.min(rank), found.1.max(rank));
                }
                bounds[begin * side + end] = found;
            }
        }
        Self { side, bounds }
    }

    /// Whether no word of the part that comes first has a greater rank than one of the other part.
    fn allows(&self, [begin, pivot, end]: [usize; 3], inverted: bool) -> bool {
        let (left, right) = (self.bounds[begin * self.side + pivot], self.bounds[pivot * self.side + end]);
        let (first, second) = if inverted { (right, left) } else { (left, right) };
        // Without ranks, the least is greater than the greatest.
        first.1 <= second.0
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The derivations of the states in the beam at its end, the best first.
    pub(super) best: Vec<Vec<Action>>,
    /// The best allowed derivation, as far as the search went.
    pub(super) reference: Option<Vec<Action>>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    score: f64,
    allowed: bool,
    /// The last span that is open, by its number.
    open: u32,
    /// The last step, by its number.
    step: u32,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f64,
    allowed: bool,
    state: u32,
    action: Action,
}

/// The end of a list.
const END: u32 = u32::MAX;

/// Buffers of a search.
#[derive(Debug, Default)]
pub(super) struct Beam {
    states: Vec<State>,
    candidates: Vec<Candidate>,
    /// Open spans: begin, end, what made it, and the one below.
    spans: Vec<(usize, usize, usize, u32)>,
    /// Actions, and the one before.
    steps: Vec<(Action, u32)>,
}

impl Beam {
    /// Searches with room for `width` states. Stops as soon as no state in the beam is allowed. O(width · words²).
    pub(super) fn search(&mut self, scores: &mut impl SpanScores, width: usize, allowed: Option<&Allowed>) -> Found {
        let words = scores.words();
        self.states.clear();
        self.spans.clear();
        self.steps.clear();
        let open = if words > 1 {
            self.spans.push((0, words, 0, END));
            0
        } else {
            END
        };
        self.states.push(State { score: 0.0, allowed: allowed.is_some(), open, step: END });
        let mut reference = None;
        for _ in 1..words {
            self.expand(scores, allowed);
            let allowed_ones = self.candidates.iter().filter(|candidate| candidate.allowed);
            let best = allowed_ones.reduce(|one, other| if other.score > one.score { other } else { one });
            reference = best.map(|candidate| (candidate.action, self.states[candidate.state as usize].step));
            self.keep_best(width);
            if allowed.is_some() && !self.states.iter().any(|state| state.allowed) {
                break;
            }
        }
        self.found(reference)
    }

    fn expand(&mut self, scores: &mut impl SpanScores, allowed: Option<&Allowed>) {
        self.candidates.clear();
        for (number, state) in (0..).zip(&self.states) {
            let (begin, end, context, _) = self.spans[state.open as usize];
            let scores = scores.of_span(context, begin, end);
            let span = scores.span(context, begin, end);
            let splits = scores.splits(begin, end).iter().zip(scores.pivots(context, begin, end));
            for (pivot, (split, above)) in (begin + 1..end).zip(splits) {
                for (label, inverted) in [(0, false), (1, true)] {
                    let score = state.score + (split[label] + above[label] + span[label]);
                    let allows = |allowed: &Allowed| allowed.allows([begin, pivot, end], inverted);
                    let allowed = state.allowed && allowed.is_some_and(allows);
                    self.candidates.push(Candidate { score, allowed, state: number, action: (pivot, inverted) });
                }
            }
        }
    }

    /// Makes states of the best candidates.
    fn keep_best(&mut self, width: usize) {
        let better = |one: &(usize, Candidate), other: &(usize, Candidate)| {
            other.1.score.total_cmp(&one.1.score).then(one.0.cmp(&other.0))
        };
        let mut best: Vec<(usize, Candidate)> = self.candidates.iter().copied().enumerate().collect();
        if best.len() > width {
            best.select_nth_unstable_by(width - 1, better);
            best.truncate(width);
        }
        best.sort_unstable_by(better);
        let states = std::mem::take(&mut self.states);
        for (_, Candidate { score, allowed, state, action: (pivot, inverted) }) in best {
            let State { open, step, .. } = states[state as usize];
            let (begin, end, _, below) = self.spans[open as usize];
            let mut open = below;
            for (part, right) in [((begin, pivot), false), ((pivot, end), true)] {
                if part.1 - part.0 > 1 {
                    self.spans.push((part.0, part.1, context_of(inverted, right), open));
                    open = self.spans.len() as u32 - 1;
                }
            }
            self.steps.push(((pivot, inverted), step));
            self.states.push(State { score, allowed, open, step: self.steps.len() as u32 - 1 });
        }
    }

    fn found(&self, reference: Option<(Action, u32)>) -> Found {
        let actions = |mut step: u32| {
            let mut actions = Vec::new();
            while step != END {
                let (action, before) = self.steps[step as usize];
                actions.push(action);
                step = before;
            }
            actions.reverse();
            actions
        };
        let reference = reference.map(|(action, before)| {
            let mut reference = actions(before);
            reference.push(action);
            reference
        });
        Found { best: self.states.iter().map(|state| actions(state.step)).collect(), reference }
    }
}
