//! XML, one step at a time: tags, text, and errors with their places.
//!
//! quick-xml finds the parts; this adds what makes of them a document. Elements that are not closed, or closed by another name, text or
//! a second element outside of the first, a file that ends early, and references to entities other than the five of XML are errors, so
//! no entity of a document type can grow, and nothing is ever fetched. Comments, processing instructions and document types are passed
//! over. Elements are nested [`limits::NESTING`] deep at most, and a tag, a comment or a stretch of text has [`limits::MARKUP`] bytes at
//! most, so memory does not grow with the file.
//!
//! Names are told without their prefixes: documents declare these as they like, and no two vocabularies that meet here have elements of
//! one name that matter.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::errors::{Error as XmlError, IllFormedError};
use quick_xml::escape::unescape;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::places::{Place, Places, TooLong};
use crate::error::{Error, Position, Result};
use crate::format::source::Input;
use crate::limits;

/// What a step found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A tag that opens an element; one without content is opened and closed.
    Open,
    /// The end of an element.
    Close,
    /// Text, with references resolved; an element may have several pieces of it.
    Text,
    /// The end of the file.
    End,
}

/// Reads XML.
pub(super) struct Markup {
    reader: Reader<Places>,
    buffer: Vec<u8>,
    name: String,
    /// Where the step began.
    place: Place,
    /// The tag of the step, without its brackets, and the length of its name.
    tag: String,
    name_bytes: usize,
    text: String,
    /// The names of all open elements, and where each ends.
    open: String,
    ends: Vec<usize>,
    /// Whether the first element was opened.
    begun: bool,
}

impl Markup {
    /// Reads an input, under its name.
    pub(super) fn new(input: Input) -> Result<Self> {
        let name = input.name().to_owned();
        let mut reader = Reader::from_reader(Places::new(input)?);
        reader.config_mut().expand_empty_elements = true;
        Ok(Self {
            reader,
            buffer: Vec::new(),
            name,
            place: Place { line: 1, column: 1 },
            tag: String::new(),
            name_bytes: 0,
            text: String::new(),
            open: String::new(),
            ends: Vec::new(),
            begun: false,
        })
    }

    /// The next tag or piece of text.
    ///
    /// # Errors
    /// `Io`; `Parse` for what is no document; `OverLimit`.
    pub(super) fn step(&mut self) -> Result<Step> {
        loop {
            self.buffer.clear();
            self.place = self.reader.get_ref().place();
            self.reader.get_mut().begin_event();
            let event = match self.reader.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(error) => return Err(self.failed(&error)),
            };
            match event {
                Event::Start(tag) => {
                    self.name_bytes = tag.name().as_ref().len();
                    self.tag.clear();
                    self.tag.push_str(&tag);
                    return self.opened();
                }
                Event::End(tag) => {
                    self.tag.clear();
                    self.tag.push_str(tag.name().as_ref());
                    self.name_bytes = self.tag.len();
                    self.ends.pop();
                    self.open.truncate(self.ends.last().copied().unwrap_or(0));
                    return Ok(Step::Close);
                }
                Event::Text(text) => {
                    self.text.clear();
                    // Line breaks of other systems are line feeds.
                    self.text.extend(text.chars().map(|c| if c == '\r' { '\n' } else { c }));
                }
                Event::CData(text) => {
                    self.text.clear();
                    self.text.extend(text.chars().map(|c| if c == '\r' { '\n' } else { c }));
                }
                Event::GeneralRef(reference) => {
                    let Some(character) = resolved(&reference) else {
                        let expected = "`&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` or the number of a character";
                        let found = format!("&{};", &*reference);
                        return Err(Error::parse(self.position(), expected, found.as_bytes()));
                    };
                    self.text.clear();
                    self.text.push(character);
                }
                Event::Eof => return self.ended(),
                _ => continue,
            }
            if !self.ends.is_empty() {
                return Ok(Step::Text);
            }
            if !self.text.trim().is_empty() {
                return Err(Error::parse(self.position(), "a tag", self.text.as_bytes()));
            }
        }
    }

    fn opened(&mut self) -> Result<Step> {
        if self.ends.is_empty() && std::mem::replace(&mut self.begun, true) {
            let expected = "nothing behind the end of the first element";
            return Err(Error::parse(self.position(), expected, format!("<{}>", self.tag).as_bytes()));
        }
        let nesting = limits::NESTING.check(self.ends.len() + 1);
        nesting.map_err(|error| error.at(self.position()))?;
        let start = self.tag[..self.name_bytes].rfind(':').map_or(0, |colon| colon + 1);
        self.open.push_str(&self.tag[start..self.name_bytes]);
        self.ends.push(self.open.len());
        Ok(Step::Open)
    }

    fn ended(&self) -> Result<Step> {
        match self.ends.len() {
            0 if self.begun => Ok(Step::End),
            0 => Err(Error::parse(self.position(), "an element", b"")),
            depth => {
                let expected = format!("`</{}>` before the file ends", self.element(depth - 1));
                Err(Error::parse(self.position(), expected, b""))
            }
        }
    }

    /// The name of an open element, from 0, the outermost.
    fn element(&self, depth: usize) -> &str {
        let start = if depth == 0 { 0 } else { self.ends[depth - 1] };
        &self.open[start..self.ends[depth]]
    }

    /// The name of the element that the step opened or closed.
    pub(super) fn local(&self) -> &str {
        let name = &self.tag[..self.name_bytes];
        name.rsplit_once(':').map_or(name, |(_, local)| local)
    }

    /// The name of the innermost element around the one that was opened.
    pub(super) fn parent(&self) -> &str {
        match self.ends.len() {
            0 | 1 => "",
            depth => self.element(depth - 2),
        }
    }

    /// How many elements are open.
    pub(super) fn depth(&self) -> usize {
        self.ends.len()
    }

    /// The tag that was opened or closed, as it is written, without brackets.
    pub(super) fn tag(&self) -> &str {
        &self.tag
    }

    /// The text of the step.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// An attribute of the element that was opened, by its whole name.
    ///
    /// # Errors
    /// `Parse` for attributes that are none.
    pub(super) fn attribute(&self, name: &str) -> Result<Option<String>> {
        let tag = BytesStart::from_content(self.tag.as_str(), self.name_bytes);
        let wrong = |problem: String| {
            let expected = format!("attributes `name=\"value\"` ({problem})");
            Error::parse(self.position(), expected, format!("<{}>", self.tag).as_bytes())
        };
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| wrong(error.to_string()))?;
            if attribute.key.as_ref() == name {
                let value: Cow<'_, str> = unescape(&attribute.value).map_err(|error| wrong(error.to_string()))?;
                return Ok(Some(value.into_owned()));
            }
        }
        Ok(None)
    }

    /// Where the step began.
    pub(super) fn position(&self) -> Position {
        self.place.of(&self.name)
    }

    /// The name of the file for messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Decoded bytes read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.reader.get_ref().decoded_bytes()
    }

    #[cold]
    fn failed(&self, error: &XmlError) -> Error {
        let wrong = |expected: String, found: &str| Error::parse(self.position(), expected, found.as_bytes());
        match error {
            XmlError::Io(error)
                if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<TooLong>) =>
            {
                limits::MARKUP.unbounded().at(self.position())
            }
            XmlError::Io(error) => {
                // The parser shares the error, so it is made again.
                Error::io(&self.name, std::io::Error::new(error.kind(), error.to_string()))
            }
            XmlError::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                wrong(format!("`</{expected}>`"), &format!("</{found}>"))
            }
            XmlError::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
                wrong("the end of an element that is open".to_owned(), &format!("</{found}>"))
            }
            XmlError::Encoding(quick_xml::encoding::EncodingError::Utf8(error)) => {
                let bad = error.valid_up_to().min(self.buffer.len());
                let position = self.place.behind(&self.buffer[..bad]).of(&self.name);
                let found = &self.buffer[bad..self.buffer.len().min(bad + 20)];
                Error::parse(position, "UTF-8, or a declaration of another encoding", found)
            }
            _ => wrong(format!("well-formed XML ({error})"), &String::from_utf8_lossy(&self.buffer)),
        }
    }
}

/// The character that a reference stands for.
fn resolved(reference: &BytesRef<'_>) -> Option<char> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => Some(character),
        Ok(None) => match &**reference {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => None,
        },
        Err(_) => None,
    }
}

/// Adds text as it stands in XML.
pub(super) fn push_escaped(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['<', '>', '&', '\r']) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            _ => "&#13;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Result<String, String> {
        let read = || -> Result<String> {
            let mut markup = Markup::new(Input::from_bytes("f", text))?;
            let mut told = String::new();
            loop {
                match markup.step()? {
                    Step::Open => told.extend(["<", markup.parent(), "/", markup.local(), ">"]),
                    Step::Close => told.extend(["</", markup.local(), ">"]),
                    Step::Text => told += markup.text(),
                    Step::End => return Ok(told),
                }
            }
        };
        read().map_err(|error| error.to_string())
    }

    #[test]
    fn tags_and_text_come_one_by_one() {
        let document = "<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM 'a.dtd'><a x='1'>1 &lt;&#233;&#xE9;<![CDATA[<&]]><p:b/><!-- c --></a>\n";
        assert_eq!(steps(document).unwrap(), "</a>1 <éé<&<a/b></b></a>");
        assert_eq!(steps("<a>]]>\r\n</a>").unwrap(), "</a>]]>\n\n</a>");
    }

    #[test]
    fn what_is_no_document_has_a_place() {
        for (text, expected) in [
            ("", "f:1:1: expected an element, found nothing"),
            ("<a>\n<b>", "f:2:4: expected `</b>` before the file ends, found nothing"),
            ("<a>\n <b></a>", "f:2:5: expected `</b>`, found `</a>`"),
            ("</a>", "f:1:1: expected the end of an element that is open, found `</a>`"),
            ("<a/>\n<b/>", "f:2:1: expected nothing behind the end of the first element, found `<b>`"),
            ("<a/>x", "f:1:5: expected a tag, found `x`"),
            (
                "<a>&nbsp;</a>",
                "f:1:4: expected `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` or the number of a character, found `&nbsp;`",
            ),
            (
                "<a>&#0;</a>",
                "f:1:4: expected `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` or the number of a character, found `&#0;`",
            ),
        ] {
            assert_eq!(steps(text).unwrap_err(), expected, "{text}");
        }
        for text in ["<a", "<a x='", "<!-- ", "<a><![CDATA[x", "<a>& b</a>", "<?xml version='1.0'"] {
            assert!(steps(text).unwrap_err().starts_with("f:1:"), "{text}");
        }
    }

    #[test]
    fn entities_of_a_document_type_are_not_expanded() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>";
        assert!(steps(bomb).unwrap_err().ends_with("found `&c;`"));
        let file = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/hostname\">]><a>&b;</a>";
        assert!(steps(file).unwrap_err().ends_with("found `&b;`"));
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |depth: u64| "<a>".repeat(depth as usize) + &"</a>".repeat(depth as usize);
        assert!(steps(&deep(limits::NESTING.most)).is_ok());
        let error = steps(&deep(limits::NESTING.most + 1)).unwrap_err();
        assert!(error.contains("elements within each other: 1001, more than the limit of 1000"), "{error}");
    }

    #[test]
    fn attributes_are_found_by_name() {
        let mut markup = Markup::new(Input::from_bytes("f", "<a xml:lang = 'en' b=\"&lt;\"/>")).unwrap();
        markup.step().unwrap();
        assert_eq!(markup.attribute("xml:lang").unwrap().as_deref(), Some("en"));
        assert_eq!(markup.attribute("b").unwrap().as_deref(), Some("<"));
        assert_eq!(markup.attribute("lang").unwrap(), None);
        let mut markup = Markup::new(Input::from_bytes("f", "<a b=c/>")).unwrap();
        markup.step().unwrap();
        assert!(markup.attribute("b").unwrap_err().to_string().starts_with("f:1:1: expected attributes"));
    }

    #[test]
    fn bytes_that_are_no_utf8_have_a_place() {
        let mut markup = Markup::new(Input::from_bytes("f", &b"<a>\nab\xFFc</a>"[..])).unwrap();
        markup.step().unwrap();
        let error = markup.step().unwrap_err().to_string();
        assert!(error.starts_with("f:2:3: expected UTF-8"), "{error}");
    }

    #[test]
    fn what_was_escaped_is_the_same_text() {
        for text in ["a < b && c > d ]]> \"'\t\r é", "", "&lt;"] {
            let mut escaped = String::new();
            push_escaped(text, &mut escaped);
            assert_eq!(steps(&format!("<a>{escaped}</a>")).unwrap(), format!("</a>{text}</a>"));
        }
    }
}
