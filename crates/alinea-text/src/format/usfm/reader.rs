//! From markers to verses.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::book::{Attributes, Book, SourceWord, Verse, VerseWord, WordForm, position};
use super::markers::{Role, role};
use super::reference::{BookCode, MOST, Reference, VerseRange, number};
use super::scan::{Form, Marker, attributes, next_marker};
use super::words::words;
use crate::alignment::{Alignment, Link};
use crate::error::{Error, Result};
use crate::limits;

/// The name of the milestones that say what words translate.
pub(super) const START: &str = "zaln-s";
pub(super) const END: &str = "zaln-e";

const ID: &str = "`\\id` and the code of a book, such as `\\id MAT`";
/// Styles of characters that may be open at once, a word not counted.
const MOST_STYLES: usize = 64;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A style of characters that is open.
#[derive(Debug)]
struct Style<'t> {
    name: &'t str,
    hidden: bool,
    /// Its attributes have begun.
    ended: bool,
    word: Option<Element>,
}

/// A `\w` that is open.
#[derive(Debug)]
struct Element {
    start: usize,
    /// The number of its first word in the verse.
    first: usize,
    /// Its text, if it is in one piece.
    runs: Vec<Range<usize>>,
    attributes: Vec<(String, String)>,
}

/// A verse that is being read.
#[derive(Debug)]
struct Current {
    verse: Verse,
    links: Vec<Link>,
    numbers: BTreeMap<(String, u32), u32>,
}

struct Reader<'t> {
    name: &'t str,
    text: &'t str,
    /// The names of markers that close something.
    closing: BTreeSet<&'t str>,
    code: Option<BookCode>,
    chapter: Option<u16>,
    seen: BTreeMap<(u16, u16), Vec<Option<char>>>,
    verses: Vec<Verse>,
    current: Option<Current>,
    /// Whether the paragraph is text of verses.
    shown: bool,
    sidebar: bool,
    styles: Vec<Style<'t>>,
    /// The words of the original whose milestones are open, if a verse is, and where these begin.
    open: Vec<(Option<u32>, usize)>,
    links: u64,
}

/// Reads a book.
pub(super) fn read(name: String, text: String) -> Result<Book> {
    limits::BOOK.check(text.len()).map_err(|error| error.at(&name))?;
    let mut reader = Reader {
        name: &name,
        text: &text,
        closing: closing(&text),
        code: None,
        chapter: None,
        seen: BTreeMap::new(),
        verses: Vec::new(),
        current: None,
        shown: false,
        sidebar: false,
        styles: Vec::new(),
        open: Vec::new(),
        links: 0,
    };
    let mut at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    while let Some(marker) = next_marker(&text, at) {
        reader.run(at..marker.span.start)?;
        at = reader.marker(&marker)?;
    }
    reader.run(at..text.len())?;
    reader.end_verse()?;
    let Some(code) = reader.code else { return Err(reader.expected(text.len(), ID)) };
    let verses = reader.verses;
    Ok(Book { name, code, text, verses })
}

/// The names of all markers that close something.
fn closing(text: &str) -> BTreeSet<&str> {
    let (mut at, mut names) = (0, BTreeSet::new());
    while let Some(marker) = next_marker(text, at) {
        at = marker.span.end;
        if marker.form == Form::Closing {
            names.insert(marker.name);
        }
    }
    names
}

impl<'t> Reader<'t> {
    /// The error where something else is expected; what is found there is a word.
    fn expected(&self, at: usize, what: impl Into<String>) -> Error {
        let found = self.text[at..].split_whitespace().next().filter(|_| !self.text[at..].starts_with(['\n', '\r']));
        Error::parse(position(self.name, self.text, at), what, found.unwrap_or_default().as_bytes())
    }

    /// Takes text between two markers.
    fn run(&mut self, range: Range<usize>) -> Result<()> {
        let text = &self.text[range.clone()];
        if self.code.is_none() {
            let blank = text.len() - text.trim_start().len();
            return if text.trim().is_empty() { Ok(()) } else { Err(self.expected(range.start + blank, ID)) };
        }
        let visible = self.shown && !self.sidebar && self.styles.iter().all(|style| !style.hidden && !style.ended);
        if !visible || self.current.is_none() {
            return Ok(());
        }
        let content = self.without_attributes(range)?;
        self.words(content)
    }

    /// What stands before the attributes of the innermost style, which are taken.
    fn without_attributes(&mut self, range: Range<usize>) -> Result<Range<usize>> {
        let (name, text) = (self.name, self.text);
        let Some(style) = self.styles.last_mut() else { return Ok(range) };
        let Some(bar) = memchr::memchr(b'|', &text.as_bytes()[range.clone()]) else { return Ok(range) };
        let bar = range.start + bar;
        style.ended = true;
        if let Some(element) = &mut style.word {
            element.attributes = attributes(&text[bar + 1..range.end], "lemma").map_err(|at| {
                let at = bar + 1 + at;
                let expected = "attributes such as `lemma=\"house\"`";
                Error::parse(position(name, text, at), expected, &text.as_bytes()[at..range.end])
            })?;
        }
        Ok(range.start..bar)
    }

    fn words(&mut self, range: Range<usize>) -> Result<()> {
        let form = match self.styles.last() {
            None => WordForm::Bare,
            Some(_) => match self.styles.iter_mut().rev().find_map(|style| style.word.as_mut()) {
                None => WordForm::Styled,
                Some(element) => {
                    if !self.text[range.clone()].trim().is_empty() {
                        element.runs.push(range.clone());
                    }
                    WordForm::Phrase
                }
            },
        };
        if let Some(current) = &mut self.current
            && !range.is_empty()
        {
            current.verse.stretches.push(range.clone());
        }
        for word in words(&self.text[range.clone()]) {
            self.add(range.start + word.start..range.start + word.end, form)?;
        }
        Ok(())
    }

    /// Adds a word, which the open milestones are about.
    fn add(&mut self, span: Range<usize>, form: WordForm) -> Result<()> {
        let Some(current) = &mut self.current else { return Ok(()) };
        self.links += self.open.len() as u64;
        limits::BOOK_LINKS.check(self.links).map_err(|error| error.at(self.name))?;
        let target = current.verse.words.len() as u32;
        current.links.extend(self.open.iter().filter_map(|(source, _)| Some(Link::new((*source)?, target))));
        current.verse.words.push(VerseWord {
            span: span.clone(),
            outer: span,
            form,
            attributes: Attributes::default(),
        });
        Ok(())
    }

    /// Takes a marker; returns where the text goes on.
    fn marker(&mut self, marker: &Marker<'t>) -> Result<usize> {
        let role = role(marker.name);
        if self.code.is_none() && (role != Role::Id || marker.form != Form::Opening) {
            return Err(self.expected(marker.span.start, ID));
        }
        match marker.form {
            Form::Milestone(between) => self.milestone(marker, between)?,
            Form::Unclosed if matches!(marker.name, START | END) => {
                return Err(self.expected(marker.span.start, format!("a `\\*` that ends `\\{}`", marker.name)));
            }
            Form::Closing => self.close(marker),
            Form::Unclosed if self.text[marker.span.end..].trim_start_matches(' ').starts_with('|') => {
                // A milestone of older files, which ends with its line.
                let rest = &self.text[marker.span.end..];
                return Ok(marker.span.end + rest.find(['\\', '\n']).unwrap_or(rest.len()));
            }
            Form::Unclosed | Form::Opening => return self.opening(marker, role),
        }
        Ok(marker.span.end)
    }

    fn opening(&mut self, marker: &Marker<'t>, role: Role) -> Result<usize> {
        let end = marker.span.end;
        let known = match role {
            Role::Unknown if self.closing.contains(marker.name) => Role::Character,
            Role::Unknown => Role::Paragraph,
            other => other,
        };
        match known {
            Role::Id => return self.id(end, marker.span.start),
            Role::Chapter => return self.chapter(end),
            Role::Verse => return self.verse(marker),
            Role::Aside => return self.aside(marker),
            Role::Paragraph | Role::Heading => {
                self.styles.clear();
                self.shown = known == Role::Paragraph;
            }
            Role::Cell => self.styles.clear(),
            Role::Sidebar | Role::SidebarEnd => {
                self.styles.clear();
                (self.sidebar, self.shown) = (known == Role::Sidebar, false);
            }
            Role::Word | Role::Character | Role::Hidden | Role::Unknown => {
                self.style(marker, known)?;
                // The blank behind the marker is not text.
                return Ok(end + usize::from(self.text[end..].starts_with([' ', '\t', '\n'])));
            }
        }
        Ok(end)
    }

    fn style(&mut self, marker: &Marker<'t>, role: Role) -> Result<()> {
        let element = |current: &Current| Element {
            start: marker.span.start,
            first: current.verse.words.len(),
            runs: Vec::new(),
            attributes: Vec::new(),
        };
        let word = self.current.as_ref().filter(|_| role == Role::Word).map(element);
        if self.styles.len() >= MOST_STYLES + usize::from(role == Role::Word) {
            let expected = format!("the end of one of the {MOST_STYLES} styles of characters that are open");
            return Err(self.expected(marker.span.start, expected));
        }
        self.styles.push(Style { name: marker.name, hidden: role == Role::Hidden, ended: false, word });
        Ok(())
    }

    /// The blanks behind a marker are skipped; returns where a word begins, and the word.
    fn word_behind(&self, at: usize) -> (usize, &'t str) {
        let rest = &self.text[at..];
        let start = at + rest.len() - rest.trim_start_matches([' ', '\t', '\u{A0}']).len();
        let end = self.text[start..].find(|c: char| c.is_whitespace() || c == '\\').unwrap_or(self.text.len() - start);
        (start, &self.text[start..start + end])
    }

    fn id(&mut self, at: usize, start: usize) -> Result<usize> {
        let (place, code) = self.word_behind(at);
        if self.code.is_some() {
            return Err(self.expected(start, "one book in a file, with one `\\id`"));
        }
        let Some(code) = BookCode::new(code) else {
            return Err(self.expected(place, "the code of a book, such as `MAT`"));
        };
        self.code = Some(code);
        Ok(place)
    }

    fn chapter(&mut self, at: usize) -> Result<usize> {
        self.end_verse()?;
        self.styles.clear();
        (self.shown, self.sidebar) = (false, false);
        let (place, chapter) = self.word_behind(at);
        let Some(number) = number(chapter) else {
            return Err(self.expected(place, format!("the number of a chapter, at most {MOST}")));
        };
        self.chapter = Some(number);
        Ok(place + chapter.len())
    }

    fn verse(&mut self, marker: &Marker<'_>) -> Result<usize> {
        self.end_verse()?;
        let start = marker.span.start;
        let (Some(book), Some(chapter)) = (self.code, self.chapter) else {
            return Err(self.expected(start, "a chapter, `\\c`, before the first verse"));
        };
        let (place, verses) = self.word_behind(marker.span.end);
        let Ok(range) = verses.parse::<VerseRange>() else {
            return Err(self.expected(place, format!("a verse such as `3`, `3-4` or `3a`, at most {MOST}")));
        };
        for (verse, part) in range.parts() {
            let seen = self.seen.entry((chapter, verse)).or_default();
            if seen.iter().any(|other| part.is_none() || other.is_none() || *other == part) {
                let expected = format!("a verse that was not there before: {book} {chapter}:{verse} was");
                return Err(self.expected(place, expected));
            }
            seen.push(part);
        }
        let reference = Reference { book, chapter, range };
        let (stretches, words, sources) = (Vec::new(), Vec::new(), Vec::new());
        let verse = Verse { reference, start, stretches, words, sources, links: Alignment::new() };
        self.current = Some(Current { verse, links: Vec::new(), numbers: BTreeMap::new() });
        (self.shown, self.sidebar) = (true, false);
        // What was not closed hides no other verse.
        self.styles.retain(|style| !style.hidden && !style.ended);
        for style in &mut self.styles {
            style.word = None;
        }
        Ok(place + verses.len())
    }

    fn end_verse(&mut self) -> Result<()> {
        if let Some((_, at)) = self.open.pop() {
            return Err(self.expected(at, "a `\\zaln-e\\*` for each `\\zaln-s` of the verse"));
        }
        if let Some(Current { mut verse, links, .. }) = self.current.take() {
            verse.links = Alignment::from_links(links);
            self.verses.push(verse);
        }
        Ok(())
    }

    /// Skips a note or figure up to its end.
    fn aside(&mut self, marker: &Marker<'_>) -> Result<usize> {
        let mut at = marker.span.end;
        while let Some(next) = next_marker(self.text, at) {
            at = next.span.end;
            match (next.form, role(next.name)) {
                (Form::Closing, _) if next.name == marker.name => return Ok(at),
                (Form::Opening, Role::Verse | Role::Chapter | Role::Id) => break,
                (Form::Opening, _) if next.name == marker.name => break,
                _ => {}
            }
        }
        Err(self.expected(marker.span.start, format!("a `\\{0}*` that ends `\\{0}`", marker.name)))
    }

    /// Closes a style, and those within it.
    fn close(&mut self, marker: &Marker<'_>) {
        let Some(place) = self.styles.iter().rposition(|style| style.name == marker.name) else { return };
        let word = self.styles.swap_remove(place).word;
        self.styles.truncate(place);
        if let (Some(element), Some(current)) = (word, &mut self.current) {
            current.finish(self.text, element, marker.span.end);
        }
    }

    fn milestone(&mut self, marker: &Marker<'_>, between: &str) -> Result<()> {
        let start = marker.span.start;
        match marker.name {
            START => {
                let word = source_word(between)
                    .ok_or_else(|| self.expected(start, "`\\zaln-s |x-content=\"...\" x-occurrence=\"1\"\\*`"))?;
                let source = self.current.as_mut().map(|current| current.source(word));
                self.open.push((source, start));
            }
            END if self.open.pop().is_none() => return Err(self.expected(start, "a `\\zaln-s` before `\\zaln-e\\*`")),
            _ => {}
        }
        Ok(())
    }
}

impl Current {
    /// The number of a source word.
    fn source(&mut self, word: SourceWord) -> u32 {
        let next = self.verse.sources.len() as u32;
        let number = *self.numbers.entry((word.content.clone(), word.occurrence)).or_insert(next);
        if number == next {
            self.verse.sources.push(word);
        }
        number
    }

    /// Ends a `\w`: its text is one word if there are no blanks in it.
    fn finish(&mut self, text: &str, element: Element, end: usize) {
        let Element { start, first, runs, attributes } = element;
        let words = &mut self.verse.words;
        if let [run] = &runs[..]
            && words[first..].last().is_some_and(|last| last.span.end <= run.end)
        {
            let content = text[run.clone()].trim_start();
            let from = run.end - content.len();
            let content = content.trim_end();
            if !content.contains(char::is_whitespace) {
                words.truncate(first + 1);
                words[first].span = from..from + content.len();
                while self.links.last().is_some_and(|link| link.target as usize > first) {
                    self.links.pop();
                }
            }
        }
        if let [word] = &mut words[first..] {
            (word.outer, word.form) = (start..end, WordForm::Marked);
        }
        let attributes: Attributes = attributes.into();
        for word in &mut words[first..] {
            word.attributes = Attributes::clone(&attributes);
        }
    }
}

/// What a milestone says of a word of the original.
fn source_word(between: &str) -> Option<SourceWord> {
    let bar = between.trim_start().strip_prefix('|')?;
    let (mut content, mut occurrence, mut occurrences, mut others) = (String::new(), 1, 1, Vec::new());
    for (name, value) in attributes(bar, "x-content").ok()? {
        match name.as_str() {
            "x-content" => content = value,
            "x-occurrence" => occurrence = value.parse().ok().filter(|&number| number > 0)?,
            "x-occurrences" => occurrences = value.parse().ok().filter(|&number| number > 0)?,
            _ => others.push((name, value)),
        }
    }
    let word = SourceWord { content, occurrence, occurrences, attributes: others.into() };
    (!word.content.is_empty()).then_some(word)
}
