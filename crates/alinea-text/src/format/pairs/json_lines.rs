//! JSON lines: an object a line, with the texts of both sides somewhere in it.
//!
//! ```text
//! {"src": "the house", "tgt": "la maison"}
//! {"translation": {"en": "the house", "fr": "la maison"}}
//! ```
//!
//! Fields are named, those of inner objects behind a dot (`translation.en`); a name that has a dot itself is tried first. Without names the
//! first object is searched: for languages if these were chosen, at its top or in `translation`, then for `src` and `tgt`, for `source`
//! and `target`, and for a `translation` of two. Every object must have both fields, and they must be strings; a pair in which one is
//! `null` is skipped and counted. Blank lines are no pairs.

use bstr::ByteSlice as _;
use serde_json::{Map, Value};

use super::file::{Lines, PairFile, PairReport};
use super::languages::fits;
use super::one_line::one_line;
use super::options::PairOptions;
use crate::error::{Error, ErrorKind, Hint, Position, Result};
use crate::format::lines::LineReader;
use crate::format::source::Input;

/// The object that texts of several languages stand in.
const TRANSLATION: &str = "translation";

/// Names that are usual.
pub(super) const USUAL: [[&str; 2]; 2] = [["src", "tgt"], ["source", "target"]];

/// Reads JSON lines.
pub(super) struct JsonLines {
    lines: LineReader<Input>,
    line: String,
    fields: Option<[String; 2]>,
    languages: Option<[String; 2]>,
    report: PairReport,
}

impl JsonLines {
    pub(super) fn new(input: Input, options: &PairOptions) -> Self {
        Self {
            lines: LineReader::from_input(input, options.utf8),
            line: String::new(),
            fields: options.fields.clone(),
            languages: options.languages.clone(),
            report: PairReport::default(),
        }
    }

    fn object(&self) -> Result<Map<String, Value>> {
        serde_json::from_str(&self.line).map_err(|error| {
            // The parser counts lines of its own.
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            let at = error.column().saturating_sub(1).min(self.line.len());
            Error::parse(self.lines.position(at + 1), format!("a JSON object ({message})"), &self.line.as_bytes()[at..])
        })
    }

    /// The fields, by what the first object has.
    fn choose(&self, object: &Map<String, Value>) -> Result<[String; 2]> {
        if let Some(wanted) = &self.languages {
            let inner = object.get(TRANSLATION).and_then(Value::as_object);
            for (members, prefix) in [(Some(object), ""), (inner, "translation.")] {
                let named = |code: &String| {
                    let mut names = members?.keys();
                    Some(format!("{prefix}{}", names.find(|name| fits(code, name))?))
                };
                if let [Some(source), Some(target)] = wanted.each_ref().map(named) {
                    return Ok([source, target]);
                }
            }
        } else if let Some(names) = USUAL.into_iter().find(|names| names.iter().all(|name| object.contains_key(*name)))
        {
            return Ok(names.map(str::to_owned));
        } else if let Some(inner) = object.get(TRANSLATION).and_then(Value::as_object)
            && inner.len() == 2
        {
            let mut names = inner.keys().map(|name| format!("{TRANSLATION}.{name}"));
            if let (Some(source), Some(target)) = (names.next(), names.next()) {
                return Ok([source, target]);
            }
        }
        let inner = object.get(TRANSLATION).and_then(Value::as_object).into_iter();
        let inner = inner.flat_map(|inner| inner.keys().map(|name| format!("{TRANSLATION}.{name}")));
        let names: Vec<String> = object.keys().cloned().chain(inner).take(40).collect();
        let problem = format!("which fields are source and target? There is {}", names.join(", "));
        let hint = if self.languages.is_some() { Hint::ChooseLanguages } else { Hint::ChooseFields };
        Err(ErrorKind::Choice { path: self.lines.name().to_owned(), problem, hint }.into())
    }

    /// The text of a field; nothing if it is `null`.
    fn text(&self, object: &Map<String, Value>, field: &str) -> Result<Option<String>> {
        match find(object, field) {
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Null) => Ok(None),
            Some(other) => {
                let expected = format!("a string as `{field}`");
                Err(Error::parse(self.lines.position(1), expected, other.to_string().as_bytes()))
            }
            None => Err(Error::parse(self.lines.position(1), format!("a field `{field}`"), self.line.as_bytes())),
        }
    }
}

/// The value of a field, of an inner object behind a dot.
fn find<'v>(object: &'v Map<String, Value>, field: &str) -> Option<&'v Value> {
    if let Some(value) = object.get(field) {
        return Some(value);
    }
    let (outer, inner) = field.split_once('.')?;
    find(object.get(outer)?.as_object()?, inner)
}

impl PairFile for JsonLines {
    fn read(&mut self, pair: &mut Lines) -> Result<bool> {
        loop {
            if !self.lines.read_into(&mut self.line)? {
                return Ok(false);
            }
            if self.line.as_bytes().trim().is_empty() {
                continue;
            }
            let object = self.object()?;
            let fields = match self.fields.take() {
                Some(fields) => fields,
                None => self.choose(&object)?,
            };
            let texts = [self.text(&object, &fields[0])?, self.text(&object, &fields[1])?];
            self.fields = Some(fields);
            let [Some(source), Some(target)] = texts else {
                self.report.untranslated += 1;
                continue;
            };
            *pair = [source, target];
            pair.iter_mut().for_each(one_line);
            return Ok(true);
        }
    }

    fn position(&self) -> Position {
        self.lines.position(0)
    }

    fn report(&self) -> PairReport {
        PairReport { replaced_utf8: self.lines.replaced_lines(), ..self.report.clone() }
    }

    fn bytes(&self) -> u64 {
        self.lines.bytes()
    }
}
