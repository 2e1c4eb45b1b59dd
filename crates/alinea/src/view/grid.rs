//! One alignment as a grid of marks.
//!
//! Rows are source words, columns target words, which are written from top to bottom above their column; every row has
//! its position from 0, every fifth column too. A grid that is wider than allowed continues below, in blocks of columns.
//! The columns of a target sentence that runs from right to left do so, too: in each block its first word stands on the
//! right. Words are isolated ([`Direction::isolated`]), so that a terminal that orders Hebrew or Arabic itself moves nothing
//! but letters within a word.
//!
//! | mark | ASCII | color | name | link |
//! |---|---|---|---|---|
//! | `■` | `#` | green | link | in the alignment, without gold standard |
//! | `■` | `#` | green | sure | in the alignment, and sure |
//! | `□` | `+` | cyan | possible | in the alignment, and possible |
//! | `×` | `x` | red | wrong | in the alignment, and neither |
//! | `○` | `O` | yellow | missed | sure, and not in the alignment |
//! | `◦` | `o` | yellow | missed (possible) | possible, and not in the alignment |
//! | `·` | `.` | dim | | none |

use std::fmt::{self, Write};

use super::cells::{Cell, cells_within, first_cells};
use super::direction::Direction;
use super::lines::not_drawn;
use super::marks::Mark;
use super::style::Style;
use crate::alignment::{Alignment, GoldAlignment, Link};

/// Columns between two numbered ones, itself numbered.
const NUMBERED: usize = 5;

/// Draws an alignment, against a gold standard if there is one; every line ends with a line feed.
///
/// Words are shown as terminals count columns; characters that would disturb the picture are replaced by `�`. Links
/// outside the words drawn are named in a line at the end. O(source words × target words).
#[must_use]
pub fn grid<S: AsRef<str>, T: AsRef<str>>(
    source: &[S],
    target: &[T],
    alignment: &Alignment,
    gold: Option<&GoldAlignment>,
    style: &Style,
) -> String {
    let word_length = style.word_length.max(1);
    let rows: Vec<Vec<Cell>> =
        source.iter().take(style.words).map(|word| cells_within(word.as_ref(), word_length)).collect();
    let columns: Vec<Vec<Cell>> =
        target.iter().take(style.words).map(|word| first_cells(word.as_ref(), word_length)).collect();
    let directions = [Direction::of(source), Direction::of(target)];
    let picture = Picture { rows, columns, directions, alignment, gold, style };
    let mut out = String::new();
    picture.draw(&mut out);
    out
}

struct Picture<'a> {
    rows: Vec<Vec<Cell>>,
    columns: Vec<Vec<Cell>>,
    /// Of the source and of the target.
    directions: [Direction; 2],
    alignment: &'a Alignment,
    gold: Option<&'a GoldAlignment>,
    style: &'a Style,
}

impl Picture<'_> {
    fn draw(&self, out: &mut String) {
        let word_columns = self.rows.iter().map(|word| columns_of(word)).max().unwrap_or(0);
        let number_columns = self.rows.len().saturating_sub(1).to_string().len();
        // A column is as wide as the widest character above any of them, and a blank.
        let pitch = 1 + self.columns.iter().flatten().map(|cell| cell.columns).max().unwrap_or(1);
        let indent = word_columns + 1 + number_columns + 2;
        let room = (self.style.width.saturating_sub(indent) + 1) / pitch;
        let room = if room > NUMBERED { room - room % NUMBERED } else { room.max(1) };
        let blocks = if self.rows.is_empty() { self.columns.len() } else { self.columns.len().max(1) };
        for start in (0..blocks).step_by(room) {
            let block = self.directions[1].visual_order(start..(start + room).min(self.columns.len()));
            self.header(out, start, &block, indent, pitch);
            for (n, word) in self.rows.iter().enumerate() {
                blanks(out, word_columns - columns_of(word));
                *out += &self.directions[0].isolated(&text_of(word));
                put(out, format_args!(" {n:>number_columns$}  "));
                for &column in &block {
                    self.mark(Link::new(n as u32, column as u32)).push(self.style, out);
                    blanks(out, pitch - 1);
                }
                end_line(out);
            }
            out.push('\n');
        }
        let (drawn, outside) = self.links();
        legend(&drawn, |link| self.mark(link), self.gold.is_some(), self.style, out);
        if let Some(names) = not_drawn(&outside) {
            put(out, format_args!("{names}\n"));
        }
    }

    /// The target words of some columns, the first of which is `first`, from top to bottom, and the line of numbers under
    /// them.
    fn header(&self, out: &mut String, first: usize, block: &[usize], indent: usize, pitch: usize) {
        if block.is_empty() {
            return;
        }
        let words: Vec<&[Cell]> = block.iter().map(|&column| self.columns[column].as_slice()).collect();
        let directions: Vec<Direction> = words.iter().map(|word| self.directions[1].of_word(&text_of(word))).collect();
        let height = words.iter().map(|word| word.len()).max().unwrap_or(0);
        for line in 0..height {
            blanks(out, indent);
            for (word, direction) in words.iter().zip(&directions) {
                let cell = (line + word.len()).checked_sub(height).and_then(|place| word.get(place));
                out.extend(cell.map(|cell| direction.isolated(&cell.text)));
                blanks(out, pitch - cell.map_or(0, |cell| cell.columns));
            }
            end_line(out);
        }
        blanks(out, indent);
        let mut used = 0;
        for (slot, &column) in block.iter().enumerate().filter(|(_, column)| (*column - first).is_multiple_of(NUMBERED))
        {
            let place = slot * pitch;
            let number = column.to_string();
            if place == 0 || indent + place + number.len() <= self.style.width {
                blanks(out, place.saturating_sub(used));
                *out += &number;
                used = place + number.len();
            }
        }
        end_line(out);
    }

    fn mark(&self, link: Link) -> Mark {
        Mark::of(link, self.alignment, self.gold)
    }

    /// All links, of the hypothesis and of the gold standard: those inside the grid, and those outside.
    fn links(&self) -> (Vec<Link>, Vec<Link>) {
        let all = self.gold.map_or_else(|| self.alignment.clone(), |gold| self.alignment.union(gold.possible()));
        let inside =
            |link: &Link| (link.source as usize) < self.rows.len() && (link.target as usize) < self.columns.len();
        all.iter().partition(inside)
    }
}

/// What the marks mean, and how many of each are drawn.
pub(super) fn legend(drawn: &[Link], mark: impl Fn(Link) -> Mark, gold: bool, style: &Style, out: &mut String) {
    if !gold {
        Mark::Link.push(style, out);
        put(out, format_args!(" {} {}\n", Mark::Link.name(), drawn.len()));
        return;
    }
    let mut used = 0;
    for kind in Mark::LINKS {
        let number = drawn.iter().filter(|link| mark(**link) == kind).count();
        let text = format!(" {} {number}", kind.name());
        if used > 0 && used + 3 + 1 + text.len() > style.width {
            out.push('\n');
            used = 0;
        }
        let gap = if used > 0 { 3 } else { 0 };
        blanks(out, gap);
        kind.push(style, out);
        *out += &text;
        used += gap + 1 + text.len();
    }
    out.push('\n');
}

pub(super) fn columns_of(word: &[Cell]) -> usize {
    word.iter().map(|cell| cell.columns).sum()
}

pub(super) fn text_of(word: &[Cell]) -> String {
    word.iter().map(|cell| cell.text.as_str()).collect()
}

pub(super) fn put(out: &mut String, text: fmt::Arguments<'_>) {
    // A String takes whatever is written.
    let _ = out.write_fmt(text);
}

pub(super) fn blanks(out: &mut String, number: usize) {
    out.extend(std::iter::repeat_n(' ', number));
}

/// Ends a line, without blanks at its end.
pub(super) fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

#[cfg(test)]
mod tests;
