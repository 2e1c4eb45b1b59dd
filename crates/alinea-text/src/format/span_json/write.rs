//! The translation of a record.

use std::fmt::Write as _;

use serde_json::value::RawValue;

use super::object::{Object, Writing, push_list, push_string};
use super::record::{Body, Shape, SpanRecord};
use super::studio::Studio;
use super::writer::Writer;
use super::{Placed, Translation};
use crate::format::offsets::{OffsetTable, Offsets};

/// Fields that speak of the source text, or have spans, and so are not taken from a record of the target.
const OF_TEXT: [&str; 12] = [
    "text",
    "data",
    "spans",
    "entities",
    "label",
    "labels",
    "annotations",
    "predictions",
    "relations",
    "tokens",
    "_input_hash",
    "_task_hash",
];

impl<'t> SpanRecord<'t> {
    pub(super) fn studio(&self) -> Option<&Studio<'t>> {
        match &self.body {
            Body::Studio(studio) => Some(studio),
            Body::Field(..) | Body::Nothing => None,
        }
    }

    /// Adds the translation, with spans in this shape if the record itself shows none; says how much was left out.
    pub(super) fn write(&self, translation: &Translation<'_>, shape: Shape, unit: Offsets, out: &mut String) -> u64 {
        let writer = Writer { translation, table: OffsetTable::new(translation.text, unit) };
        // `label` may be there, and be something else.
        let is_free = shape != Shape::Annotations && self.fields.get(shape.field()).is_none();
        let shape = self.shape().unwrap_or(if is_free { shape } else { Shape::Spans });
        let has_scores = matches!(shape, Shape::Label | Shape::Labels)
            && translation.placed.iter().any(|placed| placed.score.is_some());
        let target = translation.record.map(|record| &record.fields);
        let (mut left_out, mut has_spans) = (0, false);
        let mut object = Writing::new(out);
        for (key, piece) in &self.fields.0 {
            match (key.as_str(), &self.body) {
                ("data" | "annotations", Body::Studio(studio)) => {
                    left_out += studio.write_field(key, &writer, object.field(key));
                    has_spans |= key == "annotations";
                }
                ("predictions", Body::Studio(_)) => object.field(key).push_str("[]"),
                ("text", _) => push_string(translation.text, object.field(key)),
                ("tokens", _) if self.tokens.is_some() => writer.push_tokens(object.field(key)),
                ("_input_hash" | "_task_hash", _) => {}
                ("relations", Body::Field(shape, items)) => match relations(*shape, items, piece, &writer) {
                    (None, number) => left_out += number,
                    (Some(relations), number) => {
                        left_out += number;
                        push_list(relations, object.field(key), |piece, out| out.push_str(&piece));
                    }
                },
                (key, Body::Field(shape, items)) if key == shape.field() => {
                    writer.push_spans(*shape, items, object.field(key));
                    has_spans = true;
                }
                ("scores", _) if has_scores => {}
                (key, _) => {
                    let other = target.and_then(|target| target.get(key)).filter(|_| !OF_TEXT.contains(&key));
                    object.piece(key, other.unwrap_or(piece));
                }
            }
        }
        let is_new =
            |key: &str| !OF_TEXT.contains(&key) && self.fields.get(key).is_none() && !(has_scores && key == "scores");
        for (key, piece) in target.iter().flat_map(|target| &target.0).filter(|(key, _)| is_new(key)) {
            object.piece(key, piece);
        }
        if !has_spans && self.studio().is_none() {
            object.field(shape.field()).push_str("[]");
        }
        if has_scores {
            push_list(writer.in_order(), object.field("scores"), |placed, out| {
                let _ = write!(out, "{}", placed.score.unwrap_or_default());
            });
        }
        object.finish();
        left_out
    }
}

impl Writer<'_, '_> {
    /// Labels in the order of the text.
    fn in_order(&self) -> Vec<&Placed> {
        let mut placed: Vec<&Placed> = self.translation.placed.iter().collect();
        placed.sort_by_key(|placed| (placed.words.start, placed.words.end, placed.span));
        placed
    }

    fn push_tokens(&self, out: &mut String) {
        let text = self.translation.text;
        push_list(self.translation.words.iter().zip(0..), out, |(word, id), out| {
            let [start, end] = self.table.of_bytes(word);
            let is_before_blank = text[word.end..].starts_with(char::is_whitespace);
            out.push_str("{\"text\":");
            push_string(&text[word.clone()], out);
            let _ = write!(out, ",\"start\":{start},\"end\":{end},\"id\":{id},\"ws\":{is_before_blank}}}");
        });
    }

    fn push_spans(&self, shape: Shape, items: &[&RawValue], out: &mut String) {
        let mut seen = vec![0_usize; items.len()];
        push_list(self.in_order(), out, |placed, out| {
            let item = items[placed.span];
            seen[placed.span] += 1;
            if matches!(shape, Shape::Label | Shape::Labels) {
                self.push_in_list(item, placed, out);
            } else {
                self.push_object(item, placed, shape, seen[placed.span], out);
            }
        });
    }

    /// `[start, end, label]`, and what else the list has.
    fn push_in_list(&self, item: &RawValue, placed: &Placed, out: &mut String) {
        let [start, end] = self.table.of_bytes(&self.bytes(placed));
        let parts: Vec<&RawValue> = serde_json::from_str(item.get()).unwrap_or_default();
        let ends = [start.to_string(), end.to_string()];
        let rest = parts.iter().skip(2).map(|part| part.get());
        push_list(ends.iter().map(String::as_str).chain(rest), out, |part, out| {
            super::object::push_compact(part, out);
        });
    }

    fn push_object(&self, item: &RawValue, placed: &Placed, shape: Shape, copy: usize, out: &mut String) {
        let bytes = self.bytes(placed);
        let [start, end] = self.table.of_bytes(&bytes);
        let fields: Object<'_> = serde_json::from_str(item.get()).unwrap_or_default();
        let mut object = Writing::new(out);
        for (key, piece) in &fields.0 {
            let number = match key.as_str() {
                key if key == shape.ends()[0] => Some(start),
                key if key == shape.ends()[1] => Some(end),
                "token_start" => Some(placed.words.start),
                // Prodigy's last word.
                "token_end" => Some(placed.words.end - 1),
                _ => None,
            };
            match (key.as_str(), number) {
                (_, Some(number)) => object.field(key).push_str(&number.to_string()),
                ("text", _) => push_string(&self.translation.text[bytes.clone()], object.field(key)),
                // Ids are of one span each.
                ("id", _) if copy > 1 => {
                    let id = serde_json::from_str(piece.get()).unwrap_or_else(|_| piece.get().to_owned());
                    push_string(&format!("{id}-{copy}"), object.field(key));
                }
                ("score", _) if placed.score.is_some() => {}
                _ => object.piece(key, piece),
            }
        }
        if let Some(score) = placed.score {
            let _ = write!(object.field("score"), "{score}");
        }
        object.finish();
    }
}

/// The relations whose spans are both there, if they are by id, and how many others there are.
fn relations(
    shape: Shape,
    items: &[&RawValue],
    relations: &RawValue,
    writer: &Writer<'_, '_>,
) -> (Option<Vec<String>>, u64) {
    let Ok(all) = serde_json::from_str::<Vec<&RawValue>>(relations.get()) else { return (None, 1) };
    if shape != Shape::Entities {
        return (None, all.len() as u64);
    }
    let ids = |piece: &RawValue, keys: [&str; 2]| {
        let object: Object<'_> = serde_json::from_str(piece.get()).unwrap_or_default();
        keys.map(|key| object.get(key).map(|id| id.get().to_owned()))
    };
    let is_placed = |span: usize| writer.translation.placed.iter().any(|placed| placed.span == span);
    let placed: Vec<Option<String>> =
        (0..items.len()).filter(|&span| is_placed(span)).map(|span| ids(items[span], ["id", "id"])[0].take()).collect();
    let is_there = |end: &Option<String>| end.is_some() && placed.contains(end);
    let number = all.len();
    let kept: Vec<String> = (all.into_iter())
        .filter(|relation| ids(relation, ["from_id", "to_id"]).iter().all(is_there))
        .map(|relation| {
            let mut text = String::new();
            super::object::push_compact(relation.get(), &mut text);
            text
        })
        .collect();
    let left_out = number - kept.len();
    (Some(kept), left_out as u64)
}
