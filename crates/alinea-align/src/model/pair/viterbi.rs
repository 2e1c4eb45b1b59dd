//! The single best path through the lattice of one sentence.
//!
//! The same states and weights as in the [lattice](crate::model::pair::lattice), with maxima in place of sums. Ties go to the lowest
//! position; a tie between a counterpart and the empty word goes to the counterpart. O(J·I²) time, O(J·I) memory.

use crate::model::pair::lattice::LatticeInput;

/// Buffers for sentences of any size.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct Viterbi {
    best: Vec<f32>,
    next: Vec<f32>,
    arrival: Vec<f32>,
    from: Vec<u32>,
    by_null: Vec<bool>,
}

/// "No real position so far", as a predecessor.
const NONE: u32 = u32::MAX;

impl Viterbi {
    /// The best path: for each generated word its position, or nothing for the empty word.
    pub(in crate::model) fn path(&mut self, input: LatticeInput<'_>, path: &mut Vec<Option<u32>>) {
        let LatticeInput { null, jumps, .. } = input;
        let states = jumps.states;
        let steps = null.len();
        self.best.clear();
        self.best.resize(states, 0.0);
        self.next.resize(states, 0.0);
        self.from.clear();
        self.by_null.clear();
        let mut none = 1.0f32;
        for (step, &null) in null.iter().enumerate() {
            self.arrive(none, (states, step), input);
            let mut top = 0.0f32;
            let ways = self.arrival.iter().zip(input.row(step)).zip(&self.best);
            for (next, ((arrival, emission), best)) in self.next.iter_mut().zip(ways) {
                let (real, stays) = (arrival * emission, null * best);
                self.by_null.push(stays > real);
                *next = real.max(stays);
                top = top.max(*next);
            }
            none *= null;
            let scale = 1.0 / top.max(none);
            none *= scale;
            self.next.truncate(states);
            for value in &mut self.next {
                *value *= scale;
            }
            std::mem::swap(&mut self.best, &mut self.next);
        }
        self.trace(none, &jumps.last[..states], steps, path);
    }

    /// The best way to arrive at each state, and from where.
    fn arrive(&mut self, none: f32, (states, step): (usize, usize), input: LatticeInput<'_>) {
        let LatticeInput { jumps, table, classes, .. } = input;
        let class = classes[step];
        self.arrival.clear();
        self.arrival.extend(jumps.first[..states].iter().map(|first| none * first));
        let row = self.from.len();
        self.from.resize(row + states, NONE);
        for from in 0..states {
            if self.best[from] <= 0.0 {
                continue;
            }
            let leaving = &table.extended()[table.center(class) - from..][..states];
            for (to, weight) in leaving.iter().enumerate() {
                let value = self.best[from] * (jumps.scale(class)[from] * weight + jumps.uniform);
                let incumbent = self.from[row + to];
                // "None so far" loses ties against a position; among positions the lowest wins.
                if value > self.arrival[to] || (incumbent == NONE && value >= self.arrival[to] && value > 0.0) {
                    self.arrival[to] = value;
                    self.from[row + to] = from as u32;
                }
            }
        }
    }

    fn trace(&self, none: f32, last: &[f32], steps: usize, path: &mut Vec<Option<u32>>) {
        let states = last.len();
        let mut state = NONE;
        let mut best = none;
        for (position, (value, last)) in self.best.iter().zip(last).enumerate() {
            let value = value * last;
            if value > best || (state == NONE && value >= best && value > 0.0) {
                best = value;
                state = position as u32;
            }
        }
        path.clear();
        path.resize(steps, None);
        for step in (0..steps).rev() {
            if state == NONE {
                break;
            }
            let cell = step * states + state as usize;
            if !self.by_null[cell] {
                path[step] = Some(state);
                state = self.from[cell];
            }
        }
    }
}
