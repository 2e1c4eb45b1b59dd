//! References: `&amp;`, `&#233;`, `&#xE9;`, and in HTML `&eacute;`.
//!
//! XML knows five names. Other names are defined somewhere else, so they stay as they are. In HTML, what is no reference is text.

use std::ops::Range;

use memchr::memchr;

use super::Syntax;
use super::build::Fault;

/// The longest name of HTML has 32 characters; numbers may have zeros in front.
const LONGEST: usize = 64;

/// What a reference means.
enum Meaning {
    Character(char),
    Text(&'static str),
    /// It is left as it is.
    Unknown,
}

/// Calls `push` with the pieces that text means, and where each begins: stretches without references as they are, and what references mean.
pub(super) fn decode(
    raw: &str,
    range: Range<usize>,
    syntax: Syntax,
    mut push: impl FnMut(usize, &str),
) -> Result<(), Fault> {
    let mut at = range.start;
    let mut from = at;
    while let Some(step) = memchr(b'&', &raw.as_bytes()[at..range.end]) {
        let start = at + step;
        let Some((length, meaning)) = reference(&raw[start..range.end], syntax) else {
            if syntax == Syntax::Html {
                at = start + 1;
                continue;
            }
            let found: String = raw[start..range.end].chars().take(12).collect();
            return Err(Fault::new(start, "a reference such as `&amp;`", found));
        };
        if from < start {
            push(from, &raw[from..start]);
        }
        (at, from) = (start + length, start + length);
        match meaning {
            Meaning::Character(character) => push(start, character.encode_utf8(&mut [0; 4])),
            Meaning::Text(text) => push(start, text),
            Meaning::Unknown => push(start, &raw[start..at]),
        }
    }
    if from < range.end {
        push(from, &raw[from..range.end]);
    }
    Ok(())
}

/// The reference that a text begins with: its length, and what it means.
fn reference(text: &str, syntax: Syntax) -> Option<(usize, Meaning)> {
    let window = &text.as_bytes()[..text.len().min(LONGEST)];
    let end = memchr(b';', window)?;
    let name = &text[1..end];
    let meaning = if let Some(number) = name.strip_prefix('#') {
        let number = match number.strip_prefix(['x', 'X']) {
            Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => u32::from_str_radix(digits, 16),
            None if number.bytes().all(|digit| digit.is_ascii_digit()) => number.parse(),
            _ => return None,
        };
        Meaning::Character(number.ok().and_then(char::from_u32).filter(|&character| character != '\0')?)
    } else {
        named(name, syntax)?
    };
    Some((end + 1, meaning))
}

fn named(name: &str, syntax: Syntax) -> Option<Meaning> {
    let text = match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ if syntax == Syntax::Html => {
            let table = html_escape::NAMED_ENTITIES;
            let place = table.binary_search_by(|(known, _)| (*known).cmp(name.as_bytes())).ok()?;
            table[place].1
        }
        _ => return is_name(name).then_some(Meaning::Unknown),
    };
    Some(Meaning::Text(text))
}

fn is_name(name: &str) -> bool {
    let is_inner = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':' | '-' | '.');
    name.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | ':')) && name.chars().all(is_inner)
}

/// Appends text, escaped.
pub(super) fn escape(text: &str, to: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => continue,
        };
        to.push_str(&text[from..at]);
        to.push_str(reference);
        from = at + 1;
    }
    to.push_str(&text[from..]);
}
