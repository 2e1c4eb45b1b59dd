//! What all SVG pictures share: measures in pixels, words in their places, and how text is written.
//!
//! Widths are counted in columns, as in a terminal, and a column has 9 pixels, whatever the font. Each word is
//! centered at its `Placed::middle`. Words are cut to 40 columns and sentences to 1000 words. Heights are those of a
//! picture of links alone, from the top; what stands above, such as a tree, shifts them.
//!
//! Words occur only as content of elements, never in attributes; so `escaped` replaces `&`, `<` and `>`, and no quotes.
//! The texts of a `Placed` word are escaped already.

use std::fmt::Write as _;

use crate::view::cells::Cell;

/// Columns to which longer words are cut, and words drawn of each sentence.
pub(super) const WORD_COLUMNS: usize = 40;
pub(super) const WORDS: usize = 1000;

/// All lengths are in pixels: the width of a column at the size of the letters, and the blank between words.
pub(super) const COLUMN: f64 = 9.0;
pub(super) const LETTERS: u32 = 15;
pub(super) const GAP: f64 = 18.0;
pub(super) const BORDER: f64 = 16.0;

/// Heights, from the top: baselines of the words and the small numbers, and the ends of the lines.
pub(super) const SOURCE_WORDS: u32 = 32;
pub(super) const SOURCE_NUMBERS: u32 = 47;
pub(super) const LINES_FROM: u32 = 53;
pub(super) const LINES_TO: u32 = 153;
pub(super) const TARGET_NUMBERS: u32 = 165;
pub(super) const TARGET_WORDS: u32 = 183;
pub(super) const FIRST_NOTE: u32 = 214;
pub(super) const NOTE: u32 = 18;

/// The line in the legend, and the columns that it takes.
pub(super) const SAMPLE: f64 = 34.0;
pub(super) const LEGEND: usize = 5;

/// Between the baseline of words and the arcs of their tree.
pub(super) const TREE_GAP: u32 = 16;

/// The width of a column at the size of the numbers.
pub(super) const SMALL_COLUMN: f64 = 6.0;

/// A word, the small text of its position, and the middle of its place.
pub(super) struct Placed {
    pub(super) text: String,
    pub(super) number: String,
    pub(super) middle: f64,
}

/// A word as XML has it.
pub(super) fn escaped(cells: &[Cell]) -> String {
    let mut text = String::new();
    for character in cells.iter().flat_map(|cell| cell.text.chars()) {
        match character {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            _ => text.push(character),
        }
    }
    text
}

pub(super) fn head(width: f64, height: u32, title: &str, out: &mut String) {
    put(
        out,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"monospace\" font-size=\"{LETTERS}\">\n\
             <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
        ),
    );
}

/// The words of a sentence and their numbers.
pub(super) fn row(words: &[Placed], words_at: u32, numbers_at: u32, out: &mut String) {
    *out += "<g text-anchor=\"middle\">\n";
    for Placed { text, number, middle } in words {
        put(out, format_args!("<text x=\"{middle}\" y=\"{words_at}\">{text}</text>"));
        let small = "font-size=\"10\" fill=\"#777777\"";
        put(out, format_args!("<text x=\"{middle}\" y=\"{numbers_at}\" {small}>{number}</text>\n"));
    }
    *out += "</g>\n";
}

pub(super) fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A String takes whatever is written.
    let _ = out.write_fmt(text);
}
