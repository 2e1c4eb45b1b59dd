//! One alignment as interlinear lines.
//!
//! The source words run from left to right, each with its position; under each stand the target words it is linked with,
//! with theirs. A sentence that is wider than allowed continues below. Target words without a link are named at the end.
//! A source sentence that runs from right to left does so here, along the right edge, and words are isolated as in a grid.
//! Against a gold standard every target word has the mark of its link before it, as in a [grid](super::grid()).

use super::cells::cells_within;
use super::direction::Direction;
use super::grid::{blanks, columns_of, end_line, legend, put, text_of};
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
    let directions = [Direction::of(source), Direction::of(target)];
    let numbered = |side: usize, number: usize, word: &str, mark: Option<Mark>| {
        let cells = cells_within(word, word_length);
        let columns = number.to_string().len() + 1 + columns_of(&cells);
        Line { mark, number, word: directions[side].isolated(&text_of(&cells)), columns }
    };
    let all = gold.map_or_else(|| alignment.clone(), |gold| alignment.union(gold.possible()));
    let (sources, targets) = (source.len().min(style.words), target.len().min(style.words));
    let (drawn, outside): (Vec<Link>, Vec<Link>) =
        all.iter().partition(|link| (link.source as usize) < sources && (link.target as usize) < targets);
    let mark = |link: Link| Mark::of(link, alignment, gold);
    let mut linked = vec![false; targets];
    let mut entries: Vec<Entry> = Vec::with_capacity(sources);
    let mut rest = drawn.as_slice();
    for (n, word) in source.iter().take(sources).enumerate() {
        let (own, later) = rest.split_at(rest.partition_point(|link| link.source as usize <= n));
        rest = later;
        let mut lines = vec![numbered(0, n, word.as_ref(), None)];
        for &link in own {
            let at = link.target as usize;
            linked[at] = true;
            lines.push(numbered(1, at, target[at].as_ref(), gold.map(|_| mark(link))));
        }
        entries.push(Entry { lines });
    }
    let mut out = String::new();
    draw(&entries, gold.is_some(), directions[0], style, &mut out);
    let unlinked: Vec<usize> = (0..targets).filter(|&n| !linked[n]).collect();
    if !unlinked.is_empty() {
        out += "no link:";
        for n in unlinked {
            put(&mut out, format_args!(" {n} {}", numbered(1, n, target[n].as_ref(), None).word));
        }
        out += "\n\n";
    }
    legend(&drawn, mark, gold.is_some(), style, &mut out);
    if let Some(names) = not_drawn(&outside) {
        put(&mut out, format_args!("{names}\n"));
    }
    out
}

/// A word with its position, and with the mark of its link.
struct Line {
    mark: Option<Mark>,
    number: usize,
    word: String,
    /// Of the word and its position.
    columns: usize,
}

/// A source word, and under it what it is linked with.
struct Entry {
    lines: Vec<Line>,
}

impl Entry {
    /// With a column for marks and one beside it, where there are any, and what is free up to the next.
    fn columns(&self, marked: bool) -> usize {
        let widest = self.lines.iter().map(|line| line.columns).max().unwrap_or(0);
        widest + for_marks(marked) + GAP
    }

    /// Writes a line, from the side where the sentence begins, and fills it up.
    fn draw(&self, line: usize, marked: bool, direction: Direction, style: &Style, out: &mut String) {
        let Some(Line { mark, number, word, columns }) = self.lines.get(line) else {
            blanks(out, self.columns(marked));
            return;
        };
        let free = self.columns(marked) - columns - for_marks(marked);
        let push_mark = |out: &mut String| match mark {
            Some(mark) => mark.push(style, out),
            None => blanks(out, usize::from(marked)),
        };
        if direction.is_right_to_left() {
            blanks(out, free);
            put(out, format_args!("{word} {number}"));
            blanks(out, usize::from(marked));
            push_mark(out);
        } else {
            push_mark(out);
            blanks(out, usize::from(marked));
            put(out, format_args!("{number} {word}"));
            blanks(out, free);
        }
    }
}

/// The columns of a mark and of the blank beside it.
fn for_marks(marked: bool) -> usize {
    if marked { 2 } else { 0 }
}

fn columns(block: &[Entry], marked: bool) -> usize {
    block.iter().map(|entry| entry.columns(marked)).sum()
}

/// Blocks of source words, as many as fit the width, and at least one.
fn draw(entries: &[Entry], marked: bool, direction: Direction, style: &Style, out: &mut String) {
    let mut blocks: Vec<&[Entry]> = Vec::new();
    let mut rest = entries;
    while !rest.is_empty() {
        let mut used = 0;
        let fits = rest.iter().take_while(|entry| {
            used += entry.columns(marked);
            used <= style.width + GAP
        });
        let (block, later) = rest.split_at(fits.count().max(1));
        rest = later;
        blocks.push(block);
    }
    let widest = blocks.iter().map(|block| columns(block, marked)).max().unwrap_or(0);
    for block in blocks {
        for line in 0..block.iter().map(|entry| entry.lines.len()).max().unwrap_or(0) {
            if direction.is_right_to_left() {
                blanks(out, widest - columns(block, marked));
            }
            for place in direction.visual_order(0..block.len()) {
                block[place].draw(line, marked, direction, style, out);
            }
            end_line(out);
        }
        out.push('\n');
    }
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

■ sure 1   □ possible 0   × wrong 1   ○ missed 1   ◦ missed (possible) 1
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
    fn sentences_from_right_to_left_run_along_the_right_edge() {
        let [this, book, is] = ["זה", "ספר", "הוא"].map(|word| format!("\u{2067}{word}\u{2069}"));
        let style = Style { width: 16, ..Style::default() };
        let picture = interlinear(&["זה", "הוא", "ספר"], &["this", "is"], &[(0, 0), (1, 1)].into(), None, &style);
        // Entries of 6 and 5 columns, with 2 between them; the third begins on the right again.
        let expected = format!("  {is} 1    {this} 0\n   is 1  this 0\n\n          {book} 2\n\n■ link 2\n");
        assert_eq!(picture, expected);
        let gold = GoldAlignment::from_parts([(0, 0)].into(), &Alignment::new());
        let marked = interlinear(&["זה"], &["this"], &[(0, 0)].into(), Some(&gold), &style);
        assert!(marked.starts_with(&format!("    {this} 0\n  this 0 ■\n")), "{marked}");
    }

    #[test]
    fn what_would_disturb_is_replaced() {
        let picture = interlinear(&["\u{1b}[31m"], &["\u{202e}\u{301}"], &[(0, 0)].into(), None, &Style::default());
        assert!(!picture.contains(['\u{1b}', '\u{202e}']), "{picture:?}");
        let none: [&str; 0] = [];
        assert_eq!(interlinear(&none, &none, &Alignment::new(), None, &Style::default()), "■ link 0\n");
    }
}
