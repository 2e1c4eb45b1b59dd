//! Classes of words, annotators, synonyms and texts in paragraphs are read or refused; classes are the same when they are
//! written and read again.

use alinea::format::lines::Utf8;
use alinea::format::paragraphs::{ParagraphEnd, Paragraphs};
use alinea::format::{annotators, classes};
use alinea::metric::meteor::Synonyms;
use alinea_fuzz::{choice, lines, read_again};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    match choice % 6 {
        0 => {
            let Ok(table) = classes::read(lines(data, Utf8::Strict)) else { return };
            let mut written = Vec::new();
            classes::write(table.entries(), &mut written);
            let Some(again) = read_again(classes::read(lines(&written, Utf8::Strict))) else { return };
            let sorted = |table: &classes::ClassTable| {
                let mut entries: Vec<(Vec<u8>, u32)> = table.entries().map(|(word, n)| (word.to_vec(), n)).collect();
                entries.sort();
                entries
            };
            assert_eq!(sorted(&table), sorted(&again));
        }
        1 => drop(annotators::read(lines(data, Utf8::Strict), &["lisa", "jonas", "x"])),
        2 => {
            if let Ok(synonyms) = Synonyms::read(lines(data, Utf8::Lossy)) {
                let _ = synonyms.share("bank", "shore");
            }
        }
        kind => {
            let end = match kind {
                3 => ParagraphEnd::Nothing,
                4 => ParagraphEnd::BlankLines,
                _ => ParagraphEnd::Line("<p>".to_owned()),
            };
            let _ = Paragraphs::read(&mut lines(data, Utf8::Strict), &end);
        }
    }
}
