//! Who did which sentence, where several people annotated a text: a line a sentence, an identifier of the text that it
//! belongs to, a tab, and the names of those who did it, separated by blanks.
//!
//! The identifier means nothing here. A line without names is a sentence that nobody did.
//!
//! ```
//! use alinea::format::annotators;
//! use alinea::format::lines::{LineReader, Utf8};
//!
//! let lines = LineReader::new(&b"0001\tlisa jonas\n0002\tjonas\n0003\t\n"[..], "annotators.tsv", Utf8::Strict);
//! let done = annotators::read(lines, &["jonas", "lisa"])?;
//! assert_eq!(done, [vec![0, 1], vec![0], vec![]]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::io::BufRead;

use super::lines::LineReader;
use super::tokens;
use crate::error::{Error, Result};

/// The annotators of every sentence, as places in `names`, in increasing order. O(lines × names).
///
/// # Errors
/// `Io`; `InvalidUtf8`; `Parse` for a line without a tab, for a name that is not among `names`, and for a name that stands
/// twice in a line.
pub fn read<R: BufRead>(mut lines: LineReader<R>, names: &[&str]) -> Result<Vec<Vec<usize>>> {
    let mut sentences = Vec::new();
    let mut line = String::new();
    while lines.read_into(&mut line)? {
        let Some(tab) = line.find('\t') else {
            let expected = "an identifier, a tab, and the names of annotators";
            return Err(Error::parse(lines.position(1), expected, line.as_bytes()));
        };
        let start = tab + 1;
        let mut split = tokens::split(&line.as_bytes()[start..]);
        let mut done = Vec::new();
        while let Some(name) = split.next() {
            let position = || lines.position(start + split.offset() - name.len() + 1);
            match names.iter().position(|known| known.as_bytes() == name) {
                None => {
                    let expected = format!("the name of an annotator ({})", names.join(", "));
                    return Err(Error::parse(position(), expected, name));
                }
                Some(place) if done.contains(&place) => {
                    let expected = "each name once (this one is repeated)";
                    return Err(Error::parse(position(), expected, name));
                }
                Some(place) => done.push(place),
            }
        }
        done.sort_unstable();
        sentences.push(done);
    }
    Ok(sentences)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    fn read(file: &[u8]) -> Result<Vec<Vec<usize>>> {
        super::read(LineReader::new(file, "a", Utf8::Strict), &["x", "y"])
    }

    #[test]
    fn names_become_places() {
        assert_eq!(read(b"1\ty x\n2\t y\r\n\t\n").unwrap(), [vec![0, 1], vec![1], vec![]]);
        assert_eq!(read(b"").unwrap(), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn errors_name_the_place() {
        for (file, expected) in [
            ("1\tx\n2 x\n", "a:2:1: expected an identifier, a tab, and the names of annotators, found `2 x`"),
            ("12\tx z\n", "a:1:6: expected the name of an annotator (x, y), found `z`"),
            ("12\tx x\n", "a:1:6: expected each name once (this one is repeated), found `x`"),
        ] {
            assert_eq!(read(file.as_bytes()).unwrap_err().to_string(), expected);
        }
        assert!(read(b"1\t\xff\n").is_err());
    }
}
