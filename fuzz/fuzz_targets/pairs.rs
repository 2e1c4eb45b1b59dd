//! Files of sentence pairs are read or refused, a pair is two lines, and what was read is read again from every format that it is
//! written in.

use std::fs;

use alinea::error::{ErrorKind, Position, Result};
use alinea::format::lines::Utf8;
use alinea::format::pairs::{PairFormat, PairOptions, PairReader, PairWriteOptions, PairWriter, Tags};
use alinea_fuzz::{bit, choice, file, folder, input};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let own = |names: [&str; 2]| Some(names.map(str::to_owned));
    let options = PairOptions::default().with(|c| {
        // One of the formats, or what the content says.
        c.format = PairFormat::ALL.get(choice & 15).copied();
        c.languages = if bit(choice, 4) { own(["en", "fr"]) } else { None };
        c.fields = if bit(choice, 5) { own(["1", "2"]) } else { None };
        c.tags = if bit(choice, 6) { Tags::Keep } else { Tags::Strip };
        c.utf8 = if bit(choice, 7) { Utf8::Lossy } else { Utf8::Strict };
    });
    let Ok(pairs) = PairReader::new(input(data), &options).and_then(read) else { return };
    // An archive is read as a stream where it is a file.
    let path = file("pairs", data);
    let again = PairReader::open(&path, &options).and_then(read).expect("the same bytes");
    assert_eq!(again, pairs);
    for format in PairFormat::ALL {
        written(&pairs, format);
    }
}

fn read(mut reader: PairReader) -> Result<Vec<[String; 2]>> {
    let mut pairs = Vec::new();
    while reader.read()? {
        let lines = reader.lines();
        assert!(lines.iter().all(|line| !line.contains('\n') && !line.ends_with('\r')), "{lines:?}");
        pairs.push(lines.map(str::to_owned));
    }
    Ok(pairs)
}

/// Writes pairs and reads them again.
fn written(pairs: &[[String; 2]], format: PairFormat) {
    let path = folder().join("written");
    let languages = Some(["en", "fr"].map(str::to_owned));
    let options = PairWriteOptions::default().with(|c| {
        c.languages = languages.clone();
        c.replace = Some('?');
    });
    let mut writer = PairWriter::create(&path, format, &options).expect("a file");
    let mut expected = Vec::new();
    for pair in pairs {
        // Blank sides and marks at the beginning of a file mean something else in some of the formats.
        if pair.iter().any(|side| side.trim().is_empty() || side.starts_with('\u{feff}')) {
            continue;
        }
        match writer.write(pair.each_ref().map(String::as_str), || Position::new("pairs", 1, 0)) {
            Ok(()) => expected.push(pair.clone()),
            // What the format cannot have.
            Err(error) => assert!(matches!(error.kind(), ErrorKind::Parse { .. }), "{error}"),
        }
    }
    let report = writer.finish().expect("a file");
    let options = PairOptions::default().with(|c| c.format = Some(format));
    let again = PairReader::open(&path, &options).and_then(read);
    match again {
        // The first line may look like another format.
        Err(error) if matches!(error.kind(), ErrorKind::OtherFormat { .. }) => {}
        again => {
            let again = again.expect("what was written is read");
            if report.replaced == 0 {
                assert_eq!(again, expected, "{format}");
            }
        }
    }
    fs::remove_file(&path).expect("it is there");
}
