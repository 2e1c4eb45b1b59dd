//! Formats that are no plain text, recognized by how a file begins, so that errors can name them and say what to do.
//!
//! `no_lines` finds what no reader of lines can use: lz4 and zip by their magic numbers; UTF-32 and UTF-16
//! by the byte order mark, UTF-16 also by zeros in nearly every second byte; TMX and XLIFF by their element, at the
//! beginning or behind an XML declaration. `no_sentences` finds CoNLL-U where a sentence a line is expected: a comment
//! that such files begin with, as `# sent_id =`, or ten columns with numbers where ID and HEAD stand.
//!
//! gzip, zstd, xz and bzip2 are not among them, since those are decompressed. Readers ask about the first line only, and what is
//! recognized is refused, with the advice to read it as sentence pairs ([`pairs`](super::pairs)) where it has some.

use bstr::ByteSlice as _;
use memchr::memmem;

use crate::error::{Error, ErrorKind, Hint};

/// What a file is, and what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OtherFormat {
    pub(super) name: &'static str,
    pub(super) hint: Hint,
}

impl OtherFormat {
    /// That this is what the file of this name has, where something else is expected.
    #[cold]
    pub(super) fn refused(self, path: &str, expected: &'static str) -> Error {
        let Self { name: found, hint } = self;
        ErrorKind::OtherFormat { path: path.to_owned(), found, expected, hint }.into()
    }
}

const MAGICS: [(&[u8], OtherFormat); 7] = [
    (b"\x04\x22\x4D\x18", OtherFormat { name: "lz4 data", hint: Hint::Decompress("lz4 -dc FILE") }),
    (b"\x02\x21\x4C\x18", OtherFormat { name: "lz4 data", hint: Hint::Decompress("lz4 -dc FILE") }),
    (b"PK\x03\x04", OtherFormat { name: "a zip archive", hint: Hint::ReadPairs }),
    // Before UTF-16, whose mark it begins with.
    (b"\xFF\xFE\0\0", OtherFormat { name: "text in UTF-32", hint: Hint::SaveAsUtf8 }),
    (b"\0\0\xFE\xFF", OtherFormat { name: "text in UTF-32", hint: Hint::SaveAsUtf8 }),
    (b"\xFF\xFE", UTF_16),
    (b"\xFE\xFF", UTF_16),
];

const UTF_16: OtherFormat = OtherFormat { name: "text in UTF-16", hint: Hint::SaveAsUtf8 };
pub(super) const TMX: OtherFormat = OtherFormat { name: "a translation memory (TMX)", hint: Hint::ReadPairs };
pub(super) const XLIFF: OtherFormat = OtherFormat { name: "XLIFF", hint: Hint::ReadPairs };
const ELEMENTS: [(&[u8], OtherFormat); 2] = [(b"<tmx", TMX), (b"<xliff", XLIFF)];
const CONLLU: OtherFormat = OtherFormat { name: "CoNLL-U", hint: Hint::WordsOfTrees };

/// The format of a file that begins with this line, if it is one of those: what no reader of lines reads. `rest` is what
/// follows, as much as is there.
pub(super) fn no_lines(line: &[u8], rest: impl FnOnce() -> Vec<u8>) -> Option<OtherFormat> {
    if let Some((_, format)) = MAGICS.iter().find(|(magic, _)| line.starts_with(magic)) {
        return Some(*format);
    }
    if is_utf16(line) {
        return Some(UTF_16);
    }
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_start();
    if !line.starts_with(b"<") {
        return None;
    }
    let first = |text: &[u8]| ELEMENTS.iter().find(|(tag, _)| begins_with(text, tag)).map(|&(_, format)| format);
    let any = |text: &[u8]| memmem::find_iter(text, b"<").find_map(|start| first(&text[start..]));
    if begins_with(line, b"<?xml") { any(line).or_else(|| any(&rest())) } else { first(line) }
}

/// Whether a text begins with this tag, and not with a word that is longer.
fn begins_with(text: &[u8], tag: &[u8]) -> bool {
    let behind = text.strip_prefix(tag).map(<[u8]>::first);
    behind.is_some_and(|next| next.is_none_or(|next| next.is_ascii_whitespace() || *next == b'>'))
}

/// Whether every other byte of a line is NUL, or nearly so, as in UTF-16 without a mark.
fn is_utf16(line: &[u8]) -> bool {
    let line = &line[..line.len().min(64)];
    let zeros = |parity: usize| line.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = line.len() / 2;
    half >= 2 && even.min(odd) == 0 && even.max(odd) * 4 >= half * 3
}

/// CoNLL-U, if a file that begins with this line is: what is no text of sentences.
pub(super) fn no_sentences(line: &str) -> Option<OtherFormat> {
    const COMMENTS: [&str; 6] = ["sent_id =", "newdoc", "newpar", "global.columns =", "generator =", "text ="];
    if let Some(comment) = line.strip_prefix("# ") {
        let is = |known: &str| comment.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        return COMMENTS.into_iter().any(is).then_some(CONLLU);
    }
    let columns: Vec<&str> = line.split('\t').collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match columns[..] {
        [id, _, _, _, _, _, head, _, _, _] => {
            let first = id.split(['-', '.']).next().is_some_and(is_number);
            (first && (head == "_" || is_number(head))).then_some(CONLLU)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8]) -> Option<&'static str> {
        let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
        no_lines(&bytes[..end], || bytes[end..].to_vec()).map(|format| format.name)
    }

    /// Made by lz4 1.9.4 and Info-ZIP 3.0 of the line `a b`.
    #[test]
    fn compressed_files_are_named() {
        assert_eq!(name(b"\x04\x22\x4D\x18\x64\x40\xA7\x04\0\0\x80a b\n"), Some("lz4 data"));
        assert_eq!(name(b"PK\x03\x04\x0A\0\0\0\0\0"), Some("a zip archive"));
        for text in [&b"BZh is a name\n"[..], b"BZh", b"PK said\n", b"a b\n", b"\n", b"", b"\0\n", b"7zXZ\n"] {
            assert_eq!(name(text), None, "{text:?}");
        }
    }

    #[test]
    fn wide_text_is_named_with_and_without_its_mark() {
        for text in ["the house\n", "it\n", "Été à la mer\nx"] {
            let wide: Vec<u16> = text.encode_utf16().collect();
            let little: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!(name(&little), Some("text in UTF-16"), "{text}");
            assert_eq!(name(&big), Some("text in UTF-16"), "{text}");
            assert_eq!(name(&[&b"\xFF\xFE"[..], &little].concat()), Some("text in UTF-16"));
            assert_eq!(name(&[&b"\xFE\xFF"[..], &big].concat()), Some("text in UTF-16"));
        }
        assert_eq!(name("\u{4e2d}\0\u{6587}\0\n".as_bytes()), None);
        let wider: Vec<u8> = "\u{feff}ab\n".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert_eq!(name(&wider), Some("text in UTF-32"));
    }

    #[test]
    fn markup_is_named_where_it_is_known() {
        let head = "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE tmx>\n<tmx version=\"1.4\">";
        assert_eq!(name(head.as_bytes()), Some("a translation memory (TMX)"));
        assert_eq!(name(b"<?xml version='1.0'?><xliff version='1.2'>"), Some("XLIFF"));
        assert_eq!(name(b"<tmx version=\"1.4\">\n"), Some("a translation memory (TMX)"));
        assert_eq!(name(b"<?xml version=\"1.0\"?> begins such a file .\n"), None);
        for text in [&b"< tmx > is a tag\n<p>"[..], b"<tmxs> are files\n", b"<xliffs\tx\n", b"<?xmlish?> <tmx>\n"] {
            assert_eq!(name(text), None, "{text:?}");
        }
    }

    #[test]
    fn trees_are_told_from_sentences() {
        for line in ["# sent_id = 1", "# newdoc id = x", "# text = It rains .", "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_"]
        {
            assert!(no_sentences(line).is_some(), "{line}");
        }
        assert!(no_sentences("1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_").is_some());
        for line in ["", "# 1 rule", "1 It it PRON _ _ 2 nsubj _ _", "a\tb", "1\t2\t3\t4\t5\t6\tx\t8\t9\t10"] {
            assert!(no_sentences(line).is_none(), "{line}");
        }
    }
}
