//! What SimAlign's script writes: the number of the sentence, a tab, and links.
//!
//! ```text
//! line = number tab { link blank }
//! link = i "-" j [ "-" mean "-" greatest ]
//! ```
//!
//! Sentences are numbered from 0, and so are words. With `--add-probs` each link has two similarities of the subwords of its words, their
//! mean and the greatest, of which the first digit is cut off: `.912` is 0.912, and `.0` is 1, since a similarity of 0 makes no link.
//! The weight of the link is the mean.

use super::fault::{Fault, fields, leading_number, push_number, weight, whole_number};
use super::{Base, LinkRecord, PairRecord};
use crate::alignment::Link;

const EXPECTED: &str = "a link such as `0-1` or `0-1-.91-.93`";

/// Reads the links of a line into a record, whose number is that of the line.
pub(super) fn parse(line: &str, base: Base, record: &mut PairRecord) -> Result<u64, Fault> {
    let sentence = record.number - 1;
    let (number, links) = cut(line).ok_or_else(|| numbered(sentence, line))?;
    if whole_number::<u64>(number) != Some(sentence) {
        return Err(numbered(sentence, line));
    }
    let start = line.len() - links.len();
    for (offset, token) in fields(links) {
        let (source, target, weight) =
            parse_link(token).ok_or_else(|| Fault::new(start + offset, EXPECTED, token.as_bytes()))?;
        let (Some(source), Some(target)) = (base.position(source), base.position(target)) else {
            return Err(Fault::position_zero(start + offset, token.as_bytes()));
        };
        record.links.push(LinkRecord { weight, ..LinkRecord::sure(source, target) });
    }
    Ok(0)
}

fn cut(line: &str) -> Option<(&str, &str)> {
    // A line without links may have lost its tab.
    line.split_once('\t').or_else(|| (!line.contains(' ')).then_some((line, "")))
}

fn numbered(sentence: u64, line: &str) -> Fault {
    Fault::new(0, format!("the number of the sentence, {sentence}, and a tab"), line.as_bytes())
}

/// Where a link begins in a line that was read, in bytes from 0.
pub(super) fn find(line: &str, base: Base, link: Link) -> Option<usize> {
    let (_, links) = cut(line)?;
    let is_link = |token: &str| {
        let Some((source, target, _)) = parse_link(token) else { return false };
        base.position(source) == Some(link.source) && base.position(target) == Some(link.target)
    };
    fields(links).find(|(_, token)| is_link(token)).map(|(start, _)| line.len() - links.len() + start)
}

/// Whether this is one link or more.
pub(super) fn are_links(text: &str) -> bool {
    let mut tokens = fields(text).peekable();
    tokens.peek().is_some() && tokens.all(|(_, token)| parse_link(token).is_some())
}

fn parse_link(token: &str) -> Option<(u32, u32, Option<f32>)> {
    let (source, digits) = leading_number(token.as_bytes())?;
    let rest = token[digits..].strip_prefix('-')?;
    let (target, digits) = leading_number(rest.as_bytes())?;
    let rest = &rest[digits..];
    if rest.is_empty() {
        return Some((source, target, None));
    }
    let (mean, greatest) = rest.strip_prefix('-')?.split_once('-')?;
    similarity(greatest)?;
    Some((source, target, Some(similarity(mean)?)))
}

/// A similarity whose first digit may be cut off.
fn similarity(text: &str) -> Option<f32> {
    if text == ".0" { Some(1.0) } else { weight(text) }
}

/// Appends the line of a record; weights, if wanted, as mean and greatest similarity.
pub(super) fn write(record: &PairRecord, sentence: u64, base: Base, digits: Option<usize>, out: &mut Vec<u8>) {
    push_number(sentence, out);
    out.push(b'\t');
    for (n, LinkRecord { link, weight, .. }) in record.links.iter().enumerate() {
        out.extend_from_slice(if n > 0 { b" " } else { b"" });
        push_number(base.written(link.source), out);
        out.push(b'-');
        push_number(base.written(link.target), out);
        if let (Some(weight), Some(digits)) = (weight, digits) {
            let similarity = format!("{weight:.digits$}");
            out.extend_from_slice(format!("-{similarity}-{similarity}").as_bytes());
        }
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(line: &str, number: u64) -> Result<PairRecord, String> {
        let mut record = PairRecord { number, ..PairRecord::default() };
        let position = crate::error::Position::new("f", number, 0);
        parse(line, Base::Zero, &mut record).map(|_| record).map_err(|fault| fault.at(position).to_string())
    }

    #[test]
    fn lines_have_numbers_and_similarities() {
        assert_eq!(record("4\t0-0 12-3", 5).unwrap().links, [LinkRecord::sure(0, 0), LinkRecord::sure(12, 3)]);
        let with = |weight| LinkRecord::sure(0, 1).with_weight(weight);
        assert_eq!(record("0\t0-1-.91-.934", 1).unwrap().links, [with(0.91)]);
        assert_eq!(record("0\t0-1-.0-.0", 1).unwrap().links, [with(1.0)]);
        assert_eq!((record("0\t", 1).unwrap().links.len(), record("0", 1).unwrap().links.len()), (0, 0));
        assert_eq!(find("7\t0-0 1-2-.5-.5", Base::Zero, Link::new(1, 2)), Some(6));
    }

    #[test]
    fn what_is_wrong_has_its_column() {
        assert_eq!(
            record("3\t0-0", 5).unwrap_err(),
            "f:5:1: expected the number of the sentence, 4, and a tab, found `3\\t0-0`"
        );
        assert_eq!(
            record("0-0 1-1", 1).unwrap_err(),
            "f:1:1: expected the number of the sentence, 0, and a tab, found `0-0 1-1`"
        );
        for token in ["1-", "1-2-.5", "1-2-.5-x", "1-2:0.5", "1p2"] {
            let expected = format!("f:1:7: expected {EXPECTED}, found `{token}`");
            assert_eq!(record(&format!("0\t0-0 {token}"), 1).unwrap_err(), expected);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let links = vec![LinkRecord::sure(0, 1).with_weight(0.25), LinkRecord::sure(2, 2).with_weight(1.0)];
        let first = PairRecord { number: 1, links, ..PairRecord::default() };
        let mut out = Vec::new();
        write(&first, 0, Base::Zero, Some(3), &mut out);
        let line = String::from_utf8(out).unwrap();
        assert_eq!(line, "0\t0-1-0.250-0.250 2-2-1.000-1.000\n");
        assert_eq!(record(line.trim_end_matches('\n'), 1).unwrap(), first);
    }
}
