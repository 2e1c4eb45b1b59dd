//! Parallel text is read or refused, and the same pairs come from two files, from lines ` ||| ` and from columns, read at once
//! or part by part.
#![no_main]

use alinea::bitext::Bitext;
use alinea::format::bitext::{self, BitextSource, BitextStream, ReadBitext, ReadOptions};
use alinea::format::blanks::Blanks;
use alinea::format::lines::Utf8;
use alinea::format::tokens::Tokenize;
use alinea::parallel::Parallelism;
use alinea_fuzz::parts::texts;
use alinea_fuzz::{bit, choice, file, input, is_compressed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (choice, data) = choice(data);
    if texts::<2>(data).into_iter().any(is_compressed) {
        return;
    }
    let options = ReadOptions {
        lowercase: bit(choice, 0),
        utf8: [Utf8::Strict, Utf8::Lossy, Utf8::Latin1, Utf8::Strict][choice >> 1 & 3],
        tokenize: if bit(choice, 3) { Tokenize::Unicode } else { Tokenize::None },
        blanks: if bit(choice, 4) { Blanks::Unicode } else { Blanks::Ascii },
        max_length: 64,
        skip_long: bit(choice, 5),
        keep_text: true,
    };
    match choice >> 6 {
        0 => {
            let read = bitext::read_joint(input(data), &options);
            in_parts(&BitextSource::Joint(file("joint", data)), read.ok(), &options);
        }
        1 => {
            let read = bitext::read_columns(input(data), 2, 1, &options);
            let path = file("columns", data);
            in_parts(&BitextSource::Columns { path, source: 2, target: 1 }, read.ok(), &options);
        }
        2 => {
            let [source, target] = texts(data);
            let read = bitext::read_files(input(source), input(target), &options, &Parallelism::serial());
            if let Ok(read) = &read {
                as_columns(read, &options);
            }
            let (source, target) = (file("source", source), file("target", target));
            in_parts(&BitextSource::Files { source, target }, read.ok(), &options);
        }
        _ => drop(bitext::read_text(input(data), &options)),
    }
});

/// A stream has the same pairs, or the same fault.
fn in_parts(from: &BitextSource, read: Option<ReadBitext>, options: &ReadOptions) {
    let mut stream = BitextStream::open(from, options).expect("there are files");
    let mut pairs = Vec::new();
    let ended = loop {
        match stream.next(2) {
            Ok(Some(part)) => pairs.extend(words(&part.bitext)),
            Ok(None) => break true,
            Err(_) => break false,
        }
    };
    assert_eq!(read.is_some(), ended, "what is read at once is read in parts");
    if let Some(read) = read {
        assert_eq!(words(&read.bitext), pairs);
    }
}

/// Lines that were kept are the columns of a table with the same pairs.
fn as_columns(read: &ReadBitext, options: &ReadOptions) {
    let kept = read.text.as_ref().expect("lines were kept");
    let mut table = String::new();
    for n in 0..read.bitext.len() {
        let [source, target] = [kept.source.line(n), kept.target.line(n)];
        if [source, target].iter().any(|line| line.contains(['\t', '\r', '\u{feff}'])) {
            return;
        }
        table += &format!("{source}\t{target}\n");
    }
    if options.utf8 == Utf8::Latin1 {
        return;
    }
    let again = bitext::read_columns(input(table.as_bytes()), 1, 2, options).expect("the same lines");
    assert_eq!(words(&again.bitext), words(&read.bitext));
}

type Words = Vec<Vec<u8>>;

fn words(bitext: &Bitext) -> Vec<[Words; 2]> {
    let side = |text: &alinea::bitext::Text, n: usize| {
        text.sentence(n).iter().map(|&word| text.vocabulary().word(word).to_vec()).collect()
    };
    (0..bitext.len()).map(|n| [side(&bitext.source, n), side(&bitext.target, n)]).collect()
}
