//! Standoff annotation of brat, whose texts have a sentence a line.
//!
//! Each piece of an entity is carried as a label of its own. The pieces of an entity with several are put together again; each stretch of one
//! with a single piece is an entity.

use alinea::format::brat::{Brat, Put};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::offsets::OffsetTable;
use alinea::format::sink;
use alinea::labels::Cover;

use super::characters::{Carried, CharacterLabel, Characters, Places};
use super::cut::CutTexts;
use super::files::TextFile;
use super::formats::Found;
use super::task::Task;

pub(super) fn run(task: &Task<'_>, found: &Found) -> anyhow::Result<()> {
    let (args, unit) = (task.args, task.args.offsets);
    let annotation = found.annotation.clone().unwrap_or_default();
    let brat = Brat::read(LineReader::open(&annotation, Utf8::Strict)?, &found.file.text, unit)?;
    let target = TextFile::read(&found.target(&args.target))?;
    let (output, mut report) = task.outputs()?;

    let (lines, target_lines) = (found.file.lines(), target.lines());
    let [starts, target_starts] = [&found.file, &target].map(starts);
    // The entity of each label of each line.
    let mut labels: Vec<Vec<CharacterLabel<'_>>> = lines.iter().map(|_| Vec::new()).collect();
    let mut entities: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
    for (number, entity) in brat.entities.iter().enumerate() {
        for piece in &entity.pieces {
            let line = starts.partition_point(|&start| start <= piece.start) - 1;
            let bytes = piece.start - starts[line]..piece.end - starts[line];
            labels[line].push(CharacterLabel { bytes, label: &entity.label });
            entities[line].push(number);
        }
    }
    let places = [
        Places::File(OffsetTable::new(&found.file.text, unit), starts),
        Places::File(OffsetTable::new(&target.text, unit), target_starts.clone()),
    ];
    let characters = Characters {
        names: [&found.file.name, &target.name],
        source: CutTexts::new(&args.cut, 0, &found.file.name, lines, &[])?,
        target: CutTexts::new(&args.cut, 1, &target.name, target_lines, &[])?,
        labels,
        what: "line",
    };
    let Some(mut carried) = characters.carry(task, &places, &mut report)? else { return Ok(()) };
    let Some(mut output) = output else { return Ok(()) };

    let mut put: Vec<Put> = Vec::new();
    for (line, carried) in carried.carried.iter().enumerate() {
        for Carried { label, words, .. } in carried {
            let entity = entities[line][*label];
            let bytes = Cover::bytes(&characters.target.words[line], words);
            let bytes = target_starts[line] + bytes.start..target_starts[line] + bytes.end;
            let is_whole = brat.entities[entity].pieces.len() == 1;
            // The pieces of an entity of several are put together.
            let before = if is_whole { None } else { put.iter_mut().find(|put| put.entity == entity) };
            match before {
                Some(put) => put.pieces.push(bytes),
                None => put.push(Put { entity, pieces: vec![bytes] }),
            }
        }
    }
    let mut written = String::new();
    carried.totals.left_out = brat.write(&target.text, &put, unit, &mut written);
    output.write_bytes(written.as_bytes())?;
    sink::finish_all([Some(output), report].into_iter().flatten())?;
    carried.totals.tell(task.context);
    Ok(())
}

/// The byte that each line begins at.
fn starts(file: &TextFile) -> Vec<usize> {
    let mut at = 0;
    let start = |line: &str| {
        let start = at;
        at += line.len();
        start
    };
    file.text.split_inclusive('\n').map(start).collect()
}
