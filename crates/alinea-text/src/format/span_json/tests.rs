#![expect(clippy::single_range_in_vec_init, reason = "a list of one range is meant")]

use std::ops::Range;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::format::tokens::{Tokenize, places};

fn parse(text: &str) -> Result<SpanTexts<'_>> {
    SpanTexts::parse(text, "f", Offsets::Characters)
}

/// The same text again, with all labels where they are; they are on words of these bytes.
fn same(texts: &SpanTexts<'_>, words: &[Vec<Range<usize>>], score: Option<f32>) -> String {
    let placed: Vec<Vec<Placed>> = (texts.records.iter().zip(words))
        .map(|(record, words)| {
            let placed = record.spans.iter().enumerate().map(|(span, TextSpan { bytes, .. })| {
                let first = words.iter().position(|word| word.start == bytes.start).unwrap();
                let last = words.iter().position(|word| word.end == bytes.end).unwrap();
                Placed { span, words: first..last + 1, score }
            });
            placed.collect()
        })
        .collect();
    let translations: Vec<Translation<'_>> = (texts.records.iter().zip(words).zip(&placed))
        .map(|((record, words), placed)| Translation { text: &record.text, words, record: None, placed })
        .collect();
    let mut file = String::new();
    assert_eq!(texts.write(&translations, &mut file), 0);
    file
}

#[test]
fn records_are_told_by_what_they_have() {
    let shape = |text: &str| parse(text).unwrap().shape;
    assert_eq!(shape(r#"{"text":"a"} {"text":"a","label":[[0,1,"X"]]}"#), Shape::Label);
    assert_eq!(shape(r#"{"text":"a","label":["good"],"labels":[]}"#), Shape::Labels);
    assert_eq!(shape(r#"{"text":"a","label":"good","spans":null}"#), Shape::Spans);
    assert_eq!(shape(r#"[{"text":"a","entities":[]}]"#), Shape::Entities);
    assert_eq!(shape(r#"{"data":{"text":"a"}}"#), Shape::Annotations);
    assert_eq!(
        (shape(""), shape("[]"), shape(r#"{"text":"a","label":"x"}"#)),
        (Shape::Spans, Shape::Spans, Shape::Spans)
    );
    for (start, likely) in [("{\"a\"", true), ("\u{FEFF} [ {", true), ("[\n]", true), ("[ O\n", false), ("{ O", false)]
    {
        assert_eq!(is_likely(start), likely, "{start}");
    }
}

#[test]
fn what_nobody_knows_stays_as_it_is() {
    let text = "{\"a\": 1.50, \"text\": \"x \\\" y\", \"b\": {\"c\": [ 1e400 , \"d  \\\\\" ]}, \"spans\": []}\n";
    let texts = parse(text).unwrap();
    let written = same(&texts, &[places(&texts.records[0].text, Tokenize::Script)], None);
    assert_eq!(written, "{\"a\":1.50,\"text\":\"x \\\" y\",\"b\":{\"c\":[1e400,\"d  \\\\\"]},\"spans\":[]}\n");
    // A record without a place for spans gets that of the others.
    let texts = parse("{\"text\":\"a\",\"label\":[[0,1,\"X\"]]}\n{\"text\":\"a\",\"label\":\"b\"}").unwrap();
    assert!(same(&texts, &[vec![0..1], vec![0..1]], None).ends_with("{\"text\":\"a\",\"label\":\"b\",\"spans\":[]}\n"));
    let texts = parse("{\"text\":\"a\"}\n{\"text\":\"a\",\"labels\":[]}").unwrap();
    assert_eq!(
        same(&texts, &[vec![0..1], vec![0..1]], None),
        "{\"text\":\"a\",\"labels\":[]}\n{\"text\":\"a\",\"labels\":[]}\n"
    );
}

#[test]
fn a_span_that_is_put_twice_has_two_ids() {
    let text =
        json!({"text": "a", "entities": [{"id": 4, "start_offset": 0, "end_offset": 1, "label": "X"}]}).to_string();
    let studio = json!({"data": {"text": "a"}, "annotations": [{"result": [
        {"id": "q", "type": "labels", "value": {"start": 0, "end": 1, "labels": ["X"]}}]}]});
    let studio = studio.to_string();
    let ids = |text: &str, at: &str| -> Vec<Value> {
        let placed = [0..1, 1..2].map(|words| Placed { span: 0, words, score: Some(0.5) });
        let translation = Translation { text: "b c", words: &[0..1, 2..3], record: None, placed: &placed };
        let mut file = String::new();
        parse(text).unwrap().write(&[translation], &mut file);
        let record: Value = serde_json::from_str(&file).unwrap();
        let items = record.pointer(at).unwrap().as_array().unwrap();
        assert!(items.iter().all(|item| item["score"] == json!(0.5)), "{file}");
        items.iter().map(|item| item["id"].clone()).collect()
    };
    assert_eq!(ids(&text, "/entities"), [json!(4), json!("4-2")]);
    assert_eq!(ids(&studio, "/annotations/0/result"), [json!("q"), json!("q-2")]);
}

#[test]
fn words_of_tokens_are_not_white_space() {
    let text = r#"{"text":"a \n b","tokens":[{"start":0,"end":1},{"start":1,"end":4},{"start":4,"end":5}]}"#;
    assert_eq!(parse(text).unwrap().records[0].tokens, Some(vec![0..1, 4..5]));
    let error = parse(&text.replace("\"start\":4", "\"start\":3")).unwrap_err().to_string();
    assert!(error.starts_with("f:1:68: expected a token within the text, behind the one before"), "{error}");
}

proptest! {
    /// Spans of all shapes and units are read as they were written, nested or not.
    #[test]
    fn what_is_written_is_read(
        words in prop::collection::vec("[a-cé東👍]{1,3}", 1..6), cuts in prop::collection::vec((0..6_usize, 1..4_usize, "[A-C]"), 0..5),
        shape in 0..5_usize, unit in 0..3_usize, is_list: bool,
    ) {
        let (unit, text) = (Offsets::ALL[unit], words.join(" "));
        let table = super::super::offsets::OffsetTable::new(&text, unit);
        let mut bytes: Vec<Range<usize>> = Vec::new();
        for word in text.split(' ') {
            let start = bytes.last().map_or(0, |last| last.end + 1);
            bytes.push(start..start + word.len());
        }
        let spans: Vec<([usize; 2], String)> = (cuts.into_iter())
            .map(|(start, length, label)| {
                let start = start.min(bytes.len() - 1);
                let end = (start + length).min(bytes.len());
                (table.of_bytes(&(bytes[start].start..bytes[end - 1].end)), label)
            })
            .collect();
        let record = match shape {
            0 => json!({"text": text, "spans":
                spans.iter().map(|([start, end], label)| json!({"start": start, "end": end, "label": label})).collect::<Vec<_>>()}),
            1 => json!({"text": text, "entities": spans.iter().enumerate().map(|(id, ([start, end], label))|
                json!({"id": id, "start_offset": start, "end_offset": end, "label": label})).collect::<Vec<_>>()}),
            2 | 3 => {
                let lists: Vec<Value> = spans.iter().map(|([start, end], label)| json!([start, end, label])).collect();
                if shape == 2 { json!({"text": text, "label": lists}) } else { json!({"text": text, "labels": lists}) }
            }
            _ => json!({"data": {"text": text}, "annotations": [{"result": spans.iter().enumerate().map(|(id, ([start, end], label))|
                json!({"id": id.to_string(), "type": "labels", "value": {"start": start, "end": end, "labels": [label]}}))
                .collect::<Vec<_>>()}]}),
        };
        let file = if is_list { json!([record]).to_string() } else { record.to_string() };
        let texts = SpanTexts::parse(&file, "f", unit).unwrap();
        let read = &texts.records[0];
        prop_assert_eq!(&read.text, &text);
        let places: Vec<([usize; 2], String)> =
            read.spans.iter().map(|span| (table.of_bytes(&span.bytes), span.label.clone())).collect();
        prop_assert_eq!(&places, &spans);
        let written = same(&texts, &[bytes], None);
        let again = SpanTexts::parse(&written, "f", unit).unwrap();
        let sorted = |texts: &SpanTexts<'_>| {
            let mut spans: Vec<(usize, usize, String)> =
                texts.records[0].spans.iter().map(|span| (span.bytes.start, span.bytes.end, span.label.clone())).collect();
            spans.sort();
            spans
        };
        prop_assert_eq!(sorted(&again), sorted(&texts));
    }

    /// Any text is read or refused.
    #[test]
    fn nothing_is_a_panic(text in r#"([\[\]{},:" \n0-9a]|"text"|"spans"|"label"|"data"|"annotations"|"result"|"value"|"start"|"end"|null){0,24}"#) {
        let _ = parse(&text);
    }
}
