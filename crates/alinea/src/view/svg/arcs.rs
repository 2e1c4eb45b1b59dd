//! A dependency tree above or below a row of words: arcs from heads to dependents, with the relations on them.
//!
//! An arc leaves its head, runs at the height of its level (`DrawnTree::arcs`), and ends at the dependent in an arrow.
//! A root is a vertical line with an arrow at the word. On the lower side of a picture all is mirrored (`Side`). Words
//! may stand from right to left; the middles of their places say so.
//!
//! Relations are cut to 30 columns. Each is written twice, first with an edge in the color of the ground, so that lines do
//! not run into the letters. `relation_width` says how wide a word must be for its relation: wider where the head is a
//! neighbor, as such an arc is short.

use super::canvas::{HALO, Placed, put};
use crate::view::cells::cells_within;
use crate::view::trees::{DrawnTree, Root};

/// Between two levels of arcs, and around the lowest and the highest.
const LEVEL: u32 = 19;
const BEFORE: u32 = 8;
const AFTER: u32 = 12;

/// Relations are cut to so many columns, which are so wide at the size of their letters.
const RELATION_COLUMNS: usize = 30;
const RELATION_COLUMN: f64 = 6.6;

/// What a relation to a neighbor needs besides.
const BESIDE: f64 = 24.0;

const PAINT: &str = "#8676B0";

/// Which side of the words a tree is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
}

/// The height that a tree over the first `words` words takes.
pub(super) fn height(tree: &DrawnTree<'_>, words: usize) -> u32 {
    let (arcs, roots) = tree.arcs(words);
    let levels = arcs.iter().map(|arc| arc.level).chain(roots.iter().map(|root| root.level)).max().unwrap_or(0);
    BEFORE + LEVEL * levels + AFTER
}

/// How wide a word must be for its relation; an arc between neighbors is shorter than others.
pub(super) fn relation_width(tree: &DrawnTree<'_>, word: usize) -> f64 {
    let relation = tree.relations.get(word).copied().unwrap_or_default();
    let columns: usize = cells_within(relation, RELATION_COLUMNS).iter().map(|cell| cell.columns).sum();
    let head = tree.heads.get(word).copied().flatten();
    let beside = head.is_some_and(|head| (head as usize).abs_diff(word) == 1);
    columns as f64 * RELATION_COLUMN + if beside { BESIDE } else { 0.0 }
}

/// Draws arcs from heads to dependents, which have an arrow, with the relations on them; they begin at the height `from`.
pub(super) fn draw(tree: &DrawnTree<'_>, words: &[Placed], from: u32, side: Side, out: &mut String) {
    let sign = if side == Side::Above { -1.0 } else { 1.0 };
    let from = f64::from(from);
    let (arcs, roots) = tree.arcs(words.len());
    put(out, format_args!("<g fill=\"none\" stroke=\"{PAINT}\" stroke-width=\"1.1\">\n"));
    let mut labels: Vec<(f64, f64, usize)> = Vec::new();
    let arrow = |out: &mut String, x: f64| {
        let back = 7.0 * sign;
        put(out, format_args!("<path d=\"M{x} {from}l-3.5 {back}h7z\" fill=\"{PAINT}\" stroke=\"none\"/>\n"));
    };
    for arc in arcs {
        let way = if words[arc.head].middle < words[arc.dependent].middle { 1.0 } else { -1.0 };
        let (start, end) = (words[arc.head].middle + 5.0 * way, words[arc.dependent].middle - 2.0 * way);
        let top = from + sign * f64::from(BEFORE + LEVEL * arc.level);
        let bend = 8_f64.min((end - start).abs() / 2.0);
        let (near, inner_start, inner_end) = (top - sign * bend, start + way * bend, end - way * bend);
        put(
            out,
            format_args!(
                "<path d=\"M{start} {from}V{near}Q{start} {top} {inner_start} {top}H{inner_end}Q{end} {top} {end} {near}V{from}\"/>\n"
            ),
        );
        arrow(out, end);
        labels.push((f64::midpoint(start, end), top + 3.5, arc.dependent));
    }
    for Root { word, level } in roots {
        let (x, top) = (words[word].middle, from + sign * f64::from(BEFORE + LEVEL * level));
        put(out, format_args!("<path d=\"M{x} {from}V{top}\"/>\n"));
        arrow(out, x);
        labels.push((x, top + 3.5, word));
    }
    *out += "</g>\n<g text-anchor=\"middle\" font-size=\"11\">\n";
    for (x, y, word) in labels {
        let relation = super::canvas::escaped(&cells_within(tree.relations[word], RELATION_COLUMNS));
        // An edge in the color of the ground keeps the arc out of the letters.
        put(out, format_args!("<text x=\"{x}\" y=\"{y}\" {HALO} stroke-width=\"4\">{relation}</text>"));
        put(out, format_args!("<text x=\"{x}\" y=\"{y}\">{relation}</text>\n"));
    }
    *out += "</g>\n";
}
