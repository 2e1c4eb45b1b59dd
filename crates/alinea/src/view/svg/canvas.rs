//! What all SVG pictures share: measures in pixels, words in their places, and how text is written.
//!
//! Widths are counted in columns, as in a terminal. A column of Latin, Greek or Cyrillic letters or half a Chinese character
//! has 9 pixels, those of scripts with wider letters have more, whatever the font (`width_of`). Each word is centered at
//! its `Placed::middle`. Words are cut to 40 columns and sentences to 1000 words. Heights are those of a picture of links
//! alone, from the top; what stands above, such as a tree, shifts them.
//!
//! **Colors.** Text has the color of the text around the picture (`currentColor`), lines have colors that are seen on a
//! light and on a dark ground. The style sheet in the picture begins every selector with its class, since in a page it
//! is that of the whole page. A picture that is a document of its own (`:root`; a file, also in an `<img>`) has a ground
//! itself, light or dark as the reader prefers. Within a page there is none, and what should hide lines behind it takes
//! the color of the page where a notebook's theme says one, and hides nothing elsewhere. Attributes say what holds where
//! no style sheet is read: black on white.
//!
//! Words occur only as content of elements, never in attributes; so `escaped` replaces `&`, `<` and `>`, and no quotes.
//! The texts of a `Placed` word are escaped already.

use std::fmt::Write as _;

use crate::view::cells::Cell;
use crate::view::direction::Direction;

/// Columns to which longer words are cut, and words drawn of each sentence.
pub(super) const WORD_COLUMNS: usize = 40;
pub(super) const WORDS: usize = 1000;

/// All lengths are in pixels: the width of a column at the size of the letters, and the blank between words.
pub(super) const COLUMN: f64 = 9.0;
const WIDER_COLUMN: f64 = 12.0;
const WIDEST_COLUMN: f64 = 17.0;
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

/// The opacity of what is less important: numbers, and costs outside of a spanning tree.
pub(super) const FAINT: &str = "fill-opacity=\"0.7\"";

/// What hides lines behind it: the edge of letters, and the inside of a shape.
pub(super) const HALO: &str = "class=\"halo\" stroke=\"#FFFFFF\"";
pub(super) const HOLLOW: &str = "class=\"hollow\" fill=\"#FFFFFF\"";

const STYLE: &str = "\
svg.alinea{--alinea-ground:var(--jp-layout-color0,var(--vscode-editor-background,var(--colab-primary-surface-color,transparent)))}
svg.alinea:root{color:#1b1b1b;--alinea-ground:#fff}
@media (prefers-color-scheme:dark){svg.alinea:root{color:#e8e8e8;--alinea-ground:#15171a}}
svg.alinea:root .ground,svg.alinea .hollow{fill:var(--alinea-ground)}
svg.alinea .halo{stroke:var(--alinea-ground)}";

/// A word, its direction and width, the small text of its position, and the middle of its place.
pub(super) struct Placed {
    pub(super) text: String,
    pub(super) direction: Direction,
    pub(super) width: f64,
    pub(super) number: String,
    pub(super) middle: f64,
}

/// About how wide some text is at the size of words, in pixels.
pub(super) fn width_of(cells: &[Cell]) -> f64 {
    let column = |cell: &Cell| match cell.text.chars().next() {
        Some('\u{590}'..='\u{B7F}') => WIDER_COLUMN,
        Some('\u{B80}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}') => WIDEST_COLUMN,
        _ => COLUMN,
    };
    cells.iter().map(|cell| cell.columns as f64 * column(cell)).sum()
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
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"alinea\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"monospace\" font-size=\"{LETTERS}\" \
             fill=\"currentColor\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\" fill=\"none\"/>\n"
        ),
    );
}

/// The words of a sentence and their numbers.
pub(super) fn row(words: &[Placed], words_at: u32, numbers_at: u32, out: &mut String) {
    *out += "<g text-anchor=\"middle\">\n";
    for Placed { text, direction, number, middle, .. } in words {
        let direction = if direction.is_right_to_left() { " direction=\"rtl\"" } else { "" };
        put(out, format_args!("<text x=\"{middle}\" y=\"{words_at}\"{direction}>{text}</text>"));
        put(out, format_args!("<text x=\"{middle}\" y=\"{numbers_at}\" font-size=\"10\" {FAINT}>{number}</text>\n"));
    }
    *out += "</g>\n";
}

pub(super) fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A String takes whatever is written.
    let _ = out.write_fmt(text);
}
