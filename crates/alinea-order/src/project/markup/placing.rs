//! Which words of the target a pair of tags goes around.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use super::elsewhere::{Elsewhere, Own};
use super::evidence::Evidence;
use super::placed::Loss;
use super::sides::Sides;
use super::structure::{Structure, Unit};
use super::weights::{ALONE, IN_TEXT};
use super::window::{Question, Window};

/// Links below this are no reason to place something.
const LEAST: f64 = 0.05;

/// So many words around those that have links are looked at.
const MARGIN: usize = 4;

/// Stretches do not reach over more words without links.
const GAP: usize = 40;

/// Units that are in more others with other words are not placed.
const MOST_LEVELS: usize = 64;

/// How often a unit looks again for words, if those that it has found were taken.
const TRIES: u32 = 8;

/// Where the units of a pair that have words go.
#[derive(Debug, Default)]
pub(super) struct Stretches {
    /// The words of each unit, if it has found some.
    pub(super) words: Vec<Option<Range<usize>>>,
    pub(super) losses: Vec<Option<Loss>>,
    /// The mean probability of links into it.
    pub(super) confidences: Vec<f64>,
}

/// What a unit has found.
#[derive(Debug)]
struct Candidate {
    score: f64,
    unit: usize,
    words: Range<usize>,
    confidence: f64,
    tries: u32,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.unit.cmp(&self.unit))
    }
}

/// Stretches that are taken, by their starts; they have no word in common.
type Taken = BTreeMap<usize, usize>;

/// A pair whose tags are being placed.
pub(super) struct Placing<'a> {
    structure: &'a Structure,
    sides: &'a Sides,
    elsewhere: Option<(&'a Elsewhere, &'a Own)>,
    evidence: Evidence,
    found: Stretches,
}

impl<'a> Placing<'a> {
    pub(super) fn new(structure: &'a Structure, sides: &'a Sides, elsewhere: Option<(&'a Elsewhere, &'a Own)>) -> Self {
        let (units, words) = (structure.units.len(), sides.target_forms.len());
        let found = Stretches { words: vec![None; units], losses: vec![None; units], confidences: vec![0.0; units] };
        let evidence = Evidence::new(if units > 0 { words } else { 0 });
        Self { structure, sides, elsewhere, evidence, found }
    }

    /// What is around others first, what is side by side together.
    pub(super) fn place(mut self) -> Stretches {
        self.place_in(None, 0..self.sides.target_forms.len());
        for unit in 0..self.structure.units.len() {
            match self.found.words[unit].clone() {
                Some(words) => self.place_in(Some(unit), words),
                None => {
                    for &child in self.structure.children_of(Some(unit)) {
                        self.found.losses[child] = Some(Loss::Inside);
                    }
                }
            }
        }
        self.found
    }

    fn place_in(&mut self, parent: Option<usize>, range: Range<usize>) {
        let structure = self.structure;
        let around = match parent {
            Some(parent) => structure.units[parent].words.clone(),
            None => 0..self.sides.source_forms.len(),
        };
        let (mut taken, mut heap) = (Taken::new(), BinaryHeap::new());
        let looking = structure.children_of(parent).iter().copied();
        for unit in looking.filter(|&unit| structure.units[unit].close.is_some() && structure.units[unit].has_words()) {
            if structure.units[unit].words == around && taken.is_empty() && !range.is_empty() {
                self.evidence.gather(self.sides, around.clone());
                let confidence = self.confidence(range.clone());
                taken.insert(range.start, range.end);
                self.take(Candidate { score: 0.0, unit, words: range.clone(), confidence, tries: 0 });
                continue;
            }
            match self.look(unit, &range, &taken, 0) {
                Ok(candidate) => heap.push(candidate),
                Err(loss) => self.found.losses[unit] = Some(loss),
            }
        }
        while let Some(candidate) = heap.pop() {
            let Range { start, end } = candidate.words.clone();
            let last = taken.range(..end).next_back();
            if last.is_none_or(|(_, &taken_end)| taken_end <= start) {
                taken.insert(start, end);
                self.take(candidate);
                continue;
            }
            let unit = candidate.unit;
            match self.look(unit, &range, &taken, candidate.tries + 1) {
                Ok(next) if next.tries <= TRIES => heap.push(next),
                Ok(_) => self.found.losses[unit] = Some(Loss::Taken),
                Err(loss) => self.found.losses[unit] = Some(loss),
            }
        }
    }

    fn take(&mut self, candidate: Candidate) {
        self.found.confidences[candidate.unit] = candidate.confidence;
        self.found.words[candidate.unit] = Some(candidate.words);
    }

    fn confidence(&self, words: Range<usize>) -> f64 {
        let length = words.len() as f64;
        words.map(|word| self.evidence.inside(word)).sum::<f64>() / length
    }

    /// The best stretch of a unit that is not taken.
    fn look(&mut self, number: usize, range: &Range<usize>, taken: &Taken, tries: u32) -> Result<Candidate, Loss> {
        let unit = &self.structure.units[number];
        if unit.level > MOST_LEVELS {
            return Err(Loss::Deep);
        }
        self.evidence.gather(self.sides, unit.words.clone());
        let touched = self.evidence.touched();
        if touched.is_empty() {
            return Err(Loss::Unlinked);
        }
        if touched.iter().all(|&word| self.evidence.inside(word) < LEAST) {
            return Err(Loss::Weak);
        }
        let weights = if self.elsewhere.is_some() { &IN_TEXT } else { &ALONE };
        let question = Question { sides: self.sides, evidence: &self.evidence, weights, unit };
        let mut best: Option<(f64, Range<usize>)> = None;
        for part in parts(touched, range) {
            let window = self.window(&question, unit, part.clone());
            for free in free(&part, taken) {
                if let Some(next) = window.best(free)
                    && best.as_ref().is_none_or(|best| next.0 > best.0)
                {
                    best = Some(next);
                }
            }
        }
        let (score, words) = best.ok_or(Loss::Taken)?;
        let confidence = self.confidence(words.clone());
        Ok(Candidate { score, unit: number, words, confidence, tries })
    }

    fn window<'w>(&'w self, question: &Question<'w>, unit: &Unit, part: Range<usize>) -> Window<'w> {
        let forms = &self.sides.target_forms;
        match self.elsewhere {
            None => Window::new(question, part, |_| 0.0, Vec::new()),
            Some((text, own)) => {
                let known = text.known(own, unit, self.sides, part.clone());
                Window::new(question, part, |word| text.odds(own, unit, forms[word]), known)
            }
        }
    }
}

/// The parts of a range that have words with links, and some around them.
fn parts(touched: &[usize], range: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for &word in touched.iter().filter(|word| range.contains(word)) {
        let (start, end) = (word.saturating_sub(MARGIN).max(range.start), (word + 1 + MARGIN).min(range.end));
        match parts.last_mut() {
            Some(last) if start <= last.end + GAP - 2 * MARGIN => last.end = end,
            _ => parts.push(start..end),
        }
    }
    parts
}

/// What of a part is not taken.
fn free(part: &Range<usize>, taken: &Taken) -> Vec<Range<usize>> {
    let mut free = Vec::new();
    let mut from = part.start;
    if let Some((_, &end)) = taken.range(..part.start).next_back() {
        from = from.max(end);
    }
    for (&start, &end) in taken.range(part.clone()) {
        if from < start {
            free.push(from..start);
        }
        from = from.max(end);
    }
    if from < part.end {
        free.push(from..part.end);
    }
    free
}
