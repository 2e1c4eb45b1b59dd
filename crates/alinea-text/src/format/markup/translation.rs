//! Translations of segments: text without tags, into which tags are put.

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::build::Fault;
use super::{Segment, Syntax, angle, references};
use crate::format::tokens::{self, Tokenize};

/// The translation of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Translation {
    /// As it is written.
    pub raw: String,
    /// As it is meant, if that is not the same.
    decoded: Option<Decoded>,
    /// Whether it is to be escaped when it is written.
    is_to_escape: bool,
}

/// A text with references, as it is meant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Decoded {
    text: String,
    /// Where pieces begin, in the text and as it is written.
    pieces: Vec<(usize, usize)>,
}

/// A word of a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslationWord<'t> {
    /// The word.
    pub text: &'t str,
    /// Its bytes in [`Translation::raw`].
    pub raw: Range<usize>,
}

/// A tag at a place in a translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The tag of the segment, by number.
    pub tag: usize,
    /// The byte of [`Translation::raw`] that it stands before.
    pub at: usize,
}

impl Translation {
    pub(super) fn plain(raw: &str, is_to_escape: bool) -> Self {
        Self { raw: raw.to_owned(), decoded: None, is_to_escape }
    }

    pub(super) fn escaped(raw: &str, syntax: Syntax) -> Result<Self, Fault> {
        if let Some(piece) = angle::next(raw, 0, syntax)? {
            return Err(Fault::tag_in_translation(piece.range.start, &raw[piece.range]));
        }
        let mut decoded = Decoded::default();
        references::decode(raw, 0..raw.len(), syntax, |start, text| {
            decoded.pieces.push((decoded.text.len(), start));
            decoded.text.push_str(text);
        })?;
        Ok(Self { raw: raw.to_owned(), decoded: Some(decoded), is_to_escape: false })
    }

    /// As it is meant.
    pub fn text(&self) -> &str {
        self.decoded.as_ref().map_or(&self.raw, |decoded| &decoded.text)
    }

    /// Its words.
    pub fn words(&self, tokenize: Tokenize) -> Vec<TranslationWord<'_>> {
        let spans = tokens::places(self.text(), tokenize).into_iter();
        match &self.decoded {
            None => spans.map(|span| TranslationWord { text: &self.raw[span.clone()], raw: span }).collect(),
            Some(decoded) => decoded.words(spans, self.raw.len()),
        }
    }
}

impl Decoded {
    fn words(&self, spans: impl Iterator<Item = Range<usize>>, end: usize) -> Vec<TranslationWord<'_>> {
        let mut piece = 0;
        let mut words: Vec<TranslationWord<'_>> = Vec::new();
        for span in spans {
            let behind = words.last().map_or(0, |last| last.raw.end);
            let (mut start, mut stop) = (behind, behind);
            if !span.is_empty() {
                // A reference that means several words is of one place, which the first of them has.
                start = behind.max(self.written(span.start, &mut piece, end).start);
                stop = self.written(span.end - 1, &mut piece, end).end;
            }
            words.push(TranslationWord { text: &self.text[span], raw: start..stop.max(start) });
        }
        words
    }

    /// Where a byte of the text is written, looking from a piece on: the byte itself, or the whole reference that it is a part of.
    fn written(&self, byte: usize, piece: &mut usize, end: usize) -> Range<usize> {
        while self.pieces.get(*piece + 1).is_some_and(|&(start, _)| start <= byte) {
            *piece += 1;
        }
        let (start, written) = self.pieces[*piece];
        let next = self.pieces.get(*piece + 1);
        let length = next.map_or(self.text.len(), |&(next, _)| next) - start;
        let written_end = next.map_or(end, |&(_, written)| written);
        if written_end - written == length {
            written + byte - start..written + byte - start + 1
        } else {
            written..written_end
        }
    }
}

/// Refuses a translation that is not escaped if a tag of the segment is in it.
pub(super) fn refuse_codes(raw: &str, segment: &Segment) -> Result<(), Fault> {
    if memchr(b'<', raw.as_bytes()).is_none() {
        return Ok(());
    }
    let codes: BTreeSet<&str> = (0..segment.tags.len()).map(|tag| segment.code(tag)).collect();
    let lengths: BTreeSet<usize> = codes.iter().map(|code| code.len()).collect();
    let Some(&longest) = lengths.last() else { return Ok(()) };
    for start in memchr_iter(b'<', raw.as_bytes()) {
        let window = &raw.as_bytes()[start..raw.len().min(start + longest)];
        for end in memchr_iter(b'>', window).map(|end| start + end + 1).take(MOST_ENDS) {
            if lengths.contains(&(end - start)) && codes.contains(&raw[start..end]) {
                return Err(Fault::tag_in_translation(start, &raw[start..end]));
            }
        }
    }
    Ok(())
}

/// So many `>` are looked at behind a `<`: a tag may have some in its attributes.
const MOST_ENDS: usize = 8;

/// A translation with tags at their places, which are in order. Tags may be left out.
///
/// Time and memory are proportional to what is written.
///
/// # Panics
/// If places are not in order, not between characters, or name no tags.
pub fn write(segment: &Segment, translation: &Translation, places: &[Place]) -> String {
    let mut written = String::with_capacity(segment.raw.len() + translation.raw.len());
    let push = |text: &str, written: &mut String| {
        if translation.is_to_escape {
            references::escape(text, written);
        } else {
            written.push_str(text);
        }
    };
    let mut from = 0;
    for &Place { tag, at } in places {
        push(&translation.raw[from..at], &mut written);
        written.push_str(segment.code(tag));
        from = at;
    }
    push(&translation.raw[from..], &mut written);
    written
}
