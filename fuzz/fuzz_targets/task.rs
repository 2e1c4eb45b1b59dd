//! The files of the shared task on word order are read together or refused; what was read is the same when it is written and
//! read again, and runs are judged by it.

use alinea::format::rsmt::{Corpus, Found, Missing, Paths, Unknown};
use alinea::parallel::Parallelism;
use alinea::reorder::Sentence;
use alinea::reorder::standard::GoldStandard;
use alinea_fuzz::parts::texts;
use alinea_fuzz::{bit, choice, file, read_again};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let unknown = if bit(choice, 0) { Unknown::Allowed } else { Unknown::Refused };
    let [rows, text, tags, parses, info, run] = texts(data);
    let place = |kind: u32, name: &str, bytes: &[u8]| bit(choice, kind).then(|| file(name, bytes));
    let paths = Paths {
        rows: file("task.conll", rows),
        text: place(1, "task.txt", text),
        tags: place(2, "task.pos", tags),
        parses: place(3, "task.parse", parses),
        info: place(4, "task.align.info", info),
    };
    let Ok(corpus) = Corpus::read(&paths, unknown) else { return };
    for sentence in &corpus.sentences {
        let _ = Sentence::of_task(sentence);
    }
    again(&corpus, unknown);
    let _ = corpus.clone().into_test();
    let Ok(gold) = GoldStandard::of_corpus("gold", corpus) else { return };
    let missing = if bit(choice, 6) { Missing::Allowed } else { Missing::Refused };
    let run = file(if bit(choice, 5) { "run.conll" } else { "run.txt" }, run);
    if let Ok(orders) = gold.read_run(&run, missing) {
        gold.judge(&orders, &Parallelism::serial()).expect("orders of its words");
    }
}

/// Writes the corpus and reads it again.
fn again(corpus: &Corpus, unknown: Unknown) {
    let [rows, text, tags, parses, info] = corpus.to_files();
    let written = |name: &str, bytes: Option<Vec<u8>>| bytes.map(|bytes| file(name, &bytes));
    let paths = Paths {
        rows: written("again.conll", rows).expect("there are always rows"),
        text: written("again.txt", text),
        tags: written("again.pos", tags),
        parses: written("again.parse", parses),
        info: written("again.align.info", info),
    };
    let Some(again) = read_again(Corpus::read(&paths, unknown)) else { return };
    assert_eq!(again.sentences.len(), corpus.sentences.len());
    for (again, sentence) in again.sentences.iter().zip(&corpus.sentences) {
        assert_eq!(again.found, Found::Listed);
        assert_eq!((&again.words, &again.kept), (&sentence.words, &sentence.kept));
        assert_eq!(again.block.order(), sentence.block.order());
        assert!(again.block.first_difference(&sentence.block).is_none());
    }
}
