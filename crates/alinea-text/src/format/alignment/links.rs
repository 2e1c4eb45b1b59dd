//! One line a pair, one token a link: Pharaoh and TALP.
//!
//! The grammar is common to both formats, which differ in what positions count from (0 and 1) and in nothing a reader
//! must care about:
//!
//! ```text
//! line    = link { blank link }
//! link    = number joint number { mark } | null "-" number { mark } | number "-" null { mark }
//! joint   = "-" | "s" | "S"              sure
//!         | "p" | "P" | "?"              possible
//! mark    = "-S" | "-P" | ":S" | ":P"    kind, over the joint's
//!         | ":" decimal [":" decimal]    weight
//! null    = "NULL"                       the empty word: such links are left out and counted
//! ```
//!
//! Tools write `3-4`, `3p4`, `3?4`, `3-4-P`, `3-4:P`, `3s4` and `3-4:0.93`; all are read. SIL's machine library writes two
//! scores, `3-4:0.5:0.9`, that of the translation and that of the place; the weight is their product. Sure links are written
//! `3-4`, possible ones `3p4`, and a weight, if wanted, follows as `:0.93`.

use super::fault::{Fault, fields, leading_number, push_number, push_weight, weight};
use super::{Base, LinkKind, LinkRecord, PairRecord};
use crate::alignment::Link;
use crate::error::{Position, Result};

const EXPECTED: &str = "a link such as `0-1`, `0p1` or `0-1:0.9`";

/// Reads the links of a line into a record.
pub(super) fn parse(line: &str, base: Base, record: &mut PairRecord) -> Result<u64, Fault> {
    push_links(line, base, &mut record.links)
}

/// Where a link begins in a line that was read, in bytes from 0.
pub(super) fn find(line: &str, base: Base, link: Link) -> Option<usize> {
    let is_link = |token: &str| {
        let Some(Token::Link(read)) = Token::parse(token) else { return false };
        base.position(read.source) == Some(link.source) && base.position(read.target) == Some(link.target)
    };
    fields(line).find(|(_, token)| is_link(token)).map(|(start, _)| start)
}

/// The links of one line of Pharaoh (`base` 0) or TALP (`base` 1), without those of the empty word.
///
/// # Errors
/// `Parse`, at line 1 of `<memory>`.
///
/// ```
/// use alinea::format::alignment::{Base, LinkKind, parse_links};
///
/// let links = parse_links("0-0 1p2:0.5", Base::Zero)?;
/// assert_eq!((links[1].link.target, links[1].kind, links[1].weight), (2, LinkKind::Possible, Some(0.5)));
/// let error = parse_links("0-0 1=2", Base::Zero).unwrap_err();
/// assert_eq!(error.to_string(), "<memory>:1:5: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `1=2`");
/// # Ok::<(), alinea::error::Error>(())
/// ```
pub fn parse_links(line: &str, base: Base) -> Result<Vec<LinkRecord>> {
    let mut links = Vec::new();
    push_links(line, base, &mut links).map_err(|fault| fault.at(Position::new("<memory>", 1, 0)))?;
    Ok(links)
}

/// Adds the links of a line, and says how many are of the empty word.
pub(super) fn push_links(line: &str, base: Base, links: &mut Vec<LinkRecord>) -> Result<u64, Fault> {
    let mut null_links = 0;
    for (start, token) in fields(line) {
        let parsed = Token::parse(token).ok_or_else(|| Fault::new(start, EXPECTED, token.as_bytes()))?;
        let Token::Link(link) = parsed else {
            null_links += 1;
            continue;
        };
        let (Some(source), Some(target)) = (base.position(link.source), base.position(link.target)) else {
            return Err(Fault::position_zero(start, token.as_bytes()));
        };
        links.push(LinkRecord { link: Link::new(source, target), kind: link.kind, weight: link.weight });
    }
    Ok(null_links)
}

/// One token of a line.
enum Token {
    Link(WrittenLink),
    /// A link to the empty word.
    Null,
}

/// A link with positions as they are written.
struct WrittenLink {
    source: u32,
    target: u32,
    kind: LinkKind,
    weight: Option<f32>,
}

impl Token {
    fn parse(token: &str) -> Option<Self> {
        const NULL: &str = "NULL";
        if let Some(target) = token.strip_prefix(NULL) {
            let target = target.strip_prefix('-')?;
            let (_, digits) = leading_number::<u32>(target.as_bytes())?;
            return Marks::parse(&target[digits..]).map(|_| Self::Null);
        }
        let bytes = token.as_bytes();
        let (source, digits) = leading_number(bytes)?;
        let kind = match bytes.get(digits)? {
            b'-' | b's' | b'S' => LinkKind::Sure,
            b'p' | b'P' | b'?' => LinkKind::Possible,
            _ => return None,
        };
        let second = digits + 1;
        if let Some(marks) = token[second..].strip_prefix(NULL) {
            return Marks::parse(marks).map(|_| Self::Null);
        }
        let (target, digits) = leading_number(&bytes[second..])?;
        let marks = Marks::parse(&token[second + digits..])?;
        Some(Self::Link(WrittenLink { source, target, kind: marks.kind.unwrap_or(kind), weight: marks.weight() }))
    }
}

/// What follows the positions of a link.
#[derive(Default)]
struct Marks {
    kind: Option<LinkKind>,
    scores: [Option<f32>; 2],
}

impl Marks {
    /// Each mark may come once, a score twice.
    #[inline]
    fn parse(rest: &str) -> Option<Self> {
        if rest.is_empty() { Some(Self::default()) } else { Self::parse_some(rest) }
    }

    fn parse_some(mut rest: &str) -> Option<Self> {
        let mut marks = Self::default();
        while !rest.is_empty() {
            let (mark, left) = match rest.strip_prefix(':') {
                Some(colon) => colon.split_at(colon.find(':').unwrap_or(colon.len())),
                None => rest.strip_prefix('-')?.split_at_checked(1)?,
            };
            let known = match mark {
                "S" => Some(LinkKind::Sure),
                "P" => Some(LinkKind::Possible),
                _ => None,
            };
            match known {
                Some(kind) if marks.kind.is_none() => marks.kind = Some(kind),
                None if rest.starts_with(':') => {
                    *marks.scores.iter_mut().find(|score| score.is_none())? = Some(weight(mark)?);
                }
                _ => return None,
            }
            rest = left;
        }
        marks.weight().is_none_or(f32::is_finite).then_some(marks)
    }

    /// The product of the scores, if there is one.
    fn weight(&self) -> Option<f32> {
        let [translation, place] = self.scores;
        translation.map(|translation| translation * place.unwrap_or(1.0))
    }
}

/// Appends the links of a record as one line, with weights of this many decimals if wanted.
pub(super) fn write(record: &PairRecord, base: Base, digits: Option<usize>, out: &mut Vec<u8>) {
    for (n, LinkRecord { link, kind, weight }) in record.links.iter().enumerate() {
        if n > 0 {
            out.push(b' ');
        }
        push_number(base.written(link.source), out);
        out.push(if *kind == LinkKind::Sure { b'-' } else { b'p' });
        push_number(base.written(link.target), out);
        if let (Some(weight), Some(digits)) = (weight, digits) {
            out.push(b':');
            push_weight(*weight, Some(digits), out);
        }
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(line: &str, base: Base) -> String {
        parse_links(line, base).unwrap_err().to_string()
    }

    #[test]
    fn every_notation_is_read() {
        let sure = LinkRecord::sure(3, 4);
        let possible = LinkRecord::possible(3, 4);
        for (token, expected) in [
            ("3-4", sure),
            ("3s4", sure),
            ("3S4", sure),
            ("3-4-S", sure),
            ("3-4:S", sure),
            ("3p4", possible),
            ("3P4", possible),
            ("3?4", possible),
            ("3-4-P", possible),
            ("3-4:P", possible),
            ("003-04", sure),
            ("3-4:0.5", sure.with_weight(0.5)),
            ("3-4:-1e2", sure.with_weight(-100.0)),
            ("3p4:0.5", possible.with_weight(0.5)),
            ("3-4:P:0.5", possible.with_weight(0.5)),
            ("3-4:0.5:P", possible.with_weight(0.5)),
            ("3-4-P:0.5", possible.with_weight(0.5)),
            ("3-4:0.5:0.25", sure.with_weight(0.125)),
        ] {
            assert_eq!(parse_links(token, Base::Zero).unwrap(), [expected], "{token}");
        }
        assert_eq!(parse_links(" 1-1\t2-3 ", Base::One).unwrap(), [LinkRecord::sure(0, 0), LinkRecord::sure(1, 2)]);
        assert_eq!(parse_links("", Base::Zero).unwrap(), []);
        let mut links = Vec::new();
        assert_eq!(push_links("NULL-0 1-1 2-NULL:0.5", Base::Zero, &mut links).unwrap(), 2);
        assert_eq!(links, [LinkRecord::sure(1, 1)]);
    }

    #[test]
    fn everything_else_is_refused_at_its_column() {
        for token in [
            "3",
            "3-",
            "-4",
            "3--4",
            "3-4-",
            "3-4:",
            "3-4:x",
            "3-4:nan",
            "3-4-P-P",
            "3-4:1:2:3",
            "3-4:1e30:1e30",
            "NULL",
            "NULL-NULL",
            "NULLp3",
            "3-NULL4",
            "3-4-0.5",
            "3-4é",
        ] {
            let expected = format!("<memory>:1:5: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `{token}`");
            assert_eq!(message(&format!("0-0 {token} 1-1"), Base::Zero), expected);
        }
        assert!(message("4294967296-0", Base::Zero).ends_with("found `4294967296-0`"));
        assert_eq!(message("1-1  0-1", Base::One), "<memory>:1:6: expected positions from 1, found `0-1`");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            links in proptest::collection::vec((any::<u32>(), 0u32..50, any::<bool>(), proptest::option::of(0u8..101)), 0..8),
            one in any::<bool>(),
        ) {
            let base = if one { Base::One } else { Base::Zero };
            let links: Vec<LinkRecord> = links.into_iter().map(|(source, target, sure, weight)| LinkRecord {
                link: Link::new(source.min(u32::MAX - 1), target),
                kind: if sure { LinkKind::Sure } else { LinkKind::Possible },
                weight: weight.map(|w| f32::from(w) / 100.0),
            }).collect();
            let record = PairRecord { links, ..PairRecord::default() };
            let mut out = Vec::new();
            write(&record, base, Some(2), &mut out);
            let line = String::from_utf8(out).unwrap();
            prop_assert_eq!(parse_links(line.trim_end_matches('\n'), base).unwrap(), record.links);
        }

        #[test]
        fn no_line_causes_a_panic(line in "[0-9p?:SP. e-]{0,20}|\\PC{0,20}", one in any::<bool>()) {
            let _ = parse_links(&line, if one { Base::One } else { Base::Zero }).is_ok();
        }
    }
}
