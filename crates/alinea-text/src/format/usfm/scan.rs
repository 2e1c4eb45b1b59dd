//! Markers in text: where they begin and end, and of which form they are.

use std::ops::Range;

/// How a marker is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form<'t> {
    /// `\p`, `\nd`, `\+nd`.
    Opening,
    /// `\nd*`, `\+nd*`.
    Closing,
    /// `\zaln-s |x-content="..."\*`, with what stands between.
    Milestone(&'t str),
    /// The beginning of one without its end.
    Unclosed,
}

/// A marker.
#[derive(Debug, Clone)]
pub(super) struct Marker<'t> {
    /// Its bytes in the text: without the blank behind it.
    pub(super) span: Range<usize>,
    /// Its name, without `\`, `+` and `*`.
    pub(super) name: &'t str,
    pub(super) form: Form<'t>,
}

/// The first marker from a place on. A backslash that no name follows is text.
pub(super) fn next_marker(text: &str, mut from: usize) -> Option<Marker<'_>> {
    loop {
        let start = from + memchr::memchr(b'\\', &text.as_bytes()[from..])?;
        let rest = &text[start + 1..];
        let plus = usize::from(rest.starts_with('+'));
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let length = rest[plus..].bytes().take_while(|&byte| is_name(byte)).count();
        let name = &rest[plus..plus + length];
        let end = start + 1 + plus + length;
        if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let (form, end) = form(text, name, end);
            return Some(Marker { span: start..end, name, form });
        }
        from = start + 1;
    }
}

fn form<'t>(text: &'t str, name: &str, end: usize) -> (Form<'t>, usize) {
    let rest = &text[end..];
    if rest.starts_with('*') {
        return (Form::Closing, end + 1);
    }
    if rest.starts_with("\\*") {
        return (Form::Milestone(""), end + 2);
    }
    if !name.ends_with("-s") && !name.ends_with("-e") {
        return (Form::Opening, end);
    }
    let length = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
    let between = &rest[..length];
    if rest[length..].starts_with("\\*") { (Form::Milestone(between), end + length + 2) } else { (Form::Unclosed, end) }
}

/// An attribute of a word or a milestone: its name, and its value.
pub(super) type Attribute = (String, String);

/// The attributes behind the `|` of a marker: `lemma="house" strong="G3624"`, or a value alone, which has the name `default`. What
/// is none is said by its place in the text.
pub(super) fn attributes(text: &str, default: &str) -> Result<Vec<Attribute>, usize> {
    let trimmed = text.trim();
    if !trimmed.contains(['=', '"']) {
        let alone = (!trimmed.is_empty()).then(|| (default.to_owned(), trimmed.to_owned()));
        return Ok(alone.into_iter().collect());
    }
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let (name, behind) = rest.split_once('=').ok_or(at)?;
        let value = behind.trim_start().strip_prefix('"').ok_or(at)?;
        let (value, behind) = value.split_once('"').ok_or(at)?;
        let name = name.trim();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == '"') {
            return Err(at);
        }
        found.push((name.to_owned(), value.to_owned()));
        rest = behind.trim_start();
    }
    Ok(found)
}
