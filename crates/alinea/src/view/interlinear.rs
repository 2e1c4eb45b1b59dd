//! One alignment as interlinear lines.
//!
//! The source words run from left to right, each with its position; under each stand the target words it is linked with,
//! with theirs. A sentence that is wider than allowed continues below. Target words without a link are named at the end.
//! Against a gold standard every target word has the mark of its link before it, as in a [grid](super::grid()).

use super::cells::{Cell, cells_within};
use super::grid::{blanks, columns_of, end_line, legend, put};
use super::lines::not_drawn;
use super::marks::Mark;
use super::style::Style;
use crate::alignment::{Alignment, GoldAlignment, Link};

/// Columns between two words.
const GAP: usize = 2;

/// Draws an alignment as source words with what each is linked with under it, against a gold standard if there is one;
/// every line ends with a line feed.
///
/// Words are shown as in a [grid](super::grid()). O(words + links · log links).
///
/// ```
/// use alinea::view::{Style, interlinear};
///
/// let picture = interlinear(&["das", "Haus"], &["the", "house", "!"], &[(0, 0), (1, 1)].into(), None, &Style::default());
/// assert_eq!(picture, "0 das  1 Haus
/// 0 the  1 house
///
/// no link: 2 !
///
/// ■ link 2
/// ");
/// ```
#[must_use]
pub fn interlinear<S: AsRef<str>, T: AsRef<str>>(
    source: &[S],
    target: &[T],
    alignment: &Alignment,
    gold: Option<&GoldAlignment>,
    style: &Style,
) -> String {
    let word_length = style.word_length.max(1);
    let cells = |word: &str| cells_within(word, word_length);
    let target: Vec<Vec<Cell>> = target.iter().take(style.words).map(|word| cells(word.as_ref())).collect();
    let all = gold.map_or_else(|| alignment.clone(), |gold| alignment.union(gold.possible()));
    let sources = source.len().min(style.words);
    let (drawn, outside): (Vec<Link>, Vec<Link>) =
        all.iter().partition(|link| (link.source as usize) < sources && (link.target as usize) < target.len());
    let mark = |link: Link| Mark::of(link, alignment, gold);
    let mut linked = vec![false; target.len()];
    let mut entries: Vec<Entry> = Vec::with_capacity(sources);
    let mut rest = drawn.as_slice();
    for (n, word) in source.iter().take(sources).enumerate() {
        let (own, later) = rest.split_at(rest.partition_point(|link| link.source as usize <= n));
        rest = later;
        let mut lines = vec![Line { mark: None, text: numbered(n, &cells(word.as_ref())) }];
        for &link in own {
            linked[link.target as usize] = true;
            let text = numbered(link.target as usize, &target[link.target as usize]);
            lines.push(Line { mark: gold.map(|_| mark(link)), text });
        }
        entries.push(Entry { lines });
    }
    let mut out = String::new();
    draw(&entries, gold.is_some(), style, &mut out);
    let unlinked: Vec<usize> = (0..target.len()).filter(|&n| !linked[n]).collect();
    if !unlinked.is_empty() {
        out += "no link:";
        for n in unlinked {
            put(&mut out, format_args!(" {}", text_of(&numbered(n, &target[n]))));
        }
        out += "\n\n";
    }
    legend(&drawn, mark, gold.is_some(), style, &mut out);
    if let Some(names) = not_drawn(&outside) {
        put(&mut out, format_args!("{names}\n"));
    }
    out
}

/// A word with its position.
fn numbered(n: usize, word: &[Cell]) -> Vec<Cell> {
    let mut cells = cells_within(&format!("{n} "), usize::MAX);
    cells.extend_from_slice(word);
    cells
}

struct Line {
    mark: Option<Mark>,
    text: Vec<Cell>,
}

/// A source word, and under it what it is linked with.
struct Entry {
    lines: Vec<Line>,
}

impl Entry {
    /// With a column for marks and one beside it, where there are any.
    fn columns(&self, marked: bool) -> usize {
        let widest = self.lines.iter().map(|line| columns_of(&line.text)).max().unwrap_or(0);
        widest + if marked { 2 } else { 0 }
    }
}

/// Blocks of source words, as many as fit the width, and at least one.
fn draw(entries: &[Entry], marked: bool, style: &Style, out: &mut String) {
    let mut rest = entries;
    while !rest.is_empty() {
        let mut used = 0;
        let fits = rest.iter().take_while(|entry| {
            used += entry.columns(marked) + GAP;
            used <= style.width + GAP
        });
        let (block, later) = rest.split_at(fits.count().max(1));
        rest = later;
        for line in 0..block.iter().map(|entry| entry.lines.len()).max().unwrap_or(0) {
            for entry in block {
                let mut columns = 0;
                if let Some(Line { mark, text }) = entry.lines.get(line) {
                    if let Some(mark) = mark {
                        mark.push(style, out);
                        out.push(' ');
                    } else if marked {
                        *out += "  ";
                    }
                    *out += &text_of(text);
                    columns = columns_of(text) + if marked { 2 } else { 0 };
                }
                blanks(out, entry.columns(marked) + GAP - columns);
            }
            end_line(out);
        }
        out.push('\n');
    }
}

fn text_of(cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.text.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Marks;

    #[test]
    fn marks_say_what_is_right() {
        let gold = GoldAlignment::from_parts([(0, 0), (1, 1)].into(), &[(0, 1)].into());
        let picture =
            interlinear(&["das", "Haus"], &["the", "house"], &[(0, 0), (1, 0)].into(), Some(&gold), &Style::default());
        let expected = "  0 das      1 Haus
■ 0 the    × 0 the
◦ 1 house  ○ 1 house

■ sure 1   □ possible 0   × wrong 1   ○ sure missed 1   ◦ possible missed 1
";
        assert_eq!(picture, expected);
        let style = Style { color: true, marks: Marks::Ascii, ..Style::default() };
        let colored = interlinear(&["das"], &["the"], &[(0, 0)].into(), Some(&gold), &style);
        assert!(colored.contains("\u{1b}[32m#\u{1b}[0m 0 the\n"), "{colored:?}");
    }

    #[test]
    fn wide_sentences_go_on_below() {
        let style = Style { width: 14, ..Style::default() };
        let words = ["aa", "日本語", "cc"];
        let picture = interlinear(&words, &["x"], &[(2, 0), (9, 0)].into(), None, &style);
        assert_eq!(picture, "0 aa  1 日本語\n\n2 cc\n0 x\n\n■ link 1\nnot drawn: 9-0\n");
        let narrow = interlinear(&words, &["x"], &Alignment::new(), None, &Style { width: 1, ..style });
        assert_eq!(narrow, "0 aa\n\n1 日本語\n\n2 cc\n\nno link: 0 x\n\n■ link 0\n");
    }

    #[test]
    fn what_would_disturb_is_replaced() {
        let picture = interlinear(&["\u{1b}[31m"], &["\u{202e}\u{301}"], &[(0, 0)].into(), None, &Style::default());
        assert!(!picture.contains(['\u{1b}', '\u{202e}']), "{picture:?}");
        let none: [&str; 0] = [];
        assert_eq!(interlinear(&none, &none, &Alignment::new(), None, &Style::default()), "■ link 0\n");
    }
}
