//! What a terminal would obey, or swallow, instead of showing it.
//!
//! Text comes from anywhere, and a word of it may be an escape sequence that clears the screen, renames the window or hides
//! the next line; a mark of direction turns around what stands beside it. Files and pipes get every byte as it is. What is
//! written to a terminal, where people read it, goes through [`Shown`], which replaces what is [dangerous](is_dangerous)
//! by its name: `\u{1b}` for the character that begins escape sequences, `\x9B` for a byte that is no UTF-8.
//!
//! ```
//! use alinea::terminal::escaped;
//!
//! assert_eq!(escaped("a\tb\n"), "a\tb\n");
//! assert_eq!(escaped("\u{1b}[2Jhome\r"), "\\u{1b}[2Jhome\\r");
//! assert_eq!(escaped("\u{202e}tac"), "\\u{202e}tac");
//! ```

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

/// Whether a character does something to a terminal or to the text around it: controls (C0, DEL, C1), ends of lines and
/// paragraphs, marks and brackets of direction. Tabs and line feeds are controls, too.
pub fn is_dangerous(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}')
        || matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Text as it can be shown: without what is dangerous but tabs and line ends.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let harmless = |character| !is_dangerous(character) || matches!(character, '\t' | '\n');
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if harmless(character) || character == '\r' && rest.peek() == Some(&'\n') {
            shown.push(character);
        } else {
            shown.extend(character.escape_default());
        }
    }
    Cow::Owned(shown)
}

/// What escapes all text that is written to it, or does not.
#[derive(Debug)]
pub struct Shown<W> {
    to: W,
    escapes: bool,
    /// The first bytes of a character, or a carriage return, of which it is not known what comes next.
    open: Vec<u8>,
}

impl<W: Write + IsTerminal> Shown<W> {
    /// Writes to `to` what it is given, or, if that is a terminal, what can be shown of it.
    pub fn on(to: W) -> Self {
        let escapes = to.is_terminal();
        Self::new(to, escapes)
    }
}

impl<W: Write> Shown<W> {
    /// Writes to `to`.
    pub fn new(to: W, escapes: bool) -> Self {
        Self { to, escapes, open: Vec::new() }
    }

    /// Where it writes to.
    pub fn get_ref(&self) -> &W {
        &self.to
    }

    /// From now on everything goes through: pictures have colors, and have made harmless what they show themselves.
    pub fn draw(&mut self) {
        self.escapes = false;
    }
}

/// What can be shown of some bytes, and the last ones if it depends on the next.
fn show(bytes: &[u8], shown: &mut String) -> Vec<u8> {
    let mut rest = bytes;
    loop {
        let (text, bad, behind) = match std::str::from_utf8(rest) {
            Ok(text) => (text, &[][..], &[][..]),
            Err(error) => {
                let (valid, bad) = rest.split_at(error.valid_up_to());
                let (bad, behind) = bad.split_at(error.error_len().unwrap_or(0));
                (std::str::from_utf8(valid).unwrap_or_default(), bad, behind)
            }
        };
        let at_end = bad.is_empty() && behind.is_empty();
        if let Some(before) = text.strip_suffix('\r').filter(|_| at_end) {
            shown.push_str(&escaped(before));
            return b"\r".to_vec();
        }
        shown.push_str(&escaped(text));
        shown.extend(bad.iter().map(|byte| format!("\\x{byte:02X}")));
        if bad.is_empty() {
            return behind.to_vec();
        }
        rest = behind;
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.escapes {
            return self.to.write(bytes);
        }
        let mut all = std::mem::take(&mut self.open);
        all.extend_from_slice(bytes);
        let mut shown = String::new();
        self.open = show(&all, &mut shown);
        self.to.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        for byte in std::mem::take(&mut self.open) {
            let escaped = if byte == b'\r' { "\\r".to_owned() } else { format!("\\x{byte:02X}") };
            self.to.write_all(escaped.as_bytes())?;
        }
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn through(bytes: &[u8], size: usize, escapes: bool) -> Vec<u8> {
        let mut shown = Shown::new(Vec::new(), escapes);
        bytes.chunks(size).for_each(|chunk| shown.write_all(chunk).unwrap());
        shown.flush().unwrap();
        shown.to
    }

    #[test]
    fn controls_and_marks_of_direction_are_named() {
        let cases = [
            ("plain, é日本👩\u{200d}🔬 \t\n", "plain, é日本👩\u{200d}🔬 \t\n"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\0\u{8}\u{7f}\u{9b}", "\\u{0}\\u{8}\\u{7f}\\u{9b}"),
            ("a\r\nb\rc\r", "a\r\nb\\rc\\r"),
            ("\u{202e}\u{2066}\u{61c}\u{200f}\u{2028}", "\\u{202e}\\u{2066}\\u{61c}\\u{200f}\\u{2028}"),
        ];
        for (text, expected) in cases {
            for size in [1, 2, 3, 99] {
                assert_eq!(String::from_utf8(through(text.as_bytes(), size, true)).unwrap(), expected);
                assert_eq!(through(text.as_bytes(), size, false), text.as_bytes());
            }
        }
        assert_eq!(through(b"a\x9bb\xe2\x82", 2, true), b"a\\x9Bb\\xE2\\x82");
    }

    #[test]
    fn pictures_draw() {
        let mut shown = Shown::new(Vec::new(), true);
        shown.draw();
        shown.write_all(b"\x1b[1mbold\x1b[0m").unwrap();
        assert_eq!(shown.to, b"\x1b[1mbold\x1b[0m");
    }

    proptest! {
        #[test]
        fn nothing_dangerous_comes_through(
            pieces in prop::collection::vec(prop_oneof![
                Just(b"\xe2\x80\xae".to_vec()), Just(b"\x1b[".to_vec()), Just(b"\r\n".to_vec()), Just(b"\xc2\x9b".to_vec()),
                prop::collection::vec(any::<u8>(), 0..4),
            ], 0..12),
            size in 1usize..9,
        ) {
            let bytes = pieces.concat();
            let shown = String::from_utf8(through(&bytes, size, true)).unwrap();
            prop_assert!(shown.replace("\r\n", "\n").chars().all(|c| !is_dangerous(c) || matches!(c, '\t' | '\n')));
            prop_assert_eq!(shown.into_bytes(), through(&bytes, bytes.len().max(1), true));
        }
    }
}
