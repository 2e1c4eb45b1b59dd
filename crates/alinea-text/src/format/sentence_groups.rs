//! Groups of sentences in files, a group a line: which sentences of two texts translate each other.
//!
//! Two forms, told apart by the tab. `alinea sentence-align` writes the numbers of the source sentences, a tab, those of the
//! target sentences, and perhaps further columns: `0,1<TAB>2`. Vecalign writes `[0, 1]:[2]`, and perhaps a colon and a cost
//! behind it. Sentences are numbered from 0. A side may be empty, not both; a sentence is in one group at most.
//!
//! ```
//! use alinea::format::lines::{LineReader, Utf8};
//! use alinea::format::sentence_groups;
//!
//! let lines = LineReader::new(&b"0,1\t0\t0.98\n[2]:[]:0.3\n"[..], "<memory>", Utf8::Strict);
//! let groups = sentence_groups::read(lines)?;
//! assert_eq!((groups[0].source.as_slice(), groups[0].target.as_slice()), (&[0, 1][..], &[0][..]));
//! assert_eq!((groups[1].source.as_slice(), groups[1].target.as_slice()), (&[2][..], &[][..]));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::collections::BTreeSet;
use std::io::BufRead;

use super::lines::LineReader;
use crate::error::{Error, Result};

/// Sentences that translate each other, by their numbers from 0; a side may be empty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct SentenceGroup {
    /// Those of the source.
    pub source: Vec<usize>,
    /// Those of the target.
    pub target: Vec<usize>,
}

/// Reads groups to the end of a file.
///
/// # Errors
/// `Io`, `InvalidUtf8`, and `Parse` for lines that are no groups, or have a sentence for the second time.
pub fn read<R: BufRead>(mut lines: LineReader<R>) -> Result<Vec<SentenceGroup>> {
    let mut groups = Vec::new();
    let mut line = String::new();
    let mut seen: [BTreeSet<usize>; 2] = Default::default();
    while lines.read_into(&mut line)? {
        let group = cut(&line).ok_or_else(|| {
            Error::parse(lines.position(1), "a group as `0,1<TAB>2` or `[0, 1]:[2]`", line.as_bytes())
        })?;
        for ((name, side), seen) in [("source", &group.source), ("target", &group.target)].into_iter().zip(&mut seen) {
            if let Some(sentence) = side.iter().find(|&&sentence| !seen.insert(sentence)) {
                let expected = format!("{name} sentence {sentence} only once");
                return Err(Error::parse(lines.position(1), expected, line.as_bytes()));
            }
        }
        groups.push(group);
    }
    Ok(groups)
}

/// A line; nothing if it is no group.
fn cut(line: &str) -> Option<SentenceGroup> {
    let separator = if line.contains('\t') { '\t' } else { ':' };
    let mut fields = line.split(separator);
    let group = SentenceGroup { source: side(fields.next()?)?, target: side(fields.next()?)? };
    (!group.source.is_empty() || !group.target.is_empty()).then_some(group)
}

/// The numbers of a side, with brackets or without.
fn side(field: &str) -> Option<Vec<usize>> {
    let field = field.trim_matches(' ');
    let inside = field.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(field).trim_matches(' ');
    if inside.is_empty() {
        return Some(Vec::new());
    }
    inside.split(',').map(|number| number_of(number.trim_matches(' '))).collect()
}

/// A number, without a sign.
fn number_of(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    fn read_text(text: &str) -> Result<Vec<SentenceGroup>> {
        read(LineReader::new(text.as_bytes(), "f", Utf8::Strict))
    }

    #[test]
    fn both_forms_are_read() {
        let own = read_text("0,1\t2\n\t3\t0.5\n2\t\n3\t4,5,6\n").unwrap();
        let other = read_text("[0, 1]:[2]:0.25\n[]:[3]:0.1\n[2]:[]\n3:4,5,6\n").unwrap();
        assert_eq!(own, other);
        assert_eq!(own[3], SentenceGroup { source: vec![3], target: vec![4, 5, 6] });
    }

    #[test]
    fn what_is_no_group_is_refused() {
        for bad in [
            "",
            "\t",
            "0",
            "0 1",
            "0-1",
            "a\t1",
            "0\t1,",
            "-1\t1",
            "+1\t1",
            "1\t+1",
            "[1:1]",
            "[]:[]",
            "99999999999999999999\t1",
        ] {
            let error = read_text(&format!("0\t0\n{bad}\n")).unwrap_err().to_string();
            assert!(error.starts_with("f:2:1: expected a group as "), "{bad}: {error}");
        }
    }

    #[test]
    fn a_sentence_is_in_one_group() {
        for (bad, expected) in [
            ("0\t0", "source sentence 0"),
            ("1,2,1\t1", "source sentence 1"),
            ("1\t2,0", "target sentence 0"),
            ("[]:[3, 3]", "target sentence 3"),
        ] {
            let error = read_text(&format!("0\t0\n{bad}\n")).unwrap_err().to_string();
            assert!(error.starts_with(&format!("f:2:1: expected {expected} only once")), "{bad}: {error}");
        }
    }
}
