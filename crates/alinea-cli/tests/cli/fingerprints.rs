//! Fingerprints of what each model and most engines give for the sample. They say nothing about what is right: they tell
//! that results have changed. Where that was meant, the new ones take the place of the old, and the changelog says so.

use crate::support::{Room, sample};

/// FNV-1a, 64 bits.
fn fingerprint(texts: &[String]) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", texts.iter().flat_map(|text| text.bytes()).fold(0xcbf2_9ce4_8422_2325, step))
}

fn check(known: &[(&str, &str)], found: impl Fn(&str) -> String) {
    let found: Vec<(&str, String)> = known.iter().map(|&(name, _)| (name, found(name))).collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(name, fingerprint)| (*name, fingerprint.as_str())).collect();
    assert_eq!(found, known, "results have changed");
}

/// Links, posteriors and scores of 120 sentence pairs.
#[test]
fn alignments_are_what_they_were() {
    let known = [
        ("agreement-loo", "fd37ecb4a5bc95c1"),
        ("quality", "712f9227c99fdba5"),
        ("agreement", "d70619fabed68a17"),
        ("hmm", "6e43d60289855ecc"),
        ("ibm1", "a4d83e554e8e0479"),
        ("ibm2", "7c124bf067683ccd"),
        ("diagonal", "0527bfa4efea89f2"),
        ("ibm3", "d27cb0b52d31968f"),
        ("ibm4", "d6c8f4c962a375b3"),
        ("ibm5", "9fe06a122d9b3090"),
    ];
    let room = Room::with_sample(120);
    check(&known, |model| {
        let links = room.run(&format!("align s t -q --model {model} --posteriors p --scores c")).success().stdout;
        fingerprint(&[links, room.read("p"), room.read("c")])
    });
}

fn swapped(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let mut positions: Vec<usize> = (0..words.len()).collect();
    let mut word = 0;
    while word + 1 < words.len() {
        let swaps = words[word].chars().count() <= 3;
        if swaps {
            positions.swap(word, word + 1);
        }
        word += 1 + usize::from(swaps);
    }
    let links: Vec<String> =
        positions.iter().enumerate().map(|(word, position)| format!("{word}-{position}")).collect();
    links.join(" ")
}

/// The orders of 60 sentences, learned from links under which words of up to three letters follow the next word.
#[test]
fn orders_are_what_they_were() {
    let known = [
        ("ensemble", "3ac226cc2ac7f782"),
        ("btg", "3ac226cc2ac7f782"),
        ("top-down", "3ac226cc2ac7f782"),
        ("linear", "da5f4f4042939128"),
        ("salesman", "dc61cf574231a95e"),
        ("siblings --induce-trees", "acf2d808f3847e54"),
    ];
    let room = Room::new();
    let source = sample(60).0;
    room.write("links", source.lines().map(|line| swapped(line) + "\n").collect::<String>());
    room.write("s", source);
    check(&known, |engine| {
        room.run(&format!("reorder train --links links --source s -q -m m --no-tuning --engine {engine}")).success();
        fingerprint(&[room.run("reorder apply m --source s -q").success().stdout])
    });
}
