//! A sentence in one line, with the words that are looked at in the middle.
//!
//! The first of these words begins at the same column in all lines, a third of the width from the left; what does not fit on either side
//! is cut, and `…` says so. A sentence that runs from right to left stands as it is read, so that what follows is on the left.

use super::super::cells::{Cell, cells_within};
use super::super::direction::Direction;
use super::super::grid::{blanks, columns_of, end_line, text_of};
use super::super::style::Style;
use crate::concordance::SentenceWords;

/// A word in the order in which it is seen, with brackets if it is looked at.
struct Word {
    text: String,
    columns: usize,
    is_chosen: bool,
}

impl Word {
    fn new(cells: &[Cell], direction: Direction, is_chosen: bool, style: &Style) -> Self {
        let (text, columns) = (text_of(cells), columns_of(cells));
        let text = direction.isolated(&text);
        if !is_chosen {
            return Self { text, columns, is_chosen };
        }
        let (bold, plain) = if style.color { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") };
        Self { text: format!("[{bold}{text}{plain}]"), columns: columns + 2, is_chosen }
    }
}

/// Adds a line with these words, of which some are chosen.
pub(super) fn push_line(words: &SentenceWords, places: &[u32], width: usize, style: &Style, out: &mut String) {
    let all: Vec<&str> = words.words().collect();
    let direction = Direction::of(&all);
    // Of absurdly long sentences what lies around the first of the words that are looked at.
    let first = places.first().map_or(0, |place| *place as usize);
    let from = first.saturating_sub(style.words / 2);
    let around = from..(first + style.words / 2).min(all.len());
    let word = |place: usize| {
        let cells = cells_within(all[place], style.word_length.max(1));
        Word::new(&cells, direction, places.contains(&(place as u32)), style)
    };
    let seen: Vec<Word> = direction.visual_order(around).into_iter().map(word).collect();
    let middle = seen.iter().position(|word| word.is_chosen).unwrap_or(0);
    let left = if places.is_empty() { 0 } else { width / 3 };
    push_left(&seen[..middle], left, out);
    push_right(&seen[middle..], width - left, out);
    end_line(out);
}

/// Words that end at a column, with a blank behind.
fn push_left(words: &[Word], width: usize, out: &mut String) {
    let mut used = 0;
    let fits = words.iter().rev().take_while(|word| {
        used += word.columns + 1;
        used + 2 <= width
    });
    let mut kept = fits.count();
    if words.iter().map(|word| word.columns + 1).sum::<usize>() <= width {
        kept = words.len();
    }
    let cut = kept < words.len();
    let words = &words[words.len() - kept..];
    let columns = words.iter().map(|word| word.columns + 1).sum::<usize>() + if cut { 2 } else { 0 };
    blanks(out, width.saturating_sub(columns));
    if cut && width >= 2 {
        out.push_str("… ");
    }
    for word in words {
        out.push_str(&word.text);
        out.push(' ');
    }
}

/// Words that begin at a column; the first is there in any case.
fn push_right(words: &[Word], width: usize, out: &mut String) {
    let mut used = 0;
    let last = words.len().saturating_sub(1);
    let fits = words.iter().enumerate().take_while(|(n, word)| {
        used += word.columns + 1;
        *n == 0 || used + if *n == last { 0 } else { 2 } <= width + 1
    });
    let kept = fits.count();
    for word in &words[..kept] {
        out.push_str(&word.text);
        out.push(' ');
    }
    if kept < words.len() {
        out.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &str, places: &[u32], width: usize) -> String {
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut out = String::new();
        push_line(&SentenceWords::of(&words), places, width, &Style::default(), &mut out);
        out
    }

    #[test]
    fn words_stand_in_the_middle_and_lines_are_cut() {
        assert_eq!(line("a b c d e", &[2], 30), "      a b [c] d e\n");
        assert_eq!(line("a b c d e", &[], 30), "a b c d e\n");
        assert_eq!(line("aaaa bbbb cccc dddd eeee ffff", &[2], 18), "    … [cccc] …\n");
        assert_eq!(line("il ne sait pas", &[1, 3], 30), "       il [ne] sait [pas]\n");
        for width in 4..40 {
            let text = line("aaaa bbbb cccc dddd eeee ffff gggg", &[3], width);
            assert!(text.contains("[dddd]"), "{text}");
            assert!(text.trim_end().chars().count() <= width.max(width / 3 + 8), "{width}: {text}");
        }
    }

    #[test]
    fn sentences_from_right_to_left_are_read_so() {
        let text = line("זה ספר טוב", &[1], 30);
        let [this, book, good] = ["זה", "ספר", "טוב"].map(|word| format!("\u{2067}{word}\u{2069}"));
        assert_eq!(text, format!("      {good} [{book}] {this}\n"));
    }

    #[test]
    fn what_would_disturb_is_replaced() {
        assert!(!line("a \u{1b}[2J \u{202e}b", &[1], 30).contains(['\u{1b}', '\u{202e}']));
    }
}
