//! Links of sentence pairs made links between pieces a second, by one reused worker, both sides.
//!
//! 1,000 sentence pairs of 20 words of 1 to 12 letters, made by a fixed generator; each word is in pieces of 1 to 6 letters, and has one
//! link. Three kinds: letters of ASCII in pieces of SentencePiece, which are equal byte by byte; the same in pieces of byte pair encoding, whose
//! marks are found in each line; and letters with accents, decomposed on one side, which are compared character by character. The
//! unit of throughput is a sentence pair.
//!
//! Run with `cargo bench -p alinea --bench token_map`.

use std::hint::black_box;
use std::num::NonZeroU64;

use alinea::format::alignment::{LinkRecord, PairRecord};
use alinea::numeric::Generator;
use alinea::token_map::{LinkTransfer, TokenMap, TokenMatcher};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const WORDS: u32 = 20;

/// A line, and its pieces: `mark` is what is before a word, `join` what joins pieces; `accent` follows each letter e.
fn line(generator: &mut Generator, mark: &str, join: &str, accents: [&str; 2]) -> [String; 2] {
    let mut below = |most: u64| generator.below(NonZeroU64::MIN.saturating_add(most - 1)) as usize;
    let (mut words, mut pieces) = (Vec::new(), Vec::new());
    for _ in 0..WORDS {
        let letters: Vec<usize> = (0..=below(12)).map(|_| below(26)).collect();
        let written = |letters: &[usize], accented: &str| -> String {
            let letter = |&letter: &usize| {
                if letter == 4 { accented.to_owned() } else { char::from(b'a' + letter as u8).to_string() }
            };
            letters.iter().map(letter).collect()
        };
        words.push(written(&letters, accents[0]));
        let cut: Vec<String> = letters.chunks(1 + below(6)).map(|piece| written(piece, accents[1])).collect();
        pieces.push(format!("{mark}{}", cut.join(join)));
    }
    [words.join(" "), pieces.join(" ")]
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("token_map");
    group.throughput(Throughput::Elements(1000));
    let pair = PairRecord { links: (0..WORDS).map(|n| LinkRecord::sure(n, n)).collect(), ..PairRecord::default() };
    for (name, mark, join, accents) in [
        ("sentence pieces", "\u{2581}", " ", ["e", "e"]),
        ("byte pair encoding", "", "@@ ", ["e", "e"]),
        ("decomposed", "\u{2581}", " ", ["\u{e9}", "e\u{301}"]),
    ] {
        let mut generator = Generator::new(12345, 0);
        let mut side = || line(&mut generator, mark, join, accents);
        let pairs: Vec<[[String; 2]; 2]> = (0..1000).map(|_| [side(), side()]).collect();
        let (mut matcher, mut maps, mut transfer) =
            (TokenMatcher::new(), <[TokenMap; 2]>::default(), LinkTransfer::default());
        let mut record = PairRecord::default();
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| {
                for sides in &pairs {
                    for ([words, pieces], map) in sides.iter().zip(&mut maps) {
                        matcher.match_lines(black_box(words), black_box(pieces), map).expect("they spell the same");
                    }
                    record.links.clone_from(&pair.links);
                    transfer.transfer(&mut record, Some(&maps[0]), Some(&maps[1])).expect("links are within");
                    black_box(&record);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
