//! Fingerprints of what each model and most engines give for the sample. They say nothing about what is right: they
//! tell that results have changed. Where that was meant, the new ones take the place of the old, and the changelog says
//! so.
//!
//! Other systems have other code for `exp` and `ln`, with other last digits.
#![cfg(target_os = "linux")]

use alinea::model::ModelName;

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
        ("agreement-loo", "00769868ecb89db5"),
        ("quality", "522e7d611812bb8b"),
        ("agreement", "d70619fabed68a17"),
        ("hmm", "6e43d60289855ecc"),
        ("ibm1", "a4d83e554e8e0479"),
        ("ibm2", "7c124bf067683ccd"),
        ("diagonal", "0527bfa4efea89f2"),
        ("ibm3", "d27cb0b52d31968f"),
        ("ibm4", "d6c8f4c962a375b3"),
        ("ibm5", "9fe06a122d9b3090"),
    ];
    assert_eq!(known.map(|(model, _)| model), ModelName::ALL.map(ModelName::name), "each model has a fingerprint");
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

/// The orders of 60 sentences, learned from the links of 60 others, under which words of up to three letters follow the
/// next word.
#[test]
fn orders_are_what_they_were() {
    let known = [
        ("ensemble", "fe40cb3520b53236"),
        ("btg", "a71aa602678ca6a2"),
        ("top-down", "f32ac3879c5f3720"),
        ("linear", "340dc9053e7391f6"),
        ("salesman", "2e0545d72856161e"),
        ("siblings --induce-trees", "fe3d1c2b70aaaaf4"),
    ];
    let room = halves(|line| format!("{line}\n"));
    check(&known, |engine| {
        room.run(&format!("reorder train --links links --source s -q -m m --no-tuning --engine {engine}")).success();
        fingerprint(&[room.run("reorder apply m --source new -q").success().stdout])
    });
}

/// The same over trees in which a word of up to three letters depends on the next word, and others on the longest.
#[test]
fn orders_over_trees_are_what_they_were() {
    let known = [("children", "6d80354f7db61e62"), ("rules", "d3c0cccb2637eb1c"), ("siblings", "4f2b427ec41cd550")];
    let room = halves(tree);
    check(&known, |engine| {
        room.run(&format!("reorder train --links links --trees s -q -m m --no-tuning --engine {engine}")).success();
        fingerprint(&[room.run("reorder apply m --trees new -q").success().stdout])
    });
}

/// Sixty lines of the sample with links in `s` and `links`, and sixty others in `new`.
fn halves(written: impl Fn(&str) -> String) -> Room {
    let room = Room::new();
    let lines: Vec<String> = sample(120).0.lines().map(str::to_owned).collect();
    room.write("links", lines[..60].iter().map(|line| swapped(line) + "\n").collect::<String>());
    room.write("s", lines[..60].iter().map(|line| written(line)).collect::<String>());
    room.write("new", lines[60..].iter().map(|line| written(line)).collect::<String>());
    room
}

fn tree(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let length = |word: &str| word.chars().count();
    let root = (0..words.len()).rev().max_by_key(|&word| length(words[word])).expect("a word");
    let row = |(number, word): (usize, &&str)| {
        let follows = length(word) <= 3 && number + 1 < words.len();
        let (head, relation) = match number {
            _ if number == root => (0, "root"),
            _ if follows => (number + 2, "short"),
            _ => (root + 1, "long"),
        };
        format!("{}\t{word}\t_\tL{}\t_\t_\t{head}\t{relation}\t_\t_\n", number + 1, length(word).min(8))
    };
    words.iter().enumerate().map(row).collect::<String>() + "\n"
}
