//! Lines of programs that learn to reorder, and bracketed parses, are read or refused; annotation and links are the same when
//! they are written and read again.

use alinea::format::lines::Utf8;
use alinea::format::preordering::{parse_alignment, parse_annotation, write_alignment, write_annotation};
use alinea::reorder::brackets;
use alinea::reorder::constituents::Constituents;
use alinea_fuzz::{choice, lines};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let mut reader = lines(data, Utf8::Strict);
    let mut line = String::new();
    while let Ok(true) = reader.read_into(&mut line) {
        let mut written = String::new();
        match choice % 3 {
            0 => {
                let Ok(annotated) = parse_annotation(&line, &reader) else { continue };
                let columns: Vec<&[String]> = annotated.columns().iter().map(Vec::as_slice).collect();
                write_annotation(&columns, &mut written);
                let again = parse_annotation(written.trim_end_matches('\n'), &reader).expect("it was written");
                assert_eq!(again, annotated);
            }
            1 => {
                let Ok(pair) = parse_alignment(&line, &reader) else { continue };
                write_alignment(&pair, &mut written);
                let again = parse_alignment(written.trim_end_matches('\n'), &reader).expect("it was written");
                assert_eq!(again, pair);
            }
            _ => {
                let (words, parts) = (brackets::words(&line), Constituents::of_brackets(&line));
                if let (Ok(words), Ok(parts)) = (&words, &parts) {
                    assert_eq!(words.len(), parts.words());
                    assert_eq!(parts.order(|_| None), (0..words.len() as u32).collect::<Vec<_>>());
                }
                if let Ok(words) = words {
                    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
                    brackets::check(&line, &words, |column| reader.position(column)).expect("its own words");
                }
            }
        }
    }
}
