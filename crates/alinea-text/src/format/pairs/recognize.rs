//! Which format a file of sentence pairs has, by its first bytes, then by its name.

use std::path::Path;

use bstr::ByteSlice as _;
use serde_json::Value;

use super::options::PairFormat;
use crate::error::Result;
use crate::format::other::{self, TMX, XLIFF};
use crate::format::source::Input;

/// How far into a file of markup its first element is looked for.
const MARKUP: usize = 4096;

/// How long a first line may be that is looked at as a whole.
const LINE: usize = 1 << 16;

/// The format of an input that comes from `path`. Of what is no markup and no object no more is read than was; otherwise some
/// kilobytes, or a line.
pub(super) fn recognize(input: &mut Input, path: &Path) -> Result<PairFormat> {
    let named = PairFormat::from_path(path);
    let start = input.peek(4)?;
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start);
    Ok(match text {
        [b'P', b'K', 3, 4] | [b'P', b'K', 5, 6] => PairFormat::Zip,
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [0, b'<', ..] | [b'<', ..] => {
            markup(&input.peek(MARKUP)?).or(named).unwrap_or(PairFormat::Joint)
        }
        [b'{', b'"', ..] if named.is_none() && is_object(&input.peek_line(LINE)?) => PairFormat::JsonLines,
        _ => named.unwrap_or(PairFormat::Joint),
    })
}

/// The kind of markup that a file begins with.
fn markup(start: &[u8]) -> Option<PairFormat> {
    // Of UTF-16 every other byte of the names that matter is zero.
    let narrow: Vec<u8> = if start.contains(&0) {
        let unmarked = start.strip_prefix(b"\xFF\xFE").or(start.strip_prefix(b"\xFE\xFF")).unwrap_or(start);
        unmarked.iter().copied().filter(|&byte| byte != 0).collect()
    } else {
        start.to_vec()
    };
    match other::no_lines(&narrow, Vec::new)? {
        TMX => Some(PairFormat::Tmx),
        XLIFF => Some(PairFormat::Xliff),
        _ => None,
    }
}

/// Whether a line is an object, as far as it is there.
fn is_object(line: &[u8]) -> bool {
    !line.ends_with(b"\n") && line.len() >= LINE
        || serde_json::from_slice::<Value>(line.trim()).is_ok_and(|value| value.is_object())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, bytes: &[u8]) -> PairFormat {
        let mut input = Input::from_bytes(name, bytes);
        let format = recognize(&mut input, Path::new(name)).unwrap();
        assert_eq!(input.read_all().unwrap(), bytes, "nothing is lost");
        format
    }

    #[test]
    fn content_comes_before_the_name() {
        let tmx = "\u{feff}<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<tmx version=\"1.4\">";
        assert_eq!(of("a.csv", tmx.as_bytes()), PairFormat::Tmx);
        for big in [true, false] {
            let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let wide: Vec<u8> = tmx.encode_utf16().flat_map(bytes).collect();
            assert_eq!(of("a", &wide), PairFormat::Tmx);
            assert_eq!(of("a", &wide[2..]), PairFormat::Tmx);
        }
        assert_eq!(of("a", b"<xliff version='2.0'>"), PairFormat::Xliff);
        assert_eq!(of("a", b"PK\x03\x04"), PairFormat::Zip);
        assert_eq!(of("a", b"{\"src\":\"a\"}\n{"), PairFormat::JsonLines);
        assert_eq!(of("a.csv", b"{\"src\":\"a\"}\n"), PairFormat::Csv);
    }

    #[test]
    fn what_is_nothing_else_is_lines() {
        for text in [&b""[..], b"a", b"a ||| b\n", b"{\" a ||| b\n", b"< tmx > ||| b\n", b"<p> ||| b", b"PK ||| b"] {
            assert_eq!(of("text", text), PairFormat::Joint);
        }
        for (name, format) in
            [("a.tsv", PairFormat::Tsv), ("a.CSV.gz", PairFormat::Csv), ("a.jsonl.xz", PairFormat::JsonLines)]
        {
            assert_eq!(of(name, b"x\ty\n"), format);
        }
    }
}
