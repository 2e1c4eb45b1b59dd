//! Lines of rules that people write: tokens between blanks, taken one after another.
//!
//! Two kinds of rules are read so, those of [`project`](crate::project) and those of [`reorder`](crate::reorder). Both give
//! names to patterns (`let N = NOUN|PROPN`), so [`Tokens`] has, beside the tokens that are left of a line, the names that
//! the lines above it defined. What a parser expects instead of the next token is a [`Fault`], which becomes an error with
//! line and column only where the reader of lines is at hand: parsers know of neither.
//!
//! What begins a comment differs; so the caller cuts it off.

use std::collections::BTreeMap;
use std::io::BufRead;

use crate::error::Error;
use crate::format::lines::LineReader;

/// A piece of a line without blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'l> {
    /// The piece.
    pub(crate) text: &'l str,
    /// The byte of the line where it begins, from 0.
    start: usize,
}

/// The tokens of a line, or of its beginning. Carriage returns and byte order marks, which stand inside of lines where files
/// were put together, count as blanks: no token has any, so that rules can be written in another order and read again.
pub(crate) fn tokens(line: &str) -> Vec<Token<'_>> {
    line.split([' ', '\t', '\r', '\u{FEFF}'])
        .filter(|text| !text.is_empty())
        .map(|text| Token { text, start: text.as_ptr().addr() - line.as_ptr().addr() })
        .collect()
}

/// What was expected instead of a token, or at the end.
#[derive(Debug)]
pub(crate) struct Fault<'l> {
    expected: String,
    found: Option<Token<'l>>,
}

impl Fault<'_> {
    /// The error: `line` is the whole line, which was read last.
    pub(crate) fn into_error(self, line: &str, lines: &LineReader<impl BufRead>) -> Error {
        let (found, column) = self.found.map_or(("", line.len()), |token| (token.text, token.start));
        Error::parse(lines.position(column + 1), self.expected, found.as_bytes())
    }
}

/// What was read of a line, or why not.
pub(crate) type Parsed<'l, T> = std::result::Result<T, Fault<'l>>;

/// The tokens of a line that are not used up, and what names mean.
#[derive(Debug)]
pub(crate) struct Tokens<'l, 't, N> {
    rest: &'t [Token<'l>],
    /// What was defined above.
    pub(crate) names: &'t BTreeMap<String, N>,
}

impl<'l, 't, N> Tokens<'l, 't, N> {
    /// All of these.
    pub(crate) fn new(rest: &'t [Token<'l>], names: &'t BTreeMap<String, N>) -> Self {
        Self { rest, names }
    }

    /// Whether all are used up.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// That something else was expected here.
    pub(crate) fn fault<T>(&self, expected: impl Into<String>) -> Parsed<'l, T> {
        Err(Fault { expected: expected.into(), found: self.rest.first().copied() })
    }

    /// The next token, which is not used up.
    pub(crate) fn peek(&self) -> Option<&'l str> {
        self.rest.first().map(|token| token.text)
    }

    /// The token after the next one.
    pub(crate) fn peek_second(&self) -> Option<&'l str> {
        self.rest.get(1).map(|token| token.text)
    }

    /// The column, from 1, where the next token begins; 0 if there is none.
    pub(crate) fn column(&self) -> usize {
        self.rest.first().map_or(0, |token| token.start + 1)
    }

    /// The next token, which is used up.
    pub(crate) fn next(&mut self, expected: &str) -> Parsed<'l, &'l str> {
        let Some((first, rest)) = self.rest.split_first() else { return self.fault(expected) };
        self.rest = rest;
        Ok(first.text)
    }

    /// Whether this is the next token; then it is used up.
    pub(crate) fn skip(&mut self, text: &str) -> bool {
        let found = self.peek() == Some(text);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// Uses up this token, which must be the next.
    pub(crate) fn word(&mut self, word: &str) -> Parsed<'l, ()> {
        if self.skip(word) { Ok(()) } else { self.fault(format!("`{word}`")) }
    }

    /// The value, if nothing is left.
    pub(crate) fn end<T>(&self, value: T) -> Parsed<'l, T> {
        if self.is_empty() { Ok(value) } else { self.fault("the end of the line") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    /// What a parser says of the second line of a text.
    fn message(line: &str, parse: impl for<'l> Fn(&mut Tokens<'l, '_, u32>) -> Parsed<'l, ()>) -> String {
        let text = format!("first\n{line}\n");
        let mut lines = LineReader::new(text.as_bytes(), "r", Utf8::Strict);
        lines.read().unwrap();
        let line = lines.read().unwrap().unwrap().to_owned();
        let (tokens, names) = (tokens(&line), BTreeMap::new());
        match parse(&mut Tokens::new(&tokens, &names)) {
            Ok(()) => String::new(),
            Err(fault) => fault.into_error(&line, &lines).to_string(),
        }
    }

    #[test]
    fn tokens_are_taken_one_after_another() {
        let (tokens, names) = (tokens(" let\t\tN  = é"), BTreeMap::from([("N".to_owned(), 7)]));
        let mut rest = Tokens::new(&tokens, &names);
        assert!(!rest.skip("N") && rest.skip("let"));
        assert_eq!(rest.peek().and_then(|name| rest.names.get(name)), Some(&7));
        assert_eq!(rest.next("a name").ok(), Some("N"));
        assert!(rest.word("=").is_ok() && rest.end(()).is_err());
        assert_eq!(rest.next("a pattern").ok(), Some("é"));
        assert!(rest.is_empty() && rest.peek().is_none() && rest.end(()).is_ok() && rest.next("more").is_err());
    }

    #[test]
    fn what_files_that_were_put_together_leave_behind_is_no_part_of_a_token() {
        let found: Vec<_> =
            tokens("\u{FEFF}N\r\r = x\u{FEFF}\r").iter().map(|token| (token.text, token.start)).collect();
        assert_eq!(found, [("N", 3), ("=", 7), ("x", 9)]);
    }

    #[test]
    fn faults_name_the_place() {
        // Columns count bytes, as everywhere.
        let both = |tokens: &mut Tokens<'_, '_, u32>| tokens.skip("é");
        assert_eq!(
            message("é  = b", |tokens| if both(tokens) { tokens.word("==") } else { Ok(()) }),
            "r:2:5: expected `==`, found `=`"
        );
        assert_eq!(
            message("a ", |tokens| tokens.next("a name").and_then(|_| tokens.word(":"))),
            "r:2:3: expected `:`, found nothing"
        );
        assert_eq!(
            message("a b", |tokens| tokens.next("x").and_then(|_| tokens.end(()))),
            "r:2:3: expected the end of the line, found `b`"
        );
        assert_eq!(message("a", |tokens| tokens.fault("a rule")), "r:2:1: expected a rule, found `a`");
    }
}
