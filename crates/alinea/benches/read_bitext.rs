//! How fast text becomes numbers: lines read, checked for UTF-8, cut, folded to lower case and interned, one side on
//! one thread. The text is generated: 50,000 forms by Zipf's law, 20 words a line, in ASCII, with every sixth word
//! accented, and under Unicode word boundaries. Throughput is in bytes of text.
//!
//! Run with `cargo bench -p alinea --bench read_bitext`.

#![allow(missing_docs)]

use std::hint::black_box;

use alinea::format::bitext::{self, ReadOptions};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;
use alinea::format::tokens::Tokenize;
use alinea::parallel::Parallelism;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

const FORMS: usize = 50_000;
const LINES: usize = 50_000;
const WORDS: usize = 20;

/// A form for each rank, short ones first, as in any language.
fn forms(accented: bool) -> Vec<String> {
    let mut generator = Pcg64Mcg::seed_from_u64(1);
    (0..FORMS)
        .map(|rank| {
            let length = 2 + (rank + 1).ilog2() as usize / 2 + generator.next_u32() as usize % 3;
            let mut form: String = (0..length).map(|_| char::from(b'a' + (generator.next_u32() % 26) as u8)).collect();
            if rank % 10 == 0 {
                form[..1].make_ascii_uppercase();
            }
            if accented && rank % 6 == 0 {
                form.push('é');
            }
            form
        })
        .collect()
}

fn text(accented: bool) -> String {
    let forms = forms(accented);
    let mut generator = Pcg64Mcg::seed_from_u64(2);
    let mut text = String::new();
    for _ in 0..LINES {
        for word in 0..WORDS {
            // The inverse of the harmonic sum: rank r with a probability near 1/r.
            let uniform = f64::from(generator.next_u32()) / 4_294_967_296.0;
            let rank = ((FORMS as f64).powf(uniform)) as usize - 1;
            text.push_str(if word == 0 { "" } else { " " });
            text.push_str(&forms[rank]);
        }
        text.push('\n');
    }
    text
}

fn read(text: &str, options: &ReadOptions) -> usize {
    // The other side is as many empty lines, which cost next to nothing.
    let empty = "\n".repeat(LINES);
    let (source, target) = (Input::from_bytes("source", text), Input::from_bytes("target", empty));
    let read = bitext::read_files(source, target, options, &Parallelism::serial()).expect("the text is well formed");
    read.bitext.source.token_count()
}

fn bench(criterion: &mut Criterion) {
    let (ascii, accented) = (text(false), text(true));
    let mut group = criterion.benchmark_group("read_bitext");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(ascii.len() as u64));
    group.bench_function("lines only", |bencher| {
        bencher.iter(|| {
            let mut lines = LineReader::new(ascii.as_bytes(), "text", Utf8::Strict);
            let mut bytes = 0;
            while let Some(line) = lines.read().expect("the text is UTF-8") {
                bytes += line.len();
            }
            black_box(bytes)
        });
    });
    let options = ReadOptions::default();
    group.bench_function("ascii", |bencher| bencher.iter(|| read(&ascii, &options)));
    group.throughput(Throughput::Bytes(accented.len() as u64));
    group.bench_function("accented", |bencher| bencher.iter(|| read(&accented, &options)));
    let unicode = ReadOptions::default().with(|c| c.tokenize = Tokenize::Unicode);
    group.bench_function("accented, unicode words", |bencher| bencher.iter(|| read(&accented, &unicode)));
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
