//! Parallel text is read or refused, and the same pairs come from two files, from lines ` ||| ` and from columns, read at once
//! or part by part.

use alinea::bitext::Bitext;
use alinea::error::Result;
use alinea::format::bitext::{self, BitextSource, BitextStream, ReadBitext, ReadOptions};
use alinea::format::blanks::Blanks;
use alinea::format::lines::Utf8;
use alinea::format::source::open;
use alinea::format::tokens::Tokenize;
use alinea::parallel::Parallelism;
use alinea_fuzz::parts::texts;
use alinea_fuzz::{bit, choice, file, input};

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let options = ReadOptions::default().with(|c| {
        c.lowercase = bit(choice, 0);
        c.utf8 = [Utf8::Strict, Utf8::Lossy, Utf8::Latin1, Utf8::Strict][choice >> 1 & 3];
        c.tokenize = if bit(choice, 3) { Tokenize::RULES[data.len() % Tokenize::RULES.len()] } else { Tokenize::None };
        c.blanks = if bit(choice, 4) { Blanks::Unicode } else { Blanks::Ascii };
        c.max_length = 64;
        c.skip_long = bit(choice, 5);
        c.keep_text = true;
    });
    match choice >> 6 {
        0 => {
            let path = file("joint", data);
            let read = open(&path).and_then(|joint| bitext::read_joint(joint, &options));
            in_parts(&BitextSource::Joint(path), read.ok(), &options);
        }
        1 => {
            let path = file("columns", data);
            let read = open(&path).and_then(|columns| bitext::read_columns(columns, 2, 1, &options));
            in_parts(&BitextSource::Columns { path, source: 2, target: 1 }, read.ok(), &options);
        }
        2 => {
            let [source, target] = texts(data);
            let (source, target) = (file("source", source), file("target", target));
            let read = open(&source)
                .and_then(|from| bitext::read_files(from, open(&target)?, &options, &Parallelism::serial()));
            if let Ok(read) = &read {
                as_columns(read, &options);
            }
            in_parts(&BitextSource::Files { source, target }, read.ok(), &options);
        }
        _ => drop(bitext::read_text(input(data), &options)),
    }
}

/// A stream has the same pairs, or the same fault.
fn in_parts(from: &BitextSource, read: Option<ReadBitext>, options: &ReadOptions) {
    let streamed = stream(from, options);
    assert_eq!(read.is_some(), streamed.is_ok(), "what is read at once is read in parts");
    if let (Some(read), Ok(streamed)) = (read, streamed) {
        assert_eq!(words(&read.bitext), streamed);
    }
}

/// All pairs of a stream.
fn stream(from: &BitextSource, options: &ReadOptions) -> Result<Vec<[Words; 2]>> {
    let mut stream = BitextStream::open(from, options)?;
    let mut pairs = Vec::new();
    while let Some(part) = stream.next(2)? {
        pairs.extend(words(&part.bitext));
    }
    Ok(pairs)
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
