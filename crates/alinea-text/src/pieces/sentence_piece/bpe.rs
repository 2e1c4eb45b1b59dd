//! Merges of byte pair encoding (Sennrich, Haddow and Birch 2016): again and again the two neighbors that together are the
//! piece with the best score become one, of equal ones the leftmost.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use super::model::{Model, ModelPiece, Role};
use super::piece::Piece;
use crate::pieces::Trie;

/// A stretch of the text, in a list of those there are.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    start: usize,
    /// As `start`, once it is merged into the one before.
    end: usize,
    before: Option<usize>,
    after: Option<usize>,
    /// Whether it is never merged: users want it whole.
    whole: bool,
}

/// Two neighbors that together are a piece.
#[derive(Debug, Clone, Copy)]
struct Merge {
    score: f32,
    left: usize,
    right: usize,
    /// How long they were together when this was noted.
    length: usize,
}

impl Ord for Merge {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Merge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Merge {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Merge {}

pub(super) fn pieces(model: &Model, trie: &Trie, text: &str) -> Vec<Piece> {
    let mut search = Search {
        model,
        trie,
        text,
        symbols: symbols(model, trie, text),
        heap: BinaryHeap::new(),
        parts: BTreeMap::new(),
    };
    for right in 1..search.symbols.len() {
        search.note(right - 1, right);
    }
    while let Some(merge) = search.heap.pop() {
        search.merge(merge);
    }
    let mut pieces = Vec::new();
    for symbol in search.symbols.iter().filter(|symbol| symbol.start < symbol.end) {
        search.leave(symbol.start, symbol.end, &mut pieces);
    }
    pieces
}

/// Characters, and pieces that users want whole.
fn symbols(model: &Model, trie: &Trie, text: &str) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut start = 0;
    while let Some(character) = text[start..].chars().next() {
        let whole = trie
            .prefixes(&text.as_bytes()[start..])
            .filter(|&(_, number)| model.pieces[number as usize].role == Role::UserDefined)
            .last();
        let end = start + whole.map_or(character.len_utf8(), |(length, _)| length);
        let number = symbols.len();
        let after = (end < text.len()).then_some(number + 1);
        symbols.push(Symbol { start, end, before: number.checked_sub(1), after, whole: whole.is_some() });
        start = end;
    }
    symbols
}

struct Search<'t> {
    model: &'t Model,
    trie: &'t Trie,
    text: &'t str,
    symbols: Vec<Symbol>,
    heap: BinaryHeap<Merge>,
    /// Of which two parts pieces can be merged that must not be left: the length of the first one.
    parts: BTreeMap<&'t str, usize>,
}

impl Search<'_> {
    /// Notes that two neighbors could be merged, if they could.
    fn note(&mut self, left: usize, right: usize) {
        let (first, second) = (self.symbols[left], self.symbols[right]);
        if first.whole || second.whole {
            return;
        }
        let together = &self.text[first.start..second.end];
        let Some(number) = self.trie.find(together) else { return };
        let ModelPiece { score, role, .. } = self.model.pieces[number as usize];
        if role == Role::Unused {
            self.parts.insert(together, second.start - first.start);
        }
        self.heap.push(Merge { score, left, right, length: together.len() });
    }

    /// Merges two, unless one of them has been merged otherwise.
    fn merge(&mut self, Merge { left, right, length, .. }: Merge) {
        let (first, second) = (self.symbols[left], self.symbols[right]);
        let there = first.start < first.end && second.start < second.end;
        if !there || second.end - first.start != length || first.after != Some(right) {
            return;
        }
        self.symbols[left] = Symbol { end: second.end, after: second.after, ..first };
        self.symbols[right].end = second.start;
        if let Some(after) = second.after {
            self.symbols[after].before = Some(left);
            self.note(left, after);
        }
        if let Some(before) = first.before {
            self.note(before, left);
        }
    }

    /// Writes a stretch as a piece, or what it was merged from if it is a piece that must not be left.
    fn leave(&self, start: usize, end: usize, pieces: &mut Vec<Piece>) {
        let piece = &self.text[start..end];
        let number = self.trie.find(piece);
        let unused = number.is_some_and(|number| self.model.pieces[number as usize].role == Role::Unused);
        match self.parts.get(piece) {
            Some(&first) if unused => {
                self.leave(start, start + first, pieces);
                self.leave(start + first, end, pieces);
            }
            _ => pieces.push(Piece { end, number }),
        }
    }
}
