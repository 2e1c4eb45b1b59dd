//! Milestones: links written into a book, and taken out of it.

use std::fmt::Write as _;

use super::book::{Attributes, Book, SourceWord, Verse, VerseWord, WordForm};
use super::reader::{END, START};
use super::scan::{Form, Marker, attributes, next_marker};
use super::words::occurrences;
use crate::alignment::Alignment;
use crate::error::{Error, ErrorKind, Result};

/// What the words of a verse translate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerseLinks {
    /// Words of the original.
    pub sources: Vec<SourceWord>,
    /// Links from these to the words of the verse.
    pub links: Alignment,
}

impl Book {
    /// The text of the book without its alignment: without milestones of `\zaln`, and without each `\w ...\w*` that says nothing but
    /// which occurrence a word is. All else stays as it is, to the byte.
    pub fn unaligned_text(&self) -> String {
        let text = self.text.as_str();
        let mut plain = String::with_capacity(text.len());
        let (mut at, mut kept) = (0, 0);
        // Where the text of a word ends that is taken out of its `\w`, and where that ends.
        let mut word: Option<(usize, usize)> = None;
        while let Some(marker) = next_marker(text, at) {
            at = marker.span.end;
            if let Some((end, _)) = word
                && marker.span.start >= end
            {
                let (end, after) = word.take().unwrap_or_default();
                plain.push_str(&text[kept..end]);
                (kept, at) = (after, after);
            } else if matches!((marker.form, marker.name), (Form::Milestone(_), START | END)) {
                plain.push_str(&text[kept..marker.span.start]);
                kept = at;
            } else if let Some((from, end, after)) = occurrence_alone(text, &marker) {
                plain.push_str(&text[kept..marker.span.start]);
                (kept, word) = (from, Some((end, after)));
            }
        }
        plain.push_str(&text[kept..]);
        plain
    }

    /// The book without its alignment.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), which what is left may fail in.
    pub fn unaligned(&self) -> Result<Self> {
        Self::parse(self.name.clone(), self.unaligned_text())
    }

    /// The text of the book with a milestone for each link, given for each verse. Words that stand in no `\w ...\w*` get one, with
    /// their occurrence. All else stays as it is, to the byte: [`unaligned_text`](Self::unaligned_text) of a book in which this is
    /// written is that of the book.
    ///
    /// Words side by side that have the same source words share milestones. A book that has milestones already
    /// gets more of them; [`unaligned`](Self::unaligned) takes the old ones out.
    ///
    /// # Errors
    /// `Inconsistent` for a link that is not between the words, and for a source word that an attribute cannot hold.
    ///
    /// # Panics
    /// If links are not given for each verse.
    pub fn aligned_text(&self, links: &[VerseLinks]) -> Result<String> {
        assert_eq!(links.len(), self.verses.len(), "links for each verse");
        let mut writer = Writer { book: self, to: String::with_capacity(2 * self.text.len()), kept: 0 };
        for (verse, links) in self.verses.iter().zip(links) {
            if let Some(link) = links.links.first_outside(links.sources.len(), verse.words.len()) {
                let lengths = [links.sources.len(), verse.words.len()];
                return Err(Error::link_outside_sentences(link, lengths).within(self.position(verse.start)));
            }
            links.sources.iter().try_for_each(check)?;
            writer.verse(verse, links);
        }
        writer.to.push_str(&self.text[writer.kept..]);
        Ok(writer.to)
    }
}

/// For the marker of a `\w` whose attributes are only those of occurrence: where its text begins and ends, and where it ends.
fn occurrence_alone(text: &str, marker: &Marker<'_>) -> Option<(usize, usize, usize)> {
    if marker.name != "w" || marker.form != Form::Opening {
        return None;
    }
    let blank = usize::from(text[marker.span.end..].starts_with(' '));
    let from = marker.span.end + blank;
    let mut next = next_marker(text, from)?;
    // The text may have milestones in it, which go, too.
    while matches!((next.form, next.name), (Form::Milestone(_), START | END)) {
        next = next_marker(text, next.span.end)?;
    }
    let same =
        text[marker.span.clone()].strip_prefix('\\') == text[next.span.clone()].strip_prefix('\\')?.strip_suffix('*');
    if next.form != Form::Closing || !same {
        return None;
    }
    let bar = from + memchr::memrchr(b'|', &text.as_bytes()[from..next.span.start])?;
    let said = attributes(&text[bar + 1..next.span.start], "lemma").ok()?;
    let alone = !said.is_empty() && said.iter().all(|(name, _)| name == "x-occurrence" || name == "x-occurrences");
    alone.then_some((from, bar, next.span.end))
}

/// Refuses what an attribute cannot hold.
fn check(word: &SourceWord) -> Result<()> {
    let values = word.attributes.iter().map(|(_, value)| value).chain([&word.content]);
    let bad = |value: &&String| value.is_empty() || value.contains(['"', '\\', '\n', '\r']);
    let names = word.attributes.iter().map(|(name, _)| name);
    let bad_name =
        |name: &&String| name.is_empty() || name.contains(|c: char| c.is_whitespace() || "\"=\\|".contains(c));
    match values.clone().find(bad).or_else(|| names.clone().find(bad_name)) {
        None => Ok(()),
        Some(value) => Err(ErrorKind::Inconsistent(format!("an attribute of USFM cannot be {value:?}")).into()),
    }
}

struct Writer<'b> {
    book: &'b Book,
    to: String,
    /// What comes before this byte of the file is written.
    kept: usize,
}

impl Writer<'_> {
    fn verse(&mut self, verse: &Verse, links: &VerseLinks) {
        let numbers = occurrences(self.book.words(verse));
        let by_target = links.links.inverted();
        let sources = |n: usize| by_target.of_source(n as u32);
        let same = |a: usize, b: usize| sources(a).iter().map(|l| l.target).eq(sources(b).iter().map(|l| l.target));
        let mut word = 0;
        while word < verse.words.len() {
            let mut end = word + 1;
            if !sources(word).is_empty() {
                while end < verse.words.len() && same(word, end) && self.adjoin(&verse.words[end - 1..=end]) {
                    end += 1;
                }
                self.keep(verse.words[word].outer.start);
                for link in sources(word) {
                    self.start(&links.sources[link.target as usize]);
                }
                for (word, number) in verse.words[word..end].iter().zip(&numbers[word..end]) {
                    self.word(word, *number);
                }
                self.to.push_str(&"\\zaln-e\\*".repeat(sources(word).len()));
            }
            word = end;
        }
    }

    /// Whether no marker stands between two words.
    fn adjoin(&self, words: &[VerseWord]) -> bool {
        let [one, other] = words else { return false };
        !self.book.text[one.outer.end..other.outer.start].contains('\\')
    }

    fn keep(&mut self, to: usize) {
        self.to.push_str(&self.book.text[self.kept..to]);
        self.kept = to;
    }

    fn start(&mut self, source: &SourceWord) {
        let SourceWord { content, occurrence, occurrences, attributes } = source;
        self.to.push_str("\\zaln-s |");
        self.attributes(attributes);
        // Writing to a string cannot fail.
        let _ =
            write!(self.to, "x-occurrence=\"{occurrence}\" x-occurrences=\"{occurrences}\" x-content=\"{content}\"\\*");
    }

    fn attributes(&mut self, attributes: &Attributes) {
        for (name, value) in attributes.iter() {
            let _ = write!(self.to, "{name}=\"{value}\" ");
        }
    }

    fn word(&mut self, word: &VerseWord, [occurrence, occurrences]: [u32; 2]) {
        self.keep(word.outer.start);
        let marker = match word.form {
            WordForm::Bare => "w",
            WordForm::Styled => "+w",
            WordForm::Marked | WordForm::Phrase => return self.keep(word.outer.end),
        };
        let _ = write!(self.to, "\\{marker} ");
        self.keep(word.span.end);
        let _ = write!(self.to, "|x-occurrence=\"{occurrence}\" x-occurrences=\"{occurrences}\"\\{marker}*");
    }
}
