//! Links of one format are written in another, where it has room for them, and are the same when they are read again. The parts
//! of an A3 file come in any order.

use alinea::error::Result;
use alinea::format::alignment::{
    AlignmentFormat, AlignmentReader, AlignmentWriter, LinkReadOptions, LinkWriteOptions, PairRecord, Sentences,
};
use alinea::format::lines::Utf8;
use alinea_fuzz::parts::texts;
use alinea_fuzz::{NAME, choice, lines, read_again};

const MOST: usize = 5000;

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let (from, to) = (AlignmentFormat::ALL[choice % 6], AlignmentFormat::ALL[choice / 6 % 6]);
    let parts: Vec<&[u8]> = if from == AlignmentFormat::GizaA3 { texts::<3>(data).to_vec() } else { vec![data] };
    let Ok(records) = read(&parts, from, &LinkReadOptions::default()) else { return };
    let options = LinkWriteOptions::default();
    let mut writer = AlignmentWriter::new(Vec::new(), NAME, to, &options).expect("the options are right");
    for record in &records {
        if writer.write(record).is_err() {
            return;
        }
    }
    let written = writer.into_inner();
    let sentences = (to == AlignmentFormat::Naacl).then_some(Sentences::Count(records.len() as u64));
    let again = read(&[&written], to, &LinkReadOptions::default().with(|c| c.sentences = sentences));
    let Some(again) = read_again(again) else { return };
    assert_eq!(records.len(), again.len());
    for (record, again) in records.iter().zip(&again) {
        assert_eq!(record.alignment(), again.alignment());
        if !to.needs_words() {
            assert_eq!(record.gold(), again.gold());
        }
    }
}

fn read(parts: &[&[u8]], format: AlignmentFormat, options: &LinkReadOptions) -> Result<Vec<PairRecord>> {
    let parts = parts.iter().map(|part| lines(part, Utf8::Strict)).collect();
    AlignmentReader::new(parts, format, options)?.take(MOST).collect()
}
