//! Labels of words: names, terms, arguments, whatever is marked on stretches of a sentence.
//!
//! A [`LabeledSpan`] is a stretch of words with a label; spans of a sentence may be nested or overlap. Where they do not, they can be
//! written as a tag for each word, in one of three schemes ([`Scheme`]):
//!
//! | | the | United | States | Germany | said |
//! |---|---|---|---|---|---|
//! | IOB1 | O | I-LOC | I-LOC | B-LOC | O |
//! | IOB2 | O | B-LOC | I-LOC | B-LOC | O |
//! | BIOES | O | B-LOC | E-LOC | S-LOC | O |
//!
//! Tags of all schemes are read alike, as the shared tasks of CoNLL-2000 to 2003 count them: a span begins at `B-`, `S-` or `U-`, and at
//! any other tag that does not continue what is before it; it ends after `E-`, `L-`, `S-` or `U-`, and before `O`, another label, or a
//! beginning.
//!
//! Where labels are on characters, a [`Cover`] says which words they are on.
//!
//! ```
//! use alinea::labels::{LabeledSpan, Scheme, Tag, spans_of};
//!
//! let tags: Vec<Tag> = ["O", "I-LOC", "I-LOC", "B-LOC"].into_iter().map(Tag::parse).collect::<Option<_>>().unwrap();
//! let spans = spans_of(&tags);
//! assert_eq!(spans, [LabeledSpan::new(1..3, "LOC"), LabeledSpan::new(3..4, "LOC")]);
//! assert_eq!(Scheme::of(&tags), Some(Scheme::Iob1));
//! assert_eq!(Scheme::Bioes.tags(4, &spans).unwrap(), ["O", "B-LOC", "E-LOC", "S-LOC"]);
//! ```

mod cover;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

pub use self::cover::Cover;
use crate::error::{Error, ErrorKind, Position, Result};

/// A stretch of words with a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LabeledSpan {
    /// The words, by number from 0; at least one.
    pub words: Range<usize>,
    /// What they are labeled with.
    pub label: String,
}

impl LabeledSpan {
    /// A label of these words.
    pub fn new(words: Range<usize>, label: impl Into<String>) -> Self {
        Self { words, label: label.into() }
    }

    /// Whether it has a word in common with another.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.words.start < other.words.end && other.words.start < self.words.end
    }
}

/// The tag of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag<'t> {
    /// `O`: it has no label.
    Outside,
    /// `B-LABEL`: a span begins.
    Begin(&'t str),
    /// `I-LABEL`: it continues.
    Inside(&'t str),
    /// `E-LABEL`, `L-LABEL`: it ends.
    End(&'t str),
    /// `S-LABEL`, `U-LABEL`: it is this word alone.
    Single(&'t str),
}

impl<'t> Tag<'t> {
    /// Reads a tag; nothing if it is none.
    pub fn parse(text: &'t str) -> Option<Self> {
        if text == "O" {
            return Some(Self::Outside);
        }
        let (position, label) = text.split_once('-').filter(|(_, label)| !label.is_empty())?;
        match position {
            "B" => Some(Self::Begin(label)),
            "I" => Some(Self::Inside(label)),
            "E" | "L" => Some(Self::End(label)),
            "S" | "U" => Some(Self::Single(label)),
            _ => None,
        }
    }

    /// Reads a tag that stands at a position.
    ///
    /// # Errors
    /// `Parse` if it is none.
    pub fn read(text: &'t str, position: impl FnOnce() -> Position) -> Result<Self> {
        const EXPECTED: &str = "a tag: O, or B-, I-, E-, L-, S- or U- and a label";
        Self::parse(text).ok_or_else(|| Error::parse(position(), EXPECTED, text.as_bytes()))
    }

    /// The label.
    pub fn label(self) -> Option<&'t str> {
        match self {
            Self::Outside => None,
            Self::Begin(label) | Self::Inside(label) | Self::End(label) | Self::Single(label) => Some(label),
        }
    }
}

/// The spans of a sentence whose words have these tags, in their order. O(words).
pub fn spans_of(tags: &[Tag<'_>]) -> Vec<LabeledSpan> {
    let mut spans: Vec<LabeledSpan> = Vec::new();
    let mut is_open = false;
    for (word, tag) in tags.iter().enumerate() {
        let Some(label) = tag.label() else {
            is_open = false;
            continue;
        };
        let begins = matches!(tag, Tag::Begin(_) | Tag::Single(_));
        match spans.last_mut().filter(|span| is_open && !begins && span.label == label) {
            Some(span) => span.words.end = word + 1,
            None => spans.push(LabeledSpan::new(word..word + 1, label)),
        }
        is_open = !matches!(tag, Tag::End(_) | Tag::Single(_));
    }
    spans
}

/// How spans are written as tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// `B-` only where a span follows another of its label (Ramshaw and Marcus 1995).
    Iob1,
    /// `B-` at every beginning, also called BIO.
    Iob2,
    /// `E-` at the end too, and `S-` for single words; with `L-` and `U-` also called BILOU.
    Bioes,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Iob1, Self::Iob2, Self::Bioes];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iob1 => "iob1",
            Self::Iob2 => "iob2",
            Self::Bioes => "bioes",
        }
    }

    /// The scheme that these tags of a sentence or more show: BIOES where a span is ended by its tag, IOB1 where one begins with `I-`.
    /// Nothing where there is no label.
    pub fn of(tags: &[Tag<'_>]) -> Option<Self> {
        if tags.iter().any(|tag| matches!(tag, Tag::End(_) | Tag::Single(_))) {
            return Some(Self::Bioes);
        }
        let before = std::iter::once(None).chain(tags.iter().map(|tag| tag.label()));
        let begins_inside =
            |(tag, before): (&Tag<'_>, Option<&str>)| matches!(tag, Tag::Inside(label) if before != Some(label));
        if tags.iter().zip(before).any(begins_inside) {
            return Some(Self::Iob1);
        }
        tags.iter().any(|tag| tag.label().is_some()).then_some(Self::Iob2)
    }

    /// The tags of a sentence of so many words.
    ///
    /// # Errors
    /// `Inconsistent` for spans that overlap, or lie outside the sentence.
    pub fn tags(self, words: usize, spans: &[LabeledSpan]) -> Result<Vec<String>> {
        let mut tags = vec![String::from("O"); words];
        let mut spans: Vec<&LabeledSpan> = spans.iter().collect();
        spans.sort_by_key(|span| span.words.start);
        let mut before: Option<&LabeledSpan> = None;
        for span in spans {
            let LabeledSpan { words: Range { start, end }, label } = span;
            if *start >= *end || *end > words {
                let message = format!("a span of words {start} to {end} in a sentence of {words}");
                return Err(ErrorKind::Inconsistent(message).into());
            }
            if let Some(before) = before.filter(|before| before.overlaps(span)) {
                let message = format!(
                    "{} at word {} and {label} at word {start} overlap, which tags cannot say",
                    before.label, before.words.start
                );
                return Err(ErrorKind::Inconsistent(message).into());
            }
            let follows = before.is_some_and(|before| before.words.end == *start && before.label == *label);
            for word in span.words.clone() {
                let position = match (self, word == *start, word + 1 == *end) {
                    (Self::Bioes, true, true) => "S",
                    (Self::Bioes, false, true) => "E",
                    (Self::Bioes | Self::Iob2, true, _) => "B",
                    (Self::Iob1, true, _) if follows => "B",
                    _ => "I",
                };
                tags[word] = format!("{position}-{label}");
            }
            before = Some(span);
        }
        Ok(tags)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|scheme| scheme.name() == name);
        known.ok_or_else(|| Error::config("scheme", name, "iob1, iob2 or bioes"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Spans that do not overlap, of two labels, in a sentence.
    fn sentence() -> impl Strategy<Value = (usize, Vec<LabeledSpan>)> {
        prop::collection::vec((0..3_usize, 1..4_usize, 0..2_usize), 0..6).prop_map(|parts| {
            let (mut at, mut spans) = (0, Vec::new());
            for (gap, length, label) in parts {
                spans.push(LabeledSpan::new(at + gap..at + gap + length, ["PER", "MIS-C"][label]));
                at += gap + length;
            }
            (at + 1, spans)
        })
    }

    proptest! {
        #[test]
        fn spans_are_those_that_were_written((words, spans) in sentence(), scheme in prop::sample::select(&Scheme::ALL[..])) {
            let written = scheme.tags(words, &spans).unwrap();
            let tags: Vec<Tag<'_>> = written.iter().map(|tag| Tag::parse(tag).unwrap()).collect();
            prop_assert_eq!(&spans_of(&tags), &spans);
            // What does not show which of two schemes it is may be read as the other.
            if let Some(seen) = Scheme::of(&tags) {
                prop_assert_eq!(seen.tags(words, &spans).unwrap(), written);
            }
        }
    }

    #[test]
    fn tags_of_other_schemes_and_mistakes() {
        let read = |text: &str| -> Vec<(Range<usize>, String)> {
            let tags: Vec<Tag<'_>> = text.split(' ').map(|tag| Tag::parse(tag).unwrap()).collect();
            spans_of(&tags).into_iter().map(|span| (span.words, span.label)).collect()
        };
        let [a, b] = ["A", "B"].map(String::from);
        assert_eq!(read("B-A L-A U-A"), [(0..2, a.clone()), (2..3, a.clone())]);
        assert_eq!(
            read("I-A I-B B-B O E-A I-A"),
            [(0..1, a.clone()), (1..2, b.clone()), (2..3, b), (4..5, a.clone()), (5..6, a)]
        );
        for none in ["", "o", "B", "B-", "X-A", "PER", "-A", "BA"] {
            assert_eq!(Tag::parse(none), None, "{none}");
        }
        assert_eq!(Tag::parse("B-A-B").and_then(Tag::label), Some("A-B"));
        let overlapping = [LabeledSpan::new(0..2, "A"), LabeledSpan::new(1..3, "B")];
        let message = Scheme::Iob2.tags(3, &overlapping).unwrap_err().to_string();
        assert_eq!(message, "A at word 0 and B at word 1 overlap, which tags cannot say");
        assert!(Scheme::Iob2.tags(2, &[LabeledSpan::new(1..3, "B")]).is_err());
    }
}
