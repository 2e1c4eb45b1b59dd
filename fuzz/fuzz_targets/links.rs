//! Each format of links is read or refused; what was read is the same when it is written and read again.

use alinea::error::Result;
use alinea::format::alignment::{
    AlignmentFormat, AlignmentReader, AlignmentWriter, Base, GizaDirection, LinkKind, LinkReadOptions,
    LinkWriteOptions, PairRecord, Sentences,
};
use alinea::format::lines::Utf8;
use alinea_fuzz::{NAME, bit, choice, lines, read_again};

/// NAACL files have an empty pair for each number that they skip.
const MOST: usize = 5000;

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let format = AlignmentFormat::ALL[choice % AlignmentFormat::ALL.len()];
    let choice = choice / AlignmentFormat::ALL.len();
    let options = LinkReadOptions::default().with(|c| {
        c.base = [None, Some(Base::Zero), Some(Base::One)][choice % 3];
        c.direction = if bit(choice / 3, 0) { GizaDirection::TargetToSource } else { GizaDirection::SourceToTarget };
        c.utf8 = [Utf8::Strict, Utf8::Lossy][choice / 6 & 1];
    });
    let Ok(mut records) = read(data, format, &options) else { return };
    if !format.is_written() {
        return;
    }
    let count = Sentences::Count(records.len() as u64);
    let write = LinkWriteOptions::default().with(|c| {
        c.base = options.base;
        c.direction = options.direction;
        c.digits = (!matches!(format, AlignmentFormat::JsonLines | AlignmentFormat::Serval))
            .then_some(LinkWriteOptions::MAX_DIGITS);
    });
    let mut writer = AlignmentWriter::new(Vec::new(), NAME, format, &write).expect("the options are right");
    for record in &records {
        if writer.write(record).is_err() {
            return;
        }
    }
    let written = writer.into_inner();
    let sentences = (format == AlignmentFormat::Naacl).then_some(count);
    let options = options.with(|c| c.sentences = sentences);
    let Some(mut again) = read_again(read(&written, format, &options)) else { return };
    for record in records.iter_mut().chain(&mut again) {
        // Decimals of tiny and huge weights are lost.
        record.links.iter_mut().for_each(|link| link.weight = None);
        // These have links of one kind.
        if matches!(format, AlignmentFormat::Comtrans | AlignmentFormat::SimAlign | AlignmentFormat::Serval) {
            record.links.iter_mut().for_each(|link| link.kind = LinkKind::Sure);
        }
        record.score = record.score.filter(|_| format == AlignmentFormat::JsonLines);
        record.normalize();
    }
    assert_eq!(records, again);
}

fn read(data: &[u8], format: AlignmentFormat, options: &LinkReadOptions) -> Result<Vec<PairRecord>> {
    let reader = AlignmentReader::new(vec![lines(data, options.utf8)], format, options)?;
    reader.take(MOST).collect()
}
