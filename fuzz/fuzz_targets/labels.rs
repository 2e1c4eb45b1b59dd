//! Labels in columns, CoNLL-U, JSON and brat's standoff are read or refused, and are the same when they are written and read again.

use std::ops::Range;

use alinea::format::brat::{Brat, Put};
use alinea::format::columns::{self, Choice};
use alinea::format::conllu;
use alinea::format::conllu_field::{self, Field};
use alinea::format::lines::Utf8;
use alinea::format::offsets::Offsets;
use alinea::format::span_json::{Placed, SpanTexts, Translation};
use alinea::format::tokens::{Tokenize, places};
use alinea::labels::Cover;
use alinea::tree::Roots;
use alinea_fuzz::parts::texts;
use alinea_fuzz::{choice, lines};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let unit = Offsets::ALL[choice / 4 % 3];
    match choice % 4 {
        0 => {
            if let Ok(text) = columns::read(lines(data, Utf8::Strict), Choice::default()) {
                let _ = (text.spans(), text.scheme());
            }
        }
        1 => fields(data),
        2 => {
            if let Ok(text) = std::str::from_utf8(data) {
                records(text, unit);
            }
        }
        _ => standoff(data, unit),
    }
}

fn fields(data: &[u8]) {
    let Ok(sentences) = conllu::Reader::new(lines(data, Utf8::Strict), Roots::Many).collect::<Result<Vec<_>, _>>()
    else {
        return;
    };
    for sentence in &sentences {
        for field in ["upos", "xpos", "feats", "misc:NER"].map(|name| name.parse::<Field>().expect("a field")) {
            let values: Vec<Option<&str>> = sentence.words().map(|word| field.of(word)).collect();
            let _ = field.tags(sentence, "f");
            let mut written = String::new();
            conllu_field::write(sentence, &field, &values, &mut written);
            let again = conllu::parse(&written, "f", Roots::Many).expect("what was written is read");
            assert_eq!(again[0].words().map(|word| field.of(word)).collect::<Vec<_>>(), values);
        }
    }
}

fn records(text: &str, unit: Offsets) {
    let Ok(texts) = SpanTexts::parse(text, "f", unit) else { return };
    let words: Vec<Vec<Range<usize>>> =
        texts.records.iter().map(|record| places(&record.text, Tokenize::Script)).collect();
    let mut placed: Vec<Vec<Placed>> = Vec::new();
    for (record, words) in texts.records.iter().zip(&words) {
        let covers =
            record.spans.iter().enumerate().filter_map(|(span, of)| Some((span, Cover::of(words, &of.bytes)?)));
        placed.push(covers.map(|(span, cover)| Placed { span, words: cover.words, score: Some(0.5) }).collect());
    }
    let translations: Vec<Translation<'_>> = (texts.records.iter().zip(&words).zip(&placed))
        .map(|((record, words), placed)| Translation { text: &record.text, words, record: Some(record), placed })
        .collect();
    let mut written = String::new();
    texts.write(&translations, &mut written);
    let again = SpanTexts::parse(&written, "f", unit).expect("what was written is read");
    for ((record, again), placed) in texts.records.iter().zip(&again.records).zip(&placed) {
        assert_eq!((&again.text, again.spans.len()), (&record.text, placed.len()));
    }
}

fn standoff(data: &[u8], unit: Offsets) {
    let [text, annotation] = texts(data);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(brat) = Brat::read(lines(annotation, Utf8::Strict), text, unit) else { return };
    let put = |brat: &Brat| -> Vec<Put> {
        let entities = brat.entities.iter().enumerate();
        entities.map(|(entity, found)| Put { entity, pieces: found.pieces.clone() }).collect()
    };
    let mut written = String::new();
    assert_eq!(brat.write(text, &put(&brat), unit, &mut written), 0);
    let again = Brat::read(lines(written.as_bytes(), Utf8::Strict), text, unit).expect("what was written is read");
    let mut twice = String::new();
    again.write(text, &put(&again), unit, &mut twice);
    assert_eq!(twice, written);
}
