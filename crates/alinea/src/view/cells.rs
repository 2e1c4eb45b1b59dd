//! Words as a terminal shows them.
//!
//! A terminal has columns of one width. What takes up columns is a *cluster*, a user-perceived character (Unicode
//! Standard Annex 29, extended grapheme clusters): a letter with its combining marks is one cluster of one column,
//! a Chinese character one of two (Annex 11, East Asian width: wide and fullwidth are two columns, ambiguous is one).
//!
//! What would disturb the picture is replaced: characters that control the terminal, end lines or change the direction
//! of text become `�`, and a cluster without width, such as a combining mark with no letter before it, is put on `◌`.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::terminal::is_dangerous;

/// A cluster and how many columns it takes, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) columns: usize,
}

impl Cell {
    fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let columns = text.width().max(1);
        Self { text, columns }
    }
}

/// The clusters of a word, those that go beyond `limit` columns replaced by `…`.
pub(super) fn cells_within(word: &str, limit: usize) -> Vec<Cell> {
    let mut cells = cells(word);
    let mut total = 0;
    if cells.iter().map(|cell| cell.columns).sum::<usize>() > limit {
        let fits = cells.iter().take_while(|cell| {
            total += cell.columns;
            total < limit
        });
        cells.truncate(fits.count());
        cells.push(Cell::new("…"));
    }
    cells
}

/// The first clusters of a word, if it has more than `limit` the last of these replaced by `…`.
pub(super) fn first_cells(word: &str, limit: usize) -> Vec<Cell> {
    let mut cells = cells(word);
    if cells.len() > limit {
        cells.truncate(limit.saturating_sub(1));
        cells.push(Cell::new("…"));
    }
    cells
}

fn cells(word: &str) -> Vec<Cell> {
    let harmless: String = word.chars().map(|c| if disturbs(c) { char::REPLACEMENT_CHARACTER } else { c }).collect();
    let cell =
        |cluster: &str| if cluster.width() == 0 { Cell::new(format!("◌{cluster}")) } else { Cell::new(cluster) };
    harmless.graphemes(true).map(cell).collect()
}

fn disturbs(c: char) -> bool {
    // The last two are no characters at all; XML forbids them too.
    is_dangerous(c) || matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(cells: &[Cell]) -> Vec<(&str, usize)> {
        cells.iter().map(|cell| (cell.text.as_str(), cell.columns)).collect()
    }

    #[test]
    fn clusters_have_the_columns_of_annex_11_and_29() {
        assert_eq!(shown(&cells("ab")), [("a", 1), ("b", 1)]);
        assert_eq!(shown(&cells("e\u{301}a")), [("e\u{301}", 1), ("a", 1)]);
        assert_eq!(shown(&cells("日本")), [("日", 2), ("本", 2)]);
        assert_eq!(shown(&cells("ｶﾞＡ")), [("ｶﾞ", 2), ("Ａ", 2)]);
        assert_eq!(shown(&cells("한")), [("한", 2)]);
        assert_eq!(shown(&cells("👩‍🔬")), [("👩‍🔬", 2)]);
    }

    #[test]
    fn what_would_disturb_is_replaced() {
        assert_eq!(shown(&cells("a\u{1b}[31m\n")).first(), Some(&("a", 1)));
        assert!(cells("\u{1b}\t\u{7f}\u{85}\u{202e}\u{2028}\u{fffe}\r\n").iter().all(|cell| cell.text == "�"));
        assert_eq!(shown(&cells("\u{301}x")), [("◌\u{301}", 1), ("x", 1)]);
    }

    #[test]
    fn long_words_are_cut() {
        assert_eq!(shown(&cells_within("abcd", 4)).len(), 4);
        assert_eq!(shown(&cells_within("abcde", 4)), [("a", 1), ("b", 1), ("c", 1), ("…", 1)]);
        assert_eq!(shown(&cells_within("日本語", 5)), [("日", 2), ("本", 2), ("…", 1)]);
        assert_eq!(shown(&cells_within("日本語", 4)), [("日", 2), ("…", 1)]);
        assert_eq!(shown(&first_cells("日本語", 3)).len(), 3);
        assert_eq!(shown(&first_cells("日本語", 2)), [("日", 2), ("…", 1)]);
    }
}
