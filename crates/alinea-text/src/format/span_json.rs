//! Texts with labels on stretches of their characters, in JSON: those of Prodigy and spaCy, of Doccano, of Label Studio.
//!
//! ```json
//! {"text": "Anna sings", "spans": [{"start": 0, "end": 4, "label": "PER"}], "meta": {"n": 1}}
//! {"text": "Anna sings", "label": [[0, 4, "PER"]]}
//! {"text": "Anna sings", "entities": [{"id": 7, "start_offset": 0, "end_offset": 4, "label": "PER"}]}
//! {"data": {"text": "Anna sings"}, "annotations": [{"result": [
//!   {"id": "a", "type": "labels", "value": {"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]}}]}]}
//! ```
//!
//! A file has records one behind the other, mostly one a line, or in a list; it is written as it was found, a record a line. `labels`
//! may stand for `label`. Each record is of one of the [shapes](Shape); spans may be nested or overlap. Ends are behind the last
//! character, and a place counts characters, or [other units](Offsets).
//!
//! A record is kept as the pieces of text that its fields have in the file: so their order, numbers of any size and whatever nobody here
//! knows are in the [translation](SpanTexts::write). What speaks of places in the source text is not: [`Translation`] lists it.
//!
//! ```
//! use alinea::format::offsets::Offsets;
//! use alinea::format::span_json::{Placed, SpanTexts, Translation};
//!
//! let file = r#"{"id": 12345678901234567890, "text": "Anna sings", "label": [[0, 4, "PER"]]}"#;
//! let texts = SpanTexts::parse(file, "names.jsonl", Offsets::Characters)?;
//! let span = &texts.records[0].spans[0];
//! assert_eq!((span.bytes.clone(), span.label.as_str()), (0..4, "PER"));
//!
//! let placed = [Placed { span: 0, words: 1..2, score: None }];
//! let translation = Translation { text: "es singt Änne", words: &[0..2, 9..14], record: None, placed: &placed };
//! let mut written = String::new();
//! texts.write(&[translation], &mut written);
//! assert_eq!(written, "{\"id\":12345678901234567890,\"text\":\"es singt Änne\",\"label\":[[9,13,\"PER\"]]}\n");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod object;
mod record;
mod studio;
mod write;
mod writer;

#[cfg(test)]
mod tests;

use std::ops::Range;

use serde_json::value::RawValue;

use self::object::Source;
pub use self::record::{Shape, SpanRecord, TextSpan};
use super::offsets::Offsets;
use crate::error::{Error, Result};

/// A file of records.
#[derive(Debug)]
pub struct SpanTexts<'t> {
    /// What messages call it.
    pub name: String,
    /// Its records.
    pub records: Vec<SpanRecord<'t>>,
    /// The shape of the first record that shows one.
    pub shape: Shape,
    is_list: bool,
    offsets: Offsets,
}

/// A label in a translation.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Which of the labels of the record it is, by number from 0.
    pub span: usize,
    /// The words of the translation that it is on, by number from 0; at least one.
    pub words: Range<usize>,
    /// How sure it is, from 0 to 1, where that is to be written: as `score` of the span (in Doccano's lists as `scores` of the record).
    pub score: Option<f32>,
}

/// What a record becomes in another language. Fields of the record stay, but for those that speak of places in its text:
///
/// * spans are those that are placed here, in their order; a second one of the same span has an id of its own;
/// * `tokens` are the words here; `_input_hash` and `_task_hash` are left out;
/// * relations, between spans by id, stay if both spans do; those of Prodigy, between words, are left out;
/// * of Label Studio's `annotations` only the first stays, of `predictions` none; results without a place in the text stay, those of a
///   span with the span.
///
/// Other fields of a record of the target take the place of those of the source.
#[derive(Debug, Clone)]
pub struct Translation<'a> {
    /// The translation.
    pub text: &'a str,
    /// Its words, as stretches of its bytes, in order.
    pub words: &'a [Range<usize>],
    /// The record that it was read from, if it was one.
    pub record: Option<&'a SpanRecord<'a>>,
    /// Where the labels are.
    pub placed: &'a [Placed],
}

impl<'t> SpanTexts<'t> {
    /// Reads the text of a file, called `name` in messages. O(bytes).
    ///
    /// # Errors
    /// `Parse` with line and column for what is no JSON, a field twice, a record without text, a span without label or out of its text.
    pub fn parse(text: &'t str, name: &str, offsets: Offsets) -> Result<Self> {
        let source = Source { text, name: name.to_owned() };
        let is_list = text.trim_ascii_start().starts_with('[');
        let records: Vec<&RawValue> = if is_list {
            serde_json::from_str(text).map_err(|error| source.syntax(&error))?
        } else {
            let records = serde_json::Deserializer::from_str(text).into_iter();
            records.collect::<Result<_, _>>().map_err(|error| source.syntax(&error))?
        };
        let records = records.into_iter().zip(1..).map(|(raw, number)| SpanRecord::read(&source, raw, number, offsets));
        let records = records.collect::<Result<Vec<SpanRecord<'t>>>>()?;
        let shape = records.iter().find_map(SpanRecord::shape).unwrap_or_default();
        Ok(Self { name: source.name, records, shape, is_list, offsets })
    }

    /// Adds a file of translations, one of each record, and says how much of the records had to be left out: annotations,
    /// predictions and relations.
    ///
    /// # Panics
    /// If there is not a translation of each record, or labels are not on its words.
    pub fn write(&self, translations: &[Translation<'_>], file: &mut String) -> u64 {
        assert_eq!(translations.len(), self.records.len(), "a translation of each record");
        let mut left_out = 0;
        file.push_str(if self.is_list { "[" } else { "" });
        for (number, (record, translation)) in self.records.iter().zip(translations).enumerate() {
            file.push_str(match (self.is_list, number) {
                (true, 0) => "\n",
                (true, _) => ",\n",
                (false, _) => "",
            });
            left_out += record.write(translation, self.shape, self.offsets, file);
            file.push_str(if self.is_list { "" } else { "\n" });
        }
        file.push_str(if self.is_list { "\n]\n" } else { "" });
        left_out
    }
}

/// Whether a file that begins so is probably JSON.
pub fn is_likely(start: &str) -> bool {
    let start = start.trim_start_matches('\u{FEFF}').trim_ascii_start();
    let behind = |bracket: char| start.strip_prefix(bracket).map(str::trim_ascii_start);
    behind('{').is_some_and(|rest| rest.starts_with('"'))
        || behind('[').is_some_and(|rest| rest.starts_with(['{', ']']))
}

impl Source<'_> {
    /// What the parser of JSON says, which counts lines of its own.
    fn syntax(&self, error: &serde_json::Error) -> Error {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let line = self.text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        let found = line.as_bytes().get(error.column().saturating_sub(1)..).unwrap_or_default();
        let position = crate::error::Position::new(self.name.as_str(), error.line() as u64, error.column() as u64);
        Error::parse(position, format!("JSON objects: {message}"), found)
    }
}
