//! What a decision sees of a cell.
//!
//! With p the confidences of the cells of a pair, f and r the posteriors of both directions, λ(x) = ln((x + .005) /
//! (1.005 - x)), and q(i, j) = p(i, j) where that is at least .01, otherwise and outside 0:
//!
//! | features of the cell (i, j) | |
//! |---|---|
//! | `bias` | 1 |
//! | `confidence`, `confidence^2`, `forward`, `reverse`, `difference` | λ(p), λ(p)² / 5, λ(f), λ(r), \|λ(f) - λ(r)\| |
//! | `room of source`, `room of target` | ln max(.1, 1 - Σ q(i, j')), ln max(.1, 1 - Σ q(i', j)) over the other cells of the row, the column |
//! | `rival of source`, `rival of target` | max q(i, j'), max q(i', j) over the same cells |
//! | `diagonal`, `antidiagonal` | q(i-1, j-1) + q(i+1, j+1), q(i-1, j+1) + q(i+1, j-1) |
//! | `next target`, `previous target`, `next source`, `previous source` | q(i, j+1), q(i, j-1), q(i+1, j), q(i-1, j) |
//! | `beside`, `above`, `block` | the greater of the first two, the greater of the other two, the product of both |
//! | `same` | 1 if both words are spelled alike |
//! | `distance` | \|(i + ½) / I - (j + ½) / J\| |
//! | `source length`, `target length`, `lengths`, `length difference` | letters s and t of both words, 12 at most, over 6; s t; \|s - t\| |
//! | `... of short` | each of the four neighbors, times max(0, 1 - s) where it is above or below, max(0, 1 - t) beside |
//! | `... of punctuation`, `... of frequent`, `... of common` | each of the four, where the word on the other axis is of this kind: the source word above or below, the target word beside |
//! | `frequent ~ rare` and so on | 1 if the source word and the target word are of these kinds |

use super::word::Word;
use crate::lexicon::WordKind;

/// How many features there are.
pub const FEATURES: usize = BEFORE_BOTH_KINDS + WordKind::COUNT * WordKind::COUNT;

/// Their names, in order.
#[rustfmt::skip]
pub const NAMES: [&str; FEATURES] = [
    "bias", "confidence", "confidence^2", "forward", "reverse", "difference", "room of source", "room of target",
    "rival of source", "rival of target", "diagonal", "antidiagonal", "next target", "previous target", "next source",
    "previous source", "beside", "above", "block", "same", "distance", "source length", "target length", "lengths",
    "length difference", "next target of short", "previous target of short", "next source of short",
    "previous source of short", "next target of punctuation", "previous target of punctuation",
    "next source of punctuation", "previous source of punctuation", "next target of frequent",
    "previous target of frequent", "next source of frequent", "previous source of frequent", "next target of common",
    "previous target of common", "next source of common", "previous source of common", "punctuation ~ punctuation",
    "punctuation ~ frequent", "punctuation ~ common", "punctuation ~ rare", "frequent ~ punctuation",
    "frequent ~ frequent", "frequent ~ common", "frequent ~ rare", "common ~ punctuation", "common ~ frequent",
    "common ~ common", "common ~ rare", "rare ~ punctuation", "rare ~ frequent", "rare ~ common", "rare ~ rare",
];

/// The place of the confidence of the cell.
pub(super) const CONFIDENCE: usize = 1;

/// The place of the confidences beside a cell: next and previous target word, next and previous source word.
pub(super) const NEAR: usize = 12;

/// What keeps λ finite.
const MARGIN: f32 = 0.005;

/// Confidences below this tell nothing of other cells.
const FLOOR: f32 = 0.01;

/// The least room that is left to a word by its other links.
const LEAST_ROOM: f32 = 0.1;

/// A cell may be a link from [`FLOOR`] on, or beside one of this confidence.
const BESIDE: f32 = 0.3;

/// How many features come before those of punctuation, and those of both kinds.
const BEFORE_KINDS: usize = 29;
const BEFORE_BOTH_KINDS: usize = BEFORE_KINDS + 12;

/// A sentence pair, or a stretch of a long one, with cells row by row: those of the first source word first.
#[derive(Debug, Clone, Copy)]
pub struct Cells<'p> {
    /// The words of both sides.
    pub words: [&'p [Word]; 2],
    /// The posteriors of both directions, forward and reverse, from 0 to 1.
    pub posteriors: [&'p [f32]; 2],
    /// The confidences, from 0 to 1.
    pub confidences: &'p [f32],
}

/// The features of the cells of a pair.
#[derive(Debug)]
pub struct PairFeatures<'p> {
    cells: Cells<'p>,
    /// For each source word, then for each target word: the sum of its q, and the greatest two.
    lines: [Vec<Line>; 2],
    /// Whether a cell may be a link at all.
    candidates: Vec<bool>,
}

/// What the cells of a row or a column have in common.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    sum: f32,
    greatest: [f32; 2],
}

impl Line {
    fn add(&mut self, q: f32) {
        self.sum += q;
        let [first, second] = self.greatest;
        self.greatest = if q > first { [q, first] } else { [first, second.max(q)] };
    }

    /// The logarithm of the room that the others leave a cell, and the greatest of the others.
    fn beside(&self, q: f32) -> [f32; 2] {
        let [first, second] = self.greatest;
        [(1.0 - (self.sum - q)).max(LEAST_ROOM).ln(), if q >= first { second } else { first }]
    }
}

impl<'p> PairFeatures<'p> {
    /// Those of a pair. Linear in the cells.
    ///
    /// # Panics
    /// If there are not as many posteriors and confidences as pairs of words.
    pub fn new(cells: Cells<'p>) -> Self {
        let [rows, columns] = cells.words.map(<[Word]>::len);
        for values in [cells.posteriors[0], cells.posteriors[1], cells.confidences] {
            assert_eq!(values.len(), rows * columns, "a value for each cell");
        }
        let mut lines = [vec![Line::default(); rows], vec![Line::default(); columns]];
        let mut candidates: Vec<bool> = cells.confidences.iter().map(|&confidence| confidence >= FLOOR).collect();
        let [of_rows, of_columns] = &mut lines;
        for (row, (of_row, confidences)) in
            of_rows.iter_mut().zip(cells.confidences.chunks_exact(columns.max(1))).enumerate()
        {
            for (column, (of_column, &confidence)) in of_columns.iter_mut().zip(confidences).enumerate() {
                if confidence < FLOOR {
                    continue;
                }
                of_row.add(confidence);
                of_column.add(confidence);
                if confidence >= BESIDE {
                    let place = row * columns + column;
                    candidates[place - usize::from(column > 0)..=place + usize::from(column + 1 < columns)].fill(true);
                    candidates[place - if row > 0 { columns } else { 0 }] = true;
                    candidates[place + if row + 1 < rows { columns } else { 0 }] = true;
                }
            }
        }
        Self { cells, lines, candidates }
    }

    /// The words of both sides.
    pub(super) fn words(&self) -> [&'p [Word]; 2] {
        self.cells.words
    }

    /// Whether a cell may be a link at all: others have a confidence below .01, and none of .3 or more above, below or beside them.
    pub fn is_candidate(&self, row: usize, column: usize) -> bool {
        self.candidates[row * self.lines[1].len() + column]
    }

    /// The cells that may be links: their place, row by row, their row and their column.
    pub fn candidates(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        let columns = self.lines[1].len();
        let candidates = self.candidates.iter().enumerate().filter(|(_, is_candidate)| **is_candidate);
        candidates.map(move |(place, _)| (place, [place / columns, place % columns]))
    }

    /// The features of a cell, in the order of the head of the module.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn of(&self, row: usize, column: usize) -> [f32; FEATURES] {
        let mut features = [0.0; FEATURES];
        self.visit(row, column, |number, value| features[number] = value);
        features
    }

    /// Visits the features of a cell by their numbers, without those that are 0 because of the kinds of words.
    #[inline]
    pub(super) fn visit(&self, row: usize, column: usize, mut visit: impl FnMut(usize, f32)) {
        let Cells { words: [sources, targets], posteriors: [forward, reverse], confidences } = self.cells;
        let place = row * targets.len() + column;
        let (source, target) = (sources[row], targets[column]);
        let [confidence, forward, reverse] = [confidences, forward, reverse].map(|values| log_odds(values[place]));
        let q = self.q(row, column);
        let [source_room, source_rival] = self.lines[0][row].beside(q);
        let [target_room, target_rival] = self.lines[1][column].beside(q);
        let at = |down: isize, right: isize| match (row.checked_add_signed(down), column.checked_add_signed(right)) {
            (Some(row), Some(column)) if row < sources.len() && column < targets.len() => self.q(row, column),
            _ => 0.0,
        };
        // Next and previous target word, next and previous source word.
        let near = [at(0, 1), at(0, -1), at(1, 0), at(-1, 0)];
        let (beside, above) = (near[0].max(near[1]), near[2].max(near[3]));
        let relative = |n: usize, all: usize| (n as f32 + 0.5) / all as f32;
        let (s, t) = (source.length(), target.length());
        let attached = [target, target, source, source];
        let of_short = |n: usize| near[n] * (1.0 - attached[n].length()).max(0.0);

        let all: [f32; BEFORE_KINDS] = [
            1.0,
            confidence,
            confidence * confidence / 5.0,
            forward,
            reverse,
            (forward - reverse).abs(),
            source_room,
            target_room,
            source_rival,
            target_rival,
            at(-1, -1) + at(1, 1),
            at(-1, 1) + at(1, -1),
            near[0],
            near[1],
            near[2],
            near[3],
            beside,
            above,
            beside * above,
            f32::from(u8::from(source.spelling == target.spelling)),
            (relative(row, sources.len()) - relative(column, targets.len())).abs(),
            s,
            t,
            s * t,
            (s - t).abs(),
            of_short(0),
            of_short(1),
            of_short(2),
            of_short(3),
        ];
        for (number, value) in all.into_iter().enumerate() {
            visit(number, value);
        }
        for (n, (near, word)) in near.into_iter().zip(attached).enumerate() {
            let kind = match word.kind {
                WordKind::Punctuation => 0,
                WordKind::Frequent => 1,
                WordKind::Common => 2,
                WordKind::Rare => continue,
            };
            visit(BEFORE_KINDS + 4 * kind + n, near);
        }
        visit(BEFORE_BOTH_KINDS + WordKind::COUNT * source.kind as usize + target.kind as usize, 1.0);
    }

    fn q(&self, row: usize, column: usize) -> f32 {
        floored(self.cells.confidences[row * self.cells.words[1].len() + column])
    }
}

fn floored(confidence: f32) -> f32 {
    if confidence < FLOOR { 0.0 } else { confidence }
}

/// λ.
fn log_odds(p: f32) -> f32 {
    ((p + MARGIN) / (1.0 + MARGIN - p)).ln()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// A pair with its posteriors and confidences by row and column.
    #[derive(Debug, Clone)]
    struct Pair {
        words: [Vec<Word>; 2],
        forward: Vec<Vec<f32>>,
        reverse: Vec<Vec<f32>>,
        confidences: Vec<Vec<f32>>,
    }

    fn word() -> impl Strategy<Value = Word> {
        let rank = prop_oneof![0usize..10, 10usize..100, 100usize..1000];
        (prop_oneof![Just("a"), Just("maison"), Just("Maison"), Just(","), Just("internationalisation")], rank)
            .prop_map(|(word, rank)| Word::new(word.as_bytes(), rank))
    }

    fn pair() -> impl Strategy<Value = Pair> {
        let p = prop_oneof![Just(0.0f32), 0.0f32..0.02, 0.0f32..=1.0, Just(1.0f32)];
        (1usize..5, 1usize..5).prop_flat_map(move |(rows, columns)| {
            let cells = proptest::collection::vec(proptest::collection::vec(p.clone(), columns), rows);
            let words = |number| proptest::collection::vec(word(), number);
            ((words(rows), words(columns)), (cells.clone(), cells.clone(), cells)).prop_map(
                |((source, target), (forward, reverse, confidences))| Pair {
                    words: [source, target],
                    forward,
                    reverse,
                    confidences,
                },
            )
        })
    }

    /// The head of the module, by the names of the weights.
    fn defined(pair: &Pair, row: usize, column: usize) -> BTreeMap<String, f64> {
        let lambda = |p: f32| ((f64::from(p) + 0.005) / (1.005 - f64::from(p))).ln();
        let (i, j) = (row as isize, column as isize);
        let q = |i: isize, j: isize| -> f64 {
            let cell = |i: isize, j: isize| {
                Some(*pair.confidences.get(usize::try_from(i).ok()?)?.get(usize::try_from(j).ok()?)?)
            };
            cell(i, j).filter(|&p| p >= 0.01).map_or(0.0, f64::from)
        };
        let (rows, columns) = (pair.words[0].len() as isize, pair.words[1].len() as isize);
        let of_row: Vec<f64> = (0..columns).filter(|&other| other != j).map(|other| q(i, other)).collect();
        let of_column: Vec<f64> = (0..rows).filter(|&other| other != i).map(|other| q(other, j)).collect();
        let [p, f, r] = [&pair.confidences, &pair.forward, &pair.reverse].map(|cells| lambda(cells[row][column]));
        let (source, target) = (pair.words[0][row], pair.words[1][column]);
        let room = |others: &[f64]| (1.0 - others.iter().sum::<f64>()).max(0.1).ln();
        let rival = |others: &[f64]| others.iter().copied().fold(0.0, f64::max);
        let near = [
            ("next target", q(i, j + 1), target),
            ("previous target", q(i, j - 1), target),
            ("next source", q(i + 1, j), source),
            ("previous source", q(i - 1, j), source),
        ];
        let (beside, above) = (near[0].1.max(near[1].1), near[2].1.max(near[3].1));
        let [s, t] = [source, target].map(|word| f64::from(word.length()));
        let distance = (i as f64 + 0.5) / rows as f64 - (j as f64 + 0.5) / columns as f64;
        let mut features: BTreeMap<String, f64> = [
            ("bias", 1.0),
            ("confidence", p),
            ("confidence^2", p * p / 5.0),
            ("forward", f),
            ("reverse", r),
            ("difference", (f - r).abs()),
            ("room of source", room(&of_row)),
            ("room of target", room(&of_column)),
            ("rival of source", rival(&of_row)),
            ("rival of target", rival(&of_column)),
            ("diagonal", q(i - 1, j - 1) + q(i + 1, j + 1)),
            ("antidiagonal", q(i - 1, j + 1) + q(i + 1, j - 1)),
            ("beside", beside),
            ("above", above),
            ("block", beside * above),
            ("same", f64::from(u8::from(source.spelling == target.spelling))),
            ("distance", distance.abs()),
            ("source length", s),
            ("target length", t),
            ("lengths", s * t),
            ("length difference", (s - t).abs()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let kinds = WordKind::ALL.map(|kind| (kind, format!("{kind:?}").to_lowercase()));
        for (name, q, word) in near {
            features.insert(name.to_owned(), q);
            features.insert(format!("{name} of short"), q * (1.0 - f64::from(word.length())).max(0.0));
            for (kind, of_kind) in &kinds[..3] {
                features.insert(format!("{name} of {of_kind}"), if word.kind == *kind { q } else { 0.0 });
            }
        }
        for (first, of_source) in &kinds {
            for (second, of_target) in &kinds {
                let is_so = source.kind == *first && target.kind == *second;
                features.insert(format!("{of_source} ~ {of_target}"), f64::from(u8::from(is_so)));
            }
        }
        features
    }

    proptest! {
        #[test]
        fn features_are_those_of_the_definition(pair in pair()) {
            let [forward, reverse, confidences] = [&pair.forward, &pair.reverse, &pair.confidences].map(|rows| rows.concat());
            let words = pair.words.each_ref().map(Vec::as_slice);
            let cells = Cells { words, posteriors: [&forward, &reverse], confidences: &confidences };
            let features = PairFeatures::new(cells);
            for row in 0..words[0].len() {
                for column in 0..words[1].len() {
                    let expected = defined(&pair, row, column);
                    prop_assert_eq!(expected.len(), FEATURES);
                    for (name, found) in NAMES.into_iter().zip(features.of(row, column)) {
                        prop_assert!((f64::from(found) - expected[name]).abs() < 1e-4, "{}: {} {}", name, found, expected[name]);
                    }
                    let beside = [(0, 1), (0, -1), (1, 0), (-1, 0)].map(|(down, right): (isize, isize)| {
                        let of_row = row.checked_add_signed(down).and_then(|row| pair.confidences.get(row));
                        of_row.zip(column.checked_add_signed(right)).and_then(|(of_row, column)| of_row.get(column))
                    });
                    let is_candidate = pair.confidences[row][column] >= 0.01 || beside.into_iter().flatten().any(|&p| p >= 0.3);
                    prop_assert_eq!(features.is_candidate(row, column), is_candidate);
                }
            }
        }
    }
}
