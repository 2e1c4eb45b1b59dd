//! Cutting one line into source and target: at the token `|||`, or into two of its columns.
//!
//! `|||` separates only as a token, with a blank, a tab or an end of the line on both sides: `a|||b` and `||||` are not
//! separators. A line must have exactly one. Columns are separated by tabs and numbered from 1; source and target may
//! come in any order, and other columns are ignored. A line of nothing but blanks and tabs is a pair of empty
//! sentences.
//!
//! A `\r` directly before a separator belongs to it, as the one at the end of a line belongs to the line break: lines of
//! files with CRLF that were put side by side have it there.
//!
//! A `Miss` says what was expected, and at which byte of the line; the reader adds file and line.

use memchr::memmem;

use crate::format::tokens::is_blank;

/// Why a line cannot be cut.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::format) struct Miss {
    /// The byte of the line, from 1.
    pub(in crate::format) column: usize,
    pub(in crate::format) expected: String,
}

/// How a line is cut in two.
#[derive(Debug, Clone, Copy)]
pub(in crate::format) enum Cut {
    /// At the token `|||`.
    Joint,
    /// Into columns, numbered from 1.
    Columns(usize, usize),
}

impl Cut {
    /// Whether all of a line is sentences.
    pub(in crate::format) fn is_of_sentences(self) -> bool {
        matches!(self, Self::Joint)
    }

    /// The two sides of a line. A blank line has two empty ones, as it has in two files.
    pub(in crate::format) fn cut(self, line: &str) -> Result<(&str, &str), Miss> {
        if line.bytes().all(is_blank) {
            return Ok(("", ""));
        }
        match self {
            Self::Joint => joint(line),
            Self::Columns(source, target) => columns(line, source, target),
        }
    }
}

const SEPARATOR: &str = "|||";

/// The two sides of a line with one token `|||`.
fn joint(line: &str) -> Result<(&str, &str), Miss> {
    let mut separators = separators(line.as_bytes());
    let Some(first) = separators.next() else {
        let expected = "one separator ` ||| ` between source and target (this line has none)".to_owned();
        return Err(Miss { column: 1, expected });
    };
    if let Some(second) = separators.next() {
        let count = 2 + separators.count();
        let expected = format!("one separator ` ||| ` between source and target (this line has {count})");
        return Err(Miss { column: second + 1, expected });
    }
    Ok((without_return(&line[..first]), &line[first + SEPARATOR.len()..]))
}

/// What stands before the separator, without a `\r` in front of the last blank.
fn without_return(side: &str) -> &str {
    let words = side.strip_suffix([' ', '\t']).unwrap_or(side);
    if words.ends_with('\r') { words.trim_end_matches('\r') } else { side }
}

/// Where the tokens `|||` begin.
fn separators(line: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + memmem::find(&line[from..], SEPARATOR.as_bytes())?;
            let end = start + SEPARATOR.len();
            let begins = start == 0 || is_blank(line[start - 1]);
            let ends = line.get(end).is_none_or(|&byte| is_blank(byte));
            if begins && ends {
                from = end;
                return Some(start);
            }
            from = start + 1;
        }
    })
}

/// Two columns of a line, numbered from 1.
fn columns(line: &str, source: usize, target: usize) -> Result<(&str, &str), Miss> {
    let (mut left, mut right) = (None, None);
    let last = source.max(target);
    let mut count = 0;
    for column in line.split('\t').take(last) {
        count += 1;
        if count == source {
            left = Some(column.trim_end_matches('\r'));
        }
        if count == target {
            right = Some(column.trim_end_matches('\r'));
        }
    }
    match (left, right) {
        (Some(left), Some(right)) => Ok((left, right)),
        _ => Err(Miss { column: 1, expected: format!("{last} columns separated by tabs (this line has {count})") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_a_token() {
        assert_eq!(joint("a b ||| c"), Ok(("a b ", " c")));
        assert_eq!(joint("|||"), Ok(("", "")));
        assert_eq!(joint("a\t|||\tb"), Ok(("a\t", "\tb")));
        assert_eq!(joint("a ||| b||| |||| c|||d"), Ok(("a ", " b||| |||| c|||d")));
        assert_eq!(joint("").unwrap_err().column, 1);
        assert!(joint("a|||b").unwrap_err().expected.ends_with("(this line has none)"));
        assert!(joint("||||").is_err());
        let miss = joint("a ||| b ||| c |||").unwrap_err();
        assert_eq!(miss.column, 9);
        assert_eq!(miss.expected, "one separator ` ||| ` between source and target (this line has 3)");
    }

    #[test]
    fn a_blank_line_is_an_empty_pair() {
        for blank in ["", " ", "\t", " \t \t\t"] {
            for cut in [Cut::Joint, Cut::Columns(1, 2), Cut::Columns(9, 1)] {
                assert_eq!(cut.cut(blank), Ok(("", "")), "{blank:?} {cut:?}");
            }
        }
        assert!(Cut::Joint.cut("\u{a0}").is_err() && Cut::Columns(1, 2).cut("a").is_err());
    }

    #[test]
    fn columns_may_come_in_any_order_and_be_empty() {
        assert_eq!(columns("x\ta b\t\tc", 4, 2), Ok(("c", "a b")));
        assert_eq!(columns("x\ta b\t\tc", 3, 3), Ok(("", "")));
        assert_eq!(columns("", 1, 1), Ok(("", "")));
        let miss = columns("x\ty", 1, 3).unwrap_err();
        assert_eq!(miss.expected, "3 columns separated by tabs (this line has 2)");
    }

    #[test]
    fn a_return_before_a_separator_belongs_to_it() {
        assert_eq!(columns("a b\r\tc\r\td", 1, 2), Ok(("a b", "c")));
        assert_eq!(columns("\r\ta\rb", 2, 1), Ok(("a\rb", "")));
        assert_eq!(joint("a b\r ||| c"), Ok(("a b", " c")));
        assert_eq!(joint("a b\r\t||| c"), Ok(("a b", " c")));
        assert_eq!(joint("\r ||| "), Ok(("", " ")));
        assert_eq!(joint("a\rb\r  ||| c"), Ok(("a\rb\r  ", " c")));
    }
}
