//! The path of least cost through the morphemes that a line can be made of.
//!
//! Ties are broken as by MeCab, whose lists have what was added last in front: of predecessors of equal cost the one that
//! begins last is taken, and of those that begin together the one that was found first.

use super::dictionary::{Dictionary, Entry, Kinds};

/// Unknown words of like characters have at most one character more than this; MeCab's default.
const LONGEST_GROUP: usize = 24;

/// A morpheme at its place, and the cheapest path to it.
#[derive(Debug, Clone, Copy)]
struct Node {
    start: usize,
    end: usize,
    right_context: u16,
    cost: i64,
    /// The node before it on that path.
    before: usize,
    /// The next one in the list of those with the same end.
    next: usize,
}

/// No node.
const NONE: usize = usize::MAX;

/// What a line can go on with behind a place.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    end: usize,
    entry: Entry,
}

/// The morphemes of a line, in order.
pub(super) fn best_path<'t>(dictionary: &Dictionary, line: &'t str) -> impl Iterator<Item = &'t str> {
    let mut lattice = Lattice { dictionary, line, nodes: Vec::new(), ending: vec![NONE; line.len() + 1] };
    lattice.nodes.push(Node { start: 0, end: 0, right_context: 0, cost: 0, before: NONE, next: NONE });
    lattice.ending[0] = 0;
    let mut candidates = Vec::new();
    for place in 0..line.len() {
        if lattice.ending[place] != NONE {
            let start = lattice.find(place, &mut candidates);
            lattice.connect(place, start, &candidates);
        }
    }
    let mut path = Vec::new();
    if let Some(end) = lattice.ending.iter().rposition(|&node| node != NONE) {
        let mut node = lattice.cheapest(end, 0).0;
        while node != NONE && node != 0 {
            path.push(node);
            node = lattice.nodes[node].before;
        }
    }
    let nodes = lattice.nodes;
    path.into_iter().rev().map(move |node| &line[nodes[node].start..nodes[node].end])
}

struct Lattice<'l> {
    dictionary: &'l Dictionary,
    line: &'l str,
    /// The first is the beginning of the line.
    nodes: Vec<Node>,
    /// By place: the first of those that end there.
    ending: Vec<usize>,
}

impl Lattice<'_> {
    /// The character at a place, its kinds, and where it ends.
    fn kinds_at(&self, place: usize) -> Option<(Kinds, usize)> {
        let character = self.line[place..].chars().next()?;
        Some((self.dictionary.kinds(character), place + character.len_utf8()))
    }

    /// Where a stretch ends of characters each of which is like the one before it, and how many they are.
    fn stretch(&self, mut place: usize, mut kinds: Kinds) -> (usize, usize) {
        let mut count = 0;
        while let Some((other, end)) = self.kinds_at(place)
            && kinds.is_like(other)
        {
            (place, kinds) = (end, other);
            count += 1;
        }
        (place, count)
    }

    /// Finds what can stand behind a place and the blanks that follow it, and where these end.
    fn find(&self, place: usize, candidates: &mut Vec<Candidate>) -> usize {
        candidates.clear();
        let (start, _) = self.stretch(place, self.dictionary.blank);
        let Some((kinds, first_end)) = self.kinds_at(start) else { return start };
        self.dictionary.prefixes(&self.line.as_bytes()[start..], |length, entry| {
            let end = start + length;
            if length > 0 && self.line.is_char_boundary(end) {
                candidates.push(Candidate { end, entry });
            }
        });
        if candidates.is_empty() || kinds.always {
            self.find_unknown(kinds, first_end, candidates);
        }
        start
    }

    /// Words that are not in the dictionary: one of all like characters, and those of the first few.
    fn find_unknown(&self, kinds: Kinds, first_end: usize, candidates: &mut Vec<Candidate>) {
        let before = candidates.len();
        let entries = self.dictionary.unknown(kinds.category);
        let mut add = |end| candidates.extend(entries.iter().map(|&entry| Candidate { end, entry }));
        let mut group_end = None;
        if kinds.group {
            let (end, count) = self.stretch(first_end, kinds);
            if count <= LONGEST_GROUP {
                add(end);
            }
            group_end = Some(end);
        }
        let mut end = first_end;
        for _ in 0..kinds.length {
            if group_end == Some(end) {
                break;
            }
            add(end);
            match self.kinds_at(end) {
                Some((other, next)) if kinds.is_like(other) => end = next,
                _ => break,
            }
        }
        if candidates.len() == before && before == 0 {
            candidates.extend(entries.iter().map(|&entry| Candidate { end: first_end, entry }));
        }
    }

    /// Adds the candidates that begin at `start`, behind the nodes that end at `place`.
    fn connect(&mut self, place: usize, start: usize, candidates: &[Candidate]) {
        for &Candidate { end, entry } in candidates.iter().rev() {
            let (before, cost) = self.cheapest(place, entry.left_context);
            let penalty = if start == place { 0 } else { self.dictionary.penalty(entry.part_of_speech) };
            let cost = cost + i64::from(entry.cost) + penalty;
            let right_context = entry.right_context;
            self.nodes.push(Node { start, end, right_context, cost, before, next: self.ending[end] });
            self.ending[end] = self.nodes.len() - 1;
        }
    }

    /// Of the nodes that end at a place, the cheapest one in front of a left context, and the cost up to there.
    fn cheapest(&self, place: usize, left_context: u16) -> (usize, i64) {
        let mut best = (NONE, i64::MAX);
        let mut number = self.ending[place];
        while let Some(node) = self.nodes.get(number) {
            let cost = node.cost + self.dictionary.cost(node.right_context, left_context);
            if cost < best.1 {
                best = (number, cost);
            }
            number = node.next;
        }
        best
    }
}
