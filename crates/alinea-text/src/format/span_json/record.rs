//! A record: its text, and the labels on it.

use std::ops::Range;

use serde_json::value::RawValue;

use super::object::{Object, Source};
use super::studio::Studio;
use crate::error::Result;
use crate::format::offsets::{OffsetTable, Offsets};

/// Where a record has its spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shape {
    /// `spans`, objects with `start`, `end` and `label`: Prodigy, spaCy.
    #[default]
    Spans,
    /// `entities`, objects with `start_offset`, `end_offset` and `label`: Doccano with relations.
    Entities,
    /// `label`, lists `[start, end, label]`: Doccano.
    Label,
    /// `labels`, likewise.
    Labels,
    /// `annotations` with `result`s: Label Studio, whose text is in `data.text`.
    Annotations,
}

impl Shape {
    /// The field that has the spans.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Spans => "spans",
            Self::Entities => "entities",
            Self::Label => "label",
            Self::Labels => "labels",
            Self::Annotations => "annotations",
        }
    }

    /// The fields of a span that is an object.
    pub(super) const fn ends(self) -> [&'static str; 2] {
        if matches!(self, Self::Entities) { ["start_offset", "end_offset"] } else { ["start", "end"] }
    }
}

/// A label on a stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSpan {
    /// The bytes; at least one.
    pub bytes: Range<usize>,
    /// What they are labeled with; several labels of Label Studio with commas between.
    pub label: String,
}

/// A text with labels.
#[derive(Debug, Clone)]
pub struct SpanRecord<'t> {
    /// Its text.
    pub text: String,
    /// Its labels, in the order of the file.
    pub spans: Vec<TextSpan>,
    /// The words that it says it has (`tokens`), as stretches of bytes in order.
    pub tokens: Option<Vec<Range<usize>>>,
    pub(super) fields: Object<'t>,
    pub(super) body: Body<'t>,
}

/// Where the spans come from.
#[derive(Debug, Clone)]
pub(super) enum Body<'t> {
    /// A field of this shape, with a piece for each span.
    Field(Shape, Vec<&'t RawValue>),
    Studio(Studio<'t>),
    /// There are none.
    Nothing,
}

/// A text whose places are being read.
pub(super) struct Reading<'s, 't> {
    pub(super) source: &'s Source<'t>,
    /// The number of the record, from 1.
    record: usize,
    table: OffsetTable<'s>,
    unit: Offsets,
}

impl Reading<'_, '_> {
    /// The bytes between two places; `number` is that of the span, from 1.
    pub(super) fn bytes(&self, piece: &RawValue, number: usize, ends: [Option<&RawValue>; 2]) -> Result<Range<usize>> {
        let [start, end] = ends.map(|end| end.and_then(|end| end.get().parse::<usize>().ok()));
        let bytes = start.zip(end).and_then(|(start, end)| self.table.bytes([start, end]));
        bytes.ok_or_else(|| {
            let (record, length, unit) = (self.record, self.table.len(), self.unit);
            let expected = format!("span {number} of record {record} within its text of {length} {unit}");
            self.source.fault(piece, expected)
        })
    }
}

impl<'t> SpanRecord<'t> {
    pub(super) fn read(source: &Source<'t>, raw: &'t RawValue, number: usize, unit: Offsets) -> Result<Self> {
        let fields: Object<'t> = source.read(raw, "a JSON object, a record")?;
        let data: Option<Object<'t>> = match fields.given("data") {
            Some(data) if fields.get("text").is_none() => Some(source.read(data, "an object, the `data`")?),
            _ => None,
        };
        let text = data.as_ref().unwrap_or(&fields).get("text");
        let text = text.ok_or_else(|| source.fault(raw, "a record with `text`, or `data.text`"))?;
        let text: String = source.read(text, "a string, the text")?;
        let reading = Reading { source, record: number, table: OffsetTable::new(&text, unit), unit };
        let (body, spans) = match data {
            Some(data) => {
                let (studio, spans) = Studio::read(&reading, &fields, data)?;
                (Body::Studio(studio), spans)
            }
            None => field(&reading, &fields)?,
        };
        let tokens = fields.given("tokens").map(|tokens| self::tokens(&reading, tokens)).transpose()?;
        Ok(Self { text, spans, tokens, fields, body })
    }

    /// Where its spans are, if it has a place for them.
    pub(super) fn shape(&self) -> Option<Shape> {
        match self.body {
            Body::Field(shape, _) => Some(shape),
            Body::Studio(_) => Some(Shape::Annotations),
            Body::Nothing => None,
        }
    }
}

/// The spans of the first field that has some.
fn field<'t>(reading: &Reading<'_, 't>, fields: &Object<'t>) -> Result<(Body<'t>, Vec<TextSpan>)> {
    for shape in [Shape::Spans, Shape::Entities, Shape::Labels, Shape::Label] {
        let are_lists = matches!(shape, Shape::Labels | Shape::Label);
        let Some(field) = fields.get(shape.field()) else { continue };
        // `label` is something else where it labels the whole text.
        let begins = |with: &str| field.get().strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(with));
        if are_lists && !begins("[") && !begins("]") {
            continue;
        }
        let items = match field.get() {
            "null" => Vec::new(),
            _ => reading.source.read::<Vec<&'t RawValue>>(field, "a list of spans")?,
        };
        let spans = items.iter().zip(1..).map(|(item, number)| {
            let (ends, label) = if are_lists { of_list(reading, item)? } else { of_object(reading, item, shape)? };
            Ok(TextSpan { bytes: reading.bytes(item, number, ends)?, label })
        });
        let spans = spans.collect::<Result<_>>()?;
        return Ok((Body::Field(shape, items), spans));
    }
    Ok((Body::Nothing, Vec::new()))
}

/// The ends and the label of a span.
type Parts<'t> = ([Option<&'t RawValue>; 2], String);

fn of_list<'t>(reading: &Reading<'_, 't>, item: &'t RawValue) -> Result<Parts<'t>> {
    const EXPECTED: &str = "a span `[start, end, label]`";
    let parts: Vec<&'t RawValue> = reading.source.read(item, EXPECTED)?;
    let [start, end, label, ..] = parts[..] else { return Err(reading.source.fault(item, EXPECTED)) };
    Ok(([Some(start), Some(end)], reading.source.read(label, "a string, the label")?))
}

fn of_object<'t>(reading: &Reading<'_, 't>, item: &'t RawValue, shape: Shape) -> Result<Parts<'t>> {
    let object: Object<'t> = reading.source.read(item, "an object, a span")?;
    let label = object.get("label").ok_or_else(|| reading.source.fault(item, "a span with a `label`"))?;
    let label: String = reading.source.read(label, "a string, the label")?;
    Ok((shape.ends().map(|end| object.get(end)), label))
}

/// The words of `tokens`.
fn tokens<'t>(reading: &Reading<'_, 't>, tokens: &'t RawValue) -> Result<Vec<Range<usize>>> {
    let source = reading.source;
    let mut words: Vec<Range<usize>> = Vec::new();
    for item in source.read::<Vec<&'t RawValue>>(tokens, "a list of tokens")? {
        let token: Object<'t> = source.read(item, "an object, a token")?;
        let [start, end] = ["start", "end"].map(|end| token.get(end)?.get().parse::<usize>().ok());
        let bytes = start.zip(end).and_then(|(start, end)| reading.table.bytes([start, end]));
        let behind = words.last().map_or(0, |word| word.end);
        match bytes.filter(|bytes| bytes.start >= behind) {
            Some(bytes) => words.push(bytes),
            None => return Err(source.fault(item, "a token within the text, behind the one before")),
        }
    }
    // What is nothing but white space is no word.
    let text = reading.table.text();
    words.retain(|word| !text[word.clone()].trim().is_empty());
    Ok(words)
}
