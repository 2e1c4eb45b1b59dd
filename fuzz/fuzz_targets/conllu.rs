//! CoNLL-U is read or refused, and what was read is written again to the byte.

use alinea::format::conllu::{self, Reader};
use alinea::format::lines::Utf8;
use alinea::reorder::brackets;
use alinea::reorder::constituents::Constituents;
use alinea::tree::{ParsedSentence, Roots};
use alinea_fuzz::{bit, choice, lines};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let roots = if bit(choice, 0) { Roots::Many } else { Roots::One };
    let Some(sentences) = read(data, roots) else { return };
    let written = write(&sentences);
    let again = read(&written, roots).expect("what was written is read");
    assert_eq!(write(&again), written);
    for (sentence, again) in sentences.iter().zip(&again) {
        assert_eq!(sentence.tree(), again.tree());
        let _ = (sentence.surface(), sentence.surface_forms().count(), sentence.comment("sent_id"));
        let _ = sentence.words().map(|word| word.lemma().map_or(0, str::len) + word.relation().len()).sum::<usize>();
        if let Some(line) = brackets::of_dependencies(sentence) {
            assert_eq!(brackets::words(&line).expect("brackets are well formed").len(), sentence.len());
            let parts = Constituents::of_brackets(&line).expect("brackets are well formed");
            assert_eq!(parts.words(), sentence.len());
        }
    }
}

fn read(data: &[u8], roots: Roots) -> Option<Vec<ParsedSentence>> {
    Reader::new(lines(data, Utf8::Strict), roots).collect::<Result<_, _>>().ok()
}

fn write(sentences: &[ParsedSentence]) -> Vec<u8> {
    let mut out = Vec::new();
    sentences.iter().for_each(|sentence| conllu::write(sentence, &mut out));
    out
}
