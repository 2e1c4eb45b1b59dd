//! Where the words of two sentences stand. One that runs from right to left begins on the right.

use super::arcs;
use super::canvas::{BORDER, COLUMN, GAP, Placed, SMALL_COLUMN, WORD_COLUMNS, WORDS, escaped, width_of};
use crate::view::cells::cells_within;
use crate::view::direction::Direction;
use crate::view::trees::{DrawnTree, Trees};

/// The words of both sentences in their places, the shorter row in the middle, and how wide the longer one is.
pub(super) fn rows<S: AsRef<str>, T: AsRef<str>>(
    source: &[S],
    target: &[T],
    trees: &Trees<'_>,
) -> (Vec<Placed>, Vec<Placed>, f64) {
    let (mut source, source_width) = place(source, trees.source.as_ref());
    let (mut target, target_width) = place(target, trees.target.as_ref());
    let inner = source_width.max(target_width);
    for (row, width) in [(&mut source, source_width), (&mut target, target_width)] {
        for word in row {
            word.middle += BORDER + (inner - width) / 2.0;
        }
    }
    (source, target, inner)
}

/// The words of a sentence side by side, from 0, and how wide they are together.
pub(super) fn place<W: AsRef<str>>(words: &[W], tree: Option<&DrawnTree<'_>>) -> (Vec<Placed>, f64) {
    let sentence = Direction::of(words);
    let mut at = 0.0;
    let mut placed = Vec::with_capacity(words.len().min(WORDS));
    for (n, word) in words.iter().take(WORDS).enumerate() {
        let cells = cells_within(word.as_ref(), WORD_COLUMNS);
        let letters = width_of(&cells).max(COLUMN);
        let mut width = letters;
        let mut number = n.to_string();
        if let Some(tree) = tree {
            let tag = cells_within(tree.tags.get(n).copied().unwrap_or_default(), WORD_COLUMNS);
            if !tag.is_empty() {
                let columns = number.len() + 1 + tag.iter().map(|cell| cell.columns).sum::<usize>();
                width = width.max(columns as f64 * SMALL_COLUMN);
                number += " ";
                number += &escaped(&tag);
            }
            width = width.max(arcs::relation_width(tree, n));
        }
        let direction = sentence.of_word(word.as_ref());
        placed.push(Placed { text: escaped(&cells), direction, width: letters, number, middle: at + width / 2.0 });
        at += width + GAP;
    }
    let all = (at - GAP).max(0.0);
    if sentence.is_right_to_left() {
        for word in &mut placed {
            word.middle = all - word.middle;
        }
    }
    (placed, all)
}
