//! Records of Label Studio.

use std::fmt::Write as _;

use serde_json::value::RawValue;

use super::object::{Object, Source, Writing, push_compact, push_list, push_string};
use super::record::{Reading, SpanRecord, TextSpan};
use super::writer::Writer;
use super::{Placed, Translation};
use crate::error::Result;

/// What is in `data` and in the first of the `annotations`.
#[derive(Debug, Clone)]
pub(super) struct Studio<'t> {
    data: Object<'t>,
    /// The first annotation, if there is one, and its results.
    annotation: Option<Object<'t>>,
    results: Vec<Entry<'t>>,
    /// The other annotations, and the predictions.
    beside: u64,
}

/// A result.
#[derive(Debug, Clone)]
struct Entry<'t> {
    item: Object<'t>,
    kind: Kind<'t>,
}

#[derive(Debug, Clone)]
enum Kind<'t> {
    /// A span, by number, and its value.
    Span(usize, Object<'t>),
    /// What is said of a span, and its value; nothing if there is no such span.
    OfSpan(Option<usize>, Object<'t>),
    /// Between the things of two ids.
    Relation([Option<&'t str>; 2]),
    /// Something without a place.
    Other,
}

impl<'t> Studio<'t> {
    pub(super) fn read(
        reading: &Reading<'_, 't>,
        fields: &Object<'t>,
        data: Object<'t>,
    ) -> Result<(Self, Vec<TextSpan>)> {
        let source = reading.source;
        let list = |key: &str| match fields.given(key) {
            Some(piece) => source.read::<Vec<&'t RawValue>>(piece, &format!("a list, the `{key}`")),
            None => Ok(Vec::new()),
        };
        let (annotations, predictions) = (list("annotations")?, list("predictions")?);
        let beside = (annotations.len().saturating_sub(1) + predictions.len()) as u64;
        let Some(&first) = annotations.first() else {
            return Ok((Self { data, annotation: None, results: Vec::new(), beside }, Vec::new()));
        };
        let annotation: Object<'t> = source.read(first, "an object, an annotation")?;
        let (mut results, mut spans) = (Vec::new(), Vec::new());
        let items = match annotation.given("result") {
            Some(piece) => source.read::<Vec<&'t RawValue>>(piece, "a list, the `result`")?,
            None => Vec::new(),
        };
        for item in items {
            results.push(Entry::read(reading, item, &mut spans)?);
        }
        let spans_by_id: Vec<(usize, &'t str)> = results.iter().filter_map(Entry::span).collect();
        for Entry { item, kind } in &mut results {
            if let Kind::OfSpan(span, _) = kind {
                let id = item.get("id").map(RawValue::get);
                *span = spans_by_id.iter().find(|(_, known)| Some(*known) == id).map(|&(span, _)| span);
            }
        }
        Ok((Self { data, annotation: Some(annotation), results, beside }, spans))
    }

    /// Writes the fields `data` and `annotations`, and says how much was left out.
    pub(super) fn write_field(&self, key: &str, writer: &Writer<'_, '_>, out: &mut String) -> u64 {
        if key == "data" {
            self.write_data(writer.translation, out);
            return 0;
        }
        let mut left_out = self.beside;
        push_list(&self.annotation, out, |annotation, out| {
            let mut object = Writing::new(out);
            for (key, piece) in &annotation.0 {
                if key == "result" {
                    left_out += self.write_results(writer, object.field(key));
                } else {
                    object.piece(key, piece);
                }
            }
            object.finish();
        });
        left_out
    }

    fn write_data(&self, translation: &Translation<'_>, out: &mut String) {
        let other = translation.record.and_then(SpanRecord::studio).map(|studio| &studio.data);
        let mut object = Writing::new(out);
        for (key, piece) in &self.data.0 {
            if key == "text" {
                push_string(translation.text, object.field(key));
            } else {
                object.piece(key, other.and_then(|other| other.get(key)).unwrap_or(piece));
            }
        }
        for (key, piece) in other.iter().flat_map(|other| &other.0).filter(|(key, _)| self.data.get(key).is_none()) {
            object.piece(key, piece);
        }
        object.finish();
    }

    fn write_results(&self, writer: &Writer<'_, '_>, out: &mut String) -> u64 {
        let placed = writer.translation.placed;
        let copies = |span: usize| placed.iter().filter(move |placed| placed.span == span).enumerate();
        let ids: Vec<(usize, &str)> = self.results.iter().filter_map(Entry::span).collect();
        let is_there = |id: Option<&str>| {
            let span = ids.iter().find(|(_, known)| Some(*known) == id).map(|&(span, _)| span);
            // Something without a place is always there.
            span.is_none_or(|span| copies(span).next().is_some())
        };
        let (mut written, mut left_out) = (Vec::new(), 0);
        for Entry { item, kind } in &self.results {
            match kind {
                Kind::Span(span, value) | Kind::OfSpan(Some(span), value) => {
                    let is_span = matches!(kind, Kind::Span(..));
                    for (copy, placed) in copies(*span) {
                        written.push(write_item(item, value, writer, placed, copy, is_span));
                    }
                }
                Kind::OfSpan(None, _) => left_out += 1,
                Kind::Relation(ends) if !ends.iter().copied().all(is_there) => left_out += 1,
                Kind::Relation(_) | Kind::Other => {
                    let mut text = String::new();
                    let mut object = Writing::new(&mut text);
                    for (key, piece) in &item.0 {
                        object.piece(key, piece);
                    }
                    object.finish();
                    written.push(text);
                }
            }
        }
        push_list(written, out, |item, out| out.push_str(&item));
        left_out
    }
}

/// A result on another stretch.
fn write_item(
    item: &Object<'_>,
    value: &Object<'_>,
    writer: &Writer<'_, '_>,
    placed: &Placed,
    copy: usize,
    is_span: bool,
) -> String {
    let bytes = writer.bytes(placed);
    let [start, end] = writer.table.of_bytes(&bytes);
    let mut text = String::new();
    let mut object = Writing::new(&mut text);
    for (key, piece) in &item.0 {
        match key.as_str() {
            "value" => {
                let mut object = Writing::new(object.field(key));
                for (key, piece) in &value.0 {
                    match key.as_str() {
                        "start" => push_number(start, object.field(key)),
                        "end" => push_number(end, object.field(key)),
                        "text" if is_span => push_string(&writer.translation.text[bytes.clone()], object.field(key)),
                        _ => object.piece(key, piece),
                    }
                }
                object.finish();
            }
            "id" if copy > 0 => {
                let id = serde_json::from_str(piece.get()).unwrap_or_else(|_| piece.get().to_owned());
                push_string(&format!("{id}-{}", copy + 1), object.field(key));
            }
            "score" if placed.score.is_some() => {}
            _ => object.piece(key, piece),
        }
    }
    if let Some(score) = placed.score.filter(|_| is_span) {
        let _ = write!(object.field("score"), "{score}");
    }
    object.finish();
    text
}

fn push_number(number: usize, out: &mut String) {
    push_compact(&number.to_string(), out);
}

impl<'t> Entry<'t> {
    /// Adds a span, if it is one.
    fn read(reading: &Reading<'_, 't>, piece: &'t RawValue, spans: &mut Vec<TextSpan>) -> Result<Self> {
        let source: &Source<'t> = reading.source;
        let item: Object<'t> = source.read(piece, "an object, a result")?;
        if item.get("type").is_some_and(|kind| kind.get() == "\"relation\"") {
            let ends = ["from_id", "to_id"].map(|end| item.get(end).map(RawValue::get));
            return Ok(Self { item, kind: Kind::Relation(ends) });
        }
        let value: Object<'t> = match item.given("value") {
            Some(value) if value.get().starts_with('{') => source.read(value, "an object, the `value`")?,
            _ => Object::default(),
        };
        let ends = ["start", "end"].map(|end| value.get(end));
        let kind = match value.given("labels") {
            _ if ends.iter().any(Option::is_none) => Kind::Other,
            None => Kind::OfSpan(None, value),
            Some(labels) => {
                let labels: Vec<String> = source.read(labels, "a list of strings, the labels")?;
                let bytes = reading.bytes(piece, spans.len() + 1, ends)?;
                spans.push(TextSpan { bytes, label: labels.join(",") });
                Kind::Span(spans.len() - 1, value)
            }
        };
        Ok(Self { item, kind })
    }

    /// The span that it is, by number, and its id.
    fn span(&self) -> Option<(usize, &'t str)> {
        match self.kind {
            Kind::Span(span, _) => Some((span, self.item.get("id").map_or("", RawValue::get))),
            _ => None,
        }
    }
}
