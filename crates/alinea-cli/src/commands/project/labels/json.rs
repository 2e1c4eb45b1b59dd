//! Labels of characters in JSON.

use std::ops::Range;

use alinea::format::sink;
use alinea::format::span_json::{self, Placed, SpanTexts, Translation};

use super::characters::{CharacterLabel, Characters, Places};
use super::cut::CutTexts;
use super::files::TextFile;
use super::formats::{Found, has_extension};
use super::task::Task;

pub(super) fn run(task: &Task<'_>, found: &Found) -> anyhow::Result<()> {
    let (args, unit) = (task.args, task.args.offsets);
    let records = SpanTexts::parse(&found.file.text, &found.file.name, unit)?;
    let file = TextFile::read(&args.target)?;
    let is_json = has_extension(&args.target, &["json", "jsonl", "ndjson"]) || span_json::is_likely(&file.text);
    let other = if is_json { Some(SpanTexts::parse(&file.text, &file.name, unit)?) } else { None };
    let (output, mut report) = task.outputs()?;

    let of = |texts: &SpanTexts<'_>| -> Vec<Option<Vec<Range<usize>>>> {
        texts.records.iter().map(|record| record.tokens.clone()).collect()
    };
    let known = [of(&records), other.as_ref().map_or_else(Vec::new, of)];
    let known = known.each_ref().map(|side| side.iter().map(Option::as_deref).collect::<Vec<_>>());
    let texts: Vec<&str> = records.records.iter().map(|record| record.text.as_str()).collect();
    let target = match &other {
        Some(other) => other.records.iter().map(|record| record.text.as_str()).collect(),
        None => file.lines(),
    };
    let places = [Places::Texts(texts.clone(), unit), Places::Texts(target.clone(), unit)];
    let labels = records.records.iter().map(|record| {
        record.spans.iter().map(|span| CharacterLabel { bytes: span.bytes.clone(), label: &span.label }).collect()
    });
    let characters = Characters {
        names: [&records.name, &file.name],
        source: CutTexts::new(&args.cut, 0, &records.name, texts, &known[0])?,
        target: CutTexts::new(&args.cut, 1, &file.name, target, &known[1])?,
        labels: labels.collect(),
        what: "record",
    };
    let Some(mut found) = characters.carry(task, &places, &mut report)? else { return Ok(()) };
    let Some(mut output) = output else { return Ok(()) };

    let placed: Vec<Vec<Placed>> = (found.carried.iter())
        .map(|carried| {
            let placed = carried.iter().map(|carried| Placed {
                span: carried.label,
                words: carried.words.clone(),
                score: args.scores.then_some(carried.confidence),
            });
            placed.collect()
        })
        .collect();
    let translations: Vec<Translation<'_>> = (placed.iter().enumerate())
        .map(|(number, placed)| Translation {
            text: characters.target.texts[number],
            words: &characters.target.words[number],
            record: other.as_ref().map(|other| &other.records[number]),
            placed,
        })
        .collect();
    let mut written = String::new();
    found.totals.left_out = records.write(&translations, &mut written);
    output.write_bytes(written.as_bytes())?;
    sink::finish_all([Some(output), report].into_iter().flatten())?;
    found.totals.tell(task.context);
    Ok(())
}
